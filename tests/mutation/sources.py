"""Which files mutants are made of, and as part of what each is read."""
import pathlib

# Kernels, and what they are made of; the emulator, which runs them, has tests of its own, and a GPU's files no machine
# without one.
KERNELS = ["hip/progression/*.hip", "hip/reduce/*.hip", "hip/reduce/*.hpp", "hip/reduce/exact/*", "hip/look_back/*",
           "hip/scan/*", "hip/sort/*", "hip/message/*", "hip/grid.hpp", "hip/operators.hpp", "hip/tile.hpp",
           "hip/tile_status.hpp",
           "hip/wave.hpp", "hip/wave_fold_rolled.hpp", "hip/wave_fold_shuffle.hpp", "hip/wave_words.hpp",
           "hip/launch.hpp", "hip/visit.hpp", "hip/ladder/launch.hpp"]
# What kernels and the library share; the table algebra.h is read by macros, and by the compiler.
SHARED = ["src/half.h", "src/widened.h", "src/exact/*.h", "src/message/*.h"]
LIBRARY = ["src/*.c", "src/exact/*.c", "src/ladder/*.c", "src/look_back/*.c", "src/message/*.c", "src/reduce/*.c",
           "src/scan/*.c", "src/sort/*.c", "src/tuning/*.c"]
NATIVE = ["hip/host/native/*"]

CXX = ["-x", "c++", "-std=c++17", "-DWF_HOST_DEVICE", "-DWF_CPU=plain", "-Iinclude", "-Isrc", "-Ihip"]
C = ["-x", "c", "-std=c11", "-D_GNU_SOURCE", "-Iinclude", "-Isrc", '-DWF_MODULE_FOLDER="."']


def units(root):
    """(text of a unit, arguments, patterns of the files that it is read for)"""
    kernels = '#include "launch.hpp"\n'
    yield kernels, CXX, KERNELS + SHARED
    for name in ("native_kernels", "native", "pool", "dispatch"):
        yield f'#include "host/native/{name}.cpp"\n', CXX, NATIVE
    for pattern in LIBRARY:
        for path in sorted(pathlib.Path(root).glob(pattern)):
            name = str(path.relative_to(root))
            yield f'#include "../{name}"\n', C, [name] + SHARED


def files(root, patterns):
    root = pathlib.Path(root)
    return sorted({str(path.relative_to(root)) for pattern in patterns for path in root.glob(pattern)
                   if path.is_file() and path.suffix in (".c", ".h", ".hip", ".hpp", ".cpp")})


def every_file(root):
    return files(root, KERNELS + SHARED + LIBRARY + NATIVE)
