#include "try_text.h"

#include "cli/cli.h"
#include "cli/output/text_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool tried_is_clean(const json_t *answer) {
    return json_object_get(answer, "stopped") == NULL && json_object_get(answer, "wrong") == NULL &&
           json_array_size(json_object_get(answer, "findings")) == 0;
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

/* Texts may contain file names. */
static void print_printable(const char *text) {
    char *printable = cli_printable(text);
    printf("%s", printable);
    free(printable);
}

static long long number_of(const json_t *object, const char *key) {
    return (long long)json_integer_value(json_object_get(object, key));
}

/* A number, or the word for one that JSON lacks. */
static void print_number(const json_t *value) {
    if (json_is_string(value))
        printf("%s", json_string_value(value));
    else
        printf("%.9g", json_number_value(value));
}

static void print_count(long long count, const char *of) {
    printf("%lld %s%s", count, of, count == 1 ? "" : "s");
}

static void print_head(const tried *what) {
    const json_t *answer = what->answers[0];
    print_printable(what->path);
    if (json_object_get(answer, "kernel") != NULL) {
        const long long elements = number_of(answer, "elements_per_tile"), threads = number_of(answer, "tile_size");
        printf(": kernel %s, ", text_of(answer, "kernel"));
        if (elements != 0) {
            printf("tiles of ");
            print_count(threads, "thread");
            printf(" and %lld elements", elements);
        } else {
            print_count(number_of(answer, "tiles"), "tile");
            printf(" of ");
            print_count(threads, "thread");
            printf(", adding to one cell");
        }
    }
    putchar('\n');
}

/* A finding on its own line, with its sum. */
static void print_told(const json_t *told, const char *key) {
    printf("           ");
    print_printable(text_of(told, key));
    if (json_object_get(told, "n") != NULL)
        printf(", at n = %lld, lanes %s", number_of(told, "n"), text_of(told, "schedule"));
    putchar('\n');
}

static void print_verdict(const json_t *answer) {
    const json_t *wrong = json_object_get(answer, "wrong"), *stopped = json_object_get(answer, "stopped");
    const size_t findings = json_array_size(json_object_get(answer, "findings"));
    printf("%3lld lanes: ", number_of(answer, "wave"));
    if (wrong != NULL) {
        printf("wrong: at n = %lld the sum is ", number_of(wrong, "n"));
        print_number(json_object_get(wrong, "expected"));
        printf(", not ");
        print_number(json_object_get(wrong, "got"));
        printf(" (lanes %s)\n", text_of(wrong, "schedule"));
    } else if (stopped != NULL) {
        printf("stopped\n");
    } else {
        const long long counted = number_of(answer, "counted_n");
        const long long two_shares = 2 * number_of(answer, "elements_per_tile");
        printf("right: %lld sums, of 1 to %lld elements, lanes forward, reverse and random%s\n",
               number_of(answer, "sums"), counted > two_shares ? counted : two_shares, findings != 0 ? "; but" : "");
    }
    const json_t *finding;
    size_t i;
    json_array_foreach(json_object_get(answer, "findings"), i, finding) {
        print_told(finding, "text");
    }
    if (stopped != NULL)
        print_told(stopped, "why");
}

/* ---- Counters ---- */

/* Each width, with the rung's next to it; omits figures that are 0 throughout. */
static void print_figures(const explanation *const *of, const char *const *headings, size_t count) {
    enum { MOST = 2 + 2 * TRIAL_WIDTHS };
    text_column columns[MOST] = {{"figure", false}};
    for (size_t i = 0; i < count; i++)
        columns[1 + i] = (text_column){headings[i], true};
    columns[1 + count] = (text_column){"what it is", false};
    text_table table = {.columns = columns, .column_count = 2 + count};
    for (figure_kind kind = 0; kind < FIGURES; kind++) {
        bool is_something = kind <= FIGURE_ACCESSES;
        for (size_t i = 0; i < count; i++)
            is_something = is_something || (of[i]->n != 0 && figure_of(of[i], kind).value != 0);
        if (!is_something)
            continue;
        text_table_add(&table, cli_text("%s", figure_of(of[0], kind).name));
        for (size_t i = 0; i < count; i++)
            text_table_add(&table, figure_with_unit(of[i], kind));
        text_table_add(&table, cli_text("%s", figure_of(of[0], kind).meaning));
    }
    text_table_print(&table, stdout);
    text_table_free(&table);
}

static void print_counted(const tried *what, const explanation counted[TRIAL_WIDTHS]) {
    const explanation *columns[2 * TRIAL_WIDTHS];
    char *headings[2 * TRIAL_WIDTHS];
    size_t count = 0;
    for (size_t i = 0; i < TRIAL_WIDTHS; i++) {
        columns[count] = &counted[i];
        headings[count++] = cli_text("%u lanes", trial_widths[i]);
        if (what->has_rung) {
            columns[count] = &what->rung[i];
            headings[count++] = cli_text("%s", what->rung[i].info.name);
        }
    }
    print_figures(columns, (const char *const *)headings, count);
    for (size_t i = 0; i < count; i++)
        free(headings[i]);
}

/* The source line with the largest cost, if any. */
static void print_worst_line(const tried *what, const char *key, const char *sentence) {
    for (size_t i = 0; i < TRIAL_WIDTHS; i++) {
        const json_t *line, *worst = NULL;
        long long most = 0;
        size_t l;
        json_array_foreach(json_object_get(what->answers[i], "lines"), l, line) {
            /* The least number of memory lines for the bytes of each access. */
            const long long least = strcmp(key, "lines128") == 0 ? (number_of(line, "bytes") + 127) / 128 : 0;
            const long long cost = number_of(line, key) - least;
            const long long accesses = number_of(line, "accesses");
            if (cost > most && (least == 0 || cost > accesses)) { /* one more for each unaligned access */
                most = cost;
                worst = line;
            }
        }
        if (worst == NULL)
            continue;
        printf("%3u lanes: ", trial_widths[i]);
        print_printable(text_of(worst, "file"));
        printf(":%lld, %s: %lld %s in %lld accesses\n", number_of(worst, "line"), text_of(worst, "what"), most,
               sentence, number_of(worst, "accesses"));
    }
}

void try_text_print(const tried *what) {
    print_head(what);
    for (size_t i = 0; i < TRIAL_WIDTHS; i++)
        print_verdict(what->answers[i]);
    const explanation counted[TRIAL_WIDTHS] = {counted_of(what->answers[0]), counted_of(what->answers[1])};
    if (counted[0].n == 0 && counted[1].n == 0)
        return;
    printf("\nn = %" PRIu64 " f32\n\n", counted[counted[0].n == 0].n);
    print_counted(what, counted);
    putchar('\n');
    print_worst_line(what, "extra_passes", "passes more than banks need");
    print_worst_line(what, "lines128", "lines of 128 bytes more than its bytes fill");
}
