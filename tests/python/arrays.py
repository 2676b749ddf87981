"""Random arrays: shapes, types, strides, axes, as hypothesis strategies."""
import numpy
from hypothesis import strategies as st

FLOATS = ("float16", "float32", "float64")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
TYPES = FLOATS + INTEGERS + ("bool",)
SPECIAL = (0.0, -0.0, 1.0, -1.0, numpy.inf, -numpy.inf, numpy.nan, 5e-324, 1e-40, 6e-8)


def fill(shape, dtype, seed, special=False):
    """Numbers with a distinct weight for each element; special: floats among which NaN, infinities, zeros stand."""
    rng = numpy.random.default_rng(seed)
    dtype = numpy.dtype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.kind in "iu":
        info = numpy.iinfo(dtype)
        return rng.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)
    values = (rng.standard_normal(shape) * 2.0 ** rng.integers(-6, 6, shape)).astype(dtype)
    if special:
        chosen = rng.random(shape) < 0.2
        with numpy.errstate(all="ignore"):
            values = numpy.where(chosen, rng.choice(SPECIAL, shape).astype(dtype), values)
    return values


@st.composite
def layouts(draw, most=4, longest=9):
    """A shape, and a function that gives an array of this shape from one with more elements: a strided view."""
    shape = tuple(draw(st.lists(st.integers(0, longest), max_size=most)))
    order = draw(st.permutations(range(len(shape))))
    steps = [draw(st.sampled_from((1, 1, 2, 3, -1, -2))) for _ in shape]
    repeats = [draw(st.booleans()) and draw(st.booleans()) for _ in shape]

    def view(make):
        full = [1 if repeats[d] and shape[d] else abs(steps[d]) * shape[d] for d in range(len(shape))]
        base = make(tuple(full[d] for d in order))
        back = [order.index(d) for d in range(len(shape))]
        seen = base.transpose(back)
        seen = seen[tuple(slice(None) if repeats[d] and shape[d] else slice(None, None, steps[d])
                          for d in range(len(shape)))]
        return numpy.broadcast_to(seen, shape)
    return shape, view


@st.composite
def axes_of(draw, shape, single=False):
    if single or not shape:
        return draw(st.sampled_from((None, *range(-len(shape), len(shape)))))
    if draw(st.booleans()):
        return None
    chosen = draw(st.lists(st.integers(0, len(shape) - 1), unique=True, max_size=len(shape)))
    axes = tuple(draw(st.sampled_from((d, d - len(shape)))) for d in chosen)
    return axes[0] if len(axes) == 1 and draw(st.booleans()) else axes


def exact_sum(values):
    """The real sum of each element, rounded once into its type: by fractions, of finite values."""
    from fractions import Fraction
    total = sum((Fraction(float(value)) for value in values.reshape(-1)), Fraction(0))
    return round_to(total, values.dtype)


def round_to(fraction, dtype):
    """A fraction, rounded to nearest even into a type of floats."""
    dtype = numpy.dtype(dtype)
    if dtype == numpy.float64 or fraction == 0:
        return dtype.type(float(fraction))
    info = numpy.finfo(dtype)
    near = dtype.type(float(fraction))
    if not numpy.isfinite(near):
        near = numpy.copysign(info.max, near)
    candidates = {float(near), float(numpy.nextafter(near, dtype.type(numpy.inf))),
                  float(numpy.nextafter(near, dtype.type(-numpy.inf)))}
    from fractions import Fraction
    step = Fraction(float(info.max)) - Fraction(float(numpy.nextafter(info.max, dtype.type(0))))

    def distance(candidate):
        value = Fraction(candidate) if numpy.isfinite(candidate) else (
            (Fraction(float(info.max)) + step) * (1 if candidate > 0 else -1))
        bits = int(numpy.array(candidate, dtype).view(f"u{dtype.itemsize}"))
        return abs(value - fraction), bits & 1
    return dtype.type(min(candidates, key=distance))
