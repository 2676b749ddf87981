"""An exact sum over MPI's ranks: mpirun -n 4 python mpi_sum.py. pip install mpi4py.

Ranks that have C use wf_mpi_reduce instead, which sends less (docs/ranks.md).
"""
import numpy
from mpi4py import MPI

import wavefold


def main():
    ranks = MPI.COMM_WORLD
    numbers = numpy.random.default_rng(1).standard_normal(1_000_000)
    part = wavefold.SumState(numpy.array_split(numbers, ranks.size)[ranks.rank])
    total = ranks.allreduce(part, op=MPI.SUM)
    if ranks.rank == 0:
        print(f"{ranks.size} ranks: {total.sum().hex()}")


if __name__ == "__main__":
    main()
