/* What parameters a rung takes on any device: the library refuses others, and the command line before it. */
#ifndef WAVEFOLD_LADDER_LIMITS_H
#define WAVEFOLD_LADDER_LIMITS_H

enum {
    WF_LEAST_TILE = 2,     /* threads */
    WF_MOST_TILES = 65536, /* their partial results are folded on the host, one after the other */
    WF_LEAST_WINDOW = 2,
    WF_MOST_WINDOW = 1024
};

#endif
