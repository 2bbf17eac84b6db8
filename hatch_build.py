"""The build hook of the wheel: compiles the engine's library where there is a C compiler.

Without one, or with MILLWRIGHT_PURE=1, the wheel is pure Python and says so in one line: it plays the same at
levels 1 to 7, and has the shipped tables, but searches more slowly and builds no tables.

If MILLWRIGHT_PLATFORM has the platform tags of the machine that CC compiles for, the wheel is for these, and
without a library there is none.
"""

from __future__ import annotations

import os
import runpy
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_NATIVE = Path("firmware_host/engine/native")


class CompileLibrary(BuildHookInterface):  # type: ignore[type-arg, misc, unused-ignore]
    """Adds the library to the wheel, and the platform to the wheel's tag."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the library; for an editable installation beside its sources."""
        if self.target_name != "wheel":
            return
        sources = Path(self.root) / _NATIVE
        other = os.environ.get("MILLWRIGHT_PLATFORM")
        name = "libmw.dylib" if sys.platform == "darwin" and not other else "libmw.so"
        self._folder = tempfile.TemporaryDirectory()
        target = sources / name if version == "editable" else Path(self._folder.name) / name
        failure = _compile(sources, target)
        if failure is not None and other:
            raise RuntimeError(f"The engine's library cannot be compiled for {other}: {failure}")
        if failure is not None:
            print(f"Building without the engine's library in C: {failure.splitlines()[0]}", file=sys.stderr)  # noqa: T201
        elif version != "editable":
            platform = other or sysconfig.get_platform().replace("-", "_").replace(".", "_")
            build_data["force_include"][str(target)] = str(_NATIVE / name)
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - hatchling's
        """Remove the library's temporary folder."""
        if self.target_name == "wheel":
            self._folder.cleanup()


def _compile(sources: Path, target: Path) -> str | None:
    """Return why there is no library, or None if there is one now."""
    if os.environ.get("MILLWRIGHT_PURE") == "1":
        return "MILLWRIGHT_PURE=1"
    # By its path, since nothing of Millwright is installed in the environment that builds it.
    failure: str | None = runpy.run_path(str(sources / "compiling.py"))["compile_library"](sources, target)
    return failure
