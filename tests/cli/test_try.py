"""wavefold try: kernels of one's own, right and broken, in the ladder's words and in HIP's; the exercises."""

import json
import os
import resource
import signal
import subprocess
import time

import pytest
from support import FAILURE, PROGRAM, ROOT, SUCCESS, USAGE, environment, one_error, wavefold
from tried_kernels import ATOMIC, BROKEN, IN_RANGE, LAUNCH, PLAIN, RIGHT, SHUFFLES, VECTORS, changed, ladder, plain

EXERCISES = ROOT / "examples/exercises"
LOADED = ("--seconds", 30)  # what a kernel that ends may take where much else runs


@pytest.fixture
def attempt(tmp_path):
    """Runs the text as mine.hip: the program's end, and its JSON."""

    def run(text, *arguments, **options):
        path = tmp_path / "mine.hip"
        path.write_text(text)
        report = tmp_path / "report.json"
        done = wavefold("try", path, "--json", report, *arguments, **options)
        return done, json.loads(report.read_text()) if report.exists() else None

    return run


def line_of(text, fragment):
    return next(number for number, line in enumerate(text.splitlines(), 1) if fragment in line)


def findings(report, width=None):
    return [each["text"] for of in report["widths"] if width in (None, of["wave"]) for each in of["findings"]]


@pytest.mark.parametrize("name", RIGHT)
def test_right(attempt, name):
    done, report = attempt(RIGHT[name], *LOADED)
    assert done.returncode == SUCCESS, done.stdout + done.stderr
    assert report["clean"] and findings(report) == []
    assert report["words"] == ("plain" if "in[" in RIGHT[name] else "ladder")
    assert [of["wave"] for of in report["widths"]] == [32, 64]
    for of in report["widths"]:
        assert of["right"] and of["sums"] >= 3 * 6 and of["counted_n"] == 2**16
        assert of["total"]["global"]["loads"]["elements"] >= 2**16
    printed = done.stderr.splitlines()
    assert set(printed) == {"/* 1 of 48, 32", "/* 1 of 48, 64"} if "printf" in RIGHT[name] else printed == []
    assert done.stdout.count("lanes: right") == 2


@pytest.mark.parametrize("name", BROKEN)
def test_broken(attempt, name):
    text, at, said = BROKEN[name]
    done, report = attempt(text, *LOADED)
    assert done.returncode == FAILURE and not report["clean"]
    for width in (32, 64):
        found = findings(report, width)
        assert any(said in each and f"mine.hip:{line_of(text, at)}" in each for each in found), found
        assert all(each.startswith("mine, tile ") and "lane " in each and "mine.hip:" in each for each in found)
    assert said in done.stdout and "did not end" not in done.stdout


@pytest.mark.parametrize("tile, n", [(0, 1), (1, 257)])
@pytest.mark.parametrize("of, index", [(plain, "blockIdx.x"), (ladder, "tidx.tile")])
def test_a_sum_that_nobody_wrote(attempt, tile, n, of, index):
    """The tile is told that does not leave it, not who reads it."""
    _, report = attempt(of(("if (t == 0)", f"if (t == 0 && {index} != {tile})")))
    for width in report["widths"]:
        [found] = width["findings"]
        assert found["n"] == width["wrong"]["n"] == n
        assert found["text"] == (f"mine, tile {tile}: nobody wrote element {tile} of 'out', where this tile's sum "
                                 "belongs")


def test_who_keeps_a_wave_is_of_that_wave(attempt):
    """Lane 0 has done all, and returned."""
    text = PLAIN.format(cells="", count="size_t", launch="WF_TRY_ATOMIC(mine, 64, 4)", body="""
    if (t >= 40)
        return;
    float sum = i < n ? in[i] : 0;
    for (unsigned d = warpSize / 2; d > 0; d /= 2)
        sum += __shfl_down(sum, d);
    if (t % warpSize == 0)
        atomicAdd(out, sum);
""")
    _, report = attempt(text)
    for width, waiting, others in ((32, 32, 7), (64, 0, 39)):
        assert (f"lane {waiting} waits for its wave mine.hip:{line_of(text, '__shfl')} (as do {others} more lanes), "
                "but lane 40 has returned") in findings(report, width)[0]


@pytest.mark.parametrize("launch, said", [
    ("_ATOMIC(mine, 64, 1)", "1 tile of 64 threads, adding to one cell"),
    ("_ATOMIC(mine, 1, 9)", "9 tiles of 1 thread, adding to one cell"),
    ("(mine, 1, 2)", "tiles of 1 thread and 2 elements"),
])
def test_how_many_tiles_and_threads_there_are(attempt, launch, said):
    text = PLAIN.format(cells="", count="size_t", launch="WF_TRY" + launch, body="""
    for (size_t k = i; k < n; k += size_t(gridDim.x) * blockDim.x)
        atomicAdd(out, in[k]);
""")
    done, _ = attempt(text)
    assert f": kernel mine, {said}\n" in done.stdout


@pytest.mark.parametrize("elements, most", [(256, 65536), (40000, 80000)])
def test_how_many_elements_there_are(attempt, elements, most):
    strided = ("i < n ? in[i] : 0;", f"0;\n    for (size_t k = t; k < {elements}; k += 256)\n"
               f"        if (blockIdx.x * {elements}ull + k < n)\n"
               f"            cells[t] += in[blockIdx.x * {elements}ull + k];")
    done, _ = attempt(plain(strided, launch=f"WF_TRY(mine, 256, {elements})"))
    assert done.returncode == SUCCESS and done.stdout.count(f" sums, of 1 to {most} elements, ") == 2


@pytest.mark.parametrize("waiting, others", [(1, ""), (2, " (as does 1 more lane)"), (3, " (as do 2 more lanes)")])
def test_how_many_wait(attempt, waiting, others):
    text = PLAIN.format(cells="", count="size_t", launch="WF_TRY_ATOMIC(mine, 64, 1025)", body=f"""
    if (t >= {waiting})
        return;
    atomicAdd(out, __shfl_xor(i < n ? in[i] : 0, 1));
""")
    _, report = attempt(text)
    for found in (findings(report, 32)[0], findings(report, 64)[0]):
        assert f"lane 0 waits for its wave mine.hip:{line_of(text, '__shfl')}{others}, but lane {waiting} has" in found


def test_a_deadlock_makes_no_other_line_one(attempt):
    """Where a lane touches a cell a few hundred times it waits for nobody, whatever was found elsewhere before."""
    cells, launch = "__shared__ volatile int hashes[64];", "WF_TRY_ATOMIC(mine, 64, 65)"
    text = PLAIN.format(cells=cells, count="size_t", launch=launch, body="""
    hashes[t] = 0;
    for (int k = 0; k < 200; k++)
        hashes[t] = hashes[t] * 3 ^ k;
    if (i == 0 && n == warpSize - 1)
        while (atomicCAS(&lock, 0, 2) != 0)
            ;
    for (size_t k = i; k < n; k += size_t(gridDim.x) * blockDim.x)
        atomicAdd(out, in[k]);
""").replace("__global__", "__device__ int lock = 1;\n__global__")
    _, report = attempt(text, *LOADED)
    for of in report["widths"]:
        [found] = of["findings"]
        assert "deadlock" in found["text"] and f":{line_of(text, 'while')})" in found["text"]
        assert of["wrong"]["n"] == of["wave"] - 1 and "stopped" not in of


def test_a_line_is_told_once(attempt):
    """Where lanes wait for others, too, whichever of them it is in which sum."""
    text = PLAIN.format(cells="", count="size_t", launch="WF_TRY_ATOMIC(mine, 256, 256)", body="""
    float sum = i < n ? in[i] : 0;
    if (i < n)
        sum += __shfl_xor(sum, 1);
    atomicAdd(out, sum);
""")
    _, report = attempt(text)
    for of in report["widths"]:
        found = [each["text"] for each in of["findings"]]
        assert len([each for each in found if f":{line_of(text, '__shfl')}" in each]) == 1, found


@pytest.mark.parametrize("text, n, expected", [
    (plain(cells="__shared__ int cells[256];"), 1, 0.5),
    (plain(("i < n ?", "i < n && !(n == 512 && i == 9) ?"), launch="WF_TRY(mine, 256, 256)"), 512, None),
    (plain(("i < n ?", "i < n && !(n == 256 && i == 9) ?"), launch="WF_TRY(mine, 256, 256)"), 256, None),
])
def test_wrong(attempt, text, n, expected):
    """Integers lose halves; where all tiles are full, the last one's share is not the rest of a division."""
    done, report = attempt(text)
    assert done.returncode == FAILURE
    for of in report["widths"]:
        assert of["wrong"]["n"] == n and expected in (None, of["wrong"]["expected"])


def test_many_elements_of_a_tile(attempt):
    """However many there are, f32 holds every partial sum, that of a lane which adds them all, too."""
    one_lane = PLAIN.format(cells="const size_t most = 550000;", count="size_t", launch="WF_TRY(mine, 32, 550000)",
                            body="""    float sum = 0;
    for (size_t k = i / 32 * most; t == 0 && k < n && k < (i / 32 + 1) * most; k++)
        sum += in[k];
    if (t == 0)
        out[blockIdx.x] = sum;
""")
    done, report = attempt(one_lane, "--seconds", "60")
    assert done.returncode == SUCCESS and report["clean"], done.stdout
    done, _ = attempt(one_lane.replace("32, 550000", "32, (1 << 20) + 1"))
    assert done.returncode == FAILURE and "at most 1048576 elements" in done.stderr


def test_atomic_updates_of_a_variable_of_the_device(attempt):
    """They order what fences tell them, and are counted. In tile memory a lane does not race with itself, and a barrier
    of the wave is enough for the wave's own cell."""
    text = PLAIN.format(cells="__shared__ float sums[8], own[8];", count="size_t", launch=ATOMIC, body="""
    const unsigned wave = t / warpSize, lane = t % warpSize;
    float sum = 0;
    for (size_t k = i; k < n; k += size_t(gridDim.x) * blockDim.x)
        sum += in[k];
    if (lane == 0)
        sums[wave] = 0;
    __syncwarp();
    atomicAdd(&sums[wave], sum);
    __syncwarp();
    if (lane == 0) {
        own[wave] = 0;
        atomicAdd(&own[wave], sums[wave]);
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
        __threadfence();
        out[0] += own[wave];
        __threadfence();
        atomicExch(&lock, 0);
    }
""").replace("__global__", "__device__ int lock;\n__global__", 1)
    done, report = attempt(text)
    assert done.returncode == SUCCESS, done.stdout + done.stderr
    assert [of["total"]["atomics"] for of in report["widths"]] == [
        {"count": 2 * updates, "collisions": 2 * updates - 1} for updates in (64, 32)]


def test_copies_of_several_sizes(attempt):
    """What a line copies at once may be more in one lane than in another, and is counted as much as it is."""
    text = PLAIN.format(cells="float own[20] = {};", count="size_t", launch="WF_TRY_ATOMIC(mine, 256, 16)", body="""
    const unsigned length = t % 2 == 0 ? 12 : 20; // 32 of two lanes, 4096 of a tile
    for (size_t k = i / 2 * 32 + (t % 2) * 12; k < n; k += size_t(gridDim.x) * 4096) {
        const size_t have = min(n - k, length);
        memcpy(own, in + k, have * sizeof(float));
        float sum = 0;
        for (size_t j = 0; j < have; j++)
            sum += own[j];
        atomicAdd(out, sum);
    }
""")
    done, report = attempt(text)
    assert done.returncode == SUCCESS, done.stdout + done.stderr
    for of in report["widths"]:
        assert of["total"]["global"]["loads"]["elements"] == 2**16
        line = [each for each in of["lines"] if each["line"] == line_of(text, "memcpy(")]
        assert sum(each["bytes"] for each in line) == 2**18 and sum(each["lanes"] for each in line) == 2**12


def test_counts_have_the_names_that_they_have_of_rungs(attempt, tmp_path):
    """As the manual says of total and lines."""
    (_, report), rung = attempt(plain()), tmp_path / "rung.json"
    assert wavefold("explain", "tiled_3", "-q", "--json", rung).returncode == SUCCESS
    rung = json.loads(rung.read_text())
    for of in report["widths"]:
        assert of["total"].keys() == rung["total"].keys() - {"launches"}
        assert {tuple(line) for line in of["lines"]} == {tuple(line) for line in rung["lines"]}
        assert {line["kernel"] for line in of["lines"]} == {"mine"}


def test_waves_of_one_width_only(attempt):
    text = PLAIN.format(cells="", count="size_t", body=changed(SHUFFLES, ("warpSize / 2", "16")),
                        launch="WF_TRY_ATOMIC(mine, 256, 256)")
    done, report = attempt(text)
    narrow, wide = report["widths"]
    assert done.returncode == FAILURE and narrow["right"] and not wide["right"]
    assert wide["wrong"]["n"] == 63 and wide["wrong"]["expected"] != wide["wrong"]["got"]
    assert f"64 lanes: wrong: at n = 63 the sum is {wide['wrong']['expected']}" in done.stdout


def test_a_vector_is_moved_at_once(attempt):
    """2^14 of 65536 elements, and then 64 of the 256 sums."""
    _, report = attempt(VECTORS)
    for of in report["widths"]:
        loads, accesses = of["total"]["global"]["loads"], (2**14 + 64) // of["wave"]
        assert (loads["elements"], loads["accesses"]) == (2**16 + 2**8, accesses)
        assert loads["lines128"] == accesses * of["wave"] // 8


def test_a_name_in_parentheses(attempt):
    done, report = attempt(RIGHT["a comma between arguments of the template"])
    assert {of["kernel"] for of in report["widths"]} == {"total<128, true>"}
    assert "kernel total<128, true>, tiles" in done.stdout


def test_both_words_count_the_same(attempt):
    (_, mine), (_, theirs) = attempt(ladder()), attempt(plain())
    for a, b in zip(mine["widths"], theirs["widths"]):
        assert a["total"] == b["total"] and a["launches"] == b["launches"] == 2


@pytest.mark.parametrize("text", [ladder(launch="WF_TRY(mine, 256, 256)"), plain()])
def test_against_the_rung_that_it_is(attempt, text):
    """tiled_3 folds what its tiles leave on the host: the kernel's first launch is the rung's only one."""
    done, report = attempt(text, "--against", "tiled_3")
    assert done.returncode == SUCCESS and report["against"]["rung"] == "tiled_3"
    for mine, rung in zip(report["widths"], report["against"]["widths"]):
        assert rung["wave"] == mine["wave"] and rung["launches"] == 1
        mine, rung = mine["total"], rung["total"]
        assert rung["barriers"] == 256 * 9 and mine["barriers"] == 257 * 9
        assert mine["global"]["loads"]["elements"] == rung["global"]["loads"]["elements"] + 256
    assert done.stdout.count("tiled_3") == 2


def test_against_a_rung_without_kernels(attempt):
    done, _ = attempt(plain(), "--against", "sequential")
    launches, loaded = ([line.split() for line in done.stdout.splitlines() if line.startswith(name)][0]
                        for name in ("launches", "elements loaded"))
    assert launches[1:] == ["2", "0"] * 2 and loaded[2:6] == ["65792", "-"] * 2


@pytest.mark.parametrize("tile, rung", [(32, "wave_two_pass"), (1024, "exact"), (96, "tiled_1")])
def test_against_a_rung_that_does_not_take_the_tile(attempt, tile, rung):
    """That has a tile of its own then; what was found of the kernel is told."""
    text = PLAIN.format(cells="", count="size_t", launch=f"WF_TRY_ATOMIC(mine, {tile}, 65536 / {tile} + 1)",
                        body="    if (i < n)\n        atomicAdd(out, in[i]);\n")
    done, report = attempt(text, "--against", rung)
    assert done.returncode == SUCCESS and report["clean"] and report["against"]["rung"] == rung, done.stderr
    for of in report["against"]["widths"]:
        assert of["total"]["global"]["loads"]["elements"] >= 2**16
    assert "lanes: right" in done.stdout and done.stdout.count(rung) == 2


def test_crash(attempt):
    text = plain(("    if (t == 0)", "    if (t == 7 && blockIdx.x == 1)\n        *(volatile int *)8 = 0;\n"
                                     "    if (t == 0)"))
    done, report = attempt(text)
    assert done.returncode == FAILURE and done.stderr == ""
    at = f"kernel mine, tile 1, lane 7 (mine.hip:{line_of(text, '*)8 = 0')})"
    for of in report["widths"]:
        assert of["stopped"]["why"].startswith("it crashed (Segmentation fault)") and at in of["stopped"]["why"]
    assert done.stdout.count(at) == 2


def test_crash_in_a_word(attempt):
    """The kernel's line is told, not that of the word's definition."""
    text = ladder(("    cells[t] = ", "    const array_view<const T> nowhere(reinterpret_cast<const T *>(8), 999);\n"
                   "    cells[t] = nowhere[t] + "))
    _, report = attempt(text)
    for of in report["widths"]:
        assert f", lane 0 (mine.hip:{line_of(text, '= nowhere[t]')})" in of["stopped"]["why"]


def test_a_name_that_commands_a_terminal(tmp_path):
    path = tmp_path / "a\033[2J.hip"
    path.write_text(plain(("        __syncthreads();\n    }", "    }")))
    done = wavefold("try", path)
    assert done.returncode == FAILURE and "a?[2J.hip:" in done.stdout and "\033" not in done.stdout


@pytest.mark.parametrize("launch", [LAUNCH, "WF_TRY_ATOMIC(mine, 256, 256)"])
def test_every_thread_of_a_tile_that_writes_to_its_own_element(attempt, launch):
    """However far off that is, it harms nothing of the trial's own."""
    text = plain(("    if (t == 0)\n", ""), ("out[blockIdx.x]", "out[i]"), launch=launch)
    done, report = attempt(text)
    assert done.returncode == FAILURE and done.stderr == ""
    for of in report["widths"]:
        [found] = of["findings"]
        assert "beyond the end of 'out'" in found["text"] and "stopped" not in of and of["sums"] >= 15


@pytest.mark.parametrize("size, index, why", [
    (40000, "k", "a lane's variables take more than the 64 KiB that it has here, in kernel mine, tile 0, lane 0"),
    (40, "k << 24", "it crashed (Segmentation fault) in kernel mine, tile 0, lane 0"),
])
def test_variables_larger_than_a_stack(attempt, size, index, why):
    """A GPU has more room for them. What lies beyond a small one is another mistake."""
    text = PLAIN.format(cells="", count="size_t", launch="WF_TRY_ATOMIC(mine, 64, 1)", body=f"""
    float own[{size}];
    for (unsigned k = 0; k < {size}; k++)
        own[{index}] = k;
    if (i < n)
        atomicAdd(out, in[i] + own[n % {size}]);
""")
    done, report = attempt(text)
    assert done.returncode == FAILURE
    for of in report["widths"]:
        assert of["stopped"]["why"].startswith(why)


def test_where_it_wrote_outside_is_told_behind_another_finding(attempt):
    text = plain(("        __syncthreads();\n    }", "    }"),
                 ("    if (t == 0)\n", "    if (t == 9)\n        cells[999] = 0;\n    if (t == 0)\n"))
    _, report = attempt(text)
    for of in report["widths"]:
        [found] = of["findings"]
        assert "race in tile memory" in found["text"]
        assert of["stopped"]["why"] == f"it wrote outside of its tile memory (mine.hip:{line_of(text, '[999]')})"


def test_failed_assertion(attempt):
    """Told in its line, though what ended the program is the C library's."""
    text = plain(("    cells[t] = i", "    assert(i < n);\n    cells[t] = i"))
    done, report = attempt(text)
    assert done.returncode == FAILURE and "Assertion" in done.stderr
    for of in report["widths"]:
        assert of["stopped"]["why"] == ("it crashed (Aborted) in kernel mine, tile 0, lane 1 "
                                        f"(mine.hip:{line_of(text, 'assert(')})")


def test_endless(attempt):
    text = plain(("    if (t == 0)", "    while (t == 5 && n == 31)\n        asm volatile(\"\");\n    if (t == 0)"))
    began = time.monotonic()
    done, report = attempt(text, "--seconds", 4)  # which the other width takes under load
    assert done.returncode == FAILURE and time.monotonic() - began < 40
    narrow, wide = report["widths"]
    assert wide["right"]  # it never sums 31
    assert "it did not end within 4 s (--seconds) in kernel mine, tile 0, lane 5" in narrow["stopped"]["why"]
    assert narrow["stopped"]["n"] == 31


@pytest.mark.parametrize("loop", ["while (threadIdx.x == 5)", "for (unsigned char k = 0; k < 256; k++)"])
def test_endless_without_an_access(attempt, loop):
    """The line is told, whatever of the words' definitions runs when the time is over."""
    text = PLAIN.format(cells="", count="size_t", launch="WF_TRY_ATOMIC(mine, 64, 1025)", body=f"""
    {loop}
        if (blockIdx.x == n)
            asm volatile("");
    if (i < n)
        atomicAdd(out, in[i]);
""")
    _, report = attempt(text, "--seconds", 1)
    lines = [f"(mine.hip:{line_of(text, loop) + k})" for k in range(3)]
    for of in report["widths"]:
        assert of["stopped"]["why"].startswith("it did not end") and of["stopped"]["why"].endswith(tuple(lines))


def test_time_that_is_over_in_a_library(attempt):
    """It may be amid an allocation, and what is told needs one: that waits for the kernel to go on."""
    text = "#include <csignal>\n" + plain(("    if (t == 0)\n", """    if (t == 5 && n == 4099) {
        raise(SIGALRM);
        *(volatile float *)&cells[t] = 0;
    }
    if (t == 0)
"""))
    _, report = attempt(text)
    for of in report["widths"]:
        assert of["stopped"]["why"] == ("it did not end within 10 s (--seconds) in kernel mine, tile 0, lane 5 "
                                        f"(mine.hip:{line_of(text, 'volatile')})")


def test_endless_with_nothing_to_tell(attempt):
    """Who has closed all files is not waited for."""
    text = "#include <csignal>\n#include <unistd.h>\n" + plain(("    if (t == 0)\n", """    if (i == 0) {
        signal(SIGALRM, SIG_IGN);
        for (int k = 0; k < 99; k++)
            close(k);
        for (;;)
            asm volatile("");
    }
    if (t == 0)
"""))
    done, report = attempt(text)
    assert done.returncode == FAILURE
    assert [of["stopped"]["why"] for of in report["widths"]] == ["it did not end"] * 2


def test_endless_with_memory(attempt):
    """What is counted of it must not take all memory."""
    text = plain(("    if (t == 0)", "    for (unsigned k = 0; t == 5 && n == 31; k ^= 1)\n        cells[k] += 1;\n"
                                     "    if (t == 0)"))
    done, report = attempt(text, "--seconds", 30)
    why = report["widths"][0]["stopped"]["why"]
    assert done.returncode == FAILURE
    assert f"than 2 GiB (mine.hip:{line_of(text, 'cells[k]')}): is there a loop that does not end?" in why


@pytest.mark.parametrize("of, first", [("plain", "i == 0"), ("ladder", "tidx.global == 0")])
def test_what_the_kernel_prints_is_no_answer(attempt, of, first):
    change = ("    if (t == 0)", f"    if ({first})\n        printf(\"{{here\\n\");\n    if (t == 0)")
    done, report = attempt(plain(change) if of == "plain" else ladder(change))
    assert done.returncode == SUCCESS and report["clean"] and "{here" in done.stderr


@pytest.mark.parametrize("words", [[], ["--plain"]])
def test_new(tmp_path, words):
    name = tmp_path / "first_try"
    assert wavefold("try", "--new", name, *words).returncode == SUCCESS
    written = (tmp_path / "first_try.hip").read_text()
    assert ("threadIdx" in written) == bool(words) and len(written.splitlines()) < 40
    began = time.monotonic()
    done = wavefold("try", tmp_path / "first_try.hip", "--against", "tiled_4")
    assert done.returncode == SUCCESS and time.monotonic() - began < 20  # 5 s on a machine that does nothing else
    again = wavefold("try", "--new", tmp_path / "first_try.hip", *words)
    one_error(again, FAILURE, "first_try.hip", "already")
    assert (tmp_path / "first_try.hip").read_text() == written


def test_new_is_quiet(tmp_path):
    done = wavefold("try", "--new", tmp_path / "mine", "-q")
    assert done.returncode == SUCCESS and done.stdout == done.stderr == ""
    assert (tmp_path / "mine.hip").exists()


def test_new_by_a_name_that_the_other_words_have(tmp_path):
    assert wavefold("try", "--new", tmp_path / "sum", "--plain").returncode == SUCCESS
    done = wavefold("try", tmp_path / "sum.hip", "-q")
    assert done.returncode == SUCCESS, done.stderr


def test_half_a_new_kernel_is_thrown_away(tmp_path):
    def little_space():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    done = wavefold("try", "--new", tmp_path / "mine", preexec_fn=little_space)
    one_error(done, FAILURE, "cannot write", "mine.hip", "File too large")
    assert list(tmp_path.iterdir()) == []


def test_leaves_nothing_behind(attempt, tmp_path):
    folder = tmp_path / "temporary"
    folder.mkdir()
    for text in (plain(), plain(IN_RANGE), "no C++\nWF_TRY(a, 2, 2)"):
        attempt(text, env=environment(TMPDIR=str(folder)))
        assert list(folder.iterdir()) == []


@pytest.mark.parametrize("closed", [(1,), (0, 1), (0, 1, 2)])
def test_with_standard_streams_closed(tmp_path, closed):
    (tmp_path / "mine.hip").write_text(plain())
    report = tmp_path / "report.json"

    def close():
        for stream in closed:
            os.close(stream)

    done = wavefold("try", tmp_path / "mine.hip", "-q", "--json", report, preexec_fn=close)
    assert done.returncode == SUCCESS
    assert json.loads(report.read_text())["clean"] is True


def wait_for(folder, pattern):
    for _ in range(300):
        if list(folder.glob(pattern)):
            return
        time.sleep(0.1)
    raise AssertionError(f"no {pattern} after 30 s")


# While it compiles, and while the kernel runs.
@pytest.mark.parametrize("stopped, made", [(signal.SIGINT, "wavefold-try-*"), (signal.SIGTERM, "*/kernel"),
                                           (signal.SIGHUP, "*/kernel")])
def test_interrupted_it_leaves_nothing_behind(tmp_path, stopped, made):
    folder, file = tmp_path / "temporary", tmp_path / "endless.hip"
    folder.mkdir()
    file.write_text(plain(("__syncthreads();", "for (volatile int go = 1; go;)\n ;")))
    # nohup and shells' & start tests that ignore some of them, and so would the program.
    with subprocess.Popen([PROGRAM, "try", file], env=environment(TMPDIR=str(folder)), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(stopped, signal.SIG_DFL)) as process:
        wait_for(folder, made)
        time.sleep(0.2)
        process.send_signal(stopped)
        said, complained = process.communicate(timeout=30)
    assert process.returncode == -stopped and said == b"" and complained == b""
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("name, shown", [(b"\xff.hip", b"?.hip"), ("\u00e4.hip".encode(), "\u00e4.hip".encode())])
def test_file_names(tmp_path, name, shown):
    path = os.path.join(os.fsencode(tmp_path), name)
    with open(path, "w") as file:
        file.write(plain(("out[blockIdx.x]", "out[n + 9]")))
    done = subprocess.run([PROGRAM, "try", path], env=environment(), capture_output=True, timeout=60)
    assert done.returncode == FAILURE and done.stderr == b""
    assert b"(" + shown + b":14)" in done.stdout


@pytest.mark.parametrize("name", ["-mine.hip", "@mine.hip"])
def test_file_names_that_compilers_take_for_something_else(tmp_path, name):
    (tmp_path / name).write_text(plain())
    (tmp_path / "mine.hip").write_text("-DNO_KERNEL\n")
    done = wavefold("try", "--", name, cwd=tmp_path)
    assert done.returncode == SUCCESS, done.stderr


# ---- Bad input ----

def test_does_not_compile(attempt):
    done, report = attempt(plain(("in[i]", "inn[i]")))
    assert done.returncode == FAILURE and report is None and done.stdout == ""
    first, last = done.stderr.splitlines()[0], done.stderr.splitlines()[-1]
    assert "mine.hip" in first and not first.startswith("wavefold") and "inn" in done.stderr
    assert last.startswith("wavefold: ") and "does not compile" in last


def test_a_name_that_std_has_too(attempt):
    text = ("#include <numeric>\nusing namespace std;\n" + plain()).replace("mine(", "reduce(")
    done, report = attempt(text.replace("(mine", "(::reduce"))
    assert done.returncode == SUCCESS and report["clean"], done.stderr


@pytest.mark.parametrize("launch", ["WF_TRY(total<128, true>, 128, 128)", "WF_TRY_ATOMIC(total<128, true>, 128, 8)"])
def test_a_comma_without_parentheses(attempt, launch):
    text = changed(RIGHT["a comma between arguments of the template"], ("WF_TRY((total<128, true>), 128, 128)", launch))
    done, _ = attempt(text)
    assert done.returncode == FAILURE and f"mine.hip:{line_of(text, launch)}:" in done.stderr
    assert "/* a comma in the kernel's name: WF_TRY" in done.stderr and "((total<128, float>)," in done.stderr


@pytest.mark.parametrize("host, is_told", [
    ("void run(float *a, float *b) { mine<<<4, 256>>>(a, b, 1024); }\n", True),
    ("int main() {\n    return 0;\n}\n", True),
    ("int sum_of_main; // main() { mine<<<4, 256>>>(a, b, 1024); }\nno C++\n", False),
])
def test_what_launches_the_kernel_on_a_gpu(attempt, host, is_told):
    done, _ = attempt(plain() + host)
    assert done.returncode == FAILURE
    assert ("between #ifndef WF_TRY and #endif" in done.stderr.splitlines()[-1]) == is_told
    done, report = attempt(plain() + "#ifndef WF_TRY\n" + host + "#endif\n")
    assert done.returncode == SUCCESS and report["clean"]


@pytest.mark.parametrize("text", [
    plain(("i < n", "i < 5")).replace("const float *in, float *out, size_t n", "const float *in, float *out"),
    plain().replace("const float *in, float *out", "float *out, const float *in").replace("in[", "out["),
    plain().replace("__global__", "template <unsigned Size>\n__global__"),
    ("#include <numeric>\nusing namespace std;\n" + plain()).replace("mine(", "reduce(").replace("(mine", "(reduce"),
    plain().replace("__global__", "template <class T>\n__global__").replace("const float *in", "const T *in"),
])
def test_another_signature(attempt, text):
    done, _ = attempt(text)
    assert done.returncode == FAILURE and "unresolved" not in done.stderr
    assert "takes (const float *in, float *out, size_t n); of a template WF_TRY names all arguments" in done.stderr
    assert "with using namespace std it names ::reduce" in done.stderr


@pytest.mark.parametrize("arguments, status, said", [
    (["missing.hip"], FAILURE, ["missing.hip", "No such file"]),
    ([ROOT], FAILURE, ["directory"]),
    ([], USAGE, ["--new"]),
    (["a.hip", "b.hip"], USAGE, ["one file"]),
    (["a.hip", "--plain"], USAGE, ["--new"]),
    (["a.hip", "--new", "b"], USAGE, ["--new"]),
    (["--new", "a", "--json", "b"], USAGE, ["--new", "leave --json out"]),
    (["--new", "a", "--seconds", "5"], USAGE, ["--new", "leave --seconds out"]),
    (["--new", "a", "--against", "tiled_4"], USAGE, ["--new", "leave --against out"]),
    (["a.hip", "--seconds", "0"], USAGE, ["--seconds"]),
    (["a.hip", "--against", "tiled_44"], USAGE, ["tiled_44", "did you mean 'tiled_4'"]),
    (["a.hip", "--against", "look_back"], FAILURE, ["look_back"]),
    (["a.hip", "--json", "/missing/folder/x"], FAILURE, ["/missing/folder"]),
    (["--new", "3x"], FAILURE, ["3x"]),
    (["--new", "int"], FAILURE, ["'int'", "C++"]),
    (["--new", "constexpr"], FAILURE, ["'constexpr'", "C++"]),
    (["--new", "sum"], FAILURE, ["'sum'", "take another"]),
    (["--new", "host"], FAILURE, ["'host'", "take another"]),
    (["--new", "tried"], FAILURE, ["'tried'", "take another"]),
    (["--new", "max", "--plain"], FAILURE, ["'max'", "take another"]),
    (["--new", "float4", "--plain"], FAILURE, ["'float4'", "take another"]),
    (["--new", "memmove", "--plain"], FAILURE, ["'memmove'", "take another"]),
    (["--new", "tried", "--plain"], FAILURE, ["'tried'", "take another"]),
    (["--new", "threadIdx", "--plain"], FAILURE, ["'threadIdx'", "take another"]),
    (["--new", "/missing/x"], FAILURE, ["/missing/x.hip"]),
])
def test_bad_usage(arguments, status, said):
    one_error(wavefold("try", *arguments), status, *said)


@pytest.mark.parametrize("printed", ["", "{}", "[1]", "no JSON"])
def test_no_trial(attempt, printed):
    """A program of the file's own, whatever that prints."""
    done, report = attempt(f"#include <cstdio>\nint main() {{ puts(\"{printed}\"); }}\n"
                           "#if 0\nWF_TRY(a, 2, 2)\n#endif\n")
    assert done.returncode == FAILURE and not report["clean"]
    for of in report["widths"]:
        assert of["stopped"]["why"] == "it ended without an answer (exit status 0)" and not of["right"]


def test_no_launch(tmp_path):
    (tmp_path / "a.hip").write_text("int x; // WF_TRY(x, 1, 2)\n")
    one_error(wavefold("try", tmp_path / "a.hip"), FAILURE, "a.hip", "WF_TRY(")


def test_no_file_of_source(tmp_path):
    """What can be read once is refused before anybody waits for it."""
    os.mkfifo(tmp_path / "pipe")
    one_error(wavefold("try", tmp_path / "pipe"), FAILURE, "pipe", "no regular file", "save it")
    one_error(wavefold("try", "/dev/stdin", stdin=subprocess.PIPE), FAILURE, "/dev/stdin", "no regular file")
    (tmp_path / "a.hip").write_text(plain() + " " * 2**20)
    one_error(wavefold("try", tmp_path / "a.hip"), FAILURE, "a.hip", "more than 1048576 bytes")
    (tmp_path / "a.hip").write_text(plain() + "\0")
    one_error(wavefold("try", tmp_path / "a.hip"), FAILURE, "a.hip", "no file of source")


@pytest.mark.parametrize("changes", [{"CXX": "no-such-compiler"}, {"PATH": "/missing"}])
def test_no_compiler(tmp_path, changes):
    (tmp_path / "a.hip").write_text(plain())
    one_error(wavefold("try", tmp_path / "a.hip", env=environment(**changes)), FAILURE, "no C++ compiler", "g++")


def test_a_compiler_that_writes_nothing(tmp_path):
    (tmp_path / "a.hip").write_text(plain())
    done = wavefold("try", tmp_path / "a.hip", env=environment(CXX="true"))
    one_error(done, FAILURE, "no object file", "name another compiler in CXX")
    assert "does not compile" not in done.stderr


# ---- The exercises: each is found, and its solution is right, clean and better ----

def total(report, *keys):
    values = []
    for of in report["widths"]:
        value = of["total"]
        for key in keys:
            value = value[key]
        values.append(value)
    return values


def lines_per_load(report):
    return [a / b for a, b in zip(total(report, "global", "loads", "lines128"),
                                  total(report, "global", "loads", "accesses"))]


SHOWN = {
    "01_missing_barrier": lambda report: "race in tile memory" in "".join(findings(report)),
    "02_literal_32": lambda report: [of["right"] for of in report["widths"]] == [True, False],
    "03_bank_conflict": lambda report: min(total(report, "tile_memory", "loads", "extra_passes")) > 5000,
    "04_divergent_tree": lambda report: all(divergent > 0.5 * steps for divergent, steps in
                                            zip(total(report, "divergent_steps"), total(report, "steps_of_waves"))),
    "05_wrong_tail": lambda report: "beyond the end of 'in'" in "".join(findings(report)),
    "06_wrong_identity": lambda report: not any(of["right"] for of in report["widths"]),
    "07_uncoalesced": lambda report: min(lines_per_load(report)) > 10,
    "08_lost_update": lambda report: "nothing that orders them" in "".join(findings(report)),
}


def test_all_exercises_are_here():
    here = {path.stem for path in EXERCISES.glob("*.hip")}
    assert here == set(SHOWN) == {path.stem for path in (EXERCISES / "solutions").glob("*.hip")}
    assert {name for name in SHOWN if f"[{name}]" in (EXERCISES / "README.md").read_text()} == here
    plain_ones = [path for path in EXERCISES.glob("*.hip") if "threadIdx" in path.read_text()]
    assert len(plain_ones) == len(here) / 2


@pytest.mark.parametrize("name", SHOWN)
def test_exercise(name):
    reports = []
    for path in (EXERCISES / f"{name}.hip", EXERCISES / "solutions" / f"{name}.hip"):
        done = wavefold("try", path, "--json", "-")
        reports.append(json.loads(done.stdout))
        assert done.returncode == (SUCCESS if reports[-1]["clean"] else FAILURE)
    exercise, solution = reports
    assert SHOWN[name](exercise) and not SHOWN[name](solution)
    assert solution["clean"]
