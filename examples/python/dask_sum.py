"""An exact sum of a Dask array: chunks become states, which add up in any order. pip install "dask[array]"."""
import dask.array
import dask.bag
import numpy

import wavefold


def exact_sum(array):
    """The state of all elements of a Dask array."""
    chunks = dask.bag.from_delayed([dask.delayed(lambda chunk: [wavefold.SumState(chunk)])(chunk)
                                    for chunk in array.to_delayed().ravel()])
    return chunks.fold(lambda a, b: a + b, initial=wavefold.SumState()).compute(scheduler="threads")


def main():
    numbers = numpy.random.default_rng(1).standard_normal((1000, 1000))
    for chunks in ((100, 1000), (333, 77)):
        print(f"chunks of {chunks}: {exact_sum(dask.array.from_array(numbers, chunks)).sum().hex()}")
    print(f"at once: {float(wavefold.sum(numbers)).hex()}")


if __name__ == "__main__":
    main()
