#!/usr/bin/env bash
# Builds a machine that is a Raspberry Pi to the program: Debian with its own kernel, and in place of a Pi's
# chips two kernel modules, muxboard.c and striptap.c. Needs root, on Debian 12; takes about a minute.
# usage: build.sh FOLDER    leaves FOLDER/root (what is to be on its disk), FOLDER/vmlinuz and FOLDER/initrd
set -euo pipefail

release=bookworm # the modules are for its kernel, 6.1, and the wheels for its Python, 3.11
if ! grep -qx "VERSION_CODENAME=$release" /etc/os-release || [ "$(id -u)" != 0 ]; then
    echo "A virtual Pi is built by root, on Debian 12 ($release)." >&2
    exit 1
fi
here=$(cd "$(dirname "$0")" && pwd)
missing=$(while read -r package; do
    dpkg -s "$package" >/dev/null 2>&1 || printf ' %s' "$package"
done <"$here/packages")
if [ -n "$missing" ]; then
    echo "A virtual Pi needs these Debian packages: apt-get install --no-install-recommends$missing" >&2
    exit 1
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$1"
folder=$(cd "$1" && pwd)
rm -rf "$folder"/{root,vmlinuz,initrd,made-from}
root=$folder/root
kernel=$(dpkg-query -Wf '${Depends}\n' linux-headers-amd64 | sed -n 's/.*linux-headers-\([^ ,]*\).*/\1/p')
say() { echo "$1 ($SECONDS s)"; }

say "installing Debian into a folder"
mmdebstrap --quiet --variant=minbase --include="systemd-sysv,udev,kmod,python3-venv" \
    --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    "$release" "$root" /etc/apt/sources.list.d/debian.sources &
debian=$!

# At the same time the kernel; its package would make an initrd, which takes longer than everything else.
(
    cd "$work"
    apt-get -qq -o APT::Sandbox::User=root download "linux-image-$kernel"
    dpkg-deb -x linux-image-*.deb image
    for module in muxboard striptap; do
        mkdir $module
        cp "$here/$module.c" $module
        echo "obj-m := $module.o" >$module/Makefile
        make -s -C "/usr/src/linux-headers-$kernel" M="$work/$module" modules 2>log || { cat log; exit 1; }
        strip --strip-debug $module/$module.ko
    done
)
wait $debian

say "adding the kernel, its modules and what makes it a Pi"
cp "$work/image/boot/vmlinuz-$kernel" "$folder/vmlinuz"
modules=lib/modules/$kernel
mkdir -p "$root/$modules"
cp "$work/image/$modules"/modules.* "$root/$modules/"
for part in fs/ext4 fs/jbd2 fs/mbcache.ko fs/configfs crypto lib arch drivers/{acpi,char,dax,i2c,nvdimm,spi,virtio}; do
    mkdir -p "$root/$modules/kernel/$(dirname "$part")"
    cp -r "$work/image/$modules/kernel/$part" "$root/$modules/kernel/$part"
done
cp "$work"/*/*.ko "$root/$modules/"
depmod -b "$root" "$kernel"
cp -r "$here/guest/." "$root/"
for group in gpio spi; do chroot "$root" groupadd --system "$group"; done
chroot "$root" useradd --create-home --groups gpio,spi player
chroot "$root" systemctl --quiet enable play.service
chroot "$root" systemctl --quiet mask getty.target serial-getty@ttyS0.service

# An initrd that does no more than find the disk.
mkdir -p "$work/initrd"/{bin,dev,proc,sys,disk,modules}
cp /bin/busybox "$work/initrd/bin/"
{
    echo '#!/bin/busybox sh'
    echo 'busybox mount -t devtmpfs dev /dev'
    for wanted in nfit nd_pmem ext4; do
        modprobe --dirname "$root" --set-version "$kernel" --show-depends $wanted
    done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' | while read -r file; do
        cp "$file" "$work/initrd/modules/"
        echo "busybox insmod /modules/$(basename "$file")"
    done
    echo 'until [ -b /dev/pmem0 ]; do busybox sleep 0.1; done'
    echo 'busybox mount -t ext4 /dev/pmem0 /disk'
    echo 'exec busybox switch_root /disk /sbin/init'
} >"$work/initrd/init"
chmod +x "$work/initrd/init"
(cd "$work/initrd" && find . | cpio --quiet -o -H newc) >"$folder/initrd"
say "the machine stands"
