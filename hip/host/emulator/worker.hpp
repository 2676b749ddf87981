// The share of the machine that one CPU thread has: it runs one tile at a time.
#ifndef WAVEFOLD_HOST_EMULATOR_WORKER_HPP
#define WAVEFOLD_HOST_EMULATOR_WORKER_HPP

#include "kernel_launch.hpp"
#include "lane.hpp"
#include "scheduler.hpp"
#include "shuffles.hpp"
#include "tile_checker.hpp"
#include "tile_report.hpp"

#include <memory>

namespace wf::host {

class worker {
  public:
    void run_tile(const kernel_launch &launch, unsigned tile);
    // Unwinds what an exception of run_tile() has left.
    void abandon() { lanes_.abandon(); }

    // The worker of this thread, while it runs a tile. initial-exec: else every access to tile memory calls the dynamic
    // linker. A module that is loaded late may have a few bytes of such memory. __thread: thread_local adds a call.
    __attribute__((tls_model("initial-exec"))) static __thread worker *current;

    // ---- For the lane that runs ----

    place where() const {
        return {lanes_.running().number, tile_, launch_->tile_size, launch_->tiles, launch_->wave_width};
    }
    unsigned char *memory(size_t element_bytes, size_t *bytes) {
        checker_.shadow_elements(element_bytes);
        *bytes = launch_->tile_bytes;
        return memory_.get();
    }
    bool breaks_off() const { return lanes_.has_thrown() || *launch_->breaks_off; }
    scheduler &lanes() { return lanes_; }
    shuffles &values() { return shuffles_; }
    tile_checker &checker() { return checker_; }
    tile_report &report() { return report_; }
    bool tile_flag = false;

  private:
    bool release_waves();
    bool release_tile();
    void add_note();

    const kernel_launch *launch_ = nullptr;
    unsigned tile_ = 0;
    tile_report report_;
    std::unique_ptr<unsigned char[]> memory_{new unsigned char[tile_memory_bytes]}; // of the tile
    scheduler lanes_;
    shuffles shuffles_{report_};
    tile_checker checker_{report_};
};

} // namespace wf::host
#endif
