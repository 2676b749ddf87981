// Times wf_reduce on the host device beside what else a C++ program would use: OpenMP, the standard library's parallel
// algorithms (on TBB), and a loop of one thread, which few elements need no library for. All sides take turns in one
// run. Prints every sample as JSON; bench/cpu.py makes tables of it.
//
// usage: bench-cpu --n N [--samples K]
//
// hot: each call reads the same array as the one before. cold: each call reads another part of a pool of 2 GiB, or of
// one array if that is larger. Before a side's turn the threads of the others get time to fall asleep; then the side
// calls for 2 ms unmeasured, so that its own threads are awake.
//
// Sums of floats are wavefold's fast ones, which round as the others do.
#include "cpu_sides.hpp"

extern "C" {
#include "oracle/reference.h"
}

#include <algorithm>
#include <cmath>
#include <execution>
#include <numeric>

namespace {

// ---- The sides ------------------------------------------------------------------------------------------------------

template <class T>
double omp_sum(const void *in, size_t n) {
    const T *const x = static_cast<const T *>(in);
    T sum = 0;
#pragma omp parallel for simd reduction(+ : sum) schedule(static)
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return static_cast<double>(sum);
}

// A call, as it would be from another file: what is called in a loop must not become part of that.
template <class T>
__attribute__((noinline)) double loop_sum(const void *in, size_t n) {
    const T *const x = static_cast<const T *>(in);
    T sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return static_cast<double>(sum);
}

__attribute__((noinline)) double loop_min(const void *in, size_t n) {
    const float *const x = static_cast<const float *>(in);
    float least = x[0];
#pragma omp simd reduction(min : least)
    for (size_t i = 0; i < n; i++)
        least = x[i] < least ? x[i] : least;
    return static_cast<double>(least);
}

__attribute__((noinline)) double loop_max(const void *in, size_t n) {
    const float *const x = static_cast<const float *>(in);
    float most = x[0];
#pragma omp simd reduction(max : most)
    for (size_t i = 0; i < n; i++)
        most = x[i] > most ? x[i] : most;
    return static_cast<double>(most);
}

__attribute__((noinline)) double loop_argmin(const void *in, size_t n) {
    const float *const x = static_cast<const float *>(in);
    return static_cast<double>(std::min_element(x, x + n) - x);
}

double omp_min(const void *in, size_t n) {
    const float *const x = static_cast<const float *>(in);
    float least = x[0];
#pragma omp parallel for simd reduction(min : least) schedule(static)
    for (size_t i = 0; i < n; i++)
        least = x[i] < least ? x[i] : least;
    return static_cast<double>(least);
}

double omp_max(const void *in, size_t n) {
    const float *const x = static_cast<const float *>(in);
    float most = x[0];
#pragma omp parallel for simd reduction(max : most) schedule(static)
    for (size_t i = 0; i < n; i++)
        most = x[i] > most ? x[i] : most;
    return static_cast<double>(most);
}

struct found {
    float value;
    size_t index;
};
inline found first_of(found a, found b) {
    return b.value < a.value || (b.value == a.value && b.index < a.index) ? b : a;
}
#pragma omp declare reduction(first:found : omp_out = first_of(omp_out, omp_in)) initializer(omp_priv = omp_orig)

double omp_argmin(const void *in, size_t n) {
    const float *const x = static_cast<const float *>(in);
    found least = {x[0], 0};
#pragma omp parallel for reduction(first : least) schedule(static)
    for (size_t i = 0; i < n; i++)
        if (x[i] < least.value)
            least = {x[i], i};
    return static_cast<double>(least.index);
}

template <class T>
double tbb_sum(const void *in, size_t n) {
    const T *const x = static_cast<const T *>(in);
    return static_cast<double>(std::reduce(std::execution::par_unseq, x, x + n));
}

double tbb_min(const void *in, size_t n) {
    const float *const x = static_cast<const float *>(in);
    return static_cast<double>(
        std::reduce(std::execution::par_unseq, x, x + n, x[0], [](float a, float b) { return b < a ? b : a; }));
}

double tbb_max(const void *in, size_t n) {
    const float *const x = static_cast<const float *>(in);
    return static_cast<double>(
        std::reduce(std::execution::par_unseq, x, x + n, x[0], [](float a, float b) { return b > a ? b : a; }));
}

double tbb_argmin(const void *in, size_t n) {
    const float *const x = static_cast<const float *>(in);
    return static_cast<double>(std::min_element(std::execution::par_unseq, x, x + n) - x);
}

// ---- Measuring ------------------------------------------------------------------------------------------------------

struct operation {
    wf_type type;
    wf_op op;
    std::function<double(const void *, size_t)> tbb, omp, loop;
};

template <class T>
double as_number(const void *result) {
    T value;
    std::memcpy(&value, result, sizeof value);
    return static_cast<double>(value);
}

double result_of(const operation &spec, const void *result) {
    if (spec.op == WF_ARGMIN)
        return as_number<uint64_t>(static_cast<const char *>(result) + 8);
    return spec.type == WF_F32   ? as_number<float>(result)
           : spec.type == WF_F64 ? as_number<double>(result)
           : spec.type == WF_I32 ? as_number<int32_t>(result)
                                 : as_number<int64_t>(result);
}

double exact_result(const operation &spec, const void *in, size_t n) {
    wf_reduce_spec reduction = {};
    reduction.type = spec.type;
    reduction.op = spec.op;
    reduction.accuracy = WF_ACCURACY_FAST;
    fold of;
    require(fold_of(&reduction, &of));
    reference exact;
    reference_begin(&exact, &of);
    reference_add(&exact, in, n);
    const result folded = reference_result(&exact);
    return result_of(spec, &folded);
}

template <class T>
void fill(char *pool, size_t bytes) {
    T *const x = reinterpret_cast<T *>(pool);
    uint64_t state = 1;
    for (size_t i = 0; i < bytes / sizeof(T); i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        x[i] = static_cast<T>(static_cast<int64_t>(state >> 40)) / static_cast<T>(std::is_integral_v<T> ? 1 : 1 << 20);
    }
}

} // namespace

int main(int argc, char **argv) {
    const auto [n, samples] = counts_of(argc, argv, size_t(1) << 20);
    wf_context *context;
    require(wf_context_create(&context, "host"));
    const size_t most = std::max(pool_bytes, n * 8);
    char *const pool = allocate_pool(most);

    const operation operations[] = {
        {WF_F32, WF_SUM, tbb_sum<float>, omp_sum<float>, loop_sum<float>},
        {WF_F32, WF_MIN, tbb_min, omp_min, loop_min},
        {WF_F32, WF_MAX, tbb_max, omp_max, loop_max},
        {WF_F32, WF_ARGMIN, tbb_argmin, omp_argmin, loop_argmin},
        {WF_F64, WF_SUM, tbb_sum<double>, omp_sum<double>, loop_sum<double>},
        {WF_I32, WF_SUM, tbb_sum<int32_t>, omp_sum<int32_t>, loop_sum<int32_t>},
        {WF_I64, WF_SUM, tbb_sum<int64_t>, omp_sum<int64_t>, loop_sum<int64_t>},
    };
    std::printf("[");
    bool is_first = true, is_right = true;
    wf_type filled = WF_TYPE_COUNT;
    for (const operation &spec : operations) {
        if (spec.type != filled) {
            spec.type == WF_F32   ? fill<float>(pool, most)
            : spec.type == WF_F64 ? fill<double>(pool, most)
            : spec.type == WF_I32 ? fill<int32_t>(pool, most)
                                  : fill<int64_t>(pool, most);
            filled = spec.type;
        }
        const size_t bytes = n * wf_type_size(spec.type);
        wf_reduce_spec reduction = {};
        reduction.type = spec.type;
        reduction.op = spec.op;
        reduction.accuracy = WF_ACCURACY_FAST;
        std::vector<side> sides;
        sides.push_back({"wavefold",
                         [&](const void *in, size_t count) {
                             uint64_t result[4];
                             require(wf_reduce(context, &reduction, in, count, result, wf_type_size(spec.type)));
                             return result_of(spec, result);
                         },
                         {},
                         {}});
        sides.push_back({"TBB", spec.tbb, {}, {}});
        sides.push_back({"OpenMP", spec.omp, {}, {}});
        sides.push_back({"a loop", spec.loop, {}, {}});
        // Integers must agree; sums of floats are off by their order, most where one f32 takes them all.
        const double expected = exact_result(spec, pool, n);
        for (const side &one : sides) {
            const double got = one.call(pool, n);
            if (!(std::abs(got - expected) <=
                  (spec.op == WF_SUM && spec.type == WF_F32 ? 1e-2 : 1e-9) * std::abs(expected))) {
                std::fprintf(stderr, "bench-cpu: %s of %s by %s: %.9g, not %.9g\n", wf_op_name(spec.op),
                             wf_type_name(spec.type), one.name.c_str(), got, expected);
                is_right = false;
            }
        }
        // The ceiling's threads are started anew each time: for smaller arrays that would be all it tells.
        if (spec.type == WF_F32 && spec.op == WF_SUM && bytes >= size_t(16) << 20)
            sides.push_back(read_ceiling(context, spec.type));
        measure(sides, pool, bytes, n, samples);
        std::printf("%s\n{\"operation\": \"%s\", \"type\": \"%s\", \"n\": %zu, \"bytes\": %zu, \"rounds\": %zu",
                    is_first ? "" : ",", wf_op_name(spec.op), wf_type_name(spec.type), n, bytes, rounds_of(samples));
        print_samples(sides);
        std::printf("}");
        is_first = false;
    }
    std::printf("\n]\n");
    wf_context_destroy(context);
    std::free(pool);
    return is_right && keep == keep ? 0 : 1;
}
