"""wavefold try: right and broken kernels, in the ladder's words and in HIP's; what is found and counted."""

import json

import pytest
from support import FAILURE, SUCCESS, wavefold
from tried_kernels import (ATOMIC, BROKEN, LAUNCH, LOADED, PLAIN, RIGHT, SHUFFLES, VECTORS, changed, findings,
                           ladder, line_of, plain)


@pytest.mark.parametrize("name", RIGHT)
def test_right(attempt, name):
    done, report = attempt(RIGHT[name], "--wave", "both", *LOADED)  # those with CUDA's headers, too
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


def test_a_lane_that_returned_has_no_value(attempt):
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
    for width, reader, returned in ((32, 32, 48), (64, 8, 40)):
        assert (f"lane {reader} reads lane {returned} by a shuffle, which has returned "
                f"(mine.hip:{line_of(text, '__shfl')})") in findings(report, width)[0]


def test_a_barrier_that_lanes_miss_by_returning(attempt):
    """It counts them on NVIDIA's GPUs, whose waves have 32 lanes."""
    text = plain(("    __syncthreads();\n    for", "    if (t >= blockDim.x / 2 + 1)\n        return;\n"
                  "    __syncthreads();\n    for"), ("cells[t] = i < n ? in[i] : 0;", """
    cells[t] = i < n ? in[i] : 0;
    __syncthreads();"""))
    _, report = attempt(text)
    [narrow, wide] = report["widths"]
    assert narrow["right"] and not narrow["findings"]
    assert "tile 0: lane 255 has returned, and counts as arrived at mine.hip:" in narrow["notes"][0]["text"]
    assert "lane 0 waits at the tile barrier" in wide["findings"][0]["text"] and not wide["notes"]


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
        return __syncthreads();
    atomicAdd(out, __shfl_xor_sync(~0ull, i < n ? in[i] : 0, 1));
""")
    _, report = attempt(text)
    for found in (findings(report, 32)[0], findings(report, 64)[0]):
        at = f"mine.hip:{line_of(text, '__shfl')}"
        assert f"lane 0 waits for its wave {at}{others}, but lane {waiting} waits at the tile barrier" in found


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


@pytest.mark.parametrize("launch", [LAUNCH, "WF_TRY_ATOMIC(mine, 256, 256)"])
def test_every_thread_of_a_tile_that_writes_to_its_own_element(attempt, launch):
    """However far off that is, it harms nothing of the trial's own."""
    text = plain(("    if (t == 0)\n", ""), ("out[blockIdx.x]", "out[i]"), launch=launch)
    done, report = attempt(text, "--seconds", "60")
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
