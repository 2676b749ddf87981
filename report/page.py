"""Puts results, plots and sources together into one page."""

import json
import pathlib
import subprocess
from dataclasses import dataclass, field

import accuracy_plot
import ladder_plot
import line_plots
import seeds
import sources
import timings
import tree
import words
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from plots import both_widths

TEMPLATES = pathlib.Path(__file__).resolve().parent / "templates"


@dataclass
class RungSection:
    """All that the inputs say of one rung."""

    name: str
    facts: dict  # what `wavefold rungs` says of it; empty for a rung that this program does not know
    source: tuple
    measured: list = field(default_factory=list)  # (ladder, run, rung)
    explanations: list = field(default_factory=list)  # (explanation, tree or None)
    mixes: list = field(default_factory=list)

    @property
    def kinds(self):
        """Of instructions, in any of the mixes."""
        return list(dict.fromkeys(kind for mix in self.mixes for kind in mix.kinds))

    def told(self, key):
        """The explanation's words where there is one, else the program's."""
        return getattr(self.explanations[0][0], key) if self.explanations else self.facts.get(key)


def known_rungs(program):
    """{name: facts} in the order of the ladder."""
    listed = subprocess.run([program, "rungs", "--json", "-"], check=True, stdout=subprocess.PIPE, encoding="utf-8")
    return {rung["name"]: rung for rung in json.loads(listed.stdout)}


def rung_sections(results, facts):
    found, files = {}, sources.files()

    def section(name):
        if name not in found:
            found[name] = RungSection(name, facts.get(name, {}), sources.source_of(name, files))
        return found[name]

    for ladder in results.ladders:
        for run in ladder.runs:
            for rung in run.rungs:
                section(rung.name).measured.append((ladder, run, rung))
    for explanation in results.explanations:
        drawn = tree.draw(explanation.trace) if explanation.trace else None
        section(explanation.rung).explanations.append((explanation, drawn))
    for mix in results.mixes:
        section(mix.rung).mixes.append(mix)
    order = {name: i for i, name in enumerate(facts)}
    return sorted(found.values(), key=lambda one: order.get(one.name, len(order)))


def plots_of(draw, name):
    """SVG that matplotlib wrote is the page's own markup; what comes from files was escaped in it."""
    return {width: Markup(svg) for width, svg in both_widths(draw, name).items()}


def ladder_views(results):
    return [{
        "ladder": ladder,
        "bars": plots_of(lambda width, run=ladder.largest: ladder_plot.draw(run, width), f"ladder{i}"),
        "bars_in_words": ladder_plot.in_words(ladder.largest),
        "accuracy": plots_of(lambda width, run=ladder.largest: accuracy_plot.draw(run, width), f"accuracy{i}")
        if accuracy_plot.shown(ladder.largest) else None,
        "accuracy_in_words": accuracy_plot.in_words(ladder.largest),
    } for i, ladder in enumerate(results.ladders)]


def reduction_views(results):
    """A picture of the sum of f32 of each device, or of what it has first; all others in the table."""
    of_device = {}
    for reduction in results.reductions:
        of_device.setdefault(reduction.device, []).append(reduction)
    views = []
    for i, (device, reductions) in enumerate(of_device.items()):
        first = next((r for r in reductions if (r.operation, r.type) == ("sum", "f32")), reductions[0])
        views.append({"device": device, "first": first, "all": reductions,
                      "times": plots_of(lambda width, r=first: line_plots.draw_times(r, width), f"times{i}")})
    return views


def exact_views(results):
    """Lines where there are several n, and the largest n of each kind of data in a table."""
    of_device = {}
    for timing in results.exact:
        of_device.setdefault(timing.device, []).append(timing)
    views = []
    for i, (device, timings) in enumerate(of_device.items()):
        drawn = [t for t in timings if t.clock == "device" and t.data == "normal"]
        largest = {}
        for timing in timings:
            key = (timing.clock, timing.type, timing.data)
            if key not in largest or timing.n > largest[key].n:
                largest[key] = timing
        has_line = len({t.n for t in drawn}) > 1
        plots = plots_of(lambda width, t=drawn: line_plots.draw_exact(t, width), f"exact{i}") if has_line else None
        views.append({"device": device, "ratios": plots, "largest": list(largest.values())})
    return views


def seed_views(results):
    steps = seeds.lecture_steps(results.ladders)
    return {
        "steps": steps,
        "names": seeds.LECTURE_STEPS,
        "lecture": seeds.LECTURE,
        "times": plots_of(lambda width: line_plots.draw_steps(steps, width), "steps") if steps else None,
        "student": seeds.student_ratios(results.ladders),
        "student_times": seeds.STUDENT_TIMES,
        "student_n": seeds.STUDENT_N,
        "student_rung": seeds.STUDENT_RUNG,
    }


def render(results, facts):
    environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined,
                              trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
    environment.filters.update(size=words.size, figure=words.figure, percent=words.percent, duration=words.duration,
                               speed=ladder_plot.speed)
    environment.globals["clocks"] = timings.CLOCKS
    environment.globals["read"] = lambda name: Markup((TEMPLATES / name).read_text(encoding="utf-8"))
    return environment.get_template("page.html").render(
        ladders=ladder_views(results), reductions=reduction_views(results), exact=exact_views(results),
        seeds=seed_views(results), trials=results.trials, rungs=rung_sections(results, facts), inputs=results.inputs)
