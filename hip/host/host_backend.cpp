// The host backend: the emulated machine behind the table that the library reads.
//
// It offers two devices, which differ in the width of their waves: "host:64" and "host:32". With WF_WATCHED it is the
// module of "watched:64" and "watched:32", which run all by kernels and watch these.
#include "algebra.h"
#include "kernels/kernels.hpp"
#include "launched.hpp"
#include "schedule_name.hpp"
#include "system_memory.hpp"
#include "threads.hpp"

#if defined(WF_WATCHED)
#include "watched/watched.hpp"
#define WF_HOST_NAME "watched"
#else
#include "native/axes.hpp"
#include "native/native.hpp"
#include "native/pool.hpp"
#include "native/row_sort.hpp"
#include "native/scan.hpp"
#include "native/sort.hpp"
#define WF_HOST_NAME "host"
#endif

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <thread>

namespace {

using clock_type = std::chrono::steady_clock;

constexpr unsigned wave_widths[] = {64, 32};
constexpr size_t alignment = 256;

thread_local char last_message[512];

wf_status fail(wf_status status, const std::string_view &message) {
    std::snprintf(last_message, sizeof last_message, "%.*s", static_cast<int>(message.size()), message.data());
    return status;
}

// What calls of the table do: C++ exceptions must not reach the library, which is C.
template <class Function>
wf_status guarded(const Function &function) {
    try {
        return function();
    } catch (const std::exception &error) { // bad_alloc, or system_error from a thread
        std::snprintf(last_message, sizeof last_message, "the host device ran out of memory or threads (%s)",
                      error.what());
        return WF_OUT_OF_MEMORY;
    }
}

#if defined(WF_WATCHED)
struct host_device {
    host_device(unsigned wave_width, const wf::host::schedule &schedule) : machine(wave_width, schedule, 1) {}

    wf::host::machine machine;
    wf::host::watched watched;
    clock_type::time_point started;
};
#else
struct host_device {
    host_device(unsigned wave_width, const wf::host::schedule &schedule, const wf::host::native::kernels &kernels)
        : machine(wave_width, schedule), cpu(kernels) {}

    wf::host::machine machine;
    const wf::host::native::kernels &cpu;
    wf::host::native::pool pool;
    clock_type::time_point started;
};
#endif

host_device &as_host(void *device) {
    return *static_cast<host_device *>(device);
}

const char *message() {
    return last_message;
}

uint32_t device_count() {
    return sizeof wave_widths / sizeof wave_widths[0];
}

wf_status device_info(uint32_t ordinal, wf_device_info *info) {
    return guarded([&]() -> wf_status {
        if (ordinal >= device_count())
            return fail(WF_NO_DEVICE, "there are " WF_HOST_NAME " devices 0 and 1, not " + std::to_string(ordinal));
        const wf::cancellation_guard not_in_read;
        *info = {};
        std::snprintf(info->id, sizeof info->id, WF_HOST_NAME ":%u", wave_widths[ordinal]);
        std::snprintf(info->backend, sizeof info->backend, "host");
        std::snprintf(info->name, sizeof info->name, "%s, emulating waves of %u lanes", wf::host::cpu_name().c_str(),
                      wave_widths[ordinal]);
        info->wave_width = wave_widths[ordinal];
#if defined(WF_WATCHED)
        info->multiprocessors = 8; // as a small GPU: what kernels do must not depend on the machine
#else
        info->multiprocessors = std::max(1u, std::thread::hardware_concurrency());
#endif
        info->max_tile_size = wf::host::largest_tile;
        info->max_tiles = INT32_MAX;
        info->f64_ratio = info->wave_width > 32 ? 2 : 32;
        info->memory_bytes = wf::host::memory_total();
        info->memory_free_bytes = wf::host::memory_free();
        return WF_OK;
    });
}

wf_status open(uint32_t ordinal, const char *setting, void **device) {
    return guarded([&]() -> wf_status {
        wf::host::schedule schedule;
        if (!wf::host::parse_schedule(setting, &schedule))
            return fail(WF_INVALID_ARGUMENT, std::string("unknown schedule '") + setting +
                                                 "': it is forward, reverse, random or random=SEED (up to 19 digits)");
#if defined(WF_WATCHED)
        *device = new host_device(wave_widths[ordinal], schedule);
#else
        wf_status status = WF_OK;
        std::string error;
        const wf::host::native::kernels *const cpu = wf::host::native::choose_kernels(&status, &error);
        if (cpu == nullptr)
            return fail(status, error);
        *device = new host_device(wave_widths[ordinal], schedule, *cpu);
#endif
        return WF_OK;
    });
}

void close(void *device) {
    delete &as_host(device);
}

constexpr size_t small_allocation = size_t(16) << 20;

wf_status allocate([[maybe_unused]] void *device, size_t bytes, void **memory) {
    return guarded([&]() -> wf_status {
    // malloc would promise more than there is, and the process would be killed on the way. To ask takes longer than
    // to allocate a little, which any machine has.
#if defined(WF_WATCHED)
        constexpr size_t for_each = 1 + 16; // what is known of a byte takes so many more
#else
        constexpr size_t for_each = 1;
#endif
        const wf::cancellation_guard not_in_read;
        const bool fits = bytes <= small_allocation || bytes <= wf::host::memory_free() / for_each;
        void *const made =
            fits ? std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment) : nullptr;
        if (made == nullptr)
            return fail(WF_OUT_OF_MEMORY, std::to_string(bytes) + " bytes were asked for, " +
                                              std::to_string(wf::host::memory_free()) +
                                              " are free: use fewer elements");
        // Fresh pages are zero, which would hide a kernel that reads what nobody wrote.
        std::memset(made, 0xa5, bytes);
#if defined(WF_WATCHED)
        try {
            as_host(device).watched.memory().allocated(made, bytes);
        } catch (const std::bad_alloc &) {
            as_host(device).watched.memory().released(made);
            std::free(made);
            throw;
        }
#endif
        *memory = made; // and not before: whoever asked takes it for its own
        return WF_OK;
    });
}

void release([[maybe_unused]] void *device, void *memory) {
#if defined(WF_WATCHED)
    as_host(device).watched.memory().released(memory);
#endif
    std::free(memory);
}

// What the host or a copy has written.
wf_status note_written([[maybe_unused]] void *device, [[maybe_unused]] const void *memory,
                       [[maybe_unused]] size_t bytes) {
#if defined(WF_WATCHED)
    return guarded([&]() -> wf_status {
        as_host(device).watched.memory().written(memory, bytes);
        return WF_OK;
    });
#else
    return WF_OK;
#endif
}

wf_status copy(void *device, void *to, const void *from, size_t bytes, wf_direction) {
    std::memcpy(to, from, bytes);
    return note_written(device, to, bytes);
}

wf_status refuse_stream() {
    return fail(WF_INVALID_ARGUMENT, "the host device has no streams: 'stream' must be NULL");
}

wf_status clear(void *device, void *stream, void *memory, size_t bytes) {
    if (stream != nullptr)
        return refuse_stream();
    std::memset(memory, 0, bytes);
    return note_written(device, memory, bytes);
}

// The words that tiles publish to each other are zeros between launches. A launch that broke off has left others in
// them, which the next one would take for its own tiles'. It may be another thread's, and must not begin before.
void clear_published(void *device, const wf::host::launched &what) {
    for (const auto &each : what.published)
        if (each.data != nullptr)
            clear(device, nullptr, each.data, each.bytes);
}

const char *type_name(wf_type type) {
    static const char *const names[] = {
#define TYPE_NAME(ENUM, name, ctype) #name,
        WF_TYPE_MAP(TYPE_NAME)
#undef TYPE_NAME
            "no type"};
    return names[type];
}

wf_status launch(void *device, void *stream, wf_algorithm algorithm, const void *request) {
    return guarded([&]() -> wf_status {
        if (stream != nullptr)
            return refuse_stream();
        wf::host::machine &machine = as_host(device).machine;
        const wf::host::launched what = wf::host::describe_launch(algorithm, request);
        const auto run = wf::find_launch<wf::host::kernel_queue>(algorithm, request);
        if (!run)
            return fail(WF_UNSUPPORTED, std::string("no kernel ") + what.kernel + " of " + type_name(what.type) +
                                            " for the device " WF_HOST_NAME);
#if defined(WF_WATCHED)
        const wf::host::watched::session session(as_host(device).watched); // which waits for other threads' launches
        as_host(device).watched.forget_names();
        for (const auto *arrays : {&what.arrays, &what.published})
            for (const auto &each : *arrays)
                as_host(device).watched.name(each.name, each.data, each.bytes, each.element);
#endif
        machine.name_kernel(what.kernel);
        try {
            run(machine);
        } catch (...) {
            clear_published(device, what);
            throw;
        }
        const std::string finding = machine.take_finding();
        if (finding.empty())
            return WF_OK;
        clear_published(device, what);
        return fail(WF_KERNEL_FAULT, finding);
    });
}

wf_status finish(void *) {
    return WF_OK; // every launch waits for its end
}

#if defined(WF_WATCHED)
wf_status read(void *, const void *, size_t) {
    return fail(WF_UNSUPPORTED, "a device that counts accesses has no speed of reading");
}

wf_status watch_start(void *device, int keeps_events) {
    return guarded([&]() -> wf_status {
        as_host(device).watched.start(keeps_events != 0);
        return WF_OK;
    });
}

wf_status watch_get(void *device, wf_watch *watch) {
    return guarded([&]() -> wf_status {
        *watch = as_host(device).watched.all();
        return WF_OK;
    });
}
#else
// The CPU's fastest fold, which waits for nothing but the words that it reads.
wf_status read(void *device, const void *from, size_t bytes) {
    return guarded([&]() -> wf_status {
        uint64_t mixed = 0;
        wf_reduce_request all = {};
        all.type = all.accumulator = WF_U64;
        all.op = WF_XOR;
        all.source = from;
        all.source_count = bytes / sizeof mixed;
        all.result = &mixed;
        wf::host::native::reduce(as_host(device).cpu, as_host(device).pool, all, {WF_AWAKE_SHARE, WF_ASLEEP_SHARE});
        return WF_OK;
    });
}

wf_status reduce_axes(void *device, const wf_axes_request *request, wf_thread_table threads) {
    return guarded([&]() -> wf_status {
        const auto reduce =
            request->begins != nullptr ? wf::host::native::reduce_segments : wf::host::native::reduce_axes;
        reduce(as_host(device).cpu, as_host(device).pool, *request, threads);
        return WF_OK;
    });
}

wf_status scan(void *device, const wf_scan_request *request, wf_thread_table threads) {
    return guarded([&]() -> wf_status {
        wf::host::native::scan(as_host(device).pool, *request, threads);
        return WF_OK;
    });
}

wf_status sort(void *device, const wf_sorting *sorting, wf_thread_table threads) {
    return guarded([&]() -> wf_status {
        wf::host::native::sort(as_host(device).pool, *sorting, threads);
        return WF_OK;
    });
}

wf_status sort_rows(void *device, const wf_row_sorting *sorting, wf_thread_table threads) {
    return guarded([&]() -> wf_status {
        wf::host::native::sort_rows(as_host(device).pool, *sorting, threads);
        return WF_OK;
    });
}

wf_status reduce(void *device, const wf_reduce_request *request, wf_thread_table threads) {
    return guarded([&]() -> wf_status {
        wf::host::native::reduce(as_host(device).cpu, as_host(device).pool, *request, threads);
        return WF_OK;
    });
}
#endif

wf_status share(void *device, size_t bytes, void **here, void **there) {
    void *made = nullptr;
    wf_status status = allocate(device, bytes, &made);
#if defined(WF_WATCHED)
    if (status == WF_OK) {
        status = guarded([&]() -> wf_status {
            as_host(device).watched.memory().shared(made, bytes);
            return WF_OK;
        });
        if (status != WF_OK)
            release(device, made);
    }
#endif
    if (status == WF_OK)
        *here = *there = made;
    return status;
}

void unshare(void *device, void *here) {
    release(device, here);
}

wf_status reaches(void *, const void *memory, const void **there) {
    *there = memory;
    return WF_OK;
}

wf_status capture(void *, void *, uint64_t *number) {
    *number = 0; // there are no streams
    return WF_OK;
}

wf_status timer_start(void *device) {
    as_host(device).started = clock_type::now();
    return WF_OK;
}

wf_status timer_stop(void *device, double *seconds) {
    *seconds = std::chrono::duration<double>(clock_type::now() - as_host(device).started).count();
    return WF_OK;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const wf_backend *wavefold_backend() {
    static const wf_backend backend = [] {
        wf_backend made = {};
        made.abi = WF_BACKEND_ABI;
        made.name = WF_HOST_NAME;
        made.wide_tile = wf::largest_tile_of_large_values;
        made.exact_tile = wf::largest_exact_tile;
        made.cluster_blocks = wf::cluster_blocks(32);
        made.cluster_block = wf::largest_cluster_block;
        made.message = message;
        made.device_count = device_count;
        made.device_info = device_info;
        made.open = open;
        made.close = close;
        made.allocate = allocate;
        made.release = release;
        made.copy = copy;
        made.launch = launch;
        made.clear = clear;
        made.read = read;
        made.finish = finish;
#if defined(WF_WATCHED)
        made.watch_start = watch_start;
        made.watch_get = watch_get;
#else
        made.reduce = reduce;
        made.reduce_axes = reduce_axes;
        made.scan = scan;
        made.sort = sort;
        made.sort_rows = sort_rows;
#endif
        made.share = share;
        made.unshare = unshare;
        made.reaches = reaches;
        made.capture = capture;
        made.timer_start = timer_start;
        made.timer_stop = timer_stop;
        return made;
    }();
    return &backend;
}
