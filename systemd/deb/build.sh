#!/usr/bin/env bash
# Builds the Debian package, architecture all. Needs dpkg-deb, and a Python with pip and packaging.
# usage: build.sh PYTHON FOLDER    leaves FOLDER/millwright_VERSION_all.deb
#
#   WHEELS=FOLDER    take the locked files from wheels in FOLDER, and nothing from the network
#
# Millwright and the libraries it needs, all pure Python, are unpacked in a folder of their own, so that nothing is
# built or fetched on the Pi.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
python=$1 out=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
home=$root/usr/lib/millwright
maintainer="${DEBFULLNAME:-Millwright} <${DEBEMAIL:-millwright@localhost}>"
epoch=${SOURCE_DATE_EPOCH:-$(git -C "$project" log -1 --format=%ct 2>/dev/null || date +%s)}
umask 022

# shellcheck source-path=SCRIPTDIR source=../locked.sh
. "$project/systemd/locked.sh"
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
    # For all architectures: without the engine's library in C, with the tables.
    MILLWRIGHT_PURE=1 build_wheel "$python" "$work/wheel" "${fetch[@]}"
    wheel=("$work"/wheel/millwright_board-*.whl)
    version=$(basename "${wheel[0]}" | cut -d- -f2)
    "$python" -m pip install --quiet --disable-pip-version-check --no-input --no-compile --no-index --no-deps \
        --target "$home" "${wheel[0]}"
    install_locked
    rm -rf "${home:?}/bin" "${home:?}/share"
    refuse_compiled
    # Libraries are not programs, and some name an interpreter that Debian lacks.
    grep -rlZ --include='*.py' -m1 '^#!' "$home" | xargs -0 sed -i '1{/^#!/d}'
}

# Whatever its name is: ELF files begin with 7f 45 4c 46, and those of Windows with MZ.
refuse_compiled() {
    "$python" - "$home" <<'END'
import sys
from pathlib import Path

files = [path for path in Path(sys.argv[1]).rglob("*") if path.is_file()]
compiled = [str(path) for path in files if path.read_bytes()[:4].startswith((b"\x7fELF", b"MZ"))]
if compiled:
    sys.exit(f"This is compiled, and cannot be in a package for all architectures: {', '.join(compiled)}")
END
}

lay_out() {
    local from=$project/systemd
    install -D -m 755 "$here/millwright" "$root/usr/bin/millwright"
    install -D -m 644 -t "$root/usr/lib/systemd/system" "$from/millwright.service" "$from/millwright.socket"
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
    local script size
    mkdir -p "$root/DEBIAN"
    for script in postinst prerm postrm; do
        { printf '#!/bin/sh\nset -e\n'; cat "$project/systemd/steps.sh" "$here/$script"; } >"$root/DEBIAN/$script"
        chmod 755 "$root/DEBIAN/$script"
    done
    echo /etc/millwright/millwright.toml >"$root/DEBIAN/conffiles"
    size=$(du --summarize --block-size=1K --exclude=DEBIAN "$root" | cut -f1)
    sed -e "s/@VERSION@/$version/" -e "s/@SIZE@/$size/" \
        -e "s/@MAINTAINER@/$maintainer/" \
        "$here/control" >"$root/DEBIAN/control"
    (cd "$root" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | sort -z | xargs -0 md5sum) >"$work/md5sums"
    mv "$work/md5sums" "$root/DEBIAN/md5sums"
}

unpack_wheels
lay_out
describe
mkdir -p "$out"
find "$root" -exec touch --no-dereference --date="@$epoch" {} +
dpkg-deb --root-owner-group -Zxz --build "$root" "$out/millwright_${version}_all.deb"
