#!/usr/bin/env bash
# Builds the virtual Pi, unless it stands already; installs Millwright in it, boots it, and tries all there.
# usage: test.sh PYTHON    one that has pip and build
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
python=$1
machine=$project/build/virtual_pi
say() { echo "$1 ($SECONDS s)"; }

made_from=$(cd "$here" && find build.sh packages ./*.c guest -type f -print0 | sort -z | xargs -0 sha256sum)
if [ "$(cat "$machine/made-from" 2>/dev/null)" != "$made_from" ]; then
    timeout 400 "$here/build.sh" "$machine"
    echo "$made_from" >"$machine/made-from"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say "building the wheel, and fetching what it needs for the virtual Pi's Python"
"$python" -m build --wheel --outdir "$work/wheels" "$project" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
wheel=("$work"/wheels/millwright-*.whl)
fit=(--only-binary=:all: --python-version 3.11 --implementation cp --abi cp311 --abi abi3 --abi none --platform any)
for baseline in manylinux1 manylinux2014 manylinux_2_17 manylinux_2_28 manylinux_2_34; do
    fit+=(--platform "${baseline}_x86_64")
done
pip() { timeout 300 "$python" -m pip "$@" --quiet --disable-pip-version-check; }
pip download --dest "$work/wheels" "${fit[@]}" "${wheel[0]}[pi]" pytest hypothesis 2>"$work/log" || { cat "$work/log"; exit 1; }

say "installing it in the machine"
brought=$machine/root/opt/brought
rm -rf "$brought" "$machine/root/opt/millwright"
mkdir -p "$brought/tests"
cp -r "$here/brought/." "$work/wheels" "$brought/"
cp "$project/pyproject.toml" "$brought/"
(cd "$project/tests" && cp -r contract firmware web conftest.py "$brought/tests/")
env --ignore-environment PATH=/usr/bin:/usr/sbin chroot "$machine/root" /opt/brought/install.sh
rm -r "$brought/wheels"

say "making the disk"
truncate --size=1G "$work/root.img"
mke2fs -q -t ext4 -d "$machine/root" "$work/root.img"

say "booting it (some minutes, since it is emulated)"
"$here/boot.sh" "$machine" "$work/root.img"
say "done"
