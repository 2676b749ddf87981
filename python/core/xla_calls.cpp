/* Calls of the C API as custom calls of XLA: what wavefold.jax registers, for jax.jit on the CPU and on GPUs. XLA's
 * threads run them without the GIL, on the stream of the computation. */
#include "calls.hpp"
#include "spec.hpp"
#include "wavefold_by_key.h"
#include "wavefold_pairs.h"
#include "wavefold_scan.h"
#include "wavefold_sort.h"
#include "xla_ffi.hpp"

#include <cstring>
#include <string_view>

namespace wavefold::python {
namespace {

/* A failure of a call: XLA reports the message to the program. */
struct Failure {
    xla::ErrorCode code;
    std::string message;
};

struct Operand {
    char *data;
    wf_type type;
    std::vector<uint64_t> shape;

    size_t count() const {
        size_t elements = 1;
        for (const uint64_t length : shape)
            elements *= length;
        return elements;
    }
    size_t bytes() const { return count() * wf_type_size(type); }
    size_t row_length() const { return shape.empty() ? 1 : shape.back(); }
    size_t rows() const { return row_length() == 0 ? 0 : count() / row_length(); }
};

wf_type type_of(int32_t xla_type) {
    static const std::pair<int32_t, wf_type> types[] = {
        {1, WF_U8},  {2, WF_I8},  {3, WF_I16},  {4, WF_I32},  {5, WF_I64},  {6, WF_U8},    {7, WF_U16},
        {8, WF_U32}, {9, WF_U64}, {10, WF_F16}, {11, WF_F32}, {12, WF_F64}, {16, WF_BF16},
    };
    for (const auto &[candidate, type] : types)
        if (candidate == xla_type)
            return type;
    throw Failure{xla::unimplemented, "elements of a type that wavefold does not have"};
}

/* What a handler is called with. */
class Call {
  public:
    Call(const xla::CallFrame &frame, Backend backend) : frame_(frame), device_{backend, 0} {
        if (device_.is_host())
            return;
        xla::GetStream stream = {sizeof stream, nullptr, frame.context, nullptr};
        require_none(frame.api->get_stream(&stream));
        stream_ = stream.stream;
        if (frame.api->struct_size < sizeof(xla::Api)) // no guess, which would be wrong on a second GPU
            throw Failure{xla::unimplemented,
                          "this version of JAX does not name the GPU of a call: pip install -U jax"};
        xla::GetOrdinal ordinal = {sizeof ordinal, nullptr, frame.context, 0};
        require_none(frame.api->get_ordinal(&ordinal));
        device_.ordinal = ordinal.ordinal;
    }

    wf_context *context() const {
        nb::gil_scoped_acquire locked;
        try {
            return opened(device_);
        } catch (nb::python_error &error) {
            throw Failure{xla::internal, error.what()};
        }
    }
    void *stream() const { return stream_; }
    Operand argument(int64_t i) const { return operand(frame_.arguments, i); }
    Operand result(int64_t i) const { return operand(frame_.results, i); }

    std::string_view text(std::string_view name) const {
        const auto *const found = static_cast<const xla::Text *>(attribute(name, xla::string));
        return {found->begin, found->length};
    }
    int64_t number(std::string_view name) const {
        const auto *const found = static_cast<const xla::Scalar *>(attribute(name, xla::scalar));
        if (found->type != xla::signed_64)
            throw Failure{xla::invalid_argument, "attribute '" + std::string(name) + "' is no int64"};
        int64_t value;
        std::memcpy(&value, found->value, sizeof value);
        return value;
    }

  private:
    static void require_none(const xla::Error *error) {
        if (error != nullptr)
            throw Failure{xla::internal, "XLA gives no stream or device"};
    }

    static Operand operand(const xla::Buffers &of, int64_t i) {
        const xla::Buffer &buffer = *of.buffers[i];
        return {
            static_cast<char *>(buffer.data), type_of(buffer.type), {buffer.shape, buffer.shape + buffer.dimensions}};
    }

    const void *attribute(std::string_view name, xla::AttributeType type) const {
        const xla::Attributes &all = frame_.attributes;
        for (int64_t i = 0; i < all.count; i++)
            if (name == std::string_view(all.names[i]->begin, all.names[i]->length) && all.types[i] == type)
                return all.values[i];
        throw Failure{xla::invalid_argument, "no attribute '" + std::string(name) + "'"};
    }

    const xla::CallFrame &frame_;
    Device device_;
    void *stream_ = nullptr;
};

wf_reduce_spec spec_for(const Call &call, wf_type type) {
    nb::gil_scoped_acquire locked; // its errors are Python's
    return spec_of(type, call.text("op"), call.text("accumulator"), "exact");
}

/* Dimensions are counted from the last one, so that vmap may put others before them: bit 0 is the last one. */
wf_axes axes_for(const Operand &array, uint64_t reduced) {
    wf_axes axes = {};
    const size_t dimensions = array.shape.size();
    if (dimensions > WF_MOST_DIMENSIONS)
        throw Failure{xla::invalid_argument, "an array of more than 8 dimensions: merge some by reshape"};
    axes.dimensions = static_cast<uint32_t>(std::max<size_t>(dimensions, 1));
    axes.counts[0] = 1;
    for (size_t d = 0; d < dimensions; d++) {
        axes.counts[d] = array.shape[d];
        axes.reduced |= static_cast<uint32_t>(reduced >> (dimensions - 1 - d) & 1) << d;
    }
    return axes;
}

wf_status reduce(const Call &call) {
    const Operand in = call.argument(0), out = call.result(0);
    const wf_reduce_spec spec = spec_for(call, in.type);
    const wf_axes axes = axes_for(in, static_cast<uint64_t>(call.number("reduced")));
    return wf_reduce_axes_async(call.context(), &spec, &axes, in.data, out.data, out.bytes(), call.stream());
}

wf_status dot(const Call &call) {
    const Operand x = call.argument(0), y = call.argument(1), out = call.result(0);
    wf_reduce_spec spec = {};
    spec.type = x.type;
    return wf_dot_async(call.context(), &spec, x.data, y.data, x.count(), out.data, out.bytes(), call.stream());
}

wf_status scan(const Call &call) {
    const Operand in = call.argument(0), out = call.result(0);
    if (in.count() == 0)
        return WF_OK;
    wf_scan_spec spec = {};
    spec.reduce = spec_for(call, in.type);
    spec.reduce.accuracy = WF_ACCURACY_FAST;
    spec.as_elements = in.type == out.type;
    const wf_axes axes = axes_for(in, static_cast<uint64_t>(call.number("reduced")));
    return wf_scan_axes_async(call.context(), &spec, &axes, in.data, out.data, call.stream());
}

/* The result is the argument's memory, or a copy. */
wf_status sort(const Call &call) {
    const Operand keys = call.result(0);
    wf_sort_spec spec = {};
    spec.type = keys.type;
    spec.descending = call.number("descending") != 0;
    return wf_sort_rows_async(call.context(), &spec, keys.data, nullptr, keys.rows(), keys.row_length(), call.stream());
}

wf_status argsort(const Call &call) {
    const Operand keys = call.argument(0), positions = call.result(0);
    wf_sort_spec spec = {};
    spec.type = keys.type;
    spec.descending = call.number("descending") != 0;
    spec.value_bytes = static_cast<uint32_t>(wf_type_size(positions.type));
    return wf_argsort_rows_async(call.context(), &spec, keys.data, positions.data, keys.rows(), keys.row_length(),
                                 call.stream());
}

wf_status scatter_add(const Call &call) {
    const Operand indices = call.argument(0), values = call.argument(1), bins = call.result(0);
    wf_scatter scatter = {};
    scatter.bins = bins.count();
    scatter.index_type = indices.type;
    const wf_reduce_spec spec = spec_for(call, values.type);
    return wf_scatter_reduce_async(call.context(), &spec, &scatter, indices.data, values.data, indices.count(),
                                   bins.data, bins.bytes(), call.stream());
}

xla::Error *report(const xla::CallFrame &frame, const Failure &failure) {
    xla::CreateError error = {sizeof error, nullptr, failure.message.c_str(), failure.code};
    return frame.api->create_error(&error);
}

xla::ErrorCode code_of(wf_status status) {
    return status == WF_INVALID_ARGUMENT ? xla::invalid_argument
           : status == WF_UNSUPPORTED    ? xla::unimplemented
           : status == WF_OUT_OF_MEMORY  ? xla::resource_exhausted
                                         : xla::internal;
}

/* Before the first call XLA queries the version that the handler was written for: any minor one of version 0. */
bool is_query(const xla::CallFrame &frame) {
    if (frame.extension == nullptr || frame.extension->type != xla::metadata)
        return false;
    xla::Metadata &wanted = *reinterpret_cast<xla::MetadataExtension *>(frame.extension)->metadata;
    wanted.version.major = xla::major_version;
    wanted.version.minor = frame.api->version.minor;
    wanted.traits = 0;
    return true;
}

template <wf_status (*run)(const Call &), Backend backend>
xla::Error *handle(xla::CallFrame *frame) {
    if (is_query(*frame) || frame->stage != xla::execute)
        return nullptr;
    try {
        const wf_status status = run(Call(*frame, backend));
        return status == WF_OK ? nullptr : report(*frame, {code_of(status), wf_last_error()});
    } catch (const Failure &failure) {
        return report(*frame, failure);
    } catch (const std::exception &error) {
        return report(*frame, {xla::internal, error.what()});
    }
}

template <Backend backend>
nb::dict handlers_on() {
    const auto capsule = [](xla::Error *(*handler)(xla::CallFrame *)) {
        return nb::capsule(reinterpret_cast<const void *>(handler));
    };
    nb::dict all;
    all["wavefold_reduce"] = capsule(handle<reduce, backend>);
    all["wavefold_dot"] = capsule(handle<dot, backend>);
    all["wavefold_scan"] = capsule(handle<scan, backend>);
    all["wavefold_sort"] = capsule(handle<sort, backend>);
    all["wavefold_argsort"] = capsule(handle<argsort, backend>);
    all["wavefold_scatter_add"] = capsule(handle<scatter_add, backend>);
    return all;
}

/* The handlers of each platform, by JAX's names. */
nb::dict xla_handlers() {
    nb::dict platforms;
    platforms["cpu"] = handlers_on<Backend::host>();
    platforms["CUDA"] = handlers_on<Backend::nvidia>();
    platforms["ROCM"] = handlers_on<Backend::amd>();
    return platforms;
}

} // namespace

void define_xla_calls(nb::module_ &module) {
    module.def("xla_handlers", &xla_handlers);
}

} // namespace wavefold::python
