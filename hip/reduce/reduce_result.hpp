// reduce_result: where a kernel stores its result, and how it notifies the host.
#ifndef WAVEFOLD_REDUCE_REDUCE_RESULT_HPP
#define WAVEFOLD_REDUCE_REDUCE_RESULT_HPP

#include <cstdint>

namespace wf {

// The host waits until the word is the number; null: it does not wait for this word.
template <class Result>
struct reduce_result {
    Result *result;
    uint64_t *word;
    uint64_t number;
};

} // namespace wf
#endif
