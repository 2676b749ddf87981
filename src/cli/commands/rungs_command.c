#include "cli/cli.h"
#include "cli/output/json.h"
#include "cli/output/listing.h"
#include "oracle/folded.h"
#include "wavefold.h"
#include "wavefold_ladder.h"

#include <stdio.h>

static const char documentation[] =
    "List the rungs of the ladder: idea, expected limit and parameters of each."
    "\vAccesses are elements read and written in device memory for each input element, for large n and default "
    "parameters. The seed is the document that a rung comes from.\n\n"
    "Examples:\n"
    "  wavefold rungs\n"
    "  wavefold rungs --json rungs.json";

static const struct {
    uint32_t flag;
    const char *option;
} parameters[] = {
    {WF_RUNG_TILE, "tile"},           {WF_RUNG_TILES, "tiles"},           {WF_RUNG_WINDOW, "window"},
    {WF_RUNG_EXCLUSIVE, "exclusive"}, {WF_RUNG_DESCENDING, "descending"}, {WF_RUNG_ROW_LENGTH, "row-length"}};
enum { PARAMETERS = sizeof parameters / sizeof *parameters };

static void print_rung(const wf_rung_info *info) {
    static const char *const kinds[] = {"reduces",
                                        "scans",
                                        "sorts",
                                        "sorts, with positions",
                                        "rows, a result for each",
                                        "columns, a result for each",
                                        "segments, a result for each"};
    printf("%s\n  kind       %s\n  idea       %s\n  limit      %s\n", info->name, kinds[info->kind], info->idea,
           info->limit);
    if (info->accesses > 0)
        printf("  accesses   %.4g per element\n", info->accesses);
    else
        puts("  accesses   depend on n");
    printf("  heeds     ");
    for (size_t i = 0; i < PARAMETERS; i++)
        if ((info->parameters & parameters[i].flag) != 0)
            printf(" --%s%s", parameters[i].option,
                   parameters[i].flag == WF_RUNG_TILE && info->parameters & WF_RUNG_WHOLE_WAVES ? " (whole waves)"
                                                                                                : "");
    printf("%s\n  from       %s, family %s\n", info->parameters != 0 ? "" : " no parameters", info->seed, info->family);
}

static json_t *rung_object(const wf_rung_info *info) {
    json_t *object = json_object(), *heeded = json_array();
    for (size_t i = 0; i < PARAMETERS; i++)
        if ((info->parameters & parameters[i].flag) != 0)
            json_add(heeded, json_string(parameters[i].option));
    json_put(object, "name", json_text(info->name));
    json_put(object, "family", json_text(info->family));
    json_put(object, "kind", json_string(rung_kind_name(info->kind)));
    json_put(object, "seed", json_text(info->seed));
    json_put(object, "idea", json_text(info->idea));
    json_put(object, "limit", json_text(info->limit));
    json_put(object, "parameters", heeded);
    json_put(object, "whole_waves", json_boolean(info->parameters & WF_RUNG_WHOLE_WAVES));
    json_put(object, "highlight", json_boolean(info->is_highlight));
    json_put(object, "accesses", info->accesses > 0 ? json_number(info->accesses) : json_null());
    return object;
}

static json_t *document(void) {
    json_t *listed = json_array();
    wf_rung_info info;
    for (size_t i = 0; i < wf_rung_count(); i++)
        if (wf_rung_get_info(i, &info) == WF_OK)
            json_add(listed, rung_object(&info));
    return listed;
}

static void print_text(void) {
    wf_rung_info info;
    for (size_t i = 0; i < wf_rung_count(); i++)
        if (wf_rung_get_info(i, &info) == WF_OK)
            print_rung(&info);
}

static void print_names(void) {
    wf_rung_info info;
    for (size_t i = 0; i < wf_rung_count(); i++)
        if (wf_rung_get_info(i, &info) == WF_OK)
            puts(info.name);
}

int rungs_main(int argc, char **argv) {
    static const listing rungs = {documentation, print_text, print_names, document};
    return listing_main(&rungs, argc, argv);
}
