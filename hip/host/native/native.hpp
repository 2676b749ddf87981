// The CPU's own fold and description: no kernel, no emulator.
//
// An array is cut into pieces, of which threads take one after the other (pool.hpp); pieces are folded in chunks that
// stay in the nearest cache, by kernels that are compiled once for each set of instructions (native_kernels.cpp); what
// the pieces fold to is joined in their order. Where the cuts are depends on the count and on the address modulo 64, so
// the same kernels give the same bits every time, however many threads there are.
#ifndef WAVEFOLD_HOST_NATIVE_HPP
#define WAVEFOLD_HOST_NATIVE_HPP

#include "axes_kernels.hpp"

#include "algebra.h"
#include "reduce/request.h"
#include "reduce/thread_table.h"
#include "wavefold_sum.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace wf::host::native {

class pool;
struct worth;

// What is folded, or described (then op means nothing).
struct job {
    job(const wf_reduce_request &request, wf_thread_table threads_of_request)
        : type(request.type), op(request.op), accumulator(request.accumulator), nan(request.nan),
          in(static_cast<const char *>(request.source)), count(request.source_count), threads(threads_of_request) {}
    explicit job(const wf_axes_request &request)
        : type(request.type), op(request.op), accumulator(request.accumulator), nan(request.nan), in(nullptr), count(0),
          threads() {}
    wf_type type;
    wf_op op;
    wf_type accumulator;
    wf_nan nan;
    const char *in;
    uint64_t count;
    wf_thread_table threads;
};

// What a piece comes to; each kernel knows what its own holds.
struct partial {
    alignas(8) unsigned char bytes[112];
};

// The functions of one set of instructions, called in a default_float_environment. A piece is elements begin to
// end - 1; finish joins the pieces in order and writes the result.
struct kernels {
    const char *name;
    void (*fold)(const job &what, uint64_t begin, uint64_t end, partial *to);
    void (*finish)(const job &what, const partial *pieces, size_t count, void *result);
    void (*sum)(const job &what, uint64_t begin, uint64_t end, wf_sum_state *to); // exactly
    // The products of neighbours in two arrays of floats, exactly; those of f64 are rounded first.
    void (*sum_products)(wf_type type, const char *x, const char *y, uint64_t count, wf_sum_state *to);
    // Of floats also the exact sum; finish_description takes that of all.
    void (*describe)(const job &what, uint64_t begin, uint64_t end, partial *to, wf_sum_state *sum);
    void (*finish_description)(const job &what, const partial *pieces, size_t count, const wf_sum_state &sum,
                               wf_description *result);
    axes_kernels axes;
};

// Folds in chunks of so many bytes: what stays in the nearest cache of every CPU, so that looking twice costs little.
constexpr size_t chunk_bytes = 16 * 1024;

// The widest that the CPU has, or what the environment's WAVEFOLD_CPU asks for. Null, with a sentence in *error and its
// status, if that is unknown or the CPU lacks it.
const kernels *choose_kernels(wf_status *status, std::string *error);

// How many helper threads a job of this size gains from.
worth helpers_worth(uint64_t bytes, const wf_thread_table &shares, unsigned threads);

// As backend.h says of its reduce. The reduction must be one of wf_reduction_get_info's table.
void reduce(const kernels &cpu, pool &helpers, const wf_reduce_request &what, wf_thread_table threads);

} // namespace wf::host::native
#endif
