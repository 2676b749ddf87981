"""`wavefold-mpi reduce` beside `wavefold reduce`, by ranks of one MPI.

WAVEFOLD: the program of one process. WAVEFOLD_BUILD: the build tree. WAVEFOLD_MPI: openmpi or mpich.
"""
import fcntl
import json
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import termios
import threading

import numpy
import pytest

TREE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TREE / "scripts"), str(TREE / "tests" / "cli")]
from start_ranks import ON_ONE_MACHINE, THROUGH_MEMORY, end, find_launcher  # noqa: E402
from support import ALL_DTYPES, FAILURE, SUCCESS, USAGE, environment, wavefold  # noqa: E402

ENGINE = os.environ["WAVEFOLD_MPI"]
TESTS = pathlib.Path(os.environ.get("WAVEFOLD_BUILD", TREE / "build")).resolve() / "tests"
PROGRAM = TESTS / f"wavefold-mpi-{ENGINE}"
LAUNCHER = find_launcher(ENGINE)
OPTIONS = {"openmpi": ["-q", "--oversubscribe", "--bind-to", "none"], "mpich": []}[ENGINE]
PRELOADED = {"openmpi": [], "mpich": [TESTS / "libyields.so"]}[ENGINE]
SOME_RANKS = (2, 3, 5) # 8 are slow to start, and are test_each_number_of_ranks'
PRIME = 1009
# Where the tests run by several MPIs, all of them run by one, and by the others these: some of each kind.
each_mpi = pytest.mark.each_mpi


# What a rank ends with is told by itself: a launcher would end the others, and so hide that they wait without end.
RANK = 'LD_PRELOAD="$0" "$@"; echo "exit status $?" >&2'
STATUS = re.compile(rb"exit status (\d+)\n")


def launch(*jobs, preloaded=(), changes=None, text=True):
    """Each job is a number of ranks and their arguments; all are one MPI_COMM_WORLD. All ranks must end alike."""
    command = [LAUNCHER, *OPTIONS]
    for ranks, arguments in jobs:
        libraries = ":".join(map(str, [*PRELOADED, *preloaded]))
        command += [*([":"] if PROGRAM in command else []), "-n", ranks, "sh", "-c", RANK, libraries, PROGRAM,
                    *arguments]
    printed, errors, status = run(command, changes)
    statuses = STATUS.findall(errors)
    assert status == 0 and len(statuses) == sum(ranks for ranks, _ in jobs) and len(set(statuses)) == 1, errors
    return subprocess.CompletedProcess(command, int(statuses[0]), printed.decode() if text else printed,
                                       STATUS.sub(b"", errors).decode())


def run(command, changes=None):
    changed = environment(**THROUGH_MEMORY | (changes or {}))
    with subprocess.Popen([str(word) for word in command], env=changed, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as job:
        try:
            printed, errors = job.communicate(timeout=40)
        except subprocess.TimeoutExpired:
            end(job)
            raise
    return printed, errors, job.returncode


def reduce(ranks, *arguments, **options):
    return launch((ranks, ["reduce", "--device", "host", *arguments]), **options)


def ours(text):
    """What the program itself said, not the MPI."""
    return [line for line in text.splitlines() if line.startswith("wavefold")]


def answer(ranks, *arguments):
    done = reduce(ranks, *arguments)
    assert done.returncode == SUCCESS and ours(done.stderr) == [], done.stderr
    return done.stdout


def alone(*arguments):
    done = wavefold("reduce", "--device", "host", *arguments)
    assert done.returncode == SUCCESS, done.stderr
    return done.stdout


def one_error(done, status, *fragments):
    """One sentence, by rank 0."""
    assert done.returncode == status, done.stderr
    assert len(ours(done.stderr)) == 1 and done.stdout == "", done.stderr
    for fragment in fragments:
        assert fragment in done.stderr, done.stderr


def data_of(kind, count):
    """Signed where there is a sign, of all sizes; each element counts."""
    generator = numpy.random.default_rng(count)
    dtype = numpy.dtype(ALL_DTYPES[kind])
    if dtype.kind == "f":
        spread = 4 if dtype.itemsize == 2 else 30
        return (generator.standard_normal(count) * 2.0 ** generator.integers(-spread, spread, count)).astype(dtype)
    info = numpy.iinfo(dtype)
    return generator.integers(info.min, info.max, count, dtype=dtype, endpoint=True)


def multiplied(count):
    """So many pairs of i32, as maps or, two by two, matrices, with odd factors: of any, long products are 0."""
    pairs = data_of("i32", 2 * count).reshape(-1, 2, 2)
    pairs[:, :, 0] |= 1
    pairs[:, 1, 1] |= 1
    pairs[:, 0, 1] &= ~1
    return pairs.reshape(-1)


@pytest.fixture
def saved(tmp_path):
    def save(array, name="a.npy"):
        numpy.save(tmp_path / name, array)
        return tmp_path / name

    return save


# ---- The same bits as one process ----

EXACT = [("sum", kind) for kind in ("f16", "f32", "f64", "i8", "u16", "i64", "u64")]
EXACT += [("mean", kind) for kind in ("f16", "f64", "i32", "u8")]
EXACT += [("asum", "f32"), ("asum", "i64"), ("sumsq", "f16"), ("sumsq", "f32"), ("sumsq", "i32")]
EXACT += [("min", "f32"), ("max", "i16"), ("minmax", "f64"), ("minmax", "u32")]
EXACT += [("argmin", "f16"), ("argmin", "u8"), ("argmax", "f64"), ("argmax", "i16")]
EXACT += [("and", "u32"), ("or", "i8"), ("xor", "u64"), ("product", "i32"), ("matmul", "i32"), ("affine", "i32")]


@pytest.mark.parametrize("number, op, kind", [(i, *case) for i, case in enumerate(EXACT)],
                         ids=lambda value: str(value))
def test_each_operator(saved, number, op, kind):
    data = data_of(kind, PRIME)
    if op == "product":
        data |= 1
    if op in ("matmul", "affine"):
        data = multiplied(2 * PRIME)
    if op in ("and", "or"):
        bits = 8 * data.dtype.itemsize
        data = numpy.zeros_like(data)
        data.view(f"u{data.dtype.itemsize}")[numpy.arange(bits) * PRIME // bits] = [1 << bit for bit in range(bits)]
        data = ~data if op == "and" else data
    path = saved(data)
    expected = alone(path, "--op", op)
    if op in ("and", "or", "product", "matmul", "affine"):  # of any data, what lacks the first rank's comes to the same
        assert alone(saved(data[data.size // 5 // 4 * 4:], "rest.npy"), "--op", op) != expected
    assert answer(SOME_RANKS[number % 3], path, "--op", op) == expected


@each_mpi
@pytest.mark.parametrize("ranks", [1, 2, 3, 8])
def test_each_number_of_ranks(saved, ranks):
    """Ties, so that the first index wins wherever its rank is; the least stands in the last part."""
    data = data_of("f32", 2**14 + 1)
    data[::7] = data.min()
    data[:2**14 - 4] = numpy.abs(data[:2**14 - 4])
    path = saved(data)
    assert answer(ranks, path) == alone(path)
    assert answer(ranks, path, "--op", "argmin", "--check") == alone(path, "--op", "argmin")


@pytest.mark.parametrize("count", [0, 1, 2, 7])
def test_fewer_elements_than_ranks(saved, count):
    data = data_of("f64", count)
    path = saved(data)
    for op in ("sum", "argmax", "minmax") if count in (0, 2) else ("mean",):
        assert answer(8, path, "--op", op) == alone(path, "--op", op)


@pytest.mark.parametrize("op, kind, more", [("product", "f32", []), ("sum", "f64", ["--accuracy", "fast"]),
                                            ("mean", "i64", []), ("affine", "f64", [])])
def test_what_is_rounded_more_than_once(saved, op, kind, more):
    """In rank order: near what one process comes to, and the same every time."""
    data = data_of(kind, PRIME - 1)
    if op in ("product", "affine"):
        data = numpy.copysign(1 + numpy.abs(data) % 0.001, data).astype(ALL_DTYPES[kind])
    path = saved(data)
    got = answer(3, path, "--op", op, *more)
    assert [float(x) for x in got.split()] == pytest.approx([float(x) for x in alone(path, "--op", op, *more).split()],
                                                            rel=1e-4 if kind == "f32" else 1e-9)
    assert answer(3, path, "--op", op, *more) == got
    one_error(reduce(3, path, "--op", op, *more, "--check"), FAILURE, "--check", "rounded more than once",
              "leave --check out")


@pytest.mark.parametrize("kind, more", [("f32", []), ("i16", []), ("u64", []), ("f64", ["--nan", "ignore"])])
def test_describe(saved, kind, more):
    data = data_of(kind, PRIME)
    if more:
        data[[0, 5, 400, PRIME - 1]] = numpy.nan
    path = saved(data)
    *got, variance = answer(8, path, "--op", "describe", "--check", *more).splitlines()
    *expected, variance_alone = alone(path, "--op", "describe", *more).splitlines()
    assert float(variance.split()[1]) == pytest.approx(float(variance_alone.split()[1]), rel=1e-12)
    if kind[0] != "f":  # whose mean is rounded more than once
        assert float(got.pop().split()[1]) == pytest.approx(float(expected.pop().split()[1]), rel=1e-12)
    assert got == expected


@pytest.mark.parametrize("values, op", [
    ([numpy.nan, 1, -2, 3, 4, 5, 6, 7], "min"),
    ([1, -2, 3, 4, 5, 6, numpy.nan, 7], "argmax"),
    ([numpy.inf, 1, 2, 3, 4, 5, 6, -numpy.inf], "sum"),
    ([-0.0] * 8, "sum"),
    ([0.0, 0, 0, 0, 0, 0, 0, -0.0], "argmin"),
    ([1e308, 1e308, 5e-324, -1e308, -1e308, 5e-324, -5e-324, 1e-310], "sum"),
])
def test_special_values(saved, values, op):
    path = saved(numpy.array(values, "f8"))
    assert answer(3, path, "--op", op) == alone(path, "--op", op)


def test_the_device_that_watches(saved):
    """It has few types, and the ranks compare more than what is folded."""
    path = saved(data_of("f32", 100))
    done = launch((2, ["reduce", path, "--device", "watched:32"]))
    assert (done.returncode, done.stdout) == (SUCCESS, alone(path)), done.stderr


# ---- Files ----

def test_big_endian(saved):
    path = saved(data_of("i32", PRIME).astype(">i4"))
    assert answer(3, path) == alone(path)
    path = saved(multiplied(2 * PRIME).astype(">i4"))
    assert answer(3, path, "--op", "matmul") == alone(path, "--op", "matmul")


def test_fortran_order(saved):
    path = saved(numpy.asfortranarray(data_of("f64", 60).reshape(5, 12)))
    assert answer(3, path) == alone(path)
    one_error(reduce(3, path, "--op", "argmin"), FAILURE, "wavefold-mpi: input", "Fortran", "ascontiguousarray")


def test_archive(tmp_path):
    numpy.savez(tmp_path / "a.npz", a=numpy.ones(5))
    for name in ("a.npz", "a.npz:a"):
        one_error(reduce(2, tmp_path / name), FAILURE, "wavefold-mpi: input", "archive", "numpy.save")


def test_standard_input():
    one_error(reduce(2, "-"), USAGE, "wavefold-mpi: - is standard input", "give a file")


def test_bool(saved):
    data = numpy.arange(PRIME) % 3 == 0
    for op in ("sum", "mean", "any", "argmin"):
        assert answer(3, saved(data), "--op", op) == alone(saved(data), "--op", op)
    bytes_of = data.view("u1").copy()
    bytes_of[-1] = 2
    done = reduce(3, saved(bytes_of.view("?")))
    assert done.returncode == FAILURE and f"byte {PRIME - 1} of its elements is 2" in done.stderr


def test_raw_binary(tmp_path):
    path = tmp_path / "raw"
    (data_of("f32", PRIME).view("u4") >> 16).astype("u2").tofile(path)
    assert answer(3, path, "--type", "bf16", "--n", 1000) == alone(path, "--type", "bf16", "--n", 1000)
    one_error(reduce(3, path), FAILURE, "element type", "--type")


def test_what_is_not_aligned(tmp_path):
    matrices = data_of("i32", 4 * 9)
    head = b"{'descr': '<i4', 'fortran_order': False, 'shape': (9, 2, 2), }  \n"
    assert (10 + len(head)) % 4 != 0
    path = tmp_path / "a.npy"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + matrices.tobytes())
    assert answer(2, path, "--op", "matmul", "--check") == alone(path, "--op", "matmul")


# ---- What is written ----

@each_mpi
def test_json(saved):
    path = saved(data_of("f32", PRIME))
    got = json.loads(answer(3, path, "--op", "argmax", "--json", "-"))
    expected = json.loads(alone(path, "--op", "argmax", "--json", "-"))
    assert got.pop("ranks") == 3
    assert got.pop("engine").startswith({"openmpi": "Open MPI", "mpich": "MPICH"}[ENGINE])
    assert got.pop("seconds") >= 0 and expected.pop("seconds") >= 0
    for one in (got, expected):
        del one["device"]
    assert got == expected


@pytest.mark.parametrize("op", ["sum", "mean", "sumsq"])
def test_state(saved, tmp_path, op):
    path = saved(data_of("f32", PRIME))
    assert answer(3, path, "--op", op, "--state", tmp_path / "all") == alone(path, "--op", op, "--state",
                                                                             tmp_path / "alone")
    assert (tmp_path / "all").read_bytes() == (tmp_path / "alone").read_bytes()


@each_mpi
def test_state_on_standard_output(saved, tmp_path):
    path = saved(data_of("f64", PRIME))
    done = reduce(2, path, "--state", "-", text=False)
    alone(path, "--state", tmp_path / "alone")
    assert done.stdout == (tmp_path / "alone").read_bytes()


def test_quiet_and_check(saved):
    path = saved(data_of("f32", PRIME))
    done = reduce(3, path, "--check")
    assert done.returncode == SUCCESS and "one rank: the same bits" in done.stderr
    done = reduce(3, path, "--check", "--quiet")
    assert (done.returncode, done.stdout) == (SUCCESS, "") and "one rank" not in done.stderr


@pytest.mark.parametrize("arguments, printed", [(["--version"], "wavefold-mpi "), (["--help"], "Usage: wavefold-mpi"),
                                                (["reduce", "--help"], "Usage: wavefold-mpi reduce [OPTION...] FILE"),
                                                (["version"], "wavefold-mpi "), (["help"], "Usage: wavefold-mpi"),
                                                (["help", "reduce"], "Usage: wavefold-mpi reduce [OPTION...] FILE")])
def test_about(arguments, printed):
    done = launch((3, arguments))
    assert done.returncode == SUCCESS and ours(done.stderr) == []
    assert done.stdout.startswith(printed) and done.stdout.count(printed) == 1


def test_subcommand_behind_the_end_of_options(saved):
    path = saved(data_of("f64", PRIME))
    done = launch((2, ["--", "reduce", path]))
    assert (done.returncode, done.stdout) == (SUCCESS, reduce(2, path).stdout)


# ---- Progress ----

@pytest.fixture
def long_file(tmp_path):
    """Of zeros, but for a few; it takes no room on the disk."""
    path = tmp_path / "long"
    with open(path, "wb") as file:
        for at in (0, 2**26 - 1, 2**26, 3 * 2**26 + 5):
            file.seek(at)
            file.write(b"\x05")
    return path


def test_progress(long_file):
    """Pieces and parts end where they end: each of the few is counted once."""
    done = reduce(2, long_file, "--type", "u8", "--progress", "--check")
    assert (done.returncode, done.stdout) == (SUCCESS, "20\n")
    assert "\r[" in done.stderr and "%  folding" in done.stderr
    done = reduce(2, long_file, "--type", "u8", "--op", "argmax")
    assert (done.returncode, done.stdout) == (SUCCESS, "0\n") and "folding" not in done.stderr


def test_no_progress_of_one_piece(saved):
    done = reduce(2, saved(data_of("f32", PRIME)), "--progress")
    assert done.returncode == SUCCESS and "folding" not in done.stderr


def on_a_terminal(path, *arguments, output):
    """A job of one, started by itself on a terminal that controls it: below these launchers no rank has one. Its exit
    status, what it prints on an output that is not the terminal, and what the terminal shows."""
    master, slave = pty.openpty()
    shown = []

    def read():
        try:
            while chunk := os.read(master, 4096):
                shown.append(chunk)
        except OSError:  # the other side is closed
            pass

    reader = threading.Thread(target=read)
    reader.start()
    with subprocess.Popen([PROGRAM, "reduce", "--device", "host", path, *arguments], stdin=slave, stderr=slave,
                          stdout=output or slave, env=environment(**THROUGH_MEMORY), start_new_session=True,
                          preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0)) as job:
        os.close(slave)
        printed = job.communicate(timeout=40)[0]
    reader.join(timeout=20)
    os.close(master)
    return job.returncode, printed, b"".join(shown).decode()


def test_progress_on_a_terminal(long_file):
    status, printed, shown = on_a_terminal(long_file, "--type", "u8", output=subprocess.PIPE)
    assert (status, printed) == (SUCCESS, b"20\n")
    assert "\r[" in shown and "%  folding" in shown and shown.endswith("\r\033[K")


@each_mpi
def test_state_on_a_terminal(saved):
    """Not the bytes, unless they go elsewhere."""
    path = saved(data_of("f64", PRIME))
    status, _, shown = on_a_terminal(path, "--state", "-", output=None)
    assert status == FAILURE and shown.startswith("wavefold-mpi: --state - writes ")
    assert "standard output is a terminal" in shown and len(shown.splitlines()) == 1
    status, printed, shown = on_a_terminal(path, "--state", "-", output=subprocess.PIPE)
    assert (status, len(printed), shown) == (SUCCESS, len(reduce(1, path, "--state", "-", text=False).stdout), "")


# ---- What fails, on all ranks or on one of them: one sentence, one status, and nobody waits ----

@pytest.mark.parametrize("arguments, named", [
    ([], ["a subcommand must be named"]),
    (["merge"], ["unknown subcommand 'merge'; see wavefold-mpi --help"]),
    (["redcue"], ["did you mean 'reduce'? See wavefold-mpi --help"]),
    (["help", "merge"], ["unknown subcommand 'merge'"]),
    (["reduce"], ["reduce needs an input file", "wavefold-mpi reduce FILE"]),
    (["reduce", "a", "--n", "banana"], ["--n 'banana'"]),
    (["reduce", "a", "--frobnicate"], ["--frobnicate"]),
    (["reduce", "a", "--type", "f32", "--op", "product", "--check"], ["--check", "fast product of f32"]),
    (["reduce", "a", "--progress", "--quiet"], ["--progress and --quiet"]),
])
def test_bad_usage(arguments, named):
    one_error(launch((3, arguments)), USAGE, *named)


@each_mpi
def test_what_the_launcher_says():
    *_, status = run([LAUNCHER, *OPTIONS, "-n", 3, PROGRAM, "merge"])
    assert status == USAGE


def test_what_cannot_be_opened(saved, tmp_path):
    path = saved(data_of("f32", 10))
    one_error(reduce(3, tmp_path / "missing.npy"), FAILURE, "wavefold-mpi: cannot open input", "missing.npy")
    (tmp_path / "broken.npy").write_bytes(path.read_bytes()[:40])
    one_error(reduce(3, tmp_path / "broken.npy"), FAILURE, "wavefold-mpi: input", "broken.npy", "truncated")
    one_error(launch((3, ["reduce", path, "--device", "nvidia:77"])), FAILURE, "wavefold-mpi: ", "nvidia")
    one_error(reduce(3, path, "--json", tmp_path / "no" / "report"), FAILURE, "wavefold-mpi: cannot write")


@each_mpi
@pytest.mark.parametrize("rank", [0, 2])
@pytest.mark.parametrize("arguments, status, named", [
    (["reduce", "{}/missing.npy"], FAILURE, "cannot open input '{}/missing.npy'"),
    (["reduce", "{}/a.npy", "--device", "nvidia:77"], FAILURE, "nvidia"),
    (["reduce", "{}/a.npy", "--frobnicate"], USAGE, "unrecognized option '--frobnicate'"),
])
def test_one_rank_cannot(saved, tmp_path, rank, arguments, status, named):
    path = saved(data_of("f32", 100))
    good = ["reduce", path, "--device", "host"]
    jobs = [(1, good), (1, good), (1, good)]
    jobs[rank] = (1, [word.format(tmp_path) for word in arguments])
    who = f"wavefold-mpi: rank {rank}: " if rank != 0 else "wavefold-mpi"
    one_error(launch(*jobs), status, named.format(tmp_path), who)


def test_several_ranks_cannot(saved, tmp_path):
    path = saved(data_of("f32", 100))
    one_error(launch((1, ["reduce", path]), (2, ["reduce", tmp_path / "missing.npy"])), FAILURE, "rank 1",
              "missing.npy", "and 1 more")


@each_mpi
def test_ranks_that_ask_for_different_things(saved, tmp_path):
    path, other = saved(data_of("f32", 100)), saved(data_of("f32", 101), "b.npy")
    good = (2, ["reduce", path, "--device", "host"])
    one_error(launch(good, (1, ["reduce", other, "--device", "host"])), FAILURE, "from 100 to 101 elements",
              "same file")
    one_error(launch(good, (1, ["reduce", path, "--device", "host", "--op", "max"])), FAILURE, "sum of f32",
              "max of f32", "give all ranks the same arguments")
    one_error(launch(good, (1, ["reduce", "--help"])), FAILURE, "rank 2", "same arguments")


@pytest.mark.parametrize("words", [["--check"], ["--json", "-"], ["--state", "{}/all"]])
def test_what_rank_0_alone_does(saved, tmp_path, words):
    """Asked of another one only it would not be done; rank 0 needs none beside it that is asked."""
    words = [word.format(tmp_path) for word in words]
    plain = ["reduce", saved(data_of("f32", 100)), "--device", "host"]
    one_error(launch((1, plain), (1, plain), (1, plain + words)), FAILURE, f"{words[0]} was given to other ranks",
              "give all ranks the same arguments")
    assert launch((1, plain + words), (1, plain)).returncode == SUCCESS


def test_what_rank_0_cannot_write(saved):
    """After all have folded."""
    done = reduce(3, saved(data_of("f32", 100)), "--json", "/dev/full")
    assert done.returncode == FAILURE and len(ours(done.stderr)) == 1 and "/dev/full" in done.stderr


# ---- A library that fails, or comes to other results ----

@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if not compiler and not os.environ.get("CI"):
        pytest.skip("no C compiler")
    library = tmp_path_factory.mktemp("faults") / "faults.so"
    subprocess.run([compiler, "-std=c11", "-shared", "-fPIC", "-I", TREE / "include", "-o", library,
                    TREE / "tests/mpi/rank_faults.c", "-ldl"], check=True)
    return lambda fault, ranks, *arguments: launch((ranks, ["reduce", *arguments]), preloaded=[library],
                                                   changes={"WAVEFOLD_RANK_FAULT": fault} | ON_ONE_MACHINE)


def test_one_rank_cannot_fold(saved, faulty):
    one_error(faulty("fold", 3, saved(data_of("f32", 100))), FAILURE, "a.npy", "rank 1: the injected fault")


def test_one_rank_cannot_compare(saved, faulty):
    one_error(faulty("meet", 3, saved(data_of("f32", 100))), FAILURE, "a.npy", "rank 1: the injected fault")


@each_mpi
def test_one_rank_leaves(saved, faulty):
    """The others do not wait for it, and end as it does."""
    one_error(faulty("leave", 3, saved(data_of("f32", 100))), USAGE, "a.npy", "rank 1: it ended before the others")


@pytest.mark.parametrize("op, named", [("sum", "word 0"), ("describe", "count")])
def test_check_finds_other_bits(saved, faulty, op, named):
    path = saved(data_of("f32", 100))
    done = faulty("bits", 3, path, "--op", op, "--check")
    assert done.returncode == FAILURE and len(done.stdout.splitlines()) == (8 if op == "describe" else 1)
    assert "one rank comes to other bits than 3 ranks" in done.stderr and named in done.stderr


@each_mpi
@pytest.mark.parametrize("asked, opened", [([], [0, 1, 0]), (["--device", "auto"], [0, 1, 0]),
                                           (["--device", "nvidia"], [0, 1, 0]), (["--device", "nvidia:1"], [1, 1, 1]),
                                           (["--device", "host"], None)])
def test_each_rank_has_its_device(saved, faulty, asked, opened):
    path = saved(data_of("f32", 100))
    done = faulty("gpus", 3, path, *asked)
    assert done.returncode == SUCCESS and done.stdout == alone(path)
    names = [f"nvidia:{number}" for number in opened] if opened else ["host"] * 3
    said = sorted(line for line in done.stderr.splitlines() if line.startswith("rank "))
    assert said == [f"rank {rank} opens {name}" for rank, name in enumerate(names)]


def shares(done):
    """The CPUs of each rank that has said them."""
    said = [line.split(" on CPUs ") for line in done.stderr.splitlines() if " on CPUs " in line]
    assert done.returncode == SUCCESS and len({rank for rank, _ in said}) == len(said), done.stderr
    return [set(map(int, cpus.split())) for _, cpus in sorted(said)]


@each_mpi
def test_ranks_divide_the_cpus(saved, faulty):
    """Those of this machine: each is one rank's."""
    cpus = os.sched_getaffinity(0)
    if len(cpus) == 1:
        pytest.skip("there is one CPU alone")
    one, other = shares(faulty("cpus", 2, saved(data_of("f32", 100)), "--device", "host"))
    assert one and other and not one & other and one | other == cpus


@pytest.mark.parametrize("ranks, sizes", [(2, [2, 3]), (3, [1, 2, 2]), (8, [1] * 8)])
def test_ranks_divide_five_cpus(saved, faulty, ranks, sizes):
    """Of more ranks than CPUs some share one, and no CPU is idle."""
    found = shares(faulty("five", ranks, saved(data_of("f32", 100)), "--device", "host"))
    assert sorted(map(len, found)) == sizes and set().union(*found) == {1, 2, 4, 6, 9}


def test_ranks_that_the_launcher_has_bound_stay(saved, faulty):
    assert shares(faulty("bound", 3, saved(data_of("f32", 100)), "--device", "host")) == []
    assert shares(faulty("five", 1, saved(data_of("f32", 100)), "--device", "host")) == []
