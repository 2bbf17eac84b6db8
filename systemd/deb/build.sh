#!/usr/bin/env bash
# Builds Debian packages. Needs dpkg-deb, and a Python with pip and packaging.
# usage: build.sh PYTHON FOLDER [ARCHITECTURE...]    leaves FOLDER/millwright_VERSION_ARCHITECTURE.deb
#
# The architectures are those of ../platforms, and `all` for a package in pure Python; without any, those of ../platforms.
#
#   WHEELS=FOLDER    take the locked files from wheels in FOLDER, and nothing from the network
#
# Millwright and the libraries it needs are unpacked in a folder of their own, so that nothing is built or fetched on
# the Pi. The libraries are all pure Python; the engine's library in C is compiled here.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
python=$1 out=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
maintainer="${DEBFULLNAME:-Millwright} <${DEBEMAIL:-millwright@localhost}>"
epoch=${SOURCE_DATE_EPOCH:-$(git -C "$project" log -1 --format=%ct 2>/dev/null || date +%s)}
umask 022

# shellcheck source-path=SCRIPTDIR source=../locked.sh
. "$project/systemd/locked.sh"
machines=$*
machines=${machines:-$(architectures)}
fetch=()
[ -z "${WHEELS:-}" ] || fetch=(--no-index --find-links "$WHEELS")

# Unpacks what the lock lists for the package, for the oldest Python and the kind of machine that has the fewest wheels.
install_locked() {
    local fit target=(3.11 armhf)
    "$python" "$project/systemd/lock.py" options "${target[@]}" >"$work/options"
    "$python" "$project/systemd/lock.py" list --packaged "${target[@]}" >"$work/requirements.lock"
    mapfile -t fit <"$work/options"
    locked_pip "$python" install --no-compile --target "$home" "${fetch[@]}" "${fit[@]}" -r "$work/requirements.lock"
}

unpack_wheels() {
    local wheel tags=any
    [ "$architecture" = all ] || read -r _ _ _ tags < <(platform "$architecture")
    wheel=("$work"/wheels/millwright_board-*-"$tags.whl")
    version=$(basename "${wheel[0]}" | cut -d- -f2)
    # By its name, since pip would record the wheel's path, which is another one in each build.
    "$python" -m pip install --quiet --disable-pip-version-check --no-input --no-compile --no-index --no-deps \
        --only-binary=:all: --platform "${tags%%.*}" --target "$home" --find-links "$work/wheels" \
        "millwright-board==$version"
    install_locked
    rm -rf "${home:?}/bin" "${home:?}/share"
    check_compiled
    # Libraries are not programs, and some name an interpreter that Debian lacks.
    grep -rlZ --include='*.py' -m1 '^#!' "$home" | xargs -0 sed -i '1{/^#!/d}'
}

# The engine's library is there, is for this architecture, and nothing else is compiled, whatever its name is: ELF files
# begin with 7f 45 4c 46 and have their machine's number at 18, and those of Windows begin with MZ.
check_compiled() {
    "$python" - "$home" "$architecture" <<'END'
import sys
from pathlib import Path

LIBRARY = "firmware_host/engine/native/libmw.so"
MACHINES = {"amd64": 62, "arm64": 183, "armhf": 40, "riscv64": 243}

home, architecture = Path(sys.argv[1]), sys.argv[2]
heads = {path.relative_to(home): path.read_bytes()[:20] for path in home.rglob("*") if path.is_file()}
compiled = {str(path): head for path, head in heads.items() if head.startswith((b"\x7fELF", b"MZ"))}
found = {path: int.from_bytes(head[18:20], "little") for path, head in compiled.items()}
if found != ({} if architecture == "all" else {LIBRARY: MACHINES[architecture]}):
    sys.exit(f"This is compiled, and is not what the package for {architecture} must have: {found}")
END
}

lay_out() {
    local from=$project/systemd
    install -D -m 755 "$here/millwright" "$root/usr/bin/millwright"
    install -D -m 644 -t "$root/usr/lib/systemd/system" "$from/millwright.service" "$from/millwright.socket"
    install -D -m 644 -t "$root/usr/lib/systemd/system" "$from"/update/millwright-update.*
    install -d "$root/usr/lib/systemd/system/paths.target.wants"
    ln -s ../millwright-update.path "$root/usr/lib/systemd/system/paths.target.wants/millwright-update.path"
    install -D -m 755 "$from/update/update.sh" "$root/usr/libexec/millwright-update"
    install -D -m 644 -t "$root/usr/share/millwright" "$from/update/release.signers"
    install -D -m 644 -t "$root/usr/lib/udev/rules.d" "$from/60-millwright.rules"
    install -D -m 644 "$from/sysusers.conf" "$root/usr/lib/sysusers.d/millwright.conf"
    install -D -m 644 "$from/modules-load.conf" "$root/usr/lib/modules-load.d/millwright.conf"
    install -D -m 644 -t "$root/etc/millwright" "$from/millwright.toml"
    install -D -m 644 -t "$root/usr/share/doc/millwright" "$project/README.md" "$project/CHANGELOG.md"
    install -D -m 644 "$here/lintian-overrides" "$root/usr/share/lintian/overrides/millwright"
    "$python" -BP "$here/papers.py" "$home" "$root/usr/share/doc/millwright" "$root/usr/share/man/man1" \
        "$version" "$maintainer" "$(date --utc --rfc-email --date="@$epoch")"
}

# The package's own scripts, each with the steps in front that it shares with install.sh.
describe() {
    local script size libraries=
    mkdir -p "$root/DEBIAN"
    for script in postinst prerm postrm; do
        { printf '#!/bin/sh\nset -e\n'; cat "$project/systemd/steps.sh" "$here/$script"; } >"$root/DEBIAN/$script"
        chmod 755 "$root/DEBIAN/$script"
    done
    echo /etc/millwright/millwright.toml >"$root/DEBIAN/conffiles"
    size=$(du --summarize --block-size=1K --exclude=DEBIAN "$root" | cut -f1)
    [ "$architecture" = all ] || libraries="libc6, "
    sed -e "s/@VERSION@/$version/" -e "s/@SIZE@/$size/" -e "s/@ARCHITECTURE@/$architecture/" \
        -e "s/@LIBRARIES@/$libraries/" -e "s/@MAINTAINER@/$maintainer/" \
        "$here/control" >"$root/DEBIAN/control"
    (cd "$root" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | sort -z | xargs -0 md5sum) >"$work/md5sums"
    mv "$work/md5sums" "$root/DEBIAN/md5sums"
}

build_package() {
    architecture=$1 root=$work/root-$1
    home=$root/usr/lib/millwright
    unpack_wheels
    lay_out
    describe
    find "$root" -exec touch --no-dereference --date="@$epoch" {} +
    dpkg-deb --root-owner-group -Zxz --build "$root" "$out/millwright_${version}_$architecture.deb"
}

mkdir -p "$out"
build_wheels "$python" "$work/wheels" "$machines" "${fetch[@]}"
for machine in $machines; do build_package "$machine"; done
