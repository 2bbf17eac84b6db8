#!/usr/bin/env bash
# Builds a wheel for each of `platforms`, and one in pure Python for all others.
# usage: wheels.sh PYTHON FOLDER [MACHINE...]    PYTHON has pip; without machines, all; `all` is pure Python
set -euo pipefail

python=$1 folder=$2
shift 2
# shellcheck source-path=SCRIPTDIR source=locked.sh
. "$(dirname "$0")/locked.sh"
machines=$*
build_wheels "$python" "$folder" "${machines:-$(architectures) all}"
