"""Files of `wavefold explain --json`: what a rung's counted execution found."""

from dataclasses import dataclass

from words import size

VERSION = 1  # of the document
MOST = {"elements": 1024, "tile_size": 1024}  # of a trace: more than `wavefold explain` draws


@dataclass
class Explanation:
    """Lists of plain dictionaries, as in the file; every key that the page shows was checked."""

    rung: str
    wave_width: int
    n: int
    type: str
    op: str
    idea: str
    limit: str
    seed: str
    total: dict
    launches: list
    claims: list
    steps: list
    lines: list
    findings: list
    trace: dict

    @property
    def title(self):
        return f"{self.op} of {size(self.n)} {self.type}, waves of {self.wave_width}"

    @property
    def tile_size(self):
        """None of what launches no kernel."""
        return self.launches[0]["tile_size"] if self.launches else None


def check_counts(part):
    for memory, sides in (("global", ("elements", "accesses", "lines32", "lines64", "lines128")),
                          ("tile_memory", ("cells", "accesses", "extra_passes"))):
        for side in ("loads", "stores"):
            for key in sides:
                part.object(memory).object(side).count(key)
    for key in ("count", "collisions"):
        part.object("atomics").count(key)
    for key in ("barriers", "wave_barriers", "shuffles", "divergent_steps"):
        part.count(key)
    part.number("idle_lane_share")
    return part.value


def check_launch(part):
    part.text("kernel")
    part.count("tiles")
    part.count("tile_size")
    return check_counts(part)


def check_claim(part):
    for key in ("quantity", "claim", "source"):
        part.text(key)
    part.number("measured")
    part.flag("holds")
    return part.value


def check_step(part):
    part.text("ends")
    for key in ("step", "active_lanes", "lanes", "full_waves", "divergent_waves", "idle_waves"):
        part.count(key)
    return part.value


def check_line(part):
    part.text("file")
    part.text("what")
    for key in ("line", "accesses", "lanes", "extra_passes", "lines128"):
        part.count(key)
    return part.value


def check_place(part):
    """An element, a cell, a lane's register, the result, ...; a lane's own register has no index."""
    part.text("kind")
    if part.has("index"):
        part.count("index")


def check_trace(part):
    for key, most in MOST.items():
        if part.count(key) > most:
            part.get(key).fail(f"is {part.value[key]}, and {most} is the most of a trace")
    for step in part.list("steps"):
        step.count("step")
        step.text("ends")
        for lane in step.list("lanes"):
            lane.count("lane")
            for source in lane.list("from"):
                check_place(source)
            check_place(lane.object("to"))
            for element in lane.list("holds"):
                element.as_number()
    return part.value


def read_explanation(part):
    if part.count("explain") != VERSION:
        part.get("explain").fail(f"is {part.value['explain']}, and {VERSION} is what the report reads")
    total = check_counts(part.object("total"))
    part.object("total").count("launches")
    texts = [part.text(key) for key in ("type", "op", "idea", "limit", "seed")]
    return Explanation(part.text("rung"), part.count("wave_width"), part.count("n"), *texts, total,
                       [check_launch(launch) for launch in part.list("launches")],
                       [check_claim(claim) for claim in part.list("claims")],
                       [check_step(step) for step in part.list("steps")],
                       [check_line(line) for line in part.list("lines")],
                       [finding.as_text() for finding in part.list("findings")],
                       check_trace(part.object("trace")) if part.has("trace") else None)
