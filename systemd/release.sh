#!/usr/bin/env bash
# Builds everything that a release hands out, twice, and keeps it only if both are the same byte for byte.
# usage: release.sh PYTHON FOLDER [MACHINE...]    leaves FOLDER/millwright-VERSION with SHA256SUMS
#
# Needs what wheels.sh and deb/build.sh need, and avr-gcc. The machines are those of `platforms`, and `all`; without any,
# all of them. The dates in the files are that of the last commit, so anyone who builds that commit gets the same files.
#
#   WHEELS=FOLDER        take the locked files from wheels in FOLDER, and nothing from the network
#   RELEASE_KEY=FILE     sign the Debian packages with this private key, for boards that are updated by their page
set -euo pipefail

project=$(cd "$(dirname "$0")/.." && pwd)
with=$(realpath --no-symlinks "$1") out=$2
shift 2
# shellcheck source-path=SCRIPTDIR source=locked.sh
. "$project/systemd/locked.sh"
machines=("$@")
[ "$#" != 0 ] || mapfile -t machines < <(architectures && echo all)
cd "$project"

if [ -n "$(git status --porcelain)" ]; then
    echo "There are changes that are not committed (git status): a release is built from a commit." >&2
    exit 1
fi
if ! command -v avr-gcc >/dev/null; then
    echo "The Nano's firmware needs avr-gcc: apt-get install gcc-avr avr-libc" >&2
    exit 1
fi
version=$("$with" -c 'import firmware_host; print(firmware_host.__version__)')
[ "$(git describe --tags --exact-match 2>/dev/null)" = "v$version" ] ||
    echo "This commit isn't tagged v$version: tag it before these files are handed out." >&2
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { echo "$* ..." >&2; }

# The firmware for each number of multiplexers that the guide's boards have.
build_firmware() {
    local chips
    for chips in 3 6; do
        make --silent -C hardware/firmware BUILD="$work/firmware-$chips" CHIPS="$chips" >/dev/null
        install -D -m 644 "$work/firmware-$chips/millwright.hex" "$1/firmware/nano-$chips-multiplexers.hex"
    done
    install -D -m 644 -t "$1/firmware/pico" hardware/pico/*.py
}

# The files for a cutter, the drawings of the wiring, and the circuit boards to order, of the recommended boards.
draw() {
    local rules
    : >"$work/defaults.toml"
    for rules in standard mitsudomoe; do
        "$with" -m firmware_host plates --config "$work/defaults.toml" --rules "$rules" "$1/plates/$rules" >/dev/null
    done
    "$with" -m firmware_host plates --config "$work/defaults.toml" --electronics controller \
        "$1/plates/standard-circuit-boards" >/dev/null
    install -D -m 644 -t "$1/drawings" hardware/drawings/*.svg
    install -D -m 644 -t "$1/boards" hardware/pcb/files/*.zip hardware/pcb/files/*.csv
}

build() {
    local folder=$1
    say "the wheels of $version"
    systemd/wheels.sh "$with" "$folder/wheels" "${machines[@]}"
    say "the Debian packages"
    systemd/deb/build.sh "$with" "$folder/deb" "${machines[@]}"
    say "firmware, plates, drawings and circuit boards"
    # The files of a card in one folder: they are copied onto it together.
    install -D -m 644 hardware/boot/first_start.sh "$folder/card/vendor-data"
    cp "$folder"/deb/millwright_*_arm*.deb "$folder/card/" 2>/dev/null || true
    build_firmware "$folder"
    draw "$folder"
    (cd "$folder" && find . -type f -printf '%P\0' | sort -z | xargs -0 sha256sum) >"$work/sums"
    mv "$work/sums" "$folder/SHA256SUMS"
}

build "$work/once"
build "$work/twice"
if ! diff "$work/once/SHA256SUMS" "$work/twice/SHA256SUMS" >&2; then
    echo "These files differ between two builds of one commit, so nobody could check them. Nothing was kept." >&2
    exit 1
fi
# Beside what anybody can build again, and not in SHA256SUMS: nobody else has the key.
if [ -n "${RELEASE_KEY:-}" ]; then
    install -D -m 644 -t "$work/once/update" "$work"/once/deb/*.deb
    systemd/update/sign.sh "$RELEASE_KEY" "$work"/once/update/*.deb
fi
mkdir -p "$out"
rm -rf "$out/millwright-$version"
mv "$work/once" "$out/millwright-$version"
echo "$out/millwright-$version: $(wc -l <"$out/millwright-$version/SHA256SUMS") files, the same in two builds"
