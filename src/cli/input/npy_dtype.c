#include "npy_dtype.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* NumPy has no bf16. */
static const char *const codes[WF_TYPE_COUNT] = {
    [WF_F32] = "f4", [WF_F64] = "f8", [WF_I32] = "i4", [WF_I64] = "i8", [WF_U32] = "u4", [WF_U64] = "u8",
    [WF_I8] = "i1",  [WF_I16] = "i2", [WF_U8] = "u1",  [WF_U16] = "u2", [WF_F16] = "f2",
};

static bool machine_is_little_endian(void) {
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

bool npy_dtype_read(npy_dtype *dtype, const char *descr) {
    const bool orderless = *descr == '|'; /* of single bytes alone */
    const bool marked = orderless || *descr == '<' || *descr == '>' || *descr == '=';
    const bool swapped = marked && !orderless && *descr != '=' && (*descr == '<') != machine_is_little_endian();
    if (strcmp(descr + marked, "b1") == 0 || strcmp(descr + marked, "?") == 0) {
        *dtype = (npy_dtype){.type = WF_U8, .is_bool = true};
        return true;
    }
    for (int type = 0; type < WF_TYPE_COUNT; type++) {
        if (codes[type] != NULL && strcmp(descr + marked, codes[type]) == 0) {
            const size_t size = wf_type_size((wf_type)type);
            *dtype = (npy_dtype){.type = (wf_type)type, .swapped = swapped && size > 1};
            return !orderless || size == 1;
        }
    }
    return false;
}

void npy_dtype_name(wf_type type, bool is_bool, char name[NPY_DTYPE_NAME]) {
    const char order = wf_type_size(type) == 1 ? '|' : machine_is_little_endian() ? '<' : '>';
    snprintf(name, NPY_DTYPE_NAME, "%c%s", order, is_bool ? "b1" : codes[type]);
}
