#include "number_text.h"

#include "cli/cli.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static bool is_at_end(const char *text, const char *end) {
    return end != text && *end == '\0' && isspace((unsigned char)*text) == 0;
}

static char *read_float(wf_type type, const char *text, value *number) {
    char *end;
    errno = 0;
    const double x = strtod(text, &end);
    if (!is_at_end(text, end))
        return cli_text("is no number; write for example 0, -1.5 or 1e3");
    *number = value_of_double(type, x);
    const bool is_beyond = isinf(value_to_double(type, *number)) != 0 && (isinf(x) == 0 || errno == ERANGE);
    return is_beyond ? cli_text("is beyond the largest %s; write inf for infinity", wf_type_name(type)) : NULL;
}

static char *read_signed(wf_type type, const char *text, value *number) {
    const int64_t most = (int64_t)(UINT64_MAX >> (65 - 8 * wf_type_size(type)));
    char *end;
    errno = 0;
    const long long x = strtoll(text, &end, 10);
    if (is_at_end(text, end) && errno == 0 && x >= -most - 1 && x <= most) {
        *number = value_of_bits(type, (uint64_t)x);
        return NULL;
    }
    return cli_text("is no %s; write a whole number from %" PRId64 " to %" PRId64, wf_type_name(type), -most - 1, most);
}

static char *read_unsigned(wf_type type, const char *text, value *number) {
    const uint64_t most = UINT64_MAX >> (64 - 8 * wf_type_size(type));
    char *end;
    errno = 0;
    const unsigned long long x = strtoull(text, &end, 10);
    if (is_at_end(text, end) && errno == 0 && *text != '-' && x <= most) {
        *number = value_of_bits(type, x);
        return NULL;
    }
    return cli_text("is no %s; write a whole number from 0 to %" PRIu64, wf_type_name(type), most);
}

char *number_of_text(wf_type type, const char *text, value *number) {
    if (wf_type_is_float(type))
        return read_float(type, text, number);
    return wf_type_is_signed(type) ? read_signed(type, text, number) : read_unsigned(type, text, number);
}
