/* Device memory: what is no block of the context, or reaches past the end of one, is refused by name. */
#include "algebra.h"
#include "api_tests.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <wavefold_host_memory.h>
#include <wavefold_ladder.h>

#include "require.h"
#include "result_bytes.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static bool on_host(void) {
    wf_device_info device;
    require(wf_context_get_device(context, &device));
    return strcmp(device.backend, "host") == 0;
}

void test_blocks(void **state) {
    (void)state;
    enum { BYTES = 256 };
    unsigned char out[4 * BYTES] = {1, 2, 3}, back[BYTES] = {0}, *memory, *other;
    require(wf_malloc(context, (void **)&memory, BYTES));
    require(wf_malloc(context, (void **)&other, 1));

    /* As many bytes as there are behind each offset, and one more. */
    for (size_t offset = 0; offset <= BYTES; offset++) {
        require(wf_copy_to_device(context, memory + offset, out, BYTES - offset));
        require(wf_copy_to_host(context, back, memory + offset, BYTES - offset));
        if (offset == BYTES && !on_host())
            continue; /* an address in no block, which may be the vendor's memory */
        const char *says = offset == BYTES ? "'device'" : "'device' takes ";
        refuses(wf_copy_to_device(context, memory + offset, out, BYTES - offset + 1), WF_INVALID_ARGUMENT, says);
        refuses(wf_copy_to_host(context, back, memory + offset, BYTES - offset + 1), WF_INVALID_ARGUMENT, says);
    }
    assert_memory_equal(back, out, BYTES);
    refuses(wf_copy_to_device(context, memory + 56, out, 1024), WF_INVALID_ARGUMENT,
            "'device' takes 1024 bytes, but its block of 256 bytes ends after 200");

    require(wf_free(context, NULL));
    refuses(wf_free(NULL, memory), WF_INVALID_ARGUMENT, "'context' must not be NULL");
    refuses(wf_free(context, out), WF_INVALID_ARGUMENT, "'memory' is no block of this context");
    refuses(wf_free(context, memory + 4), WF_INVALID_ARGUMENT, "'memory' lies 4 bytes inside a block of 256");
    require(wf_free(context, memory));
    refuses(wf_free(context, memory), WF_INVALID_ARGUMENT, "it was freed before");
    if (on_host())
        refuses(wf_copy_to_device(context, memory, out, 1), WF_INVALID_ARGUMENT, "or freed");

    /* A block of no bytes holds none. */
    void *empty;
    require(wf_malloc(context, &empty, 0));
    require(wf_copy_to_device(context, empty, out, 0));
    refuses(wf_copy_to_device(context, empty, out, 1), WF_INVALID_ARGUMENT, "its block of 0 bytes");
    require(wf_free(context, empty));

    /* Another context's block is not this one's. */
    wf_device_info device;
    wf_context *stranger;
    require(wf_context_get_device(context, &device));
    require(wf_context_create(&stranger, device.id));
    refuses(wf_free(stranger, other), WF_INVALID_ARGUMENT, "'memory' is no block of this context");
    wf_context_destroy(stranger);
    require(wf_free(context, other));
}

/* Many blocks, freed in another order than allocated: each is found by its first and its last byte. */
void test_many_blocks(void **state) {
    (void)state;
    enum { BLOCKS = 257 };
    unsigned char *blocks[BLOCKS], bytes[BLOCKS + 1] = {0};
    for (size_t i = 0; i < BLOCKS; i++)
        require(wf_malloc(context, (void **)&blocks[i], i + 1));
    for (size_t i = 0; i < BLOCKS; i++) {
        const size_t k = i * 100 % BLOCKS;
        require(wf_copy_to_device(context, blocks[k], bytes, k + 1));
        require(wf_copy_to_device(context, blocks[k] + k, bytes, 1));
        refuses(wf_copy_to_device(context, blocks[k], bytes, k + 2), WF_INVALID_ARGUMENT, "'device' takes ");
        require(wf_free(context, blocks[k]));
        refuses(wf_free(context, blocks[k]), WF_INVALID_ARGUMENT, "'memory'");
    }
}

/* Host memory where device memory is needed: a GPU fails, so the host device refuses. */
void test_host_arrays(void **state) {
    (void)state;
    if (!on_host())
        skip(); /* the context does not know what the vendor's runtime has allocated */
    enum { N = 64 };
    _Alignas(16) static int32_t here[N];
    int32_t *there;
    double seconds = -1;
    size_t scan_rung, sort_rung, fold_rung;
    require(wf_malloc(context, (void **)&there, N * sizeof *there));
    require(wf_copy_to_device(context, there, here, N * sizeof *there));
    require(wf_rung_find("look_back", &scan_rung));
    require(wf_rung_find("bitonic", &sort_rung));
    require(wf_rung_find("tiled_1", &fold_rung));
    const wf_scan_spec scan = {.reduce = {.type = WF_I32}};
    const wf_sort_spec sort = {.type = WF_I32}, pairs = {.type = WF_I32, .value_bytes = 4};
    const wf_rung_options rung = {.type = WF_I32};
    int32_t sum = -7;
    refuses(wf_scan(context, &scan, here, N, there), WF_INVALID_ARGUMENT, "'in' is not device memory");
    refuses(wf_scan(context, &scan, there, N, here), WF_INVALID_ARGUMENT, "'result' is not device memory");
    refuses(wf_scan(context, &scan, there, N + 1, there), WF_INVALID_ARGUMENT, "'in' takes 260 bytes");
    refuses(wf_scan_async(context, &scan, here, N, there, NULL), WF_INVALID_ARGUMENT, "'in' is not device memory");
    refuses(wf_sort(context, &sort, here, NULL, N), WF_INVALID_ARGUMENT, "'keys' is not device memory");
    refuses(wf_sort(context, &sort, there + 1, NULL, N), WF_INVALID_ARGUMENT, "'keys' takes 256 bytes");
    refuses(wf_sort_async(context, &pairs, there, here, N, NULL), WF_INVALID_ARGUMENT, "'values' is not device memory");
    refuses(wf_rung_run(context, fold_rung, &rung, here, N, &sum, bytes_of_rung_result(fold_rung, &rung, N), NULL),
            WF_INVALID_ARGUMENT, "'in' is not device memory");
    refuses(wf_rung_run(context, scan_rung, &rung, there, N, here, bytes_of_rung_result(scan_rung, &rung, N), NULL),
            WF_INVALID_ARGUMENT, "'result' is not device memory");
    refuses(wf_rung_run(context, sort_rung, &rung, here, N, there, bytes_of_rung_result(sort_rung, &rung, N), NULL),
            WF_INVALID_ARGUMENT, "'in' is not device memory");
    refuses(wf_read_ceiling(context, here, N, &seconds), WF_INVALID_ARGUMENT, "'in' is not device memory");
    assert_int_equal(sum, -7);
    assert_true(seconds == -1);
    require(wf_free(context, there));
}

/* Then scans and sorts take arrays outside of blocks; those that begin in one are checked as before. */
void test_host_memory_taken(void **state) {
    (void)state;
    refuses(wf_context_take_host_memory(NULL), WF_INVALID_ARGUMENT, "'context' must not be NULL");
    if (!on_host()) {
        refuses(wf_context_take_host_memory(context), WF_UNSUPPORTED, "runs kernels");
        return;
    }
    wf_context *taking;
    int32_t here[] = {3, 1, 2}, *there;
    require(wf_context_create(&taking, "host"));
    if (wf_context_take_host_memory(taking) == WF_OK) { /* not the emulated kernels of a wrapped module */
        const wf_scan_spec scan = {.reduce = {.type = WF_I32}};
        const wf_sort_spec sort = {.type = WF_I32};
        require(wf_sort(taking, &sort, here, NULL, 3));
        assert_memory_equal(here, ((int32_t[]){1, 2, 3}), sizeof here);
        require(wf_scan(taking, &scan, here, 3, here));
        assert_memory_equal(here, ((int32_t[]){1, 3, 6}), sizeof here);
        require(wf_malloc(taking, (void **)&there, sizeof here));
        refuses(wf_sort(taking, &sort, there, NULL, 4), WF_INVALID_ARGUMENT, "'keys' takes 16 bytes");
    }
    wf_context_destroy(taking);
}

/* A caller's struct for argmin and argmax has the size and the place of the index that the library writes. */
void test_indexed_results(void **state) {
    (void)state;
    static const struct {
        wf_type type;
        size_t bytes, index_at;
    } rows[] = {
#define ROW(ENUM, name, ctype) {WF_##ENUM, sizeof(wf_indexed_##name), offsetof(wf_indexed_##name, index)},
        WF_TYPE_MAP(ROW)
#undef ROW
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        wf_reduction_info info;
        require(wf_reduction_get_info(&(wf_reduce_spec){.type = rows[i].type, .op = WF_ARGMAX}, &info));
        assert_int_equal(rows[i].bytes, info.result_bytes);
        assert_int_equal(rows[i].index_at, sizeof(uint64_t));
    }
    wf_indexed_f32 largest = {0};
    require(wf_reduce(context, &(wf_reduce_spec){.op = WF_ARGMAX}, (const float[]){-1, 8, 3, 8}, 4, &largest,
                      bytes_of_result(&(wf_reduce_spec){.op = WF_ARGMAX})));
    assert_true(largest.value == 8 && largest.index == 1);
}
