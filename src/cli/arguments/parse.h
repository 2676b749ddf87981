/* Arguments of options that several subcommands take. A wrong argument is a usage error and does not return. */
#ifndef WAVEFOLD_CLI_ARGUMENTS_PARSE_H
#define WAVEFOLD_CLI_ARGUMENTS_PARSE_H

#include "algebra.h"
#include "wavefold.h"

#include <stdbool.h>
#include <stddef.h>

/* From the public lists, so that the help lists all names. */
#define HELP_NAME(ENUM, name, more) " " #name
#define HELP_TYPES "one of" WF_TYPE_MAP(HELP_NAME)
#define HELP_OPS "one of" WF_OP_MAP(HELP_NAME) "; default: sum"
#define DESCRIBE "describe"
#define HELP_ACCUMULATORS "Type in which sums and products are computed: i32, i64, u32, u64, f32 or f64. Default: "
#define HELP_STATE                                                                                                     \
    "Write the exact sum's state (608 bytes, for wavefold merge) to FILE, which is replaced when the new one is "      \
    "complete; - is standard output, without the text"
#define HELP_RAW                                                                                                       \
    "Read the file as raw binary of --type, for any name and any first bytes. Without this option, a file that looks " \
    "like text is refused, unless --type is u8 or i8"
#define HELP_COUNTS "4096, 2^26, 1e6, 1.5M (k, M, G, T: powers of 1000) or 16Mi (Ki, Mi, Gi, Ti: powers of 1024)"
#define HELP_DEVICE                                                                                                    \
    "auto (default: the first GPU, else the host), nvidia:0, amd:0, host:32, host:64, host:64:reverse, "               \
    "host:64:random=SEED; see wavefold devices"

/* A whole number from least to most, in the syntax of number_parse; option is its name in the message. */
uint64_t parse_number(const char *option, const char *text, uint64_t least, uint64_t most);
/* The index of one of the names; kind describes them in the message. */
size_t parse_name(const char *kind, const char *text, const char *const *names, size_t count);
/* The index of the rung of this name; the message begins with `before`. */
size_t parse_rung(const char *before, const char *name);

wf_type parse_type(const char *text);
/* A wf_op, or with of_reduce an additional operator of wavefold reduce. */
enum { OP_DESCRIBE = WF_OP_COUNT, OP_ALL, OP_ANY, OPS_OF_REDUCE };
int parse_op(const char *text, bool of_reduce);
wf_accumulator parse_accumulator(const char *text);
wf_nan parse_nan(const char *text);
wf_accuracy parse_accuracy(const char *text);

#endif
