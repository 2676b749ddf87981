#include "number.h"

#include <stddef.h>
#include <string.h>

bool number_multiply(uint64_t a, uint64_t b, uint64_t *product) {
    if (b && a > UINT64_MAX / b)
        return false;
    *product = a * b;
    return true;
}

static number_status parse_digits(const char **text, uint64_t *number) {
    const char *start = *text;
    number_status status = NUMBER_OK;
    *number = 0;
    for (; **text >= '0' && **text <= '9'; ++*text) {
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
    /* 0 and 1 never overflow, so that only they could loop for long. */
    if (base < 2) {
        *number = exponent ? base : 1;
        return NUMBER_OK;
    }
    for (uint64_t i = 0; i < exponent; ++i)
        if (!number_multiply(product, base, &product))
            return NUMBER_TOO_LARGE;
    *number = product;
    return NUMBER_OK;
}

number_status number_parse(const char *text, uint64_t *number) {
    static const char suffixes[] = "KMGT";
    uint64_t value, scale = 1;
    number_status status = parse_digits(&text, &value);
    if (status == NUMBER_MALFORMED)
        return status;
    if (*text == '^') {
        uint64_t exponent;
        ++text;
        number_status exponent_status = parse_digits(&text, &exponent);
        if (exponent_status == NUMBER_MALFORMED || *text)
            return NUMBER_MALFORMED;
        if (status == NUMBER_OK)
            status = exponent_status == NUMBER_OK ? power(value, exponent, &value) : exponent_status;
    } else if (*text) {
        const char *suffix = strchr(suffixes, *text);
        if (!suffix)
            return NUMBER_MALFORMED;
        bool binary = text[1] == 'i';
        if (text[binary ? 2 : 1])
            return NUMBER_MALFORMED;
        (void)power(binary ? 1024 : 1000, (uint64_t)(suffix - suffixes) + 1, &scale);
    }
    if (status == NUMBER_OK && !number_multiply(value, scale, &value))
        status = NUMBER_TOO_LARGE;
    if (status == NUMBER_OK)
        *number = value;
    return status;
}
