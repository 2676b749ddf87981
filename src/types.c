/* Names and sizes of the element types, names of the operators. */
#include "algebra.h"
#include "wavefold.h"

/* The lists of algebra.h must have the order of the enumerations in wavefold.h. */
enum {
#define POSITION(ENUM, name, more) TYPE_POSITION_##ENUM,
    WF_TYPE_MAP(POSITION)
#undef POSITION
        TYPE_POSITIONS,
};
enum {
#define POSITION(ENUM, name, more) OP_POSITION_##ENUM,
    WF_OP_MAP(POSITION)
#undef POSITION
        OP_POSITIONS,
};
#define SAME_TYPE(ENUM, name, more) _Static_assert((int)WF_##ENUM == (int)TYPE_POSITION_##ENUM, "same order");
#define SAME_OP(ENUM, name, more) _Static_assert((int)WF_##ENUM == (int)OP_POSITION_##ENUM, "same order");
WF_TYPE_MAP(SAME_TYPE)
WF_OP_MAP(SAME_OP)
#undef SAME_OP
#undef SAME_TYPE
_Static_assert((int)WF_TYPE_COUNT == (int)TYPE_POSITIONS && (int)WF_OP_COUNT == (int)OP_POSITIONS, "same length");

static const char *const type_names[] = {
#define TYPE_NAME(ENUM, name, ctype) [WF_##ENUM] = #name,
    WF_TYPE_MAP(TYPE_NAME)
#undef TYPE_NAME
};

static const char *const op_names[] = {
#define OP_NAME(ENUM, name, scalars) [WF_##ENUM] = #name,
    WF_OP_MAP(OP_NAME)
#undef OP_NAME
};

/* Callers may pass any integer as an enumeration. */
const char *wf_type_name(wf_type type) {
    return (unsigned)type < WF_TYPE_COUNT ? type_names[type] : NULL;
}

size_t wf_type_size(wf_type type) {
    return (unsigned)type < WF_TYPE_COUNT ? wf_bytes_of_type(type) : 0;
}

const char *wf_op_name(wf_op op) {
    return (unsigned)op < WF_OP_COUNT ? op_names[op] : NULL;
}
