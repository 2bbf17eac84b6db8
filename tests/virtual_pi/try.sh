#!/usr/bin/env bash
# Tries one part in a machine of its own: makes a disk with what the part needs, and boots it as each of the models.
# usage: try.sh PYTHON MACHINE PART SCRIPT RELEASE MODELS    the last four as in `parts`; PACKAGE is the Debian package
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=$1 machine=$2 part=$3 script=$4 release=$5 models=$6
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
    cp -a --reflink=auto "$machine/$release" "$work/root"
    cp -r "$machine/kernel/lib/modules" "$work/root/usr/lib/"
    cp -r --no-dereference "$here/guest/." "$work/root/"
    mkdir -p "$work/root/opt/brought"
    cp "$here/$script" "$work/root/opt/brought/run.sh"
    "$here/$(dirname "$script")/bring.sh" "$python" "$work/root" "$(basename "$script" .sh)"
    truncate --size=1G "$work/disk"
    mke2fs -q -t ext4 -d "$work/root" "$work/disk"
    rm -rf "$work/root"
    for model in ${models//,/ }; do
        if ! "$here/boot.sh" "$machine/kernel" "$model" "$work/disk"; then
            echo "FAILED on $model ($SECONDS s)"
            exit 1
        fi
    done
    echo "passed ($SECONDS s)"
} 2>&1 | while IFS= read -r line; do printf '%s %4d s: %s\n' "$part" $SECONDS "$line"; done
