#include "nearest.h"

#include <stdint.h>
#include <string.h>

enum { LONGEST_NAME = 63 };

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

/* Optimal string alignment: an edit distance in which swapping two neighbours is one edit, a common typing error. */
static size_t distance(const char *a, const char *b) {
    size_t row[3][LONGEST_NAME + 1];
    size_t rows = strlen(a), columns = strlen(b);
    if (rows > LONGEST_NAME || columns > LONGEST_NAME)
        return SIZE_MAX;
    for (size_t j = 0; j <= columns; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= rows; i++) {
        size_t *now = row[i % 3], *before = row[(i - 1) % 3], *two_before = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            size_t replaced = before[j - 1] + (a[i - 1] != b[j - 1]);
            now[j] = smaller(replaced, smaller(before[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = smaller(now[j], two_before[j - 2] + 1);
        }
    }
    return row[rows % 3][columns];
}

const char *wf_nearest_name(const char *word, const char *const *names, size_t count) {
    const char *nearest = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        size_t edits = distance(word, names[i]), length = larger(strlen(word), strlen(names[i]));
        /* Up to a third of the letters may be wrong; beyond that it is another word. */
        if (edits < least && edits <= length / 3) {
            least = edits;
            nearest = names[i];
        }
    }
    return nearest;
}
