/* A trace as a picture: a row per step, a column per number of an element, cell or lane, and a legend. It shows the
 * first launch of kernels with tile memory or shuffles, and all launches of other kernels, which have one step each. */
#include "cli/cli.h"
#include "trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN = 30, ROW = 56, LEFT = 184, TOP = 64, RADIUS = 10, DOT = 4, LINE = 20, LEGEND_WIDTH = 720 };

typedef struct picture {
    const trace *of;
    size_t count;       /* drawn sums */
    uint64_t *rows;     /* of each sum; row 0 is the array */
    uint64_t row_count; /* without row 0 */
    uint64_t width;
    bool is_read[64];                        /* elements with a line */
    bool leaves_elements_out, has_elsewhere; /* signs that the legend must explain */
} picture;

static unsigned count_bits(uint64_t bits) {
    unsigned count = 0;
    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
}

static bool begins_step(const trace *of, size_t i) {
    return i == 0 || of->sums[i].launch != of->sums[i - 1].launch || of->sums[i].step != of->sums[i - 1].step;
}

/* The number of drawn sums. */
static size_t drawn(const trace *of) {
    size_t count = 0;
    while (count < of->count && of->sums[count].launch == 0)
        count++;
    return count > 0 && of->sums[count - 1].step > 0 ? count : of->count;
}

static uint64_t columns_of(const trace *of) {
    uint64_t most = of->of->n;
    for (size_t i = 0; i < drawn(of); i++) {
        if (of->sums[i].to.index + 1 > most)
            most = of->sums[i].to.index + 1;
        for (size_t k = 0; k < of->sums[i].from_count; k++)
            if (of->sums[i].from[k].index + 1 > most)
                most = of->sums[i].from[k].index + 1;
    }
    return most;
}

static uint64_t x_of(uint64_t column) {
    return LEFT + column * COLUMN + COLUMN / 2;
}

static uint64_t y_of(uint64_t row) {
    return TOP + row * ROW;
}

static void begin(picture *p, const trace *of) {
    const uint64_t width = LEFT + columns_of(of) * COLUMN + 20;
    *p = (picture){.of = of, .count = drawn(of), .width = width > LEGEND_WIDTH ? width : LEGEND_WIDTH};
    p->rows = cli_allocate(p->count, sizeof *p->rows);
    for (size_t i = 0; i < p->count; i++) {
        const trace_sum *sum = &of->sums[i];
        p->row_count += begins_step(of, i) ? 1 : 0;
        p->rows[i] = p->row_count;
        for (size_t k = 0; k < sum->from_count; k++) {
            const trace_origin origin = trace_origin_of(of, sum, &sum->from[k]);
            p->has_elsewhere |= origin.kind == TRACE_FROM_ELSEWHERE;
            if (origin.kind == TRACE_FROM_ARRAY && sum->from[k].index < of->of->n)
                p->is_read[sum->from[k].index] = true;
        }
    }
    for (uint64_t i = 0; i < of->of->n; i++)
        p->leaves_elements_out |= !p->is_read[i];
}

/* ---- The head, the array, the rows ---- */

static void draw_head(const picture *p, uint64_t height, FILE *stream) {
    const trace *of = p->of;
    const char *const shown = of->of->watch.launch_count == 0 ? "no kernel is launched"
                              : p->count < of->count || of->of->watch.launch_count == 1
                                  ? "the first tile of the first launch"
                                  : "the first tile of each launch";
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %" PRIu64 " %" PRIu64 "\" width=\"%" PRIu64
            "\" height=\"%" PRIu64 "\" role=\"img\" aria-label=\"The tree of %s over %" PRIu64 " elements, step by "
            "step\">\n",
            p->width, height, p->width, height, of->of->info.name, of->of->n);
    fputs(
        "<style>text{font:12px system-ui,sans-serif;fill:#1b1f24}.n{fill:#0969da}.n+text{fill:#fff;text-anchor:middle;"
        "font-size:10px}.e{stroke:#6e7781;stroke-width:1.4;fill:none}.s{fill:#8c959f}.o{stroke:#8c959f;fill:none}"
        ".r{stroke:#d0d7de}svg{background:#fff}@media(prefers-color-scheme:dark){text{fill:#e6edf3}.n{fill:#2f81f7}"
        ".e{stroke:#8b949e}.r{stroke:#30363d}.s{fill:#6e7681}.o{stroke:#6e7681}svg{background:#0d1117}}</style>\n",
        stream);
    fprintf(stream,
            "<text x=\"12\" y=\"22\"><tspan font-weight=\"600\">%s of %" PRIu64 " element%s</tspan>: %s</text>\n",
            of->of->info.name, of->of->n, of->of->n == 1 ? "" : "s", shown);
}

static void draw_elements(const picture *p, FILE *stream) {
    fprintf(stream, "<text x=\"12\" y=\"%d\">the array</text>\n", TOP + 4);
    for (uint64_t i = 0; i < p->of->of->n; i++)
        fprintf(stream,
                "<circle class=\"%s\" cx=\"%" PRIu64 "\" cy=\"%d\" r=\"%d\"/><text x=\"%" PRIu64 "\" y=\"%d\" "
                "text-anchor=\"middle\" font-size=\"10\">%" PRIu64 "</text>\n",
                p->is_read[i] ? "s" : "o", x_of(i), TOP, DOT, x_of(i), TOP - 10, i);
}

static void draw_row(const picture *p, size_t i, FILE *stream) {
    static const char *const places[] = {"device memory", "tile memory", "registers"};
    const trace_sum *sum = &p->of->sums[i];
    const uint64_t y = y_of(p->rows[i]);
    const char *end = trace_end_of(p->of, sum);
    const bool goes_on = strcmp(end, "return") != 0;
    fprintf(stream, "<line class=\"r\" x1=\"12\" x2=\"%" PRIu64 "\" y1=\"%" PRIu64 "\" y2=\"%" PRIu64 "\"/>\n",
            p->width - 12, y - ROW / 2, y - ROW / 2);
    fprintf(stream,
            "<text x=\"12\" y=\"%" PRIu64 "\">launch %" PRIu32 ", step %" PRIu32 "</text><text x=\"12\" y=\"%" PRIu64
            "\" font-size=\"10\">%s%s%s</text>\n",
            y - 2, sum->launch + 1, sum->step, y + 12, places[sum->to.kind], goes_on ? ", then " : "",
            goes_on ? end : "");
}

/* ---- Sums and their sources ---- */

static void draw_line(const picture *p, size_t i, const trace_place *from, FILE *stream) {
    const trace_sum *sum = &p->of->sums[i];
    const trace_origin origin = trace_origin_of(p->of, sum, from);
    uint64_t x = x_of(from->index), y = y_of(p->rows[i] - 1) + DOT;
    if (origin.kind == TRACE_FROM_SUM) {
        x = x_of(p->of->sums[origin.sum].to.index);
        y = y_of(p->rows[origin.sum]) + RADIUS;
    } else if (origin.kind == TRACE_FROM_ARRAY) {
        y = TOP + DOT;
    } else {
        y = y_of(p->rows[i]) - ROW / 2;
        fprintf(stream, "<circle class=\"o\" cx=\"%" PRIu64 "\" cy=\"%" PRIu64 "\" r=\"%d\"/>\n", x, y - DOT, DOT);
    }
    fprintf(stream, "<line class=\"e\" x1=\"%" PRIu64 "\" y1=\"%" PRIu64 "\" x2=\"%" PRIu64 "\" y2=\"%" PRIu64 "\"/>\n",
            x, y, x_of(sum->to.index), y_of(p->rows[i]) - RADIUS);
}

static void draw_sum(const picture *p, size_t i, FILE *stream) {
    const trace_sum *sum = &p->of->sums[i];
    const uint64_t x = x_of(sum->to.index), y = y_of(p->rows[i]);
    const unsigned count = count_bits(sum->holds);
    fprintf(stream,
            "<g><title>lane %" PRIu32 ": the sum of %u element%s</title><circle class=\"n\" cx=\"%" PRIu64
            "\" cy=\"%" PRIu64 "\" r=\"%d\"/><text x=\"%" PRIu64 "\" y=\"%" PRIu64 "\">%u</text></g>\n",
            sum->lane, count, count == 1 ? "" : "s", x, y, RADIUS, x, y + 4, count);
}

/* ---- The legend ---- */

static uint64_t legend_lines(const picture *p) {
    const uint64_t left_out = p->leaves_elements_out ? 1 : 0, elsewhere = p->has_elsewhere ? 1 : 0;
    return 4 + left_out + elsewhere;
}

static uint64_t explain_sign(uint64_t y, const char *text, FILE *stream) {
    fprintf(stream, "<text x=\"48\" y=\"%" PRIu64 "\">%s</text>\n", y + 4, text);
    return y + LINE;
}

static uint64_t explain_dot(const char *class, uint64_t y, const char *text, FILE *stream) {
    fprintf(stream, "<circle class=\"%s\" cx=\"26\" cy=\"%" PRIu64 "\" r=\"%d\"/>", class, y, DOT);
    return explain_sign(y, text, stream);
}

static void draw_legend(const picture *p, FILE *stream) {
    uint64_t y = y_of(p->row_count) + ROW;
    fputs("<g class=\"legend\">\n", stream);
    y = explain_dot("s", y, "an element of the array, with its index above", stream);
    if (p->leaves_elements_out)
        y = explain_dot("o", y, "an element that the first tile does not read; other tiles are left out", stream);
    if (p->has_elsewhere)
        y = explain_dot("o", y,
                        "between two rows: a value whose own origin is left out, in a register or from another tile",
                        stream);
    fprintf(stream,
            "<circle class=\"n\" cx=\"26\" cy=\"%" PRIu64 "\" r=\"%d\"/><text x=\"26\" y=\"%" PRIu64 "\">4</text>", y,
            RADIUS, y + 4);
    y = explain_sign(
        y, "the sum of n elements, here n = 4; its column is the number of the cell, register or element that holds it",
        stream);
    fprintf(stream, "<line class=\"e\" x1=\"16\" y1=\"%" PRIu64 "\" x2=\"36\" y2=\"%" PRIu64 "\"/>", y, y);
    y = explain_sign(y, "leads from each source of a sum down to the sum", stream);
    explain_sign(y, "left of each row: where the sums of a step are stored, and what ends the step", stream);
    fputs("</g>\n", stream);
}

void trace_draw(const trace *of, FILE *stream) {
    picture p;
    begin(&p, of);
    draw_head(&p, y_of(p.row_count) + ROW + legend_lines(&p) * LINE, stream);
    draw_elements(&p, stream);
    for (size_t i = 0; i < p.count; i++)
        if (begins_step(of, i))
            draw_row(&p, i, stream);
    for (size_t i = 0; i < p.count; i++)
        for (size_t k = 0; k < of->sums[i].from_count; k++)
            draw_line(&p, i, &of->sums[i].from[k], stream);
    for (size_t i = 0; i < p.count; i++)
        draw_sum(&p, i, stream);
    draw_legend(&p, stream);
    fputs("</svg>\n", stream);
    free(p.rows);
}
