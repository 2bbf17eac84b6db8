"""The part of MicroPython's `sys` that the Pico's front end uses."""

class Stream:
    def readinto(self, buffer: bytearray) -> int | None: ...
    def write(self, data: bytes) -> int: ...

class _Text:
    buffer: Stream

stdin: _Text
stdout: _Text
