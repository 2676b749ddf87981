#!/usr/bin/env python3
"""Measures wf_reduce and wf_describe on the host device beside TBB, OpenMP, NumPy and a loop, and writes the results as
files.

    bench/cpu.py [--build build] [--n 2^10 2^12 ... 2^28] [--samples 21] [--out results]

For each n, bench-cpu times the sides that are C++. This process times NumPy and wavefold again, called from C
(cpu_calls.c) and from Python through ctypes. In both all sides take turns. Writes <out>/<CPU>/cpu.json (every sample)
and cpu.md (medians). Needs NumPy, and a build with -DWF_BENCH=ON.
"""
import argparse
import ctypes
import functools
import pathlib
import statistics
import textwrap
import time

import numpy

from about import cpu_and_cores, device_folder, measured_by, output_of, results_folder, size_text, write_json

POOL_BYTES = 2 << 30
TYPES = {"f32": (0, numpy.float32), "f64": (1, numpy.float64), "i32": (2, numpy.int32), "i64": (3, numpy.int64)}
FAST = 1  # WF_ACCURACY_FAST, as bench-cpu takes
FROM_C, FROM_PYTHON = "wavefold beside NumPy", "wavefold (ctypes)"
# Without the wrappers in Python that numpy.sum() and the like are, which took 2.5 us (NumPy 1.24).
OPS = {"sum": (0, numpy.add.reduce), "min": (1, numpy.minimum.reduce), "max": (2, numpy.maximum.reduce),
       "argmin": (6, numpy.ndarray.argmin)}


class Reduction(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int) for name in ("type", "op", "accumulator", "nan", "accuracy")] + [
        ("reserved", ctypes.c_uint32 * 3)]


class DescribeSpec(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("nan", ctypes.c_int), ("reserved", ctypes.c_uint32 * 2)]


class Wavefold:
    """A side is a function of an array, its address and its length, and of how many calls to make: seconds."""

    def __init__(self, build):
        try:
            self.library = ctypes.CDLL(build / "lib/libwavefold.so")
            self.calls = ctypes.CDLL(build / "bench/libbench-calls.so")
        except OSError as error:
            raise SystemExit(f"{error}; a build with -DWF_BENCH=ON has it: say --build") from error
        self.library.wf_last_error.restype = ctypes.c_char_p
        self.context = ctypes.c_void_p()
        if self.library.wf_context_create(ctypes.byref(self.context), b"host") != 0:
            self.fail()
        self.result = (ctypes.c_uint64 * 16)()

    def fail(self):
        raise SystemExit("bench/cpu.py: " + self.library.wf_last_error().decode())

    def sides(self, kind, op):
        describes = op == "describe"
        spec = DescribeSpec(TYPES[kind][0]) if describes else Reduction(TYPES[kind][0], OPS[op][0], accuracy=FAST)
        return {FROM_C: self.from_c(self.calls.seconds_of_descriptions if describes else
                                    self.calls.seconds_of_reductions, spec),
                FROM_PYTHON: self.by_ctypes(self.library.wf_describe if describes else self.library.wf_reduce, spec)}

    def result_size(self, spec):
        """What stands behind the result: wf_reduce's result_bytes; nothing for a description."""
        if isinstance(spec, DescribeSpec):
            return ()
        info = (ctypes.c_uint32 * 16)()  # more than a wf_reduction_info
        if self.library.wf_reduction_get_info(ctypes.byref(spec), info) != 0:
            self.fail()
        return (info[6],)

    def from_c(self, function, spec):
        size = self.result_size(spec)
        function.restype = ctypes.c_double
        function.argtypes = ([ctypes.c_void_p] * 3 + [ctypes.c_size_t, ctypes.c_void_p] +
                             [ctypes.c_size_t] * (len(size) + 1))

        def seconds(array, address, count, calls):
            taken = function(self.context, ctypes.addressof(spec), address, count, ctypes.addressof(self.result),
                             *size, calls)
            return taken if taken >= 0 else self.fail()
        return seconds

    def by_ctypes(self, function, spec):
        """With as little Python as can be: the address is at hand."""
        size = self.result_size(spec)
        function.argtypes = ([ctypes.c_void_p] * 3 + [ctypes.c_size_t, ctypes.c_void_p] +
                             [ctypes.c_size_t] * len(size))
        context, result = self.context, ctypes.addressof(self.result)

        def seconds(array, address, count, calls):
            reduction = ctypes.addressof(spec)
            begin = time.perf_counter_ns()
            for _ in range(calls):
                function(context, reduction, address, count, result, *size) and self.fail()
            return (time.perf_counter_ns() - begin) * 1e-9
        return seconds


def by_numpy(fold):
    """The side that is NumPy. Nothing but the loop is around its calls, as of few elements all else would count."""
    def seconds(array, address, count, calls):
        begin = time.perf_counter_ns()
        for _ in range(calls):
            fold(array)
        return (time.perf_counter_ns() - begin) * 1e-9
    return seconds


def numpy_description(array):
    return (numpy.add.reduce(array, dtype=numpy.float64 if array.dtype.kind == "f" else None),
            numpy.minimum.reduce(array), numpy.maximum.reduce(array), array.argmin(), array.argmax(),
            array.mean(dtype=numpy.float64), array.var(dtype=numpy.float64))


def rounds_of(samples):
    """As bench/cpu_sides.hpp has them: in each, all sides have their turn."""
    return min(samples, 11)


def measure(sides, pool, n, samples):
    """Seconds of each side, hot and cold, as bench-cpu takes them."""
    bytes_of_one = n * pool.itemsize
    places = max(1, pool.nbytes // bytes_of_one)
    batch = min(16, max(1, 65536 // bytes_of_one))
    rounds = rounds_of(samples)
    in_round = -(-samples // rounds)
    times = {heat: {name: [] for name in sides} for heat in ("hot", "cold")}
    apart = max(1, places // 4096)  # places that no array takes: the arrays lie all over the pool
    arrays = [pool[i * apart * n:(i * apart + 1) * n] for i in range(min(places, 4096))]
    views = [(array, array.ctypes.data, n) for array in arrays]
    place = 0
    for _ in range(rounds):
        for name, seconds in sides.items():
            for heat, calls in (("hot", batch), ("cold", 1)):
                time.sleep(0.02)
                awake = time.perf_counter() + 0.002
                seconds(*views[0], 1)
                while time.perf_counter() < awake:
                    seconds(*views[0], 1)
                for _ in range(in_round):
                    place = (place + len(views) // 2 + 7) % len(views)
                    view = views[0 if heat == "hot" else place]
                    times[heat][name].append(seconds(*view, calls) / calls)
    return times


def from_python(wavefold, n, samples, repeat_long):
    """Beside NumPy, which is called from here."""
    results = []
    for kind, (_, dtype) in TYPES.items():
        dtype = numpy.dtype(dtype)
        pool = numpy.empty(max(POOL_BYTES, n * dtype.itemsize) // dtype.itemsize, dtype)
        block = numpy.random.default_rng(1).integers(-2**23, 2**23, 1 << 20).astype(dtype)
        for begin in range(0, pool.size, block.size):
            pool[begin:begin + block.size] = block[:pool.size - begin]
        for op in ("sum", "min", "max", "argmin", "describe"):
            if op in ("min", "max", "argmin") and kind != "f32" or op == "describe" and kind == "i64":
                continue
            fold = numpy_description if op == "describe" else OPS[op][1]
            if (kind, op) == ("i32", "sum"):
                fold = functools.partial(fold, dtype=dtype)  # else in i64; all others' are in the element's type
            sides = wavefold.sides(kind, op) | {"NumPy": by_numpy(fold)}
            taken = samples if n < 1 << 26 else repeat_long
            results.append({"operation": op, "type": kind, "n": n, "bytes": n * dtype.itemsize,
                            "rounds": rounds_of(taken), **measure(sides, pool, n, taken)})
        del pool
    return results


def parse_count(text):
    base, _, exponent = text.partition("^")
    return int(base) ** int(exponent or 1)


def by_round(samples, rounds):
    in_round = len(samples) // rounds
    return [statistics.median(samples[i * in_round:(i + 1) * in_round]) for i in range(rounds)]


AIM = 0.97  # of the best other's speed
# Each side is compared with wavefold as it was called in turn with it. A loop is none of the others: it has neither
# threads nor anything to ask before it begins.
OWN = {"TBB": "wavefold", "OpenMP": "wavefold", "NumPy": FROM_C}
LOOP = "a loop"


def beside(other, own, result, heat):
    """How fast wavefold is beside another: the median over rounds of what one has for a ratio. A machine whose speed
    others change as they please has less of a say in that than in a ratio of medians."""
    theirs, ours = (by_round(result[heat][name], result["rounds"]) for name in (other, own))
    return statistics.median(their / our for their, our in zip(theirs, ours))


def beside_others(result, heat):
    return min(beside(other, own, result, heat) for other, own in OWN.items() if other in result[heat])


def beside_loop(result, heat):
    """None: there is none."""
    return beside(LOOP, "wavefold", result, heat) if LOOP in result[heat] else None


def beside_numpy_from_python(result, heat):
    return beside("NumPy", FROM_PYTHON, result, heat)


def worth_a_call(results, ratio_of):
    """From how many elements on it is as fast as aimed at beside one other, of each operation and type, hot."""
    sections = {}
    for result in results:
        ratio = ratio_of(result, "hot")
        if ratio is not None:
            sections.setdefault(f"{result['operation']} of {result['type']}", []).append((result["n"], ratio))
    texts = []
    for title, cells in sections.items():
        slower = [n for n, ratio in cells if ratio < AIM]
        faster = [n for n, _ in cells if n > max(slower, default=0)]
        texts.append(f"{title} {f'from {size_text(min(faster))} on' if faster else 'at none of these n'}")
    return texts


def summary(results):
    """How many cells keep up with the best other, and which do not."""
    cells = [(beside_others(result, heat), f"{result['operation']} of {result['type']}, {heat}, "
              f"{size_text(result['n'])}") for heat in ("hot", "cold") for result in results]
    below = [f"{cell} ({ratio:.2f})" for ratio, cell in cells if ratio < AIM]
    lines = textwrap.wrap("Below: " + "; ".join(below) + ".", 118) if below else []
    for what, ratio_of in (("of a loop", beside_loop), ("of NumPy, both called from Python", beside_numpy_from_python)):
        worth = worth_a_call(results, ratio_of)
        if worth:
            lines += ["", *textwrap.wrap(f"At {AIM} {what}, or above, hot: " + "; ".join(worth) + ".", 118)]
    return "\n".join([f"{len(cells) - len(below)} of {len(cells)} cells at {AIM} of the best other or above.", *lines])


def table(results, heat):
    """One operation on one type, a row per n: µs of each side, GB/s of wavefold as a C program calls it, if it was,
    its speed beside the best other and beside a loop."""
    names = list(dict.fromkeys(name for result in results for name in result[heat]))
    lines = ["| n | " + " | ".join(f"{name}, µs" for name in names) +
             " | wavefold, GB/s | of the best other | of a loop |", "|---" * (len(names) + 4) + "|"]
    for result in results:
        median = {name: statistics.median(samples) for name, samples in result[heat].items()}
        own, of_loop = median.get("wavefold", median[FROM_C]), beside_loop(result, heat)
        cells = [f"{1e6 * median[name]:.4g}" if name in median else "" for name in names]
        lines.append(f"| {size_text(result['n'])} | " + " | ".join(cells) +
                     f" | {1e-9 * result['bytes'] / own:.3g} | {beside_others(result, heat):.2f}"
                     f" | {'' if of_loop is None else f'{of_loop:.2f}'} |")
    return "\n".join(lines)


def run(program, wavefold, counts, samples, long_samples):
    """What bench-cpu and this process have measured, of each operation, type and n."""
    merged = {}
    for n in counts:
        taken = samples if n < 1 << 26 else long_samples
        from_cpp = measured_by(program, "--n", n, "--samples", taken)
        for result in from_cpp + from_python(wavefold, n, samples, long_samples):
            into = merged.setdefault((result["operation"], result["type"], n),
                                     {key: result[key] for key in ("operation", "type", "n", "bytes", "rounds")} |
                                     {"hot": {}, "cold": {}})
            for heat in ("hot", "cold"):
                into[heat].update(result[heat])
        print(f"n = {n}: done", flush=True)
    return list(merged.values())


def write(out, about, results, note):
    folder = device_folder(out, about["device"])
    write_json(folder / "cpu.json", {"about": about, "results": results})
    sections = {}
    for result in results:
        sections.setdefault(f"{result['operation']} of {result['type']}", []).append(result)
    text = [f"# Reductions on the CPU: {about['device']}, {about['cores']} cores\n",
            f"Median of {about['samples']} calls ({about['long_samples']} from n = 2^26 on), all sides in turn in "
            "one run. Hot: each call reads what the one before did.\nCold: each reads another part of 2 GiB. Sums of "
            "floats are fast ones (WF_ACCURACY_FAST). \"Of the best other\" is how fast wavefold is beside the fastest "
            "of\nTBB, OpenMP and NumPy (above 1: faster): the median of what each round of all sides has for a ratio, "
            "as the machine's speed changes between rounds. TBB (`std::reduce`,\n`std::min_element`, par_unseq) and "
            "OpenMP (`parallel for simd`) are compared with `wavefold`, NumPy (`add.reduce` and the like, called from "
            f"Python) with `{FROM_C}`, which are calls from C in\nthe same process; `{FROM_PYTHON}` has the way from "
            "Python, too (its address is at hand). NumPy's describe is sum, min, max, argmin, argmax, "
            "mean and var, one after the other. A loop is `omp simd`, of argmin `std::min_element`, by one thread, in "
            "a function of its own.\n"
            f"Compiler {about['compiler']}, NumPy {about['numpy']}, commit {about['commit']}, {about['date']}. "
            f"Made by\n`{about['command']}`.\n" + (f"\n{note}\n" if note else ""),
            summary(results) + "\n"]
    for heat in ("hot", "cold"):
        text += [f"## {title}, {heat}\n\n{table(section, heat)}\n" for title, section in sections.items()]
    (folder / "cpu.md").write_text("\n".join(text))
    print((folder / "cpu.md").read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build", type=pathlib.Path, help="the folder of a build with -DWF_BENCH=ON")
    parser.add_argument("--n", nargs="+", default=[f"2^{i}" for i in range(10, 29, 2)])
    parser.add_argument("--samples", type=int, default=21)
    parser.add_argument("--long-samples", type=int, default=7, help="samples of n from 2^26 on")
    parser.add_argument("--out", default="results", type=results_folder)
    parser.add_argument("--note", default="", help="a sentence for the results, such as what else the machine did")
    parser.add_argument("--commit", default=output_of("git", "describe", "--always", "--dirty"))
    arguments = parser.parse_args()

    results = run(arguments.build / "bench/bench-cpu", Wavefold(arguments.build), [parse_count(n) for n in arguments.n],
                  arguments.samples, arguments.long_samples)
    cpu, cores = cpu_and_cores()
    about = {
        "device": cpu,
        "cores": cores,
        "samples": arguments.samples,
        "long_samples": arguments.long_samples,
        "compiler": output_of("c++", "--version").split("\n")[0],
        "numpy": numpy.__version__,
        "commit": arguments.commit,
        "date": time.strftime("%Y-%m-%d"),
        "command": f"bench/cpu.py --n {' '.join(arguments.n)} --samples {arguments.samples} "
                   f"--long-samples {arguments.long_samples}",
    }
    write(arguments.out, about, results, arguments.note)


if __name__ == "__main__":
    main()
