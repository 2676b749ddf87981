/* A part of a message: the entries, one for each field, that one launch or loop writes or reads. */
#ifndef WAVEFOLD_MESSAGE_MESSAGE_PART_H
#define WAVEFOLD_MESSAGE_MESSAGE_PART_H

#include "wavefold_message.h"

/* The words of each kind. Sums are added over ranks, maxima reduced by the maximum, records gathered. */
typedef enum wf_message_kind {
    WF_MESSAGE_STATE,      /* sums: a normalised wf_sum_state */
    WF_MESSAGE_SUM,        /* sums: the sum of integers in 64 bits */
    WF_MESSAGE_MEAN,       /* sums: the lower 32 bits of the sum, its upper bits with the sign, and the count. The
                              kernel writes a piece's sum to the third word, from which it is added to the others. */
    WF_MESSAGE_BITS,       /* sums: a word for two bits, with the number of ranks whose bit is 1 (for and: 0) in each
                              half */
    WF_MESSAGE_EXTREME,    /* maxima: a key for each value, larger for the better value */
    WF_MESSAGE_PLACE,      /* records: the value, its index, and the rank's count of elements, or 0 if the index is
                              already global */
    WF_MESSAGE_VALUE,      /* records: a sum or product */
    WF_MESSAGE_WEIGHTED,   /* records: a mean, and the count */
    WF_MESSAGE_ORDERED,    /* records: the values */
    WF_MESSAGE_DESCRIPTION /* sums: for floats a state. records: a wf_description, and the count as for PLACE. For
                              floats the remainder of the mean (split_mean.h) replaces the sum. */
} wf_message_kind;

enum {
    WF_MESSAGE_WORDS_VERSION = 2, /* 2: descriptions of floats have the remainder of the mean */
    WF_STATE_WORDS = WF_SUM_STATE_BYTES / 8,
    WF_DESCRIPTION_WORDS = 8,
    WF_MOST_RECORD_WORDS = WF_DESCRIPTION_WORDS + 1,
    WF_MESSAGE_ENTRIES = 32 /* entries of one launch: a kernel's arguments have at most 4 KiB */
};

typedef struct wf_message_entry {
    uint8_t kind;                  /* wf_message_kind */
    uint8_t op;                    /* wf_op */
    uint8_t values;                /* count of numbers in the result */
    uint8_t number;                /* wf_kind of each number */
    uint8_t bytes;                 /* bytes of each number */
    uint8_t digits, exponent_bits; /* for floats */
    uint8_t ignores_nan, has_first;
    uint8_t appends;               /* MEAN: the words already hold the sum of earlier elements */
    uint8_t joins_state;           /* the entry's sums are a wf_sum_state */
    uint32_t sums, maxima, record; /* offsets of its words: in the message, and in a rank's records */
    uint64_t count, first; /* the rank's count of elements, and the index of the first; MEAN: the earlier elements */
    void *result;
} wf_message_entry;

/* The work of one launch. */
typedef struct wf_message_part {
    wf_message_entry entries[WF_MESSAGE_ENTRIES];
    uint32_t count;
    uint32_t request;      /* the number in the check words */
    uint64_t *message;     /* sums and maxima */
    uint64_t *records;     /* writing: this rank's records; reading: those of all ranks */
    uint64_t record_words; /* words of one rank's records */
    uint64_t ranks;
    uint64_t *failures; /* a word, set to 1 if the check fails */
} wf_message_part;

#endif
