#include "machine.hpp"

#include "../default_float_environment.hpp"
#include "../threads.hpp"
#include "schedule_orders.hpp"
#include "watch.hpp"
#include "worker.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <thread>

namespace wf::host {

machine::machine(unsigned wave_width, schedule order, unsigned threads) : wave_width_(wave_width), schedule_(order) {
    const unsigned count = threads != 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
    try {
        for (unsigned i = 0; i < count; i++)
            workers_.push_back(std::make_unique<worker>());
    } catch (const std::bad_alloc &) {
        if (workers_.empty())
            throw;
    }
}

machine::~machine() = default;

std::string machine::take_finding() {
    return finding_.take();
}

std::string machine::take_note() {
    return note_.take();
}

void machine::run(unsigned tiles, unsigned tile_size, size_t tile_bytes, kernel_call kernel, bool starts_early) {
    if (tile_size == 0 || tile_size > largest_tile || tile_bytes > most_tile_bytes_) {
        finding_.report(std::string(kernel_name_) + ", a tile of " + std::to_string(tile_size) + " threads and " +
                        std::to_string(tile_bytes) + " bytes of tile memory: the machine has 1 to " +
                        std::to_string(largest_tile) + " threads and " + std::to_string(tile_memory_bytes) + " bytes");
        return;
    }
    std::atomic<bool> breaks_off{false};
    const kernel_launch launch = {
        kernel_name_, tiles,  tile_size,   wave_width_,           tile_bytes, schedule_, kernel,
        &finding_,    &note_, &breaks_off, returned_lanes_arrive_};
    watch::begins({kernel_name_, tiles, tile_size, wave_width_, starts_early});
    std::atomic<unsigned> next{0};
    std::mutex failure_mutex;
    std::exception_ptr failure;
    on_threads(std::min(threads(), std::max(1u, tiles)), [&](unsigned number) {
        const default_float_environment modes; // that of a GPU
        try {
            for (unsigned i; !watch::gave_up() && (i = next.fetch_add(1)) < tiles;)
                workers_[number]->run_tile(launch, tile_at(schedule_, i, tiles));
        } catch (...) {
            workers_[number]->abandon();
            next = tiles;
            breaks_off = true;
            const std::lock_guard<std::mutex> lock(failure_mutex);
            failure = std::current_exception();
        }
    });
    if (failure) {
        take_finding();
        std::rethrow_exception(failure);
    }
}

} // namespace wf::host
