"""What the pictures show: how long a bar is, where a point lies, what stands on the axes."""

from unittest.mock import MagicMock

import accuracy_plot
import ladder_plot
import line_plots
import plots
import pytest
import seeds
import tree
import words
from ladder_runs import Measured, Run
from timings import READING, ExactTiming, Reduction, Timing


@pytest.fixture(params=[plots.WIDE, plots.NARROW], ids=["wide", "narrow"])
def width(request):
    return request.param


def run_of(rungs, ceiling=None, backend="nvidia"):
    return Run("D", backend, 2**20, "f64", "sum", (), "", ceiling, rungs)


def drawn(figure):
    """Its axes, and laid out: what stands on an axis is known only then."""
    figure.draw_without_rendering()
    return figure.axes


def figures_on(axis):
    """{place: text}, of what can be seen."""
    low, high = sorted(axis.get_view_interval())
    return {tick.get_loc(): tick.label1.get_text() for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high}


def points(lines):
    return {line.get_label(): [*zip(line.get_xdata(), line.get_ydata())] for line in lines}


def test_bars(width):
    """The first rung on top; what was not verified has no bar. Behind a bar stands what it is, beyond the ceiling's
    line where there is no room before that."""
    rungs = [Measured("a", "reduces", "verified", gb_per_s=50.0, share=0.5),
             Measured("b", "scans_exclusive", "verified", gb_per_s=90.0, share=0.9),
             Measured("c", "sorts", "WRONG")]
    figure = ladder_plot.draw(run_of(rungs, ceiling=100.0), width)
    [axes] = drawn(figure)
    assert [(bar.get_x(), bar.get_width()) for bar in axes.patches] == [(0, 50), (0, 90), (0, 0)]
    assert [bar.get_y() + bar.get_height() / 2 for bar in axes.patches] == pytest.approx([0, 1, 2])
    assert axes.get_ylim()[0] > 2 and axes.get_ylim()[1] < 0 and figures_on(axes.yaxis) == {0: "a", 1: "b", 2: "c"}
    assert [one.get_text() for one in axes.texts] == ["50, 50 %", "90, 90 %", "WRONG"]
    assert [one.get_position()[1] for one in axes.texts] == [0, 1, 2]
    beside, beyond, nothing = (one.get_position()[0] for one in axes.texts)
    assert 50 < beside < 52 and 100 < beyond < axes.get_xlim()[1] and 0 < nothing < 2 and axes.get_xlim()[0] == 0
    assert axes.get_xlabel() == "GB/s" and figures_on(axes.xaxis)[50] == "50"
    [ceiling] = axes.lines
    assert [*ceiling.get_xdata()] == [100, 100] and ceiling.get_linestyle() == "--"
    assert figure._suptitle.get_text() == "sum of 2²⁰ f64\ndashed: reading alone, 100 GB/s"
    legend = axes.get_legend()
    colours = dict(zip((text.get_text() for text in legend.get_texts()), legend.get_patches()))
    assert [bar.get_facecolor() for bar in axes.patches] == [
        colours[group].get_facecolor() for group in ("reduces", "scans", "sorts")]
    assert len({patch.get_facecolor() for patch in colours.values()}) == 3


def test_bars_of_one_group_that_nothing_bounds(width):
    figure = ladder_plot.draw(run_of([Measured("a", "reduces", "failed", "no memory")]), width)
    [axes] = drawn(figure)
    assert not axes.lines and axes.get_legend() is None and figure._suptitle.get_text() == "sum of 2²⁰ f64"


def test_bars_of_an_emulator(width):
    """Speeds that lie orders of magnitude apart: on a logarithmic axis the slowest bar is seen, too."""
    rungs = [Measured("a", "reduces", "verified", gb_per_s=0.005, share=0.00005),
             Measured("b", "reduces", "verified", gb_per_s=0.5, share=0.005),
             Measured("c", "reduces", "verified", gb_per_s=90.0, share=0.9),
             Measured("d", "reduces", "WRONG")]
    figure = ladder_plot.draw(run_of(rungs, ceiling=100.0, backend="host"), width)
    [axes] = drawn(figure)
    assert axes.get_xscale() == "log" and axes.get_xlabel() == "GB/s, on a logarithmic axis"
    low, high = axes.get_xlim()
    assert low == pytest.approx(0.0025) and high > 100
    assert [bar.get_x() for bar in axes.patches] == pytest.approx([low] * 4)
    ends = [bar.get_x() + bar.get_width() for bar in axes.patches]
    assert ends == pytest.approx([0.005, 0.5, 90, low])
    widths = [bar.get_window_extent().width / axes.get_window_extent().width for bar in axes.patches]
    assert 0.04 < widths[0] < widths[1] < widths[2] < 0.8 and widths[3] == 0
    assert [one.get_text() for one in axes.texts] == ["0.005, < 0.1 %", "0.5, 0.5 %", "90, 90 %", "WRONG"]
    places = [one.get_position()[0] for one in axes.texts]
    assert 0.005 < places[0] < 0.006 and 0.5 < places[1] < 0.6 and 100 < places[2] < high and low < places[3] < 0.003
    ticks = figures_on(axes.xaxis)
    assert {0.01: "0.01", 1.0: "1", 100.0: "100"}.items() <= ticks.items() and 3 <= len(ticks) <= 8


@pytest.mark.parametrize("rungs, ceiling", [([], None), ([Measured("a", "reduces", "failed")], None),
                                            ([Measured("a", "reduces", "verified", gb_per_s=0.0)], 2.0)])
def test_bars_of_an_emulator_that_measured_little(width, rungs, ceiling):
    [axes] = drawn(ladder_plot.draw(run_of(rungs, ceiling, backend="host"), width))
    assert axes.get_xscale() == "log" and all(bar.get_width() == 0 for bar in axes.patches)


@pytest.mark.parametrize("ulps, exponents", [
    ([0, 5, None], [2]), ([18454938, 1], [2, 4, 6, 8]),
    # Of f64 it can be that many; no more than a phone's width has room for stand on the axis.
    ([9218868437227405312, 3], [4, 8, 12, 16]), ([float(2**64)], [4, 8, 12, 16, 20]),
])
def test_errors(width, ulps, exponents):
    """In powers, and yet with a place for 0."""
    rungs = [Measured(f"r{i}", "reduces", "verified", ulps=off) for i, off in enumerate(ulps)]
    [axes] = drawn(accuracy_plot.draw(run_of(rungs), width))
    known = [off for off in ulps if off is not None]
    assert [one for line in axes.lines if line.get_marker() == "o" for one in zip(*line.get_data())] == [
        (off, i) for i, off in enumerate(known)]
    assert [text.xy for text in axes.texts] == [(off, i) for i, off in enumerate(known)]
    assert [*figures_on(axes.yaxis).values()] == [f"r{i}" for i in range(len(known))]
    assert [[*zip(*line.get_data())] for line in axes.lines if line.get_marker() != "o"] == [
        [(0, i), (off, i)] for i, off in enumerate(known)]
    assert axes.get_xscale() == "symlog" and axes.get_xlim()[0] < 0 and axes.get_xlim()[1] > max(known)
    assert figures_on(axes.xaxis) == {0: "0", 1: "1"} | {10.0**i: f"10{words.superscript(i)}" for i in exponents}
    assert axes.get_xlabel() == "units in the last place, 0 is exact"
    assert axes.get_ylim()[0] > len(known) - 1 and axes.get_ylim()[1] < 0


def test_times(width):
    """A picture for each clock; on a phone one below the other."""
    seconds = [{"cold": {"wavefold": 1e-6 * n, "TBB": 2e-6 * n}, "hot": {"wavefold": 1e-7 * n}} for n in (1, 1024)]
    figure = line_plots.draw_times(
        Reduction("D", "sum", "f32", [Timing(n, 4 * n, one) for n, one in zip((1, 1024), seconds)]), width)
    cold, hot = drawn(figure)
    assert points(cold.lines) == {"wavefold": [(1, 1e-6), (1024, 1e-6 * 1024)], "TBB": [(1, 2e-6), (1024, 2e-6 * 1024)]}
    assert points(hot.lines) == {"wavefold": [(1, 1e-7), (1024, 1e-7 * 1024)]}
    assert all(scale == "log" for one in (cold, hot) for scale in (one.get_xscale(), one.get_yscale()))
    assert cold.get_title(loc="left") == "time of a call, data in no cache" and figures_on(cold.xaxis) == {
        1: "1", 1024: "2¹⁰"}
    assert [*figures_on(cold.yaxis).values()] == ["1 µs", "10 µs", "100 µs", "1 ms"]
    assert cold.get_xlabel() == hot.get_xlabel() == "n"
    one, other = (axes.get_position() for axes in (cold, hot))
    assert one.x1 < other.x0 if width == plots.WIDE else one.y0 > other.y1


@pytest.mark.parametrize("times", [[2.2e-6, 4.1e-6], [3e-5, 9e-5], [2e-9, 3.0]])
def test_times_have_figures_beside_them(width, times):
    """However near to each other, or however far apart they are."""
    reduction = Reduction("D", "sum", "f32", [Timing(8, 32, {"cold": {str(one): one for one in times}})])
    [axes] = drawn(line_plots.draw_times(reduction, width))
    said = figures_on(axes.yaxis)
    assert 2 <= len(said) <= 10 and all(text == words.duration(place) for place, text in said.items())


def test_reading_alone_is_no_peer(width):
    """It is thin, in the ink of the axes; and of many n some have figures."""
    timings = [Timing(2**k, 2**k, {"cold": {READING: 1e-6, "TBB": 2e-6}}) for k in range(24)]
    [axes] = drawn(line_plots.draw_times(Reduction("D", "sum", "f32", timings), width))
    reading, peer = axes.lines
    assert reading.get_linewidth() < peer.get_linewidth() and reading.get_color() == plots.INK != peer.get_color()
    assert reading.get_marker() == "" and reading.get_linestyle() == ":" and peer.get_marker() != ""
    assert 3 <= len(figures_on(axes.xaxis)) <= 7


def test_exact_sums(width):
    """Each type's own line, by n, whatever the order in the file."""
    timings = [ExactTiming("D", "device", kind, "normal", n, exact, 1e-6)
               for kind, n, exact in (("f32", 4096, 3e-6), ("f64", 1024, 4e-6), ("f32", 1024, 2e-6))]
    [axes] = drawn(line_plots.draw_exact(timings, width))
    assert points(axes.lines[:2]) == {"f32": [(1024, pytest.approx(2)), (4096, pytest.approx(3))],
                                      "f64": [(1024, pytest.approx(4))]}
    assert axes.get_ylim()[0] == 0 and [*axes.lines[2].get_ydata()] == [1, 1]
    assert figures_on(axes.xaxis) == {1024: "2¹⁰", 4096: "2¹²"} and axes.get_xscale() == "log"


def test_steps(width):
    """A step that was not run has no point. However long a device's name is, it covers no point."""
    ours = seeds.Steps("a device, " * 20 + "its end", 2**26, [100.0, 250.0, None, 400.0, 500.0, 900.0, 1000.0])
    figure = line_plots.draw_steps([ours], width)
    [axes] = drawn(figure)
    [line] = axes.lines
    assert [*zip(*line.get_data())] == [(0, 1), (1, 2.5), (3, 4), (4, 5), (5, 9), (6, 10)]
    assert figures_on(axes.yaxis) == {1: "1", 2: "2", 5: "5", 10: "10"} and axes.get_yscale() == "log"
    names = ["reduce 1\ntiled_1", "reduce 7\ncascade_unrolled"] if width == plots.WIDE else ["1", "7"]
    assert [*figures_on(axes.xaxis).values()][::6] == names
    box, legend = axes.get_window_extent(), axes.get_legend().get_window_extent()
    assert legend.y0 >= box.y1 and 0 <= legend.x0 and legend.x1 <= figure.bbox.width and box.height > 150


def test_tree():
    """What is added stands above the sum, at its own place; what a lane keeps in a register, at the lane's."""
    def lane(number, to, *sources):
        return {"lane": number, "to": to, "from": [*sources], "holds": [0] * len(sources)}

    def place(kind, index):
        return {"kind": kind, "index": index}

    first = [lane(0, place("cell", 0), place("element", 0), place("element", 2)),
             lane(1, {"kind": "register"}, place("element", 1))]
    last = [lane(1, place("result", 0), {"kind": "register"}, place("cell", 0))]
    found = tree.draw({"elements": 3, "tile_size": 2, "steps": [
        {"step": i, "ends": "barrier", "lanes": lanes} for i, lanes in enumerate((first, last))]})
    assert found.elements == "M12 12h0M22 12h0M32 12h0" and (found.width, found.height) == (44, 116)
    assert [(step.edges, step.dots) for step in found.steps] == [
        ("M12 12L12 58M32 12L12 58M22 12L22 58", "M12 58h0M22 58h0"), ("M22 58L12 104M12 58L12 104", "M12 104h0")]
    assert found.steps[0].words == ["lane 0: element 0 + element 2 to cell 0, 2 elements",
                                    "lane 1: element 1 to its register, 1 element"]
    wider = tree.draw({"elements": 1, "tile_size": 1, "steps": [
        {"step": 0, "ends": "return", "lanes": [lane(0, place("cell", 9), place("element", 0))]}]})
    assert wider.width == 114


def test_no_two_lines_look_alike():
    """Nor is one missing in the legend, whatever it is called."""
    axes, count = MagicMock(wraps=plots.new_figure(plots.WIDE, 3)[1]), 2 * len(plots.SERIES) + 1
    for i in range(count):
        line_plots.line(axes, i, [(1, 1)], f"_{i}")
    drawn = [call.kwargs for call in axes.plot.call_args_list]
    assert len({(style["color"], style["marker"], style["linestyle"]) for style in drawn}) == count
    assert len(axes.get_legend_handles_labels()[1]) == count
