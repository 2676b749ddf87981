/* "Did you mean": the nearest of the names there are. */
#include "internal.h"

#include <string.h>

enum { LONGEST = 63 };

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Levenshtein's distance: insertions, deletions and replacements that turn one name into the other. */
static size_t edit_distance(const char *a, const char *b) {
    size_t row[LONGEST + 1];
    const size_t columns = strlen(b);
    for (size_t j = 0; j <= columns; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < columns; j++) {
            const size_t replaced = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = smaller(replaced, smaller(row[j], diagonal) + 1);
        }
    }
    return row[columns];
}

const char *wf_nearest_name(const char *typed, const char *const names[], size_t count) {
    const char *nearest = NULL;
    size_t best = strlen(typed) / 2 + 1; /* further than that is no likeness */
    for (size_t i = 0; i < count; i++) {
        if (strlen(names[i]) > LONGEST)
            continue;
        const size_t distance = edit_distance(typed, names[i]);
        if (distance <= best && (nearest == NULL || distance < best)) {
            best = distance;
            nearest = names[i];
        }
    }
    return nearest;
}
