// Where the least element of a std::vector stands: from C++, with a context that destroys itself and errors that are
// thrown.
//
//   c++ -std=c++17 argmin.cpp $(pkg-config --cflags --libs wavefold) -o argmin
//   ./argmin host
#include <wavefold.h>

#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace {

void check(wf_status status) {
    if (status != WF_OK)
        throw std::runtime_error(std::string(wf_status_name(status)) + ": " + wf_last_error());
}

struct destroy_context {
    void operator()(wf_context *context) const { wf_context_destroy(context); }
};
using context_handle = std::unique_ptr<wf_context, destroy_context>;

context_handle open(const char *device) {
    wf_context *context = nullptr;
    check(wf_context_create(&context, device));
    return context_handle(context);
}

// Which of the library's types a C++ type is: what has no line here does not compile.
template <class T>
struct type_of;
template <>
struct type_of<float> : std::integral_constant<wf_type, WF_F32> {};
template <>
struct type_of<double> : std::integral_constant<wf_type, WF_F64> {};
template <>
struct type_of<std::int32_t> : std::integral_constant<wf_type, WF_I32> {};
template <>
struct type_of<std::int64_t> : std::integral_constant<wf_type, WF_I64> {};

// What argmin and argmax give: the value, and behind its 8 bytes the index.
template <class T>
struct extreme {
    alignas(8) T value;
    alignas(8) std::uint64_t index; // UINT64_MAX if there was no element
};

template <class T>
extreme<T> argmin(wf_context *context, const std::vector<T> &numbers) {
    wf_reduce_spec what = {};
    what.type = type_of<T>::value;
    what.op = WF_ARGMIN;
    extreme<T> least;
    check(wf_reduce(context, &what, numbers.data(), numbers.size(), &least));
    return least;
}

} // namespace

int main(int argc, char **argv) try {
    const context_handle context = open(argc > 1 ? argv[1] : "auto");
    const extreme<float> least = argmin(context.get(), std::vector<float>{3.5f, -1.25f, 7.0f, -1.25f});
    std::cout << "argmin " << least.index << ", value " << least.value << '\n'; // the first of the two
    const extreme<std::int64_t> none = argmin(context.get(), std::vector<std::int64_t>{});
    std::cout << (none.index == UINT64_MAX ? "nothing in an empty vector\n" : "wrong\n");
    return 0;
} catch (const std::exception &error) {
    std::cerr << error.what() << '\n';
    return 1;
}
