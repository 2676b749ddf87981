// CUDA's runtime as a user's host code calls it, with the findings of each misuse. Kernels report their accesses as the
// compiler's instrumentation would.
#include "host/try/answer.hpp"
#include "host/try/memory/device_arrays.hpp"
#include "host/try/memory/host_access.hpp"
#include "host/try/memory/host_findings.hpp"
#include "host/try/memory/touches.hpp"
#include "host/try/runtime/array_names.hpp"
#include "host/try/runtime/runtime.hpp"
#include "host/try/stop.hpp"
#include "host/try/user_device.hpp"
#include "host/try/words/qualifiers.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csetjmp>
#include <cstdarg>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

extern "C" { // cmocka 1.1 leaves print_error() outside its own
#include <cmocka.h>
}

using namespace wf;
using host::watch::access;

__device__ int counter = 7;
__constant__ float factors[4];
__device__ float partials[8];
__device__ unsigned ticket;
int of_host = 3;

namespace {

constexpr size_t count = 64, bytes = count * sizeof(float);

// Findings and notes since the last call, one a line.
std::string take_report() {
    tried::answer &answer = tried::present_answer();
    std::string text;
    for (const tried::answer::finding &each : answer.findings)
        text += each.text + "\n";
    for (const tried::answer::finding &each : answer.notes)
        text += "note: " + each.text + "\n";
    answer.findings.clear();
    answer.notes.clear();
    return text;
}

void assert_report(std::initializer_list<const char *> parts) {
    const std::string text = take_report();
    for (const char *part : parts)
        if (text.find(part) == std::string::npos)
            fail_msg("'%s' lacks '%s'", text.c_str(), part);
    if (parts.size() == 0)
        assert_string_equal(text.c_str(), "");
}

// Runs the kernel's body in one tile of that many lanes; the body gets the number of its lane.
template <class Body>
void launch(const Body &body, unsigned lanes = 1, unsigned tiles = 1) {
    tried::launch("planted", 1, tried::launch_shape(tiles, lanes), [&] {
        host::watch::stands({"kernel.cu", 5, 1});
        body(host::where_am_i().lane);
    });
}

// ---- Allocations ----------------------------------------------------------------------------------------------------

void test_names(void **) {
    static const struct {
        const char *arguments, *name;
    } calls[] = {{"&d_in, n * sizeof(float)", "d_in"},
                 {"(void **)&d_in, n", "d_in"},
                 {"(void**) &d_in, n", "d_in"},
                 {"(void **)(&d_in), n", "d_in"},
                 {"reinterpret_cast<void **>(&d_in), n", "d_in"},
                 {"&arrays[i], f(a, b)", "arrays[i]"},
                 {"&arrays[at(1, 2)], n", "arrays[at(1, 2)]"},
                 {"&of.values, n", "of.values"},
                 {"&(of->values), n", "of->values"},
                 {"(float **)&this->x, n", "this->x"},
                 {"p, n", "p"},
                 {"", ""}};
    for (const auto &[arguments, name] : calls)
        assert_string_equal(tried::name_of_argument(arguments).c_str(), name);
}

void test_allocation(void **) {
    float *d_in = nullptr;
    void *untyped = nullptr;
    double *managed = nullptr, *pinned = nullptr, *also_pinned = nullptr, *pitched = nullptr;
    size_t pitch = 0;
    const size_t before = tried::device_bytes_in_use();
    assert_int_equal(cudaMalloc((void **)&d_in, bytes), cudaSuccess);
    assert_int_equal(cudaMalloc(&untyped, 3), cudaSuccess);
    assert_int_equal(cudaMallocManaged(&managed, 80), cudaSuccess);
    assert_int_equal(cudaMallocHost(&pinned, 80), cudaSuccess);
    assert_int_equal(cudaHostAlloc(&also_pinned, 80, cudaHostAllocMapped), cudaSuccess);
    assert_int_equal(cudaMallocPitch(&pitched, &pitch, 100, 3), cudaSuccess);
    assert_true(pitch >= 100 && pitch % sizeof(double) == 0);
    assert_int_equal(tried::device_bytes_in_use() - before, bytes + 3 + 3 * 80 + 3 * pitch);
    for (const void *const each : {(void *)d_in, untyped, (void *)managed, (void *)pinned, (void *)pitched})
        assert_int_equal(reinterpret_cast<uintptr_t>(each) % 256, 0);
    assert_string_equal(tried::array_of(d_in)->name.c_str(), "d_in");
    assert_int_equal(tried::array_of(managed)->element, sizeof(double));
    pinned[9] = managed[9] = 1; // the host may
    {
        const tried::open_memory open;
        assert_true(std::isnan(d_in[0]) && std::isnan(d_in[count - 1]) && std::isnan(d_in[count]));
    }
    float *none = d_in;
    assert_int_equal(cudaMalloc(&none, 0), cudaSuccess);
    assert_null(none);
    assert_report({});
    assert_int_equal(cudaMalloc(&none, size_t(1) << 40), cudaErrorMemoryAllocation);
    assert_null(none);
    assert_int_equal(cudaGetLastError(), cudaErrorMemoryAllocation);
    assert_report({"note: no memory for 'none': it takes 1048576 MiB", "try a smaller size"});
    size_t left = 0, total = 0;
    assert_int_equal(cudaMemGetInfo(&left, &total), cudaSuccess);
    assert_int_equal(total - left, tried::device_bytes_in_use());

    assert_int_equal(cudaFree(nullptr), cudaSuccess);
    assert_int_equal(cudaFree(d_in + 1), cudaErrorInvalidValue);
    assert_report({"cudaFree gets an address within 'd_in', not its beginning"});
    assert_int_equal(cudaFreeHost(d_in), cudaErrorInvalidValue);
    assert_report({"cudaFreeHost gets 'd_in', which cudaMalloc has allocated: use cudaFree"});
    assert_int_equal(cudaFree(pinned), cudaErrorInvalidValue);
    assert_report({"cudaFree gets 'pinned', which cudaMallocHost or cudaHostAlloc has allocated: use cudaFreeHost"});
    for (void *const each : {(void *)d_in, untyped, (void *)managed, (void *)pitched})
        assert_int_equal(cudaFree(each), cudaSuccess);
    assert_int_equal(cudaFreeHost(pinned), cudaSuccess);
    assert_int_equal(cudaFreeHost(also_pinned), cudaSuccess);
    assert_report({});
    assert_int_equal(tried::device_bytes_in_use(), before);
    assert_int_equal(cudaFree(d_in), cudaErrorInvalidValue);
    assert_report({"cudaFree frees 'd_in' a second time"});
    std::vector<float> host(4);
    assert_int_equal(cudaFree(host.data()), cudaErrorInvalidValue);
    assert_report({"cudaFree gets memory of the host", "use free() or delete"});
    (void)cudaGetLastError();
}

// Found by address also beyond its ends, in the room that is nearer to it than to others.
void test_many_arrays(void **) {
    constexpr size_t arrays = 3000;
    std::vector<char *> all(arrays);
    for (size_t i = 0; i < arrays; i++)
        all[i] = static_cast<char *>(tried::allocate_array("one", 1 + i % 700));
    for (size_t i = 0; i < arrays; i++) {
        const ptrdiff_t size = ptrdiff_t(1 + i % 700);
        for (const ptrdiff_t at : {ptrdiff_t(-4), ptrdiff_t(-1), ptrdiff_t(0), size - 1, size, size + 100})
            assert_ptr_equal(tried::array_of(all[i] + at)->data, all[i]);
    }
    for (char *const each : all)
        assert_true(tried::release_array(each));
    assert_true(tried::array_of(all[7])->is_released);
    assert_false(tried::release_array(all[7]));
}

// More addresses than there are, one after the other.
void test_addresses_used_again(void **) {
    for (unsigned i = 0; i < 100; i++) {
        void *const large = tried::allocate_array("large", size_t(1) << 30);
        assert_non_null(large);
        assert_string_equal(tried::array_of(large)->name.c_str(), "large");
        assert_true(tried::release_array(large));
    }
}

// ---- Copies ---------------------------------------------------------------------------------------------------------

void test_copies(void **) {
    float *d_in = nullptr, *d_out = nullptr;
    std::vector<float> in(count), out(count);
    for (size_t i = 0; i < count; i++)
        in[i] = float(i) - 0.5f;
    assert_int_equal(cudaMalloc(&d_in, bytes), cudaSuccess);
    assert_int_equal(cudaMalloc(&d_out, bytes), cudaSuccess);
    assert_int_equal(cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
    assert_int_equal(cudaMemcpy(d_out, d_in, bytes, cudaMemcpyDeviceToDevice), cudaSuccess);
    assert_int_equal(cudaMemcpyAsync(out.data(), d_out, bytes, cudaMemcpyDeviceToHost, nullptr), cudaSuccess);
    assert_memory_equal(in.data(), out.data(), bytes);
    assert_int_equal(cudaMemcpy(out.data() + 1, d_in + 2, 4, cudaMemcpyDefault), cudaSuccess);
    assert_float_equal(out[1], 1.5f, 0);
    assert_report({});

    const auto fails = [&](void *to, const void *from, cudaMemcpyKind kind, std::initializer_list<const char *> parts) {
        assert_int_not_equal(cudaMemcpy(to, from, bytes, kind), cudaSuccess);
        assert_int_not_equal(cudaGetLastError(), cudaSuccess);
        assert_report(parts);
    };
    fails(d_in, in.data(), cudaMemcpyDeviceToHost,
          {"cudaMemcpy has the kind cudaMemcpyDeviceToHost, but its destination 'd_in' is memory of the device",
           "use cudaMemcpyHostToDevice, or exchange the pointers"});
    fails(out.data(), d_out, cudaMemcpyHostToDevice,
          {"but its destination is memory of the host", "use cudaMemcpyDeviceToHost, or exchange the pointers"});
    fails(d_in, in.data(), cudaMemcpyDeviceToDevice, {"but its source is memory of the host: use cudaMemcpyHostToDev"});
    fails(d_in, d_out, cudaMemcpyHostToDevice, {"its source 'd_out' is memory of the device: use cudaMemcpyDeviceToD"});
    fails(out.data(), in.data(), cudaMemcpyHostToDevice, {"use cudaMemcpyHostToHost"});
    fails(d_in + 1, in.data(), cudaMemcpyHostToDevice,
          {"256 bytes from byte 4 on are beyond its destination 'd_in', which has 256 bytes"});
    fails(nullptr, d_in, cudaMemcpyDeviceToHost, {"its destination is a null pointer"});

    assert_int_equal(cudaMemset(d_in, 0, 8), cudaSuccess);
    assert_int_equal(cudaMemcpy(out.data(), d_in, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    assert_true(out[0] == 0 && out[1] == 0 && out[2] == 1.5f);
    assert_report({});
    assert_int_equal(cudaMemset(d_in, 1, 8), cudaSuccess);
    assert_report({"note: cudaMemset sets each byte of 'd_in' to 1: an element becomes 0x01010101, not 1"});
    assert_int_equal(cudaMemset(d_in, 0, bytes + 1), cudaErrorInvalidValue);
    assert_report({"257 bytes are beyond its destination 'd_in', which has 256 bytes"});
    assert_int_equal(cudaMemset(out.data(), 0, 4), cudaErrorInvalidValue);
    assert_report({"cudaMemset sets memory of the device, but gets memory of the host: use memset()"});

    assert_int_equal(cudaFree(d_out), cudaSuccess);
    fails(out.data(), d_out, cudaMemcpyDeviceToHost, {"its source 'd_out' was freed"});
    assert_int_equal(cudaFree(d_in), cudaSuccess);
}

void test_rows(void **) {
    unsigned char *rows = nullptr, host[3][10], back[3][7] = {};
    size_t pitch = 0;
    for (unsigned i = 0; i < 30; i++)
        host[i / 10][i % 10] = static_cast<unsigned char>(i);
    assert_int_equal(cudaMallocPitch(&rows, &pitch, 10, 3), cudaSuccess);
    assert_int_equal(cudaMemcpy2D(rows, pitch, host, 10, 10, 3, cudaMemcpyHostToDevice), cudaSuccess);
    assert_int_equal(cudaMemset2D(rows + 1, pitch, 99, 2, 3), cudaSuccess);
    assert_int_equal(cudaMemcpy2D(back, 7, rows, pitch, 7, 3, cudaMemcpyDeviceToHost), cudaSuccess);
    for (unsigned y = 0; y < 3; y++)
        for (unsigned x = 0; x < 7; x++)
            assert_int_equal(back[y][x], x == 1 || x == 2 ? 99 : 10 * y + x);
    assert_report({});
    assert_int_equal(cudaMemcpy2D(back, 7, rows, pitch, 8, 3, cudaMemcpyDeviceToHost), cudaErrorInvalidPitchValue);
    assert_report({"a row has 8 bytes, more than the pitch"});
    assert_int_equal(cudaFree(rows), cudaSuccess);
}

// What was not written is found in copies of it, too.
void test_unwritten(void **) {
    int *first = nullptr, *second = nullptr, host[8] = {};
    assert_int_equal(cudaMalloc(&first, sizeof host), cudaSuccess);
    assert_int_equal(cudaMalloc(&second, sizeof host), cudaSuccess);
    assert_int_equal(cudaMemcpy(first, host, 5 * sizeof(int), cudaMemcpyHostToDevice), cudaSuccess);
    assert_int_equal(cudaMemcpy(second, first, sizeof host, cudaMemcpyDeviceToDevice), cudaSuccess);
    assert_report({});
    assert_int_equal(cudaMemcpy(host, second, sizeof host, cudaMemcpyDeviceToHost), cudaSuccess);
    assert_report({"note: element 5 of 'second' is copied to the host, but was never written"});
    launch([&](unsigned) { tried::touch(access::load, second + 5, 4); });
    assert_report({"planted, tile 0: lane 0 read element 5 of 'second' of device memory, which was never written"});
    assert_int_equal(cudaFree(first), cudaSuccess);
    assert_int_equal(cudaFree(second), cudaSuccess);
}

void test_symbols(void **) {
    int value = 11, *address = nullptr;
    size_t size = 0;
    const float half = 0.5f;
    float back[4] = {};
    assert_int_equal(cudaMemcpyFromSymbol(&value, counter, sizeof value), cudaSuccess);
    assert_int_equal(value, 7);
    value = 12;
    assert_int_equal(cudaMemcpyToSymbol(counter, &value, sizeof value), cudaSuccess);
    assert_int_equal(cudaGetSymbolAddress((void **)&address, counter), cudaSuccess);
    assert_int_equal(cudaMemcpy(&value, address, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
    assert_int_equal(value, 12);
    assert_int_equal(cudaMemcpyToSymbol(HIP_SYMBOL(factors), &half, sizeof half, 2 * sizeof half), cudaSuccess);
    assert_int_equal(cudaMemcpyFromSymbol(back, factors, sizeof back), cudaSuccess);
    assert_true(back[2] == 0.5f && back[1] == 0);
    assert_int_equal(cudaGetSymbolSize(&size, factors), cudaSuccess);
    assert_int_equal(size, sizeof factors);
    assert_report({});
    assert_int_equal(cudaMemcpyToSymbol(factors, back, sizeof back, 4), cudaErrorInvalidValue);
    assert_report({"16 bytes from byte 4 on are beyond its destination 'factors', which has 16 bytes"});
    assert_int_equal(cudaMemcpyToSymbol(of_host, &value, sizeof value), cudaErrorInvalidSymbol);
    assert_report({
        "a variable that is declared __device__ or __constant__"
#if !defined(__clang__) // which has no marks of the device's variables
        ", and 'of_host' is a variable of the host"
#endif
    });
}

// ---- Accesses of kernels --------------------------------------------------------------------------------------------

void test_accesses(void **) {
    float *d = nullptr, *managed = nullptr, *pinned = nullptr;
    assert_int_equal(cudaMalloc(&d, bytes), cudaSuccess);
    assert_int_equal(cudaMallocManaged(&managed, bytes), cudaSuccess);
    assert_int_equal(cudaMallocHost(&pinned, bytes), cudaSuccess);
    std::vector<float> heap(count);
    float registered[4] = {}, on_stack = 0;
    assert_int_equal(cudaHostRegister(registered, sizeof registered, cudaHostRegisterDefault), cudaSuccess);
    const auto reads = [](const void *address) { launch([=](unsigned) { tried::touch(access::load, address, 4); }); };
    const auto writes = [](const void *address) { launch([=](unsigned) { tried::touch(access::store, address, 4); }); };
    reads(managed);
    reads(pinned + count - 1);
    writes(registered + 3);
    writes(d + 1);
    reads(d + 1);
    reads(&counter);
    reads(&factors[3]);
    reads(&tried::width_of_waves); // of the library
    assert_report({});
    reads(d);
    assert_report({"lane 0 read element 0 of 'd' of device memory, which was never written (kernel.cu:5)"});
    reads(d + count + 1);
    assert_report({"lane 0 read 2 elements beyond the end of 'd', which has 64"});
    writes(d - 1);
    assert_report({"lane 0 wrote 1 element before the beginning of 'd', which has 64"});
    writes(managed + count);
    assert_report({"lane 0 wrote 1 element beyond the end of 'managed', which has 64"});
    reads(heap.data());
    assert_report({"lane 0 read the host's memory: copy it to memory of cudaMalloc, and pass that pointer"});
    writes(&on_stack);
    assert_report({"lane 0 wrote a variable on the host's stack"});
#if !defined(__clang__)
    reads(&of_host);
    assert_report({"lane 0 read 'of_host', a variable of the host: declare it __device__ or __constant__"});
#endif
    reads(nullptr);
    assert_report({"lane 0 read a null pointer: was the memory allocated"});
    tried::array_of(d)->is_input = true;
    writes(d + 2);
    assert_report({"lane 0 wrote element 2 of 'd', which is to stay as it is"});
    assert_int_equal(cudaHostUnregister(registered), cudaSuccess);
    assert_int_equal(cudaHostUnregister(registered), cudaErrorHostMemoryNotRegistered);
    assert_int_equal(cudaFree(d), cudaSuccess);
    reads(d + 3);
    assert_report({"lane 0 read element 3 of 'd', which was freed"});
    assert_int_equal(cudaFree(managed), cudaSuccess);
    assert_int_equal(cudaFreeHost(pinned), cudaSuccess);
    (void)cudaGetLastError();
}

// The last tile reads what the others left in a variable of the device.
void test_last_tile(void **) {
    const auto sums = [](bool has_fence) {
        ticket = 0;
        launch(
            [=](unsigned) {
                tried::touch(access::store, &partials[host::where_am_i().tile], 4);
                if (has_fence)
                    host::watch::fence();
                tried::touch(access::update, &ticket, 4);
                if (ticket++ == 7)
                    for (const float &each : partials)
                        tried::touch(access::load, &each, 4);
            },
            1, 8);
    };
    sums(true);
    assert_report({});
    sums(false);
    assert_report({"tile 7: lane 0 read element 0 of 'partials', which tile 0, lane 0 has written"});
}

// ---- Accesses of the host -------------------------------------------------------------------------------------------

// What a process reports that ends in this.
std::string stopped(const std::function<void()> &ends) {
    int ends_of_pipe[2];
    assert_int_equal(pipe(ends_of_pipe), 0);
    const pid_t child = fork();
    if (child == 0) {
        static tried::answer answer;
        tried::begin_answer(answer, 10, ends_of_pipe[1]);
        ends();
        _exit(9);
    }
    close(ends_of_pipe[1]);
    std::string text;
    char piece[512];
    for (ssize_t length; (length = read(ends_of_pipe[0], piece, sizeof piece)) > 0;)
        text.append(piece, size_t(length));
    close(ends_of_pipe[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return text;
}

void test_host_access(void **) {
    float *d_out = nullptr;
    assert_int_equal(cudaMalloc(&d_out, bytes), cudaSuccess);
    const auto assert_stops = [](const std::function<void()> &ends, const char *why) {
        const std::string text = stopped(ends);
        if (text.find(why) == text.npos)
            fail_msg("'%s' lacks '%s'", text.c_str(), why);
    };
    // Instrumented code, and code that is not.
    assert_stops([=] { tried::touch_by_host(access::load, d_out + 3, 4); },
                 "host code reads element 3 of 'd_out', which is memory of the device: copy it with cudaMemcpy");
    assert_stops([=] { *static_cast<volatile float *>(d_out + 5) = 1; },
                 "host code accesses element 5 of 'd_out', which is memory of the device");
    assert_int_equal(cudaFree(d_out), cudaSuccess);
    assert_stops([=] { tried::touch_by_host(access::store, d_out + 3, 4); },
                 "host code writes element 3 of 'd_out', memory of the device that was freed");
}

void test_managed_before_synchronisation(void **) {
    int *shared = nullptr;
    assert_int_equal(cudaMallocManaged(&shared, 4 * sizeof(int)), cudaSuccess);
    const auto runs = [&](host::watch::access what) { launch([&](unsigned) { tried::touch(what, shared + 1, 4); }); };
    runs(access::store);
    tried::touch_by_host(access::load, shared + 1, 4);
    assert_report({"host code reads element 1 of 'shared' while a kernel may still access it: call cudaDeviceSynch"});
    runs(access::store);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    tried::touch_by_host(access::load, shared + 1, 4);
    runs(access::load);
    tried::touch_by_host(access::load, shared + 1, 4);
    assert_report({});
    tried::touch_by_host(access::store, shared + 1, 4);
    assert_report({"host code writes element 1 of 'shared' while a kernel may still access it"});
    assert_int_equal(cudaFree(shared), cudaSuccess);
}

// ---- The device -----------------------------------------------------------------------------------------------------

void test_device(void **) {
    int devices = 0, device = 5, value = 0, tiles = 0, tile_size = 0;
    cudaDeviceProp properties;
    assert_int_equal(cudaGetDeviceCount(&devices), cudaSuccess);
    assert_int_equal(devices, 1);
    assert_int_equal(cudaSetDevice(0), cudaSuccess);
    assert_int_equal(cudaSetDevice(1), cudaErrorInvalidDevice);
    assert_int_equal(cudaGetDevice(&device), cudaSuccess);
    assert_int_equal(device, 0);
    assert_int_equal(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
    assert_int_equal(properties.warpSize, 32);
    assert_int_equal(properties.maxThreadsPerBlock, 1024);
    assert_int_equal(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0), cudaSuccess);
    assert_int_equal(value, 32);
    assert_int_equal(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
    assert_int_equal(value, properties.multiProcessorCount);
    const auto kernel = [](int) {};
    assert_int_equal(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&tiles, kernel, 256, 0), cudaSuccess);
    assert_int_equal(tiles, 8);
    assert_int_equal(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&tiles, kernel, 256, 32768), cudaSuccess);
    assert_int_equal(tiles, 2);
    assert_int_equal(cudaOccupancyMaxPotentialBlockSize(&tiles, &tile_size, kernel, 0, 256), cudaSuccess);
    assert_int_equal(tile_size, 256);
    assert_int_equal(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536), cudaSuccess);
    assert_int_equal(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65537),
                     cudaErrorInvalidValue);
    size_t limit = 0;
    assert_int_equal(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 21), cudaSuccess);
    assert_int_equal(cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize), cudaSuccess);
    assert_int_equal(limit, 1 << 21);
    cudaPointerAttributes attributes;
    float *d = nullptr, on_stack = 0;
    assert_int_equal(cudaMalloc(&d, 4), cudaSuccess);
    assert_int_equal(cudaPointerGetAttributes(&attributes, d), cudaSuccess);
    assert_int_equal(attributes.type, cudaMemoryTypeDevice);
    assert_int_equal(cudaPointerGetAttributes(&attributes, &on_stack), cudaSuccess);
    assert_int_equal(attributes.type, cudaMemoryTypeUnregistered);
    assert_int_equal(cudaDeviceReset(), cudaSuccess);
    assert_true(tried::array_of(d)->is_released);
    assert_report({});
    (void)cudaGetLastError();
}

void test_streams(void **) {
    cudaStream_t stream = nullptr;
    cudaEvent_t start = nullptr, end = nullptr, untimed = nullptr;
    float milliseconds = -1;
    assert_int_equal(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    assert_int_equal(cudaEventCreate(&start), cudaSuccess);
    assert_int_equal(cudaEventCreate(&end), cudaSuccess);
    assert_int_equal(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming), cudaSuccess);
    assert_int_equal(cudaEventRecord(start, stream), cudaSuccess);
    usleep(3000);
    int called = 0;
    assert_int_equal(cudaLaunchHostFunc(
                         stream, [](void *to) { ++*static_cast<int *>(to); }, &called),
                     cudaSuccess);
    assert_int_equal(called, 1);
    assert_int_equal(cudaEventRecord(end), cudaSuccess);
    assert_int_equal(cudaStreamWaitEvent(stream, end), cudaSuccess);
    assert_int_equal(cudaEventSynchronize(end), cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(stream), cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(nullptr), cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
    assert_int_equal(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);
    assert_true(milliseconds >= 3 && milliseconds < 10000);
    assert_report({});
    assert_int_equal(cudaEventRecord(untimed), cudaSuccess);
    assert_int_equal(cudaEventElapsedTime(&milliseconds, start, untimed), cudaErrorInvalidResourceHandle);
    assert_report({"keeps no time"});
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
    assert_report({"cudaStreamSynchronize gets a stream that was not created, or was destroyed"});
    for (const cudaEvent_t each : {start, end, untimed})
        assert_int_equal(cudaEventDestroy(each), cudaSuccess);
    assert_int_equal(cudaEventRecord(end), cudaErrorInvalidResourceHandle);
    assert_report({"cudaEventRecord gets an event that was not created"});
    cudaGraph_t graph;
    assert_int_equal(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal), cudaErrorNotSupported);
    assert_int_equal(cudaStreamEndCapture(nullptr, &graph), cudaErrorNotSupported);
    assert_report({"note: graphs do not run here"});
    (void)cudaGetLastError();
}

void test_errors(void **) {
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    assert_int_equal(cudaSetDevice(9), cudaErrorInvalidDevice);
    assert_int_equal(cudaPeekAtLastError(), cudaErrorInvalidDevice);
    assert_int_equal(cudaGetDevice(&of_host), cudaSuccess); // which leaves it
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidDevice);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    assert_string_equal(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument");
    assert_string_equal(cudaGetErrorName(cudaErrorInvalidConfiguration), "cudaErrorInvalidConfiguration");
    assert_string_equal(cudaGetErrorName(cudaError_t(998)), "unrecognized error code");
}

// ---- Launches by a pointer to the kernel ----------------------------------------------------------------------------

int launched = 0;
void adds(int a, const double *b, char c) {
    launched += a + int(*b) + c;
}

void test_launch_kernel(void **) {
    int a = 100;
    double ten = 10;
    const double *b = &ten;
    char c = 1;
    void *arguments[] = {&a, &b, &c};
    assert_int_equal(cudaLaunchKernel(adds, dim3(3), dim3(2, 2), arguments, 0, nullptr), cudaSuccess);
    assert_int_equal(launched, 12 * 111);
    assert_int_equal(cudaLaunchCooperativeKernel(&adds, 1, 1, arguments), cudaSuccess);
    assert_int_equal(launched, 13 * 111);
    assert_int_equal(cudaLaunchKernel(reinterpret_cast<const void *>(adds), 1, 1, arguments),
                     cudaErrorInvalidDeviceFunction);
    assert_report({"without its type", "pass it without a cast to void *"});
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidDeviceFunction);
    assert_true(tried::register_kernel(adds));
    assert_int_equal(cudaLaunchKernel(reinterpret_cast<const void *>(adds), 1, 1, arguments), cudaSuccess);
    assert_int_equal(launched, 14 * 111);
    assert_int_equal(cudaLaunchKernel(adds, 1, 1025, arguments), cudaErrorInvalidConfiguration);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidConfiguration);
    assert_int_equal(launched, 14 * 111);
    (void)take_report();
}

// HIP's names are the same functions; findings and errors have HIP's names in a program that includes its header.
void test_hip(void **) {
    float *d_in = nullptr, host[4] = {1, 2, 3, 4};
    assert_int_equal(hipMalloc(&d_in, sizeof host), hipSuccess);
    assert_string_equal(tried::array_of(d_in)->name.c_str(), "d_in");
    assert_int_equal(hipMemcpy(d_in, host, sizeof host, hipMemcpyHostToDevice), hipSuccess);
    hipDeviceProp_t properties;
    assert_int_equal(hipGetDeviceProperties(&properties, 0), hipSuccess);
    assert_report({});
    tried::use_hip_names();
    assert_int_equal(hipMemcpy(d_in, host, sizeof host, hipMemcpyDeviceToHost), hipErrorInvalidMemcpyDirection);
    assert_report({"hipMemcpy has the kind hipMemcpyDeviceToHost", "use hipMemcpyHostToDevice"});
    assert_string_equal(hipGetErrorName(hipGetLastError()), "hipErrorInvalidMemcpyDirection");
    assert_int_equal(hipFree(d_in), hipSuccess);
}

} // namespace

int main() {
    tried::use_machine(32, {});
    const CMUnitTest tests[] = {
        cmocka_unit_test(test_names),       cmocka_unit_test(test_allocation),
        cmocka_unit_test(test_many_arrays), cmocka_unit_test(test_addresses_used_again),
        cmocka_unit_test(test_copies),      cmocka_unit_test(test_rows),
        cmocka_unit_test(test_unwritten),   cmocka_unit_test(test_symbols),
        cmocka_unit_test(test_accesses),    cmocka_unit_test(test_last_tile),
        cmocka_unit_test(test_host_access), cmocka_unit_test(test_managed_before_synchronisation),
        cmocka_unit_test(test_device),      cmocka_unit_test(test_streams),
        cmocka_unit_test(test_errors),      cmocka_unit_test(test_launch_kernel),
        cmocka_unit_test(test_hip)};
    return cmocka_run_group_tests_name("runtime of try", tests, nullptr, nullptr);
}
