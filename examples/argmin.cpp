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

// The library's type of a C++ type, and the struct that argmin fills. A type without a line here does not compile.
template <wf_type Type, class Indexed>
struct argmin_traits {
    static constexpr wf_type type = Type;
    using result = Indexed;
};
template <class T>
struct traits_of;
template <>
struct traits_of<float> : argmin_traits<WF_F32, wf_indexed_f32> {};
template <>
struct traits_of<double> : argmin_traits<WF_F64, wf_indexed_f64> {};
template <>
struct traits_of<std::int32_t> : argmin_traits<WF_I32, wf_indexed_i32> {};
template <>
struct traits_of<std::int64_t> : argmin_traits<WF_I64, wf_indexed_i64> {};

template <class T>
typename traits_of<T>::result argmin(wf_context *context, const std::vector<T> &numbers) {
    wf_reduce_spec spec = {};
    spec.type = traits_of<T>::type;
    spec.op = WF_ARGMIN;
    typename traits_of<T>::result least;
    check(wf_reduce(context, &spec, numbers.data(), numbers.size(), &least, sizeof least));
    return least;
}

} // namespace

int main(int argc, char **argv) try {
    const context_handle context = open(argc > 1 ? argv[1] : "auto");
    const wf_indexed_f32 least = argmin(context.get(), std::vector<float>{3.5f, -1.25f, 7.0f, -1.25f});
    std::cout << "argmin " << least.index << ", value " << least.value << '\n'; // the first of the two
    const wf_indexed_i64 none = argmin(context.get(), std::vector<std::int64_t>{});
    std::cout << (none.index == UINT64_MAX ? "nothing in an empty vector\n" : "wrong\n");
    return 0;
} catch (const std::exception &error) {
    std::cerr << error.what() << '\n';
    return 1;
}
