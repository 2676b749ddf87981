"""Which HIP runtime the AMD module finds, and which it does not call.

The stand-ins are called libstandinhip.so.N, and so is what the module under test looks for: a ROCm that the machine has
is out of the way. One test takes the module as it is installed, with stand-ins that have ROCm's names.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

WAVEFOLD = os.environ["WAVEFOLD"]
MODULE = pathlib.Path(os.environ["WAVEFOLD_STANDIN_MODULE"])
RUNTIMES = pathlib.Path(os.environ["WAVEFOLD_RUNTIMES"])
NODES = RUNTIMES / "nodes"
TARGETS = os.environ["WAVEFOLD_AMD_ARCHITECTURES"].split(",")
EXACT = [each for each in TARGETS if re.fullmatch("gfx[0-9a-f]+", each)]  # one GPU's, not a family's
NAME = "libstandinhip.so"


def amd(modules=MODULE.parent, **environment):
    """What `wavefold devices` says of the AMD backend."""
    for name in ("ROCM_PATH", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES",
                 "HSA_OVERRIDE_GFX_VERSION"):
        environment.setdefault(name, "")
    run = subprocess.run([WAVEFOLD, "devices", "--json", "-"], capture_output=True, text=True, check=True, timeout=60,
                         env=os.environ | {"WAVEFOLD_BACKEND_PATH": str(modules)} | environment)
    return {each["name"]: each for each in json.loads(run.stdout)["backends"]}["amd"]


def folder(path, majors, name=NAME):
    path.mkdir(parents=True)
    for major in majors:
        shutil.copy(RUNTIMES / f"{NAME}.{major}", path / f"{name}.{major}")
    return str(path)


def version_of(major):
    return f"{major}.2.34567"


@pytest.fixture(autouse=True)
def no_gpus():
    shutil.rmtree(NODES, ignore_errors=True)
    yield
    shutil.rmtree(NODES, ignore_errors=True)


def gpus(*versions):
    """Nodes as Linux lists them: a CPU, and GPUs of these gfx_target_versions."""
    for node, version in enumerate([0, *versions]):
        (NODES / str(node)).mkdir(parents=True)
        (NODES / str(node) / "gpu_id").write_text("1\n")
        (NODES / str(node) / "properties").write_text(
            f"cpu_cores_count 8\nsimd_count {80 if version else 0}\n"
            + (f"gfx_target_version {version}\nunique_id {node}\n" if version is not None else ""))


def version_number(target):
    """gfx90a: 90010."""
    digits = target.removeprefix("gfx")
    return int(digits[:-2]) * 10000 + int(digits[-2], 16) * 100 + int(digits[-1], 16)


@pytest.mark.parametrize("majors", [[5], [6], [5, 6], [7, 5, 6]])
def test_the_newest_is_taken(tmp_path, majors):
    found = amd(LD_LIBRARY_PATH=folder(tmp_path / "lib", majors))
    assert found["devices"] == 1
    assert found["runtime"] == f"HIP's runtime {version_of(max(majors))}, {tmp_path}/lib/{NAME}.{max(majors)}"


def test_rocm_path_goes_before_what_is_newer(tmp_path):
    folder(tmp_path / "rocm" / "lib", [6])
    found = amd(LD_LIBRARY_PATH=folder(tmp_path / "lib", [7]), ROCM_PATH=str(tmp_path / "rocm"))
    assert found["runtime"].startswith(f"HIP's runtime {version_of(6)}, {tmp_path}/rocm/lib")
    found = amd(LD_LIBRARY_PATH=str(tmp_path / "lib"), ROCM_PATH=str(tmp_path / "nothing"))
    assert found["runtime"].startswith(f"HIP's runtime {version_of(7)}")


def test_the_one_of_the_process_goes_before_what_is_newer(tmp_path):
    newer = folder(tmp_path / "lib", [7])
    found = amd(LD_LIBRARY_PATH=newer, LD_PRELOAD=str(RUNTIMES / f"{NAME}.5"))
    assert found["runtime"] == f"HIP's runtime {version_of(5)}, {RUNTIMES}/{NAME}.5"


# wf_backend_info, for programs in Python.
INFO = """class Info(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char * 16), ("status", ctypes.c_int), ("devices", ctypes.c_uint32),
                ("detail", ctypes.c_char * 1024), ("runtime", ctypes.c_char * 1024),
                ("reserved", ctypes.c_uint64 * 8)]"""


def test_one_that_only_another_object_sees_goes_before_what_is_newer(tmp_path):
    """As PyTorch's: its name has no number, and only its own objects see it."""
    private = folder(tmp_path / "torch", [6])
    pathlib.Path(private, f"{NAME}.6").rename(pathlib.Path(private, NAME))
    program = tmp_path / "program.py"
    program.write_text(f"""
import ctypes, os
ctypes.CDLL({private + "/" + NAME!r}, mode=os.RTLD_LOCAL | os.RTLD_NOW)
library = ctypes.CDLL({str(pathlib.Path(WAVEFOLD).parent.parent / "lib" / "libwavefold.so")!r})
{INFO}
info = Info()
for i in range(3):
    assert library.wf_backend_get_info(ctypes.c_size_t(i), ctypes.byref(info)) == 0
    if info.name == b"amd":
        print(info.runtime.decode())
""")
    run = subprocess.run(["/usr/bin/python3", program], capture_output=True, text=True, check=True, timeout=60,
                         env=os.environ | {"WAVEFOLD_BACKEND_PATH": str(MODULE.parent),
                                           "LD_LIBRARY_PATH": folder(tmp_path / "lib", [7])})
    assert run.stdout == f"HIP's runtime {version_of(6)}, {private}/{NAME}\n"


def test_copies_of_the_library_share_the_first_ones_runtime(tmp_path):
    """The module is loaded once: what comes later, and what is visible by then, changes nothing for those before."""
    library = pathlib.Path(WAVEFOLD).parent.parent / "lib" / "libwavefold.so"
    for name in ("first.so", "second.so"):
        shutil.copy(library, tmp_path / name)
    program = tmp_path / "program.py"
    program.write_text(f"""
import ctypes
{INFO}
def tell(library):
    info = Info()
    for i in range(3):
        assert library.wf_backend_get_info(ctypes.c_size_t(i), ctypes.byref(info)) == 0
        if info.name == b"amd":
            print(info.devices, info.detail.decode(), info.runtime.decode())
tell(ctypes.CDLL({str(tmp_path / "first.so")!r}))
ctypes.CDLL({str(RUNTIMES / (NAME + ".7"))!r}, mode=ctypes.RTLD_GLOBAL)
tell(ctypes.CDLL({str(tmp_path / "second.so")!r}))
""")
    for majors, expected in (([5], f"HIP's runtime {version_of(5)}, "), ([], "no HIP runtime")):
        libraries = folder(tmp_path / f"lib{len(majors)}", majors)
        run = subprocess.run(["/usr/bin/python3", program], capture_output=True, text=True, check=True, timeout=60,
                             env=os.environ | {"WAVEFOLD_BACKEND_PATH": str(MODULE.parent), "ROCM_PATH": "",
                                               "LD_LIBRARY_PATH": libraries})
        first, second = run.stdout.splitlines()
        assert first == second
        assert expected in first


def test_a_tool_that_watches_a_call_is_no_runtime(tmp_path):
    source = tmp_path / "tool.c"
    source.write_text("int hipGetDeviceCount(int *count) { *count = 0; return 0; }\n")
    subprocess.run(["cc", "-shared", "-fPIC", source, "-o", tmp_path / "libtool.so"], check=True)
    found = amd(LD_LIBRARY_PATH=folder(tmp_path / "lib", [6]), LD_PRELOAD=str(tmp_path / "libtool.so"))
    assert found["runtime"] == f"HIP's runtime {version_of(6)}, {tmp_path}/lib/{NAME}.6"


def test_none(tmp_path):
    found = amd(LD_LIBRARY_PATH=str(tmp_path))
    assert (found["status"], found["devices"], found["runtime"]) == ("WF_OK", 0, "")
    assert f"there is no {NAME}.5 or newer" in found["detail"]
    assert "LD_LIBRARY_PATH" in found["detail"]


def test_one_that_does_not_load_is_told_if_there_is_no_other(tmp_path):
    pathlib.Path(folder(tmp_path / "lib", [6]), f"{NAME}.7").write_bytes(b"no library")
    assert amd(LD_LIBRARY_PATH=str(tmp_path / "lib"))["runtime"].startswith(f"HIP's runtime {version_of(6)}")
    (tmp_path / "lib" / f"{NAME}.6").unlink()
    found = amd(LD_LIBRARY_PATH=str(tmp_path / "lib"))
    assert found["devices"] == 0
    assert f"{NAME}.7: file too short" in found["detail"]


def test_one_that_lacks_a_function(tmp_path):
    source = tmp_path / "empty.c"
    source.write_text("int hipGetDeviceCount(int *count) { *count = 1; return 0; }\n")
    (tmp_path / "lib").mkdir()
    subprocess.run(["cc", "-shared", "-fPIC", source, "-o", tmp_path / "lib" / f"{NAME}.6"], check=True)
    found = amd(LD_LIBRARY_PATH=str(tmp_path / "lib"))
    assert found["devices"] == 0
    assert f"{NAME}.6 has no hipGetLastError" in found["detail"]


OTHER = next(each for each in ("gfx1036", "gfx1010") if each not in TARGETS)


@pytest.mark.parametrize("order", [1, -1])
def test_a_runtime_that_would_end_the_process_is_not_called(tmp_path, order):
    gpus(*[version_number(EXACT[0]), version_number(OTHER)][::order])
    old = folder(tmp_path / "lib", [5])
    found = amd(LD_LIBRARY_PATH=old, STANDIN_NEVER_CALLED="1")
    assert (found["status"], found["devices"]) == ("WF_OK", 0)
    shown = 0 if order == 1 else 1
    assert found["runtime"] == ""
    for words in (f"{OTHER} is one", ",".join(TARGETS), f"ROCR_VISIBLE_DEVICES={shown},", "WF_AMD_ARCHITECTURES",
                  f"{NAME}.5"):
        assert words in found["detail"]
    assert amd(LD_LIBRARY_PATH=old, ROCR_VISIBLE_DEVICES=str(shown))["devices"] == 1
    assert amd(LD_LIBRARY_PATH=old, ROCR_VISIBLE_DEVICES=f"GPU-{shown + 1:016x}")["devices"] == 1
    assert amd(LD_LIBRARY_PATH=old, HIP_VISIBLE_DEVICES=str(shown))["devices"] == 1
    assert amd(LD_LIBRARY_PATH=old, CUDA_VISIBLE_DEVICES=str(shown))["devices"] == 1
    for hidden in ("ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"):
        for value in (str(1 - shown), "0,1", "7", "some"):
            assert amd(LD_LIBRARY_PATH=old, STANDIN_NEVER_CALLED="1", **{hidden: value})["devices"] == 0


def test_gpus_by_another_name(tmp_path):
    gpus(version_number(OTHER))
    number = version_number(EXACT[0])
    name = f"{number // 10000}.{number // 100 % 100}.{number % 100}"
    old = folder(tmp_path / "lib", [5])
    assert amd(LD_LIBRARY_PATH=old, HSA_OVERRIDE_GFX_VERSION=name)["devices"] == 1
    assert amd(LD_LIBRARY_PATH=old, STANDIN_NEVER_CALLED="1")["devices"] == 0


@pytest.mark.parametrize("versions", [[version_number(each) for each in EXACT], [], [None]])
def test_a_runtime_that_has_code_for_every_gpu_is_called(tmp_path, versions):
    """Also where Linux names none, or not what it is."""
    gpus(*versions)
    assert amd(LD_LIBRARY_PATH=folder(tmp_path / "lib", [5]))["devices"] == 1


def test_newer_runtimes_are_called_whatever_gpus_there_are(tmp_path):
    gpus(version_number(OTHER))
    assert amd(LD_LIBRARY_PATH=folder(tmp_path / "lib", [5, 6]))["devices"] == 1


@pytest.mark.parametrize("major", [6, 7])
def test_a_runtime_that_takes_no_code_is_told_with_the_gpu(tmp_path, major):
    """Kernels are handed over before the first call: the runtime ends the process if that is not so."""
    gpus(version_number(EXACT[0]), version_number(OTHER))
    found = amd(LD_LIBRARY_PATH=folder(tmp_path / "lib", [major]), STANDIN_REFUSES_BINARY="1")
    assert (found["devices"], found["runtime"]) == (0, "")
    for words in ("takes none of the module's code", OTHER, "ROCR_VISIBLE_DEVICES=0,"):
        assert words in found["detail"]


def test_the_runtime_of_the_process_tells_its_version_itself(tmp_path):
    """Its name has no number: it is asked before it is given kernels."""
    plain = tmp_path / NAME
    shutil.copy(RUNTIMES / f"{NAME}.5", plain)
    gpus(version_number(OTHER))
    found = amd(LD_PRELOAD=str(plain), STANDIN_NO_BINARY="1")
    assert found["devices"] == 0
    assert OTHER in found["detail"]


@pytest.mark.parametrize("target, number", [("gfx90a", 90010), ("gfx906", 90006), ("gfx1030", 100300),
                                            ("gfx1100", 110000), ("gfx1201", 120001)])
def test_numbers_of_targets(target, number):
    assert version_number(target) == number


def test_the_module_links_with_no_runtime():
    for module in (MODULE, pathlib.Path(os.environ["WAVEFOLD_AMD_MODULE"])):
        needed = subprocess.run(["readelf", "-dW", module], capture_output=True, text=True, check=True).stdout
        assert "libamdhip64" not in needed
        assert "libhsa" not in needed


def test_the_installed_module_finds_libamdhip64(tmp_path):
    """Whatever a real one of the machine is."""
    names = folder(tmp_path / "lib", [7], "libamdhip64.so")
    module = pathlib.Path(os.environ["WAVEFOLD_AMD_MODULE"]).parent
    found = amd(module, LD_LIBRARY_PATH=names)
    assert found["runtime"] == f"HIP's runtime {version_of(7)}, {names}/libamdhip64.so.7"
    assert found["devices"] == 1
