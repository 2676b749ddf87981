"""scripts/check_structure.py: what it must have read, and what it finds in trees that are not as they should be."""

import os
import subprocess

import check_structure
import pytest


def test_objects_that_are_missing(tmp_path):
    """Who calls whom is not known of what was not built, or has a target that the script does not know."""
    folder = tmp_path / "CMakeFiles/wavefold-oracle.dir/src/oracle"
    folder.mkdir(parents=True)
    (folder / "probe.c.o").touch()
    with pytest.raises(SystemExit, match="no objects of [0-9]+ files, such as src/[a-z_/]+[.]c"):
        check_structure.calls(tmp_path)


@pytest.mark.parametrize("graph, found", [
    ({"a": {"b"}, "b": {"c"}}, []), ({"a": {"a"}}, []), ({"a": {"b"}, "b": {"a"}, "c": {"a"}}, [["a", "b"]]),
    ({"z": {"y"}, "y": {"x", "c"}, "x": {"z"}, "c": {"d"}, "d": {"c"}}, [["c", "d"], ["x", "y", "z"]]),
    ({"a": {"b", "c"}, "b": {"d"}, "c": {"d"}, "d": {"a"}}, [["a", "b", "c", "d"]]),
])
def test_circles(graph, found):
    assert sorted(check_structure.circles(graph)) == found


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """write(name, text): into a tree of its own, which is then checked."""
    monkeypatch.setattr(check_structure, "ROOT", tmp_path)
    monkeypatch.setattr(check_structure, "ROOTS", [tmp_path / name for name in ("src", "hip", "include")])

    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    for folder in check_structure.ADAPTERS:
        (tmp_path / folder).mkdir(parents=True)
    return write


def test_calls(tree, tmp_path):
    """Of files that call each other as of those that do not; what is left over from files that are gone is none."""
    objects = tmp_path / "CMakeFiles/wavefold-objects.dir"
    (objects / "src").mkdir(parents=True)
    for name, text in {
            "gone": "int late(void) { return 0; }",
            "first": "int last(void); int mid(void) { return last(); }",
            "last": "int abs(int); int mid(void); int last(void) { return mid() + abs(1) + last(); }",
            "user": "int last(void); static int own(void) { return last(); } int user(void) { return own(); }"}.items():
        tree(f"src/{name}.c", text)
        source, compiled = tmp_path / f"src/{name}.c", objects / f"src/{name}.c.o"
        subprocess.run([os.environ.get("CC", "cc"), "-c", source, "-o", compiled], check=True)
    (tmp_path / "src/gone.c").unlink()
    called = check_structure.calls(tmp_path)
    assert called == {"src/first": {"src/last"}, "src/last": {"src/first"}, "src/user": {"src/last"}}


CHOICE = """#if WF_HOST_DEVICE
#include "host/tile.hpp"
#elif WF_AMD_DEVICE
#include "amd/tile.hpp"
#else
#error
#endif
"""


@pytest.mark.parametrize("name, text, found", [
    ("hip/tile.hpp", CHOICE, []), ("hip/tile.hpp", "#if N\nint n;\n#endif\n", []),
    ("hip/tile.hpp", CHOICE.replace("#error", "int one;\nint two;"), ["hip/tile.hpp:6: a platform's own code"]),
    ("hip/tile.hpp", CHOICE.replace("#error", "#if N\nint n;\n#endif"), ["hip/tile.hpp:6: a platform's own code"]),
    ("hip/tile.hpp", "int width = WF_WAVE_WIDTH;\n", ["hip/tile.hpp:1: WF_WAVE_WIDTH tells platforms apart"]),
    ("hip/tile.hpp", CHOICE + "int after;\n", []),
    ("hip/amd/tile.hpp", "#ifdef __gfx90a__\nint n = __builtin_amdgcn_s_barrier();\n#endif\n", []),
    ("hip/nvidia/tile.hpp", "\n\nint n = __builtin_amdgcn_s_barrier();\n",
     ["hip/nvidia/tile.hpp:3: __builtin_amdgcn_s_barrier belongs into"]),
    ("src/launch.c", "/* cudaMalloc,\n hipMalloc */ // __syncthreads\n", []),
    ("src/launch.c", 'const char *name = "cudaMalloc \\" hipMalloc";\n', []),
    ("src/launch.c", "int a;\nint b = cudaMalloc() + hipMalloc();\n",
     ["src/launch.c:2: hipMalloc belongs into", "src/launch.c:2: cudaMalloc belongs into"]),
    ("hip/backend.hip", "int a = hipMalloc();\nint b = cudaMalloc();\n", ["hip/backend.hip:2: cudaMalloc belongs"]),
    ("hip/host/machine.cpp", "int a = asm();\n", []),
    ("hip/tile.hpp", "int a = asm();\n", ["hip/tile.hpp:1: asm belongs into"]),
])
def test_platforms(tree, name, text, found):
    tree(name, text)
    told = check_structure.platform_findings()
    assert len(told) == len(found) and all(one.startswith(begins) for one, begins in zip(told, found)), told


def test_what_is_wrong_with_a_tree(tree, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["check_structure.py"])
    tree("src/a.h", '#include "b.h"\n#include <stdio.h>\n#include "nothing.h"\n')
    tree("src/mpi/own.h", "")
    tree("src/mpi/joins.c", '#include "own.h"\n#include <wavefold.h>\n')
    tree("hip/07_a.h", "")
    tree("src/scan/request.h", "")
    tree("src/sort/request.h", "")
    tree("hip/progression/07_a.h", "")
    assert check_structure.main() == 0 and "no two files of one name, no circles" in capsys.readouterr().out
    tree("src/b.c", '#include "b.h"\n')
    tree("include/b.h", '#include "a.h"\n')
    tree("hip/b.c", "")
    tree("src/mpi/joins.c", '#include "own.h"\n#include "a.h"\n')
    assert check_structure.main() == 1
    assert capsys.readouterr().out.splitlines() == [
        "src/mpi/joins.c includes a.h, which is not its own: an adapter uses public headers alone",
        "files of one name: src/b.c, hip/b.c", "include each other in a circle: include/b, src/a"]
