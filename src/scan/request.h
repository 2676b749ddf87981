/* One launch of a scan. Counts and strides are in elements.
 *
 * The order of a scan: how the elements of a row combine is a function of their index in the row alone, so that every
 * device gives the same bits. A row is cut into sections, a section into WF_SCAN_TEAMS teams, a team into lane rows,
 * and a lane row into a pack of neighbours for each of WF_SCAN_LANES lanes. WF_SCAN_GROUP sections are a group, and
 * WF_SCAN_GROUP groups a span.
 *   in a pack       elements combine one after the other
 *   in a lane row   packs combine by Sklansky's tree: in step s those whose number has bit s take what the 2^s packs
 *                   before theirs come to
 *   larger parts    lane rows of a team, teams of a section, sections of a group, groups of a span: one after the
 *                   other, from the identity on; spans of a row: from the initial value on
 * The result of an element, where (a, b) is a combined with b, is
 *   (((((spans, groups), sections), teams), (lane rows, packs)), pack)
 * with what comes before it in each, and in its pack so far. Behind the end of a row is the identity.
 *
 * A tile of a launch scans one section, or several of a long row: the order does not depend on that. */
#ifndef WAVEFOLD_SCAN_REQUEST_H
#define WAVEFOLD_SCAN_REQUEST_H

#include "axes/request.h"
#include "launch_head.h"
#include "wavefold.h"

enum {
    WF_SCAN_TILE = 256, /* threads */
    WF_SCAN_LANES = 32, /* of a team, whatever a wave has */
    WF_SCAN_TEAMS = WF_SCAN_TILE / WF_SCAN_LANES,
    WF_SCAN_GROUP = 32,
    WF_SCAN_VALUE_BYTES = 40 /* of what is folded, at the most, with a segment's flag */
};

/* What a lane holds: WF_SCAN_PACK neighbours in each of WF_SCAN_LANE_ROWS lane rows. Packs have 16 bytes; fewer
 * elements where what is folded is larger, so that registers hold it. */
#define WF_SCAN_SMALLER(a, b) ((a) < (b) ? (a) : (b))
#define WF_SCAN_PACK(element_bytes, value_bytes)                                                                       \
    ((element_bytes) > 16u ? 1u : WF_SCAN_SMALLER(16u / (element_bytes), 64u / (value_bytes)))
#define WF_SCAN_LANE_ROWS(element_bytes, value_bytes)                                                                  \
    WF_SCAN_SMALLER(4u, 128u / (WF_SCAN_PACK(element_bytes, value_bytes) * (value_bytes)))

/* Sections of a tile, where rows are long: four where a lane's values of a section take 64 bytes, so that its registers
 * hold the tile. (On an H200 f32 and f64 then take 0.81 and 0.89 of the time at 2^28 elements, and more at 2^20.) */
#define WF_SCAN_LANE_BYTES(element_bytes, value_bytes)                                                                 \
    (WF_SCAN_PACK(element_bytes, value_bytes) * WF_SCAN_LANE_ROWS(element_bytes, value_bytes) * (value_bytes))
#define WF_SCAN_SECTIONS(element_bytes, value_bytes)                                                                   \
    ((value_bytes) <= 8 && WF_SCAN_LANE_BYTES(element_bytes, value_bytes) <= 64 ? 4u : 1u)

static inline uint32_t wf_scan_elements_of_section(uint32_t element_bytes, uint32_t value_bytes) {
    return WF_SCAN_TILE * WF_SCAN_PACK(element_bytes, value_bytes) * WF_SCAN_LANE_ROWS(element_bytes, value_bytes);
}

/* Words of 64 bits by which the tiles of a launch know which half of tile_status is zeros: this one's. The other half's
 * words are put back to zeros meanwhile. All are 0 before a context's first scan. */
enum {
    WF_SCAN_WORD_HALF, /* 0 or 1 */
    WF_SCAN_WORD_USED, /* words used in the first half, and then in the second */
    WF_SCAN_WORDS = WF_SCAN_WORD_USED + 2
};

typedef struct wf_scan_request {
    wf_launch_head head;
    wf_type type;
    wf_op op;
    wf_type accumulator; /* of sums and products: what is folded */
    wf_nan nan;
    uint32_t element_bytes, value_bytes; /* of what is read, and of what is folded */
    uint32_t exclusive;                  /* not 0: result i excludes element i */
    uint32_t reverse;                    /* not 0: the scan's first element is the row's last one */
    uint32_t narrow;                     /* not 0: results are rounded, or wrapped, to the element's type */
    uint32_t has_initial;
    unsigned char initial[WF_SCAN_VALUE_BYTES]; /* of the accumulator's type, as elements of min and max */
    const void *source;                         /* the first element of the scan, which may go backwards */
    void *result;                               /* the first result; may be source */
    uint32_t result_bytes;                      /* of one result */
    wf_axis_list kept;                          /* the rows */
    int64_t stride, result_stride;              /* along a row */
    uint64_t rows, length;                      /* of a row */
    /* Offsets from source and from result: the lowest (at most 0) and the highest. */
    int64_t lowest, highest, lowest_result, highest_result;
    /* Segments: a byte for each element, not 0 where one begins; NULL: there are none. Of one row alone. */
    const void *flags;
    /* By kernels. begins: this launch makes flags of offsets; NULL: it scans. */
    const void *begins;
    uint32_t offset_bytes;
    uint64_t begin_count;
    uint64_t first_tile, tiles; /* of the launch, and in all launches */
    uint32_t lanes;             /* that share a row and go along it; 0: tiles share rows */
    uint32_t draws;             /* tiles draw their numbers: not all run at once */
    uint32_t sections;          /* of a tile: 1, or WF_SCAN_SECTIONS() */
    uint64_t row_sections;      /* where tiles share rows: of a row */
    void *ticket;               /* 0 before the launch */
    void *words;                /* WF_SCAN_WORDS */
    void *tile_status;
    /* Of 64 bits: in each half of tile_status, and by this scan; 0: halves do not take turns. */
    uint64_t half_words, used_words;
} wf_scan_request;

#endif
