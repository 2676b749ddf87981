"""An exact sum by worker processes: the same bits for any number of parts."""
import concurrent.futures

import numpy

import wavefold


def main():
    numbers = numpy.random.default_rng(1).standard_normal(1_000_000)
    with concurrent.futures.ProcessPoolExecutor(2) as workers:
        for parts in (2, 7, 100):
            states = workers.map(wavefold.SumState, numpy.array_split(numbers, parts))
            total = sum(states, wavefold.SumState())
            print(f"{parts:3} parts: {total.sum().hex()}")
    print(f"at once:   {float(wavefold.sum(numbers)).hex()}")


if __name__ == "__main__":
    main()
