#include "trace.h"

#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 1024 };

/* What a lane offered to its last two shuffles: a lane of its wave may be one ahead. */
typedef struct offer {
    uint64_t value;
    uint32_t step, from;
    bool is_there;
} offer;

typedef struct maker {
    trace *made;
    size_t capacity;
    bool is_open[LANES]; /* the lane has read, and not yet left anything anywhere */
    size_t open[LANES];  /* the deed */
    offer offers[LANES][2];
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
    if (wf_rung_supports(rung, &options) == WF_OK)
        return true;
    cli_error("a trace adds i64: %s", wf_last_error());
    return false;
}

static trace_deed *deed_of(maker *m, const wf_watch_event *event) {
    if (m->is_open[event->lane] && m->made->deeds[m->open[event->lane]].step == event->step)
        return &m->made->deeds[m->open[event->lane]];
    if (m->made->count == m->capacity) {
        m->capacity = 2 * m->capacity + 256;
        trace_deed *larger = cli_allocate(m->capacity, sizeof *larger);
        if (m->made->count > 0)
            memcpy(larger, m->made->deeds, m->made->count * sizeof *larger);
        free(m->made->deeds);
        m->made->deeds = larger;
    }
    m->is_open[event->lane] = true;
    m->open[event->lane] = m->made->count;
    trace_deed *deed = &m->made->deeds[m->made->count++];
    memset(deed, 0, sizeof *deed);
    deed->launch = event->launch;
    deed->step = event->step;
    deed->lane = event->lane;
    return deed;
}

static void add_source(trace_deed *deed, trace_kind kind, const char *array, uint64_t index) {
    if (deed->from_count == TRACE_SOURCES)
        return;
    trace_place *place = &deed->from[deed->from_count++];
    place->kind = kind;
    snprintf(place->array, sizeof place->array, "%s", array);
    place->index = index;
}

/* What the lane offered in this step; NULL: nothing. */
static const offer *offered(const maker *m, uint64_t lane, uint32_t step) {
    for (int k = 0; k < 2 && lane < LANES; k++)
        if (m->offers[lane][k].is_there && m->offers[lane][k].step == step)
            return &m->offers[lane][k];
    return NULL;
}

/* The sum is known: so is what of the last shuffle is in it. False: it is what the lane had before. */
static bool close_deed(maker *m, trace_deed *deed, uint64_t holds) {
    deed->holds = holds;
    m->is_open[deed->lane] = false;
    const offer *mine = deed->step > 0 ? offered(m, deed->lane, deed->step - 1) : NULL;
    if (mine == NULL)
        return true;
    const offer *theirs = mine->from != deed->lane ? offered(m, mine->from, deed->step - 1) : NULL;
    if (mine->value != 0 && (holds & mine->value) == mine->value)
        add_source(deed, TRACE_LANE, "", deed->lane);
    if (theirs != NULL && theirs->value != 0 && (holds & theirs->value) == theirs->value &&
        (mine->value & theirs->value) != theirs->value)
        add_source(deed, TRACE_LANE, "", mine->from);
    return holds != mine->value || deed->from_count > 1;
}

static void take_shuffle(maker *m, const wf_watch_event *event) {
    trace_deed *deed = deed_of(m, event);
    deed->to = (trace_place){.kind = TRACE_LANE, .index = event->lane};
    const bool is_new = close_deed(m, deed, event->value);
    if (!is_new && deed == &m->made->deeds[m->made->count - 1])
        m->made->count--;
    m->offers[event->lane][event->step % 2] =
        (offer){.value = event->value, .step = event->step, .from = (uint32_t)event->index, .is_there = true};
}

static void take_store(maker *m, const wf_watch_event *event, trace_kind kind) {
    trace_deed *deed = deed_of(m, event);
    deed->to.kind = kind;
    memcpy(deed->to.array, event->array, sizeof deed->to.array);
    deed->to.index = event->index;
    close_deed(m, deed, event->value);
}

static void take(maker *m, const wf_watch_event *event) {
    const uint64_t elements = event->bytes / sizeof(int64_t);
    const bool is_load = strcmp(event->what, "tile load") == 0 || strcmp(event->what, "load") == 0;
    if (is_load && elements == 1 && event->value == 0)
        return; /* the identity: of nothing */
    if (strcmp(event->what, "shuffle") == 0) {
        take_shuffle(m, event);
    } else if (strcmp(event->what, "tile load") == 0) {
        add_source(deed_of(m, event), TRACE_CELL, "", event->index);
    } else if (strcmp(event->what, "load") == 0) {
        for (uint64_t k = 0; k < elements; k++) /* of a pack; event->index counts packs */
            add_source(deed_of(m, event), TRACE_ELEMENT, event->array, event->index * elements + k);
    } else if (strcmp(event->what, "tile store") == 0) {
        take_store(m, event, TRACE_CELL);
    } else if (elements > 0) { /* tickets are counted in 4 bytes */
        take_store(m, event, TRACE_ELEMENT);
    }
}

static int by_step(const void *a, const void *b) {
    const trace_deed *x = a, *y = b;
    if (x->launch != y->launch)
        return x->launch < y->launch ? -1 : 1;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return x->lane < y->lane ? -1 : x->lane > y->lane ? 1 : 0;
}

/* The order in which a lane reads two cells is the compiler's. */
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
            memset(m->is_open, 0, sizeof m->is_open);
            memset(m->offers, 0, sizeof m->offers);
            m->launch = event->launch;
        }
        take(m, event);
    }
    free(m);
    for (size_t i = 0; i < made->count; i++)
        qsort(made->deeds[i].from, made->deeds[i].from_count, sizeof *made->deeds[i].from, by_place);
    /* Reads that led to nothing, as of a thread beyond the end, say nothing. */
    size_t kept = 0;
    for (size_t i = 0; i < made->count; i++)
        if (made->deeds[i].holds != 0 && made->deeds[i].from_count > 0)
            made->deeds[kept++] = made->deeds[i];
    made->count = kept;
    qsort(made->deeds, made->count, sizeof *made->deeds, by_step);
}

void trace_free(trace *made) {
    free(made->deeds);
}

const char *trace_end_of(const trace *of, const trace_deed *deed) {
    for (size_t i = 0; i < of->of->watch.step_count; i++) {
        const wf_step_counts *step = &of->of->watch.steps[i];
        if (step->launch == deed->launch && step->step == deed->step)
            return step->ends;
    }
    return "";
}
