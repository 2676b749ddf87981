"""The ladder of one device: a bar for each rung, against the speed at which the device reads."""

from ladder_runs import GROUPS
from matplotlib.patches import Patch
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


def bars(axes, rungs, ceiling):
    """Bars of rungs, the first on top, with their figures behind them."""
    speeds = [rung.gb_per_s or 0 for rung in rungs]
    most = max([ceiling or 0, *speeds]) or 1
    axes.barh(range(len(rungs)), speeds, height=0.72, color=[COLOURS[rung.group] for rung in rungs], linewidth=0)
    for i, rung in enumerate(rungs):
        # Beside the bar where there is room before the ceiling's line, else within a cleared space behind that.
        axes.text(speeds[i] + most * 0.008 if speeds[i] < 0.72 * most else most * 1.02, i, label(rung),
                  va="center", fontsize=8)
    if ceiling:
        axes.axvline(ceiling, color=INK, linewidth=1, linestyle="--")
    axes.set_yticks(range(len(rungs)), [rung.name for rung in rungs])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(rungs) - 0.4, -0.6)
    axes.set_xlim(0, most * 1.3)
    axes.spines["left"].set_visible(False)
    axes.spines["bottom"].set_color(GRID)
    axes.locator_params(axis="x", nbins=5)
    axes.xaxis.set_major_formatter(lambda value, _: number(value))


def draw(run, width, rungs=None):
    rungs = run.rungs if rungs is None else rungs
    figure, axes = new_figure(width, 0.9 + 0.19 * len(rungs))
    bars(axes, rungs, run.ceiling)
    axes.set_xlabel("GB/s")
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
