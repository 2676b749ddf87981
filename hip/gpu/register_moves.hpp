// Moves of values that are larger than a register.
#ifndef WAVEFOLD_GPU_REGISTER_MOVES_HPP
#define WAVEFOLD_GPU_REGISTER_MOVES_HPP

namespace wf {

// Applies a move of 32-bit registers to each word of a value.
template <class T, class Move>
__device__ __forceinline__ T move_words(T value, Move move) {
    static_assert(sizeof(T) % sizeof(int) == 0, "whole registers");
    int words[sizeof(T) / sizeof(int)];
    __builtin_memcpy(words, &value, sizeof value);
    for (int &word : words)
        word = move(word);
    __builtin_memcpy(&value, words, sizeof value);
    return value;
}

} // namespace wf

#endif
