/* One launch of a reduction along axes. Counts and strides are in elements; results are counted in results. */
#ifndef WAVEFOLD_AXES_REQUEST_H
#define WAVEFOLD_AXES_REQUEST_H

#include "launch_head.h"
#include "wavefold_axes.h"

/* Consecutive indices of one dimension, or of several that are one to the memory. */
typedef struct wf_axis {
    uint64_t count;
    int64_t stride;
    int64_t result_stride; /* of kept axes */
} wf_axis;

/* A list of axes; the last one is the fastest. No axis has a count of 1, and none is 0 unless it is alone. */
typedef struct wf_axis_list {
    uint32_t length;
    wf_axis axis[WF_MOST_DIMENSIONS];
} wf_axis_list;

/* Which kernel reduces, and how lanes share its work. */
typedef enum wf_axes_regime {
    WF_AXES_ROWS,      /* lanes share a row */
    WF_AXES_COLUMNS,   /* neighbouring lanes have neighbouring results */
    WF_AXES_TINY_ROWS, /* a lane has several rows that lie one behind the other */
    WF_AXES_JOIN,      /* joins the values of rows' parts */
    WF_AXES_ORDERED,   /* operators that do not commute; also of segments */
    WF_AXES_SEGMENTS,  /* rows of unequal lengths; marks those that are left to the next two */
    WF_AXES_LONG_SEGMENTS,
    WF_AXES_JOIN_SEGMENTS,
    WF_AXES_DESCRIBE_ROWS /* also on the CPU: results are descriptions */
} wf_axes_regime;

enum {
    WF_AXES_TILE = 256,            /* threads */
    WF_AXES_VALUE_BYTES = 16,      /* of the value of a row's part, at the most */
    WF_AXES_PAIR_VALUE_BYTES = 24, /* the same of two arrays */
    WF_AXES_SLOT_WORDS = 72,       /* of 32 bits: the digits of a part's sum that its value does not hold */
    WF_AXES_TINY_BYTES = 8         /* a lane takes 8 rows that are shorter, else 4 */
};

struct wf_axes_second;

typedef struct wf_axes_request {
    wf_launch_head head;
    wf_type type;
    wf_op op;
    wf_type accumulator; /* of sums of floats the type into which they are rounded */
    wf_nan nan;
    const void *source;
    void *result;
    uint32_t result_bytes; /* of one result */
    wf_axis_list kept, reduced;
    uint64_t rows;   /* results: the product of the kept counts */
    uint64_t length; /* elements of a result: the product of the reduced counts */
    /* By kernels. Offsets from source and from result: the lowest (at most 0) and the highest. */
    int64_t lowest, highest, lowest_result, highest_result;
    wf_axes_regime regime;
    uint32_t lanes;     /* of a row; COLUMNS: rows of a tile. A power of two */
    uint32_t is_packed; /* 16 bytes are loaded at a time */
    uint32_t has_edges; /* ROWS: some begin or end at no multiple of 16 bytes */
    uint32_t parts;     /* of a row, each of part_length elements but the last */
    uint64_t part_length;
    uint32_t interleaved;       /* COLUMNS: rows of the array in one row of the request */
    uint32_t values;            /* of each row in partials; 0: one part, which stores the result */
    uint64_t all_values;        /* of all rows */
    void *partials;             /* wf_axes_value_bytes() for each value, or fewer */
    void *digits;               /* WF_AXES_SLOT_WORDS for each value */
    uint64_t first_tile, tiles; /* of the launch, and in all launches */
    uint64_t of_none[2];        /* the numbers of the result for no elements, as bits; of a description min and max */
    /* Segments, which are rows; begins is NULL where there are none. source has `length` elements. */
    const void *begins, *ends;
    uint32_t offset_bytes;
    uint64_t most_of_team; /* elements of a segment that its own lanes reduce */
    uint64_t chunk;        /* elements; longer segments are reduced by chunks of the array */
    void *marks;           /* two words of 64 bits for each chunk, zeros before the first launch */
    uint64_t all_marks;
    /* Of reductions of two arrays (second_array.h); else NULL. */
    const struct wf_axes_second *second;
} wf_axes_request;

/* Bytes of the workspace for the value of a part, without its digits. */
static inline size_t wf_axes_value_bytes(const wf_axes_request *request) {
    return request->second != NULL ? WF_AXES_PAIR_VALUE_BYTES : WF_AXES_VALUE_BYTES;
}

#endif
