/* A GPU of which a test sees every call: it runs no kernel, but notes what is launched, and says that the result is
 * what the test wants. noting_gpu.c is its module; this is what a program that loads it shares with it. */
#ifndef WAVEFOLD_TESTS_NOTING_GPU_H
#define WAVEFOLD_TESTS_NOTING_GPU_H

#include "backend.h"
#include "reduce/request.h"

#include <stdbool.h>
#include <stddef.h>
#include <wavefold_sum.h>

typedef enum gpu_call {
    GPU_ALLOCATE,
    GPU_COPY,
    GPU_LAUNCH,
    GPU_CLEAR,
    GPU_FINISH,
    GPU_SHARE,
    GPU_REACHES,
    GPU_CAPTURE,
    GPU_REDUCE,
    GPU_CALLS
} gpu_call;

enum { NOTED = 160, GPUS = 3 };

typedef struct noted_copy {
    void *to;
    const void *from;
    size_t bytes;
    wf_direction direction;
} noted_copy;

typedef struct noting_gpu {
    /* What the device is like. */
    wf_device_info info;
    bool lost[GPUS];      /* of these nothing can be asked */
    bool shares;          /* memory with the host */
    const void *of_host;  /* an array that it does not reach; all others it does */
    bool folds;           /* with no kernel */
    bool is_late;         /* results are there when the queue is finished, and not before */
    uint64_t capture;     /* what streams are being captured into */
    bool refuses_streams; /* launches in any but its own, as if they were another device's */
    uint64_t answer[4];   /* the result of folds, */
    wf_sum_state state;   /* of sums whose state is asked for */
    void (*launching)(const wf_reduce_request *what); /* called by every launch, if it is not NULL */
    /* This call fails once, when it is made for the so manieth time; 0: none does. */
    gpu_call failing;
    unsigned long fails_at;
    /* What was called. */
    unsigned long calls[GPU_CALLS];
    unsigned long asked[GPUS];       /* what they are like */
    size_t launches;                 /* the first of them are in launch */
    size_t answered;                 /* launches whose results are there */
    wf_reduce_request launch[NOTED]; /* of another algorithm the head alone */
    void *stream[NOTED];
    noted_copy copy[NOTED];
    size_t allocated; /* bytes, by the last call */
    void *cleared;    /* by the last call */
    size_t cleared_bytes;
    long held;    /* blocks of memory that were not given back */
    long strange; /* blocks given back that nobody had, and writes past the end of shared memory */
} noting_gpu;

typedef noting_gpu *noting_gpu_function(void);
#define NOTING_GPU "noting_gpu_state"

#endif
