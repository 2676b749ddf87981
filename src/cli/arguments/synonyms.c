#include "synonyms.h"

#include "nearest.h"

#include <string.h>
#include <strings.h>

static const char describe[] = "describe";

/* Names of types in NumPy and C, and of operators in NumPy, SQL and spreadsheets. NULL: wavefold has no counterpart,
 * although another name may be spelled alike. */
static const struct {
    const char *word, *name;
} synonyms[] = {
    {"avg", "mean"},        {"average", "mean"},  {"std", describe},       {"stddev", describe}, {"var", describe},
    {"variance", describe}, {"count", describe},  {"len", describe},       {"stats", describe},  {"summary", describe},
    {"prod", "product"},    {"mul", "product"},   {"multiply", "product"}, {"norm", "sumsq"},    {"l2", "sumsq"},
    {"ssq", "sumsq"},       {"l1", "asum"},       {"abs", "asum"},         {"maximum", "max"},   {"amax", "max"},
    {"minimum", "min"},     {"amin", "min"},      {"add", "sum"},          {"total", "sum"},     {"range", "minmax"},
    {"ptp", "minmax"},      {"all", "and"},       {"any", "or"},           {"idxmin", "argmin"}, {"idxmax", "argmax"},
    {"median", NULL},       {"float", "f32"},     {"single", "f32"},       {"float32", "f32"},   {"f4", "f32"},
    {"double", "f64"},      {"float64", "f64"},   {"f8", "f64"},           {"half", "f16"},      {"float16", "f16"},
    {"f2", "f16"},          {"bfloat16", "bf16"}, {"int", "i32"},          {"int32", "i32"},     {"int32_t", "i32"},
    {"i4", "i32"},          {"long", "i64"},      {"int64", "i64"},        {"int64_t", "i64"},   {"short", "i16"},
    {"int16", "i16"},       {"int16_t", "i16"},   {"i2", "i16"},           {"int8", "i8"},       {"int8_t", "i8"},
    {"i1", "i8"},           {"unsigned", "u32"},  {"uint", "u32"},         {"uint32", "u32"},    {"uint32_t", "u32"},
    {"u4", "u32"},          {"uint64", "u64"},    {"uint64_t", "u64"},     {"size_t", "u64"},    {"ushort", "u16"},
    {"uint16", "u16"},      {"uint16_t", "u16"},  {"u2", "u16"},           {"byte", "u8"},       {"uint8", "u8"},
    {"uint8_t", "u8"},      {"u1", "u8"},         {"bool", "u8"},
};
enum { SYNONYMS = sizeof synonyms / sizeof *synonyms, LONGEST_WORD = 63 };

static const char *same_in_other_case(const char *word, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcasecmp(word, names[i]) == 0)
            return names[i];
    return NULL;
}

static size_t find_synonym(const char *word) {
    size_t i = 0;
    while (i < SYNONYMS && strcasecmp(word, synonyms[i].word) != 0)
        i++;
    return i;
}

const char *suggested_name(const char *word, const char *const *names, size_t count) {
    const char *same = same_in_other_case(word, names, count);
    const size_t found = find_synonym(word);
    if (same != NULL)
        return same;
    if (found < SYNONYMS)
        return synonyms[found].name != NULL ? same_in_other_case(synonyms[found].name, names, count) : NULL;
    char small[LONGEST_WORD + 1];
    size_t length = 0;
    for (; length < LONGEST_WORD && word[length] != '\0'; length++) /* all names are small letters */
        small[length] = word[length] >= 'A' && word[length] <= 'Z' ? (char)(word[length] - 'A' + 'a') : word[length];
    small[length] = '\0';
    return word[length] == '\0' ? wf_nearest_name(small, names, count) : NULL;
}

bool is_described(const char *word) {
    const size_t found = find_synonym(word);
    return strcasecmp(word, describe) == 0 || (found < SYNONYMS && synonyms[found].name == describe);
}
