/* Streams of a CUDA device, by the driver's own library, which is there wherever the device is: so the program is built
 * without the toolkit. */
#ifndef WAVEFOLD_TESTS_FUZZ_API_GPU_STREAMS_H
#define WAVEFOLD_TESTS_FUZZ_API_GPU_STREAMS_H

#include <stdbool.h>

/* false: there is no such library. Ends the program if there is no such device. */
bool gpu_streams_open(int device);
/* Each thread calls it before all that follows. */
void gpu_streams_enter(void);
void *gpu_stream_make(void);
void gpu_stream_finish(void *stream);
void gpu_stream_destroy(void *stream);

#endif
