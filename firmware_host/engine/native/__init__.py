"""The engine's library in C, if this installation has it.

**Invariants:** nothing depends on it for a result, only for speed: without it, or with one that was built for
another version, everything in Python still works, except building tables.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from pathlib import Path

ABI = 4
"""The version of `mw.h` that this program calls."""
SOURCES = Path(__file__).parent
"""The folder of the sources, and of the library itself."""
LIBRARY = SOURCES / ("libmw.dylib" if sys.platform == "darwin" else "libmw.so")


def load(path: Path | None = None) -> ctypes.CDLL | None:
    """Return the library, or None if it isn't there, cannot be loaded or has another version."""
    return _load(path or LIBRARY)


@cache
def _load(path: Path) -> ctypes.CDLL | None:
    try:
        library = ctypes.CDLL(str(path))
        version = library.mw_abi
    except (OSError, AttributeError):
        return None
    version.restype = ctypes.c_int32
    return library if version() == ABI else None
