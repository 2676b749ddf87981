/* Tuned tables. What is accepted is, to the last character, what the library would have written, and asks for no launch
 * that the device cannot do; what is refused changes no table. */
#include "fuzz_input.h"
#include "tuning/launch_table_file.h"

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
                const wf_launch_shape shape =
                    wf_shape_for(table->rows, device, UINT64_C(1) << shift, element, 8, largest);
                must(shape.tiles >= 1 && shape.tiles <= device->max_tiles);
                must(shape.tile_size >= device->wave_width && shape.tile_size <= device->max_tile_size);
                must(shape.tile_size <= largest && shape.tile_size % device->wave_width == 0);
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
    char printed[WF_TABLE_FILE_TEXT];
    must(wf_launch_table_file_print(table, device, printed) == length && memcmp(printed, text, length) == 0);
    check_shapes(table, device);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = {data, size};
    const wf_device_info device = device_of(take_byte(&in));
    const size_t length = in.left;
    char *text = (char *)take_block(&in, length);
    char reason[WF_TABLE_FILE_REASON] = "", name[WF_TABLE_FILE_NAME];
    wf_launch_table table, before;
    memset(&table, 0x5a, sizeof table);
    before = table;
    const wf_status status = wf_launch_table_file_parse(text, length, &device, &table, reason);
    if (status == WF_OK) {
        check_table(&table, &device, text, length);
    } else {
        must(status == WF_INVALID_ARGUMENT || status == WF_UNSUPPORTED);
        must(memcmp(&table, &before, sizeof table) == 0 && *reason != '\0');
        must(memchr(reason, '\0', sizeof reason) != NULL);
        for (const char *c = reason; *c != '\0'; c++)
            must((unsigned char)*c >= ' ' && *c != 0x7f);
    }
    wf_launch_table_file_name(&device, name);
    must(strchr(name, '/') == NULL && name[0] != '.' && name[0] != '\0');
    free(text);
    return 0;
}
