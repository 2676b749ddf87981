// Reports broken rules of the tile that runs on a worker.
#ifndef WAVEFOLD_HOST_EMULATOR_TILE_REPORT_HPP
#define WAVEFOLD_HOST_EMULATOR_TILE_REPORT_HPP

#include "findings.hpp"
#include "kernel_launch.hpp"

#include <string>

namespace wf::host {

class tile_report {
  public:
    void begins_tile(const kernel_launch &launch, unsigned tile) {
        launch_ = &launch;
        tile_ = tile;
    }
    void add(const std::string &finding) {
        launch_->findings->report(std::string(launch_->name) + ", tile " + std::to_string(tile_) + ": " + finding);
    }
    void add_note(const std::string &note) {
        launch_->notes->report(std::string(launch_->name) + ", tile " + std::to_string(tile_) + ": " + note);
    }
    bool has_note() const { return launch_->notes->is_reported(); }
    // With the place of the access in the source, where that is known.
    void add_at_access(const std::string &finding) { add(finding + watch::place()); }
    bool is_reported() const { return launch_->findings->is_reported(); }

  private:
    const kernel_launch *launch_ = nullptr;
    unsigned tile_ = 0;
};

} // namespace wf::host
#endif
