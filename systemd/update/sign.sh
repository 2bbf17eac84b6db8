#!/bin/sh
# Signs Debian packages, so that boards take them from their page: the signature is appended as a last member, which
# dpkg ignores.
# usage: sign.sh KEY PACKAGE...    KEY is a private key of ssh-keygen -t ed25519
set -eu

bytes=1024
key=$1
shift
for package; do
    signature=$(mktemp)
    ssh-keygen -Y sign -q -f "$key" -n millwright-package <"$package" >"$signature"
    size=$(stat --format=%s "$signature")
    if [ "$size" -gt "$bytes" ]; then
        echo "The signature of $key has $size bytes; at most $bytes fit: use a key of ssh-keygen -t ed25519." >&2
        exit 1
    fi
    {
        printf '%-16s%-12s%-6s%-6s%-8s%-10s`\n' _millwright 0 0 0 100644 "$bytes"
        cat "$signature"
        head -c $((bytes - size)) /dev/zero | tr '\0' '\n'
    } >>"$package"
    rm -f "$signature"
done
