/* The modules of backends: which there are, and what became of loading them. */
#ifndef WAVEFOLD_BACKENDS_H
#define WAVEFOLD_BACKENDS_H

#include "backend.h"

#include <stdbool.h>

/* Every backend that this version knows. GPUs come first: that is the order "auto" tries. Behind them stands that of
 * the device "watched", which no list has. */
#define WF_MODULE_COUNT 3

typedef struct wf_module {
    wf_backend_info info;
    const wf_backend *backend; /* NULL unless info.status is WF_OK */
    bool has_gpus;
} wf_module;

const char *wf_module_name(size_t index);
/* Loaded when it is first asked for: to make a vendor's runtime ready takes milliseconds, and with a GPU more. */
const wf_module *wf_module_at(size_t index);

#endif
