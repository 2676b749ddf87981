/* Numbers as people write them, beside another reading of the same rules, which takes the digits one by one. */
#include "cli/arguments/number.h"
#include "fuzz_input.h"

/* A whole number of up to 400 decimal digits, the lowest first, is what anything here comes to before it is cut. */
enum { DIGITS = 400 };
typedef struct big {
    uint8_t digit[DIGITS];
    bool is_too_large;
} big;

static void multiply(big *number, unsigned factor) {
    unsigned carried = 0;
    for (int i = 0; i < DIGITS; i++) {
        carried += number->digit[i] * factor;
        number->digit[i] = (uint8_t)(carried % 10);
        carried /= 10;
    }
    number->is_too_large |= carried != 0;
}

static bool is_zero(const big *number) {
    for (int i = 0; i < DIGITS; i++)
        if (number->digit[i] != 0)
            return false;
    return !number->is_too_large;
}

static number_status value_of(const big *number, uint64_t *value) {
    *value = 0;
    for (int i = DIGITS - 1; i >= 0; i--)
        if (__builtin_mul_overflow(*value, UINT64_C(10), value) ||
            __builtin_add_overflow(*value, (uint64_t)number->digit[i], value))
            return NUMBER_TOO_LARGE;
    return number->is_too_large ? NUMBER_TOO_LARGE : NUMBER_OK;
}

static size_t digits_at(const char *text) {
    return strspn(text, "0123456789");
}

/* Digits without the point; *behind is how many were behind it. */
static big read_digits(const char **text, size_t *behind) {
    big number = {.is_too_large = false};
    bool has_point = false;
    *behind = 0;
    for (;; (*text)++) {
        if (**text == '.' && !has_point) {
            has_point = true;
            continue;
        }
        if (digits_at(*text) == 0)
            return number;
        multiply(&number, 10);
        number.digit[0] = (uint8_t)(**text - '0');
        *behind += has_point;
    }
}

/* base^exponent */
static number_status read_power(const char *text, uint64_t *value) {
    const char *exponent = strchr(text, '^') + 1;
    size_t behind;
    const big base = read_digits(&text, &behind), times = read_digits(&exponent, &behind);
    uint64_t factor, count;
    const number_status of_base = value_of(&base, &factor), of_exponent = value_of(&times, &count);
    if (of_base != NUMBER_OK || of_exponent != NUMBER_OK)
        return NUMBER_TOO_LARGE;
    *value = 1;
    if (factor < 2)
        *value = count == 0 ? 1 : factor;
    for (uint64_t i = 0; factor >= 2 && i < count; i++)
        if (__builtin_mul_overflow(*value, factor, value))
            return NUMBER_TOO_LARGE;
    return NUMBER_OK;
}

/* How a suffix scales; 0: it is none. */
static uint64_t scale_of(const char *suffix) {
    static const char *const names[] = {"", "k", "K", "M", "G", "T", "Ki", "Mi", "Gi", "Ti"};
    static const uint64_t scales[] = {1,          1000,       1000,       1000000,   1000000000, 1000000000000,
                                      1ULL << 10, 1ULL << 20, 1ULL << 30, 1ULL << 40};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(suffix, names[i]) == 0)
            return scales[i];
    return 0;
}

static number_status read_decimal(const char *text, uint64_t *value) {
    const char *at = text;
    size_t behind;
    big number = read_digits(&at, &behind);
    int64_t exponent = 0;
    uint64_t scale = 1;
    if (*at == 'e' || *at == 'E') {
        exponent = strtol(at + 1, NULL, 10); /* beyond a few hundred it does not matter which it is */
        exponent = exponent > 10000 ? 10000 : exponent < -10000 ? -10000 : exponent;
    } else {
        scale = scale_of(at);
        for (uint64_t left = scale; left > 1; left /= left % 10 == 0 ? 10 : 2)
            multiply(&number, left % 10 == 0 ? 10 : 2);
    }
    if (is_zero(&number)) {
        *value = 0;
        return NUMBER_OK;
    }
    for (exponent -= (int64_t)behind; exponent > 0 && !number.is_too_large; exponent--)
        multiply(&number, 10);
    for (; exponent < 0; exponent++) {
        if (number.digit[0] != 0)
            return NUMBER_MALFORMED;
        memmove(number.digit, number.digit + 1, DIGITS - 1);
        number.digit[DIGITS - 1] = 0;
    }
    return value_of(&number, value);
}

/* digits [. digits] [e [sign] digits | suffix], or digits ^ digits */
static bool is_well_formed(const char *text) {
    const size_t whole = digits_at(text);
    if (whole == 0)
        return false;
    text += whole;
    if (*text == '^')
        return digits_at(text + 1) != 0 && text[1 + digits_at(text + 1)] == '\0';
    if (*text == '.') {
        if (digits_at(text + 1) == 0)
            return false;
        text += 1 + digits_at(text + 1);
    }
    if (*text != 'e' && *text != 'E')
        return scale_of(text) != 0;
    text += text[1] == '+' || text[1] == '-' ? 2 : 1;
    return digits_at(text) != 0 && text[digits_at(text)] == '\0';
}

static number_status expected(const char *text, uint64_t *value) {
    if (!is_well_formed(text))
        return NUMBER_MALFORMED;
    return strchr(text, '^') != NULL ? read_power(text, value) : read_decimal(text, value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { LONGEST = 60 };
    fuzz_input in = {data, size < LONGEST ? size : LONGEST};
    char *text = take_text(&in);
    uint64_t got = 0, wanted = 0;
    const number_status status = number_parse(text, &got), right = expected(text, &wanted);
    must(status == right);
    must(status != NUMBER_OK || got == wanted);
    free(text);
    return 0;
}
