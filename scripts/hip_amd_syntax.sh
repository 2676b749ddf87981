#!/usr/bin/env bash
# Has clang read the GPU backend, and what finds AMD's runtime, through the headers of a HIP newer than Debian's, host
# pass and device pass; nothing is built. PyPI's triton carries such headers, of HIP 7.1, and nothing of it is shipped.
# Needs clang-19 and pip; 10 seconds of CPU time, and a wheel of 290 MB.
#
#     scripts/hip_amd_syntax.sh [FOLDER]    FOLDER keeps the wheel; by default it is fetched anew
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
wheels=${1:-$scratch/wheels}
compgen -G "$wheels/triton-*.whl" >/dev/null ||
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$wheels" \
        triton==3.9.0

# A folder as ROCm's: headers, and the file by which clang knows that it is one.
python3 - "$wheels" "$scratch" <<'EOF'
import pathlib
import re
import sys
import zipfile

wheel, = pathlib.Path(sys.argv[1]).glob("triton-*.whl")
rocm = pathlib.Path(sys.argv[2]) / "rocm"
with zipfile.ZipFile(wheel) as files:
    for name in files.namelist():
        if name.startswith("triton/backends/amd/include/hip/") and not name.endswith("/"):
            header = rocm / "include" / name.removeprefix("triton/backends/amd/include/")
            header.parent.mkdir(parents=True, exist_ok=True)
            header.write_bytes(files.read(name))
defines = (rocm / "include/hip/hip_version.h").read_text()
version = re.findall(r"define (HIP_VERSION_(?:MAJOR|MINOR|PATCH)) (\d+)", defines)
(rocm / "share/hip").mkdir(parents=True)
(rocm / "share/hip/version").write_text("".join(f"{name}={value}\n" for name, value in version))
EOF
version=$(sed -n 's/^HIP_VERSION_M[A-Z]*=//p' "$scratch/rocm/share/hip/version" | paste -sd.)

# read_through OPTION...: of clang. -isystem: else another HIP's headers in a folder that clang searches by default come
# first.
read_through() {
    clang++-19 -x hip --offload-arch=gfx1100 -nogpulib --rocm-path="$scratch/rocm" -isystem "$scratch/rocm/include" \
        -std=c++17 -DWF_WAVE_WIDTH=32 -Wall -Wextra -Wshadow -Werror -Iinclude -Isrc -Ihip "$@"
}

for pass in host device; do
    for source in hip/backend.hip hip/amd/*.cpp; do
        read_through --cuda-$pass-only -fsyntax-only "$source"
    done
    if ! read_through --cuda-$pass-only -M hip/backend.hip |
        grep "$scratch/rocm/include/hip/hip_version.h" >/dev/null; then
        echo "clang did not read HIP $version's headers, but others" >&2
        exit 1
    fi
    echo "read through the headers of HIP $version: $pass pass"
done
