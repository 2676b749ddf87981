#define _GNU_SOURCE
#include "cli/cli.h"
#include "cli/output/json.h"
#include "cli/output/listing.h"
#include "cli/output/text_table.h"
#include "wavefold.h"

#include <inttypes.h>
#include <stdio.h>

static const char documentation[] =
    "List the devices, the backends without a device and the reason, and the vendors' runtimes."
    "\vThe id is what --device takes. Memory is in GiB (2^30 bytes); max tile is the most threads that a tile may "
    "have.\n\n"
    "Examples:\n"
    "  wavefold devices\n"
    "  wavefold devices --json -";

static double gibibytes(uint64_t bytes) {
    return (double)bytes / (1 << 30);
}

static void print_devices(void) {
    static const text_column columns[] = {{"id", false},  {"waves of", true}, {"units", true}, {"memory", true},
                                          {"free", true}, {"max tile", true}, {"name", false}};
    text_table table = {.columns = columns, .column_count = sizeof columns / sizeof *columns};
    wf_device_info info;
    for (size_t i = 0; i < wf_device_count(); i++) {
        if (wf_device_get_info(i, &info) != WF_OK)
            continue;
        text_table_add(&table, cli_text("%s", info.id));
        text_table_add(&table, cli_text("%" PRIu32, info.wave_width));
        text_table_add(&table, cli_text("%" PRIu32, info.multiprocessors));
        text_table_add(&table, cli_text("%.1f GiB", gibibytes(info.memory_bytes)));
        text_table_add(&table, cli_text("%.1f GiB", gibibytes(info.memory_free_bytes)));
        text_table_add(&table, cli_text("%" PRIu32, info.max_tile_size));
        text_table_add(&table, cli_text("%s", info.name));
    }
    if (table.cell_count != 0)
        text_table_print(&table, stdout);
    else
        puts("no devices");
    text_table_free(&table);
}

static void print_backends_without_devices(void) {
    wf_backend_info info;
    const char *before = "\n";
    for (size_t i = 0; i < wf_backend_count(); i++) {
        if (wf_backend_get_info(i, &info) != WF_OK || info.devices > 0)
            continue;
        printf("%sbackend %s offers no device: %s\n", before, info.name, info.detail);
        before = "";
    }
}

static void print_runtimes(void) {
    wf_backend_info info;
    const char *before = "\n";
    for (size_t i = 0; i < wf_backend_count(); i++) {
        if (wf_backend_get_info(i, &info) != WF_OK || info.runtime[0] == '\0')
            continue;
        printf("%sbackend %s: %s\n", before, info.name, info.runtime);
        before = "";
    }
}

static void print_text(void) {
    print_devices();
    print_backends_without_devices();
    print_runtimes();
}

static json_t *device_object(const wf_device_info *info) {
    json_t *object = json_object();
    json_put(object, "id", json_text(info->id));
    json_put(object, "backend", json_text(info->backend));
    json_put(object, "name", json_text(info->name));
    json_put(object, "wave_width", json_count(info->wave_width));
    json_put(object, "multiprocessors", json_count(info->multiprocessors));
    json_put(object, "max_tile_size", json_count(info->max_tile_size));
    json_put(object, "max_tiles", json_count(info->max_tiles));
    json_put(object, "memory_bytes", json_count(info->memory_bytes));
    json_put(object, "memory_free_bytes", json_count(info->memory_free_bytes));
    json_put(object, "capability_major", json_count(info->capability_major));
    json_put(object, "capability_minor", json_count(info->capability_minor));
    json_put(object, "driver_version", json_count(info->driver_version));
    json_put(object, "runtime_version", json_count(info->runtime_version));
    return object;
}

static json_t *backend_object(const wf_backend_info *info) {
    json_t *object = json_object();
    json_put(object, "name", json_text(info->name));
    json_put(object, "status", json_text(wf_status_name(info->status)));
    json_put(object, "devices", json_count(info->devices));
    json_put(object, "detail", json_text(info->detail));
    json_put(object, "runtime", json_text(info->runtime));
    return object;
}

static json_t *document(void) {
    json_t *listed = json_object(), *devices = json_array(), *backends = json_array();
    wf_device_info device;
    wf_backend_info backend;
    for (size_t i = 0; i < wf_device_count(); i++)
        if (wf_device_get_info(i, &device) == WF_OK)
            json_add(devices, device_object(&device));
    for (size_t i = 0; i < wf_backend_count(); i++)
        if (wf_backend_get_info(i, &backend) == WF_OK)
            json_add(backends, backend_object(&backend));
    json_put(listed, "devices", devices);
    json_put(listed, "backends", backends);
    return listed;
}

static void print_names(void) {
    wf_device_info info;
    for (size_t i = 0; i < wf_device_count(); i++)
        if (wf_device_get_info(i, &info) == WF_OK)
            puts(info.id);
}

int devices_main(int argc, char **argv) {
    static const listing devices = {documentation, print_text, print_names, document};
    return listing_main(&devices, argc, argv);
}
