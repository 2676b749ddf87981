"""How far each rung's result is off, in units in the last place."""

import math

from plots import GRID, SERIES, new_figure
from words import figure as number
from words import superscript


def shown(run):
    return [rung for rung in run.rungs if rung.ulps is not None]


def draw(run, width):
    rungs = shown(run)
    figure, axes = new_figure(width, 0.7 + 0.19 * len(rungs))
    most = max([10.0, *(float(rung.ulps) for rung in rungs)])  # matplotlib knows no integers beyond 64 bits
    # Linear up to 1, so that 0 has a place.
    axes.set_xscale("symlog", linthresh=1, linscale=0.5)
    axes.set_xlim(-0.4, most * 60)
    for i, rung in enumerate(rungs):
        axes.plot([0, rung.ulps], [i, i], color=GRID, linewidth=1)
        axes.plot(rung.ulps, i, marker="o", color=SERIES[0], clip_on=False)
        axes.annotate(number(rung.ulps), (rung.ulps, i), xytext=(6, 0), textcoords="offset points", va="center",
                      fontsize=8)
    digits = len(str(int(most)))
    step = max(2, math.ceil(digits / 5))
    decades = range(step, digits + 1, step)
    axes.set_xticks([0, 1, *(10.0**i for i in decades)], ["0", "1", *(f"10{superscript(i)}" for i in decades)])
    axes.minorticks_off()
    axes.set_yticks(range(len(rungs)), [rung.name for rung in rungs])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(rungs) - 0.4, -0.6)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel("units in the last place, 0 is exact")
    return figure


def in_words(run):
    return "Error in units in the last place. " + "; ".join(f"{r.name} {number(r.ulps)}" for r in shown(run)) + "."
