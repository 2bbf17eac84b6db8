"""The part of MicroPython's `select` that the Pico's front end uses."""

from collections.abc import Iterator

from usys import Stream

POLLIN: int
POLLOUT: int

class poll:  # noqa: N801
    def register(self, stream: Stream, events: int) -> None: ...
    def ipoll(self, timeout_ms: int) -> Iterator[tuple[Stream, int]]: ...
