"""An exact sum by Ray's workers. pip install ray."""
import numpy
import ray

import wavefold


@ray.remote
def state_of(part):
    return wavefold.SumState(part)


def main():
    numbers = numpy.random.default_rng(1).standard_normal(1_000_000)
    states = ray.get([state_of.remote(part) for part in numpy.array_split(numbers, 8)])
    print(sum(states, wavefold.SumState()).sum().hex())


if __name__ == "__main__":
    main()
