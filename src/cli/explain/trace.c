#include "trace.h"

#include "cli/cli.h"
#include "wavefold_ladder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 1024 };

/* The value that a lane offered to a shuffle. The last two are kept: a lane of its wave may be one ahead. */
typedef struct offer {
    uint64_t value;
    uint32_t step, from;
    bool is_there;
} offer;

/* The values that a lane has read since its last sum, and that sum, which it may still have in a register. */
typedef struct lane_state {
    trace_place read[TRACE_SOURCES];
    uint64_t values[TRACE_SOURCES];
    size_t count;
    uint64_t sum;
    offer offers[2];
    uint32_t shuffles; /* count */
} lane_state;

typedef struct maker {
    trace *made;
    size_t capacity;
    lane_state lanes[LANES];
    uint32_t launch;
} maker;

bool trace_can_show(size_t rung) {
    const wf_rung_options options = {.type = WF_I64};
    wf_rung_info info;
    if (wf_rung_get_info(rung, &info) == WF_OK && (info.kind == WF_RUNG_SORTS || info.kind == WF_RUNG_SORTS_PAIRS)) {
        cli_error("%s sorts, and a trace shows sums: leave --trace out, or take a rung that reduces or scans",
                  info.name);
        return false;
    }
    if (info.accesses > 0 && strcmp(info.name, "sequential") == 0) {
        cli_error("sequential runs on the CPU, and a trace shows kernels: take another rung");
        return false;
    }
    if (wf_rung_supports(rung, &options) == WF_OK)
        return true;
    cli_error("a trace adds i64: %s", wf_last_error());
    return false;
}

static trace_sum *new_sum(maker *m, const wf_watch_event *event) {
    if (m->made->count == m->capacity) {
        m->capacity = 2 * m->capacity + 256;
        trace_sum *larger = cli_allocate(m->capacity, sizeof *larger);
        if (m->made->count > 0)
            memcpy(larger, m->made->sums, m->made->count * sizeof *larger);
        free(m->made->sums);
        m->made->sums = larger;
    }
    trace_sum *sum = &m->made->sums[m->made->count++];
    memset(sum, 0, sizeof *sum);
    sum->launch = event->launch;
    sum->step = event->step;
    sum->lane = event->lane;
    return sum;
}

static void read_from(lane_state *lane, trace_kind kind, const char *array, uint64_t index, uint64_t value) {
    if (lane->count == TRACE_SOURCES || value == 0) /* the identity has no elements */
        return;
    trace_place *place = &lane->read[lane->count];
    memset(place, 0, sizeof *place);
    place->kind = kind;
    snprintf(place->array, sizeof place->array, "%s", array);
    place->index = index;
    lane->values[lane->count++] = value;
}

/* The lane reads the value of its last shuffle before its next access. */
static void receive(maker *m, uint32_t number) {
    lane_state *lane = &m->lanes[number];
    offer *mine = lane->shuffles > 0 ? &lane->offers[(lane->shuffles - 1) % 2] : NULL;
    if (mine == NULL || !mine->is_there)
        return;
    mine->is_there = false;
    if (mine->from == number || mine->from >= LANES)
        return;
    const offer *theirs = m->lanes[mine->from].offers;
    for (int k = 0; k < 2; k++)
        if (theirs[k].step == mine->step && m->lanes[mine->from].shuffles > 0)
            read_from(lane, TRACE_LANE, "", mine->from, theirs[k].value);
}

/* The lane stores or offers a sum. Its sources: the values read that are part of it, and the lane's registers, if these
 * values do not cover it. */
static void add_sum(maker *m, const wf_watch_event *event, trace_kind kind, uint64_t index) {
    lane_state *lane = &m->lanes[event->lane];
    const uint64_t sum = event->value;
    uint64_t covered = 0;
    for (size_t k = 0; k < lane->count; k++)
        if ((sum & lane->values[k]) == lane->values[k])
            covered |= lane->values[k];
    const bool had = (sum & ~covered) != 0;
    const bool is_new = kind != TRACE_LANE || sum != lane->sum;
    if (sum != 0 && is_new) {
        trace_sum *added = new_sum(m, event);
        added->to.kind = kind;
        added->to.index = index;
        snprintf(added->to.array, sizeof added->to.array, "%s", kind == TRACE_ELEMENT ? event->array : "");
        added->holds = sum;
        if (had)
            added->from[added->from_count++] = (trace_place){.kind = TRACE_LANE, .index = event->lane};
        for (size_t k = 0; k < lane->count && added->from_count < TRACE_SOURCES; k++)
            if ((sum & lane->values[k]) == lane->values[k])
                added->from[added->from_count++] = lane->read[k];
    }
    lane->sum = sum;
    lane->count = 0;
}

static void add_event(maker *m, const wf_watch_event *event) {
    lane_state *lane = &m->lanes[event->lane];
    receive(m, event->lane);
    if (event->bytes != sizeof(int64_t))
        return; /* a ticket or the number of a tile */
    if (strcmp(event->what, "shuffle") == 0) {
        add_sum(m, event, TRACE_LANE, event->lane);
        lane->offers[lane->shuffles++ % 2] =
            (offer){.value = event->value, .step = event->step, .from = (uint32_t)event->index, .is_there = true};
    } else if (strcmp(event->what, "tile load") == 0) {
        read_from(lane, TRACE_CELL, "", event->index, event->value);
    } else if (strcmp(event->what, "load") == 0 && strcmp(event->array, "tile_status") != 0) {
        read_from(lane, TRACE_ELEMENT, event->array, event->index, event->value);
    } else if (strcmp(event->what, "tile store") == 0) {
        add_sum(m, event, TRACE_CELL, event->index);
    } else if (strcmp(event->array, "tile_status") != 0 && strcmp(event->what, "load") != 0) {
        add_sum(m, event, TRACE_ELEMENT, event->index);
    }
}

static int by_step(const void *a, const void *b) {
    const trace_sum *x = a, *y = b;
    if (x->launch != y->launch)
        return x->launch < y->launch ? -1 : 1;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return x->lane < y->lane ? -1 : x->lane > y->lane ? 1 : 0;
}

/* A fixed order: the compiler chooses which of two cells a lane reads first. */
static int by_place(const void *a, const void *b) {
    const trace_place *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index ? 1 : 0;
}

void trace_make(trace *made, const explanation *of) {
    *made = (trace){.of = of};
    maker *m = cli_allocate(1, sizeof *m);
    memset(m, 0, sizeof *m);
    m->made = made;
    for (size_t i = 0; i < of->watch.event_count; i++) {
        const wf_watch_event *event = &of->watch.events[i];
        if (event->tile != 0 || event->lane >= LANES)
            continue;
        if (event->launch != m->launch) {
            memset(m->lanes, 0, sizeof m->lanes);
            m->launch = event->launch;
        }
        add_event(m, event);
    }
    free(m);
    for (size_t i = 0; i < made->count; i++)
        qsort(made->sums[i].from, made->sums[i].from_count, sizeof *made->sums[i].from, by_place);
    if (made->count > 0)
        qsort(made->sums, made->count, sizeof *made->sums, by_step);
}

void trace_free(trace *made) {
    free(made->sums);
}

const char *trace_end_of(const trace *of, const trace_sum *sum) {
    for (size_t i = 0; i < of->of->watch.step_count; i++) {
        const wf_step_counts *step = &of->of->watch.steps[i];
        if (step->launch == sum->launch && step->step == sum->step)
            return step->ends;
    }
    return "";
}
