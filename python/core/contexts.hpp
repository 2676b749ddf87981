/* The contexts of the process: one for each device, made at first use, and never destroyed. */
#ifndef WAVEFOLD_PYTHON_CONTEXTS_HPP
#define WAVEFOLD_PYTHON_CONTEXTS_HPP

#include "wavefold.h"

namespace wavefold::python {

enum class Backend { host, nvidia, amd };

struct Device {
    Backend backend = Backend::host;
    int ordinal = 0;

    bool is_host() const { return backend == Backend::host; }
    bool operator==(const Device &other) const { return backend == other.backend && ordinal == other.ordinal; }
};

struct Context {
    wf_context *opened = nullptr;
    unsigned forks = 0; // of the process when the context was made
};

/* The device's context. Throws if the device cannot be opened, or was opened before this process was forked. */
Context &context_of(Device device);
inline wf_context *opened(Device device) {
    return context_of(device).opened;
}

} // namespace wavefold::python

#endif
