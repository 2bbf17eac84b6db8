#!/usr/bin/env bash
# Runs tests under Debian 13's Python, 3.13, in a folder with Debian 13 that has the newest packages our
# dependencies allow. The folder, build/trixie, stays until pyproject.toml names others.
# usage: trixie.sh PYTHON [ARGUMENT...]
#
# PYTHON has pip and packaging. The arguments are pytest's; without any, all tests run that the version of Python
# can matter to: not those in a browser, of the firmware, of shell scripts, and of which tests a change reaches.
# Needs root on Debian, and mmdebstrap.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/.." && pwd)
python=$1
shift
root=$project/build/trixie
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source-path=SCRIPTDIR source=support/debian.sh
. "$here/support/debian.sh"

requirements() {
    "$python" -c '
import sys, tomllib
with open(sys.argv[1], "rb") as file:
    settings = tomllib.load(file)
project, editable = settings["project"], [*settings["build-system"]["requires"], "editables"]
print(*editable, *project["dependencies"], *project["optional-dependencies"]["dev"], sep="\n")' "$project/pyproject.toml"
}

# There is no network inside, and pip outside knows where packages come from on this machine.
fetch_wheels() {
    local fit
    "$python" "$project/systemd/lock.py" options 3.13 "$(uname -m)" >"$work/options"
    mapfile -t fit <"$work/options"
    mkdir "$work/wheels"
    requirements >"$work/wheels/requirements"
    "$python" -m pip download --quiet --disable-pip-version-check --only-binary=:all: \
        --dest "$work/wheels" "${fit[@]}" \
        --requirement "$work/wheels/requirements" >"$work/log" 2>&1
}

packages=python3,python3-venv
inputs=$(echo "$packages" && requirements)
if ! is_made "$inputs"; then
    fetch_wheels &
    fetching=$!
    install_debian trixie "$packages"
    wait $fetching || { cat "$work/log" >&2; fail "not all wheels for Python 3.13 can be fetched"; }
    say "installing what the tests need"
    mv "$work/wheels" "$root/wheels"
    mkdir "$root/project"
    inside sh -ec 'python3 -m venv /venv
        pip="/venv/bin/pip install --quiet --no-index --find-links /wheels"
        $pip --requirement /wheels/requirements
        $pip --no-build-isolation --no-deps --editable /project'
    rm -rf "$root/wheels"
    made "$inputs"
fi

[ $# != 0 ] || set -- tests --ignore=tests/{web/page,web/panels,web/words,firmware,systemd,test_check.py}
say "tests under $(inside /venv/bin/python --version)"
inside sh -c '
    cd /project
    export PYTHONPYCACHEPREFIX=/tmp/bytecode HYPOTHESIS_STORAGE_DIRECTORY=/tmp/hypothesis
    exec /venv/bin/python -m pytest -q -n auto --maxprocesses 8 --dist loadgroup -p no:cacheprovider "$@"' sh "$@"
say "done"
