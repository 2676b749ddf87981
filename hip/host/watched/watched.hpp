// The watched device: its counts and its shadow of device memory. Its backend (host_backend.cpp) notifies it of memory
// and launches.
#ifndef WAVEFOLD_HOST_WATCHED_WATCHED_HPP
#define WAVEFOLD_HOST_WATCHED_WATCHED_HPP

#include "counts.hpp"
#include "device_shadow.hpp"

#include <memory>
#include <vector>

namespace wf::host {

class watched {
  public:
    // Starts new counts. keeps_events: also keep each access.
    void start(bool keeps_events) { counts_ = std::make_unique<watch::counts>(keeps_events); }
    wf_watch all() { return counts_->all(); }

    watch::device_shadow &memory() { return memory_; }
    // Names an array of the next launch, for findings and events. element: bytes of one.
    void name(const char *array, const void *data, size_t bytes, size_t element);
    void forget_names() { names_.clear(); }

    // While it exists, the calls of watch.hpp go to this device. One session at a time; others wait.
    class session {
      public:
        explicit session(watched &device);
        ~session();
    };

  private:
    friend struct watching;
    struct named {
        const char *array;
        uintptr_t first, end;
        size_t element;
    };
    const named *array_of(const void *address) const;

    std::unique_ptr<watch::counts> counts_ = std::make_unique<watch::counts>(false);
    watch::device_shadow memory_;
    std::vector<named> names_;
};

} // namespace wf::host
#endif
