"""Compiling the engine's library, for the wheel and for tests; it needs only the standard library."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

_FLAGS = ("-O3", "-std=c99", "-shared", "-fPIC", "-Wall", "-Wextra")
_TIMEOUT = 600


def sources(folder: Path) -> list[str]:
    """Return the C files to compile, in a fixed order."""
    return sorted(str(path) for path in folder.glob("*.c"))


def compile_library(folder: Path, target: Path) -> str | None:
    """Compile the C files of `folder` into the library `target`; return why that failed, or None.

    The compiler is `cc`, or what the environment variable CC names, with arguments.
    """
    compiler = shlex.split(os.environ.get("CC") or "cc")
    command = [*compiler, *_FLAGS, "-o", str(target), *sources(folder)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT, check=False)  # noqa: S603 - the builder's own compiler
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{compiler[0]}: {error}"
    return f"{compiler[0]} failed: {done.stderr.strip()[-2000:]}" if done.returncode else None
