"""Arrays of .npz archives, beside NumPy's, and archives that are damaged."""

import io
import json
import math
import struct
import subprocess
import zipfile

import numpy
import pytest
from support import FAILURE, SUCCESS, USAGE, one_error, report, wavefold

SAVES = {"stored": numpy.savez, "compressed": numpy.savez_compressed}
BOTH = pytest.mark.parametrize("save", SAVES.values(), ids=SAVES)


def reduce(*arguments, **options):
    return wavefold("reduce", "--device", "host:32", *arguments, **options)


def printed(*arguments):
    done = reduce(*arguments)
    assert (done.returncode, done.stderr) == (SUCCESS, ""), done.stderr
    return done.stdout.strip()


def test_archive_of_any_name(tmp_path):
    """By its first bytes: --type does not make numbers of an archive's bytes, but --raw does."""
    numpy.savez(tmp_path / "a.npz", numpy.arange(5.0))
    whole = (tmp_path / "a.npz").read_bytes()
    (tmp_path / "a").write_bytes(whole)
    for name in ("a", "a.npz"):
        assert printed(tmp_path / name) == printed(tmp_path / name, "--type", "f64") == "10"
        one_error(reduce(tmp_path / name, "--type", "u8"), FAILURE, "holds f64, but --type says u8")
        assert printed(tmp_path / name, "--type", "u8", "--raw") == str(sum(whole))
    assert reduce("-", "--type", "f64", text=False, input=whole).stdout == b"10\n"


@pytest.mark.parametrize("names", [("x", "x.npy"), ("x.npy", "x")])
def test_an_exact_name_wins(tmp_path, names):
    numpy.savez(tmp_path / "a.npz", **{name: numpy.array([len(name)]) for name in names})
    assert printed(f"{tmp_path}/a.npz:x") == "1" and printed(f"{tmp_path}/a.npz:x.npy") == "5"
    assert printed(f"{tmp_path}/a.npz:x.npy.npy") == "5"


@BOTH
def test_each_array(tmp_path, save):
    generator = numpy.random.default_rng(1)
    arrays = {"heights": generator.standard_normal(10_007), "counts": generator.integers(0, 99, (30, 40)).astype(">i4"),
              "flags": generator.integers(0, 2, 99) == 1, "fortran": numpy.asfortranarray(generator.random((20, 30))),
              "folder/inner": numpy.arange(5, dtype="u1"), "größe": numpy.arange(7, dtype="f4"), "a:b": numpy.ones(3),
              "a.npz:b": numpy.full(3, 2.0), "dotted.npy": numpy.full(3, 4.0), "zeros": numpy.zeros(1 << 20)}
    save(tmp_path / "a.npz", **arrays)
    for name, data in arrays.items():
        path = f"{tmp_path}/a.npz:{name}"
        assert printed(path, "--op", "argmax") == str(data.argmax()), name
        assert float(printed(path)) == math.fsum(data.ravel().tolist()), name
        assert printed(path + ".npy", "--op", "argmax") == str(data.argmax()), name
    got = json.loads(reduce(f"{tmp_path}/a.npz:counts", "--n", 41, "--json", "-").stdout)
    assert (got["input"], got["type"], got["n"]) == (f"{tmp_path}/a.npz:counts", "i32", 41)
    assert got["result"] == arrays["counts"].ravel()[:41].sum()
    got = report("--input", f"{tmp_path}/a.npz:counts", "--rungs", "sequential")
    assert int(got["rungs"][0]["result"]) == arrays["counts"].sum() and got["type"] == "i32"
    one_error(reduce(f"{tmp_path}/a.npz:heights", "--type", "f32"), FAILURE, "a.npz:heights", "holds f64", "f32")


@BOTH
def test_the_only_array(tmp_path, save):
    data = numpy.arange(100.0)
    save(tmp_path / "a.npz", data)
    assert printed(tmp_path / "a.npz") == printed(f"{tmp_path}/a.npz:arr_0") == "4950"
    (tmp_path / "b").write_bytes((tmp_path / "a.npz").read_bytes())
    assert printed(tmp_path / "b") == "4950" # known by its first bytes
    with subprocess.Popen(["cat", tmp_path / "a.npz"], stdout=subprocess.PIPE) as cat:
        assert reduce("-", stdin=cat.stdout).stdout == "4950\n"
    whole = (tmp_path / "a.npz").read_bytes()
    assert printed(tmp_path / "b", "--type", "u8", "--raw") == str(sum(whole))


def test_names(tmp_path):
    path = tmp_path / "a.npz"
    numpy.savez(path, heights=numpy.ones(3), ages=numpy.ones(2))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("readme.txt", "1, 2, 3")
        archive.writestr("text.npy", "1, 2, 3")
    one_error(reduce(path), FAILURE, f"'{path}'", "3 arrays", f"{path}:heights", "heights, ages and text")
    with open(path, "rb") as file:
        one_error(reduce("-", stdin=file), FAILURE, "'-' is an archive of 3 arrays", "write FILE.npz:heights")
    one_error(reduce(f"{path}:height"), FAILURE, "no array 'height'; did you mean 'heights'?", "ages")
    one_error(reduce(f"{path}:width"), FAILURE, "no array 'width'; there are heights, ages and text")
    one_error(reduce(f"{path}:"), FAILURE, "no array ''")
    one_error(reduce(f"{path}:readme.txt"), FAILURE, "'readme.txt' in the archive is no .npy file")
    one_error(reduce(f"{path}:text"), FAILURE, "'text.npy' is no .npy file", "magic bytes")
    one_error(reduce(f"{tmp_path}/b.npz:heights"), FAILURE, f"'{tmp_path}/b.npz'", "No such file")
    one_error(reduce(tmp_path / "b.npz"), FAILURE, "b.npz", "No such file")


def test_a_file_of_that_name_comes_first(tmp_path):
    numpy.savez(tmp_path / "a.npz", b=numpy.ones(3))
    numpy.save(tmp_path / "a.npz:b", numpy.full(3, 5.0))
    (tmp_path / "a.npz:b.npy").rename(tmp_path / "a.npz:b")
    assert printed(tmp_path / "a.npz:b") == "15" and printed(tmp_path / "a.npz:b.npy") == "3"
    (tmp_path / "x.npz:y.npz").write_bytes((tmp_path / "a.npz").read_bytes())
    assert printed(f"{tmp_path}/x.npz:y.npz:b") == "3"


def test_many_names(tmp_path):
    numpy.savez(tmp_path / "a.npz", **{f"a{i}": numpy.ones(1) for i in range(100)})
    done = reduce(tmp_path / "a.npz")
    one_error(done, FAILURE, "100 arrays", "a0, a1,", "a18 and 81 others")
    assert printed(f"{tmp_path}/a.npz:a99") == "1"


def test_never_replaces_the_archive(tmp_path):
    path = tmp_path / "a.npz"
    numpy.savez(path, a=numpy.ones(3))
    before = path.read_bytes()
    for output in ("--json", "--state"):
        one_error(reduce(f"{path}:a", output, path), USAGE, f"'{path}' would replace the input")
    assert path.read_bytes() == before


def test_no_arrays(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("readme.txt", "1")
    for name in ("a.npz", "a.npz:readme"):
        one_error(reduce(tmp_path / name), FAILURE, "a.npz", "no array")
    with zipfile.ZipFile(tmp_path / "b.npz", "w"):
        pass
    one_error(reduce(tmp_path / "b.npz"), FAILURE, "b.npz")
    for content in (b"no archive at all" * 9, b"PK\3\4"):
        (tmp_path / "c.npz").write_bytes(content)
        one_error(reduce(tmp_path / "c.npz"), FAILURE, "c.npz", "cannot be read as an archive", "--raw")
    (tmp_path / "d.npz").touch()
    one_error(reduce(tmp_path / "d.npz"), FAILURE, "is empty")
    numpy.arange(4.0).tofile(tmp_path / "e.npz")
    one_error(reduce(tmp_path / "e.npz", "--type", "f64"), FAILURE, "cannot be read as an archive", "--raw")


def test_twice_the_same_name(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive, pytest.warns(UserWarning):
        for number in (1, 2):
            buffer = io.BytesIO()
            numpy.save(buffer, numpy.full(3, float(number)))
            archive.writestr("a.npy", buffer.getvalue())
    one_error(reduce(tmp_path / "a.npz:a"), FAILURE, "2 arrays of the name 'a'")


@BOTH
def test_damaged(tmp_path, save):
    """Whatever byte is another one: the sum is right, or there is a message."""
    path = tmp_path / "a.npz"
    save(path, a=numpy.arange(40, dtype="i4"))
    whole = path.read_bytes()
    right = 0
    for at in range(0, len(whole), 3):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1:])
        done = reduce(f"{path}:a")
        if done.returncode == SUCCESS:
            assert done.stdout == "780\n" and done.stderr == "", at
            right += 1
        else:
            one_error(done, FAILURE, "input '")
    assert right < len(whole) // 6
    for length in range(1, len(whole), 29):
        path.write_bytes(whole[:length])
        one_error(reduce(path), FAILURE, "a.npz")


@BOTH
def test_another_byte_of_the_elements(tmp_path, save):
    path = tmp_path / "a.npz"
    save(path, a=numpy.random.default_rng(1).integers(0, 99, 5000).astype("u1"))
    whole = bytearray(path.read_bytes())
    whole[2000] ^= 1
    path.write_bytes(whole)
    one_error(reduce(path), FAILURE, "'a.npy' cannot be read", "numpy.savez")


def changed_sizes(whole, compressed=None, size=None):
    """The sizes in the directory at the end, and in the header before the member."""
    out = bytearray(whole)
    for magic, at in ((b"PK\3\4", 18), (b"PK\1\2", 20)):
        place = out.index(magic) + at
        was = struct.unpack_from("<II", out, place)
        struct.pack_into("<II", out, place, was[0] if compressed is None else compressed,
                         was[1] if size is None else size)
    return bytes(out)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("size", [0, 1, 1000, 0xFFFF0000])
def test_wrong_sizes(tmp_path, method, size):
    """Also 4 GB that a file of some hundred bytes promises: nothing is allocated for them."""
    buffer = io.BytesIO()
    numpy.save(buffer, numpy.arange(20.0))
    with zipfile.ZipFile(tmp_path / "a.npz", "w", method) as archive:
        archive.writestr("a.npy", buffer.getvalue())
    whole = (tmp_path / "a.npz").read_bytes()
    (tmp_path / "a.npz").write_bytes(changed_sizes(whole, size=size))
    one_error(reduce(tmp_path / "a.npz"), FAILURE, "a.npz", "'a.npy'")
    if size > len(whole) * 1032:
        one_error(reduce(tmp_path / "a.npz"), FAILURE, "is damaged", str(size))


def test_encrypted(tmp_path):
    path = tmp_path / "a.npz"
    numpy.savez(path, a=numpy.ones(3))
    whole = bytearray(path.read_bytes())
    for magic, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        whole[whole.index(magic) + at] |= 1
    path.write_bytes(whole)
    one_error(reduce(path), FAILURE, "'a.npy' is encrypted", "password")


def test_another_method_of_compression(tmp_path):
    buffer = io.BytesIO()
    numpy.save(buffer, numpy.arange(20.0))
    with zipfile.ZipFile(tmp_path / "a.npz", "w", zipfile.ZIP_BZIP2) as archive:
        archive.writestr("a.npy", buffer.getvalue())
    done = reduce(tmp_path / "a.npz")
    if done.returncode == SUCCESS:
        assert done.stdout == "190\n"
    else: # a libzip without it
        one_error(done, FAILURE, "'a.npy' cannot be read")


def test_objects(tmp_path):
    numpy.savez(tmp_path / "a.npz", a=numpy.array([{}, None]))
    one_error(reduce(tmp_path / "a.npz:a"), FAILURE, "a.npz:a", "'|O'")
