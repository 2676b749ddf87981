// What the emulator tells of each access, where that is watched (WF_WATCHED: the module of hip/host/watched/).
// Elsewhere every function here is empty, and WF_SITE adds no parameter.
//
//   WF_SITE, WF_AT   a last parameter of functions that access memory, which their callers leave out, and its argument:
//                    the place in the source where the access stands
//   placed_index     an index that knows it, for operator[]; elsewhere a size_t
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
    // By conversion, so that an argument that is left out stands where its call does.
    constexpr site(const std::source_location &at) : site(at.file_name(), at.line(), at.column()) {}
};
class placed_index {
  public:
    // What it is made from by conversion stands where the conversion does.
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

// Who meets: the lanes of a tile or of a wave at a barrier, or those of a wave at a shuffle; or a lane returns.
enum class meeting { tile_barrier, wave_barrier, shuffle, end };

// A launch, as the launcher of the backend sees it.
struct launch_shape {
    const char *kernel;
    unsigned tiles, tile_size, wave_width;
    bool starts_early; // as if earlier launches ran on: each lane waits for these first
};

#if defined(WF_WATCHED)

// Where the access stands of which the next function tells, and what findings say of it.
void stands(site at);

// After the access. In device memory, at an address; in tile memory, at a byte.
void device(access what, const void *address, size_t bytes);
void tile(access what, const void *memory, size_t byte, size_t bytes);

// What another tile may replace meanwhile is read.
void replaceable_read(const void *address, size_t bytes);

// What orders accesses of different lanes: fences, and words that are read and written whole.
void fence();
void system_fence();
void word_read(const void *address);
void word_written(const void *address);
// The host is about to be told that what the launch wrote for it is there.
void word_for_host();
// An atomic update, ordered with all accesses of the lane's before and after it.
void update_in_order(const void *address, size_t bytes);
// A step of a loop that waits for another tile. False if nobody will ever end that loop: the kernel must not go on.
bool waits();
// Whether that was so in this launch: its other tiles would wait as long.
bool gave_up();

// The lane that runs has waited for earlier launches.
void waits_for_earlier();

void begins(const launch_shape &shape);
void begins_tile(unsigned tile);
// The lane that runs meets others. value: what it offers to a shuffle; from: the lane whose value it gets.
void meets(meeting what, const void *value = nullptr, size_t bytes = 0, unsigned from = 0);
// All lanes of the tile, or these of a wave, are at a barrier, and go on.
void passes_tile_barrier();
void passes_wave_barrier(unsigned first_lane, unsigned lanes);
void ends_tile();

#else

inline void device(access, const void *, size_t) {}
inline void tile(access, const void *, size_t, size_t) {}
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
