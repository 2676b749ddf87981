/* What a sum's launches come to, of a learner's kernel and of a rung. */
#ifndef WAVEFOLD_CLI_TRY_COUNTERS_H
#define WAVEFOLD_CLI_TRY_COUNTERS_H

#include <jansson.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COUNTERS = 17 };
typedef struct counter {
    const char *key;   /* in JSON */
    const char *title; /* NULL: not in the table */
} counter;
extern const counter counter_table[COUNTERS];

typedef struct counters {
    uint64_t of[COUNTERS];
} counters;

/* Of a trial's answer; all 0 if it counted nothing. */
counters counters_of_answer(const json_t *answer);
/* Of a rung's f32 sum of n elements, on the device "watched" of this width. False, with the reason printed, if it cannot
 * be run there. tile_size: as the learner's; 0: the rung's own. */
bool counters_of_rung(size_t rung, unsigned width, size_t n, unsigned tile_size, counters *counted);

/* Of the steps of lanes, those in which they did nothing; NaN if there were none. */
double counters_idle(const counters *of);
json_t *counters_json(const counters *of);

#endif
