"""The tree of one small tile as a picture: a row for the elements and one for what each step leaves behind."""

from dataclasses import dataclass

COLUMN, ROW, MARGIN = 10, 46, 12


@dataclass
class TreeStep:
    number: int
    ends: str
    edges: str  # data of an SVG path, as dots are
    dots: str
    words: list  # a sentence for each lane that works

    @property
    def summary(self):
        lanes = f"{len(self.words)} lane{'' if len(self.words) == 1 else 's'}"
        return f"step {self.number}: {lanes} at work, then {self.ends}"


@dataclass
class Tree:
    width: int
    height: int
    elements: str  # data of an SVG path
    steps: list


def column(place, lane):
    """A lane's own register, which has no index, stands where the lane does."""
    return place.get("index", lane)


def point(index, row):
    return MARGIN + COLUMN * index, MARGIN + ROW * row


def dots(points):
    """Lines of no length, which round ends make visible: one path for all takes less room than a circle for each."""
    return "".join(f"M{x} {y}h0" for x, y in points)


def in_words(place):
    return f"{place['kind']} {place['index']}" if "index" in place else f"its {place['kind']}"


def sentence(lane):
    sources = " + ".join(in_words(place) for place in lane["from"]) or "nothing"
    count = len(lane["holds"])
    return f"lane {lane['lane']}: {sources} to {in_words(lane['to'])}, {count} element{'' if count == 1 else 's'}"


def draw_step(step, row):
    edges, nodes = [], []
    for lane in step["lanes"]:
        to = point(column(lane["to"], lane["lane"]), row + 1)
        nodes.append(to)
        for place in lane["from"]:
            x, y = point(column(place, lane["lane"]), row)
            edges.append(f"M{x} {y}L{to[0]} {to[1]}")
    return TreeStep(step["step"], step["ends"], "".join(edges), dots(nodes), [sentence(lane) for lane in step["lanes"]])


def draw(trace):
    places = [(place, lane["lane"]) for step in trace["steps"] for lane in step["lanes"]
              for place in [*lane["from"], lane["to"]]]
    columns = max([trace["elements"], trace["tile_size"], *(column(*place) + 1 for place in places)])
    return Tree(2 * MARGIN + COLUMN * (columns - 1), 2 * MARGIN + ROW * len(trace["steps"]),
                dots(point(i, 0) for i in range(trace["elements"])),
                [draw_step(step, row) for row, step in enumerate(trace["steps"])])
