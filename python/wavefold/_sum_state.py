"""SumState: exact sums in parts, which may be made anywhere and added in any order."""
from wavefold import _core, _inputs, _types

_FINAL = {"float64": ("sum_f64", "mean_f64"), "float32": ("sum_f32", "mean_f32")}


class SumState:
    """An exact sum of floats before it is rounded. Arrays and states are added by +=, in any order, with the same bits.

    It can be pickled, compared and hashed, and has the same 600 bytes on every machine. So workers of multiprocessing,
    Dask, Ray or MPI sum parts, and their states sum up to the bits of one sum of all.

    SumState(): the sum of no elements. SumState(a): that of a's. of: "sum", or "asum" (magnitudes), or "sumsq" (squares
    of float16, bfloat16, float32). Raises TypeError for arrays of integers.

    >>> import numpy, wavefold
    >>> parts = [numpy.array([1e16, 1.0]), numpy.array([-1e16])]
    >>> state = sum((wavefold.SumState(part) for part in parts), wavefold.SumState())
    >>> float(state.sum()), state.count
    (1.0, 3)
    """
    __slots__ = ("_state", "_of")

    def __init__(self, a=None, *, of="sum"):
        if of not in ("sum", "asum", "sumsq"):
            raise ValueError(f"of={of!r}: it is \"sum\", \"asum\" or \"sumsq\"")
        self._state, self._of = _core.SumState(), of
        if a is not None:
            self.add(a)

    def add(self, a):
        """Adds the elements of an array, or another state. Returns the state."""
        if isinstance(a, SumState):
            self._state.merge(a._state)
            return self
        taken = _inputs.take(a)
        if not _types.is_float(taken.type):
            raise TypeError(f"'a' has elements of type {_types.NAMES[taken.type]}: a state sums floats; sum adds "
                            "integers without rounding")
        if not taken.array.is_contiguous:
            if taken.array.backend != 0:
                raise BufferError("'a' has gaps, and would have to be copied: make it contiguous")
            taken = _inputs.again(taken, taken.library.contiguous(taken.value), "a")
        taken.library.wait(taken.array)
        self._state.accumulate(taken.array, self._of)
        return self

    __iadd__ = add

    def __add__(self, other):
        return self.copy().add(other)

    def copy(self):
        return SumState.from_bytes(bytes(self), of=self._of)

    def sum(self, dtype="float64"):
        """The sum, rounded once, as a number of Python (float64) or, for dtype float32, of that precision."""
        return getattr(self._state, self._final(dtype)[0])()

    def mean(self, dtype="float64"):
        """The sum divided by the count, rounded once; NaN for no elements."""
        return getattr(self._state, self._final(dtype)[1])()

    @staticmethod
    def _final(dtype):
        found = _FINAL.get(_types.NAMES[_types.named(dtype)])
        if found is None:
            raise TypeError(f"dtype={dtype!r}: a state is rounded to float64 or float32")
        return found

    @property
    def count(self):
        """How many elements were added."""
        return self._state.count

    def __bytes__(self):
        return self._state.to_bytes()

    @classmethod
    def from_bytes(cls, state, *, of="sum"):
        """The state of 600 bytes. Raises ValueError for bytes that are none."""
        made = cls(of=of)
        made._state = _core.SumState.from_bytes(bytes(state))
        return made

    def __eq__(self, other):
        return bytes(self) == bytes(other) if isinstance(other, SumState) else NotImplemented

    def __hash__(self):
        return hash(bytes(self))

    def __reduce__(self):
        return _unpickled, (bytes(self), self._of)

    def __repr__(self):
        return f"SumState(count={self.count}, sum={self.sum()!r})"


def _unpickled(state, of):
    return SumState.from_bytes(state, of=of)
