"""Installs the built tree, moves the prefix, and uses what is there as strangers do: find_package, pkg-config, nm.

WAVEFOLD_BUILD: the build tree. CMAKE: the cmake that made it. CC, CXX: compilers, if not cc and c++.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from start_ranks import THROUGH_MEMORY  # noqa: E402

BUILD = pathlib.Path(os.environ.get("WAVEFOLD_BUILD", ROOT / "build")).resolve()
CMAKE = os.environ.get("CMAKE", "cmake")
CC, CXX = os.environ.get("CC", "cc"), os.environ.get("CXX", "c++")
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]

# What each example prints on the host device.
PRINTED = {
    "sum": "sum 2250000\n",
    "describe": "count 5\nsum 2552\nmin 480.5 at 1\nmax 530.25 at 3\nmean 510.4\n"
                "deviation of the population 19.0503281\ndeviation of a sample 21.2989143\n",
    "argmin": "argmin 1, value -1.25\nnothing in an empty vector\n",
}


def environment(**changes):
    """The tests' own, with nothing in it that finds another wavefold."""
    others = ("WAVEFOLD_", "CMAKE_", "PKG_CONFIG", "DESTDIR", "LD_LIBRARY_PATH", "CFLAGS", "CXXFLAGS", "LDFLAGS")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(others)}
    return kept | {key: str(value) for key, value in changes.items()}


def run(*command, status=0, **changes):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300,
                          env=environment(**changes))
    assert done.returncode == status, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def run_failing(*command, **options):
    """What a program that fails prints on standard error."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=environment(),
                          **options)
    assert done.returncode == 1
    return done.stderr


def one(paths):
    (path,) = paths
    return path


def cached(name):
    """A variable of the build tree."""
    lines = (BUILD / "CMakeCache.txt").read_text().splitlines()
    return next((line.split("=", 1)[1] for line in lines if line.startswith(name + ":")), "")


HAS_STATIC = cached("WF_STATIC") == "ON"
HAS_MPI = (BUILD / "lib/libwavefold-mpi.so").exists()
HAS_NCCL = (BUILD / "lib/libwavefold-nccl.so").exists()
without_mpi = pytest.mark.skipif(not HAS_MPI and not os.environ.get("CI"), reason="libwavefold-mpi was not built")


def skip_if_installed():
    """Where modules are looked for last, there must be none."""
    if list(pathlib.Path(cached("CMAKE_INSTALL_PREFIX")).glob("lib*/**/libwavefold-host.so")):
        pytest.skip(f"a wavefold is installed in {cached('CMAKE_INSTALL_PREFIX')}")


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """Installed and then moved: whatever remembers where it was put does not work."""
    folder = tmp_path_factory.mktemp("install")
    run(CMAKE, "--install", BUILD, "--prefix", folder / "first")
    return (folder / "first").rename(folder / "moved here")


@pytest.fixture(scope="module")
def libdir(prefix):
    return one(prefix.rglob("libwavefold.so")).parent


@pytest.fixture(scope="module")
def examples(prefix, tmp_path_factory):
    """The installed examples, copied and built by CMake: the folder of the programs."""
    folder = tmp_path_factory.mktemp("examples")
    shutil.copytree(one(prefix.rglob("examples")), folder / "source")
    run(CMAKE, "-S", folder / "source", "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}",
        "-DCMAKE_BUILD_TYPE=Debug", f"-DCMAKE_C_FLAGS={' '.join(STRICT)}", f"-DCMAKE_CXX_FLAGS={' '.join(STRICT)}")
    run(CMAKE, "--build", folder / "build", "--parallel", os.cpu_count())
    return folder / "build"


@pytest.fixture(scope="module")
def pkg_config(libdir):
    """Gives words for a command line; the folders' names have blanks, which it escapes."""
    program = shutil.which("pkg-config") or shutil.which("pkgconf")
    assert program, "pkg-config is missing: install pkgconf"

    def ask(*arguments):
        words = run(program, *arguments, PKG_CONFIG_PATH=libdir / "pkgconfig").strip()
        return [word.replace("\\ ", " ") for word in re.split(r"(?<!\\) +", words)]

    return ask


def test_what_is_installed(prefix, libdir):
    there = {str(path.relative_to(prefix)) for path in prefix.rglob("*")}
    lib = str(libdir.relative_to(prefix))
    wanted = [f"include/{header.name}" for header in (ROOT / "include").iterdir()
              if header.name not in ("wavefold_mpi.h", "wavefold_nccl.h")]
    wanted += ["bin/wavefold", "share/man/man1/wavefold.1", "share/doc/wavefold/LICENSE",
               "share/doc/wavefold/docs/emulator.md", "share/doc/wavefold/docs/try.md",
               "share/bash-completion/completions/wavefold", f"{lib}/wavefold/libwavefold-host.so",
               f"{lib}/cmake/wavefold/wavefold-config.cmake", f"{lib}/pkgconfig/wavefold.pc",
               "share/doc/wavefold/examples/CMakeLists.txt", f"{lib}/wavefold-try/include/tile.hpp",
               f"{lib}/wavefold-try/include/host/try/try.hpp", "share/wavefold/report/main.py",
               "share/wavefold/report/templates/page.html"]
    wanted += [f"{lib}/libwavefold.a"] if HAS_STATIC else []
    of_mpi = ["include/wavefold_mpi.h", f"{lib}/libwavefold-mpi.so", f"{lib}/pkgconfig/wavefold-mpi.pc",
              f"{lib}/cmake/wavefold/wavefold-mpi-targets.cmake", f"{lib}/cmake/wavefold/wavefold-mpi-names.cmake",
              "bin/wavefold-mpi", "share/man/man1/wavefold-mpi.1",
              "share/bash-completion/completions/wavefold-mpi"]
    assert [path in there for path in of_mpi] == [HAS_MPI] * len(of_mpi)
    built = [path.name for path in (BUILD / "lib/wavefold").iterdir()]
    assert set(wanted) | {f"{lib}/wavefold/{name}" for name in built} <= there
    assert not [path for path in prefix.rglob("*") if path.is_symlink() and not path.exists()]
    assert not [path for path in there if "test" in path or "jansson" in path or path.endswith("backend.h")]


def test_nothing_remembers_the_first_prefix(prefix):
    """Of what people read, and linkers and CMake; debug information may."""
    first = str(prefix.parent / "first")
    for path in prefix.rglob("*"):
        if path.suffix in (".cmake", ".pc", ".h", ".txt"):
            assert first not in path.read_text() and str(BUILD) not in path.read_text(), path


def test_links_of_documents_lead_somewhere(prefix):
    """Sources and results, which are not installed, have no links, but are named; nothing else is changed."""
    linked = {}
    for path in prefix.rglob("*.md"):
        text = path.read_text()
        for link in re.findall(r"\]\(([^)#\s]+)[^)\s]*\)", text):
            linked[link] = link.startswith("https://") or (path.parent / link).exists()
        if path.parent.name == "docs":
            source = (ROOT / "docs" / path.name).read_text()
            assert len(text.splitlines()) == len(source.splitlines())
            assert all(name in text for name in re.findall(r"\]\((?:\.\./)*([^)#]+)", source))
    assert "../examples/exercises" in linked
    assert [link for link, is_there in linked.items() if not is_there] == []


def test_documents_begin_lists_on_purpose(prefix):
    """Theirs begin with a dash or a number: a line that begins with a + has a broken formula."""
    assert [path.name for path in prefix.rglob("*.md") if re.search(r"^ *\+ ", path.read_text(), re.MULTILINE)] == []


def test_program(prefix):
    assert run(prefix / "bin/wavefold", "--version").startswith("wavefold ")
    assert "host:64" in run(prefix / "bin/wavefold", "devices")


@without_mpi
def test_program_of_ranks(prefix):
    """A job of one, started by itself."""
    assert run(prefix / "bin/wavefold-mpi", "--version").startswith("wavefold-mpi ")


def test_the_program_tries_a_kernel(prefix, tmp_path):
    """What a kernel is compiled and linked with is found where it was moved to."""
    for words in ([], ["--plain"]):
        name = f"mine{len(words)}"
        run(prefix / "bin/wavefold", "try", "--new", tmp_path / name, *words)
        assert run(prefix / "bin/wavefold", "try", tmp_path / f"{name}.hip").count("lanes: right") == 2


def test_the_program_makes_a_page(prefix, tmp_path):
    """Its part in Python and the kernels are found where they were moved to, and nothing is written beside them."""
    before = sorted(prefix.rglob("*"))
    results = ROOT / "results/nvidia-h200/progression.json"
    run(prefix / "bin/wavefold", "report", results, "-o", tmp_path / "page.html")
    assert "tile_static&lt;T&gt; tile_data(tidx);" in (tmp_path / "page.html").read_text()
    assert sorted(prefix.rglob("*")) == before


def test_program_through_a_link(prefix, tmp_path):
    (tmp_path / "elsewhere").symlink_to(prefix / "bin/wavefold")
    assert "host:64" in run(tmp_path / "elsewhere", "devices")


def test_versions_agree(prefix, libdir, pkg_config):
    header = (prefix / "include/wavefold.h").read_text()
    version = ".".join(re.search(rf"WF_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH"))
    assert run(prefix / "bin/wavefold", "--version") == f"wavefold {version}\n"
    assert pkg_config("--modversion", "wavefold") == [version]
    assert f'set(PACKAGE_VERSION "{version}")' in next(libdir.rglob("wavefold-config-version.cmake")).read_text()
    assert (libdir / f"libwavefold.so.{version}").is_file()
    dynamic = run("readelf", "-d", libdir / "libwavefold.so")
    assert f"soname: [libwavefold.so.{version.rsplit('.', 1)[0]}]" in dynamic


def defined(*arguments):
    lines = run("nm", "--defined-only", *arguments).splitlines()
    return {line.split()[-1].split("@")[0] for line in lines if len(line.split()) == 3}


def declared(prefix, *names):
    header = "".join((prefix / "include" / name).read_text() for name in names)
    return set(re.findall(r"^WF_API [^;]*?\b(wf_\w+)\(", header, flags=re.MULTILINE))


def test_the_library_exports_what_the_headers_say(prefix, libdir):
    headers = {header.name for header in (prefix / "include").glob("wavefold*.h")}
    names = declared(prefix, *headers - {"wavefold_mpi.h", "wavefold_nccl.h"})  # these two have libraries of their own
    assert len(names) > 30 and defined("-D", libdir / "libwavefold.so") == names


def test_modules_export_their_entry_alone(libdir):
    for module in (libdir / "wavefold").iterdir():
        assert defined("-D", module) == {"wavefold_backend"}, module


@pytest.mark.skipif(not HAS_STATIC, reason="the static library was not built")
def test_the_archive_keeps_to_its_prefix(libdir):
    assert [name for name in defined("-g", libdir / "libwavefold.a") if not name.startswith("wf_")] == []


@pytest.mark.parametrize("name", ["wavefold.h", "wavefold_message.h", "wavefold_watch.h", "wavefold_nccl.h"])
@pytest.mark.parametrize("compiler, standard, suffix", [(CC, "c11", "c"), (CXX, "c++17", "cpp")])
def test_the_header_stands_alone(prefix, tmp_path, compiler, standard, suffix, name):
    if name == "wavefold_nccl.h" and not HAS_NCCL and not os.environ.get("CI"):
        pytest.skip("libwavefold-nccl was not built")
    source = tmp_path / f"alone.{suffix}"
    source.write_text(f"#include <{name}>\n#include <{name}>\nint main(void) {{ return WF_OK; }}\n")
    run(compiler, f"-std={standard}", *STRICT, "-fsyntax-only", "-I", prefix / "include", source)


@pytest.mark.parametrize("name", PRINTED)
def test_examples(examples, name):
    assert run(examples / name, "host") == PRINTED[name]


@pytest.mark.parametrize("names", [["g++"], ["clang++", "clang++-19"]], ids=["gcc", "clang"])
def test_the_cpp_example_has_no_warnings(prefix, names):
    """Whichever compiler built this tree: each warns of something that the other lets pass."""
    compiler = next(filter(shutil.which, names), None)
    if not compiler and not os.environ.get("CI"):
        pytest.skip(f"no {names[0]}")
    example = next(prefix.rglob("argmin.cpp"))
    run(compiler or names[0], "-std=c++17", *STRICT, "-fsyntax-only", "-I", prefix / "include", example)


def test_an_example_says_why_it_fails(examples):
    done = subprocess.run([examples / "sum", "hots"], capture_output=True, text=True, env=environment())
    assert done.returncode == 1 and "did you mean 'host'" in done.stderr and done.stdout == ""


@pytest.mark.skipif(not HAS_STATIC, reason="the static library was not built")
def test_static_by_cmake(examples, libdir):
    assert "libwavefold" not in run("ldd", examples / "sum-static")
    assert run(examples / "sum-static", "host", WAVEFOLD_BACKEND_PATH=libdir / "wavefold") == PRINTED["sum"]


@pytest.mark.skipif(not HAS_STATIC, reason="the static library was not built")
def test_static_looks_where_it_was_installed(examples, prefix):
    """The prefix has been moved. The program runs in a folder with modules, which it must not load."""
    said = run_failing(examples / "sum-static", "host", cwd=BUILD / "lib")
    assert f"in {prefix.parent / 'first'}/" in said and "WAVEFOLD_BACKEND_PATH" in said


@pytest.mark.skipif(not HAS_STATIC, reason="the static library was not built")
def test_static_finds_modules_below_its_prefix(tmp_path):
    """Whatever prefix was configured; and a staged installation is for where it will be, not for the stage."""
    def build_sum(root):
        library = one(root.rglob("libwavefold.a"))
        run(CC, "-std=c11", one(root.rglob("sum.c")), "-I", root / "include", library, "-ldl", "-lpthread", "-lm",
            "-o", tmp_path / "sum")

    there = tmp_path / "a prefix"
    run(CMAKE, "--install", BUILD, "--prefix", there)
    build_sum(there)
    assert run(tmp_path / "sum", "host") == PRINTED["sum"]
    subprocess.run([CMAKE, "--install", BUILD, "--prefix", "relative"], cwd=tmp_path, check=True, env=environment(),
                   capture_output=True)
    build_sum(tmp_path / "relative")
    assert run(tmp_path / "sum", "host") == PRINTED["sum"] # in another folder
    run(CMAKE, "--install", BUILD, "--prefix", tmp_path / "later", DESTDIR=tmp_path / "stage")
    build_sum(tmp_path / "stage" / str(tmp_path / "later").lstrip("/"))
    assert f"in {tmp_path / 'later'}/" in run_failing(tmp_path / "sum", "host")


@pytest.mark.parametrize("compiler, program", [("nvcc", "stream-cuda"), ("hipcc", "stream-hip")])
def test_gpu_examples_are_built(examples, compiler, program):
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    assert "libwavefold.so" in run("readelf", "-d", examples / program)


def test_gpu_examples_are_one():
    """stream.hip is stream.cu in other words, below the comment at its head."""
    texts = [(ROOT / "examples" / name).read_text().split("\n#include <wavefold.h>\n") for name in
             ("stream.cu", "stream.hip")]
    renamed = texts[0][1].replace("<cuda_runtime.h>", "<hip/hip_runtime.h>").replace("nvidia:0", "amd:0")
    assert renamed.replace("cuda", "hip") == texts[1][1]


@pytest.mark.parametrize("name", ["sum", "describe"])
def test_pkg_config(prefix, libdir, pkg_config, tmp_path, name):
    source = next(prefix.rglob(f"{name}.c"))
    run(CC, "-std=c11", *STRICT, source, *pkg_config("--cflags", "--libs", "wavefold"), "-lm", "-o", tmp_path / name)
    assert run(tmp_path / name, "host", LD_LIBRARY_PATH=libdir) == PRINTED[name]
    # The library finds its modules from where it is now, not from where it was when the program was linked.
    moved = shutil.copytree(libdir, tmp_path / "lib", symlinks=True)
    assert run(tmp_path / name, "host", LD_LIBRARY_PATH=moved) == PRINTED[name]
    shutil.rmtree(moved / "wavefold")
    assert run(tmp_path / name, "host", LD_LIBRARY_PATH=moved, WAVEFOLD_BACKEND_PATH=libdir / "wavefold")
    skip_if_installed()
    run(tmp_path / name, "host", LD_LIBRARY_PATH=moved, status=1)


@pytest.mark.skipif(not HAS_STATIC, reason="the static library was not built")
def test_pkg_config_static(prefix, libdir, pkg_config, tmp_path):
    source, program = next(prefix.rglob("sum.c")), tmp_path / "sum"
    flags = pkg_config("--cflags", "wavefold"), pkg_config("--static", "--libs", "wavefold")
    # Where the archive alone is installed, --static is enough; beside the shared library it must be named.
    for libs in (pkg_config("--libs", "wavefold-static"),
                 [word.replace("-lwavefold", "-l:libwavefold.a") for word in flags[1]]):
        run(CC, "-std=c11", source, *flags[0], *libs, "-o", program)
        assert "libwavefold" not in run("ldd", program)
        assert run(program, "host", WAVEFOLD_BACKEND_PATH=libdir / "wavefold") == PRINTED["sum"]
    modules = pkg_config("--variable=moduledir", "wavefold")
    assert run(program, "host", WAVEFOLD_BACKEND_PATH=modules[0]) == PRINTED["sum"]


@pytest.mark.parametrize(
    "request_, found",
    [("", True), ("0.3", True), ("0.3.0 EXACT", True), ("0.2", False), ("0.4", False), ("0.0", False), ("1.0", False),
     ("COMPONENTS shared", True), ("COMPONENTS static", HAS_STATIC), ("COMPONENTS nonsense", False)],
)
def test_find_package(prefix, tmp_path, request_, found):
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.18)\nproject(finds LANGUAGES NONE)\n"
        f"find_package(wavefold {request_} CONFIG)\n"
        'message("found ${wavefold_FOUND}")\n'
        "if(wavefold_FOUND AND NOT TARGET wavefold::wavefold)\nmessage(FATAL_ERROR target)\nendif()\n"
        'if(wavefold_FOUND AND NOT EXISTS "${wavefold_MODULE_DIR}/libwavefold-host.so")\n'
        'message(FATAL_ERROR "${wavefold_MODULE_DIR}")\nendif()\n')
    done = subprocess.run([CMAKE, "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}"],
                          capture_output=True, text=True, env=environment())
    assert done.returncode == 0, done.stderr
    assert ("found 1" in done.stderr or "found TRUE" in done.stderr) == found, done.stderr


@pytest.mark.parametrize("component, said", [
    ("nonsense", "no component 'nonsense': it must be shared, static, mpi, nccl or rccl"),
    pytest.param("static", "build it with WF_STATIC=ON", marks=pytest.mark.skipif(HAS_STATIC, reason="it is there"))])
def test_a_component_that_is_not_there(prefix, tmp_path, component, said):
    (tmp_path / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.18)\nproject(finds LANGUAGES NONE)\n"
                                             f"find_package(wavefold CONFIG REQUIRED COMPONENTS {component})\n")
    done = subprocess.run([CMAKE, "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}"],
                          capture_output=True, text=True, env=environment())
    assert done.returncode != 0 and said in " ".join(done.stderr.split()), done.stderr


# ---- As a part of another project ----

PARENT = """cmake_minimum_required(VERSION 3.25)
project(parent LANGUAGES C CXX)
include(GNUInstallDirs)
add_compile_options(-Werror)
set(CMAKE_DEBUG_POSTFIX d)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY_DEBUG ${CMAKE_BINARY_DIR}/kept CACHE PATH "")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY_DEBUG ${CMAKE_BINARY_DIR}/out)
set(CMAKE_UNITY_BUILD ON)
set(CMAKE_CUDA_SEPARABLE_COMPILATION ON)
foreach(name m pthread dl)
    add_library(${name} INTERFACE)
endforeach()
add_subdirectory(%s wavefold)
foreach(kind wavefold static)
    add_executable(use-${kind} %s)
    target_link_libraries(use-${kind} PRIVATE wavefold::${kind})
endforeach()
if(TARGET wavefold-host)
    file(GENERATE OUTPUT files CONTENT "$<TARGET_FILE:wavefold>\\n$<TARGET_FILE:wavefold-host>\\n")
endif()
"""


def write_parent(folder, *options):
    """A project with wavefold's source as a part, and with targets called like the system's libraries. The command that
    configures it."""
    (folder / "CMakeLists.txt").write_text(PARENT % (ROOT, ROOT / "examples/sum.c"))
    return [CMAKE, "-S", folder, "-B", folder / "build", "-DWF_NVIDIA=OFF", "-DWF_AMD=OFF", "-DWF_MPI=OFF",
            "-DWF_NCCL=OFF", "-DWF_RCCL=OFF", "-DCMAKE_BUILD_TYPE=Debug", *options]


def make_parent(folder, *options):
    run(*write_parent(folder, *options))
    return folder / "build"


def test_a_part_of_another_project(tmp_path):
    """It takes no target of the parent's for a library of the system, and is compiled file by file. Without modules,
    which take long."""
    build = make_parent(tmp_path, "-DWF_HOST=OFF")
    run(CMAKE, "--build", build)
    for kind in ("wavefold", "static"):
        run(build / f"use-{kind}", "host", status=1)
    # Files that the parent may have, too, under the same name.
    run(CMAKE, "--install", build, "--prefix", tmp_path / "prefix")
    assert [path.name for path in (tmp_path / "prefix/share/doc").iterdir()] == ["wavefold"]


def test_a_part_finds_its_modules(tmp_path):
    """By their names, and beside the library, whatever the parent calls what it builds, and wherever it puts that."""
    build = make_parent(tmp_path, "-DWF_HOST=ON")
    library, module = map(pathlib.Path, (build / "files").read_text().split())
    assert module == library.parent / "wavefold/libwavefold-host.so"
    # What the program alone runs is neither built nor installed.
    assert "wavefold-try" not in (build / "wavefold/cmake_install.cmake").read_text()


def test_a_part_has_no_benches(tmp_path):
    """Which need what its own build alone has: that is told before anything is compiled."""
    done = subprocess.run(write_parent(tmp_path, "-DWF_HOST=OFF", "-DWF_BENCH=ON"), capture_output=True, text=True,
                          env=environment())
    assert done.returncode != 0 and "in wavefold's own build alone" in " ".join(done.stderr.split()), done.stderr


@pytest.mark.skipif(not shutil.which("nvcc"), reason="no nvcc")
def test_a_part_compiles_kernels_as_a_whole(tmp_path):
    commands = (make_parent(tmp_path, "-DWF_HOST=OFF", "-DWF_NVIDIA=ON") / "compile_commands.json").read_text()
    assert "hip/backend.hip" in commands and "-rdc" not in commands


# ---- Reductions over ranks ----

RANKS_PROGRAM = """#include <wavefold_mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    const float part[] = {1.5f, 2.25f};
    float sum = 0;
    wf_context *context;
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS || wf_context_create(&context, "host") != WF_OK)
        return 1;
    const wf_reduce_spec spec = {.type = WF_F32};
    if (wf_mpi_reduce(context, &spec, part, 2, &sum, sizeof sum, WF_MPI_ALL, MPI_COMM_WORLD) != WF_OK)
        return 1;
    printf("%g\\n", (double)sum);
    wf_context_destroy(context);
    return MPI_Finalize() == MPI_SUCCESS ? 0 : 1;
}
"""


def find_mpi(folder, prefix, request_, languages="C", compiler=None):
    """What CMake prints for a project that finds component mpi of this prefix, with the build's own MPI or that of
    another mpicc."""
    folder.mkdir()
    (folder / "ranks.c").write_text(RANKS_PROGRAM)
    (folder / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.18)\nproject(finds LANGUAGES {languages})\n"
        f"find_package(wavefold CONFIG {request_})\n"
        'message("found ${wavefold_FOUND}")\n'
        "if(TARGET wavefold::mpi)\nadd_executable(ranks ranks.c)\n"
        "target_link_libraries(ranks PRIVATE wavefold::mpi)\nendif()\n")
    done = subprocess.run([CMAKE, "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}",
                           f"-DMPI_C_COMPILER={compiler or cached('MPI_C_COMPILER')}"],
                          capture_output=True, text=True, env=environment())
    return done.stdout + " ".join(done.stderr.split())


@without_mpi
def test_ranks_by_cmake(prefix, tmp_path):
    """One rank, which needs nobody to start it."""
    assert "found TRUE" in find_mpi(tmp_path / "finds", prefix, "REQUIRED COMPONENTS mpi").replace(" 1", " TRUE")
    run(CMAKE, "--build", tmp_path / "finds/build")
    assert run(tmp_path / "finds/build/ranks", **THROUGH_MEMORY) == "3.75\n"


def name_of_mpi(library):
    """The MPI that a library or program asks for, with the major version of its binary interface."""
    return one(re.findall(r"\[(lib\w*mpi\w*\.so\.\d+)", run("readelf", "-d", library)))


@without_mpi
@pytest.mark.parametrize("required", [True, False])
def test_another_mpi_is_refused(prefix, libdir, tmp_path, required):
    """Both are named, and the remedy."""
    (tmp_path / "empty.c").write_text("#include <mpi.h>\nint main(void) { return MPI_Finalize(); }\n")
    built_for = name_of_mpi(libdir / "libwavefold-mpi.so")
    for compiler in filter(None, map(shutil.which, ("mpicc.openmpi", "mpicc.mpich"))):
        run(compiler, tmp_path / "empty.c", "-o", tmp_path / "empty")
        other = name_of_mpi(tmp_path / "empty")
        if other != built_for:
            break
    else:
        pytest.skip("there is no other MPI")
    said = find_mpi(tmp_path / "finds", prefix, f"{'REQUIRED' if required else ''} COMPONENTS mpi", compiler=compiler)
    if not required:
        assert "found 0" in said.replace("FALSE", "0")
        return
    assert f"built for the MPI of {built_for}," in said and f"finds that of {other}," in said, said
    assert "MPI_C_COMPILER" in said


@without_mpi
def test_the_same_mpi_in_another_folder(prefix, libdir, tmp_path):
    """Its name counts, not its path: that of the library, under a name that leads to it from elsewhere."""
    real = name_of_mpi(libdir / "libwavefold-mpi.so")
    (tmp_path / f"{real}.99.9").touch()
    (tmp_path / "libmpi.so").symlink_to(f"{real}.99.9")
    script = tmp_path / "names.cmake"
    script.write_text(f'include("{one(prefix.rglob("wavefold-mpi-names.cmake"))}")\n'
                      f'wf_name_mpi(names "{tmp_path}/libmpi.so" "{tmp_path}/libopen-rte.so" -lpthread m)\n'
                      'message("${names}")\n')
    done = subprocess.run([CMAKE, "-P", script], capture_output=True, text=True, env=environment())
    assert done.stderr == f"{real}\n"
    config = one(path for path in prefix.rglob("wavefold-config.cmake")).read_text()
    assert f'set(wavefold_mpi_built_for "{real}")' in config


@without_mpi
def test_ranks_by_pkg_config(libdir, pkg_config, tmp_path):
    source = tmp_path / "ranks.c"
    source.write_text(RANKS_PROGRAM)
    run(cached("MPI_C_COMPILER"), "-std=c11", source, *pkg_config("--cflags", "--libs", "wavefold-mpi"), "-o",
        tmp_path / "ranks")
    assert run(tmp_path / "ranks", LD_LIBRARY_PATH=libdir, **THROUGH_MEMORY) == "3.75\n"


@pytest.mark.parametrize("adapter", ["mpi", "nccl", "rccl"])
def test_the_library_of_ranks(prefix, libdir, adapter):
    """Nothing but the header's, and of wavefold what its headers say."""
    library = libdir / f"libwavefold-{adapter}.so"
    if not library.exists() and not (adapter != "rccl" and os.environ.get("CI")):
        pytest.skip(f"{library.name} was not built")
    assert defined("-D", library) == declared(prefix, "wavefold_mpi.h" if adapter == "mpi" else "wavefold_nccl.h")
    needed = re.findall(r"\bU (wf_\w+)", run("nm", "-D", library))
    assert needed and set(needed) <= declared(prefix, "wavefold.h", "wavefold_message.h")
    assert f"{library.name}.0." in re.search(r"soname: \[(.*)\]", run("readelf", "-d", library))[1]
    assert adapter not in run("readelf", "-d", libdir / "libwavefold.so")


@pytest.mark.skipif(not HAS_NCCL and not os.environ.get("CI"), reason="libwavefold-nccl was not built")
def test_gpu_ranks_by_cmake(prefix, tmp_path):
    """An empty group, which needs no GPU."""
    (tmp_path / "ranks.c").write_text("#include <wavefold_nccl.h>\nint main(void) {\n"
                                      "    return wf_nccl_group_start() == WF_OK && wf_nccl_group_end() == WF_OK &&\n"
                                      "           wf_nccl_group_end() == WF_INVALID_ARGUMENT ? 0 : 1;\n}\n")
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.18)\nproject(ranks LANGUAGES C)\n"
        "find_package(wavefold CONFIG REQUIRED COMPONENTS nccl)\nadd_executable(ranks ranks.c)\n"
        "target_link_libraries(ranks PRIVATE wavefold::nccl)\n")
    run(CMAKE, "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    run(CMAKE, "--build", tmp_path / "build")
    libraries = pathlib.Path(cached("WF_NCCL_LIBRARY")).parent
    run(tmp_path / "build/ranks", LD_LIBRARY_PATH=libraries)


def test_nccl_needs_the_backend(tmp_path):
    """Not NCCL, which may be there."""
    done = subprocess.run([CMAKE, "-S", ROOT, "-B", tmp_path, "-DWF_HOST=OFF", "-DWF_NVIDIA=OFF", "-DWF_AMD=OFF",
                           "-DWF_MPI=OFF", "-DWF_NCCL=ON"], capture_output=True, text=True, env=environment())
    assert done.returncode != 0 and "by WF_NVIDIA=ON" in " ".join(done.stderr.split()), done.stderr


def test_an_adapter_that_was_not_built(prefix, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.18)\nproject(ranks LANGUAGES NONE)\n"
                                             "find_package(wavefold CONFIG REQUIRED COMPONENTS rccl)\n")
    if not (BUILD / "lib/libwavefold-rccl.so").exists():
        done = subprocess.run([CMAKE, "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}"],
                              capture_output=True, text=True, env=environment())
        assert done.returncode != 0 and "build it with WF_RCCL=ON" in " ".join(done.stderr.split())


def test_wavefold_needs_no_mpi(prefix, tmp_path):
    """Neither without the component, nor where an MPI cannot be found; who asks for it hears what is missing."""
    assert "found 0" in find_mpi(tmp_path / "first", prefix, "COMPONENTS mpi", "NONE").replace("FALSE", "0")
    assert "found TRUE" in find_mpi(tmp_path / "second", prefix, "", "NONE").replace(" 1", " TRUE")
    said = find_mpi(tmp_path / "third", prefix, "REQUIRED COMPONENTS mpi", "NONE")
    assert ("must include C" if HAS_MPI else "WF_MPI=ON") in said


@without_mpi
def test_a_wavefold_that_was_built_without_mpi(prefix, tmp_path):
    without = shutil.copytree(prefix, tmp_path / "without", symlinks=True)
    one(without.rglob("wavefold-mpi-targets.cmake")).unlink()
    assert "build it with WF_MPI=ON" in find_mpi(tmp_path / "finds", without, "REQUIRED COMPONENTS mpi")
