#!/usr/bin/env bash
# Lays into ROOT, which has Debian 12, Millwright with all that its service needs, and what tries its drivers there.
# Nothing of it runs under emulation: pip takes wheels for another machine, and bytecode is the same on all.
# usage: bring.sh PYTHON ROOT SCRIPT
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../../.." && pwd)
python=$1 root=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }; }

"$python" "$project/systemd/lock.py" options 3.11 arm64 >"$work/options"
mapfile -t fit <"$work/options"
pip_install() {
    quietly timeout 1800 "$python" -m pip install --quiet --disable-pip-version-check --no-compile \
        --only-binary=:all: "${fit[@]}" --target "$@"
}

# As `make install` has it, in a virtual environment; beside it, for the user's own Python path, what tests need, and
# the libraries with which our drivers are compared: lgpio, and Adafruit's for a strip on SPI.
installed=$root/opt/millwright brought=$root/opt/brought
quietly chroot "$root" /usr/bin/python3 -m venv --without-pip /opt/millwright
"$project/systemd/gather.sh" "$python" "$work/wheels" 3.11 arm64
pip_install "$installed/lib/python3.11/site-packages" --no-deps "$work"/wheels/*.whl
cat >"$installed/bin/millwright" <<'END'
#!/opt/millwright/bin/python3
from firmware_host.cli import main

if __name__ == "__main__":
    main()
END
chmod +x "$installed/bin/millwright"
pip_install "$brought/pythonpath" pytest hypothesis jsonschema lgpio
pip_install "$brought/pythonpath" --no-deps adafruit-circuitpython-neopixel-spi

mkdir -p "$brought/tests/virtual_pi"
cp "$project/pyproject.toml" "$brought/"
(cd "$project/tests" && cp -r __init__.py conftest.py contract firmware support "$brought/tests/")
cp -r "$here" "$brought/tests/virtual_pi/"
quietly /usr/bin/python3.11 -m compileall -q -s "$root" -p / "$installed/lib" "$brought"
