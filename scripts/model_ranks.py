#!/usr/bin/env python3
"""Writes results/ranks-model.md and the picture docs/ranks.svg: what an allreduce of a state of an exact sum should
take beside one of a float, on 2 to 2^20 ranks.

    scripts/model_ranks.py [--check]

Everything is computed from the parameters below, which are fitted to published measurements, except for what
results/*/ranks-mpi.json has, which was measured (bench/ranks_mpi.py) and stands apart. --check changes nothing, and
fails if the file is not as it would be written; of the picture it compares the figures that it describes, since
versions of matplotlib draw it differently.
"""
import argparse
import json
import pathlib
import re
import sys
from dataclasses import dataclass
from statistics import median
from typing import Callable

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "report"))

import plots  # noqa: E402

TEXT, PICTURE = ROOT / "results/ranks-model.md", ROOT / "docs/ranks.svg"
FLOAT, DOUBLE, STATE = 4, 8, 600  # bytes
WORD, CHECK_WORDS, AGREED = 8, 2, 24  # of wavefold_message.h, and the agreement of wavefold_mpi.h
RANKS = [2, 8, 64, 512, 4096, 32768, 2 ** 20]
ADDITION = 0.1e-9  # seconds a byte of adding two arrays that are in the cache: 10 GB/s, an assumption


def rounds(p):
    """The least k with 2^k >= p."""
    return (p - 1).bit_length()


# ---- Algorithms: seconds for p ranks and m bytes, from seconds a message (alpha) and a byte (beta, with addition) ----

def recursive_doubling(p, m, alpha, beta):
    """Each round, pairs exchange all they have."""
    return rounds(p) * (alpha + m * beta)


def rabenseifner(p, m, alpha, beta):
    """A reduce-scatter by halving and an allgather by doubling."""
    return 2 * rounds(p) * alpha + 2 * (p - 1) / p * m * beta


def ring(p, m, alpha, beta):
    """The same around a ring."""
    return 2 * (p - 1) * alpha + 2 * (p - 1) / p * m * beta


def tree(p, m, alpha, beta):
    """A reduce and a broadcast by binomial trees."""
    return 2 * rounds(p) * (alpha + m * beta)


ALGORITHMS = {"recursive doubling": recursive_doubling, "Rabenseifner": rabenseifner, "ring": ring,
              "binomial trees": tree}


# ---- Networks ----

def line_through(small, large):
    """(value at 0, slope) of the line through two points."""
    slope = (large[1] - small[1]) / (large[0] - small[0])
    return small[1] - slope * small[0], slope


@dataclass
class Network:
    name: str
    seconds: Callable  # of p ranks and m bytes
    parameters: str
    source: str
    agrees: bool = True  # before a message is sent: by MPI, not by NCCL


def point_to_point(name, small, large, source):
    """From the one-way times of two sizes of messages; additions are as assumed."""
    alpha, beta = line_through(small, large)
    text = (f"recursive doubling: {1e6 * alpha:.3f} us a message, {1e9 * beta:.3f} ns a byte, and "
            f"{1e9 * ADDITION:.1f} ns a byte to add (an assumption)")
    return Network(name, lambda p, m: recursive_doubling(p, m, alpha, beta + ADDITION), text, source)


SHARP_PAPER = ("Graham and others 2016, *Scalable Hierarchical Aggregation Protocol (SHArP): A Hardware Architecture "
               "for Efficient Data Reduction*: MPI_Allreduce on 128 hosts, ")
EDR_HOSTS = 128
EDR_ALPHA, EDR_BETA = (value / rounds(EDR_HOSTS) for value in line_through((8, 6.01e-6), (4096, 46.93e-6)))
SWITCH_ALPHA, SWITCH_BETA = line_through((8, 2.83e-6), (4096, 14.48e-6))
SWITCH_PORTS = 18  # downwards, of 36


def switch_levels(p):
    levels = 1
    while SWITCH_PORTS ** levels < p:
        levels += 1
    return levels


def in_switches(p, m):
    """Up and down a tree of switches; what is behind the first bytes follows in a pipeline."""
    return switch_levels(p) * SWITCH_ALPHA / switch_levels(EDR_HOSTS) + m * SWITCH_BETA


NCCL_BASE, NCCL_NVLINK, NCCL_NETWORK = 6.8e-6, 0.6e-6, 5.0e-6
NCCL_NODE, NCCL_NODE_BETA, NCCL_BETA = 8, 1 / (0.5 * 87.7e9), 1 / (0.5 * 19.0e9)


def nccl(p, m):
    """The tree with the protocol LL: a chain in a node, a tree of nodes."""
    nodes = max(1, p // NCCL_NODE)
    beta = NCCL_NODE_BETA if nodes == 1 else NCCL_BETA
    return NCCL_BASE + 2 * ((p // nodes - 1) * NCCL_NVLINK + rounds(nodes) * NCCL_NETWORK) + m * beta


EDR = "InfiniBand EDR, hosts"
NETWORKS = [
    point_to_point("shared memory", (8, 0.24e-6), (512, 0.28e-6),
                   "libfabric, pull request 8680, *prov/sm2: Initial SM2 Impl*, 2023: osu_latency in a node of AWS "
                   "Hpc6a (EPYC), 0.24 us for 8 bytes, 0.28 us for 512"),
    point_to_point("Cray Aries", (8, 1.86e-6), (1024, 2.18e-6),
                   "libfabric-cray, pull request 859, *Implemented fi_sendv/fi_recvv*, 2016: osu_latency, 1.86 us for "
                   "8 bytes, 2.18 us for 1024"),
    Network(EDR, lambda p, m: recursive_doubling(p, m, EDR_ALPHA, EDR_BETA),
            f"recursive doubling: {1e6 * EDR_ALPHA:.3f} us a message, {1e9 * EDR_BETA:.2f} ns a byte, additions and "
            "protocol included", SHARP_PAPER + "by the hosts: 6.01 us for 8 bytes, 46.93 us for 4096"),
    Network("InfiniBand EDR, SHARP", in_switches,
            f"{1e6 * SWITCH_ALPHA / switch_levels(EDR_HOSTS):.3f} us a level of switches with {SWITCH_PORTS} ports "
            f"down (an assumption: levels count alike), {1e9 * SWITCH_BETA:.2f} ns a byte, once",
            SHARP_PAPER + "by the switches: 2.83 us for 8 bytes, 14.48 us for 4096"),
    Network("NCCL, nodes of 8 GPUs", nccl,
            f"tree, LL: {1e6 * NCCL_BASE:.1f} us, and twice {1e6 * NCCL_NVLINK:.1f} us for each further GPU of a node "
            f"and {1e6 * NCCL_NETWORK:.1f} us for each doubling of nodes; {1e9 * NCCL_NODE_BETA:.3f} ns a byte in a "
            f"node, {1e9 * NCCL_BETA:.3f} ns beyond",
            "NCCL's own model for choosing algorithms, src/graph/tuning.cc as of commit b647562: NVLink, Hopper",
            agrees=False),
]


def message(fields):
    """Bytes of a message of so many exact sums."""
    return WORD * CHECK_WORDS + fields * STATE


def whole_call(network, p, fields):
    agreement = network.seconds(p, AGREED) if network.agrees else 0
    return agreement + network.seconds(p, message(fields))


# ---- What was measured ----

def measurements():
    """[(the machine, its cores, engine, ranks, {call: seconds})]"""
    found = []
    for path in sorted(ROOT.glob("results/*/ranks-mpi.json")):
        about, runs = (json.loads(path.read_text())[key] for key in ("about", "runs"))
        for run in runs:
            times = {side["name"]: median(side["seconds"]) for side in run["sides"]}
            found.append((about["device"], about["cores"], run["engine"], run["ranks"], times))
    return found


MEASURED_DOUBLE, MEASURED_STATE = "allreduce of 1 double", "allreduce of 75 uint64, a state"


# ---- The text ----

def microseconds(seconds):
    micro = 1e6 * seconds
    return f"{micro:.2f}" if micro < 10 else f"{micro:.1f}" if micro < 1000 else f"{micro:.0f}"


def count(p):
    return f"2^{p.bit_length() - 1}" if p >= 1024 else str(p)


def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|---" * len(head) + "|",
                      *("| " + " | ".join(row) + " |" for row in rows)]) + "\n"


def by_network(cell):
    return table(["network", *map(count, RANKS)],
                 [[network.name, *(cell(network, p) for p in RANKS)] for network in NETWORKS])


def by_algorithm(cell):
    return table(["algorithm", *map(count, RANKS)],
                 [[name, *(cell(seconds, p) for p in RANKS)] for name, seconds in ALGORITHMS.items()])


def text():
    yield "# A model of allreduces of states, beside those of one float"
    yield ("Computed by `scripts/model_ranks.py`; nothing here was measured by us, but for the last section. A message "
           "of m bytes takes alpha + beta m, as LogGP has it without its overheads (Alexandrov, Ionescu, Schauser and "
           "Scheiman 1995, *LogGP: Incorporating Long Messages into the LogP Model*); algorithms are those of Thakur, "
           "Rabenseifner and Gropp 2005, *Optimization of Collective Communication Operations in MPICH*. It leaves out "
           "noise of the system, congestion, and steps of protocols (inlined messages, eager limits) between the sizes "
           "that parameters were fitted to; so ratios say more than times.")
    yield "## Parameters\n\n" + table(["network", "parameters", "from"],
                                      [[n.name, n.parameters, n.source] for n in NETWORKS])
    yield (f"## An allreduce of one float ({FLOAT} bytes), us\n\n"
           + by_network(lambda n, p: microseconds(n.seconds(p, FLOAT))))
    yield f"## Of a state ({STATE} bytes), us\n\n" + by_network(lambda n, p: microseconds(n.seconds(p, STATE)))
    yield ("## The state's time over the float's\n\n"
           + by_network(lambda n, p: f"{n.seconds(p, STATE) / n.seconds(p, FLOAT):.2f}"))
    yield (f"## A call of wf_mpi_reduce or wf_nccl_reduce_async, over an allreduce of one float\n\nThe message "
           f"({message(1)} bytes), and by MPI the agreement before it ({AGREED} bytes). The fold of the data comes "
           "before both, and is not in here.\n\n"
           + by_network(lambda n, p: f"{whole_call(n, p, 1) / n.seconds(p, FLOAT):.2f}"))
    yield (f"## 64 fields in one message ({message(64)} bytes), over 64 allreduces of one float\n\nBelow 1 the message "
           "is faster. The hosts' bytes go log2 p times here, by recursive doubling, where an MPI takes Rabenseifner's "
           "algorithm, and then it is faster than this says.\n\n"
           + by_network(lambda n, p: f"{whole_call(n, p, 64) / (64 * n.seconds(p, FLOAT)):.2f}"))
    yield (f"## By algorithm: a state's allreduce on {EDR}, us\n\n"
           + by_algorithm(lambda seconds, p: microseconds(seconds(p, STATE, EDR_ALPHA, EDR_BETA))))
    yield "The same over one float:\n\n" + by_algorithm(
        lambda seconds, p: f"{seconds(p, STATE, EDR_ALPHA, EDR_BETA) / seconds(p, FLOAT, EDR_ALPHA, EDR_BETA):.2f}")
    sent = {"recursive doubling, or up and down a tree": lambda p: rounds(p) * STATE,
            "ring, Rabenseifner": lambda p: 2 * (p - 1) / p * STATE, "switches": lambda p: STATE}
    yield ("## Bytes that a rank sends for a state, at the most\n\n"
           + table(["algorithm", *map(count, RANKS)],
                   [[name, *(f"{bytes_of(p):.0f}" for p in RANKS)] for name, bytes_of in sent.items()]))
    rows = [[device, f"{engine}, {ranks} ranks on {cores} cores", microseconds(times[MEASURED_DOUBLE]),
             microseconds(times[MEASURED_STATE]), f"{times[MEASURED_STATE] / times[MEASURED_DOUBLE]:.2f}"]
            for device, cores, engine, ranks, times in measurements()]
    yield ("## Measured, not modelled\n\nMedians of `bench/ranks_mpi.py`, in shared memory; where there are more ranks "
           "than cores, times are those of the scheduler, and only the ratio says something.\n\n"
           + table(["machine", "engine", "one double, us", "state, us", "state over double"], rows))


# ---- The picture ----

def draw():
    figure, (times, ratios) = plots.new_figure(9.6, 4.0, ncols=2)
    for i, network in enumerate(NETWORKS):
        look = {"color": plots.SERIES[i], "marker": ""}
        times.plot(RANKS, [1e6 * network.seconds(p, STATE) for p in RANKS], linestyle="-", label=network.name, **look)
        times.plot(RANKS, [1e6 * network.seconds(p, FLOAT) for p in RANKS], linestyle=":", **look)
        ratios.plot(RANKS, [network.seconds(p, STATE) / network.seconds(p, FLOAT) for p in RANKS], **look)
    markers = dict(zip(dict.fromkeys(engine for _, _, engine, _, _ in measurements()), plots.MARKERS))
    for engine, marker in markers.items():
        points = [(ranks, cores, found) for _, cores, name, ranks, found in measurements() if name == engine]
        look = {"color": plots.INK, "marker": marker, "linestyle": "", "fillstyle": "none", "markersize": 6}
        ratios.plot([ranks for ranks, _, _ in points],
                    [found[MEASURED_STATE] / found[MEASURED_DOUBLE] for _, _, found in points],
                    label=f"measured in shared memory: {engine}", **look)
        with_cores = [(ranks, found) for ranks, cores, found in points if ranks <= cores]
        times.plot([ranks for ranks, _ in with_cores for _ in range(2)],
                   [1e6 * found[name] for _, found in with_cores for name in (MEASURED_STATE, MEASURED_DOUBLE)], **look)
    for axes in (times, ratios):
        axes.set_xscale("log", base=2)
        axes.set_xticks(RANKS, [count(p) for p in RANKS])
        axes.minorticks_off()
        axes.set_xlabel("ranks")
        axes.grid(True)
    times.set_yscale("log")
    ticks = [0.1, 1, 10, 100]
    times.set_yticks(ticks, [f"{tick:g} us" for tick in ticks])
    times.minorticks_off()
    times.set_title("allreduce of a state (lines) and of a float (dots), modelled")
    times.legend(loc="lower right", fontsize=7.5)
    ratios.set_ylim(0, 3.2)
    ratios.axhline(1, color=plots.INK, linewidth=0.8)
    ratios.set_title("the state's time over the float's")
    if markers:
        ratios.legend(loc="upper right", fontsize=7.5)
    return figure


def in_words():
    def said(network, p):
        seconds = network.seconds(p, STATE)
        return f"{count(p)} ranks {microseconds(seconds)} us, {seconds / network.seconds(p, FLOAT):.2f} times"

    spoken = "; ".join(f"{network.name}: " + ", ".join(said(network, p) for p in (RANKS[0], RANKS[3], RANKS[-1]))
                       for network in NETWORKS)
    measured = "; ".join(f"{engine}, {ranks} ranks: {times[MEASURED_STATE] / times[MEASURED_DOUBLE]:.2f} times"
                         for _, _, engine, ranks, times in measurements())
    return (f"Modelled time of an allreduce of a state, and how many times that of one float it is. {spoken}. "
            f"Measured, state over double: {measured or 'nothing'}.")


def style():
    """The page's colours, light and dark."""
    found = re.findall(r"--(?:series-\d): #\w+;", (ROOT / "report/templates/style.css").read_text())
    light, dark = found[:len(found) // 2], found[len(found) // 2:]
    return (f"svg {{ color: #1b1f24; --grid: #c3c9d0; {' '.join(light)} }}\n"
            f"@media (prefers-color-scheme: dark) {{ svg {{ color: #e4e8ec; --grid: #444c56; {' '.join(dark)} }} }}\n")


def picture():
    return plots.standalone(plots.svg_of(draw(), "ranks"), "Allreduces of states", in_words(), style())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    written = "\n\n".join(part.rstrip("\n") for part in text()) + "\n"
    if not check:
        TEXT.write_text(written)
        PICTURE.write_text(picture())
        return
    old = [TEXT] if not TEXT.exists() or TEXT.read_text() != written else []
    if not PICTURE.exists() or plots.description_of(PICTURE.read_text()) != in_words():
        old.append(PICTURE)
    if old:
        names = " and ".join(str(path.relative_to(ROOT)) for path in old)
        sys.exit(f"{names}: not as it would be written: run scripts/model_ranks.py")


if __name__ == "__main__":
    main()
