// The calls by which the emulator notifies the watched device (WF_WATCHED: the module of hip/host/watched/) of each
// access. In other modules every function here is empty, and WF_SITE adds no parameter.
//
//   WF_SITE, WF_AT   the last parameter of functions that access memory, which callers omit, and its argument: the
//                    place of the access in the source
//   placed_index     an index with that place, for operator[]; in other modules a size_t
#ifndef WAVEFOLD_HOST_EMULATOR_WATCH_HPP
#define WAVEFOLD_HOST_EMULATOR_WATCH_HPP

#include <cstddef>
#include <cstdint>

#if defined(WF_WATCHED)
#include <source_location>
namespace wf::host {
// A place in the source.
struct site {
    const char *file = "";
    uint32_t line = 0, column = 0;

    constexpr site() = default;
    constexpr site(const char *of, uint32_t at, uint32_t behind) : file(of), line(at), column(behind) {}
    // A conversion, so that the default argument has the place of the call.
    constexpr site(const std::source_location &at) : site(at.file_name(), at.line(), at.column()) {}
};
class placed_index {
  public:
    // A conversion to placed_index has the place of the converted expression.
    placed_index(size_t i, site at = std::source_location::current()) : i_(i), at_(at) {}
    operator size_t() const { return i_; }
    site at() const { return at_; }

  private:
    size_t i_;
    site at_;
};
} // namespace wf::host
#define WF_SITE , wf::host::site at = std::source_location::current()
#define WF_AT , at
#else
namespace wf::host {
using placed_index = size_t;
}
#define WF_SITE
#define WF_AT
#endif

namespace wf::host::watch {

enum class access { load, store, update }; // update: atomic

// The lanes of a tile or of a wave meet at a barrier, those of a wave at a shuffle; or a lane returns.
enum class meeting { tile_barrier, wave_barrier, shuffle, end };

// A launch, as the launcher of the backend sees it.
struct launch_shape {
    const char *kernel;
    unsigned tiles, tile_size, wave_width;
    bool starts_early; // as if earlier launches still ran: each lane must wait for them first
};

#if defined(WF_WATCHED)

// The place of the access that the next call reports, for findings.
void stands(site at);

// After the access. In device memory, at an address; in tile memory, at a byte.
void device(access kind, const void *address, size_t bytes);
void tile(access kind, const void *memory, size_t byte, size_t bytes);

// The lane is about to compare the word with what it expects, and to swap it. A plain load of the word just before only
// proposes a value, and is no race with atomic updates; nor is a load in that place of the source by a lane that then
// swaps nothing.
void compares(const void *address, size_t bytes);
// A read of an element that another tile may replace meanwhile.
void replaceable_read(const void *address, size_t bytes);

// Accesses of different lanes are ordered by fences, and by words that are read and written whole.
void fence();
void system_fence();
void word_read(const void *address);
void word_written(const void *address);
// The lane is about to notify the host that the results of the launch are there.
void word_for_host();
// An atomic update, ordered with all accesses of the lane before and after it.
void update_in_order(const void *address, size_t bytes);
// A step of a loop that waits for another tile. False if the loop would never end: the kernel must stop.
bool waits();
// Whether waits() returned false in this launch: its other tiles would wait in vain, too.
bool gave_up();

// The lane that runs has waited for earlier launches.
void waits_for_earlier();

void begins(const launch_shape &shape);
void begins_tile(unsigned tile);
// The lane that runs meets others. value: offered to a shuffle; from: the lane whose value it gets.
void meets(meeting kind, const void *value = nullptr, size_t bytes = 0, unsigned from = 0);
// All lanes of the tile, or of a wave, leave a barrier.
void passes_tile_barrier();
void passes_wave_barrier(unsigned first_lane, unsigned lanes);
// As meets() and passes_wave_barrier(), for a part of a wave: lanes are bits of the wave. is_first: for one of them.
void meets_in_part(meeting kind, bool is_first);
void passes_barrier_of_part(unsigned first_lane, uint64_t lanes);
void ends_tile();

#else

inline void device(access, const void *, size_t) {}
inline void tile(access, const void *, size_t, size_t) {}
inline void compares(const void *, size_t) {}
inline void replaceable_read(const void *, size_t) {}
inline void fence() {}
inline void system_fence() {}
inline void word_read(const void *) {}
inline void word_written(const void *) {}
inline void word_for_host() {}
inline void update_in_order(const void *, size_t) {}
inline bool waits() {
    return true;
}
inline bool gave_up() {
    return false;
}
inline void waits_for_earlier() {}
inline void begins(const launch_shape &) {}
inline void begins_tile(unsigned) {}
inline void meets(meeting, const void * = nullptr, size_t = 0, unsigned = 0) {}
inline void passes_tile_barrier() {}
inline void passes_wave_barrier(unsigned, unsigned) {}
inline void meets_in_part(meeting, bool) {}
inline void passes_barrier_of_part(unsigned, uint64_t) {}
inline void ends_tile() {}

#endif

} // namespace wf::host::watch

#if defined(WF_WATCHED)
#define WF_STANDS wf::host::watch::stands(at)
#define WF_STANDS_AT(index) wf::host::watch::stands((index).at())
#else
#define WF_STANDS static_cast<void>(0)
#define WF_STANDS_AT(index) static_cast<void>(0)
#endif

#endif
