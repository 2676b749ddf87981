// The machine on large servers, on such as lack memory, and what it reads of the system's memory.
#include "emulator_tests.hpp"
#include "host/emulator/fiber.hpp"
#include "host/system_memory.hpp"
#include "operators.hpp"
#include "wave.hpp"

#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <csetjmp>
#include <cstdarg>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

extern "C" { // cmocka 1.1 leaves print_error() outside its own
#include <cmocka.h>
}

// As many stacks as a large server has: 64 threads with 1024 lanes each, all at once.
void test_many_threads(void **) {
#if defined(WF_ADDRESS_SANITIZER_FIBERS) || defined(WF_THREAD_SANITIZER_FIBERS) // which remember much for each stack
    constexpr unsigned count = 3;
#else
    constexpr unsigned count = 64;
#endif
    static std::atomic<unsigned> waiting;
    waiting = 0;
    machine device(64, {order::forward, 0}, count);
    assert_int_equal(device.threads(), count);
    std::vector<int> sums(count);
    launch_on(
        device,
        +[](sums_view view) {
            const tiled_index tidx;
            const int total = wave_reduce<64>(tidx, 1, sum<int>());
            tidx.barrier.wait();
            if (tidx.local == 0) {
                waiting++;
                const auto begin = std::chrono::steady_clock::now();
                while (waiting != count && std::chrono::steady_clock::now() - begin < std::chrono::seconds(20))
                    std::this_thread::yield();
                view[tidx.tile] = total;
            }
            tidx.barrier.wait();
        },
        count, host::largest_tile, 0, sums_view(sums.data(), count));
    assert_string_equal(device.take_finding().c_str(), "");
    assert_int_equal(waiting, count);
    assert_true(sums == std::vector<int>(count, 64));
}

namespace {

// Lets the process have only so much more address space, for as long as it lives.
class less_memory {
  public:
    explicit less_memory(uint64_t more) {
        getrlimit(RLIMIT_AS, &before_);
        const uint64_t used = host::file_number("/proc/self/status", "VmSize") * 1024;
        const rlimit less = {used + more, before_.rlim_max};
        setrlimit(RLIMIT_AS, &less);
    }
    ~less_memory() { setrlimit(RLIMIT_AS, &before_); }
    less_memory(const less_memory &) = delete;

  private:
    rlimit before_;
};

} // namespace

void test_fewer_threads(void **) {
    constexpr uint64_t mebibyte = 1024 * 1024;
    {
        const less_memory less(300 * mebibyte);
        const machine device(64, {order::forward, 0}, 64);
        assert_in_range(device.threads(), 1, 5);
    }
    machine device(64, {order::forward, 0}, 64);
    const less_memory less(64 * mebibyte); // some stacks of threads
    std::vector<int> sums(1000);
    launch_on(
        device,
        +[](sums_view view) {
            const tiled_index tidx;
            tidx.barrier.wait();
            if (tidx.local == 0)
                view[tidx.tile] = 1;
        },
        1000, 2, 0, sums_view(sums.data(), sums.size()));
    assert_string_equal(device.take_finding().c_str(), "");
    assert_true(sums == std::vector<int>(1000, 1));
}

void test_system_memory(void **) {
    namespace fs = std::filesystem;
    char folder[] = "/tmp/test_emulator.XXXXXX";
    assert_non_null(mkdtemp(folder));
    const std::string root = folder;
    const auto write = [&](const std::string &file, const std::string &text) {
        fs::create_directories(fs::path(root + file).parent_path());
        std::ofstream(root + file) << text;
    };
    assert_true(host::memory_free(root) > 0); // there is no /proc: allocations must not fail for that
    assert_true(host::memory_total(root) > host::memory_free(root));
    assert_string_equal(host::cpu_name(root).c_str(), "CPU");
    write("/proc/cpuinfo", "processor\t: 0\nBogoMIPS\t: 48.00\n"); // as on ARM
    assert_string_equal(host::cpu_name(root).c_str(), "CPU");
    write("/proc/cpuinfo", "processor\t: 0\nmodel name\t: Some CPU 9000\n");
    assert_string_equal(host::cpu_name(root).c_str(), "Some CPU 9000");
    write("/proc/meminfo", "MemTotal:       2000 kB\nMemAvailable:   1000 kB\n");
    assert_int_equal(host::memory_free(root), 1000 * 1024);
    assert_int_equal(host::memory_total(root), 2000 * 1024);

    const std::string v2 = "/sys/fs/cgroup/a/b/", v1 = "/sys/fs/cgroup/memory/";
    write("/proc/self/cgroup", "5:cpu:/x\n0::/a/b\n");
    write(v2 + "memory.max", "max\n");
    write(v2 + "memory.current", "7000\n");
    assert_int_equal(host::memory_free(root), 1000 * 1024);
    write(v2 + "memory.max", "10000\n");
    assert_int_equal(host::memory_free(root), 3000);
    write(v2 + "memory.stat", "anon 5000\ninactive_file 2000\n");
    assert_int_equal(host::memory_free(root), 5000);
    write("/sys/fs/cgroup/a/memory.max", "20000\n"); // the group around it has less left
    write("/sys/fs/cgroup/a/memory.current", "16000\n");
    assert_int_equal(host::memory_free(root), 4000);
    write("/sys/fs/cgroup/a/memory.current", "21000\n");
    assert_int_equal(host::memory_free(root), 0);

    write("/proc/self/cgroup", "4:cpu,memory:/not/mounted\n0::/\n"); // a container sees its own group as the root
    write(v1 + "memory.limit_in_bytes", "9000\n");
    write(v1 + "memory.usage_in_bytes", "6000\n");
    assert_int_equal(host::memory_free(root), 3000);
    write(v1 + "not/mounted/memory.limit_in_bytes", "500\n");
    write(v1 + "not/mounted/memory.usage_in_bytes", "100\n");
    assert_int_equal(host::memory_free(root), 400);
    fs::remove_all(root);
}
