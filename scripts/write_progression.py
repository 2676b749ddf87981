#!/usr/bin/env python3
"""Writes the figures of docs/progression.md, between its markers, and the picture docs/ladder.svg, from results/.

    scripts/write_progression.py [--check]

A marker is <!-- KEY ARGUMENT... -->what the script writes<!-- end -->; the keys are the methods of Figures. --check
changes nothing, and fails if a figure is not as it would be written. Of the picture it compares the figures that it
describes, since versions of matplotlib draw it differently.

The counts of a rung come from tests/golden/explain.json, which scripts/write_explanations.py writes.
"""

import argparse
import json
import math
import pathlib
import re
import sys
from statistics import geometric_mean, median

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "report"))

import ladder_plot  # noqa: E402
import plots  # noqa: E402
import seeds  # noqa: E402
from results import read_all  # noqa: E402
from words import figure, percent  # noqa: E402

TEXT, PICTURE = ROOT / "docs/progression.md", ROOT / "docs/ladder.svg"
MEASURED = ROOT / "results/nvidia-h200"
COUNTED = ROOT / "tests/golden/explain.json"
MARKER = re.compile(r"<!-- (\w+)((?: [\w.^]+)*) -->(.*?)<!-- end -->", flags=re.DOTALL)
# The rungs of the picture: those of the table in docs/progression.md.
SHOWN = ("simple_1 simple_2 tiled_1 tiled_2 tiled_3 tiled_4 unrolled_wave unrolled_full cascade wave_two_pass_v4 "
         "last_block_v4 block_atomic_v4 exact").split()
STYLE = """svg { color: #1b1f24; --grid: #c3c9d0; --series-1: #1f62b8; }
@media (prefers-color-scheme: dark) { svg { color: #e4e8ec; --grid: #444c56; --series-1: #74aefc; } }
"""


def plain(text):
    """A document in ASCII has a blank where a page has a narrow one, and none within a number."""
    return text.replace("\u202f", "")


def seeds_of_rungs():
    """{rung: the seed}, from the rows of the ladder."""
    rows = (ROOT / "src/ladder/ladder_map.h").read_text()
    found = re.findall(r'RUNG\(X, (\w+), (\w*), \w+, [A-Z_]+,[^"]*"([^"]+)"', rows)
    return {name + suffix: seed for name, suffix, seed in found}


def power(text):
    """The number that 2^24 is."""
    base, exponent = text.split("^")
    return int(base) ** int(exponent)


class Figures:
    """What stands between markers. Speeds are those of the largest n, in GB/s."""

    def __init__(self):
        results = read_all([str(MEASURED / name) for name in ("progression.json", "exact.json")])
        [self.ladder] = results.ladders
        self.run = self.ladder.largest
        self.exact_timings = results.exact
        self.raw_runs = json.loads((MEASURED / "progression.json").read_text())["runs"]
        self.peers = json.loads((MEASURED / "peers.json").read_text())["results"]
        self.seeds = seeds_of_rungs()
        self.explained = json.loads(COUNTED.read_text(encoding="utf-8"))

    def measured(self, rung):
        found = self.run.rung(rung)
        if found is None:
            raise KeyError(f"{rung} was not measured")
        return found

    def raw(self, n, rung=None):
        run = next(run for run in self.raw_runs if run["n"] == power(n))
        return run if rung is None else next(one for one in run["rungs"] if one["name"] == rung)

    # ---- The keys ----

    def ceiling(self):
        return plain(figure(self.run.ceiling))

    def reading(self):
        """Milliseconds that reading the array alone takes."""
        return f"{1e3 * self.raw_runs[-1]['read_ceiling']['seconds']['median']:.2g}"

    def speed(self, rung):
        return plain(figure(self.measured(rung).gb_per_s))

    def share(self, rung):
        return percent(self.measured(rung).share)

    def times(self, rung, other):
        """How many times as fast as the other."""
        ratio = self.measured(rung).gb_per_s / self.measured(other).gb_per_s
        return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"

    def ulps(self, rung):
        return plain(figure(self.measured(rung).ulps))

    def launches(self, rung):
        return str(self.measured(rung).launches)

    def per_thread(self, rung):
        return plain(figure(self.run.n // self.raw("2^28", rung)["threads"]))

    def real_sum(self, n):
        """Of the sample's pattern, all of whose elements are positive."""
        return f"{self.raw(n)['exact']['sum_of_magnitudes']:.1f}"

    def result(self, rung, n):
        return f"{self.raw(n, rung)['result']:.0f}"

    def less(self, rung, n):
        """Percent by which a rung's result is below the sum."""
        return f"{100 * (1 - self.raw(n, rung)['result'] / self.raw(n)['exact']['sum_of_magnitudes']):.1f} %"

    def exact_share(self, n):
        """The exact sum's speed over the fast one's: f32, normal data, device time."""
        return percent(1 / next(t.ratio for t in self.exact_of("f32") if t.n == power(n)))

    def exact_mean(self, first, last):
        ratios = [t.ratio for t in self.exact_of("f32") if power(first) <= t.n <= power(last)]
        return f"{geometric_mean(ratios):.2f}"

    def exact_longest(self, first, last):
        return f"{max(t.ratio for t in self.exact_of('f32') if power(first) <= t.n <= power(last)):.2f}"

    def exact_of(self, kind):
        return [t for t in self.exact_timings if (t.clock, t.type, t.data) == ("device", kind, "normal")]

    def of_cub(self, rung, kind):
        """A scan's speed over that of CUB's, at the largest n."""
        rows = [row for row in self.peers if row["type"] == kind and rung in row["seconds"]]
        seconds = max(rows, key=lambda row: row["n"])["seconds"]
        return f"{median(seconds['cub']) / median(seconds[rung]):.2f}"

    def student(self):
        [(_, _, times)] = seeds.student_ratios([self.ladder])
        return f"{times:.0f}"

    def rung(self, name, *variants):
        """What is known of a rung and of its wider loads, as a list."""
        return "\n" + "".join(f"- {line}\n" for line in self.lines(name, variants))

    def counts(self, name):
        """The counts of a rung that was not measured, as a list."""
        return f"\n- Counted: {self.counted(self.explained[name])}.\n"

    # ---- What a rung's list says ----

    def lines(self, name, variants):
        seed = "none; it goes beyond them" if self.seeds[name] == "none" else self.seeds[name]
        yield f"Source: {seed}{self.lecture(name)}."
        rung = self.measured(name)
        speeds = [f"{self.speed(name)} GB/s, {self.share(name)} of the ceiling"]
        speeds += [f"as {name}{v} {self.speed(name + v)}, {self.share(name + v)}" for v in variants]
        launches = {0: "no launch", 1: "1 launch"}.get(rung.launches, f"{rung.launches} launches")
        yield f"H200: {'; '.join(speeds)}; {launches}; {self.error(name, variants)}."
        yield f"Counted: {self.counted(self.explained[name])}."

    def error(self, name, variants):
        off = [self.ulps(name + variant) for variant in ("", *variants)]
        if set(off) == {"0"}:
            return "rounded right"
        if len(set(off)) == 1:
            return f"off by {off[0]} ulps"
        return f"off by {', '.join(off[:-1])} and {off[-1]} ulps"

    def lecture(self, name):
        """The lecture's figure on the same step, and how much the step gained there and here."""
        steps = seeds.LECTURE_STEPS
        i = next((i for i, (_, _, rung) in enumerate(steps) if rung == name), None)
        if i is None:
            return ""
        text = f"; the lecture has {steps[i][1]} GB/s on a Tesla K40m"
        if i > 0:
            theirs = steps[i][1] / steps[i - 1][1]
            text += (f", {theirs:.2f} times its step before, where the H200 "
                     f"gains {self.times(name, steps[i - 1][2])} times")
        return text

    def counted(self, explanation):
        total, n = explanation["total"], explanation["n"]
        accesses = sum(total["global"][side]["elements"] for side in ("loads", "stores"))
        passes = sum(total["tile_memory"][side]["extra_passes"] for side in ("loads", "stores"))
        if total["launches"] == 0:
            return "nothing; it runs on the CPU"
        steps = total.get("steps_of_waves", 0)
        counts = {"extra passes over banks": passes, "barriers": total["barriers"], "shuffles": total["shuffles"],
                  "atomic updates": total["atomics"]["count"], "collisions": total["atomics"]["collisions"]}
        facts = [f"{accesses / n:.3g} loads and stores per element",
                 f"{percent(total['idle_lane_share'])} of lanes idle",
                 f"{percent(total['divergent_steps'] / steps if steps else 0)} of steps divergent"]
        facts += [f"{plain(figure(count))} {name}" for name, count in counts.items() if count > 0]
        claims = [f"\"{claim['claim']}\" ({claim['source']}) {'holds' if claim['holds'] else 'does not hold'}"
                  for claim in explanation["claims"]]
        size = f"n = 2^{int(math.log2(n))}" if n & (n - 1) == 0 else f"n = {n}"
        return "; ".join([f"{size}, waves of {explanation['wave_width']}: " + ", ".join(facts), *claims])


def written(text, figures):
    before, end, _ = MARKER.sub(lambda found: "\n" * found[0].count("\n"), text).partition("<!-- end -->")
    if end:
        line = before.count("\n") + 1
        sys.exit(f"{TEXT.relative_to(ROOT)}:{line}: no marker stands before '{end}': it is <!-- KEY ARGUMENT... -->")

    def replaced(found):
        key, arguments = found[1], found[2].split()
        try:
            value = getattr(figures, key)(*arguments)
        except (AttributeError, TypeError, KeyError, StopIteration) as error:
            line = text[:found.start()].count("\n") + 1
            sys.exit(f"{TEXT.relative_to(ROOT)}:{line}: no figure for '{key}{found[2]}': {error}")
        return f"<!-- {key}{found[2]} -->{value}<!-- end -->"

    return MARKER.sub(replaced, text)


def picture(figures):
    rungs = [figures.measured(name) for name in SHOWN]
    described = ladder_plot.in_words(figures.run, rungs)
    svg = plots.svg_of(ladder_plot.draw(figures.run, 8.5, rungs), "ladder")
    return plots.standalone(svg, f"The ladder on {figures.ladder.device}", described, STYLE)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    figures = Figures()
    before = TEXT.read_text()
    text, svg = written(before, figures), picture(figures)
    if not check:
        TEXT.write_text(text)
        PICTURE.write_text(svg)
        return
    old = [TEXT] if text != before else []
    if not PICTURE.exists() or plots.description_of(PICTURE.read_text()) != plots.description_of(svg):
        old.append(PICTURE)
    if old:
        names = " and ".join(str(path.relative_to(ROOT)) for path in old)
        sys.exit(f"{names}: not what results/ has: run scripts/write_progression.py")


if __name__ == "__main__":
    main()
