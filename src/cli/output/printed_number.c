#include "printed_number.h"

#include "oracle/folded.h"

#include <inttypes.h>
#include <stdio.h>

void print_number(wf_type type, value v, bool is_bool) {
    char text[VALUE_TEXT];
    value_format_shortest(type, v, text);
    fputs(is_bool ? v.u8 != 0 ? "true" : "false" : text, stdout);
}

void print_index(uint64_t index) {
    if (index == NO_INDEX)
        fputs("none", stdout);
    else
        printf("%" PRIu64, index);
}
