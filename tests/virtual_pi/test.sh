#!/usr/bin/env bash
# Builds the virtual Pi, unless it stands already, and tries PARTs in it, each in a machine of its own; without
# any, all. As many go side by side as there are cores.
# When all parts have passed, writes into `passed` what they were run with, as inputs.py lists it.
# usage: test.sh PYTHON [PART...]    PYTHON has pip and build; README.md says which parts there are
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
machine=$project/build/virtual_pi
python=$1
shift
# The longest first, so that none is left alone at the end.
parts=("$@")
[ $# -gt 0 ] || parts=(drivers script package trouble power)
say() { echo "$1 ($SECONDS s)"; }

made_from=$(cd "$here" && find build.sh packages ./*.c guest -type f -print0 | sort -z | xargs -0 sha256sum)
if [ "$(cat "$machine/made-from" 2>/dev/null)" != "$made_from" ]; then
    timeout 3600 "$here/build.sh" "$machine"
    echo "$made_from" >"$machine/made-from"
fi

inputs=$("$python" "$here/inputs.py") # as they are now: they may be edited while the machines run

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say "building the package"
"$project/systemd/deb/build.sh" "$python" "$work" >"$work/log" || { cat "$work/log"; exit 1; }
say "trying ${parts[*]} (some minutes, since they are emulated)"
if ! printf '%s\n' "${parts[@]}" |
    PACKAGE=$(echo "$work"/*.deb) xargs -P "$(nproc)" -I{} "$here/try.sh" "$python" "$machine" {}; then
    say "FAILED"
    exit 1
fi
[ $# -gt 0 ] || echo "$inputs" >"$here/passed"
say "done"
