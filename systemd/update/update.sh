#!/bin/sh
# Installs a package that the board's page has taken, and goes back to the one before if the board doesn't play with
# it. millwright-update.path starts this as root, also after a power cut in the middle of it.
#
# Invariants: nothing is unpacked, and no field of a package is read, before the release's key has signed it. A package
# that isn't newer is refused, so that nobody brings an old fault back. The upload, which the board's user may change at
# any time, even into a link to a file of root's, is copied first, and what is copied only root can read. Games,
# configuration and paired devices are not touched.
set -u

upload=${UPLOAD:-/var/lib/millwright/update.deb}
own=${OWN:-/var/lib/millwright-update}
keys=${KEYS:-/etc/millwright/release.signers /usr/share/millwright/release.signers}
root=${ROOT:-/}
seconds=${SECONDS_TO_PLAY:-60}
most=67108864
signature_bytes=1024 # systemd/update/sign.sh appends them as the last member of the package, behind a head of 60 bytes
head_bytes=60

# result WORD [VERSION]    what pages show
result() {
    printf '%s %s\n' "$1" "${2:-}" >"$own/result.new"
    chmod 644 "$own/result.new"
    mv "$own/result.new" "$own/result"
    echo "millwright-update: $*"
}

version() { dpkg-query --show --showformat='${Version}' millwright; }

# Succeeds if a release's key has signed own/upload; own/new.deb is the package then, without its signature.
is_signed() (
    umask 077
    size=$(stat --format=%s "$own/upload")
    [ "$size" -gt $((signature_bytes + head_bytes)) ] || exit 1
    head -c $((size - signature_bytes - head_bytes)) "$own/upload" >"$own/new.deb"
    tail -c "$signature_bytes" "$own/upload" >"$own/signature"
    for file in $keys; do
        [ -f "$file" ] || continue
        ssh-keygen -Y verify -f "$file" -I release -n millwright-package -s "$own/signature" <"$own/new.deb" && exit 0
    done
    exit 1
)

# Packs the version that is installed again, as own/former.deb.
pack_former() {
    rm -rf "$own/former" "$own/former.deb"
    mkdir -p "$own/former/DEBIAN"
    dpkg-query --status millwright | sed '/^Status:/d; /^Conffiles:/,/^[^ ]/{/^Conffiles:/d; /^ /d}' \
        >"$own/former/DEBIAN/control"
    for script in postinst prerm postrm conffiles; do
        from=$root/var/lib/dpkg/info/millwright.$script
        [ ! -f "$from" ] || cp -p "$from" "$own/former/DEBIAN/$script"
    done
    dpkg-query --listfiles millwright | while read -r path; do
        cd "$root" || return
        if [ -L ".$path" ] || [ -f ".$path" ]; then cp -dp --parents ".$path" "$own/former" || return; fi
    done || return
    dpkg-deb --root-owner-group -Znone --build "$own/former" "$own/former.deb" >/dev/null || return 1
    rm -rf "$own/former"
}

installs() { DEBIAN_FRONTEND=noninteractive dpkg --force-confold --force-downgrade --install "$1"; }

shown() { systemctl show --property="$1" --value millwright.service; }

# Succeeds if the board comes up in time and stays up, or waits for hardware and says so.
plays() {
    waited=0
    while [ "$waited" -lt "$seconds" ]; do
        sleep 1
        waited=$((waited + 1))
        state=$(shown ActiveState)/$(shown SubState)
        case $state in activating/auto-restart* | failed/*) return 1 ;; esac
        [ "$(shown NRestarts)" = 0 ] || return 1
    done
    case $state/$(shown StatusText) in
        active/running/"safe mode"*) return 1 ;;
        active/running/* | activating/start/?*) ;;
        *) return 1 ;;
    esac
}

# The board plays with the version on trial, or the former one comes back.
judge() {
    on_trial=$(cat "$own/trial")
    dpkg --force-confold --configure --pending
    if [ "$(version)" = "$on_trial" ] && plays; then
        rm -f "$own/trial"
        result installed "$on_trial"
    elif installs "$own/former.deb"; then
        rm -f "$own/trial"
        result undone "$on_trial"
    else
        rm -f "$own/trial"
        result stuck "$on_trial"
    fi
}

take() {
    rm -f "$own/upload"
    (umask 077 && [ -f "$upload" ] && [ ! -L "$upload" ] && head -c "$most" "$upload" >"$own/upload")
    rm -f "$upload"
    if ! is_signed; then result unsigned; return; fi
    new=$(dpkg-deb --field "$own/new.deb" Version)
    if [ "$(dpkg-deb --field "$own/new.deb" Package)" != millwright ]; then result other; return; fi
    case $(dpkg-deb --field "$own/new.deb" Architecture) in
        all | "$(dpkg --print-architecture)") ;;
        *) result other; return ;;
    esac
    if ! dpkg --compare-versions "$new" gt "$(version)"; then result older "$new"; return; fi
    if ! pack_former; then result no-room; return; fi
    result installing "$new"
    echo "$new" >"$own/trial"
    sync
    installs "$own/new.deb"
    judge
}

main() {
    mkdir -p "$own"
    if [ -e "$own/trial" ]; then judge; fi
    if [ -e "$upload" ] || [ -L "$upload" ]; then take; fi
    rm -rf "$own/upload" "$own/new.deb" "$own/signature" "$own/former"
}

main
