# shellcheck shell=bash
# How install.sh, gather.sh, wheels.sh and deb/build.sh, which source this file, have pip take the files that the locks
# list, and no others, and build Millwright's wheels with them.

locks=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# locked_pip PYTHON install|download OPTION... -r LOCK    takes the lock's files, or says why it can't
locked_pip() (
    python=$1 command=$2 bits=()
    shift 2
    # A 32-bit system may run on a 64-bit kernel, whose name then misleads the locks' markers.
    if [ "$(uname -m)" = aarch64 ] && ! "$python" -c 'import sys; sys.exit(sys.maxsize < 2**32)'; then bits=(linux32); fi
    said=$(mktemp)
    trap 'rm "$said"' EXIT
    "${bits[@]}" "$python" -m pip "$command" --quiet --disable-pip-version-check --no-input --no-deps \
        --require-hashes --only-binary=:all: "$@" 2>"$said" || { explain "$said" >&2; exit 1; }
)

# explain FILE    prints pip's message, which is in FILE, and what to do about it
explain() {
    local name
    cat "$1"
    name=$(sed -n 's/^ERROR: No matching distribution found for \([^ ]*\).*/\1/p' "$1")
    if grep -q 'DO NOT MATCH THE HASHES' "$1"; then
        name=$(sed -n 's/^ *\([^ ]*==[^ ]*\) from .*/\1/p' "$1" | sort -u | paste -sd ' ')
        echo "$name was not installed: the file's hash is not in systemd/*.lock, so it was replaced or damaged."
        echo "If it is in a folder of wheels, delete the folder and gather it again with \`make wheels\`."
        echo "If it was downloaded, try again. If the hash differs again, don't install the file, and report it."
    elif [ -n "$name" ]; then
        echo "There is no file of $name, which systemd/*.lock lists, for this version of Python and this machine."
        echo "If you install from a folder of wheels, gather it again for this Pi, from the same version of Millwright."
    fi
}

# build_wheel PYTHON FOLDER [OPTION...]    builds Millwright's wheel with the locked build system; options are pip's
build_wheel() { build_wheels "$1" "$2" own "${@:3}"; }

# build_wheels PYTHON FOLDER MACHINES [OPTION...]    builds one for each of several machines: those in `platforms`, by any
# of their names, with the locked compiler; `own`, as this machine's compiler can; and `all`, which is pure Python
build_wheels() (
    python=$1 folder=$2 machines=$3
    shift 3
    tools=$(mktemp -d)
    trap 'rm -rf "$tools"' EXIT
    get() { [ -e "$tools/$1" ] || locked_pip "$python" install --no-compile --target "$tools" "${@:3}" -r "$locks/$2"; }
    build() {
        PYTHONPATH=$tools "$python" -m pip wheel --quiet --disable-pip-version-check --no-input --no-index --no-deps \
            --no-build-isolation --wheel-dir "$folder" "$(dirname "$locks")"
    }
    get hatchling build.lock "$@" || exit
    for machine in $machines; do
        case $machine in
            own) build ;;
            all) MILLWRIGHT_PURE=1 build ;;
            *)
                read -r _ _ target tags < <(platform "$machine") && get ziglang cross.lock "$@" || exit
                MILLWRIGHT_PLATFORM=$tags CC="$tools/ziglang/zig cc -s -target ${target/,/ }" build
                ;;
        esac || exit
    done
)

# platform MACHINE    prints the line of `platforms` for a machine, or says that there is none
platform() {
    awk -v machine="$1" '!/^#/ && index("," $1 "," $2 ",", "," machine ",") { print; found = 1 } END { exit !found }' \
        "$locks/platforms" || { echo "systemd/platforms has no $1." >&2; return 1; }
}

architectures() { awk '!/^#/ { print $1 }' "$locks/platforms"; }
