"""A front end on a pseudo-terminal for a board that is attacked, in a process of its own.

It sends the board's frames every 20 ms and confirms light frames, as the firmware does. Its path is printed
first. Each line of its standard input is the number of a contact that closes, since a piece was placed there;
it ends when that does.
"""

from __future__ import annotations

import os
import select
import sys
import tty

from hardware.serial.protocol import (
    NUMBERS,
    FrameShown,
    Hello,
    HelloRequest,
    LightFrame,
    LineMessage,
    Receiver,
    SensorFrame,
    encode,
)

_FRAME_S = 0.02
_HELLO = Hello("attacked", 3, 8, 24, 3)


def main() -> None:
    """Be the front end until the standard input ends."""
    board, program = os.openpty()
    tty.setraw(program)
    os.set_blocking(board, False)
    print(os.ttyname(program), flush=True)  # noqa: T201
    receiver, number, contacts = Receiver(), 0, bytearray(_HELLO.frame_bytes)
    while True:
        ready, _, _ = select.select([board, sys.stdin], [], [], _FRAME_S)
        if sys.stdin in ready:
            line = sys.stdin.readline()
            if not line:
                return
            byte, bit = divmod(int(line), 8)
            contacts[byte] |= 1 << bit
        answers: list[LineMessage] = [SensorFrame(number, bytes(contacts))]
        number = (number + 1) % NUMBERS
        if board in ready:
            for message in receiver.feed(os.read(board, 4096)):
                if isinstance(message, HelloRequest):
                    answers.append(_HELLO)
                elif isinstance(message, LightFrame):
                    answers.append(FrameShown(message.number))
        try:
            os.write(board, b"".join(map(encode, answers)))
        except BlockingIOError:  # nobody has read for long
            continue


if __name__ == "__main__":
    main()
