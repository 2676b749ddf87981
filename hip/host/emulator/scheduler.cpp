#include "scheduler.hpp"

#include "stuck_lanes.hpp"

#include <algorithm>
#include <new>

namespace wf::host {

void scheduler::begins_tile(const kernel_launch &launch, unsigned tile) {
    launch_ = &launch;
    order_.begins_tile(launch.order, tile);
    thrown_ = nullptr;
    has_overflowed_ = false;
    const unsigned width = launch.wave_width;
    gatherings_.assign((launch.tile_size + width - 1) / width, gathering());
    batch_.clear();
    for (unsigned i = 0; i < launch.tile_size; i++) {
        lane &fresh = lanes_[i];
        fresh.number = i;
        fresh.wave = i / width;
        fresh.state = lane_state::fresh;
        fresh.parity = 0;
        fresh.part = nullptr;
        gatherings_[fresh.wave].lanes++;
        batch_.push_back(&fresh);
    }
}

// ---- Running lanes --------------------------------------------------------------------------------------------------

void scheduler::run_lane() {
    running_->state = lane_state::running;
    const auto keep_exception = [this](const auto &call) {
        try {
            call();
        } catch (const boost::context::detail::forced_unwind &) {
            throw; // Boost's own, from abandon()
        } catch (...) {
            if (!thrown_) {
                thrown_ = std::current_exception();
                thrower_ = running_->number;
            }
        }
    };
    keep_exception([this] { launch_->kernel.call(launch_->kernel.kernel); });
    keep_exception([] { watch::meets(watch::meeting::end); });
    running_->state = lane_state::finished;
}

// A fiber starts one lane after the other, as plain calls, until one of them waits. That lane keeps the fiber, which
// goes on with other fresh lanes when the lane has finished.
void scheduler::run_fresh_lanes(unsigned stack) {
    while (starts_ && next_ < batch_.size()) {
        running_ = batch_[next_++];
        running_->stack = stack;
        run_lane();
    }
    check_stack(stack);
}

void scheduler::add_fiber() {
    fibers_.add_idle([this](unsigned stack) {
        run_fresh_lanes(stack);
        return take_next();
    });
}

void scheduler::run_batch() {
    order_.arrange(batch_);
    next_ = 0;
    starts_ = batch_.front()->state == lane_state::fresh;
    fiber first = take_next();
    fibers_.switch_to(std::move(first), scheduler_);
}

bool scheduler::release_tile() {
    const auto waits = [&](const gathering &wave) {
        return wave.is_complete() && wave.first->state == lane_state::at_tile_barrier &&
               same_meeting_point(*gatherings_[0].first, *wave.first);
    };
    if (!std::all_of(gatherings_.begin(), gatherings_.end(), waits))
        return launch_->returned_lanes_arrive && release_rest_of_tile();
    if (gatherings_[0].first->part != nullptr)
        count_votes();
    for (gathering &wave : gatherings_)
        release(wave);
    return true;
}

std::string scheduler::take_note() {
    return std::exchange(note_, "");
}

// ---- The end of a tile ----------------------------------------------------------------------------------------------

void scheduler::report_exception(tile_report &report) {
    const std::string finding = "lane " + std::to_string(thrower_) + ": kernel threw an exception";
    try {
        std::rethrow_exception(std::exchange(thrown_, nullptr));
    } catch (const std::bad_alloc &) {
        throw; // of the machine itself: kernels allocate nothing
    } catch (const std::exception &error) {
        report.add(finding + ": " + error.what());
    } catch (...) {
        report.add(finding);
    }
}

bool scheduler::has_finished() const {
    return std::all_of(lanes_.begin(), lanes_.begin() + launch_->tile_size,
                       [](const lane &lane) { return lane.state == lane_state::finished; });
}

std::string scheduler::describe_stuck_lanes() const {
    return host::describe_stuck_lanes(lanes_, launch_->tile_size, launch_->wave_width);
}

void scheduler::abandon() {
    for (lane &lane : lanes_)
        lane.suspended = fiber();
    fibers_.clear();
}

void scheduler::forget_fibers() {
    for (lane &lane : lanes_)
        lane_fibers::forget(lane.suspended);
    fibers_.forget_idle();
    abandon();
}

} // namespace wf::host
