/* Arrays of other libraries: the buffer protocol, DLPack, and addresses from __cuda_array_interface__. */
#ifndef WAVEFOLD_PYTHON_IMPORT_HPP
#define WAVEFOLD_PYTHON_IMPORT_HPP

#include "array.hpp"
#include "dlpack.hpp"

namespace wavefold::python {

struct TypeName {
    wf_type type;
    bool is_bool;
};

/* "f32", ..., "bool". Throws TypeError for another name. */
TypeName type_named(const std::string &name);

/* The type of a format of the buffer protocol. found: false if there is none, such as for complex numbers, or if the
 * byte order is not the machine's. */
struct TypeOfFormat {
    TypeName type;
    bool found;
};
TypeOfFormat type_of_format(const char *format, size_t bytes);

/* False: wavefold has no such type, or no such device. */
bool find_type(dlpack::DataType of, TypeName &found);
bool find_device(dlpack::Device of, Device &found);

/* The array that a tensor describes; its memory is not kept alive. Throws for types and devices that wavefold lacks. */
Array of_tensor(const dlpack::Tensor &tensor, bool is_writable);

/* Keeps an object alive as long as the array. */
std::shared_ptr<const void> held_object(nb::handle object);

void define_import(nb::module_ &module);

} // namespace wavefold::python

#endif
