"""The tables of bench/shapes.py, of what it measured."""
import math
import statistics

from about import size_text

OURS = "wavefold"
AXES = {1: "rows", 0: "columns"}
WORST = 5  # cells that the summary names


def median(samples):
    return statistics.median(samples)


def share(cell):
    """Of the speed of a copy: the time to move the cell's bytes at that speed, by wavefold's time."""
    return cell["floor"] / median(cell["seconds"][OURS])


def best_peer(cell):
    """Its seconds and name; None without a peer."""
    return min(((median(samples), name) for name, samples in cell["seconds"].items() if name != OURS), default=None)


def ratio(cell):
    """wavefold's speed relative to the best peer's; None without a peer."""
    peer = best_peer(cell)
    return None if peer is None else peer[0] / median(cell["seconds"][OURS])


def percent(cell):
    return f"{100 * share(cell):.0f} %" if share(cell) >= 0.01 else f"{100 * share(cell):.1g} %"


def ratio_text(value):
    if value is None:
        return "–"
    return f"{value:.2f}" if value >= 1 else f"**{value:.2f}**"


def shape_text(cell):
    return f"{size_text(cell['rows'])} x {size_text(cell['columns'])}"


def cell_text(cell):
    return f"{cell['operator']} {cell['type']}, {AXES[cell['axis']]} of {shape_text(cell)}"


def markdown(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def table_of_shapes(cells):
    """Of one operator: shapes down; types across, for rows and for columns."""
    entries = {(cell["rows"], cell["columns"], cell["axis"], cell["type"]):
               f"{percent(cell)} / {ratio_text(ratio(cell))}" for cell in cells}
    types = list(dict.fromkeys(cell["type"] for cell in cells))
    across = [(axis, kind) for axis in AXES for kind in types]
    shapes = {(cell["rows"], cell["columns"]): shape_text(cell) for cell in cells}
    rows = [[text, *(entries.get((*shape, axis, kind), "") for axis, kind in across)]
            for shape, text in sorted(shapes.items())]
    return markdown(["", *(f"{AXES[axis]}, {kind}" for axis, kind in across)], rows)


def table_of_small(cells):
    rows = []
    for cell in cells:
        seconds, name = best_peer(cell) or (None, "")
        rows.append([f"{cell['operator']} {cell['type']}", f"{cell['rows']} x {cell['columns']}",
                     f"{1e6 * median(cell['seconds'][OURS]):.2f}", percent(cell), name,
                     "" if seconds is None else f"{1e6 * seconds:.2f}", ratio_text(ratio(cell))])
    return markdown(["", "shape", "wavefold µs", "of a copy's speed", "best peer", "µs", "ratio"], rows)


def named(cells, text):
    return "; ".join(f"{cell_text(cell)} ({text(cell)})" for cell in cells)


def summary(cells):
    compared = sorted((cell for cell in cells if ratio(cell) is not None), key=ratio)
    large = sorted((cell for cell in cells if not cell["small"]), key=share)
    lines = []
    if compared:
        ahead = sum(ratio(cell) >= 1 for cell in compared)
        mean = math.exp(statistics.fmean(math.log(ratio(cell)) for cell in compared))
        lines += [f"wavefold is ahead of every peer in {ahead} of {len(compared)} cells; the geometric mean of the "
                  f"ratios is {mean:.2f}.",
                  "Least ratios: " + named(compared[:WORST],
                                           lambda cell: f"{ratio(cell):.2f}, {best_peer(cell)[1]}") + "."]
    if large:
        lines.append("Least shares of a copy's speed: " + named(large[:WORST], percent) + ".")
    return "\n\n".join(lines)


def peers_text(document):
    """Which peers ran, which are missing, and what they do not compute."""
    lines = ["Sides: " + ", ".join(f"{name} {version}" for name, version in document["peers"].items()) + "."]
    lines += [f"Not measured: {name} ({why})." for name, why in document["missing"].items()]
    lines += [f"{name}: {why} ({count} cells)." for name, reasons in document["failed"].items()
              for why, count in reasons.items()]
    return "\n".join(f"- {line}" for line in lines)


HOW_TO_READ = (
    "An entry is wavefold's share of the speed of a copy, then its speed relative to the best peer's; bold: below 1. "
    "The share counts the bytes that wavefold reads and writes. Rows are reduced along axis 1, columns along axis 0."
    "\n\n"
    "Sums of floats by wavefold are exact ones, rounded once into the element's type. Peers round at each step, in f32 "
    "for bf16; their result types are wavefold's (u8: 64 bits, i32: 32 bits). argmax of wavefold writes value and "
    "index, 16 bytes; torch and CuPy write the index alone, CUB a 32-bit index and the value. CUB's offsets are "
    "computed, not read. A peer that takes more than 30 times as long as wavefold is timed once.")


def sections(document):
    about, cells = document["about"], document["cells"]
    parts = [
        f"# Reductions of every shape on {about['device']}",
        f"{about['time']}, medians of {about['samples']}, all sides in turn. Driver {about['driver']}, compiler "
        f"{about['compiler']}, commit {about['commit']}. Made by `{about['command']}`. A copy moves "
        f"{1e-9 * median(document['copy']):.0f} GB/s, read and written.",
        summary(cells), peers_text(document), HOW_TO_READ]
    large = [cell for cell in cells if not cell["small"]]
    for operator in dict.fromkeys(cell["operator"] for cell in large):
        parts += [f"## {operator}", table_of_shapes([cell for cell in large if cell["operator"] == operator])]
    small = [cell for cell in cells if cell["small"]]
    return parts + (["## Small arrays", table_of_small(small)] if small else [])
