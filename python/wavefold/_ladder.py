"""The teaching ladder from Python: explain, try_kernel and progression, by the program's JSON."""
from wavefold import _program
from wavefold._table import Table

_COUNTS = {"loads": ("global", "loads", "elements"), "load accesses": ("global", "loads", "accesses"),
           "lines of 128 bytes": ("global", "loads", "lines128"), "stores": ("global", "stores", "elements"),
           "tile loads": ("tile_memory", "loads", "accesses"), "tile stores": ("tile_memory", "stores", "accesses"),
           "bank conflicts": ("tile_memory", "loads", "extra_passes"), "barriers": ("barriers",),
           "shuffles": ("shuffles",), "divergent steps": ("divergent_steps",),
           "share of idle lanes": ("idle_lane_share",)}


def _counts(total, beside=None):
    rows = []
    for name, path in _COUNTS.items():
        row = {"count": name}
        for column, counts in (("here", total), ("beside", beside))[:1 if beside is None else 2]:
            for key in path:
                counts = counts.get(key) if counts is not None else None
            row[column] = counts
        rows.append(row)
    return rows


class Explanation(Table):
    """What explain returns: the counts as rows, all figures of the program in data, and the first tile's tree as a
    picture."""

    def __init__(self, data, beside, picture):
        self.data, self._picture = data, picture
        rows = _counts(data["total"], beside["total"] if beside else None)
        columns = ["count", "here"] if beside is None else ["count", "here", "beside"]
        title = f"{data['rung']}: {data['idea']}; n = {data['n']}, waves of {data['wave_width']}"
        super().__init__(title + (f"; beside: {beside['rung']}" if beside else ""), columns, rows)

    def _repr_svg_(self):
        return self._picture


def explain(rung, *, against=None, n=65536, wave=32, tile=None, picture=True):
    """Runs a rung of the ladder on the emulated device and counts every access: a table that Jupyter shows.

    rung, against: names of rungs (`python -m wavefold rungs`). n: elements. wave: 32 or 64 lanes. tile: threads of one.
    picture: also draw the first tile's tree. Returns an Explanation. Raises RuntimeError for a name that is no rung's.

    >>> import wavefold
    >>> print(wavefold.explain("tiled_1", n=4096, picture=False)[7])
    {'count': 'barriers', 'here': 144}
    """
    options = ["--n", n, "--wave", wave] + (["--tile", tile] if tile is not None else [])
    data = _program.run_json("explain", rung, *options, "--json=-")
    beside = _program.run_json("explain", against, *options, "--json=-") if against is not None else None
    svg = None
    if picture and data["kind"] == "reduces":
        svg = _program.run("explain", rung, "--trace", "--svg=-", "--wave", wave, may_fail=True) or None
    return Explanation(data, beside, svg)


class Trial(Table):
    """What try_kernel returns: whether sums are right, and what each wave width costs; all figures in data."""

    def __init__(self, data):
        self.data = data
        self.right = all(width["right"] for width in data["widths"]) and data["clean"]
        rows = []
        for width in data["widths"]:
            row = {"wave": width["wave"], "right": width["right"], "findings": len(width["findings"])}
            total = width.get("total")
            for count in _counts(total) if total else ():
                row[count["count"]] = count["here"]
            rows.append(row)
        columns = list(dict.fromkeys(column for row in rows for column in row))
        super().__init__(f"{data['file']}: {'right' if self.right else 'not right'}", columns, rows)


def try_kernel(path, *, seconds=10):
    """Compiles the kernel in a file with the system's C++ compiler, runs it as a sum in the emulator, and reports
    whether it is right, the rules that it breaks and what it costs (docs/try.md). Returns a Trial.

    The file runs as a program with your permissions. seconds: after which it is ended.
    Raises RuntimeError if the file cannot be read or compiled.
    """
    text = _program.run("try", path, "--seconds", seconds, "--json=-", may_fail=True)
    if not text:
        _program.run("try", path, "--seconds", seconds, "--quiet")
        raise RuntimeError(f"{path}: the program printed nothing")
    import json
    return Trial(json.loads(text))


class Progression(Table):
    """What progression returns: a row for each rung, all figures in data, and bars as a picture."""

    def __init__(self, data):
        self.data = data
        rows = [{"rung": rung["name"], "launches": rung["launches"], "threads": rung["threads"],
                 "microseconds": 1e6 * rung["seconds"]["median"] if rung.get("seconds") else None,
                 "GB/s": rung.get("gb_per_s"), "ulps": rung.get("ulps"), "verdict": rung["verdict"]}
                for rung in data["rungs"]]
        title = f"{data['op']} of {data['n']} {data['type']} on {data['device']['name']}"
        super().__init__(title, list(rows[0]) if rows else ["rung"], rows)

    def _repr_svg_(self):
        from html import escape
        timed = [row for row in self.rows if row["GB/s"]]
        most = max((row["GB/s"] for row in timed), default=1)
        lines = []
        for y, row in enumerate(timed):
            width = 520 * row["GB/s"] / most
            lines.append(f'<text x="150" y="{22 * y + 15}" text-anchor="end">{escape(row["rung"])}</text>'
                         f'<rect x="158" y="{22 * y + 3}" width="{width:.1f}" height="16" fill="#0969da"/>'
                         f'<text x="{164 + width:.1f}" y="{22 * y + 15}">{row["GB/s"]:.3g} GB/s</text>')
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="800" height="{22 * len(timed) + 4}" '
                f'font-family="system-ui" font-size="12"><rect width="100%" height="100%" fill="#fff"/>'
                f'{"".join(lines)}</svg>')


def progression(*, n=None, type="f32", op="sum", family=None, device=None, repeat=None):
    """Times and verifies each rung of the ladder on a device: a table and bars that Jupyter shows.

    n: elements. type, op: names as `python -m wavefold operators` lists them. family: "all" or one of the ladder's.
    device: "auto", "host", "nvidia:0", ... Returns a Progression. Raises RuntimeError with the program's sentence.
    """
    options = ["--type", type, "--op", op, "--json=-"]
    for name, value in (("n", n), ("family", family), ("device", device), ("repeat", repeat)):
        if value is not None:
            options += [f"--{name}", value]
    return Progression(_program.run_json("progression", *options))
