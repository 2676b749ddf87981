/* A trace in the terminal, and as JSON. */
#include "cli/output/json.h"
#include "cli/output/terminal.h"
#include "trace.h"

#include <inttypes.h>
#include <string.h>

static const char BOLD[] = "\033[1m", FAINT[] = "\033[2m", PLAIN[] = "\033[0m";

static void print_place(const trace_place *place, FILE *stream) {
    if (place->kind == TRACE_ELEMENT)
        fprintf(stream, "%s[%" PRIu64 "]", place->array, place->index);
    else
        fprintf(stream, "%s %" PRIu64, place->kind == TRACE_CELL ? "cell" : "lane", place->index);
}

/* Elements as ranges: 0-3,8. */
static void print_elements(uint64_t elements, FILE *stream) {
    const char *before = "";
    for (unsigned i = 0; i < 64; i++) {
        if ((elements >> i & 1) == 0)
            continue;
        unsigned last = i;
        while (last < 63 && (elements >> (last + 1) & 1) != 0)
            last++;
        fprintf(stream, last > i ? "%s%u-%u" : "%s%u", before, i, last);
        before = ",";
        i = last;
    }
}

static bool begins_step(const trace *of, size_t i) {
    return i == 0 || of->sums[i].launch != of->sums[i - 1].launch || of->sums[i].step != of->sums[i - 1].step;
}

void trace_print(const trace *of, FILE *stream) {
    const bool coloured = terminal_has_colour(stream);
    const char *bold = coloured ? BOLD : "", *faint = coloured ? FAINT : "", *plain = coloured ? PLAIN : "";
    fprintf(stream, "%s of %" PRIu64 " element%s: the first tile%s\n", of->of->info.name, of->of->n,
            of->of->n == 1 ? "" : "s", of->of->watch.launch_count > 1 ? " of each launch" : "");
    for (size_t i = 0; i < of->count; i++) {
        const trace_sum *sum = &of->sums[i];
        if (begins_step(of, i)) {
            const char *end = trace_end_of(of, sum);
            fprintf(stream, "\n%slaunch %" PRIu32 ", step %" PRIu32 "%s", bold, sum->launch + 1, sum->step, plain);
            if (*end != '\0' && strcmp(end, "return") != 0)
                fprintf(stream, "%s, until a %s%s", faint, end, plain);
            fputc('\n', stream);
        }
        fprintf(stream, "  lane %3" PRIu32 ": ", sum->lane);
        for (size_t k = 0; k < sum->from_count; k++) {
            fputs(k > 0 ? " + " : "", stream);
            print_place(&sum->from[k], stream);
        }
        fputs(" -> ", stream);
        print_place(&sum->to, stream);
        fprintf(stream, "%s   of ", faint);
        print_elements(sum->holds, stream);
        fprintf(stream, "%s\n", plain);
    }
}

static json_t *place_object(const trace_place *place) {
    static const char *const kinds[] = {"element", "cell", "lane"};
    json_t *object = json_object();
    json_put(object, "kind", json_string(kinds[place->kind]));
    if (place->kind == TRACE_ELEMENT)
        json_put(object, "array", json_text(place->array));
    json_put(object, "index", json_count(place->index));
    return object;
}

static json_t *sum_object(const trace_sum *sum) {
    json_t *object = json_object(), *from = json_array(), *holds = json_array();
    for (size_t k = 0; k < sum->from_count; k++)
        json_add(from, place_object(&sum->from[k]));
    for (unsigned i = 0; i < 64; i++)
        if ((sum->holds >> i & 1) != 0)
            json_add(holds, json_count(i));
    json_put(object, "lane", json_count(sum->lane));
    json_put(object, "from", from);
    json_put(object, "to", place_object(&sum->to));
    json_put(object, "holds", holds);
    return object;
}

json_t *trace_document(const trace *of) {
    json_t *document = json_object(), *steps = json_array(), *lanes = NULL;
    for (size_t i = 0; i < of->count; i++) {
        if (begins_step(of, i)) {
            json_t *step = json_object();
            lanes = json_array();
            json_put(step, "launch", json_count(of->sums[i].launch));
            json_put(step, "step", json_count(of->sums[i].step));
            json_put(step, "ends", json_string(trace_end_of(of, &of->sums[i])));
            json_put(step, "lanes", lanes);
            json_add(steps, step);
        }
        json_add(lanes, sum_object(&of->sums[i]));
    }
    json_put(document, "elements", json_count(of->of->n));
    json_put(document, "tile_size", json_count(of->of->tile_size));
    json_put(document, "steps", steps);
    return document;
}
