#!/usr/bin/env bash
# Installs Debian for arm64 into a folder, with the groups of Raspberry Pi OS and a user who is in them. Needs root on
# Debian, and the packages listed in `packages`; takes some minutes, since Debian's own scripts run under emulation.
# usage: system.sh RELEASE ROOT
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
release=$1 root=$2
# shellcheck source-path=SCRIPTDIR source=../support/debian.sh
. "$project/tests/support/debian.sh"

# The slowest steps under emulation are left out: merging /usr afterwards, and certificates, as nothing is fetched.
packages=usr-is-merged,systemd-sysv,udev,kmod,python3-venv
# Raspberry Pi OS has them all, and sets itself up by cloud-init since Trixie; only the part `card` lets them start.
[ "$release" = bookworm ] || packages+=,cloud-init,openssh-client,network-manager,wpasupplicant,dnsmasq-base,polkitd,iw,iproute2,nftables,avahi-daemon
install_debian "$release" "$packages" --arch=arm64 \
    --hook-dir=/usr/share/mmdebstrap/hooks/maybe-merged-usr \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/ca-certificates/*'
in_root() { env --ignore-environment PATH=/usr/sbin:/usr/bin chroot "$root" "$@"; }
for group in gpio spi i2c; do in_root groupadd --system "$group"; done
in_root useradd --create-home --groups gpio,spi,i2c player
if [ "$release" != bookworm ]; then
    touch "$root/etc/cloud/cloud-init.disabled"
    in_root systemctl --quiet disable NetworkManager.service NetworkManager-wait-online.service wpa_supplicant.service \
        avahi-daemon.service avahi-daemon.socket
fi
