#include "tensor_path.hpp"

#include "numpy_rules.hpp"
#include "spec.hpp"

#include <atomic>

namespace wavefold::python {
namespace {

std::atomic<PyObject *> tensor_type; // torch.Tensor, once the program has imported torch; set last
const dlpack::ExchangeApi *exchange;
PyObject *is_neg; // the name of the method

void know_torch(nb::handle of_tensors, nb::handle capsule) {
    exchange = static_cast<const dlpack::ExchangeApi *>(PyCapsule_GetPointer(capsule.ptr(), "dlpack_exchange_api"));
    if (exchange == nullptr)
        throw nb::python_error();
    is_neg = PyUnicode_InternFromString("is_neg");
    if (exchange->header.major == 1)
        tensor_type.store(nb::borrow(of_tensors).release().ptr(), std::memory_order_release);
}

bool is_tensor(nb::handle object) {
    PyObject *const known = tensor_type.load(std::memory_order_acquire);
    return known != nullptr && reinterpret_cast<PyObject *>(Py_TYPE(object.ptr())) == known;
}

nb::object general_case() {
    PyErr_Clear(); // which reports it
    return nb::none();
}

bool lies_in_c_order(const dlpack::Tensor &tensor) {
    int64_t expected = 1;
    for (int32_t d = tensor.dimensions; tensor.strides != nullptr && d-- > 0;) {
        if (tensor.shape[d] != 1 && tensor.strides[d] != expected)
            return false;
        expected *= tensor.shape[d];
    }
    return true;
}

size_t count_of(const dlpack::Tensor &tensor) {
    size_t count = 1;
    for (int32_t d = 0; d < tensor.dimensions; d++)
        count *= static_cast<size_t>(tensor.shape[d]);
    return count;
}

/* Whether elements are the negatives of what lies in memory. */
bool is_negated(nb::handle tensor) {
    PyObject *const arguments[] = {tensor.ptr()};
    return nb::steal(PyObject_VectorcallMethod(is_neg, arguments, 1, nullptr)).ptr() != Py_False;
}

dlpack::DataType data_type_of(wf_type type) {
    const char *const name = wf_type_name(type);
    const uint8_t code = type == WF_BF16 ? dlpack::bfloat
                         : *name == 'f'  ? dlpack::floating
                         : *name == 'i'  ? dlpack::signed_integer
                                         : dlpack::unsigned_integer;
    return {code, static_cast<uint8_t>(8 * wf_type_size(type)), 1};
}

/* A result without dimensions, in memory of torch's. NULL: none is left, or the type is none of torch's. */
dlpack::ManagedVersioned *allocate(dlpack::Device device, wf_type type) {
    dlpack::Tensor prototype = {};
    dlpack::ManagedVersioned *made = nullptr;
    prototype.device = device;
    prototype.type = data_type_of(type);
    const auto set_error = [](void *, const char *, const char *) {};
    return exchange->allocate(&prototype, &made, nullptr, set_error) == 0 ? made : nullptr;
}

/* A reduction of a whole tensor in C order. */
struct Request {
    dlpack::Device device;
    wf_context *context;
    wf_reduce_spec spec;
    const char *in;
    size_t count;
    wf_type result_type;
    void *stream;
};

/* False: the general case must take it, or report it. */
bool request_of(nb::handle object, wf_op op, Request &made) {
    dlpack::Tensor seen;
    TypeName type;
    Device device;
    made.stream = nullptr;
    if (!is_tensor(object))
        return false;
    if (exchange->tensor_of_object(object.ptr(), &seen) != 0 || !find_type(seen.type, type) ||
        !find_device(seen.device, device) || !lies_in_c_order(seen) || is_negated(object) ||
        (type.is_bool && op != WF_SUM))
        return false;
    made.device = seen.device;
    made.count = count_of(seen);
    if (made.count == 0 ||
        (!device.is_host() && exchange->current_stream(seen.device.type, seen.device.ordinal, &made.stream) != 0))
        return false;
    made.context = opened(device);
    made.spec = spec_by_numpy(type.type, op);
    made.in = static_cast<const char *>(seen.data) + seen.byte_offset;
    made.result_type = result_by_numpy(type, op);
    return true;
}

} // namespace

nb::object reduce_tensor(nb::handle object, wf_op op) {
    Request request;
    if (!request_of(object, op, request))
        return general_case();
    dlpack::ManagedVersioned *const result = allocate(request.device, request.result_type);
    if (result == nullptr)
        return general_case();
    const auto reduce = [&] {
        return wf_reduce_async(request.context, &request.spec, request.in, request.count, result->tensor.data,
                               wf_type_size(request.result_type), request.stream);
    };
    const wf_status status = request.count < 4096 ? reduce() : without_gil(reduce);
    void *made = nullptr;
    if (exchange->object_of_managed(result, &made) != 0)
        throw nb::python_error();
    const nb::object returned = nb::steal(static_cast<PyObject *>(made));
    require(status);
    return returned;
}

bool reduce_tensor_here(nb::handle object, wf_op op, void *result, wf_type &result_type) {
    Request request;
    // The library's own queue comes after the default stream; no other one.
    if (!request_of(object, op, request) || request.stream != nullptr) {
        PyErr_Clear();
        return false;
    }
    result_type = request.result_type;
    run([&] {
        return wf_reduce(request.context, &request.spec, request.in, request.count, result, wf_type_size(result_type));
    });
    return true;
}

namespace {

/* The array of a tensor, or None: the general case must take it, or refuse it. */
nb::object array_of_tensor(nb::handle object) {
    dlpack::Tensor seen;
    TypeName type;
    Device device;
    if (!is_tensor(object))
        return nb::none();
    if (exchange->tensor_of_object(object.ptr(), &seen) != 0 || !find_type(seen.type, type) ||
        !find_device(seen.device, device) || is_negated(object))
        return general_case();
    Array array = of_tensor(seen, true);
    array.owner = held_object(object);
    return nb::cast(std::move(array));
}

} // namespace

void define_tensor_path(nb::module_ &module) {
    module.def("array_of_tensor", &array_of_tensor, nb::arg("tensor"));
    module.def("know_torch", &know_torch, nb::arg("of_tensors"), nb::arg("exchange_api"));
}

} // namespace wavefold::python
