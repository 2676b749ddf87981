#include "cli/cli.h"
#include "cli/output/text_table.h"
#include "explain_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static void print_table(text_table *table, FILE *stream) {
    text_table_print(table, stream);
    text_table_free(table);
    fputc('\n', stream);
}

/* The change as a factor. */
static char *change(double from, double to) {
    if (from == to)
        return cli_text("same");
    if (!(from > 0 && to > 0))
        return cli_text(from > 0 ? "to 0" : "from 0");
    return cli_text(to / from >= 100 ? "x %.0f" : "x %.3g", to / from);
}

static bool is_of_interest(const explanation *of, const explanation *against, figure_kind kind) {
    return kind <= FIGURE_ACCESSES || figure_of(of, kind).value != 0 ||
           (against != NULL && figure_of(against, kind).value != 0);
}

static void print_figures(const explanation *of, const explanation *against, FILE *stream) {
    const text_column alone[] = {{"figure", false}, {of->info.name, true}, {"what it is", false}};
    const text_column both[] = {{"figure", false},
                                {against != NULL ? against->info.name : "", true},
                                {of->info.name, true},
                                {"change", true},
                                {"what it is", false}};
    text_table table = {.columns = against != NULL ? both : alone,
                        .column_count = against != NULL ? COUNT(both) : COUNT(alone)};
    for (figure_kind kind = 0; kind < FIGURES; kind++) {
        const figure mine = figure_of(of, kind);
        if (!is_of_interest(of, against, kind))
            continue;
        text_table_add(&table, cli_text("%s", mine.name));
        if (against != NULL) {
            const figure theirs = figure_of(against, kind);
            text_table_add(&table, figure_with_unit(against, kind));
            text_table_add(&table, figure_with_unit(of, kind));
            text_table_add(&table, change(theirs.value, mine.value));
        } else {
            text_table_add(&table, figure_with_unit(of, kind));
        }
        text_table_add(&table, cli_text("%s", mine.meaning));
    }
    print_table(&table, stream);
}

static void print_launches(const explanation *of, FILE *stream) {
    enum { SHOWN = 8 };
    static const text_column columns[] = {
        {"launch", true},          {"tiles", true},        {"threads of a tile", true}, {"elements loaded", true},
        {"elements stored", true}, {"extra passes", true}, {"divergent steps", true},   {"idle lanes", true}};
    text_table table = {.columns = columns, .column_count = COUNT(columns)};
    const size_t count = of->watch.launch_count, shown = count <= SHOWN ? count : SHOWN;
    const uint64_t size = wf_type_size(of->type);
    for (size_t i = 0; i < shown; i++) {
        const wf_launch_counts *each = &of->watch.launches[i];
        const double idle =
            each->lane_steps > 0 ? 100.0 - 100.0 * (double)each->active_lane_steps / (double)each->lane_steps : 0;
        char *const row[] = {cli_text("%zu", i + 1),
                             cli_text("%" PRIu32, each->tiles),
                             cli_text("%" PRIu32, each->tile_size),
                             cli_text("%" PRIu64, each->loads.bytes / size),
                             cli_text("%" PRIu64, each->stores.bytes / size),
                             cli_text("%" PRIu64, each->tile_loads.extra_passes + each->tile_stores.extra_passes),
                             cli_text("%" PRIu64 " of %" PRIu64, each->divergent_steps, each->steps_of_waves),
                             cli_text("%.1f %%", idle)};
        text_table_add_row(&table, row);
    }
    fprintf(stream, "The launches of %s:\n", of->info.name);
    text_table_print(&table, stream);
    text_table_free(&table);
    if (shown < count)
        fprintf(stream, "  and %zu more\n", count - shown);
    fputc('\n', stream);
}

static void print_steps(const explanation *of, FILE *stream) {
    enum { SHOWN = 24 };
    static const text_column columns[] = {{"step", true},       {"ends with", false},      {"active lanes", true},
                                          {"full waves", true}, {"divergent waves", true}, {"idle waves", true}};
    text_table table = {.columns = columns, .column_count = COUNT(columns)};
    size_t count = 0;
    while (count < of->watch.step_count && of->watch.steps[count].launch == 0)
        count++;
    for (size_t i = 0; i < count && i < SHOWN; i++) {
        const wf_step_counts *each = &of->watch.steps[i];
        char *const row[] = {cli_text("%" PRIu32, each->step),
                             cli_text("%s", each->ends),
                             cli_text("%" PRIu32 " of %" PRIu32, each->active_lanes, each->lanes),
                             cli_text("%" PRIu32, each->full_waves),
                             cli_text("%" PRIu32, each->divergent_waves),
                             cli_text("%" PRIu32, each->idle_waves)};
        text_table_add_row(&table, row);
    }
    if (count > 0) {
        fprintf(stream, "The first tile of the first launch of %s, step by step:\n", of->info.name);
        text_table_print(&table, stream);
        if (count > SHOWN)
            fprintf(stream, "  and %zu more\n", count - SHOWN);
        fputc('\n', stream);
    }
    text_table_free(&table);
}

/* The steps of the first tile. */
static void print_course(const explanation *of, FILE *stream) {
    if (of->watch.launch_count == 0)
        return;
    print_launches(of, stream);
    print_steps(of, stream);
}

static void print_lines(const explanation *of, FILE *stream) {
    static const text_column columns[] = {{"line", false},       {"what", false}, {"accesses of waves", true},
                                          {"lanes", true},       {"bytes", true}, {"lines of 128 bytes", true},
                                          {"extra passes", true}};
    text_table table = {.columns = columns, .column_count = COUNT(columns)};
    for (size_t i = 0; i < of->watch.line_count; i++) {
        const wf_line_counts *each = &of->watch.lines[i];
        char *const row[] = {cli_text("%s:%" PRIu32, each->file, each->line),
                             cli_text("%s", each->what),
                             cli_text("%" PRIu64, each->accesses),
                             cli_text("%" PRIu64, each->lanes),
                             cli_text("%" PRIu64, each->bytes),
                             cli_text("%" PRIu64, each->lines_128),
                             cli_text("%" PRIu64, each->extra_passes)};
        text_table_add_row(&table, row);
    }
    fprintf(stream, "The lines of %s:\n", of->info.name);
    print_table(&table, stream);
}

static void print_claims(const explanation *of, FILE *stream) {
    static const text_column columns[] = {
        {"claim", false}, {"source", false}, {"what was counted", false}, {"count", true}, {"claim holds", false}};
    text_table table = {.columns = columns, .column_count = COUNT(columns)};
    claim claims[CLAIMS_MOST];
    const size_t count = claims_of(of, claims);
    for (size_t i = 0; i < count; i++) {
        char *const row[] = {cli_text("%s", claims[i].text), cli_text("%s", claims[i].source),
                             cli_text("%s", claims[i].quantity), figure_text(claims[i].measured),
                             cli_text(claims[i].holds ? "yes" : "no")};
        text_table_add_row(&table, row);
    }
    if (count > 0) {
        fprintf(stream, "What the sources of %s claim:\n", of->info.name);
        print_table(&table, stream);
    } else {
        text_table_free(&table);
    }
}

void explain_print(const explanation *of, const explanation *against, bool lines, FILE *stream) {
    fprintf(stream, "%s: %s\nlimit: %s\nfrom: %s\n\n", of->info.name, of->info.idea, of->info.limit, of->info.seed);
    fprintf(stream, "n = %" PRIu64 " %s, waves of %" PRIu32 " lanes", of->n, wf_type_name(of->type), of->wave_width);
    if (of->tile_size != 0)
        fprintf(stream, ", tiles of %" PRIu32 " threads", of->tile_size);
    fputs("\n\n", stream);
    if (of->watch.launch_count == 0)
        fputs("No kernel is launched, and there is nothing to count.\n\n", stream);
    if (against != NULL || of->watch.launch_count > 0)
        print_figures(of, against, stream);
    if (against != NULL)
        print_course(against, stream);
    print_course(of, stream);
    if (lines && of->watch.launch_count > 0)
        print_lines(of, stream);
    print_claims(of, stream);
}
