#!/usr/bin/env bash
# Unpacks a wheel from PyPI into a folder: headers and libraries that Debian does not package. Needs python3-pip.
#
#   scripts/fetch_wheel.sh PACKAGE[==VERSION] FOLDER
set -euo pipefail
python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$2" "$1"
python3 -m zipfile -e "$2"/*.whl "$2"
