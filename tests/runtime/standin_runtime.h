/* What a test tells a stand-in for a vendor's runtime, and asks of it. */
#ifndef WAVEFOLD_TESTS_STANDIN_RUNTIME_H
#define WAVEFOLD_TESTS_STANDIN_RUNTIME_H

#include <stdbool.h>

/* Numbers that CUDA and HIP share. */
enum {
    STANDIN_OK = 0,
    STANDIN_INVALID_VALUE = 1,
    STANDIN_OUT_OF_MEMORY = 2,
    STANDIN_NO_DEVICE = 100,
    STANDIN_INVALID_HANDLE = 400,
    STANDIN_NOT_READY = 600,
    STANDIN_STICKY = 700, /* an illegal address: every later call answers this as well */
    STANDIN_DESTROYED = 709
};

enum { STANDIN_DEVICE_MEMORY, STANDIN_PINNED_MEMORY, STANDIN_STREAM, STANDIN_EVENT, STANDIN_KINDS };

typedef struct standin_runtime {
    /* To be set. A call fails if it is number fail_at since calls was set to 0, counted from 1, or if it is called
     * fail_name; it fails with fail_with. */
    unsigned long fail_at;
    const char *fail_name;
    int fail_with;
    bool fail_later;            /* a launch that is to fail is accepted, and with the next call the device has failed */
    int destroyed_stream;       /* what a call with such a stream answers */
    unsigned long long capture; /* of every stream */
    int foreign_device;         /* not 0: streams and new device memory are said to be of this device */
    int current_device;         /* 0, of which everything is; or 1; of CUDA also -1: none */
    void (*launch)(void);       /* runs the kernel; NULL: none is run */
    int ptx_version;            /* of kernels: 90 is that of compute capability 9.0 */
    unsigned long captured_node; /* of CUDA: the last one; each launch that is captured becomes the next */

    /* To be read. */
    unsigned long calls;
    char failed[64];           /* the call that failed last */
    unsigned long failures;    /* how many failed because they were to */
    long live[STANDIN_KINDS];  /* what is not given back */
    unsigned long refused;     /* of these: whose giving back was made to fail */
    unsigned long abuses;      /* calls with what is not there or no longer, freed twice, or beyond its end */
    unsigned long registered;  /* kernels */
    unsigned host_flags;       /* of the last pinned memory */
    bool starts_early;         /* of CUDA: the last launch */
    unsigned tiles, tile_size; /* of the last launch */
    const char *names[128];    /* every call that was made, in no order */
} standin_runtime;

/* The one that the process has of this library. */
typedef standin_runtime *standin_state_function(void);
/* Gives back everything and forgets every error, as a new process would. */
typedef void standin_reset_function(void);
#define STANDIN_STATE "standin_state"
#define STANDIN_RESET "standin_reset"

#endif
