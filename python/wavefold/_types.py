"""Element types by the C library's names ("f32"), and the rules of NumPy for the types of results."""

NAMES = {"bool": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8", "u16": "uint16",
         "u32": "uint32", "u64": "uint64", "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}
FROM_NAME = {name: type_ for type_, name in NAMES.items()}
BYTES = {type_: 1 if type_ == "bool" else int(type_.strip("iubf")) // 8 for type_ in NAMES}
TAKEN = "it takes bool, integers of 8 to 64 bits, float16, bfloat16, float32 and float64"


def is_float(type_):
    return type_ in ("f16", "bf16", "f32", "f64")


def wide(type_):
    """The type of NumPy's sums and products: integers have 64 bits."""
    if is_float(type_):
        return type_
    return "u64" if type_[0] == "u" else "i64"


def named(dtype):
    """The type that a dtype of any library, a Python type or a name stands for."""
    python = {bool: "bool", int: "i64", float: "f64"}.get(dtype)
    if python:
        return python
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", None) or getattr(dtype, "__name__", str(dtype))
    name = name.rpartition(".")[2].rstrip("_")  # torch.float32, numpy.bool_
    if name in FROM_NAME:
        return FROM_NAME[name]
    try:
        import numpy
        found = FROM_NAME.get(numpy.dtype(dtype).name)
    except (ImportError, TypeError):
        found = None
    if found is None:
        raise TypeError(f"dtype={dtype!r}: wavefold has no such type; {TAKEN}")
    return found


def accumulator(type_, op, wanted):
    """The accumulator by which the C library's result of a sum, product or mean is wide enough."""
    if is_float(type_):
        return wanted if wanted in ("f32", "f64") and (op != "product" or wanted == "f64") and wanted != type_ else ""
    if op == "mean" or type_ in ("i64", "u64"):
        return ""
    return "u64" if type_[0] == "u" or type_ == "bool" else "i64"
