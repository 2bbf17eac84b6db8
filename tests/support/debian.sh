# Debian in a folder, for the scripts that source this: installed once, and entered without a network.
# They set `root`, the folder, and `work`, one of their own that is deleted at the end.
# shellcheck shell=bash disable=SC2154

say() { printf '== %s (%s s)\n' "$*" "$SECONDS"; }
fail() {
    echo "FAILED: $*" >&2
    exit 1
}

[ "$(id -u)" = 0 ] || fail "only root can install Debian into a folder"
command -v mmdebstrap >/dev/null || fail "this needs mmdebstrap: apt-get install mmdebstrap"

# is_made INPUTS    whether $root is complete and was made from these; `made INPUTS` records that
is_made() { [ "$(cat "$root/made-from" 2>/dev/null)" = "$1" ]; }
made() { echo "$1" >"$root/made-from"; }

# install_debian RELEASE PACKAGES [OPTION...]    in place of what is in $root; the packages are separated by commas
install_debian() {
    local release=$1 packages=$2
    shift 2
    say "installing Debian ($release) into a folder"
    rm -rf "$root"
    mkdir -p "$(dirname "$root")"
    mmdebstrap --quiet --variant=minbase --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' --include="$packages" "$@" "$release" "$root" ||
        fail "no Debian ($release)"
}

# inside COMMAND...    in $root, with an environment, processes and devices of its own, and no network but its
# loopback. If there is a $root/project, it shows the checkout, which cannot be changed there.
inside() {
    # shellcheck disable=SC2016 # it is the inner shell's
    env --ignore-environment PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
        unshare --net --mount --pid --fork --kill-child sh -ec '
            project=$0 root=$1
            shift
            mount -t proc proc "$root/proc"
            mount -t tmpfs -o mode=1777 shm "$root/dev/shm"
            mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
            mount --bind "$root/dev/pts/ptmx" "$root/dev/ptmx"
            [ ! -d "$root/project" ] || mount --bind -o ro "$project" "$root/project"
            chroot "$root" python3 -c "
import fcntl, socket, struct
SIOCSIFFLAGS, IFF_UP = 0x8914, 1
with socket.socket() as any:
    fcntl.ioctl(any, SIOCSIFFLAGS, struct.pack(\"16sh\", b\"lo\", IFF_UP))"
            chroot "$root" "$@"' "$project" "$root" "$@"
}
