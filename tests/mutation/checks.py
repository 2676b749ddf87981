"""The test runs that mutants are shown to: those of ctest, cut small, so that each takes a fraction of a second.

What a run costs and which mutants' places it passes is measured, not written down here.
"""
import dataclasses
import pathlib
import re


@dataclasses.dataclass(frozen=True)
class Check:
    program: str
    arguments: tuple
    environment: tuple = ()

    @property
    def name(self):
        return " ".join([*(f"{key}={value}" for key, value in self.environment), self.program, *self.arguments])


CPUS = ("plain", "avx2", "avx512")
TYPES = ("f32", "f64", "f16", "bf16", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")


def rungs(root):
    """name and family of each rung, from the one list of them"""
    text = (pathlib.Path(root) / "src/ladder/ladder_map.h").read_text()
    return [(name + suffix, folds, "WF_RUNG_SCANS" in rest, "WF_RUNG_SORTS" in rest,
             re.search("WF_RUNG_(ROWS|COLUMNS|SEGMENTS)", rest) is not None)
            for name, suffix, folds, rest in re.findall(
                r"RUNG\(X, (\w+), (\w*), \w+, \w+, \w+, (\w+),(.*?)(?=RUNG\(X|\*/)", text, re.S)
            if name != "kernel"]  # the list's own definition


def sources_of(program, tests):
    """The tests' files of which a CMakeLists.txt below tests/ builds the program. A program that is built in a loop has
    the file of its name, which a CPU may follow."""
    for lists in sorted(tests.rglob("CMakeLists.txt")):
        if listed := re.search(rf"^ *add_executable\({program} ([^)]*)\)", lists.read_text(), re.MULTILINE):
            names = (name.replace("${test_support}", "../support") for name in listed[1].split())
            return [(lists.parent / name).resolve() for name in names if not name.startswith("$")]
    return list(tests.rglob(f"{program.partition('-')[0]}.cpp"))


def tests_of(root, program):
    """Those that its sources list by name."""
    texts = [path.read_text() for path in sources_of(program, pathlib.Path(root) / "tests")]
    return re.findall(r"cmocka_unit_test\((test_\w+)\)", "".join(texts))


def wrapped(change):
    return (("WAVEFOLD_WRAP", change),)


def of_rungs(root):
    for name, folds, is_scan, is_sort, has_rows in rungs(root):
        if is_scan:
            for device, pattern, first in (("host:64:forward", "i32_*", "0"), ("host:32:reverse", "f64_*", "1"),
                                           ("host:64:random=1", "i64_*", "2"), ("host:32:random=2", "f32_*", "0"),
                                           ("host:64:reverse", "i32_matmul", "1")):
                yield Check("test_scans", (device, f"{name}_{pattern}", "3", first))
            yield Check("test_scans", ("host:32", f"{name}_i32_*", "3", "0"), wrapped("small-grid"))
            yield Check("test_scans", ("watched:64", f"{name}_i32_*", "3", "0"))
            yield Check("test_scans", ("watched:32", f"{name}_f32_*", "3", "1"))
        elif is_sort:
            for device, pattern, first in (("host:64:forward", "u32", "0"), ("host:32:reverse", "f64_descending", "1"),
                                           ("host:64:random=1", "f32*", "2"), ("host:32:random=2", "i64*", "0"),
                                           ("host:64:reverse", "i32_descending", "1"), ("host:32", "u64*", "2")):
                yield Check("test_sorts", (device, f"{name}_{pattern}", "3", first))
            yield Check("test_sorts", ("host", f"{name}_u32", "3", "0"), wrapped("small-grid"))
            yield Check("test_sorts", ("watched:64", f"{name}_u32", "3", "0"))
        elif has_rows:
            for device, pattern, first in (("host:64:forward", "i32_*", "0"), ("host:32:reverse", "f64_*", "1"),
                                           ("host:64:random=1", "i64_*", "2"), ("host:32:random=2", "f32_*", "0")):
                yield Check("test_rows", (device, f"{name}_{pattern}", "3", first))
            yield Check("test_rows", ("host", f"{name}_i32_sum", "3", "0"), wrapped("small-grid"))
            yield Check("test_rows", ("watched:64", f"{name}_i32_sum", "3", "1"))
        elif folds == "EXACT":
            for number, of in enumerate(("f32", "f64", "f16", "bf16")):
                first = str(number % 3)
                yield Check("test_rungs", (f"host:{64 >> number % 2}:forward", f"{name}_{of}_sum", "3", first))
                yield Check("test_rungs", (f"host:{32 << number % 2}:random=1", f"{name}_{of}_*", "3", "1"))
            yield Check("test_rungs", ("watched:64", f"{name}_f32_sum", "3", "0"))
        else:
            for device, pattern, first in (("host:64:forward", "i32_*", "0"), ("host:32:reverse", "f64_*", "1"),
                                           ("host:64:random=1", "i32_sum", "2"), ("host:32:random=2", "f32_*", "0")):
                yield Check("test_rungs", (device, f"{name}_{pattern}", "3", first))
            yield Check("test_rungs", ("host", f"{name}_i32_sum", "3", "0"), wrapped("small-grid"))
            yield Check("test_rungs", ("watched:64", f"{name}_i32_sum", "3", "1"))
            if folds == "ORDERED":
                yield Check("test_rungs", ("watched:32", f"{name}_i32_matmul", "3", "1"))
    yield Check("test_rungs", ("host:64", "sequential_i64_*", "3", "0"))
    yield Check("test_rungs", ("host:64", "sequential_u32_*", "3", "0"))
    yield Check("test_rungs", ("host", "sequential_i64_*", "9", "0"))
    for of in ("i8", "i16", "u8", "u16", "u32", "u64"):  # what one thread folds by itself
        yield Check("test_rungs", ("host", f"sequential_{of}_s*", "9", "0"))
    for program in ("test_rungs", "test_rows", "test_scans", "test_sorts"):
        for test in tests_of(root, program):
            yield Check(program, ("host:64", test, "3", "0"))
            yield Check(program, ("host:32:random=1", test, "3", "1"))
    for change in ("late-tiles", "no-prefixes"):
        for lanes in (32, 64):
            yield Check("test_scans", (f"host:{lanes}", "look_back_i32_*"), wrapped(change))


def of_orders(root):
    """What nothing orders: the emulator itself goes on as if every fence and barrier were there."""
    for name, *_ in rungs(root):
        for device in ("watched:64:reverse", "watched:32:random=1"):
            yield Check("test_orders", (device, f"rung_{name}"))
    for device in ("watched:64:reverse", "watched:32:random=1", "watched:64"):
        for test in ("reduce_sum", "reduce_m*", "reduce_arg*", "reduce_asum", "describe", "exact", "message"):
            yield Check("test_orders", (device, test))
    yield Check("test_orders", ("watched:64", "watching"))
    for lanes in (32, 64):
        yield Check("test_orders", (f"watched:{lanes}", "rung_look_back"), wrapped("late-tiles"))
        yield Check("test_orders", (f"watched:{lanes}", "*exact"), wrapped("fast-f64"))
        for test in ("exact", "reduce_*", "describe"):
            yield Check("test_orders", (f"watched:{lanes}", test), wrapped("in-parts"))


def of_reductions(root):
    for number, of in enumerate(TYPES):
        is_float = of in ("f32", "f64", "f16", "bf16")
        for op in ("sum*", "asum*", "product*", "m*", "arg*", "describe*", *(() if is_float else ("xor", "or", "and"))):
            by_64 = (number + len(op)) % 2 == 0  # every type and operator by one width, every operator by both
            if by_64:
                yield Check("test_reduce", ("host:64:reverse", f"{of}_{op}", "9", "0"), wrapped("no-native"))
            else:
                yield Check("test_reduce", ("host:32:random=1", f"{of}_{op}", "9", "1"), wrapped("no-shared"))
        if of in ("f32", "i32", "i64", "u32"):  # which the device watched has
            yield Check("test_reduce", ("watched:64", f"{of}_sum", "9", "0"))
            yield Check("test_reduce", ("watched:32", f"{of}_describe", "9", "0"))
        for op in ("sum*", "arg*"):
            yield Check("test_reduce", ("host:64:reverse", f"{of}_{op}", "9", "0"), wrapped("in-parts"))
        yield Check("test_reduce", ("host:32", f"{of}_m*", "9", "0"), wrapped("in-parts"))
        if is_float:
            yield Check("test_reduce", ("host:32:random=3", f"{of}_describe*", "19", "1"), wrapped("fast-f64"))
        yield Check("test_reduce", ("host:64:reverse", f"{of}_describe", "50", "0"), wrapped("in-parts"))
        for cpu in CPUS:
            yield Check("test_reduce", ("host", f"{of}_*", "3", "0"), (("WAVEFOLD_CPU", cpu),))
    for test in tests_of(root, "test_reduce"):
        for cpu in CPUS:
            yield Check("test_reduce", ("host", test, "9", "0"), (("WAVEFOLD_CPU", cpu),))
        yield Check("test_reduce", ("host:64", test, "9", "0"), wrapped("no-native"))
        yield Check("test_reduce", ("host:32:random=1", test, "9", "1"), wrapped("no-shared"))
    yield Check("test_reduce", ("host:32:random=3", "test_describe*", "9", "0"), wrapped("fast-f64"))
    for change in ("few-tiles", "few-tiles-in-parts"):
        yield Check("test_reduce", ("host:32:random=5", "test_long_descriptions"), wrapped(change))


def of_exact_sums(root):
    for test in tests_of(root, "test_exact"):
        for number, cpu in enumerate(CPUS):
            yield Check("test_exact", ("host", "3000", str(number + 1), test), (("WAVEFOLD_CPU", cpu),))
        yield Check("test_exact", ("host:64:reverse", "100", "11", test), wrapped("no-native"))
        yield Check("test_exact", ("host:32:random=1", "100", "12", test), wrapped("no-native"))
        yield Check("test_exact", ("host:32:reverse", "100", "14", test), wrapped("fast-f64"))
        yield Check("test_exact", ("host:32:random=4", "100", "15", test), wrapped("few-tiles"))
    yield Check("test_exact", ("host:32:random=1", "100", "13", "test_random_arrays"), wrapped("in-parts"))


def of_messages(root):
    for test in tests_of(root, "test_message"):
        yield Check("test_message", ("host", "9", "0", test))
        yield Check("test_message", ("host:64:reverse", "29", "0", test), wrapped("no-native"))
        yield Check("test_message", ("host:32:random=1", "31", "1", test), wrapped("no-native"))


def of_the_rest():
    for change in ("no-native", "timed-even", "timed-512", "timed-fails", "timed-threads", "timed-useless-threads",
                   "failing-threads"):
        yield Check("test_tuning", (change,), wrapped(change))
    for test in ("pretended", "failing-files"):
        yield Check("test_tuning", (test,), wrapped("no-native"))
    yield Check("test_tuning", ("native",))
    yield Check("test_api", ())
    yield Check("test_api", ("launches",), wrapped("no-native"))
    yield Check("test_api", ("kernel-fault",), wrapped("fault"))
    yield Check("test_pool", ())
    for part in ("exact_words", "exact_rounding", "moments", *(f"exact_bins-{cpu}" for cpu in CPUS if cpu != "avx2")):
        yield Check(f"test_{part}", ())
    yield Check("test_launches", (), (("WAVEFOLD_BACKEND_PATH", "tests/noting"),))
    yield Check("test_api", ("broken-modules",), (("WAVEFOLD_BACKEND_PATH", "tests/broken"),))
    yield Check("test_api", ("no-table",), (("WAVEFOLD_BACKEND_PATH", "tests/wrapped"),))
    yield Check("test_api", ("no-devices",), wrapped("no-devices"))
    yield Check("test_api", ("failing-calls",), wrapped("failing"))
    yield Check("test_api", ("two-modules",), wrapped("failing"))
    yield Check("test_api", ("given-back",))
    yield Check("test_api", ("given-back",), wrapped("no-native"))


def every(root):
    return [*of_rungs(root), *of_orders(root), *of_reductions(root), *of_exact_sums(root), *of_messages(root),
            *of_the_rest()]
