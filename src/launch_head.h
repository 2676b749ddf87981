/* The first member of every launch request, and limits that several algorithms share. */
#ifndef WAVEFOLD_LAUNCH_HEAD_H
#define WAVEFOLD_LAUNCH_HEAD_H

#include <stdint.h>

typedef struct wf_launch_head {
    uint32_t tiles;
    uint32_t tile_size;  /* threads */
    uint32_t wave_width; /* the device's */
} wf_launch_head;

#define WF_STATUS_VALUE_BYTES 4u    /* bytes of a tile's value in each 64-bit word that it publishes to other tiles */
#define WF_TILE_MEMORY (48u * 1024) /* bytes of tile memory that every device grants without opting in */

#endif
