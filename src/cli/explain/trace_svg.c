/* A trace as a picture: a row for each step, a column for each element, cell and lane of one number. Of kernels with
 * tile memory or shuffles the first launch is enough; those without have a step a launch. */
#include "trace.h"

#include <inttypes.h>
#include <string.h>

enum { COLUMN = 30, ROW = 56, LEFT = 184, TOP = 64, RADIUS = 10 };

static unsigned count_bits(uint64_t bits) {
    unsigned count = 0;
    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
}

static bool begins_step(const trace *of, size_t i) {
    return i == 0 || of->deeds[i].launch != of->deeds[i - 1].launch || of->deeds[i].step != of->deeds[i - 1].step;
}

/* How many deeds are drawn. */
static size_t drawn(const trace *of) {
    size_t count = 0;
    while (count < of->count && of->deeds[count].launch == 0)
        count++;
    return count > 0 && of->deeds[count - 1].step > 0 ? count : of->count;
}

static uint64_t columns_of(const trace *of) {
    uint64_t most = of->of->n;
    for (size_t i = 0; i < drawn(of); i++) {
        if (of->deeds[i].to.index + 1 > most)
            most = of->deeds[i].to.index + 1;
        for (size_t k = 0; k < of->deeds[i].from_count; k++)
            if (of->deeds[i].from[k].index + 1 > most)
                most = of->deeds[i].from[k].index + 1;
    }
    return most;
}

static uint64_t x_of(uint64_t column) {
    return LEFT + column * COLUMN + COLUMN / 2;
}

static void draw_head(const trace *of, uint64_t width, uint64_t height, FILE *stream) {
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %" PRIu64 " %" PRIu64 "\" width=\"%" PRIu64
            "\" height=\"%" PRIu64 "\" role=\"img\" aria-label=\"The tree of %s over %" PRIu64 " elements, step by "
            "step\">\n",
            width, height, width, height, of->of->info.name, of->of->n);
    fputs(
        "<style>text{font:12px system-ui,sans-serif;fill:#1b1f24}.n{fill:#0969da}.n+text{fill:#fff;text-anchor:middle;"
        "font-size:10px}.e{stroke:#6e7781;stroke-width:1.4;fill:none}.s{fill:#8c959f}.r{stroke:#d0d7de}"
        "svg{background:#fff}@media(prefers-color-scheme:dark){text{fill:#e6edf3}.n{fill:#2f81f7}.e{stroke:#8b949e}"
        ".r{stroke:#30363d}.s{fill:#6e7681}svg{background:#0d1117}}</style>\n",
        stream);
    fprintf(stream, "<text x=\"12\" y=\"22\" font-weight=\"600\">%s: %" PRIu64 " elements</text>\n", of->of->info.name,
            of->of->n);
}

static void draw_elements(const trace *of, FILE *stream) {
    fprintf(stream, "<text x=\"12\" y=\"%d\">the array</text>\n", TOP + 4);
    for (uint64_t i = 0; i < of->of->n; i++)
        fprintf(stream,
                "<circle class=\"s\" cx=\"%" PRIu64 "\" cy=\"%d\" r=\"4\"/><text x=\"%" PRIu64 "\" y=\"%d\" "
                "text-anchor=\"middle\" font-size=\"10\">%" PRIu64 "</text>\n",
                x_of(i), TOP, x_of(i), TOP - 10, i);
}

static void draw_row(const trace *of, const trace_deed *deed, uint64_t y, uint64_t width, FILE *stream) {
    static const char *const places[] = {"device memory", "tile memory", "registers"};
    fprintf(stream, "<line class=\"r\" x1=\"12\" x2=\"%" PRIu64 "\" y1=\"%" PRIu64 "\" y2=\"%" PRIu64 "\"/>\n",
            width - 12, y - ROW / 2, y - ROW / 2);
    fprintf(stream,
            "<text x=\"12\" y=\"%" PRIu64 "\">launch %" PRIu32 ", step %" PRIu32 "</text><text x=\"12\" y=\"%" PRIu64
            "\" font-size=\"10\">%s%s%s</text>\n",
            y - 2, deed->launch + 1, deed->step, y + 12, places[deed->to.kind],
            strcmp(trace_end_of(of, deed), "return") == 0 ? "" : ", then ",
            strcmp(trace_end_of(of, deed), "return") == 0 ? "" : trace_end_of(of, deed));
}

static void draw_deed(const trace_deed *deed, uint64_t y, FILE *stream) {
    const uint64_t to = x_of(deed->to.index);
    for (size_t k = 0; k < deed->from_count; k++)
        fprintf(stream,
                "<line class=\"e\" x1=\"%" PRIu64 "\" y1=\"%" PRIu64 "\" x2=\"%" PRIu64 "\" y2=\"%" PRIu64 "\"/>\n",
                x_of(deed->from[k].index), y - ROW + RADIUS, to, y - RADIUS);
    fprintf(stream,
            "<g><title>lane %" PRIu32 ": the sum of %u elements</title><circle class=\"n\" cx=\"%" PRIu64
            "\" cy=\"%" PRIu64 "\" r=\"%d\"/><text x=\"%" PRIu64 "\" y=\"%" PRIu64 "\">%u</text></g>\n",
            deed->lane, count_bits(deed->holds), to, y, RADIUS, to, y + 4, count_bits(deed->holds));
}

void trace_draw(const trace *of, FILE *stream) {
    const size_t count = drawn(of);
    uint64_t rows = 0;
    for (size_t i = 0; i < count; i++)
        rows += begins_step(of, i) ? 1 : 0;
    const uint64_t width = LEFT + columns_of(of) * COLUMN + 20, height = TOP + (rows + 1) * ROW;
    draw_head(of, width, height, stream);
    draw_elements(of, stream);
    uint64_t y = TOP;
    for (size_t i = 0; i < count; i++) {
        if (begins_step(of, i)) {
            y += ROW;
            draw_row(of, &of->deeds[i], y, width, stream);
        }
        draw_deed(&of->deeds[i], y, stream);
    }
    fputs("</svg>\n", stream);
}
