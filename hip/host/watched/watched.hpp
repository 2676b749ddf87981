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

    // Meetings are neither counted nor recorded, as of tiles without checks.
    static void skip_meetings(bool are_skipped);

    watch::device_shadow &memory() { return memory_; }
    // Names an array of the next launch, for findings and events. element: bytes of one.
    void name(const char *array, const void *data, size_t bytes, size_t element);
    void forget_names() { names_.clear(); }
    // An array that holds an address.
    struct named {
        const char *array;
        uintptr_t first, end;
        size_t element;
    };
    // Looks up the names of arrays where they are many. Returns false if none holds the address.
    void look_up_names_by(bool (*look_up)(const void *address, named &found)) { look_up_ = look_up; }

    // While it exists, the calls of watch.hpp go to this device. One session at a time; others wait.
    class session {
      public:
        explicit session(watched &device);
        ~session();
    };

  private:
    friend struct watching;
    const named *array_of(const void *address) const;

    std::unique_ptr<watch::counts> counts_ = std::make_unique<watch::counts>(false);
    watch::device_shadow memory_;
    std::vector<named> names_;
    bool (*look_up_)(const void *address, named &found) = nullptr;
    mutable named found_ = {};
};

} // namespace wf::host
#endif
