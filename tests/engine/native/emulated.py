"""The engine's library on another processor, emulated, beside this one.

    python -m tests.engine.native.emulated --run qemu-riscv64-static \\
        --cc "zig cc -target riscv64-linux-musl -static"

Compiles the library with a program that uses it, builds three sectors, checks them, and searches sixty
positions. Prints what came out, and exits with 1 if that differs from what this machine's compiler makes.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from firmware_host.engine import native
from firmware_host.engine.native.compiling import sources
from firmware_host.engine.searching.evaluation import evaluation
from firmware_host.engine.searching.mill_bits import mill_bits
from firmware_host.engine.searching.search import Setting
from firmware_host.engine.searching.search_native import c_search_rules
from firmware_host.engine.solving.library import c_rules
from firmware_host.games.morris.position import MorrisRules
from firmware_host.games.rulesets import DEFAULT, rule_set

_PROGRAM = Path(__file__).with_name("self_test.c")
_FLAGS = ("-O3", "-std=c99", "-Wall", "-Wextra", "-Werror", f"-I{native.SOURCES}")


def computed(compiler: Sequence[str], runner: Sequence[str] = ()) -> str:
    """Return what the program prints, compiled by `compiler` and run by `runner`.

    Raises CalledProcessError if either fails.
    """
    rules = rule_set(DEFAULT)
    assert isinstance(rules, MorrisRules)
    options = rules.options
    search_rules = c_search_rules(
        evaluation(mill_bits(options)), Setting(quiet_limit=options.quiet), deeper=False
    )
    with tempfile.TemporaryDirectory() as folder:
        program, file = Path(folder, "self_test"), Path(folder, "rules")
        file.write_bytes(bytes(c_rules(options)) + bytes(search_rules))
        compiling = [*compiler, *_FLAGS, "-o", str(program), str(_PROGRAM), *sources(native.SOURCES)]
        subprocess.run(compiling, check=True)  # noqa: S603 - compilers that a developer names
        done = subprocess.run([*runner, program, file], check=True, capture_output=True, text=True)  # noqa: S603
    return done.stdout


def main() -> int:
    """Compile, run and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cc", required=True, help="compiler for the other processor, with its arguments")
    parser.add_argument("--run", default="", help="emulator, with its arguments")
    given = parser.parse_args()
    there, here = computed(shlex.split(given.cc), shlex.split(given.run)), computed(["cc"])
    sys.stdout.write(there if there == here else f"there:\n{there}here:\n{here}")
    return there != here


if __name__ == "__main__":
    sys.exit(main())
