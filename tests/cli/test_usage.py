"""Command lines, good and bad."""

import re

import pytest
from support import FAILURE, ROOT, SUCCESS, USAGE, one_error, progression, report, wavefold

OPTIONS = ("n type op accumulator nan exclusive descending input raw seed device rungs family tile tiles window "
           "row-length repeat json csv quiet")

BAD_VALUES = [
    # arguments, what the message must name
    (["--n", "banana"], ["--n", "'banana'", "4096"]),
    (["--n", ""], ["--n"]),
    (["--n", "-5"], ["--n", "'-5'"]),
    (["--n", "+5"], ["--n"]),
    (["--n", " 5"], ["--n"]),
    (["--n", "5 "], ["--n"]),
    *[(["--n", text], [f"--n '{text}' is not a whole number", "4096, 2^12, 1e6, 1.5k or 4Ki", "k, M, G and T",
                       "Ki, Mi, Gi and Ti"])
      for text in ("0x10", "4KiB", "4kB", "4ki", "4m", "k", "Ki", "1kk", "1k1", "1.5", "1.0005k", "0.1Ki", "1e-3",
                   "15e-2", "1.5e0", "e3", "1e", "1e+", "1e3k", "1ke3", "1e1.5", "1e+-3", ".5k", "5.k", "1.2.3k",
                   "1.5^2", "2^1.5", "2^1e1", "1,000", "1_000", "inf", "nan", "1e-99999999999999999999",
                   "0.0000000000000000000000001")],
    *[(["--n", text], [f"--n {text} is out of range", "from 0 to 9223372036854775807"])
      for text in ("1e30", "1E19", "1e99999999999999999999", "9223372036854775807.5Ti", "18446744073709551.616k",
                   "9223372036854775.808k")],
    (["--n", "2^"], ["--n"]),
    (["--n", "2^3Mi"], ["--n"]),
    (["--n", "2^-1"], ["--n"]),
    (["--n", "2^64"], ["--n", "2^64", "9223372036854775807"]),
    (["--n", "9223372036854775808"], ["--n", "9223372036854775807"]),
    (["--n", "18446744073709551616"], ["--n", "out of range"]),
    (["--n", "99999999999999999999999"], ["--n", "out of range"]),
    (["--n", "10000000Ti"], ["--n", "out of range"]),
    (["--n", "2^99999999999999999999"], ["--n", "out of range"]),
    (["--n", "99999999999999999999^0"], ["--n", "out of range"]),
    (["--type", "f33"], ["type", "f33", "did you mean 'f32'", "i64"]),
    (["--type", ""], ["type", "f32"]),
    (["--type", "quaternion"], ["quaternion", "f32, f64, i32, i64, u32, u64, i8, i16, u8, u16, f16 and bf16"]),
    (["--op", "smu"], ["operator", "did you mean 'sum'", "max"]),
    (["--op", "median"], ["operator", "median", "sum, min, max, product", "affine, asum and sumsq"]),
    (["--op", "MAX"], ["unknown operator 'MAX'; did you mean 'max'?", "affine, asum and sumsq"]),
    (["--op", "SMU"], ["did you mean 'sum'?"]),
    (["--op", "Prod"], ["did you mean 'product'?"]),
    (["--op", "std"], ["unknown operator 'std'", "wavefold reduce FILE --op describe", "variance"]),
    (["--op", "describe"], ["unknown operator 'describe'", "wavefold reduce FILE --op describe"]),
    (["--op", "all"], ["did you mean 'and'?"]),
    (["--op", "median"], ["unknown operator 'median'; there are sum"]),
    (["--type", "F32"], ["did you mean 'f32'?"]),
    (["--type", "float"], ["did you mean 'f32'?"]),
    (["--accumulator", "double"], ["did you mean 'f64'?"]),
    (["--accumulator", "uint8"], ["unknown accumulator 'uint8'; there are i32"]),
    (["--family", "Wave"], ["did you mean 'wave'?"]),
    (["--op", "xor"], ["xor of f32", "integers", "wavefold operators"]),
    (["--op", "matmul", "--type", "i64"], ["matmul of i64", "i32, f32 and f64"]),
    (["--nan", "ignore"], ["sum cannot ignore NaN", "argmin"]),
    (["--nan", "ignroe", "--op", "min"], ["rule for NaN", "did you mean 'ignore'", "propagate"]),
    (["--accumulator", "i46"], ["accumulator", "did you mean 'i64'", "f64"]),
    (["--accumulator", "i16", "--type", "i16"], ["accumulator", "'i16'", "i32, i64, u32, u64, f32 and f64"]),
    (["--accumulator", "f32", "--type", "f64"], ["f64", "f32", "narrower"]),
    (["--accumulator", "i64"], ["sum of f32", "i64", "another kind"]),
    (["--accumulator", "f64", "--op", "max"], ["max keeps the element's type"]),
    (["--family", "nope"], ["unknown family 'nope'; there are"]),
    (["--rungs", "tiled_9"], ["tiled_9", "tiled_"]),
    (["--rungs", "tield_1"], ["tield_1", "tiled_1"]),
    (["--rungs", "simple"], ["--rungs", "'simple'", "wavefold rungs"]),
    (["--rungs", ""], ["--rungs", "empty"]),
    (["--rungs", "tiled_1,"], ["--rungs", "empty"]),
    (["--rungs", "tiled_1,,tiled_2"], ["--rungs", "empty"]),
    (["--rungs", "tiled_1,tiled_2,tiled_1"], ["--rungs", "tiled_1", "twice"]),
    (["--family", "wvae"], ["family", "'wvae'", "did you mean 'wave'", "amp, code, wave, grid, ordered, one_wave"]),
    (["--family", "one-wave"], ["family", "did you mean 'one_wave'"]),
    (["--family", "AMP"], ["family", "'AMP'", "amp, code"]),
    (["--family", "pyramid"], ["unknown family 'pyramid'; there are amp, code, wave", "and all"]),
    (["--family", "amp,wave"], ["family", "'amp,wave'"]),
    (["--family", ""], ["family", "amp, code"]),
    (["--family", "amp", "--rungs", "tiled_1"], ["--family", "--rungs", "one of them"]),
    (["--rungs", "tiled_1", "--family", "all"], ["--family", "--rungs", "one of them"]),
    (["--rungs", "tiled_1", "--family", "wvae"], ["did you mean 'wave'"]),
    (["--tile", "0"], ["--tile 0 is out of range", "from 2 to the device's limit", "wavefold devices"]),
    (["--tile", "1"], ["--tile", "from 2"]),
    (["--tile", "96"], ["--tile", "96", "power of two", "64 or 128"]),
    (["--tile", "3"], ["--tile", "2 or 4"]),
    (["--tile", "x"], ["--tile"]),
    (["--tile", "3000000000"], ["--tile 3000000000 is out of range", "from 2 to the device's limit"]),
    (["--tile", "2^40"], ["--tile 2^40 is out of range", "from 2 to the device's limit"]),
    (["--tiles", "0"], ["--tiles", "from 1 to 65536"]),
    (["--tiles", "65537"], ["--tiles", "from 1 to 65536"]),
    (["--window", "1"], ["--window", "from 2 to 1024"]),
    (["--window", "1025"], ["--window", "from 2 to 1024"]),
    (["--row-length", "0"], ["--row-length", "from 1 to 4294967295"]),
    (["--repeat", "0"], ["--repeat", "from 1 to 10000"]),
    (["--repeat", "10001"], ["--repeat", "from 1 to 10000"]),
    (["--seed", "-1"], ["--seed"]),
    (["--seed", "2^63"], ["--seed", "9223372036854775807"]),
    (["--seed", "1", "--input", "x.npy"], ["--seed", "--input"]),
    (["--raw"], ["--raw", "--input FILE", "--type"]),
    (["--raw", "--input", "a.bin"], ["--raw", "--input FILE", "--type"]),
    (["--raw", "--type", "f32"], ["--raw", "--input FILE", "--type"]),
    (["--json", "same", "--csv", "same"], ["--json", "--csv", "same"]),
    (["--json", "-", "--csv", "-"], ["--json", "--csv"]),
    (["--json", "--quiet"], ["--json takes a file", "'--quiet' looks like an option", "--json -", "./--quiet"]),
    (["--csv", "-q"], ["--csv takes a file", "'-q' looks like an option", "--csv -", "./-q"]),
    (["data.npy"], ["data.npy", "--input"]),
]


@pytest.mark.parametrize("arguments, named", BAD_VALUES, ids=lambda value: " ".join(value) or "empty")
def test_bad_value(arguments, named):
    one_error(wavefold("progression", *arguments), USAGE, *named)


@pytest.mark.parametrize(
    "arguments, named",
    [
        (["devics"], ["devics", "did you mean 'devices'"]),
        (["progresion"], ["did you mean 'progression'"]),
        (["rung"], ["did you mean 'rungs'"]),
        (["frobnicate"], ["frobnicate", "--help"]),
        ([""], ["--help"]),
        (["devices", "extra"], ["extra", "wavefold devices"]),
        (["rungs", "extra"], ["extra", "wavefold rungs"]),
        (["mrege"], ["did you mean 'merge'"]),
        (["redcue"], ["did you mean 'reduce'"]),
        (["sacn"], ["did you mean 'scan'"]),
        (["cuont"], ["did you mean 'count'"]),
        (["operators", "extra"], ["extra", "wavefold operators"]),
        (["operator"], ["did you mean 'operators'"]),
        (["reprot"], ["did you mean 'report'"]),
        (["hepl"], ["unknown subcommand 'hepl'; did you mean 'help'? See wavefold --help"]),
        (["verison"], ["did you mean 'version'"]),
        (["help", "redcue"], ["unknown subcommand 'redcue'; did you mean 'reduce'?"]),
        (["help", "frobnicate"], ["unknown subcommand 'frobnicate'; see wavefold --help"]),
        (["help", "--n"], ["unknown subcommand '--n'"]),
        (["help", "reduce", "merge"], ["'merge' is one argument too many; see wavefold --help"]),
        (["version", "reduce"], ["'reduce' is one argument too many; see wavefold --help"]),
    ],
)
def test_bad_subcommand(arguments, named):
    one_error(wavefold(*arguments), USAGE, *named)


@pytest.mark.parametrize("before", [[], ["progression"], ["devices"], ["rungs"], ["reduce"], ["scan"], ["sort"],
                                    ["count"], ["merge"], ["tune"], ["explain"], ["try"], ["report"]])
def test_unknown_option(before):
    done = wavefold(*before, "--frobnicate")
    assert done.returncode == USAGE and done.stdout == ""
    assert "--frobnicate" in done.stderr and "--help" in done.stderr
    assert done.stderr.startswith(f"wavefold {before[0] if before else 'progression'}:")


@pytest.mark.parametrize("option", ["--n", "--type", "--json", "--input", "--device", "--rungs", "--family"])
def test_option_without_its_argument(option):
    done = wavefold("progression", option)
    assert done.returncode == USAGE and option in done.stderr


def test_tile_beyond_the_device():
    one_error(progression("--tile", "2^20"), FAILURE, "--tile", "1048576", "host:32", "or less")


def test_most_tiles():
    assert report("--tiles", 65536, "--tile", 2, "--rungs", "cascade", n=100)["rungs"][0]["tiles"] == 65536


@pytest.mark.parametrize("device", ["hots", "host:48", "host:32:sideways", "nvidia:99", "tpu", ""])
def test_unknown_device(device):
    one_error(progression(device=device), FAILURE)


@pytest.mark.parametrize(
    "text, count",
    [("0", 0), ("1", 1), ("999", 999), ("2^10", 1024), ("1Ki", 1024), ("1K", 1000), ("3^2", 9), ("7^0", 1), ("0^5", 0),
     ("0^0", 1), ("1^9", 1), ("2k", 2000), ("1.5k", 1500), ("1.500K", 1500), ("0.002M", 2000), ("1.5Ki", 1536),
     ("0.0009765625Ki", 1),
     ("0.0000000000009094947017729282379150390625Ti", 1), ("1.0", 1), ("2e3", 2000), ("1E3", 1000), ("1e+3", 1000),
     ("1.5e3", 1500), ("1500e-2", 15), ("1.25e2", 125), ("0010e0002", 1000), ("100000000000000000000e-18", 100),
     ("0e99999999999999999999", 0), ("0e-5", 0), ("0.000", 0), ("0T", 0)],
)
def test_counts(text, count):
    assert report("--rungs", "tiled_3", n=text)["n"] == count


@pytest.mark.parametrize(
    "size, count",
    [
        ("4000000Mi", 4000000 * 2**20),
        ("4000000M", 4 * 10**12),
        ("4000Gi", 4000 * 2**30),
        ("4000G", 4 * 10**12),
        ("4Ti", 4 * 2**40),
        ("4T", 4 * 10**12),
        ("2^62", 2**62),
        ("1e15", 10**15),
        ("1500000.5G", 15000005 * 10**8),
        ("9223372036854775.807k", 2**63 - 1),
        ("9.223372036854775807e18", 2**63 - 1),
    ],
)
def test_counts_beyond_the_memory(size, count):
    one_error(progression(n=size), FAILURE, f"{count} elements of f32", "available", "largest --n that fits is")


SUBCOMMANDS = ["progression", "reduce", "scan", "sort", "count", "merge", "devices", "rungs", "explain", "operators",
               "tune", "try", "report"]


def options_of(subcommand):
    """Its help: each option with its argument, and what the help says of it."""
    text = re.sub(r"\n {10,}", " ", wavefold(subcommand, "--help").stdout)
    return {match[2]: (match[1], match[3], " ".join(match[4].split()))
            for match in re.finditer(r"^  (-.,|   ) --([a-z-]+)(=[A-Z]+)? (.*)$", text, re.MULTILINE)}


def test_one_syntax_for_an_option():
    """Long name, short name, and whether there is an argument, and of what kind: the same in every subcommand; but for
    report's -o, which is --op elsewhere."""
    helps = {subcommand: options_of(subcommand) for subcommand in SUBCOMMANDS}
    assert helps["report"]["output"][:2] == ("-o,", "=FILE") and helps["reduce"]["output"][:2] == ("   ", "=FILE")
    for name in set().union(*helps.values()) - {"output"}:
        assert len({of[name][:2] for of in helps.values() if name in of}) == 1, name
    for name in ("json", "quiet", "help", "usage", "version"): # in all, with one text
        assert len({of[name] for of in helps.values()}) == 1, name
    assert helps["reduce"]["json"][:2] == ("   ", "=FILE") and helps["tune"]["quiet"][:2] == ("-q,", None)
    assert len({of["device"] for of in helps.values() if "device" in of}) == 1


@pytest.mark.parametrize("subcommand", SUBCOMMANDS)
def test_json_needs_a_file(subcommand):
    done = wavefold(subcommand, "--json")
    assert done.returncode == USAGE and done.stdout == "" and "'--json' requires an argument" in done.stderr
    one_error(wavefold(subcommand, "--json", "-q"), USAGE, "--json takes a file", "'-q'", "--json -")


def test_help():
    for subcommand in ([], *([name] for name in SUBCOMMANDS)):
        done = wavefold(*subcommand, "--help")
        assert done.returncode == SUCCESS and done.stderr == ""
        assert done.stdout.startswith("Usage: " + " ".join(["wavefold", *subcommand]))
    text = wavefold("progression", "--help").stdout
    for option in OPTIONS.split():
        assert f"--{option}" in text
    assert "Examples:" in text and "Exit status" in text
    assert "--names" not in wavefold("rungs", "--help").stdout
    for subcommand in SUBCOMMANDS:
        assert subcommand in wavefold("--help").stdout


def test_help_and_version_as_words():
    """They do what the options do, and print the same."""
    def printed(*arguments):
        done = wavefold(*arguments)
        assert (done.returncode, done.stderr) == (SUCCESS, "")
        return done.stdout

    assert printed("help") == printed("help", "help") == printed("help", "version") == printed("--help")
    assert printed("version") == printed("--version")
    for subcommand in SUBCOMMANDS:
        assert printed("help", subcommand) == printed(subcommand, "--help")
    assert "\n  help " in printed("help") and "\n  version " in printed("help")


@pytest.mark.parametrize("arguments", [["--version"], ["-V"], ["progression", "--version"], ["rungs", "--version"]])
def test_version(arguments):
    done = wavefold(*arguments)
    assert done.returncode == SUCCESS and done.stdout == "wavefold 0.3.0\n"


def test_progression_is_the_default():
    done = wavefold("--device", "host:32", "--n", "100", "--repeat", "1")
    assert done.returncode == SUCCESS and "rungs verified" in done.stdout


def test_the_manual_names_the_environment():
    """What is read of it, but for what all programs of a terminal or of AMD's GPUs read."""
    sources = [path.read_text() for folder in ("src", "hip") for path in (ROOT / folder).rglob("*.c*")]
    read = {name for text in sources for name in re.findall(r'getenv\("(\w+)"', text)}
    section = (ROOT / "docs/wavefold.1").read_text().split(".Sh ENVIRONMENT")[1].split(".Sh FILES")[0]
    assert "WAVEFOLD_CACHE" in read
    assert {name for name in read if name not in section} <= {"TERM", "HIP_VISIBLE_DEVICES", "HSA_OVERRIDE_GFX_VERSION"}
