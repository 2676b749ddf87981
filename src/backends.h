/* The registry of backend modules, and their state after loading. */
#ifndef WAVEFOLD_BACKENDS_H
#define WAVEFOLD_BACKENDS_H

#include "backend.h"

#include <stdbool.h>

/* The number of backends that lists show. GPUs come first, since "auto" takes the first device. One more module, of the
 * device "watched", follows and is in no list. */
#define WF_MODULE_COUNT 3

typedef struct wf_module {
    wf_backend_info info;
    const wf_backend *backend; /* NULL unless info.status is WF_OK */
    bool has_gpus;
} wf_module;

const char *wf_module_name(size_t index);
/* Loads the module at the first call: initialising a vendor's runtime takes milliseconds, with a GPU more. */
const wf_module *wf_module_at(size_t index);

#endif
