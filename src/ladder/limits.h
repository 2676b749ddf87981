/* Limits of a rung's parameters on all devices. The library and the command line refuse other values. */
#ifndef WAVEFOLD_LADDER_LIMITS_H
#define WAVEFOLD_LADDER_LIMITS_H

enum {
    WF_LEAST_TILE = 2,     /* threads */
    WF_MOST_TILES = 65536, /* the host combines their partial results sequentially */
    WF_LEAST_WINDOW = 2,
    WF_MOST_WINDOW = 1024
};

#endif
