#include "worker.hpp"

#include "stack_arena.hpp"
#include "watch.hpp"

#include <string>

namespace wf::host {

__thread worker *worker::current = nullptr;

bool worker::release_waves() {
    const bool is_any = lanes_.release_waves([this](unsigned wave) { checker_.passes_wave_barrier(wave); });
    add_note();
    return is_any;
}

bool worker::release_tile() {
    if (!lanes_.release_tile())
        return false;
    add_note();
    checker_.passes_tile_barrier();
    watch::passes_tile_barrier();
    return true;
}

void worker::add_note() {
    if (launch_->returned_lanes_arrive)
        if (const std::string note = lanes_.take_note(); !note.empty())
            report_.add_note(note);
}

void worker::run_tile(const kernel_launch &launch, unsigned tile) {
    current = this;
    launch_ = &launch;
    tile_ = tile;
    report_.begins_tile(launch, tile);
    checker_.begins_tile(launch.tile_bytes);
    watch::begins_tile(tile);
    lanes_.begins_tile(launch, tile);
    do
        lanes_.run_batch();
    while (!lanes_.has_overflowed() && (release_waves() || release_tile()));

    if (lanes_.has_overflowed()) {
        lanes_.forget_fibers();
        report_.add("kernel stack overflow: a lane has " + std::to_string(stack_bytes / 1024) + " KiB");
        return;
    }
    if (lanes_.has_thrown())
        lanes_.report_exception(report_);
    if (!lanes_.has_finished()) {
        report_.add(lanes_.describe_stuck_lanes());
        abandon();
    }
    watch::ends_tile();
}

} // namespace wf::host
