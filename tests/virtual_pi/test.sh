#!/usr/bin/env bash
# Builds the virtual Pi, unless it stands already; installs Millwright in it, and plays a whole game there.
# usage: test.sh PYTHON    one that has pip and build
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
python=$1
machine=$project/build/virtual_pi

made_from=$(cd "$here" && find build.sh ./*.c guest -type f -print0 | sort -z | xargs -0 sha256sum)
if [ "$(cat "$machine/made-from" 2>/dev/null)" != "$made_from" ]; then
    "$here/build.sh" "$machine"
    echo "$made_from" >"$machine/made-from"
fi

brought=$(mktemp -d)
trap 'rm -rf "$brought"' EXIT
cp "$here/brought/"* "$project/tests/web/page_client.py" "$brought/"
echo "building the wheel, and fetching those it needs for the virtual Pi's Python"
"$python" -m build --wheel --outdir "$brought/wheels" "$project" >"$brought/log" || { cat "$brought/log"; exit 1; }
fit=(--only-binary=:all: --python-version 3.11 --implementation cp --abi cp311 --abi abi3 --abi none --platform any)
for baseline in manylinux1 manylinux2014 manylinux_2_17 manylinux_2_28 manylinux_2_34; do
    fit+=(--platform "${baseline}_x86_64")
done
wheel=("$brought"/wheels/millwright-*.whl)
"$python" -m pip download --quiet --disable-pip-version-check --dest "$brought/wheels" "${fit[@]}" "${wheel[0]}[pi]"

echo "playing in the virtual Pi (some minutes, since it is emulated)"
"$here/boot.sh" "$machine" "$brought"
