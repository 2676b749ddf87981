#include "try_text.h"

#include "cli/cli.h"
#include "cli/output/text_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_judged(const json_t *answer, const char *outcome) {
    const char *of = json_string_value(json_object_get(json_object_get(answer, "judged"), "outcome"));
    return of != NULL && strcmp(of, outcome) == 0;
}

static bool ends_well(const json_t *answer) {
    return json_object_get(answer, "stopped") == NULL && json_object_get(answer, "wrong") == NULL &&
           !is_judged(answer, "wrong");
}

bool tried_is_right(const json_t *answer) {
    const char *mode = json_string_value(json_object_get(answer, "mode"));
    const bool is_program = mode != NULL && strcmp(mode, "program") == 0;
    return ends_well(answer) && !is_judged(answer, "unknown") &&
           (!is_program || json_array_size(json_object_get(answer, "recognised")) != 0 || is_judged(answer, "right"));
}

bool tried_is_clean(const json_t *answer) {
    return ends_well(answer) && json_array_size(json_object_get(answer, "findings")) == 0;
}

bool tried_all_clean(const tried *what) {
    bool is_clean = true;
    for (size_t i = 0; i < TRIAL_WIDTHS; i++)
        is_clean = is_clean && (!what->waves.is_judged[i] || tried_is_clean(what->answers[i]));
    return is_clean;
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
    if (what->mode == TRIAL_PROGRAM) {
        printf(": a program with its own main()");
    } else if (what->mode == TRIAL_FUNCTION) {
        printf(": %s(), with arrays made here", what->function);
    } else if (json_object_get(answer, "kernel") != NULL) {
        const long long elements = number_of(answer, "elements_per_tile"), threads = number_of(answer, "tile_size");
        printf(": kernel %s, ", text_of(answer, "kernel"));
        if (elements != 0) {
            printf("tiles of ");
            print_count(threads, "thread");
            printf(" and %lld elements%s", elements,
                   json_is_true(json_object_get(answer, "adds")) ? ", adding to one cell" : "");
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
    if (number_of(told, "n") != 0)
        printf(", at n = %lld, lanes %s", number_of(told, "n"), text_of(told, "schedule"));
    else if (*text_of(told, "schedule") != '\0')
        printf(", lanes %s", text_of(told, "schedule"));
    putchar('\n');
}

/* Each on its own line. */
static void print_texts(const json_t *texts) {
    const json_t *each;
    size_t i;
    json_array_foreach(texts, i, each) {
        printf("           ");
        print_printable(json_string_value(each));
        putchar('\n');
    }
}

static void print_sampled(const json_t *answer) {
    const long long sampled = number_of(answer, "sampled_launches");
    if (sampled != 0)
        printf("           of %lld large launch%s only some blocks were checked\n", sampled, sampled == 1 ? "" : "es");
}

/* Of a file with a main() of its own: it is clean even if no result is known. */
static void print_program_verdict(const json_t *answer) {
    const size_t findings = json_array_size(json_object_get(answer, "findings"));
    printf("ran to the end: ");
    printf("%lld launch%s", number_of(answer, "launch_count"), number_of(answer, "launch_count") == 1 ? "" : "es");
    printf(number_of(answer, "orders") == 1 ? ", lanes forward alone, as it takes long%s\n"
                                            : ", lanes forward, reverse and random%s\n",
           findings != 0 ? "; but" : ", no findings");
    if (json_array_size(json_object_get(answer, "recognised")) == 0)
        printf("           its results equal no task that is known here, so they were not judged\n");
    print_sampled(answer);
    print_texts(json_object_get(answer, "recognised"));
}

static void print_judged(const json_t *answer) {
    const json_t *judged = json_object_get(answer, "judged");
    print_printable(text_of(judged, "sentence"));
    putchar('\n');
    print_texts(json_object_get(judged, "notes"));
    print_sampled(answer);
}

static void print_verdict(const json_t *answer) {
    const json_t *wrong = json_object_get(answer, "wrong"), *stopped = json_object_get(answer, "stopped");
    const size_t findings = json_array_size(json_object_get(answer, "findings"));
    printf("%3lld lanes: ", number_of(answer, "wave"));
    if (stopped == NULL && json_object_get(answer, "judged") != NULL) {
        print_judged(answer);
    } else if (stopped == NULL && strcmp(text_of(answer, "mode"), "program") == 0) {
        print_program_verdict(answer);
    } else if (wrong != NULL) {
        printf("wrong: at n = %lld the sum is ", number_of(wrong, "n"));
        print_number(json_object_get(wrong, "expected"));
        printf(", not ");
        print_number(json_object_get(wrong, "got"));
        printf(" (lanes %s)\n", text_of(wrong, "schedule"));
        if (*text_of(wrong, "hint") != '\0')
            printf("           %s\n", text_of(wrong, "hint"));
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
    json_array_foreach(json_object_get(answer, "notes"), i, finding) {
        print_told(finding, "text");
    }
    if (stopped != NULL)
        print_told(stopped, "why");
}

/* One sentence on waves that no GPU of CUDA has. */
static void print_other_width(const json_t *answer, bool is_clean_elsewhere) {
    const json_t *first = json_array_get(json_object_get(answer, "findings"), 0);
    const json_t *judged = json_object_get(answer, "judged"), *stopped = json_object_get(answer, "stopped");
    printf("%3lld lanes: ", number_of(answer, "wave"));
    if (tried_is_clean(answer)) {
        printf(is_judged(answer, "unknown") ? "not judged, either\n"
               : is_clean_elsewhere         ? "it would work, too\n"
                                            : "it would work\n");
        return;
    }
    if (first == NULL && strstr(text_of(stopped, "why"), "did not end within") != NULL) {
        printf("it did not end in time there, either\n");
        return;
    }
    if (!is_clean_elsewhere) { /* else it would seem to be these waves */
        printf("it is not right there, either\n");
        return;
    }
    printf("such waves, which AMD's GPUs have, would break it");
    const char *why = first != NULL                                 ? text_of(first, "text")
                      : stopped != NULL                             ? text_of(stopped, "why")
                      : json_object_get(judged, "sentence") != NULL ? text_of(judged, "sentence")
                                                                    : "the sum is wrong";
    printf(": ");
    print_printable(why);
    putchar('\n');
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
        if (!what->waves.is_judged[i])
            continue;
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
        if (!what->waves.is_judged[i])
            continue;
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
    if (what->output != NULL)
        printf("%s%s", what->output, what->output[strlen(what->output) - 1] == '\n' ? "" : "\n");
    print_head(what);
    for (size_t i = 0; i < TRIAL_WIDTHS; i++)
        if (what->waves.is_judged[i])
            print_verdict(what->answers[i]);
    for (size_t i = 0; i < TRIAL_WIDTHS; i++)
        if (!what->waves.is_judged[i] && what->waves.is_cuda)
            print_other_width(what->answers[i], tried_all_clean(what));
    const explanation counted[TRIAL_WIDTHS] = {counted_of(what->answers[0]), counted_of(what->answers[1])};
    if (counted[0].n == 0 && counted[1].n == 0)
        return;
    printf("\nn = %" PRIu64 " f32\n\n", counted[counted[0].n == 0].n);
    print_counted(what, counted);
    putchar('\n');
    print_worst_line(what, "extra_passes", "passes more than banks need");
    print_worst_line(what, "lines128", "lines of 128 bytes more than its bytes fill");
}
