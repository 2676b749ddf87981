"""Files of `wavefold try --json`: what a trial of a user's file found."""

from dataclasses import dataclass, field

VERDICTS = {"right": "right", "wrong": "wrong", "unknown": "not judged"}


@dataclass
class Width:
    """By waves of one width. Lists of plain dictionaries, as in the file; every key that the page shows was checked."""

    wave: int
    is_judged: bool
    is_clean: bool
    verdict: str  # "right", "wrong", "not judged", "stopped"
    sentence: str
    notes: list
    findings: list  # (text, n or None, schedule or None)
    lines: list


@dataclass
class Trial:
    file: str
    title: str
    is_clean: bool
    widths: list = field(default_factory=list)
    refusals: list = field(default_factory=list)  # (line or None, text): why the file could not run
    shown: str = ""  # by the compiler

    @property
    def lines(self):
        """Of the first judged width that was counted."""
        return next(((width.wave, width.lines) for width in self.widths if width.is_judged and width.lines), None)


def check_line(part):
    part.text("file")
    part.text("what")
    for key in ("line", "accesses", "lanes", "bytes", "extra_passes", "lines128"):
        part.count(key)
    return part.value


def read_finding(part):
    """A finding of a program has no n."""
    n = part.count("n") if part.has("n") else 0
    schedule = part.text("schedule") if part.has("schedule") else ""
    return part.text("text"), n or None, schedule or None


def shown_number(part, key):
    """A number, or "inf" and its kind."""
    return part.text(key) if isinstance(part.get(key).value, str) else f"{part.number(key):.9g}"


def verdict_of(part):
    """The verdict's word and sentence."""
    if part.has("stopped"):
        return "stopped", part.object("stopped").text("why")
    if part.has("judged"):
        judged = part.object("judged")
        outcome = judged.text("outcome")
        if outcome not in VERDICTS:
            judged.get("outcome").fail(f"is none of {', '.join(VERDICTS)}")
        return VERDICTS[outcome], judged.text("sentence")
    if part.has("wrong"):
        wrong = part.object("wrong")
        return "wrong", (f"at n = {wrong.count('n')} the sum is {shown_number(wrong, 'expected')}, "
                         f"not {shown_number(wrong, 'got')}")
    if part.has("sums") and part.count("sums") > 0:
        return "right", f"{part.count('sums')} sums"
    return "not judged", "it ran to its end"


def texts(part, key):
    return [text.as_text() for text in part.list(key)] if part.has(key) else []


def read_width(part, judged):
    verdict, sentence = verdict_of(part)
    notes = texts(part.object("judged"), "notes") if part.has("judged") else []
    notes += texts(part, "recognised")
    notes += [note.text("text") for note in part.list("notes")] if part.has("notes") else []
    return Width(part.count("wave"), part.value["wave"] in judged, part.flag("clean"), verdict, sentence,
                 notes,
                 [read_finding(finding) for finding in part.list("findings")],
                 [check_line(line) for line in part.list("lines")] if part.has("lines") else [])


def refusals_of(part):
    if part.has("unsupported"):
        return [(one.count("line"), f"a trial cannot run {one.text('what')}: {one.text('remedy')}")
                for one in part.filled_list("unsupported")]
    error = part.object("error")
    line = error.count("line") if error.has("line") else None
    text = error.text("text") if error.has("text") else "the compiler failed"
    more = error.count("more")
    return [(line, text + (f" ({more} more error{'' if more == 1 else 's'})" if more else ""))]


def is_trial(part):
    return part.has("file") and part.has("clean") and any(part.has(key) for key in ("widths", "error", "unsupported"))


def title_of(part):
    widths = part.list("widths")
    mode = part.text("mode") if part.has("mode") else "line"
    if mode == "program":
        return "a program with its own main()"
    if mode == "function":
        return f"{part.text('function')}(), with arrays made by the trial"
    kernel = next((width.text("kernel") for width in widths if width.has("kernel")), "")
    return f"kernel {kernel}" if kernel else "a kernel"


def read_trial(part):
    if not part.has("widths"):
        shown = part.object("error").text("shown") if part.has("error") else ""
        return Trial(part.text("file"), "it could not run", part.flag("clean"), refusals=refusals_of(part), shown=shown)
    judged = [wave.as_number() for wave in part.list("judged_waves")]
    return Trial(part.text("file"), title_of(part), part.flag("clean"),
                 [read_width(width, judged) for width in part.filled_list("widths")])
