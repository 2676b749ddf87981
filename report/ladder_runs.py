"""Results of `wavefold progression --json`, alone or several in one file (bench/progression.py)."""

from dataclasses import dataclass, field


@dataclass
class Measured:
    """A rung in a run; what is not known is None."""

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
        """reduces, scans or sorts."""
        return self.kind.split("_")[0]


@dataclass
class Run:
    device: str
    backend: str
    n: int
    type: str
    op: str
    date: str
    ceiling: float
    rungs: list

    def rung(self, name):
        return next((rung for rung in self.rungs if rung.name == name), None)


@dataclass
class Ladder:
    """The runs of one device, one type and one operator, by n."""

    device: str
    backend: str
    type: str
    op: str
    runs: list = field(default_factory=list)

    @property
    def largest(self):
        return self.runs[-1]

    @property
    def is_emulated(self):
        """Then its times say nothing of a GPU's."""
        return self.backend == "host"

    @property
    def title(self):
        return f"{self.device}: {self.op} of {self.type}"


def read_rung(part):
    rung = Measured(part.text("name"), part.text("kind") if part.has("kind") else "reduces", part.text("verdict"),
                    part.known("reason", type(part).text))
    if part.has("seconds"):
        rung.gb_per_s = part.finite("gb_per_s")
        rung.share = part.finite("share_of_ceiling")
        rung.ulps = part.finite("ulps")
        rung.launches = part.count("launches")
        rung.seconds = part.object("seconds").finite("median")
    return rung


def read_run(part):
    device = part.object("device")
    ceiling = part.known("read_ceiling", type(part).object)
    return Run(device.text("name"), device.text("backend"), part.count("n"), part.text("type"), part.text("op"),
               part.text("date"), ceiling and ceiling.finite("gb_per_s"),
               [read_rung(rung) for rung in part.list("rungs")])


def ladders_of(runs):
    """Devices' own times before an emulator's. Of two runs that differ in nothing but their date the later is kept."""
    found = {}
    for run in sorted(runs, key=lambda run: (run.n, run.date)):
        ladder = found.setdefault((run.device, run.type, run.op), Ladder(run.device, run.backend, run.type, run.op))
        ladder.runs = [other for other in ladder.runs if other.n != run.n] + [run]
    return sorted(found.values(), key=lambda ladder: ladder.is_emulated)
