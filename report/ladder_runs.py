"""Results of `wavefold progression --json`, alone or several in one file (bench/progression.py)."""

from dataclasses import dataclass, field, replace

GROUPS = ("reduces", "scans", "sorts", "rows")


@dataclass
class Measured:
    """A rung in a run; what is not known is None, and so are speed and share where the result was not verified: how
    fast a wrong one is says nothing."""

    name: str
    kind: str
    verdict: str
    reason: str = None
    gb_per_s: float = None
    share: float = None
    ulps: int = None
    launches: int = None
    seconds: float = None

    @property
    def group(self):
        """One of GROUPS."""
        return "rows" if self.kind in ("columns", "segments") else self.kind.split("_")[0]


@dataclass
class Run:
    device: str
    backend: str
    n: int
    type: str
    op: str
    settings: tuple  # in words: what else was asked for
    date: str
    ceiling: float
    rungs: list

    @property
    def is_emulated(self):
        """Then its times say nothing of a GPU's."""
        return self.backend == "host"

    def rung(self, name):
        return next((rung for rung in self.rungs if rung.name == name), None)


@dataclass
class Ladder:
    """The runs of one device, one type, one operator and the same settings, by n."""

    device: str
    backend: str
    type: str
    op: str
    settings: tuple
    runs: list = field(default_factory=list)

    @property
    def largest(self):
        return self.runs[-1]

    @property
    def rung_names(self):
        """Of all n, as not every run has every rung; in the order of the largest."""
        return list(dict.fromkeys(rung.name for run in reversed(self.runs) for rung in run.rungs))

    @property
    def is_emulated(self):
        return self.largest.is_emulated

    @property
    def title(self):
        return ", ".join([f"{self.device}: {self.op} of {self.type}", *self.settings])


def read_rung(part):
    rung = Measured(part.text("name"), part.text("kind") if part.has("kind") else "reduces", part.text("verdict"),
                    part.known("reason", type(part).text))
    if rung.group not in GROUPS:
        part.get("kind").fail(f"is {rung.kind}; known kinds are {', '.join(GROUPS[:-1])} and {GROUPS[-1]}")
    if part.has("seconds"):
        speed, share = part.finite("gb_per_s"), part.finite("share_of_ceiling")
        if rung.verdict == "verified":
            rung.gb_per_s, rung.share = speed, share
        rung.ulps = part.finite("ulps")
        rung.launches = part.count("launches")
        rung.seconds = part.object("seconds").finite("median")
    return rung


def read_settings(part):
    """What a run was asked for that is not the default. Another such choice makes another measurement."""
    text, count, flag = type(part).text, type(part).count, type(part).flag
    said = []
    accumulator = part.known("accumulator", text)
    if accumulator not in (None, part.text("type")):
        said.append(f"accumulated in {accumulator}")
    if part.known("nan", text) not in (None, "propagate"):
        said.append(f"nan {part.text('nan')}")
    said += [key for key in ("exclusive", "descending") if part.known(key, flag)]
    for name, key, take in (("seed", "seed", count), ("elements of", "input", text)):
        if part.known(key, take) is not None:
            said.append(f"{name} {take(part, key)}")
    parameters = part.known("parameters", type(part).object)
    for name, key in (("tiles of", "tile_size"), ("tiles:", "tiles"), ("window", "window"), ("rows of", "row_length")):
        if parameters and parameters.known(key, count) is not None:
            said.append(f"{name} {parameters.count(key)}")
    return tuple(said)


def read_run(part):
    device = part.object("device")
    ceiling = part.known("read_ceiling", type(part).object)
    return Run(device.text("name"), device.text("backend"), part.count("n"), part.text("type"), part.text("op"),
               read_settings(part), part.text("date"), ceiling and ceiling.finite("gb_per_s"),
               [read_rung(rung) for rung in part.list("rungs")])


def joined(earlier, later):
    """The rungs of both runs; of one that both have, what the later found."""
    rungs = {rung.name: rung for rung in earlier.rungs + later.rungs}
    ceiling = earlier.ceiling if later.ceiling is None else later.ceiling
    return replace(later, rungs=list(rungs.values()), ceiling=ceiling)


def ladders_of(runs):
    """Devices' own times before an emulator's. Runs that differ in no more than rungs and date are joined."""
    found = {}
    for run in sorted(runs, key=lambda run: (run.n, run.date)):
        what = (run.type, run.op, run.settings)
        ladder = found.setdefault((run.device, *what), Ladder(run.device, run.backend, *what))
        if ladder.runs and ladder.largest.n == run.n:
            ladder.runs[-1] = joined(ladder.largest, run)
        else:
            ladder.runs.append(run)
    return sorted(found.values(), key=lambda ladder: ladder.is_emulated)
