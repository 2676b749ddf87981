/* Conversion between a field's results and its words in a message. C, C++ and device code; an entry has all facts about
 * types, so that device code needs no table of algebra.h.
 *
 * A rank's reduction writes its result into the field's first word, in this machine's byte order (MEAN: the third).
 * wf_write_words converts it to words that can be joined; wf_read_words converts joined words to results. */
#ifndef WAVEFOLD_MESSAGE_MESSAGE_WORDS_H
#define WAVEFOLD_MESSAGE_MESSAGE_WORDS_H

#include "exact/sum_words.h"
#include "message_bits.h"
#include "message_check.h"
#include "message_part.h"
#include "split_mean.h"
#include "wavefold_sum.h"

/* ---- Extremes ---- */

WF_EXACT_FUNCTION wf_float_format wf_format_in(const wf_message_entry *entry) {
    const wf_float_format format = {entry->digits, entry->exponent_bits};
    return format;
}

/* A key with the order of the numbers, reversed if wants_least; -0 is less than +0. NaN has the best key, or if it is
 * ignored the worst: UINT64_MAX and 0, which no other float has. */
WF_EXACT_FUNCTION uint64_t wf_key_of(const wf_message_entry *entry, uint64_t bits, bool wants_least) {
    const uint64_t sign = UINT64_C(1) << 63, x = bits << (64 - 8 * entry->bytes);
    uint64_t key = x;
    if (entry->number == WF_KIND_FLOAT) {
        if ((x & ~sign) > wf_infinity_of(wf_format_in(entry)) << (64 - 8 * entry->bytes))
            return entry->ignores_nan != 0 ? 0 : UINT64_MAX;
        key = (x & sign) != 0 ? ~x : x | sign;
    } else if (entry->number == WF_KIND_SIGNED) {
        key = x ^ sign;
    }
    return wants_least ? ~key : key;
}

/* The inverse of wf_key_of; NaN becomes the quiet NaN without sign and payload. */
WF_EXACT_FUNCTION uint64_t wf_bits_of_key(const wf_message_entry *entry, uint64_t key, bool wants_least) {
    const uint64_t sign = UINT64_C(1) << 63;
    const bool is_float = entry->number == WF_KIND_FLOAT;
    if (is_float && (key == 0 || key == UINT64_MAX))
        return wf_infinity_of(wf_format_in(entry)) | UINT64_C(1) << (entry->digits - 2);
    const uint64_t upright = wants_least ? ~key : key;
    const uint64_t x = is_float                          ? (upright & sign) != 0 ? upright ^ sign : ~upright
                       : entry->number == WF_KIND_SIGNED ? upright ^ sign
                                                         : upright;
    return x >> (64 - 8 * entry->bytes);
}

/* True if the result's number `value` is a minimum; minmax has the minimum first. */
WF_EXACT_FUNCTION bool wf_wants_least(const wf_message_entry *entry, int value) {
    return entry->op == WF_MIN || entry->op == WF_ARGMIN || (entry->op == WF_MINMAX && value == 0);
}

/* The best of the ranks' values with its lowest index. value, index and length are offsets in a record. If no rank has
 * a value, it is the first rank's result for no elements; if NaN is ignored, it is the NaN of wf_bits_of_key, since
 * ranks may store other NaNs. */
typedef struct wf_best_place {
    uint64_t bits, index;
} wf_best_place;

WF_EXACT_FUNCTION wf_best_place wf_find_best(const wf_message_entry *entry, uint64_t ranks, const uint64_t *records,
                                             size_t record_words, size_t value, size_t index, size_t length,
                                             bool wants_least) {
    wf_best_place best = {records[entry->record + value], UINT64_MAX};
    uint64_t best_key = 0, before = 0;
    for (uint64_t rank = 0; rank < ranks; rank++) {
        const uint64_t *const record = records + rank * record_words + entry->record;
        if (record[index] != UINT64_MAX) {
            const uint64_t key = wf_key_of(entry, record[value], wants_least), at = before + record[index];
            if (best.index == UINT64_MAX || key > best_key || (key == best_key && at < best.index)) {
                best_key = key;
                best.bits = record[value];
                best.index = at;
            }
        }
        before += record[length];
    }
    if (best.index == UINT64_MAX && entry->number == WF_KIND_FLOAT && entry->ignores_nan != 0)
        best.bits = wf_bits_of_key(entry, 0, wants_least);
    return best;
}

/* ---- States ---- */

/* The sum of a joined state, before it is rounded. */
typedef struct wf_joined_sum {
    wf_magnitude magnitude;
    bool negative;
    wf_sum_counts counts;
} wf_joined_sum;

/* Changes the state. */
WF_EXACT_FUNCTION wf_joined_sum wf_sum_of_state(int64_t *state) {
    const wf_sum_counts counts = {state[2], state[3], state[4], state[5], state[6]};
    int64_t *const limbs = state + WF_STATE_WORDS - WF_SUM_LIMBS;
    wf_joined_sum sum;
    sum.counts = counts;
    wf_carry_words(limbs);
    sum.magnitude = wf_magnitude_of_words(limbs, &sum.negative);
    return sum;
}

WF_EXACT_FUNCTION uint64_t wf_rounded_joined_sum(const wf_joined_sum *sum, bool averages, wf_float_format format) {
    return wf_rounded_total(sum->magnitude, sum->negative, &sum->counts, averages, format);
}

/* In records of descriptions, word 1 is the sum of integers; for floats, whose sum is a state, it is the remainder of
 * the mean. */
WF_EXACT_FUNCTION void wf_write_beyond(uint64_t *record, const wf_joined_sum *sum) {
    record[1] = wf_bits_of(wf_beyond_mean(sum->magnitude, sum->negative, record[0], wf_double_of(record[6])));
}
WF_EXACT_FUNCTION wf_split_mean wf_mean_in_record(const wf_message_entry *entry, const uint64_t *record) {
    const double mean = wf_double_of(record[6]);
    return entry->joins_state != 0 ? wf_split_mean_of_floats(mean, wf_double_of(record[1]))
                                   : wf_split_mean_of_integers(entry, record[1], record[0], mean);
}

/* ---- A rank's words ---- */

WF_EXACT_FUNCTION void wf_write_mean(const wf_message_entry *entry, uint64_t *words) {
    const uint64_t sum = words[2];
    words[0] = (entry->appends != 0 ? words[0] : 0) + (sum & UINT32_MAX);
    words[1] = (entry->appends != 0 ? words[1] : 0) +
               (entry->number == WF_KIND_SIGNED ? (uint64_t)((int64_t)sum >> 32) : sum >> 32);
    words[2] = entry->first + entry->count;
}

WF_EXACT_FUNCTION void wf_write_bits(const wf_message_entry *entry, uint64_t *words) {
    const uint64_t stored = words[0] & wf_bits_mask(entry->bytes);
    const uint64_t counted = entry->op == WF_AND ? ~stored : stored;
    for (int i = 0; i < 4 * entry->bytes; i++)
        words[i] = (counted >> 2 * i & 1) | (counted >> (2 * i + 1) & 1) << 32;
}

WF_EXACT_FUNCTION void wf_write_keys(const wf_message_entry *entry, uint64_t *words) {
    const uint64_t first = wf_bits_at(words, entry->bytes, 0);
    const uint64_t second = entry->values == 2 ? wf_bits_at(words, entry->bytes, 1) : 0;
    words[0] = wf_key_of(entry, first, wf_wants_least(entry, 0));
    if (entry->values == 2)
        words[1] = wf_key_of(entry, second, wf_wants_least(entry, 1));
}

WF_EXACT_FUNCTION void wf_place_index(const wf_message_entry *entry, uint64_t *index) {
    if (entry->has_first != 0 && *index != UINT64_MAX)
        *index += entry->first;
}

/* True if the reduction's result needs no conversion. */
WF_EXACT_FUNCTION bool wf_is_written_by_fold(const wf_message_entry *entry) {
    return entry->kind == WF_MESSAGE_STATE || entry->kind == WF_MESSAGE_SUM || entry->kind == WF_MESSAGE_ORDERED;
}

/* own: the sum of the rank's state, for descriptions of floats. */
WF_EXACT_FUNCTION void wf_write_words(const wf_message_entry *entry, uint64_t *message, uint64_t *records,
                                      const wf_joined_sum *own) {
    uint64_t *const sums = message + entry->sums, *const record = records + entry->record;
    const uint64_t length = entry->has_first != 0 ? 0 : entry->count;
    switch ((wf_message_kind)entry->kind) {
    case WF_MESSAGE_STATE:
    case WF_MESSAGE_SUM:
    case WF_MESSAGE_ORDERED:
        break; /* the reduction wrote the final words */
    case WF_MESSAGE_MEAN:
        wf_write_mean(entry, sums);
        break;
    case WF_MESSAGE_BITS:
        wf_write_bits(entry, sums);
        break;
    case WF_MESSAGE_EXTREME:
        wf_write_keys(entry, message + entry->maxima);
        break;
    case WF_MESSAGE_PLACE:
        record[0] &= wf_bits_mask(entry->bytes);
        wf_place_index(entry, &record[1]);
        record[2] = length;
        break;
    case WF_MESSAGE_WEIGHTED:
        record[0] &= wf_bits_mask(entry->bytes);
        record[1] = entry->count;
        break;
    case WF_MESSAGE_VALUE:
        record[0] &= wf_bits_mask(entry->bytes);
        break;
    case WF_MESSAGE_DESCRIPTION:
        wf_place_index(entry, &record[4]);
        wf_place_index(entry, &record[5]);
        record[8] = length;
        if (entry->joins_state != 0 && entry->ignores_nan != 0) { /* ignored NaN are not counted as terms */
            sums[2] -= sums[3];
            sums[3] = 0;
        }
        if (entry->joins_state != 0)
            wf_write_beyond(record, own);
        break;
    }
}

/* ---- Results ---- */

/* The sum of integers divided by their count, rounded once. */
WF_EXACT_FUNCTION uint64_t wf_read_mean(const uint64_t *words) {
    const wf_float_format f64 = {53, 11};
    const uint64_t carried = words[1] + (words[0] >> 32), count = words[2];
    wf_magnitude sum = {(uint64_t)((int64_t)carried >> 32), carried << 32 | (words[0] & UINT32_MAX), 0, false};
    if (count == 0)
        return wf_infinity_of(f64) | UINT64_C(1) << (f64.digits - 2);
    const bool negative = sum.high >> 63 != 0;
    if (negative) {
        sum.low = -sum.low;
        sum.high = ~sum.high + (sum.low == 0 ? 1 : 0);
    }
    return wf_rounded_magnitude(sum, count, f64) | (negative ? wf_sign_of(f64) : 0);
}

WF_EXACT_FUNCTION uint64_t wf_read_bits(const wf_message_entry *entry, const uint64_t *words) {
    uint64_t bits = 0;
    for (int i = 0; i < 4 * entry->bytes; i++) {
        const uint64_t low = words[i] & UINT32_MAX, high = words[i] >> 32;
        const uint64_t pair =
            entry->op == WF_XOR ? (low & 1) | (high & 1) << 1 : (low != 0 ? 1u : 0u) | (high != 0 ? 2u : 0u);
        bits |= pair << 2 * i;
    }
    return entry->op == WF_AND ? ~bits : bits;
}

/* Sums and products, in the order of ranks. */
WF_EXACT_FUNCTION uint64_t wf_read_value(const wf_message_entry *entry, uint64_t ranks, const uint64_t *records,
                                         size_t record_words) {
    uint64_t total = records[entry->record];
    for (uint64_t rank = 1; rank < ranks; rank++) {
        const uint64_t next = records[rank * record_words + entry->record];
        total = entry->op == WF_PRODUCT ? wf_multiply_bits(entry->number, entry->bytes, total, next)
                                        : wf_add_bits(entry->number, entry->bytes, total, next);
    }
    return total;
}

/* The mean of the ranks' means, weighted by their counts. It is clamped between the least and the largest mean, since
 * rounded weights could exceed them. */
WF_EXACT_FUNCTION double wf_mean_of_means(const wf_message_entry *entry, uint64_t ranks, const uint64_t *records,
                                          size_t record_words, size_t mean, size_t count, int bytes) {
    uint64_t all = 0;
    for (uint64_t rank = 0; rank < ranks; rank++)
        all += records[rank * record_words + entry->record + count];
    double total = wf_float_value(bytes, records[entry->record + mean]), least = total, largest = total;
    bool is_first = true;
    for (uint64_t rank = 0; rank < ranks; rank++) {
        const uint64_t *const record = records + rank * record_words + entry->record;
        if (record[count] == 0)
            continue;
        const double its_own = wf_float_value(bytes, record[mean]);
        const double part = its_own * ((double)record[count] / (double)all);
        total = is_first ? part : total + part;
        least = is_first || its_own < least ? its_own : least;
        largest = is_first || its_own > largest ? its_own : largest;
        is_first = false;
    }
    return total < least ? least : total > largest ? largest : total;
}

/* (a b; c d), and x -> a x + b. */
typedef struct wf_ordered_values {
    uint64_t a, b, c, d;
} wf_ordered_values;

WF_EXACT_FUNCTION wf_ordered_values wf_ordered_at(const wf_message_entry *entry, const uint64_t *record) {
    const bool has_four = entry->values == 4;
    wf_ordered_values values;
    values.a = wf_bits_at(record, entry->bytes, 0);
    values.b = wf_bits_at(record, entry->bytes, 1);
    values.c = has_four ? wf_bits_at(record, entry->bytes, 2) : 0;
    values.d = has_four ? wf_bits_at(record, entry->bytes, 3) : 0;
    return values;
}

/* a b + c d */
WF_EXACT_FUNCTION uint64_t wf_two_products(const wf_message_entry *entry, uint64_t a, uint64_t b, uint64_t c,
                                           uint64_t d) {
    return wf_add_bits(entry->number, entry->bytes, wf_multiply_bits(entry->number, entry->bytes, a, b),
                       wf_multiply_bits(entry->number, entry->bytes, c, d));
}

/* Combines as hip/operators.hpp does: l comes first. */
WF_EXACT_FUNCTION wf_ordered_values wf_join_ordered(const wf_message_entry *entry, wf_ordered_values l,
                                                    wf_ordered_values r) {
    wf_ordered_values joined = {0, 0, 0, 0};
    if (entry->op == WF_AFFINE) {
        joined.a = wf_multiply_bits(entry->number, entry->bytes, r.a, l.a);
        joined.b =
            wf_add_bits(entry->number, entry->bytes, wf_multiply_bits(entry->number, entry->bytes, r.a, l.b), r.b);
    } else {
        joined.a = wf_two_products(entry, l.a, r.a, l.b, r.c);
        joined.b = wf_two_products(entry, l.a, r.b, l.b, r.d);
        joined.c = wf_two_products(entry, l.c, r.a, l.d, r.c);
        joined.d = wf_two_products(entry, l.c, r.b, l.d, r.d);
    }
    return joined;
}

WF_EXACT_FUNCTION void wf_read_ordered(const wf_message_entry *entry, uint64_t ranks, const uint64_t *records,
                                       size_t record_words) {
    wf_ordered_values all = wf_ordered_at(entry, records + entry->record);
    for (uint64_t rank = 1; rank < ranks; rank++)
        all = wf_join_ordered(entry, all, wf_ordered_at(entry, records + rank * record_words + entry->record));
    wf_put_bits(entry->result, entry->bytes, 0, all.a);
    wf_put_bits(entry->result, entry->bytes, 1, all.b);
    if (entry->values == 4) {
        wf_put_bits(entry->result, entry->bytes, 2, all.c);
        wf_put_bits(entry->result, entry->bytes, 3, all.d);
    }
}

/* The joined variance after Chan, Golub and LeVeque (1983): each part's variance, plus the squared distance of its mean
 * from the joined mean. */
WF_EXACT_FUNCTION double wf_joined_variance(const wf_message_entry *entry, uint64_t ranks, const uint64_t *records,
                                            size_t record_words, uint64_t count, wf_split_mean mean) {
    double variance = wf_double_of(records[entry->record + 7]);
    bool is_first = true;
    for (uint64_t rank = 0; rank < ranks; rank++) {
        const uint64_t *const record = records + rank * record_words + entry->record;
        if (record[0] == 0)
            continue;
        const double apart = wf_means_apart(entry, wf_mean_in_record(entry, record), mean);
        const double share = (double)record[0] / (double)count;
        const double part = (wf_double_of(record[7]) + apart * apart) * share;
        variance = is_first ? part : variance + part;
        is_first = false;
    }
    return variance;
}

/* joined: the sum of the joined state, for floats. */
WF_EXACT_FUNCTION void wf_read_description(const wf_message_entry *entry, uint64_t ranks, const uint64_t *records,
                                           size_t record_words, const wf_joined_sum *joined) {
    uint64_t *const result = (uint64_t *)entry->result;
    const wf_best_place least = wf_find_best(entry, ranks, records, record_words, 2, 4, 8, true);
    const wf_best_place most = wf_find_best(entry, ranks, records, record_words, 3, 5, 8, false);
    uint64_t count = 0, sum = 0, parts = 0;
    for (uint64_t rank = 0; rank < ranks; rank++) {
        const uint64_t *const record = records + rank * record_words + entry->record;
        count += record[0];
        sum += record[1];
        parts += record[0] != 0 ? 1 : 0;
    }
    wf_split_mean mean;
    double rounded;
    if (entry->joins_state != 0) {
        const wf_float_format f64 = {53, 11};
        sum = wf_rounded_joined_sum(joined, false, f64);
        rounded = wf_double_of(wf_rounded_joined_sum(joined, true, f64));
        mean = wf_split_mean_of_floats(rounded, wf_beyond_mean(joined->magnitude, joined->negative, count, rounded));
    } else {
        rounded = wf_mean_of_means(entry, ranks, records, record_words, 6, 0, 8);
        rounded = parts > 1 ? wf_mean_nearby(entry, sum, count, rounded) : rounded; /* a single part's mean stays */
        mean = wf_split_mean_of_integers(entry, sum, count, rounded);
    }
    result[0] = count;
    result[1] = sum;
    result[2] = least.bits;
    result[3] = most.bits;
    result[4] = least.index;
    result[5] = most.index;
    result[6] = wf_bits_of(rounded);
    result[7] = wf_bits_of(wf_joined_variance(entry, ranks, records, record_words, count, mean));
}

/* Writes the field's result. joined: the sum of the joined state, if the field has one. */
WF_EXACT_FUNCTION void wf_read_words(const wf_message_entry *entry, uint64_t ranks, const uint64_t *message,
                                     const uint64_t *records, size_t record_words, const wf_joined_sum *joined) {
    const uint64_t *const sums = message + entry->sums;
    switch ((wf_message_kind)entry->kind) {
    case WF_MESSAGE_STATE:
        wf_put_bits(entry->result, entry->bytes, 0,
                    wf_rounded_joined_sum(joined, entry->op == WF_MEAN, wf_format_in(entry)));
        break;
    case WF_MESSAGE_SUM:
        wf_put_bits(entry->result, entry->bytes, 0, sums[0]);
        break;
    case WF_MESSAGE_MEAN:
        wf_put_bits(entry->result, 8, 0, wf_read_mean(sums));
        break;
    case WF_MESSAGE_BITS:
        wf_put_bits(entry->result, entry->bytes, 0, wf_read_bits(entry, sums));
        break;
    case WF_MESSAGE_EXTREME:
        for (int i = 0; i < entry->values; i++)
            wf_put_bits(entry->result, entry->bytes, i,
                        wf_bits_of_key(entry, message[entry->maxima + (unsigned)i], wf_wants_least(entry, i)));
        break;
    case WF_MESSAGE_PLACE: {
        const wf_best_place best = wf_find_best(entry, ranks, records, record_words, 0, 1, 2, wf_wants_least(entry, 0));
        wf_put_bits(entry->result, entry->bytes, 0, best.bits);
        ((uint64_t *)entry->result)[1] = best.index;
        break;
    }
    case WF_MESSAGE_VALUE:
        wf_put_bits(entry->result, entry->bytes, 0, wf_read_value(entry, ranks, records, record_words));
        break;
    case WF_MESSAGE_WEIGHTED:
        wf_put_bits(
            entry->result, entry->bytes, 0,
            wf_float_bits(entry->bytes, wf_mean_of_means(entry, ranks, records, record_words, 0, 1, entry->bytes)));
        break;
    case WF_MESSAGE_ORDERED:
        wf_read_ordered(entry, ranks, records, record_words);
        break;
    case WF_MESSAGE_DESCRIPTION:
        wf_read_description(entry, ranks, records, record_words, joined);
        break;
    }
}

#endif
