// The host backend: the emulated machine behind the table that the library reads.
//
// It offers two devices, which differ in the width of their waves: "host:64" and "host:32". With WF_WATCHED it is the
// module of "watched:64" and "watched:32", which run all by kernels and watch these.
#include "kernels/kernels.hpp"
#include "schedule_name.hpp"
#include "threads.hpp"
#include "told_by_linux.hpp"

#if defined(WF_WATCHED)
#include "watched/watched.hpp"
#define WF_HOST_NAME "watched"
#else
#include "native/native.hpp"
#include "native/pool.hpp"
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
        const wf::cancelled_later not_in_read;
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
        const wf::cancelled_later not_in_read;
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

wf::host::launches find_launcher(const wf_launch &what) {
#if defined(WF_WATCHED)
    if (what.message != nullptr)
        return wf::message_launcher<wf::host::machine &>(what);
    if (what.kernel == WF_KERNEL_wavefold || what.kernel == WF_KERNEL_describe || what.kernel == WF_KERNEL_exact)
        return what.type == WF_F32   ? wf::reduce_launcher<float, float, double, wf::host::machine &>(what)
               : what.type == WF_I32 ? wf::reduce_launcher<int32_t, int32_t, int64_t, wf::host::machine &>(what)
               : what.type == WF_I64 ? wf::reduce_launcher<int64_t, int32_t, int64_t, wf::host::machine &>(what)
               : what.type == WF_U32 ? wf::reduce_launcher<uint32_t, uint32_t, uint64_t, wf::host::machine &>(what)
                                     : nullptr;
    if (wf::is_sort(what.kernel))
        return wf::find_sort_launcher<wf::host::machine &>(what);
    return what.type == WF_F32   ? wf::core_launcher<float, wf::host::machine &>(what)
           : what.type == WF_I32 ? wf::core_launcher<int32_t, wf::host::machine &>(what)
           : what.type == WF_I64 ? wf::core_launcher<int64_t, wf::host::machine &>(what)
                                 : nullptr;
#elif defined(WF_FEW_KERNELS)
    if (what.message != nullptr)
        return wf::message_launcher<wf::host::machine &>(what);
    if (wf::is_sort(what.kernel))
        return wf::find_sort_launcher<wf::host::machine &>(what);
    if (what.type != WF_F32)
        return nullptr;
    if (what.kernel == WF_KERNEL_wavefold || what.kernel == WF_KERNEL_describe || what.kernel == WF_KERNEL_exact)
        return wf::reduce_launcher<float, float, double, wf::host::machine &>(what);
    return wf::core_launcher<float, wf::host::machine &>(what);
#else
    return wf::find_launcher<wf::host::machine &>(what);
#endif
}

#if defined(WF_WATCHED)
size_t result_bytes(const wf_launch &what, size_t element) {
    if (what.kernel == WF_KERNEL_describe)
        return sizeof(wf_description);
    if (what.kernel == WF_KERNEL_exact && what.exact_result != WF_EXACT_ROUNDED)
        return sizeof(wf_sum_state);
    return what.result_count * element;
}

// The arrays of a launch, by the names that kernels give them.
void name_arrays(wf::host::watched &watched, const wf_launch &what) {
    static const size_t sizes[] = {
#define TYPE_SIZE(ENUM, name, ctype) sizeof(ctype),
        WF_TYPE_MAP(TYPE_SIZE)
#undef TYPE_SIZE
    };
    const size_t element = sizes[what.type] * wf_facts_of_op(what.op).scalars;
    watched.forget_names();
    watched.name(what.data != nullptr ? "data" : "source", what.data != nullptr ? what.data : what.source,
                 (what.data != nullptr ? what.data_count : what.source_count) * element, element);
    watched.name("tail", what.tail, element, element);
    watched.name("result", what.result, result_bytes(what, element), element);
    watched.name("source_values", what.source_values, what.source_count * what.value_bytes, what.value_bytes);
    watched.name("result_values", what.result_values, what.result_count * what.value_bytes, what.value_bytes);
    watched.name("partials", what.partials, what.tiles * element, element);
    watched.name("ticket", what.ticket, sizeof(unsigned), sizeof(unsigned));
    watched.name("sum_words", what.sum_words, WF_SUM_WORDS * sizeof(int64_t), sizeof(int64_t));
    watched.name("tile_status", what.tile_status, what.tile_status_words * sizeof(uint64_t), sizeof(uint64_t));
}
#endif

wf_status clear(void *device, void *stream, void *memory, size_t bytes) {
    if (stream != nullptr)
        return refuse_stream();
    std::memset(memory, 0, bytes);
    return note_written(device, memory, bytes);
}

// What tiles tell each other is zeros between launches. One that broke off in its midst has left something else, which
// the next one would take for its own tiles'. That one may be another thread's, and must not begin before.
void forget_told(void *device, const wf_launch &what) {
    const struct {
        void *words;
        size_t bytes;
    } told[] = {{what.ticket, sizeof(unsigned)},
                {what.tile_status, what.tile_status_words * sizeof(uint64_t)},
                {what.sum_words, WF_SUM_WORDS * sizeof(int64_t)}};
    for (const auto &each : told)
        if (each.words != nullptr)
            clear(device, nullptr, each.words, each.bytes);
}

wf_status launch(void *device, void *stream, const wf_launch *what) {
    return guarded([&]() -> wf_status {
        if (stream != nullptr)
            return refuse_stream();
        static const char *const names[] = {
#define KERNEL_NAME(name, shape, function, loads, folds) #name,
            WF_KERNEL_MAP(KERNEL_NAME)
#undef KERNEL_NAME
        };
        static const char *const types[] = {
#define TYPE_NAME(ENUM, name, more) #name,
            WF_TYPE_MAP(TYPE_NAME)
#undef TYPE_NAME
        };
        wf::host::machine &machine = as_host(device).machine;
        const auto launcher = find_launcher(*what);
        if (launcher == nullptr)
            return fail(WF_UNSUPPORTED, std::string("no kernel ") + names[what->kernel] + " of " + types[what->type] +
                                            " for the device " WF_HOST_NAME);
#if defined(WF_WATCHED)
        const wf::host::watched::session session(as_host(device).watched); // which waits for other threads' launches
        name_arrays(as_host(device).watched, *what);
#endif
        machine.name_kernel(names[what->kernel]);
        try {
            launcher(*what, machine);
        } catch (...) {
            forget_told(device, *what);
            throw;
        }
        const std::string finding = machine.take_finding();
        if (finding.empty())
            return WF_OK;
        forget_told(device, *what);
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
        wf_launch what = {};
        what.kernel = WF_KERNEL_wavefold;
        what.type = what.accumulator = WF_U64;
        what.op = WF_XOR;
        what.source = from;
        what.source_count = bytes / sizeof mixed;
        what.result = &mixed;
        what.threads = {WF_AWAKE_SHARE, WF_ASLEEP_SHARE};
        wf::host::native::reduce(as_host(device).cpu, as_host(device).pool, what);
        return WF_OK;
    });
}

wf_status reduce(void *device, const wf_launch *what) {
    return guarded([&]() -> wf_status {
        wf::host::native::reduce(as_host(device).cpu, as_host(device).pool, *what);
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
        made.spread_blocks = wf::spread_blocks(32);
        made.spread_block = wf::largest_spread_block;
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
