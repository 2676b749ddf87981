#include "sort_queue.h"

#include "bitonic.h"
#include "radix.h"
#include "reduce/staging.h"
#include "reduce/stream_workspace.h"

/* The network sorts keys alone up to this count: there it is faster, and without values no stability is visible. */
enum { MOST_KEYS_OF_NETWORK = 1 << 20 };

static bool suits_network(const wf_array_sort *sort) {
    const wf_sorting *sorting = &sort->sorting;
    return sort->in_place || (sorting->value_bytes == 0 && sorting->end_bit == 0 && wf_type_size(sorting->type) >= 4 &&
                              sorting->count <= MOST_KEYS_OF_NETWORK);
}

static wf_status queue_radix(const wf_queue *queue, const void *of) {
    const wf_sorting *sorting = of;
    void *room;
    const wf_status status = wf_stream_room(queue->context, queue->stream, wf_radix_bytes(sorting), &room);
    return status == WF_OK ? wf_radix_run(queue, sorting, room) : status;
}

wf_status wf_sort_queue(const wf_queue *queue, const void *of) {
    const wf_array_sort *sort = of;
    if (suits_network(sort))
        return wf_sort_registers(queue, &sort->sorting);
    if (wf_radix_is_short(&sort->sorting))
        return wf_radix_run_short(queue, &sort->sorting);
    return wf_staging_take_turn(queue, queue_radix, &sort->sorting);
}
