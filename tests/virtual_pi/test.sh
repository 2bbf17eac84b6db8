#!/usr/bin/env bash
# Builds the virtual Pi, unless it stands already, and tries PARTs in it, each in a machine of its own; without
# any, all that `parts` lists. As many go side by side as there are cores.
# When they have passed, writes what they were run with into `passed`, a file for each part, as inputs.py lists it.
# usage: test.sh PYTHON [PART...]    PYTHON has pip and build
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
machine=$project/build/virtual_pi
python=$1
shift
all=$(grep -v '^#' "$here/parts")
wanted=$all
[ $# -eq 0 ] || wanted=$(for part in "$@"; do
    grep "^$part " <<<"$all" || { echo "$here/parts has no $part" >&2; exit 1; }
done)
say() { echo "$1 ($SECONDS s)"; }

if [ "$(id -u)" != 0 ] || ! command -v dpkg-query >/dev/null; then
    echo "A virtual Pi is built by root, on Debian 12." >&2
    exit 1
fi
missing=$(while read -r package; do
    dpkg -s "$package" >/dev/null 2>&1 || printf ' %s' "$package"
done <"$here/packages")
if [ -n "$missing" ]; then
    echo "A virtual Pi needs these Debian packages: apt-get install --no-install-recommends$missing" >&2
    exit 1
fi
# While Debian for arm64 is installed into a folder, its programs run here.
[ -e /proc/sys/fs/binfmt_misc/register ] || mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
[ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] || update-binfmts --enable qemu-aarch64

# build NAME INPUTS COMMAND...    into a folder of that name, unless it stands there, made from these files
build() {
    local folder=$machine/$1 from
    # shellcheck disable=SC2086 # they are several
    from=$(cd "$here" && find $2 -type f -print0 | sort -z | xargs -0 sha256sum)
    shift 2
    [ "$(cat "$folder.made-from" 2>/dev/null)" != "$from" ] || return 0
    say "making $folder"
    "$@" "$folder"
    echo "$from" >"$folder.made-from"
}
mkdir -p "$machine"
jobs=()
build kernel "kernel.sh modules" "$here/kernel.sh" &
jobs+=($!)
while read -r release; do
    build "$release" "system.sh ../support/debian.sh" "$here/system.sh" "$release" &
    jobs+=($!)
done < <(awk '{ print $3 }' <<<"$wanted" | sort -u)
for job in "${jobs[@]}"; do wait "$job"; done

inputs=$("$python" "$here/inputs.py") # as they are now: they may be edited while the machines run

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say "building the package"
"$project/systemd/deb/build.sh" "$python" "$work" arm64 >"$work/log" || { cat "$work/log"; exit 1; }
say "trying $(awk '{ printf "%s%s", sep, $1; sep = ", " }' <<<"$wanted") (some minutes, since they are emulated)"
if ! PACKAGE=$(echo "$work"/*.deb) xargs -P "$(nproc)" -L 1 "$here/try.sh" "$python" "$machine" <<<"$wanted"; then
    say "FAILED"
    exit 1
fi
mkdir -p "$here/passed"
while read -r part _; do echo "$inputs" >"$here/passed/$part"; done <<<"$wanted"
say "done"
