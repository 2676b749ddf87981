#include "number.h"

#include <stddef.h>
#include <string.h>

bool number_multiply(uint64_t a, uint64_t b, uint64_t *product) {
    if (b != 0 && a > UINT64_MAX / b)
        return false;
    *product = a * b;
    return true;
}

static number_status parse_digits(const char **text, uint64_t *number) {
    const char *start = *text;
    number_status status = NUMBER_OK;
    *number = 0;
    for (; **text >= '0' && **text <= '9'; (*text)++) {
        uint64_t digit = (uint64_t)(**text - '0');
        if (!number_multiply(*number, 10, number) || *number > UINT64_MAX - digit)
            status = NUMBER_TOO_LARGE;
        else
            *number += digit;
    }
    return *text == start ? NUMBER_MALFORMED : status;
}

static number_status power(uint64_t base, uint64_t exponent, uint64_t *number) {
    uint64_t product = 1;
    /* 0 and 1 never overflow: only they could loop for long. */
    if (base < 2) {
        *number = exponent != 0 ? base : 1;
        return NUMBER_OK;
    }
    for (uint64_t i = 0; i < exponent; i++)
        if (!number_multiply(product, base, &product))
            return NUMBER_TOO_LARGE;
    *number = product;
    return NUMBER_OK;
}

/* An exact decimal: digits, with at most one point among them, and an exponent. */
typedef struct decimal {
    const char *digits;
    size_t count; /* of the digits, without the point */
    size_t whole; /* of the digits before the point */
} decimal;

static uint64_t digit_of(const decimal *d, size_t i) {
    return (uint64_t)(d->digits[i < d->whole ? i : i + 1] - '0');
}

/* d * 10^exponent * scale; scale is 1 unless exponent is 0. */
static number_status evaluate(const decimal *d, int64_t exponent, uint64_t scale, uint64_t *number) {
    int64_t point = (int64_t)d->whole + exponent, count = (int64_t)d->count;
    uint64_t carry = 0, value = 0;
    /* The digits after the point times the scale, from the last digit on. Each place of the product must be 0; the
     * carry beyond the point is whole. */
    for (int64_t i = count - 1; i >= 0 && i >= point; i--) {
        carry += digit_of(d, (size_t)i) * scale;
        if (carry % 10 != 0)
            return NUMBER_MALFORMED;
        carry /= 10;
    }
    /* 0 stays 0 for any exponent. */
    for (int64_t i = 0; i < point && (i < count || value != 0); i++)
        if (!number_multiply(value, 10, &value) ||
            __builtin_add_overflow(value, i < count ? digit_of(d, (size_t)i) : 0, &value))
            return NUMBER_TOO_LARGE;
    return number_multiply(value, scale, &value) && !__builtin_add_overflow(value, carry, number) ? NUMBER_OK
                                                                                                  : NUMBER_TOO_LARGE;
}

/* "e6", "E+6" or "e-6", and nothing after it. Exponents beyond any number are clamped. */
static bool parse_exponent(const char *text, int64_t *exponent) {
    enum { BEYOND = 1 << 30 }; /* more digits than a command line has */
    uint64_t magnitude;
    bool negative = text[1] == '-';
    text += text[1] == '-' || text[1] == '+' ? 2 : 1;
    number_status status = parse_digits(&text, &magnitude);
    if (status == NUMBER_TOO_LARGE || magnitude > BEYOND)
        magnitude = BEYOND;
    *exponent = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return status != NUMBER_MALFORMED && *text == '\0';
}

/* 1 without a suffix, 0 for an unknown one. */
static uint64_t parse_suffix(const char *text) {
    static const char suffixes[] = "KMGT";
    uint64_t scale = 1;
    bool binary = text[0] != '\0' && text[1] == 'i';
    if (*text == '\0')
        return 1;
    const char *suffix = strchr(suffixes, *text == 'k' && !binary ? 'K' : *text);
    if (suffix == NULL || text[binary ? 2 : 1] != '\0')
        return 0;
    (void)power(binary ? 1024 : 1000, (uint64_t)(suffix - suffixes) + 1, &scale);
    return scale;
}

static number_status parse_power(uint64_t base, number_status base_status, const char *text, uint64_t *number) {
    uint64_t exponent;
    number_status status = parse_digits(&text, &exponent);
    if (status == NUMBER_MALFORMED || *text != '\0')
        return NUMBER_MALFORMED;
    if (base_status != NUMBER_OK)
        return base_status;
    return status == NUMBER_OK ? power(base, exponent, number) : status;
}

number_status number_parse(const char *text, uint64_t *number) {
    decimal d = {.digits = text};
    uint64_t value;
    int64_t exponent = 0;
    number_status status = parse_digits(&text, &value);
    if (status == NUMBER_MALFORMED)
        return status;
    d.whole = d.count = (size_t)(text - d.digits);
    if (*text == '^')
        return parse_power(value, status, text + 1, number);
    if (*text == '.') {
        text++;
        const char *behind = text;
        if (parse_digits(&text, &value) == NUMBER_MALFORMED)
            return NUMBER_MALFORMED;
        d.count += (size_t)(text - behind);
    }
    if (*text == 'e' || *text == 'E')
        return parse_exponent(text, &exponent) ? evaluate(&d, exponent, 1, number) : NUMBER_MALFORMED;
    uint64_t scale = parse_suffix(text);
    return scale != 0 ? evaluate(&d, 0, scale, number) : NUMBER_MALFORMED;
}
