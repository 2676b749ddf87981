#include "part_fold.h"

#include "cli/cli.h"
#include "cli/input/bool_check.h"
#include "cli/output/progress.h"

#include <stdlib.h>

/* The bytes that wf_reduce copies to a GPU at a time. */
enum { PIECE_BYTES = 1 << 26 };

static wf_field field_of(const answer *a) {
    if (describes(a->options))
        return (wf_field){.spec = {.type = a->data.type, .nan = a->of.spec.nan}, .describes = 1};
    return (wf_field){.spec = a->of.spec};
}

bool part_fold_prepare(part_fold *part, const answer *of, int own, int count, part_progress shown) {
    const uint64_t n = of->data.count, rank = (uint64_t)own, ranks = (uint64_t)count;
    const uint64_t longer = n % ranks; /* the first parts have one more element */
    *part = (part_fold){.of = of, .shown = shown, .field = field_of(of)};
    part->first = n / ranks * rank + (rank < longer ? rank : longer);
    part->count = n / ranks + (rank < longer);
    part->piece_count = PIECE_BYTES / input_element_bytes(&of->data);
    if (part->piece_count > part->count)
        part->piece_count = (size_t)part->count;
    if (!input_check_bools(&of->data, part->first, part->count))
        return false;
    if (wf_message_get_size(&part->field, 1, &part->size) != WF_OK) {
        cli_error("input '%s': %s", of->data.path, wf_last_error());
        return false;
    }
    const size_t words = part->size.sums + part->size.maxima + part->size.records;
    part->message = cli_allocate(words, sizeof *part->message);
    part->piece = cli_allocate(words, sizeof *part->piece);
    if (!answer_folds_in_place(of))
        part->copy = answer_allocate_copy(of, part->piece_count);
    return part->copy != NULL || answer_folds_in_place(of);
}

/* One piece for an empty part. */
static size_t count_pieces(const part_fold *part) {
    return part->count == 0 ? 1 : (size_t)((part->count - 1) / part->piece_count + 1);
}

static wf_status fold_piece(part_fold *part, wf_context *context, size_t number) {
    const input *data = &part->of->data;
    const uint64_t before = (uint64_t)number * part->piece_count, left = part->count - before;
    wf_field *field = &part->field;
    field->count = left < part->piece_count ? (size_t)left : part->piece_count;
    field->in = part->copy != NULL ? input_chunk(data, part->first + before, field->count, part->copy)
                                   : data->elements + (size_t)(part->first + before) * input_element_bytes(data);
    if (number == 0)
        return wf_message_write(context, field, 1, part->message);
    const wf_status status = wf_message_write(context, field, 1, part->piece);
    return status == WF_OK ? wf_message_append(field, 1, part->message, part->piece) : status;
}

wf_status part_fold_run(part_fold *part, wf_context *context) {
    wf_status status = WF_OK;
    const size_t pieces = count_pieces(part);
    progress bar;
    progress_begin(&bar, part->shown != PROGRESS_NEVER && pieces > 1, pieces);
    bar.shown |= part->shown == PROGRESS_ALWAYS && pieces > 1;
    for (size_t i = 0; i < pieces && status == WF_OK; i++) {
        progress_show(&bar, "folding");
        status = fold_piece(part, context, i);
        progress_advance(&bar, 1);
    }
    progress_end(&bar);
    return status;
}

void part_fold_free(part_fold *part) {
    free(part->message);
    free(part->piece);
    free(part->copy);
}

void part_fold_give_result(wf_field *field, answer *to) {
    const bool is_description = describes(to->options);
    field->result = is_description ? (void *)&to->described : &to->folded;
    field->result_bytes = is_description ? sizeof to->described : to->of.info.result_bytes;
}
