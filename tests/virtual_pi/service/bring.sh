#!/usr/bin/env bash
# Lays into ROOT what SCRIPT needs to try the service there: the Debian package, or what `make install`'s script
# takes. All is installed there, without a network, but for those that begin where that is done.
# usage: bring.sh PYTHON ROOT SCRIPT    PACKAGE is the Debian package
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../../.." && pwd)
python=$1 root=$2 script=$3
brought=$root/opt/brought
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }; }

cp "$here"/*.py "$here/parts.sh" "$brought/"

# A version that installs, and ends as soon as it is started.
gather_broken() {
    mkdir "$work/broken"
    (cd "$project" && cp -r firmware_host hardware sim systemd hatch_build.py pyproject.toml README.md LICENSE "$work/broken/")
    sed -i 's/^__version__ = .*/__version__ = "99.0"/' "$work/broken/firmware_host/__init__.py"
    echo 'raise SystemExit("this version is broken")' >>"$work/broken/firmware_host/commands/run.py"
    cp -r "$brought/wheels" "$brought/broken"
    rm "$brought"/broken/millwright_board-*.whl
    quietly env MILLWRIGHT_PURE=1 "$python" -m build --wheel --outdir "$brought/broken" "$work/broken"
}

# A package like PACKAGE with another version, and with SCRIPT, which edits it where it is unpacked; signed.
# repack VERSION NAME SCRIPT
repack() {
    local folder=$work/$2
    dpkg-deb --raw-extract "$PACKAGE" "$folder"
    sed -i "s/^Version: .*/Version: $1/" "$folder/DEBIAN/control"
    sed -i "s/^__version__ = .*/__version__ = \"$1\"/" "$folder/usr/lib/millwright/firmware_host/__init__.py"
    (cd "$folder" && eval "$3")
    quietly dpkg-deb --root-owner-group --build "$folder" "$brought/$2.deb"
    "$project/systemd/update/sign.sh" "$work/key" "$brought/$2.deb"
}

# Packages to update a board with: a newer version, one that ends as soon as it is started, and one that nobody signed.
gather_updates() {
    ssh-keygen -q -t ed25519 -N '' -f "$work/key"
    install -D --mode=644 <(echo "release $(cat "$work/key.pub")") "$root/etc/millwright/release.signers"
    repack 98.0 newer ''
    repack 99.0 broken 'echo "raise SystemExit(\"this version is broken\")" >>usr/lib/millwright/firmware_host/commands/run.py'
    cp "$PACKAGE" "$brought/unsigned.deb"
}

case $script in
    package | guide) cp "$PACKAGE" "$brought/" ;;
    card)
        cp -r --no-dereference "$here/card/." "$root/"
        rm "$root/etc/cloud/cloud-init.disabled"
        # cloud-init doesn't start without certificates, and the system has none, since nothing is fetched there.
        install -D --mode=644 /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
        env --ignore-environment PATH=/usr/sbin:/usr/bin chroot "$root" systemctl --quiet enable \
            NetworkManager.service avahi-daemon.service
        quietly "$python" -m firmware_host card-files "$root/boot/firmware" "$PACKAGE"
        gather_updates
        ;;
    script)
        "$project/systemd/gather.sh" "$python" "$brought/wheels" 3.11 arm64
        gather_broken
        cp -r "$project/systemd" "$brought/"
        ;;
    *)
        cp "$PACKAGE" "$brought/"
        quietly env --ignore-environment PATH=/usr/sbin:/usr/bin chroot "$root" sh -c 'dpkg --install /opt/brought/*.deb'
        ;;
esac
