"""Command lines, good and bad."""

import pytest
from support import FAILURE, SUCCESS, USAGE, one_error, progression, report, wavefold

OPTIONS = ("n type op accumulator nan exclusive descending input seed device rungs family tile tiles window repeat "
           "json csv quiet")

BAD_VALUES = [
    # arguments, what the message must name
    (["--n", "banana"], ["--n", "'banana'", "4096"]),
    (["--n", ""], ["--n"]),
    (["--n", "-5"], ["--n", "'-5'"]),
    (["--n", "+5"], ["--n"]),
    (["--n", " 5"], ["--n"]),
    (["--n", "5 "], ["--n"]),
    (["--n", "1.5M"], ["--n", "1.5M"]),
    (["--n", "0x10"], ["--n"]),
    (["--n", "4k"], ["--n", "4K"]),
    (["--n", "4KiB"], ["--n"]),
    (["--n", "2^"], ["--n"]),
    (["--n", "2^3Mi"], ["--n"]),
    (["--n", "2^-1"], ["--n"]),
    (["--n", "2^64"], ["--n", "2^64", "9223372036854775807"]),
    (["--n", "9223372036854775808"], ["--n", "9223372036854775807"]),
    (["--n", "18446744073709551616"], ["--n", "out of range"]),
    (["--n", "99999999999999999999999"], ["--n", "out of range"]),
    (["--n", "10000000Ti"], ["--n", "out of range"]),
    (["--n", "2^99999999999999999999"], ["--n", "out of range"]),
    (["--type", "f33"], ["type", "f33", "did you mean 'f32'", "i64"]),
    (["--type", ""], ["type", "f32"]),
    (["--type", "quaternion"], ["quaternion", "f32, f64, i32, i64, u32, u64, i8, i16, u8, u16, f16 and bf16"]),
    (["--op", "smu"], ["operator", "did you mean 'sum'", "max"]),
    (["--op", "median"], ["operator", "median", "sum, min, max, product", "matmul and affine"]),
    (["--op", "xor"], ["xor of f32", "integers", "wavefold operators"]),
    (["--op", "matmul", "--type", "i64"], ["matmul of i64", "i32, f32 and f64"]),
    (["--nan", "ignore"], ["sum cannot pass over NaN", "argmin"]),
    (["--nan", "ignroe", "--op", "min"], ["rule for NaN", "did you mean 'ignore'", "propagate"]),
    (["--accumulator", "i46"], ["accumulator", "did you mean 'i64'", "f64"]),
    (["--accumulator", "i16", "--type", "i16"], ["accumulator", "'i16'", "i32, i64, u32, u64, f32 and f64"]),
    (["--accumulator", "f32", "--type", "f64"], ["f64", "f32", "narrower"]),
    (["--accumulator", "i64"], ["sum of f32", "i64", "another kind"]),
    (["--accumulator", "f64", "--op", "max"], ["max keeps the element's type"]),
    (["--family", "nope"], ["unknown family 'nope'; there are"]),
    (["--rungs", "tiled_9"], ["tiled_9", "tiled_"]),
    (["--rungs", "tield_1"], ["tield_1", "tiled_1"]),
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
    (["--tile", "0"], ["--tile", "from 2"]),
    (["--tile", "1"], ["--tile", "from 2"]),
    (["--tile", "96"], ["--tile", "96", "power of two", "64 or 128"]),
    (["--tile", "3"], ["--tile", "2 or 4"]),
    (["--tile", "x"], ["--tile"]),
    (["--tile", "2^40"], ["--tile", "out of range"]),
    (["--tiles", "0"], ["--tiles", "from 1 to 65536"]),
    (["--tiles", "65537"], ["--tiles", "from 1 to 65536"]),
    (["--window", "1"], ["--window", "from 2 to 1024"]),
    (["--window", "1025"], ["--window", "from 2 to 1024"]),
    (["--repeat", "0"], ["--repeat", "from 1 to 10000"]),
    (["--repeat", "10001"], ["--repeat", "from 1 to 10000"]),
    (["--seed", "-1"], ["--seed"]),
    (["--seed", "2^63"], ["--seed", "9223372036854775807"]),
    (["--seed", "1", "--input", "x.npy"], ["--seed", "--input"]),
    (["--json", "same", "--csv", "same"], ["--json", "--csv", "same"]),
    (["--json", "-", "--csv", "-"], ["--json", "--csv"]),
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
        (["redcue"], ["did you mean 'reduce'"]),
        (["operators", "extra"], ["extra", "wavefold operators"]),
        (["operator"], ["did you mean 'operators'"]),
    ],
)
def test_bad_subcommand(arguments, named):
    one_error(wavefold(*arguments), USAGE, *named)


@pytest.mark.parametrize("before", [[], ["progression"], ["devices"], ["rungs"], ["reduce"], ["tune"]])
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
    [("0", 0), ("1", 1), ("999", 999), ("2^10", 1024), ("1Ki", 1024), ("1K", 1000), ("3^2", 9), ("7^0", 1), ("0^5", 0)],
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
    ],
)
def test_counts_beyond_the_memory(size, count):
    one_error(progression(n=size), FAILURE, f"{count} elements of f32", "available", "largest --n that fits is")


def test_help():
    for subcommand in ([], ["progression"], ["devices"], ["rungs"], ["operators"]):
        done = wavefold(*subcommand, "--help")
        assert done.returncode == SUCCESS and done.stderr == ""
        assert done.stdout.startswith("Usage: " + " ".join(["wavefold", *subcommand]))
    text = wavefold("progression", "--help").stdout
    for option in OPTIONS.split():
        assert f"--{option}" in text
    assert "Examples:" in text and "Exit status" in text
    assert "--names" not in wavefold("rungs", "--help").stdout
    for subcommand in ("progression", "devices", "rungs", "operators"):
        assert subcommand in wavefold("--help").stdout


@pytest.mark.parametrize("arguments", [["--version"], ["-V"], ["progression", "--version"], ["rungs", "--version"]])
def test_version(arguments):
    done = wavefold(*arguments)
    assert done.returncode == SUCCESS and done.stdout == "wavefold 0.2.0\n"


def test_progression_is_the_default():
    done = wavefold("--device", "host:32", "--n", "100", "--repeat", "1")
    assert done.returncode == SUCCESS and "rungs verified" in done.stdout
