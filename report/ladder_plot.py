"""The ladder of one device: a bar for each rung, against the speed at which the device reads."""

from math import log

from ladder_runs import GROUPS
from matplotlib.patches import Patch
from matplotlib.ticker import LogLocator
from plots import GRID, INK, SERIES, new_figure
from words import figure as number
from words import percent, size

COLOURS = dict(zip(GROUPS, SERIES))


def speed(rung):
    """GB/s, or the verdict on what is not verified; a dash where the rung (None) was not run."""
    if rung is None or rung.verdict == "verified":
        return number(rung and rung.gb_per_s)
    return rung.verdict


def label(rung):
    share = f", {percent(rung.share)}" if rung.gb_per_s is not None and rung.share is not None else ""
    return speed(rung) + share


class Linear:
    """Places along the axis as shares of the fastest, and the speeds at such places. Beside a bar that ends before
    `room` there is place for its figures."""

    room = 0.72

    def __init__(self, speeds):
        self.most = max(speeds, default=0) or 1

    def place(self, speed):
        return speed / self.most

    def speed(self, place):
        return self.most * place


class Logarithmic(Linear):
    """For speeds that lie orders of magnitude apart, as an emulator's do. The slowest bar is still seen.
    Bars of very different speeds end near each other, and speeds below 1 have more digits."""

    room = 0.62

    def __init__(self, speeds):
        super().__init__(speeds)
        self.least = min(filter(None, speeds), default=self.most) / 2

    def place(self, speed):
        return log(speed / self.least) / log(self.most / self.least) if speed else 0

    def speed(self, place):
        return self.least * (self.most / self.least) ** place


def bars(axes, rungs, ceiling, is_logarithmic=False):
    """Bars of rungs, the first on top, with their figures behind them."""
    speeds = [rung.gb_per_s or 0 for rung in rungs]
    scale = (Logarithmic if is_logarithmic else Linear)([ceiling or 0, *speeds])
    begin = scale.speed(0)
    axes.barh(range(len(rungs)), [max(speed - begin, 0) for speed in speeds], left=begin, height=0.72,
              color=[COLOURS[rung.group] for rung in rungs], linewidth=0)
    for i, rung in enumerate(rungs):
        # Beside the bar where there is room before the ceiling's line, else within a cleared space behind that.
        end = scale.place(speeds[i])
        axes.text(scale.speed(end + 0.008 if end < scale.room else 1.02), i, label(rung), va="center", fontsize=8)
    if ceiling:
        axes.axvline(ceiling, color=INK, linewidth=1, linestyle="--")
    axes.set_yticks(range(len(rungs)), [rung.name for rung in rungs])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(rungs) - 0.4, -0.6)
    if is_logarithmic:
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(numticks=8))
        axes.minorticks_off()
    else:
        axes.locator_params(axis="x", nbins=5)
    axes.set_xlim(begin, scale.speed(1.3))
    axes.spines["left"].set_visible(False)
    axes.spines["bottom"].set_color(GRID)
    axes.xaxis.set_major_formatter(lambda value, _: number(value))


def draw(run, width, rungs=None):
    rungs = run.rungs if rungs is None else rungs
    figure, axes = new_figure(width, 0.9 + 0.19 * len(rungs))
    bars(axes, rungs, run.ceiling, run.is_emulated)
    axes.set_xlabel("GB/s, on a logarithmic axis" if run.is_emulated else "GB/s")
    ceiling = f"\ndashed: reading alone, {number(run.ceiling)} GB/s" if run.ceiling else ""
    figure.suptitle(f"{run.op} of {size(run.n)} {run.type}{ceiling}", x=0.01, ha="left", fontsize=9)
    groups = list(dict.fromkeys(rung.group for rung in rungs))
    if len(groups) > 1:
        axes.legend([Patch(color=COLOURS[group]) for group in groups], groups, ncols=len(groups), fontsize=8,
                    loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0)
    return figure


def in_words(run, rungs=None):
    """What the picture shows, for who cannot see it."""
    rungs = run.rungs if rungs is None else rungs
    spoken = "; ".join(f"{rung.name} {label(rung)}" for rung in rungs)
    ceiling = f" Reading alone: {number(run.ceiling)} GB/s." if run.ceiling else ""
    return f"Bars of GB/s and shares of the read ceiling, {run.op} of {size(run.n)} {run.type}.{ceiling} {spoken}."
