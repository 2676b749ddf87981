// Launches by a user's host code. `wavefold try` translates k<<<grid, block, bytes, stream>>>(a, b) to a call of
// launch(), and hipLaunchKernelGGL is a macro of it.
#ifndef WAVEFOLD_HOST_TRY_LAUNCH_HPP
#define WAVEFOLD_HOST_TRY_LAUNCH_HPP

#include "memory/element_types.hpp"
#include "words/dimensions.hpp"

#include <cstddef>
#include <type_traits>

namespace wf::tried {

struct launch_shape {
    dim3 grid, block;
    size_t tile_bytes; // of the kernel's extern __shared__ array
    void *stream;

    launch_shape(dim3 of_grid, dim3 of_block, size_t bytes = 0, void *on = nullptr)
        : grid(of_grid), block(of_block), tile_bytes(bytes), stream(on) {}
};

// An argument that is a pointer: its elements name the type of the array that it points to.
struct pointer_argument {
    const void *address;
    size_t element; // bytes; 0: unknown
    element_kind kind;
    bool is_constant;
};

// A launch without its types. run: runs one lane; `arguments` has the arguments' copies, which lanes read.
struct erased_launch {
    const char *kernel;
    unsigned line;
    launch_shape shape;
    void (*run)(const void *arguments);
    const void *arguments;
    size_t argument_bytes;
    const pointer_argument *pointers;
    size_t pointer_count;
};

// Returns after the last lane. An invalid shape sets the last error, as on GPUs.
void launch(const erased_launch &what);
// The lane that runs is about to enter the kernel.
void begin_lane();

template <class T>
WF_TRY_UNRECORDED void add_pointer(pointer_argument *, size_t &, const T &) {}
template <class T>
WF_TRY_UNRECORDED void add_pointer(pointer_argument *to, size_t &count, T *const &address) {
    using plain = std::remove_cv_t<T>;
    to[count++] = {const_cast<const plain *>(address), bytes_of<plain>(), kind_of<plain>, std::is_const_v<T>};
}

template <class Kernel, class... Arguments>
WF_TRY_UNRECORDED void launch(const char *name, unsigned line, const launch_shape &shape, const Kernel &kernel,
                              Arguments... arguments) {
    pointer_argument pointers[sizeof...(arguments) + 1];
    size_t pointer_count = 0;
    (add_pointer(pointers, pointer_count, arguments), ...);
    const auto lane = [&kernel, arguments...]() WF_TRY_UNRECORDED {
        begin_lane();
        kernel(arguments...);
    };
    using lane_type = decltype(lane);
    launch(erased_launch{name, line, shape,
                         [](const void *of) WF_TRY_UNRECORDED { (*static_cast<const lane_type *>(of))(); }, &lane,
                         sizeof lane, pointers, pointer_count});
}

} // namespace wf::tried

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define hipLaunchKernelGGL(kernel, grid, block, bytes, stream, ...)                                                    \
    ::wf::tried::launch(#kernel, __LINE__, ::wf::tried::launch_shape(grid, block, bytes, stream),                      \
                        [&](const auto &...wf_of) WF_TRY_UNRECORDED { kernel(wf_of...); } __VA_OPT__(, ) __VA_ARGS__)

#endif
