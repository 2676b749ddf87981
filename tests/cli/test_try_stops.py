"""wavefold try: kernels that crash or do not end, and what the report says of them."""

import time

import pytest
from support import FAILURE, SUCCESS
from tried_kernels import PLAIN, ladder, line_of, plain


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
