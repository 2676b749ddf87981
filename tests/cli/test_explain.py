"""`wavefold explain`: the counts of the eight rungs of C++ AMP beside formulas, derived here; and what it shows."""

import json
import math
import re
import xml.etree.ElementTree

import pytest
from support import FAILURE, SUCCESS, USAGE, one_error, wavefold

TILE, TILES, WINDOW, BANKS = 256, 64, 8, 32
STEPS = [2**k for k in range(int(math.log2(TILE)))]  # of a tile's tree: strides 1, 2, 4, ...
COUNTS, WIDTHS = (2**10, 1000, 2**16), (32, 64)


def explain(*arguments, status=SUCCESS):
    done = wavefold("explain", *arguments, "--json", "-")
    assert done.returncode == status, done.stderr
    return json.loads(done.stdout)


# ---- Formulas -------------------------------------------------------------------------------------------------------


def extra_passes(lanes, stride):
    """Of an access to so many cells, so far apart: powers of two. Cells that are 32 apart share a bank. Half
    a wave of 64 lanes takes passes of its own."""
    banks = max(1, BANKS // stride)
    return -(-lanes // banks) - -(-lanes // BANKS)


def simple_1(n, _):
    """A launch folds the upper half onto the lower: two loads and a store for each pair, and a step of the tail for an
    odd length: the tail and the last element are loaded, the tail is stored."""
    want = {"launches": 0, "loads": 0, "stores": 0}
    while n >= 2:
        want["launches"] += 1
        want["loads"] += 2 * (n // 2) + 2 * (n % 2)
        want["stores"] += n // 2 + n % 2
        n //= 2
    return want


def simple_2(n, _):
    """A launch folds each window of 8 with 8 loads and a store; its last thread loads the tail and what is left, and
    stores the tail."""
    want = {"launches": 0, "loads": 0, "stores": 0}
    while n >= WINDOW:
        want["launches"] += 1
        want["loads"] += WINDOW * (n // WINDOW) + 1 + n % WINDOW
        want["stores"] += n // WINDOW + 1
        n //= WINDOW
    return want


def trees(n, width, elements_per_tile, reads, extra, divergent):
    """Launches in which a tile loads its elements, writes a cell for each thread, folds them in a tree, and stores one.
    reads: cells that a fold of the tree reads; extra and divergent: passes and steps of one tile. Goes on with what the
    tiles left while that is more than a tile; the host folds the rest."""
    want = dict.fromkeys(("launches", "loads", "stores", "read", "written", "barriers", "extra", "divergent", "steps",
                          "active", "load_accesses"), 0)
    while True:
        tiles = -(-n // elements_per_tile)
        want["launches"] += 1
        want["loads"] += n
        want["load_accesses"] += -(-n // width)
        want["stores"] += tiles
        want["read"] += tiles * (reads * (TILE - 1) + 1)  # and one to store it
        want["written"] += tiles * (TILE + TILE - 1)
        want["barriers"] += tiles * (1 + len(STEPS))
        want["steps"] += tiles * (TILE // width) * (2 + len(STEPS))
        want["active"] += tiles * (TILE + TILE - 1 + 1)
        want["extra"] += tiles * extra
        want["divergent"] += tiles * divergent
        n = tiles
        if n <= TILE:
            return want


def parted_at_the_end(width):
    """Of threads that work side by side, TILE / 2, TILE / 4, ..., 1, the wave with the last one is parted when they are
    fewer than a wave; and the first wave is, when its first lane stores."""
    return sum(TILE // (2 * s) < width for s in STEPS) + 1


def tiled_1(n, width):
    """Every 2s-th thread works: lanes of every wave, or the first lane of every (2s / width)-th. Three accesses of a
    wave in a step: two cells are read and one is written."""
    divergent = sum(TILE // width if 2 * s <= width else TILE // (2 * s) for s in STEPS) + 1
    extra = sum(3 * (TILE // BANKS) * extra_passes(BANKS // (2 * s), 2 * s) for s in STEPS if 2 * s <= BANKS)
    return trees(n, width, TILE, 2, extra, divergent)


def tiled_2(n, width):
    """The first TILE / 2s threads work, on cells 2s apart."""
    extra = 0
    for s in STEPS:
        threads = TILE // (2 * s)
        extra += 3 * max(1, threads // BANKS) * extra_passes(min(threads, BANKS), 2 * s)
    return trees(n, width, TILE, 2, extra, parted_at_the_end(width))


def tiled_3(n, width):
    """The same on cells side by side: no bank is asked twice."""
    return trees(n, width, TILE, 2, 0, parted_at_the_end(width))


def tiled_4(n, width):
    """A thread loads two elements, and keeps its own sum in a register: a fold reads one cell."""
    want = trees(n, width, 2 * TILE, 1, 0, parted_at_the_end(width))
    del want["load_accesses"]  # two for each wave, of which the second may be beyond the end
    return want


def cascade(n, width):
    """One launch of 64 tiles, whatever n; one tree for each."""
    want = trees(TILES * TILE, width, TILE, 1, 0, parted_at_the_end(width))
    return {key: want[key] for key in ("launches", "stores", "read", "written", "barriers", "extra", "divergent")} | {
        "loads": n}


def sequential(_, __):
    return dict.fromkeys(("launches", "loads", "stores", "read", "written", "barriers"), 0)


RUNGS = (sequential, simple_1, simple_2, tiled_1, tiled_2, tiled_3, tiled_4, cascade)


def counted(got, key):
    total = got["total"]
    memory, tile = total["global"], total["tile_memory"]
    return {
        "launches": lambda: total["launches"],
        "loads": lambda: memory["loads"]["elements"],
        "load_accesses": lambda: memory["loads"]["accesses"],
        "stores": lambda: memory["stores"]["elements"],
        "read": lambda: tile["loads"]["cells"],
        "written": lambda: tile["stores"]["cells"],
        "extra": lambda: tile["loads"]["extra_passes"] + tile["stores"]["extra_passes"],
        "barriers": lambda: total["barriers"],
        "divergent": lambda: total["divergent_steps"],
        "steps": lambda: total["steps_of_waves"],
        "active": lambda: round((1 - total["idle_lane_share"]) * total["steps_of_waves"] * got["wave_width"]),
    }[key]()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("n", COUNTS)
@pytest.mark.parametrize("rung", RUNGS, ids=lambda rung: rung.__name__)
def test_counts_are_the_formulas(rung, n, width):
    got = explain(rung.__name__, "--n", n, "--wave", width)
    want = rung(n, width)
    assert {key: counted(got, key) for key in want} == want
    assert got["findings"] == [] and got["is_right"]


@pytest.mark.parametrize("name", ["simple_1", "simple_2", "tiled_1", "tiled_3", "cascade"])
def test_lanes_side_by_side_share_lines(name):
    """32 lanes load 128 bytes that lie side by side, and at an aligned address where n is a power of two."""
    loads = explain(name, "--n", 2**16)["total"]["global"]["loads"]
    assert loads["lines128"] == loads["accesses"]
    wide = explain(name, "--n", 2**16, "--wave", 64)["total"]["global"]["loads"]
    assert wide["accesses"] < wide["lines128"] <= 2 * wide["accesses"]


def test_all_rungs_keep_the_rules():
    for rung in json.loads(wavefold("rungs", "--json", "-").stdout):
        for width in WIDTHS:
            got = explain(rung["name"], "--n", 700, "--wave", width)
            assert got["is_right"] and got["findings"] == [], (rung["name"], width)


def test_accesses_are_those_that_rungs_says():
    """For large n: at 2^18 what is beside the elements, as the states of exact sums, is less than 3 %."""
    for rung in json.loads(wavefold("rungs", "--json", "-").stdout):
        if rung["accesses"] is not None and rung["name"] != "sequential":
            of = explain(rung["name"], "--n", "2^18")["total"]["global"]
            counted = of["loads"]["elements"] + of["stores"]["elements"]
            assert counted / 2**18 == pytest.approx(rung["accesses"], rel=0.03), rung["name"]


def test_what_the_seeds_claim():
    held = {name: [claim["holds"] for claim in explain(name)["claims"]]
            for name in ("simple_1", "simple_2", "tiled_1", "tiled_2", "tiled_3", "tiled_4", "cascade")}
    # The lecture says that tiled_4 leaves no thread idle in the first step. Of half as many threads, half still are.
    assert held.pop("tiled_4") == [True, False]
    assert all(all(claims) and claims for claims in held.values()), held


@pytest.mark.parametrize("rung, updates", [("block_atomic", TILES), ("wave_atomic", TILES * TILE // 32)])
def test_updates_collide(rung, updates):
    """All update one word: one of a tile, or of a wave."""
    assert explain(rung, "--n", 2**14)["total"]["atomics"] == {"count": updates, "collisions": updates - 1}


@pytest.mark.parametrize("rung, arguments", [("tiled_1", ["--tile", 32]), ("tiled_2", ["--tile", 32]),
                                             ("simple_1", ["--n", 2]), ("tiled_4", ["--n", 100])])
def test_no_claims_of_short_arrays_and_small_tiles(rung, arguments):
    assert explain(rung, *arguments)["claims"] == []


# ---- What is shown --------------------------------------------------------------------------------------------------


def test_text():
    done = wavefold("explain", "tiled_2", "--against", "tiled_1", "--lines")
    assert done.returncode == SUCCESS and done.stderr == ""
    for part in ("tiled_1", "tiled_2", "bank conflicts", "04_tiled_2.hip:", "26880", "from 0", "holds"):
        assert part in done.stdout
    assert "\033" not in done.stdout


@pytest.mark.parametrize("rung, n", [("sequential", 1000), ("simple_1", 1)])
def test_without_a_launch(rung, n):
    text = wavefold("explain", rung, "--n", n).stdout
    assert "\nNo kernel is launched, and there is nothing to count.\n" in text and "elements loaded" not in text


def test_lines_of_a_rung_without_kernels():
    """What counts nothing has no table of lines, not even its head."""
    assert wavefold("explain", "sequential", "--lines").stdout == wavefold("explain", "sequential").stdout


def rows_below(text, head):
    """The cells of a table's rows, which blanks between them part."""
    lines = text.splitlines()
    first = next(i for i, line in enumerate(lines) if re.fullmatch(head, line)) + 1
    return [re.split(" {2,}", line.strip()) for line in lines[first:lines.index("", first)]]


def as_shown(value, unit=""):
    return (f"{value:.0f}" if value == int(value) or value >= 1000 else f"{value:.4g}") + unit


def test_beside_a_rung_without_kernels():
    """Of which nothing is counted: that is no 0."""
    text = wavefold("explain", "tiled_4", "--against", "sequential").stdout
    rows = rows_below(text, "figure +sequential  tiled_4  change  what it is")
    assert rows[0][:3] == ["launches", "0", "1"]
    assert {row[1] for row in rows[1:]} == {"-"} and all(row[2] != "-" for row in rows)


@pytest.mark.parametrize("arguments", [("wavefold", "--wave", 64, "--n", 5000), ("tiled_1",), ("wave_tile", "--n", 700),
                                       ("multi_block",), ("blelloch", "--n", 3000), ("simple_1", "--n", 2000),
                                       ("bitonic", "--n", 500)], ids=lambda value: value[0])
def test_the_text_has_the_figures_of_the_report(arguments):
    got, text = explain(*arguments), wavefold("explain", *arguments, "--lines").stdout
    total = got["total"]
    loads, stores = (total["global"][side] for side in ("loads", "stores"))
    cells = total["tile_memory"]
    figures = {
        "launches": total["launches"], "elements loaded": loads["elements"], "elements stored": stores["elements"],
        "loads and stores per element": (loads["elements"] + stores["elements"]) / got["n"],
        "lines of 128 bytes per wave load": loads["lines128"] / loads["accesses"],
        "lines of 64 bytes": loads["lines64"] / loads["accesses"],
        "lines of 32 bytes": loads["lines32"] / loads["accesses"],
        "lines of 128 bytes per wave store": stores["lines128"] / stores["accesses"],
        "tile memory: cells read": cells["loads"]["cells"], "tile memory: cells written": cells["stores"]["cells"],
        "tile memory: extra passes": cells["loads"]["extra_passes"] + cells["stores"]["extra_passes"],
        "barriers of tiles": total["barriers"], "barriers of waves": total["wave_barriers"],
        "shuffles": total["shuffles"], "atomic updates": total["atomics"]["count"],
        "collisions of these": total["atomics"]["collisions"],
    }
    shares = {"divergent steps of waves": total["divergent_steps"] / total["steps_of_waves"],
              "idle lanes": total["idle_lane_share"]}
    shown = {name: as_shown(value) for name, value in figures.items() if value}
    shown |= {name: as_shown(100 * share, " %") for name, share in shares.items() if share}
    assert {row[0]: row[1] for row in rows_below(text, f"figure +{arguments[0]}  what it is")} == shown

    def launch_row(number, one):
        passes = [one["tile_memory"][side]["extra_passes"] for side in ("loads", "stores")]
        return [number, one["tiles"], one["tile_size"], one["global"]["loads"]["elements"],
                one["global"]["stores"]["elements"], sum(passes),
                f"{one['divergent_steps']} of {one['steps_of_waves']}", f"{100 * one['idle_lane_share']:.1f} %"]

    tables = {
        "launch  tiles .*": [launch_row(i, one) for i, one in enumerate(got["launches"][:8], 1)],
        "step  ends with .*": [[one["step"], one["ends"], f"{one['active_lanes']} of {one['lanes']}", one["full_waves"],
                                one["divergent_waves"], one["idle_waves"]] for one in got["steps"][:24]],
        "line +what .*": [[f"{one['file']}:{one['line']}", *(one[key] for key in (
            "what", "accesses", "lanes", "bytes", "lines128", "extra_passes"))] for one in got["lines"]],
    }
    for head, rows in tables.items():
        found = [row for row in rows_below(text, head) if not row[0].startswith("and ")]
        assert rows and found == [[str(cell) for cell in row] for row in rows]
    more = [len(got["launches"]) - 8, len(got["steps"]) - 24]
    assert re.findall(r"^  and (\d+) more$", text, re.MULTILINE) == [str(rest) for rest in more if rest > 0]


def blocks_of(*arguments):
    """{first line: the others} of what blank lines part."""
    text = wavefold("explain", *arguments).stdout
    return {block.splitlines()[0]: block.splitlines()[1:] for block in text.strip().split("\n\n")}


def test_launches_and_steps_of_both_rungs():
    both = blocks_of("tiled_2", "--against", "tiled_1")
    for rung in ("tiled_1", "tiled_2"):
        for head in (f"The launches of {rung}:", f"The first tile of the first launch of {rung}, step by step:"):
            assert len(both[head]) >= 2 and both[head] == blocks_of(rung)[head]


def test_every_column_has_a_name():
    """No row has more cells than its table has names."""
    tables = [lines if head.endswith(":") else [head, *lines] for head, lines in blocks_of("tiled_4", "--lines").items()
              if head.startswith(("figure ", "The ", "What "))]
    assert len(tables) == 5
    for table in tables:
        names, *rows = (re.split(" {2,}", line.strip()) for line in table)
        assert rows and all(len(row) <= len(names) for row in rows), names


def test_claims_of_the_text():
    [heading, *rows] = blocks_of("tiled_4")["What the sources of tiled_4 claim:"]
    assert re.split(" {2,}", heading) == ["claim", "source", "what was counted", "count", "claim holds"]
    claims = explain("tiled_4")["claims"]
    assert [re.split(" {2,}", row) for row in rows] == [
        [one["claim"], one["source"], one["quantity"], as_shown(one["measured"]), "yes" if one["holds"] else "no"]
        for one in claims]
    assert {row[-3:] for row in rows} == {"yes", " no"}


def test_beside_in_the_report():
    """Of the other rung all that is told of the first."""
    got = explain("tiled_2", "--against", "tiled_1")
    against = got.pop("against")
    assert got == explain("tiled_2") and against == explain("tiled_1")


def test_trace():
    """The upper half onto the lower, four times: 16 elements of a tile of 16."""
    steps = explain("tiled_3", "--trace", "--n", 16)["trace"]["steps"]
    assert [len(step["lanes"]) for step in steps] == [16, 8, 4, 2, 1, 1]
    for depth, step in enumerate(steps[1:5], 1):
        apart = 16 >> depth
        for lane in step["lanes"]:
            own = lane["lane"]
            assert [place["index"] for place in lane["from"]] == [own, own + apart]
            assert lane["to"] == {"kind": "cell", "index": own}
            assert lane["holds"] == list(range(own, 16, apart))
    assert steps[5]["lanes"][0]["to"] == {"kind": "element", "array": "result", "index": 0}


@pytest.mark.parametrize("n, width", [(9, 32), (17, 64), (32, 64), (63, 32)])
@pytest.mark.parametrize("name", ["simple_1", "simple_2", "tiled_1", "tiled_2", "tiled_3", "tiled_4", "cascade",
                                  "unrolled_full", "wave_two_pass", "block_atomic", "wave_tile", "grid_stride_atomic"])
def test_sources_of_a_trace_make_up_the_sum(name, n, width):
    """What the places held in the steps before, of the first launch."""
    steps = explain(name, "--trace", "--n", n, "--wave", width)["trace"]["steps"]
    assert steps
    holds = {(array, i): {i} for array in ("source", "data") for i in range(n)}
    for step in steps:
        if step["launch"] > 0 and name not in ("simple_1", "simple_2"):
            break
        left = {}
        for lane in step["lanes"]:
            places = [(place.get("array", place["kind"]), place["index"]) for place in [*lane["from"], lane["to"]]]
            assert set(lane["holds"]) <= set().union(*(holds[place] for place in places[:-1])), lane
            left[places[-1]] = left["lane", lane["lane"]] = set(lane["holds"])
        holds |= left


def ranges(numbers):
    """0, 1, 2, 5: 0-2,5"""
    starts = [n for n in numbers if n - 1 not in numbers]
    ends = [n for n in numbers if n + 1 not in numbers]
    return ",".join(f"{first}-{last}" if last > first else str(first) for first, last in zip(starts, ends))


@pytest.mark.parametrize("arguments", [("tiled_1", "--n", 21), ("wave_two_pass", "--n", 40), ("simple_1", "--n", 1)],
                         ids=lambda value: value[0])
def test_the_text_of_a_trace_is_that_of_the_report(arguments):
    def place(of):
        return f"{of['array']}[{of['index']}]" if of["kind"] == "element" else f"{of['kind']} {of['index']}"

    wanted = []
    for step in explain(*arguments, "--trace")["trace"]["steps"]:
        end = "" if step["ends"] in ("", "return") else f", until a {step['ends']}"
        wanted.append(f"launch {step['launch'] + 1}, step {step['step']}{end}")
        wanted += [f"  lane {lane['lane']:3}: {' + '.join(map(place, lane['from']))} -> {place(lane['to'])}   of "
                   f"{ranges(lane['holds'])}" for lane in step["lanes"]]
    text = wavefold("explain", *arguments, "--trace").stdout
    assert text.startswith(f"{arguments[0]} of {arguments[2]} element{'s' if arguments[2] > 1 else ''}: the first tile")
    assert [line for line in text.splitlines()[1:] if line.startswith(("launch ", "  lane"))] == wanted


@pytest.mark.parametrize("width", WIDTHS)
def test_trace_of_shuffles(width):
    steps = explain("wave_two_pass", "--trace", "--n", 32, "--wave", width)["trace"]["steps"]
    assert steps[0]["ends"] == "shuffle"
    assert any(lane["holds"] == list(range(32)) and {place["kind"] for place in lane["from"]} == {"lane"}
               for step in steps for lane in step["lanes"])


SVG = "{http://www.w3.org/2000/svg}"


def picture_of(*arguments):
    """The root, and of what is not the legend: circles by class, and lines from and to sums; as whole numbers."""
    done = wavefold("explain", *arguments, "--svg", "-")
    assert done.returncode == SUCCESS, done.stderr
    root = xml.etree.ElementTree.fromstring(done.stdout)
    legend = root.find(f"{SVG}g[@class='legend']")
    texts = [text.text for text in legend.iter(f"{SVG}text")]
    root.remove(legend)
    circles = {}
    for circle in root.iter(f"{SVG}circle"):
        circles.setdefault(circle.get("class"), []).append((int(circle.get("cx")), int(circle.get("cy"))))
    lines = [tuple(int(line.get(key)) for key in ("x1", "y1", "x2", "y2"))
             for line in root.iter(f"{SVG}line") if line.get("class") == "e"]
    return root, circles, lines, texts


def test_picture(tmp_path):
    path = tmp_path / "tree.svg"
    assert wavefold("explain", "tiled_1", "--svg", path, "--quiet").returncode == SUCCESS
    assert path.read_text() == wavefold("explain", "tiled_1", "--svg", "-").stdout
    root, circles, lines, _ = picture_of("tiled_1")
    assert root.tag == f"{SVG}svg" and "tiled_1" in root.get("aria-label")
    # The array, of which another tile reads one half; the tree, and the result. A line for each source.
    assert [len(circles[kind]) for kind in "son"] == [16, 16, 16 + 8 + 4 + 2 + 1 + 1]
    assert len(lines) == 16 + 2 * (8 + 4 + 2 + 1) + 1


@pytest.mark.parametrize("n", [1, 9, 32, 63])
@pytest.mark.parametrize("name", ["simple_1", "simple_2", "tiled_1", "tiled_3", "tiled_4", "cascade", "unrolled_full",
                                  "wave_two_pass", "wave_two_pass_v4", "last_block", "block_by_waves", "wave_tile",
                                  "single_block_ordered", "wavefold", "hillis_steele", "look_back"])
def test_lines_of_a_picture_begin_and_end_at_something(name, n):
    """Nothing hangs in the air: an element is read, or drawn as left out; a sum has sources."""
    root, circles, lines, legend = picture_of(name, "--n", n)
    sums, read, left_out = (circles.get(kind, []) for kind in "nso")
    top = [circle for circle in read + left_out if circle[1] == 64]
    assert len(top) == n and all(circle[1] == 64 for circle in read)
    starts, ends = {line[:2] for line in lines}, {line[2:] for line in lines}
    dots = {(x, y + 4) for x, y in read + left_out if (x, y + 4) not in {(x, 68) for x, y in left_out if y == 64}}
    assert starts <= dots | {(x, y + 10) for x, y in sums}
    assert dots <= starts and ends == {(x, y - 10) for x, y in sums}
    assert all(y1 < y2 for _, y1, _, y2 in lines)
    assert ("an element that the first tile does not read; other tiles are left out" in legend) == any(
        y == 64 for _, y in left_out)
    assert any("own origin is left out" in text for text in legend) == any(y != 64 for _, y in left_out)
    width, height = int(root.get("width")), int(root.get("height"))
    assert width >= 720 and all(x < width and y + 56 < height for x, y in sums + top)


@pytest.mark.parametrize("name, n, shown", [("tiled_1", 32, "the first tile of the first launch"),
                                            ("wave_two_pass", 32, "the first tile of the first launch"),
                                            ("simple_1", 32, "the first tile of each launch"),
                                            ("simple_1", 1, "no kernel is launched")])
def test_title_of_a_picture(name, n, shown):
    title = "".join(picture_of(name, "--n", n)[0].find(f"{SVG}text").itertext())
    assert title == f"{name} of {n} element{'s' if n > 1 else ''}: {shown}"


def test_lines_lead_to_where_a_source_was_left():
    """Not to the row above, where another kernel's may be: what lanes 0 to 7 hold since the first step."""
    _, circles, lines, _ = picture_of("wave_two_pass_v4")
    rows = sorted({y for _, y in circles["n"]})
    assert sum(y1 == rows[0] + 10 and y2 == rows[3] - 10 for _, y1, _, y2 in lines) == 16


# ---- Bad input ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments, status, fragments", [
    ([], USAGE, ["needs a rung", "wavefold rungs"]),
    (["tild_1"], USAGE, ["tild_1", "did you mean 'tiled_1'? See wavefold rungs"]),
    (["no_such_rung"], USAGE, ["'no_such_rung'; see wavefold rungs"]),
    (["tiled_1", "tiled_2"], USAGE, ["tiled_2", "--against"]),
    (["tiled_1", "--against", "tild_2"], USAGE, ["tild_2", "tiled_2"]),
    (["tiled_1", "--wave", "48"], USAGE, ["--wave", "32 or 64", "48"]),
    (["tiled_1", "--wave", "16"], USAGE, ["--wave", "32 or 64", "16"]),
    (["tiled_1", "--n", "8Mi"], USAGE, ["--n", "4194304"]),
    (["tiled_1", "--trace", "--n", "64"], USAGE, ["--n", "63"]),
    (["tiled_1", "--trace", "--against", "tiled_2"], USAGE, ["--against", "--trace"]),
    (["tiled_1", "--tile", "48"], FAILURE, ["tile", "48", "power of two"]),
    (["wave_two_pass", "--tile", "16"], FAILURE, ["wave_two_pass", "16", "32"]),
    (["tiled_1", "--trace", "--lines"], USAGE, ["--lines", "--trace"]),
    (["sequential", "--trace"], FAILURE, ["sequential", "CPU"]),
    (["bitonic", "--trace"], FAILURE, ["bitonic", "sorts"]),
    (["exact", "--trace"], FAILURE, ["exact", "i64"]),
    (["tiled_1", "--svg", "/nowhere/a.svg"], FAILURE, ["/nowhere/a.svg"]),
    (["tiled_1", "--json", "/nowhere/a.json"], FAILURE, ["/nowhere/a.json"]),
])
def test_bad_input(arguments, status, fragments):
    one_error(wavefold("explain", *arguments), status, *fragments)


def test_two_outputs_in_one_file(tmp_path):
    """By two names, and not there yet."""
    done = wavefold("explain", "tiled_1", "--svg", "tree", "--json", "./tree", cwd=tmp_path)
    one_error(done, USAGE, "--json", "--svg", "./tree")
    assert not list(tmp_path.iterdir())


def test_no_module(tmp_path):
    """The device cannot be used where its module is not installed."""
    from support import environment
    done = wavefold("explain", "tiled_1", env=environment(WAVEFOLD_BACKEND_PATH=str(tmp_path)))
    one_error(done, FAILURE, "libwavefold-watched.so", str(tmp_path))
