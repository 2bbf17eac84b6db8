#!/usr/bin/env bash
# Gathers Millwright's wheel and the locked files that its service needs, for an installation without a network.
# usage: gather.sh PYTHON FOLDER [VERSION MACHINE]
#
# PYTHON has pip and packaging. VERSION is that of the Python that it is to be installed with, as 3.11, and MACHINE
# what `dpkg --print-architecture` prints there: arm64, armhf, amd64. Without them it is for PYTHON's own.
set -euo pipefail

project=$(cd "$(dirname "$0")/.." && pwd)
python=$1 folder=$2
shift 2
# shellcheck source-path=SCRIPTDIR source=locked.sh
. "$project/systemd/locked.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
choose() { "$python" "$project/systemd/lock.py" "$@"; }

choose options "$@" >"$work/options"
choose list "$@" >"$work/requirements.lock"
mapfile -t fit <"$work/options"
locked_pip "$python" download --dest "$work/wheels" "${fit[@]}" -r "$work/requirements.lock"
build_wheels "$python" "$work/wheels" "${2:-own}"
# Files of an earlier lock or another target would stay unused, and hide that one is missing.
mkdir -p "$folder"
rm -f "$folder"/*.whl
mv "$work"/wheels/*.whl "$folder/"
