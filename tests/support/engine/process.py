"""A process of this program, with its pipes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.paths import PROJECT


@contextmanager
def process(*arguments: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", *(arguments or ("firmware_host.engine.worker",))]
    pipe = subprocess.PIPE
    with subprocess.Popen(  # noqa: S603 - this program's own modules
        command,
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        encoding="utf-8",
        cwd=PROJECT,
        env={**os.environ, **environment},
    ) as running:
        try:
            yield running
        finally:
            running.kill()
