// What the benches of the CPU share: sides that take turns, each hot and cold.
#ifndef WAVEFOLD_BENCH_CPU_SIDES_HPP
#define WAVEFOLD_BENCH_CPU_SIDES_HPP

#include <wavefold.h>
#include <wavefold_ladder.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <utility>
#include <vector>

constexpr size_t pool_bytes = size_t(2) << 30;

inline void require(wf_status status) {
    if (status != WF_OK) {
        std::fprintf(stderr, "bench: %s\n", wf_last_error());
        std::exit(1);
    }
}

// --n N --samples K
inline std::pair<size_t, size_t> counts_of(int argc, char **argv, size_t n) {
    size_t samples = 21;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (std::strcmp(argv[i], "--n") == 0)
            n = std::strtoull(argv[i + 1], nullptr, 10);
        else if (std::strcmp(argv[i], "--samples") == 0)
            samples = std::strtoull(argv[i + 1], nullptr, 10);
    }
    if (n == 0 || samples == 0) {
        std::fprintf(stderr, "usage: %s --n N [--samples K]\n", argv[0]);
        std::exit(2);
    }
    return {n, samples};
}

// In large pages where the system grants them, as NumPy asks for too.
inline char *allocate_pool(size_t bytes) {
    void *const pool = std::aligned_alloc(size_t(2) << 20, bytes);
    if (pool == nullptr || madvise(pool, bytes, MADV_HUGEPAGE) != 0) {
        std::fprintf(stderr, "bench: no memory for %zu bytes\n", bytes);
        std::exit(1);
    }
    return static_cast<char *>(pool);
}

inline double keep; // what results go to, so that no work can be left out

struct side {
    std::string name;
    std::function<double(const void *, size_t)> call; // the result, to compare
    std::vector<double> hot, cold;
};

inline side read_ceiling(wf_context *context, wf_type type) {
    return {"read ceiling",
            [context, type](const void *in, size_t count) {
                double seconds;
                require(wf_read_ceiling(context, in, count * wf_type_size(type), &seconds));
                return seconds;
            },
            {},
            {}};
}

inline double seconds_of(const side &which, const char *in, size_t n, size_t batch) {
    const auto begin = std::chrono::steady_clock::now();
    for (size_t i = 0; i < batch; i++)
        keep += which.call(in, n);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / static_cast<double>(batch);
}

// In each of which all sides have their turn. bench/cpu.py compares them round by round: the machine changes between.
inline size_t rounds_of(size_t samples) {
    return std::min<size_t>(samples, 11);
}

inline void measure(std::vector<side> &sides, const char *pool, size_t bytes, size_t n, size_t samples) {
    const size_t places = std::max<size_t>(1, pool_bytes / bytes);
    const size_t batch = std::clamp<size_t>(65536 / bytes, 1, 16);
    const size_t rounds = rounds_of(samples), in_round = (samples + rounds - 1) / rounds;
    size_t place = 0;
    for (size_t round = 0; round < rounds; round++)
        for (side &one : sides)
            for (const bool is_hot : {true, false}) {
                std::this_thread::sleep_for(std::chrono::milliseconds(20)); // gcc's OpenMP spins for some 16 ms
                const auto awake = std::chrono::steady_clock::now() + std::chrono::milliseconds(2);
                do
                    keep += one.call(pool, n) + one.call(pool, n);
                while (std::chrono::steady_clock::now() < awake);
                for (size_t i = 0; i < in_round; i++) {
                    // Far from the last place, and from where a prefetcher would look.
                    place = (place + places / 2 + 7) % places;
                    if (is_hot)
                        one.hot.push_back(seconds_of(one, pool, n, batch));
                    else
                        one.cold.push_back(seconds_of(one, pool + place * bytes, n, 1));
                }
            }
}

// ,"hot": {side: [samples], ...}, "cold": ...
inline void print_samples(const std::vector<side> &sides) {
    for (const bool is_hot : {true, false}) {
        std::printf(",\n \"%s\": {", is_hot ? "hot" : "cold");
        for (const side &one : sides) {
            std::printf("%s\"%s\": [", &one == &sides.front() ? "" : ", ", one.name.c_str());
            const std::vector<double> &samples = is_hot ? one.hot : one.cold;
            for (size_t i = 0; i < samples.size(); i++)
                std::printf("%s%.4g", i ? ", " : "", samples[i]);
            std::printf("]");
        }
        std::printf("}");
    }
}

#endif
