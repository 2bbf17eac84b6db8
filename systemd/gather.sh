#!/usr/bin/env bash
# Gathers the wheels of Millwright and of all that its service needs, for an installation without a network.
# usage: gather.sh PYTHON FOLDER [VERSION MACHINE]
#
# PYTHON is one that has pip and build. VERSION is that of the Python that it is to be installed with, as 3.11,
# and MACHINE what `uname -m` says there: aarch64, x86_64. Without them it is for PYTHON's own.
# For what there is no wheel for, such as lgpio for Python 3.13, there must be a package of the system there.
set -euo pipefail

project=$(cd "$(dirname "$0")/.." && pwd)
python=$1 folder=$2 version=${3:-} machine=${4:-}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
quietly() { "$@" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }; }

mkdir -p "$folder"
rm -f "$folder"/millwright_board-*.whl
quietly "$python" -m build --wheel --outdir "$folder" "$project"
wheel=("$folder"/millwright_board-*.whl)
fit=()
if [ -n "$version" ]; then
    tag=cp${version/./}
    fit=(--only-binary=:all: --python-version "$version" --implementation cp --abi "$tag" --abi abi3 --abi none)
    fit+=(--platform any)
    for baseline in manylinux2014 manylinux_2_17 manylinux_2_28 manylinux_2_34; do
        fit+=(--platform "${baseline}_$machine")
    done
fi
fetch() { "$python" -m pip download --quiet --disable-pip-version-check --dest "$folder" "${fit[@]}" "$@"; }
if fetch "${wheel[0]}[service]" 2>"$log"; then exit 0; fi
grep -q 'No matching distribution found for lgpio' "$log" || { cat "$log" >&2; exit 1; }
quietly fetch "${wheel[0]}"
echo "There is no wheel of lgpio for this Python: the system needs its own, python3-lgpio." >&2
