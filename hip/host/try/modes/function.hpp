// solve() and its kind: a host function that launches kernels on arrays that `wavefold try` makes.
#ifndef WAVEFOLD_HOST_TRY_FUNCTION_HPP
#define WAVEFOLD_HOST_TRY_FUNCTION_HPP

#include "../memory/element_types.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

struct CUstream_st;

namespace wf::tried {

struct function_info {
    const char *name, *parameters, *file; // parameters: their names, with commas between
    size_t line;
    bool takes_host_arrays; // it copies them to the device itself
};

// A parameter, or the result.
struct value_type {
    enum { pointer, stream, integer, floating, nothing, unknown } is;
    element_kind kind; // of a pointer's elements
    size_t element;    // bytes
    bool is_constant;  // of a pointer: to const
};

template <class T>
constexpr value_type value_type_of() {
    using plain = std::remove_cvref_t<T>;
    if constexpr (std::is_same_v<plain, CUstream_st *>) {
        return {value_type::stream, element_kind::other, 0, false};
    } else if constexpr (std::is_pointer_v<plain>) {
        using element = std::remove_pointer_t<plain>;
        return {value_type::pointer, kind_of<std::remove_cv_t<element>>, bytes_of<element>(), std::is_const_v<element>};
    } else if constexpr (std::is_integral_v<plain>) {
        return {value_type::integer, kind_of<plain>, sizeof(plain), false};
    } else if constexpr (std::is_floating_point_v<plain>) {
        return {value_type::floating, kind_of<plain>, sizeof(plain), false};
    } else if constexpr (std::is_void_v<plain>) {
        return {value_type::nothing, element_kind::other, 0, false};
    } else {
        return {value_type::unknown, element_kind::other, 0, false};
    }
}

union value {
    void *pointer;
    long long integer;
    double floating;
};

// The function without its types. call: with these arguments; the result goes to the last parameter.
struct erased_function {
    function_info info;
    const value_type *parameters;
    size_t count;
    value_type result;
    void (*call)(const void *function, const value *arguments, value *result);
    const void *function;
};

// WIDTH SECONDS. Prints the answer, as JSON. Returns 0 if there is one.
int try_function(const erased_function &what, int argument_count, char **arguments);

template <class T>
std::remove_cvref_t<T> argument_as(const value &of) {
    using plain = std::remove_cvref_t<T>;
    if constexpr (std::is_pointer_v<plain>)
        return static_cast<plain>(of.pointer);
    else if constexpr (std::is_integral_v<plain>)
        return static_cast<plain>(of.integer);
    else if constexpr (std::is_floating_point_v<plain>)
        return static_cast<plain>(of.floating);
    else
        return plain(); // not called with one
}

template <class Result, class... Parameters>
int try_function(const function_info &info, Result (*function)(Parameters...), int argument_count, char **arguments) {
    static constexpr value_type types[] = {value_type_of<Parameters>()..., {}};
    using pointer = Result (*)(Parameters...);
    const auto call = [](const void *of, const value *given, value *result) {
        const pointer run = *static_cast<const pointer *>(of);
        [&]<size_t... I>(std::index_sequence<I...>) {
            const auto made = [&] { return run(argument_as<Parameters>(given[I])...); };
            if constexpr (std::is_void_v<Result>)
                made();
            else if constexpr (std::is_integral_v<Result>)
                result->integer = static_cast<long long>(made());
            else if constexpr (std::is_floating_point_v<Result>)
                result->floating = static_cast<double>(made());
            else
                made();
        }
        (std::index_sequence_for<Parameters...>());
    };
    return try_function(erased_function{info, types, sizeof...(Parameters), value_type_of<Result>(), call, &function},
                        argument_count, arguments);
}

} // namespace wf::tried
#endif
