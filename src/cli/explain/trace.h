/* The tree of a small tile: which lane adds which values, step by step.
 *
 * Element i of the array is bit i of an i64, so each sum shows its elements. A trace sees no registers, except values
 * that lanes offer to shuffles. When a lane stores a sum or offers it to a shuffle, its sources are the values that the
 * lane has read since its last sum, if the sum contains them, and that last sum for the other elements. */
#ifndef WAVEFOLD_CLI_EXPLAIN_TRACE_H
#define WAVEFOLD_CLI_EXPLAIN_TRACE_H

#include "explanation.h"

#include <jansson.h>
#include <stdio.h>

typedef enum trace_kind { TRACE_ELEMENT, TRACE_CELL, TRACE_LANE } trace_kind;

/* An element of an array in device memory, a cell of tile memory, or a register of a lane. */
typedef struct trace_place {
    trace_kind kind;
    char array[16]; /* of an element: its name */
    uint64_t index;
} trace_place;

enum { TRACE_SOURCES = 64 };

/* A sum that a lane stores, or offers to a shuffle. */
typedef struct trace_sum {
    uint32_t launch, step, lane;
    trace_place from[TRACE_SOURCES], to;
    size_t from_count;
    uint64_t holds; /* its elements, a bit each */
} trace_sum;

typedef struct trace {
    const explanation *of;
    trace_sum *sums; /* by launch and step; within a step by lane */
    size_t count;
} trace;

/* False, with the reason printed, for rungs that no trace shows. */
bool trace_can_show(size_t rung);
void trace_make(trace *made, const explanation *of);
void trace_free(trace *made);

/* How the step ended: "barrier", ...; "" if the counts lack the step. */
const char *trace_end_of(const trace *of, const trace_sum *sum);

/* The origin of a source's value: a sum of an earlier step, the array before any step, or a place that a trace does not
 * show, such as another tile. */
typedef struct trace_origin {
    enum { TRACE_FROM_SUM, TRACE_FROM_ARRAY, TRACE_FROM_ELSEWHERE } kind;
    size_t sum; /* index in of->sums, for TRACE_FROM_SUM */
} trace_origin;
trace_origin trace_origin_of(const trace *of, const trace_sum *sum, const trace_place *place);

void trace_print(const trace *of, FILE *stream);
void trace_draw(const trace *of, FILE *stream); /* SVG */
json_t *trace_document(const trace *of);

#endif
