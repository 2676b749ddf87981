/* Tuned tables, of launches and of threads. What is accepted is, to the last character, what the library would have
 * written, and asks for no launch that the device cannot do; what is refused changes no table. */
#include "fuzz_input.h"
#include "tuning/launch_table_file.h"
#include "tuning/thread_table_file.h"

static wf_device_info device_of(uint8_t which) {
    wf_device_info device = {.backend = "nvidia",
                             .name = "NVIDIA H200",
                             .wave_width = 32,
                             .multiprocessors = 132,
                             .max_tile_size = 1024,
                             .max_tiles = INT32_MAX,
                             .capability_major = 9};
    if ((which & 1) != 0)
        device = (wf_device_info){.backend = "amd",
                                  .name = "AMD Instinct\n\x7f MI300X \xc3\xa9",
                                  .wave_width = 64,
                                  .multiprocessors = 1,
                                  .max_tile_size = 256,
                                  .max_tiles = 3,
                                  .capability_major = 9,
                                  .capability_minor = 4};
    return device;
}

/* Every element's launch, of short and of long arrays. */
static void check_shapes(const wf_launch_table *table, const wf_device_info *device) {
    for (size_t element = 1; element <= 32; element *= 2)
        for (int shift = 0; shift < 58; shift++)
            for (uint32_t largest = 128; largest != 0; largest = largest == 128 ? UINT32_MAX : 0) {
                const uint32_t largest_short = shift % 2 == 0 ? 512 : UINT32_MAX;
                const wf_cluster_needs spread = {
                    {16 << 10, 256 << 10}, 8, 256, 1 + (uint32_t)shift % 4, (uint32_t)shift % 3 * 8};
                const wf_launch_needs needs = {element, 8, largest, (uint32_t)shift % 3 * 2, largest_short, spread};
                const wf_launch_shape shape = wf_shape_for(table->rows, device, UINT64_C(1) << shift, &needs);
                must(shape.tiles >= 1 && shape.tiles <= device->max_tiles);
                must(shape.tile_size >= device->wave_width && shape.tile_size <= device->max_tile_size);
                if (shape.is_cluster)
                    must(shape.tiles == 1 && shape.tile_size <= spread.largest_block &&
                         (element << shift) / 16 + spread.edges <= shape.tile_size * 8 * spread.packs);
                else
                    must(shape.tile_size <= largest);
                must(shape.tile_size % device->wave_width == 0);
            }
}

static void check_table(const wf_launch_table *table, const wf_device_info *device, const char *text, size_t length) {
    must(table->count >= 1 && table->count <= WF_MOST_LAUNCH_ROWS);
    for (size_t r = 0; r < table->count; r++) {
        must(r == 0 || table->rows[r].bytes > table->rows[r - 1].bytes);
        must(table->rows[r].tile_size <= device->max_tile_size && table->rows[r].tile_size >= device->wave_width);
        must(table->rows[r].loads >= 1 && table->rows[r].tiles_per_processor >= 1);
    }
    must(table->rows[table->count - 1].bytes == UINT64_MAX);
    wf_device_file printed;
    wf_launch_table_file_print(table, device, &printed);
    must(printed.length == length && memcmp(printed.text, text, length) == 0);
    check_shapes(table, device);
}

static void check_threads(const wf_thread_table *table, const wf_device_info *device, const char *text, size_t length) {
    must(table->awake_bytes >= WF_LEAST_SHARE && table->asleep_bytes >= WF_LEAST_SHARE);
    wf_device_file printed;
    wf_thread_table_file_print(table, device, &printed);
    must(printed.length == length && memcmp(printed.text, text, length) == 0);
}

static void check_reason(wf_status status, const char reason[WF_DEVICE_FILE_REASON]) {
    must(status == WF_INVALID_ARGUMENT || status == WF_UNSUPPORTED);
    must(*reason != '\0' && memchr(reason, '\0', WF_DEVICE_FILE_REASON) != NULL);
    for (const char *c = reason; *c != '\0'; c++)
        must((unsigned char)*c >= ' ' && *c != 0x7f);
}

static void parse_launches(const char *text, size_t length, const wf_device_info *device) {
    char reason[WF_DEVICE_FILE_REASON] = "";
    wf_launch_table table, before;
    memset(&table, 0x5a, sizeof table);
    before = table;
    const wf_status status = wf_launch_table_file_parse(text, length, device, &table, reason);
    if (status == WF_OK) {
        check_table(&table, device, text, length);
    } else {
        must(memcmp(&table, &before, sizeof table) == 0);
        check_reason(status, reason);
    }
}

static void parse_threads(const char *text, size_t length, const wf_device_info *device) {
    char reason[WF_DEVICE_FILE_REASON] = "";
    wf_thread_table table = {3, 5};
    const wf_status status = wf_thread_table_file_parse(text, length, device, &table, reason);
    if (status == WF_OK) {
        check_threads(&table, device, text, length);
    } else {
        must(table.awake_bytes == 3 && table.asleep_bytes == 5);
        check_reason(status, reason);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = {data, size};
    const uint8_t which = take_byte(&in);
    const wf_device_info device = device_of(which);
    const size_t length = in.left;
    char *text = (char *)take_block(&in, length);
    if ((which & 2) != 0)
        parse_threads(text, length, &device);
    else
        parse_launches(text, length, &device);
    char name[WF_DEVICE_FILE_NAME];
    wf_device_file_name(&device, (which & 2) != 0 ? "-threads" : "", name);
    must(strchr(name, '/') == NULL && name[0] != '.' && name[0] != '\0');
    free(text);
    return 0;
}
