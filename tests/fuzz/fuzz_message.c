/* Messages of ranks, as a broken engine or a hostile rank may leave them: for any fields and any words, results are
 * written where they belong, or not at all, and nothing else is read or written. */
#include "fuzz_input.h"
#include "wavefold_message.h"

#include <stdalign.h>

enum { MOST_FIELDS = 5, MOST_WORDS = 4096 };

typedef struct request {
    wf_field fields[MOST_FIELDS];
    size_t n;
    size_t bytes[MOST_FIELDS]; /* of each result */
    uint8_t *blocks[MOST_FIELDS];
} request;

static void take_field(fuzz_input *in, wf_field *field) {
    const uint8_t kind = take_byte(in);
    *field = (wf_field){.spec = {.type = (wf_type)(take_byte(in) % (WF_TYPE_COUNT + 1)),
                                 .op = (wf_op)(take_byte(in) % (WF_OP_COUNT + 1)),
                                 .accumulator = (wf_accumulator)((kind >> 4) % 8),
                                 .nan = (wf_nan)(kind >> 1 & 1),
                                 .accuracy = (wf_accuracy)(take_byte(in) % 4)},
                        .describes = kind & 1,
                        .has_first = kind >> 2 & 1,
                        .first = (kind & 8) != 0 ? take_word(in) : 0};
}

static size_t result_bytes(const wf_field *field) {
    wf_reduction_info info;
    if (field->describes != 0)
        return sizeof(wf_description);
    return wf_reduction_get_info(&field->spec, &info) == WF_OK ? info.result_bytes : 0;
}

/* Results in blocks of just their size, at odd addresses as well: wf_message_read takes any. */
static bool take_request(fuzz_input *in, request *asked, bool is_odd) {
    wf_message_size size;
    *asked = (request){.n = take_byte(in) % (MOST_FIELDS + 1)};
    for (size_t i = 0; i < asked->n; i++)
        take_field(in, &asked->fields[i]);
    if (wf_message_get_size(asked->fields, asked->n, &size) != WF_OK) {
        must(*wf_last_error() != '\0');
        return false;
    }
    for (size_t i = 0; i < asked->n; i++) {
        asked->bytes[i] = result_bytes(&asked->fields[i]);
        asked->blocks[i] = malloc(asked->bytes[i] + is_odd);
        must(asked->blocks[i] != NULL && asked->bytes[i] != 0);
        memset(asked->blocks[i], 0x5a, asked->bytes[i] + is_odd);
        asked->fields[i].result = asked->blocks[i] + is_odd;
        asked->fields[i].result_bytes = asked->bytes[i];
    }
    return true;
}

static void free_request(request *asked) {
    for (size_t i = 0; i < asked->n; i++)
        free(asked->blocks[i]);
}

static bool is_untouched(const request *asked) {
    for (size_t i = 0; i < asked->n; i++)
        for (size_t b = 0; b < asked->bytes[i]; b++)
            if (((const uint8_t *)asked->fields[i].result)[b] != 0x5a)
                return false;
    return true;
}

/* Words of a state that so many ranks can have added up. */
static void make_state(uint64_t ranks, uint64_t *words) {
    wf_sum_state state;
    memcpy(&state, words, sizeof state);
    state.version = state.merged = (int64_t)ranks;
    for (int i = 0; i < WF_SUM_LIMBS - 1; i++)
        state.limb[i] = (int64_t)((uint64_t)state.limb[i] % ((ranks < 1 << 16 ? ranks : 1 << 16) << 32));
    state.limb[WF_SUM_LIMBS - 1] %= 1 << 17;
    memcpy(words, &state, sizeof state);
}

/* Has the check hold: without that, a fuzzer finds no message that is read. */
static void make_valid(const request *asked, uint64_t ranks, uint64_t *message) {
    uint32_t number;
    must(wf_message_get_request(asked->fields, asked->n, &number) == WF_OK && number < 1u << 20);
    message[0] = ranks * (UINT64_C(1) << 40 | number);
    message[1] = ranks * number * number;
    uint64_t *at = message + WF_MESSAGE_CHECK_WORDS;
    for (size_t i = 0; i < asked->n && ranks >= 1 && ranks <= WF_MOST_RANKS; i++) {
        wf_message_size alone;
        must(wf_message_get_size(&asked->fields[i], 1, &alone) == WF_OK);
        if (alone.sums - WF_MESSAGE_CHECK_WORDS == WF_SUM_STATE_BYTES / 8)
            make_state(ranks, at);
        at += alone.sums - WF_MESSAGE_CHECK_WORDS;
    }
}

static void read_message(fuzz_input *in, request *asked, uint64_t ranks, bool is_valid) {
    wf_message_size size;
    must(wf_message_get_size(asked->fields, asked->n, &size) == WF_OK);
    const uint64_t rows = ranks <= 64 ? ranks : 1;
    uint64_t *message = (uint64_t *)(void *)take_block(in, (size.sums + size.maxima) * 8);
    if (is_valid)
        make_valid(asked, ranks, message);
    if (is_valid && (take_byte(in) & 1) != 0 && size.sums > WF_MESSAGE_CHECK_WORDS) { /* but for one word */
        message[WF_MESSAGE_CHECK_WORDS + take_byte(in) % (size.sums - WF_MESSAGE_CHECK_WORDS)] = take_word(in);
        is_valid = false;
    }
    uint64_t *records = (uint64_t *)(void *)take_block(in, size.records * rows * 8);
    if (size.records == 0 || rows == ranks) {
        const wf_status status = wf_message_read(asked->fields, asked->n, ranks, message, records);
        must(status == WF_OK || (status == WF_INVALID_ARGUMENT && *wf_last_error() != '\0' && is_untouched(asked)));
        must(!is_valid || status == WF_OK || ranks == 0 || ranks > WF_MOST_RANKS);
    }
    free(message);
    free(records);
}

static void append_message(fuzz_input *in, const request *asked, bool is_valid) {
    wf_message_size size;
    must(wf_message_get_size(asked->fields, asked->n, &size) == WF_OK);
    const size_t bytes = (size.sums + size.maxima + size.records) * 8;
    uint64_t *message = (uint64_t *)(void *)take_block(in, bytes);
    uint64_t *other = (uint64_t *)(void *)take_block(in, bytes);
    uint64_t *before = malloc(bytes);
    must(before != NULL);
    if (is_valid) {
        make_valid(asked, 1, message);
        make_valid(asked, 1, other);
    }
    memcpy(before, message, bytes);
    const wf_status status = wf_message_append(asked->fields, asked->n, message, other);
    must(status == WF_OK || (status == WF_INVALID_ARGUMENT && *wf_last_error() != '\0'));
    must(status == WF_OK || asked->n > 1 || memcmp(before, message, bytes) == 0);
    must(is_untouched(asked));
    free(message);
    free(other);
    free(before);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = {data, size};
    const uint8_t how = take_byte(&in);
    const uint64_t ranks = (how & 4) != 0 ? take_word(&in) : take_byte(&in) % 9;
    request asked;
    if (!take_request(&in, &asked, (how & 1) != 0))
        return 0;
    if ((how & 8) != 0)
        append_message(&in, &asked, (how & 2) != 0);
    else
        read_message(&in, &asked, ranks, (how & 2) != 0);
    free_request(&asked);
    return 0;
}
