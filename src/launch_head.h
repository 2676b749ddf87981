/* What every request of a launch begins with, and what kernels of several algorithms keep to. */
#ifndef WAVEFOLD_LAUNCH_HEAD_H
#define WAVEFOLD_LAUNCH_HEAD_H

#include <stdint.h>

typedef struct wf_launch_head {
    uint32_t tiles;
    uint32_t tile_size;  /* threads */
    uint32_t wave_width; /* the device's */
} wf_launch_head;

#define WF_STATUS_VALUE_BYTES 4u    /* of a tile's value in each 64-bit word that it publishes to other tiles */
#define WF_TILE_MEMORY (48u * 1024) /* bytes that a tile may use: what every device grants without a request */

#endif
