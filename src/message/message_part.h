/* What a launch, or a loop, makes messages of, and results: entries, one for each field. */
#ifndef WAVEFOLD_MESSAGE_MESSAGE_PART_H
#define WAVEFOLD_MESSAGE_MESSAGE_PART_H

#include "wavefold_message.h"

/* The words of a kind; sums add up, of maxima the largest stays, records of all ranks stand beside each other. */
typedef enum wf_message_kind {
    WF_MESSAGE_STATE,      /* sums: a normalised wf_sum_state */
    WF_MESSAGE_SUM,        /* sums: the sum of integers in 64 bits */
    WF_MESSAGE_MEAN,       /* sums: that sum's lower 32 bits, its upper ones with the sign, and the count. The fold's
                              result comes to the last of them, so that the next can be added. */
    WF_MESSAGE_BITS,       /* sums: for each pair of bits how many ranks have the one, and, 32 bits up, the other; of
                              and, those that have it not */
    WF_MESSAGE_EXTREME,    /* maxima: a key for each value, the larger the better it is */
    WF_MESSAGE_PLACE,      /* records: the value, its index, and how many elements the rank has: 0 if the index is
                              already that among all */
    WF_MESSAGE_VALUE,      /* records: a sum or product */
    WF_MESSAGE_WEIGHTED,   /* records: a mean, and the count */
    WF_MESSAGE_ORDERED,    /* records: the values */
    WF_MESSAGE_DESCRIPTION /* sums: of floats a state; records: a wf_description, and elements as of PLACE. Of floats
                              what the mean lacks (split_mean.h) stands where the sum does. */
} wf_message_kind;

enum {
    WF_MESSAGE_WORDS_VERSION = 2, /* 2: since descriptions tell what a mean lacks */
    WF_STATE_WORDS = WF_SUM_STATE_BYTES / 8,
    WF_DESCRIPTION_WORDS = 8,
    WF_MOST_RECORD_WORDS = WF_DESCRIPTION_WORDS + 1,
    WF_MESSAGE_ENTRIES = 32 /* that one launch takes: kernels' arguments have 4 KiB */
};

typedef struct wf_message_entry {
    uint8_t kind;                  /* wf_message_kind */
    uint8_t op;                    /* wf_op */
    uint8_t values;                /* numbers of the result */
    uint8_t number;                /* wf_kind of each */
    uint8_t bytes;                 /* of each */
    uint8_t digits, exponent_bits; /* of each that is a float */
    uint8_t ignores_nan, has_first;
    uint8_t appends;               /* MEAN: the words hold the sum of the first elements before these */
    uint8_t joins_state;           /* its sums are a wf_sum_state */
    uint32_t sums, maxima, record; /* where its words begin: in a message, and in a rank's records */
    uint64_t count, first; /* of the rank's elements, and the index of the first; of MEAN, the elements before these */
    void *result;
} wf_message_entry;

/* What one launch does. */
typedef struct wf_message_part {
    wf_message_entry entries[WF_MESSAGE_ENTRIES];
    uint32_t count;
    uint32_t request;      /* for the check */
    uint64_t *message;     /* its sums and maxima */
    uint64_t *records;     /* one rank's, if they are written */
    uint64_t record_words; /* of each rank */
    uint64_t ranks;
    uint64_t *failures; /* a word, set to 1 where the check fails */
} wf_message_part;

#endif
