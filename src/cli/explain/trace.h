/* The tree of a small tile: which lane adds what to what, step by step.
 *
 * Element i of the array is bit i of an i64, so each sum says of which elements it is. Registers are not seen, but for
 * what lanes offer to shuffles. A sum that a lane leaves somewhere is made of what it has read since the last one, as
 * far as that is in it, and of that last one, which it still had, where the rest comes from nowhere else. */
#ifndef WAVEFOLD_CLI_EXPLAIN_TRACE_H
#define WAVEFOLD_CLI_EXPLAIN_TRACE_H

#include "explanation.h"

#include <jansson.h>
#include <stdio.h>

typedef enum trace_kind { TRACE_ELEMENT, TRACE_CELL, TRACE_LANE } trace_kind;

/* An element of an array in device memory, a cell of tile memory, or what a lane holds in a register. */
typedef struct trace_place {
    trace_kind kind;
    char array[16]; /* of an element: its name */
    uint64_t index;
} trace_place;

enum { TRACE_SOURCES = 64 };

typedef struct trace_deed {
    uint32_t launch, step, lane;
    trace_place from[TRACE_SOURCES], to;
    size_t from_count;
    uint64_t holds; /* the elements that it is the sum of: a bit each */
} trace_deed;

typedef struct trace {
    const explanation *of;
    trace_deed *deeds; /* by launch and step; within a step as they were done */
    size_t count;
} trace;

/* False, with the reason printed, for rungs that no trace shows. */
bool trace_can_show(size_t rung);
void trace_make(trace *made, const explanation *of);
void trace_free(trace *made);

/* How the step ended: "barrier", ...; "" if that was not seen. */
const char *trace_end_of(const trace *of, const trace_deed *deed);

/* Where a source of a deed got its value: from the deed of an earlier step, from the array before any step, or from
 * what a trace does not show, such as another tile. */
typedef struct trace_origin {
    enum { TRACE_FROM_DEED, TRACE_FROM_ARRAY, TRACE_FROM_ELSEWHERE } kind;
    size_t deed; /* of->deeds' index, if kind says so */
} trace_origin;
trace_origin trace_origin_of(const trace *of, const trace_deed *deed, const trace_place *place);

void trace_print(const trace *of, FILE *stream);
void trace_draw(const trace *of, FILE *stream); /* SVG */
json_t *trace_document(const trace *of);

#endif
