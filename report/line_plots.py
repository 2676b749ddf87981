"""Lines: times against n, exact sums against fast ones, and the lecture's steps beside ours."""

import textwrap

from matplotlib.ticker import LogLocator
from plots import INK, LINES, MARKERS, SERIES, WIDE, new_figure
from seeds import LECTURE_STEPS
from timings import CLOCKS, READING
from words import duration, size
from words import figure as number


def dress(axes, sizes):
    """n in powers, as a reader writes it."""
    axes.set_xscale("log", base=2)
    step = max(1, round(len(sizes) / 5))
    chosen = sizes[::step]
    axes.set_xticks(chosen, [size(n) for n in chosen])
    axes.minorticks_off()
    axes.set_xlabel("n")
    axes.grid(True)
    axes.set_axisbelow(True)


def line(axes, i, points, name):
    thin = name == READING  # what bounds the others
    label = f" {name}" if name.startswith("_") else name  # matplotlib leaves "_name" out of legends
    # Colours and markers begin again behind the last one, and then stand beside other lines.
    style = (i + i // len(SERIES)) % len(LINES)
    axes.plot(*zip(*points), label=label, color=INK if thin else SERIES[i % len(SERIES)],
              linestyle=":" if thin else LINES[style], linewidth=1 if thin else 1.6,
              marker="" if thin else MARKERS[i % len(MARKERS)])


def draw_times(reduction, width):
    clocks = [clock for clock in CLOCKS if reduction.series(clock)]
    columns = len(clocks) if width == WIDE else 1
    rows = 1 if width == WIDE else len(clocks)
    figure, axes = new_figure(width, 3.4 * rows, nrows=rows, ncols=columns, squeeze=False)
    for one, clock in zip(axes.flat, clocks):
        series = reduction.series(clock)
        for i, (name, points) in enumerate(series.items()):
            line(one, i, points, name)
        dress(one, sorted({n for points in series.values() for n, _ in points}))
        one.set_yscale("log")
        low, high = one.get_ylim()
        one.yaxis.set_major_locator(LogLocator(subs=[1] if high / low > 100 else [1, 2, 5]))
        one.yaxis.set_major_formatter(lambda value, _: duration(value))
        one.minorticks_off()
        one.set_title(CLOCKS[clock])
        one.legend()
    return figure


def draw_exact(timings, width):
    """Time of an exact sum over that of a fast one, for each type."""
    figure, axes = new_figure(width, 3.4)
    types = list(dict.fromkeys(timing.type for timing in timings))
    for i, kind in enumerate(types):
        line(axes, i, sorted((t.n, t.ratio) for t in timings if t.type == kind), kind)
    dress(axes, sorted({timing.n for timing in timings}))
    axes.set_ylim(bottom=0)
    axes.axhline(1, color=INK, linewidth=1)
    axes.set_title("time of an exact sum / time of a fast one")
    axes.legend(loc="lower right", ncols=2)
    return figure


def draw_steps(all_steps, width):
    wide = width == WIDE
    titles = [textwrap.fill(steps.title, 100 if wide else 40) for steps in all_steps]
    figure, axes = new_figure(width, 3.2 + 0.17 * sum(len(title.splitlines()) for title in titles))
    for i, (steps, title) in enumerate(zip(all_steps, titles)):
        line(axes, i, [(k, v) for k, v in enumerate(steps.times) if v], title)
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    ticks = [tick for tick in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100) if low <= tick <= high]
    axes.set_yticks(ticks, [number(tick) for tick in ticks])
    axes.minorticks_off()
    names = [f"{step}\n{rung}" if wide else step.split(" ")[1] for step, _, rung in LECTURE_STEPS]
    axes.set_xticks(range(len(names)), names)
    axes.set_xlabel(None if wide else "the lecture's reduce")
    axes.grid(True)
    figure.suptitle("times as fast as reduce 1", x=0.01, ha="left", fontsize=9)
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0)  # names of devices can be long
    return figure
