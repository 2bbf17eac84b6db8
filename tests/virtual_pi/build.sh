#!/usr/bin/env bash
# Builds a machine that is a Raspberry Pi to the program: Debian with its own kernel, and in place of a Pi's
# chips two kernel modules, muxboard.c and striptap.c. Needs root, on Debian 12; takes about two minutes.
# usage: build.sh FOLDER
set -euo pipefail

release=bookworm # the modules are for its kernel, 6.1, and the wheels for its Python, 3.11
if ! grep -qx "VERSION_CODENAME=$release" /etc/os-release || [ "$(id -u)" != 0 ]; then
    echo "A virtual Pi is built by root, on Debian 12 ($release)." >&2
    exit 1
fi
needed="qemu-system-x86 mmdebstrap e2fsprogs gcc make kmod linux-headers-amd64"
missing=$(for package in $needed; do dpkg -s "$package" >/dev/null 2>&1 || printf ' %s' "$package"; done)
if [ -n "$missing" ]; then
    echo "A virtual Pi needs these Debian packages: apt-get install --no-install-recommends$missing" >&2
    exit 1
fi

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$1"
folder=$(cd "$1" && pwd)
sources=/etc/apt/sources.list.d/debian.sources
kernel=$(dpkg-query -Wf '${Depends}\n' linux-headers-amd64 | sed -n 's/.*linux-headers-\([^ ,]*\).*/\1/p')

echo "building the kernel's modules for $kernel"
for module in muxboard striptap; do
    mkdir "$work/$module"
    cp "$here/$module.c" "$work/$module"
    echo "obj-m := $module.o" >"$work/$module/Makefile"
    make -s -C "/usr/src/linux-headers-$kernel" M="$work/$module" modules 2>"$work/log" || { cat "$work/log"; exit 1; }
done

echo "installing Debian into a folder"
mmdebstrap --quiet --variant=minbase --include="linux-image-$kernel,systemd-sysv,udev,kmod,python3-venv" \
    "$release" "$work/root" "$sources"

cp "$work"/*/*.ko "$work/root/lib/modules/$kernel/"
depmod -b "$work/root" "$kernel"
cp -r "$here/guest/." "$work/root/"
for group in gpio spi; do chroot "$work/root" groupadd --system "$group"; done
chroot "$work/root" useradd --create-home --groups gpio,spi player
chroot "$work/root" systemctl --quiet enable play.service
chroot "$work/root" systemctl --quiet mask getty.target serial-getty@ttyS0.service

echo "making the disk"
mv "$work/root/boot/vmlinuz-$kernel" "$folder/vmlinuz"
mv "$work/root/boot/initrd.img-$kernel" "$folder/initrd"
rm -f "$folder/root.img"
truncate --size=2G "$work/root.img"
mke2fs -q -t ext4 -d "$work/root" "$work/root.img"
mv "$work/root.img" "$folder/root.img"
