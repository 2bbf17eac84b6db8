#!/usr/bin/env bash
# Lays into ROOT Millwright as a player has it, installed from files, and what tries its drivers there.
# usage: bring.sh PYTHON ROOT
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../../.." && pwd)
python=$1 root=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }; }

quietly "$python" -m build --wheel --outdir "$work/wheels" "$project"
wheel=("$work"/wheels/millwright_board-*.whl)
fit=(--only-binary=:all: --python-version 3.11 --implementation cp --abi cp311 --abi abi3 --abi none --platform any)
for baseline in manylinux1 manylinux2014 manylinux_2_17 manylinux_2_28 manylinux_2_34; do
    fit+=(--platform "${baseline}_x86_64")
done
quietly timeout 1800 "$python" -m pip download --quiet --disable-pip-version-check --dest "$work/wheels" \
    "${fit[@]}" "${wheel[0]}" pytest hypothesis jsonschema lgpio

brought=$root/opt/brought
mkdir -p "$brought/tests"
cp -r "$here"/*.sh "$work/wheels" "$project/pyproject.toml" "$brought/"
(cd "$project/tests" && cp -r __init__.py conftest.py contract firmware support "$brought/tests/")
mkdir -p "$brought/tests/virtual_pi"
cp -r "$here" "$brought/tests/virtual_pi/"
env --ignore-environment PATH=/usr/bin:/usr/sbin chroot "$root" /opt/brought/install.sh
rm -r "$brought/wheels"
