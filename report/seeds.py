"""Figures that the documents name from which the ladder comes, and ours on the same steps."""

from dataclasses import dataclass

LECTURE = "Tesla K40m, sum of 2²⁶ ints, tiles of 1024 threads"
# (step, the lecture's GB/s, the rung here)
LECTURE_STEPS = (
    ("reduce 1", 8.2, "tiled_1"),
    ("reduce 2", 11.6, "tiled_2"),
    ("reduce 3", 13.8, "tiled_3"),
    ("reduce 4", 24.3, "tiled_4"),
    ("reduce 5", 32.1, "unrolled_wave"),
    ("reduce 6", 34.9, "unrolled_full"),
    ("reduce 7", 96.9, "cascade_unrolled"),
)
LECTURE_N = 2**26

STUDENT_TIMES = 23.0  # 26.45 ms / 1.15 ms
STUDENT_N = 10**7
STUDENT_RUNG = "grid_stride_atomic"


@dataclass
class Steps:
    """Of one ladder, at the n nearest to the lecture's: GB/s of each of its steps, None where one was not run, or not
    verified."""

    title: str
    n: int
    gb_per_s: list

    @property
    def times(self):
        """Each step over the first."""
        first = self.gb_per_s[0]
        return [value / first if value and first else None for value in self.gb_per_s]


def nearest(ladder, n):
    """By ratio: 2^24 is as near to 2^26 as 2^28 is."""
    return min((run for run in ladder.runs if run.n > 0), key=lambda run: max(run.n / n, n / run.n), default=None)


def timed(ladders):
    return [ladder for ladder in ladders if not ladder.is_emulated]


def lecture_steps(ladders):
    found = [Steps("Tesla K40m, the lecture's", LECTURE_N, [speed for _, speed, _ in LECTURE_STEPS])]
    for ladder in timed(ladders):
        run = nearest(ladder, LECTURE_N)
        rungs = [run and run.rung(name) for _, _, name in LECTURE_STEPS]
        if all(rung is None or rung.gb_per_s is None for rung in rungs):
            continue
        found.append(Steps(ladder.title, run.n, [rung and rung.gb_per_s for rung in rungs]))
    return found if len(found) > 1 else []


def student_ratios(ladders):
    """[(title, n, how many times the rung is as fast as one thread of that machine's CPU)]"""
    found = []
    for ladder in timed(ladders):
        run = nearest(ladder, STUDENT_N)
        rungs = [run.rung(STUDENT_RUNG), run.rung("sequential")] if run else [None]
        if all(rung and rung.gb_per_s for rung in rungs):
            found.append((ladder.title, run.n, rungs[0].gb_per_s / rungs[1].gb_per_s))
    return found
