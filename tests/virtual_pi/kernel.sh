#!/usr/bin/env bash
# Makes Debian's arm64 kernel ready for the machine, with the modules that replace a Pi's chips: cross-compiled, as no
# emulated machine is needed for it. Needs root and the Debian packages listed in `packages`; takes half a minute.
# usage: kernel.sh FOLDER    leaves FOLDER/vmlinuz, FOLDER/initrd and FOLDER/lib/modules
#
# It is Debian 12's backport of Linux 6.12, the version that Raspberry Pi OS has, with which systems of both run.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "$1"
mkdir -p "$1"
folder=$(cd "$1" && pwd)
# The disk is memory, which of_pmem and nd_pmem make a disk of; what tests print goes to a virtio console. The
# others are the drivers that systemd/modules-load.conf names, and three radios in one air, with what encrypts there
# and what NetworkManager shares a network with.
at_boot=(of_pmem nd_pmem ext4 virtio_mmio)
later=(i2c-dev cdc-acm usbserial)
later+=(mac80211_hwsim ccm ctr cmac gcm nf_tables nft_chain_nat nft_masq nft_ct nft_reject_ipv4)

# apt with lists and settings of its own, since those of this machine are for another architecture.
apt() {
    APT_CONFIG=$work/apt.conf "$@"
}
configure_apt() {
    mkdir -p "$work"/apt/{lists/partial,cache/archives/partial,etc/{apt.conf.d,preferences.d,trusted.gpg.d}}
    cat >"$work/apt.conf" <<END
Dir::State "$work/apt";
Dir::State::status "/dev/null";
Dir::Cache "$work/apt/cache";
Dir::Etc "$work/apt/etc";
APT::Architecture "arm64";
APT::Architectures { "arm64"; "$(dpkg --print-architecture)"; };
APT::Sandbox::User "root";
Acquire::Languages "none";
END
    for suite in bookworm bookworm-backports; do
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $suite main"
    done >"$work/apt/etc/sources.list"
}

# The image, and what modules are compiled with; the compiler's helpers are for this machine.
fetch_kernel() {
    local version
    apt apt-get -qq update
    version=$(apt apt-cache show linux-headers-arm64/bookworm-backports |
        sed -n 's/^Depends: linux-headers-\([^ ,]*\)-arm64.*/\1/p')
    mkdir "$work/debs"
    (cd "$work/debs" && apt apt-get -qq download -t bookworm-backports busybox-static "linux-image-$version-arm64" \
        "linux-headers-$version-arm64" "linux-headers-$version-common" \
        "linux-kbuild-$version:$(dpkg --print-architecture)")
    for deb in "$work"/debs/*.deb; do dpkg-deb -x "$deb" "$work/kernel"; done
    release=$version-arm64 headers=$work/kernel/usr/src/linux-headers-$version-arm64
    sed -i "s|/usr/src|$work/kernel/usr/src|" "$headers/Makefile"
    rm "$headers/vmlinux" # only for BTF, which would need pahole
}

compile_modules() {
    mkdir -p "$work/compiled"
    cp "$here"/modules/*.c "$work/compiled/"
    (cd "$work/compiled" && for source in *.c; do echo "obj-m += ${source%.c}.o"; done >Makefile)
    make -s -C "$headers" M="$work/compiled" modules >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    aarch64-linux-gnu-strip --strip-debug "$work"/compiled/*.ko
}

# The files of some of Debian's modules, with those that they depend on.
files_of() {
    local module
    for module in "$@"; do
        modprobe --dirname "$work/kernel" --set-version "$release" --show-depends "$module"
    done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }'
}

choose_modules() {
    local modules=$folder/lib/modules/$release
    mkdir -p "$modules"
    cp "$work/kernel/lib/modules/$release"/modules.{order,builtin*} "$modules/"
    files_of "${at_boot[@]}" "${later[@]}" | xargs cp -t "$modules"
    cp "$work"/compiled/*.ko "$modules/"
    depmod -b "$folder" "$release"
}

# One that does no more than find the disk.
make_initrd() {
    mkdir -p "$work/initrd"/{bin,dev,disk,modules}
    cp "$work/kernel/bin/busybox" "$work/initrd/bin/"
    {
        echo '#!/bin/busybox sh'
        echo 'busybox mount -t devtmpfs dev /dev'
        files_of "${at_boot[@]}" | while read -r file; do
            name=$(basename "$file" .xz)
            xz --decompress --stdout "$file" >"$work/initrd/modules/$name"
            echo "busybox insmod /modules/$name"
        done
        echo 'until [ -b /dev/pmem0 ]; do busybox sleep 0.1; done'
        echo 'busybox mount -t ext4 /dev/pmem0 /disk'
        echo 'exec busybox switch_root /disk /sbin/init'
    } >"$work/initrd/init"
    chmod +x "$work/initrd/init"
    (cd "$work/initrd" && find . | cpio --quiet -o -H newc) >"$folder/initrd"
}

configure_apt
fetch_kernel
compile_modules
depmod -b "$work/kernel" "$release"
choose_modules
make_initrd
cp "$work/kernel/boot/vmlinuz-$release" "$folder/vmlinuz"
