"""A kernel's side of a bus: it reads what an ioctl points to, and answers there."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any


class KernelI2cMessage(ctypes.Structure):
    """struct i2c_msg of linux/i2c.h."""

    _fields_ = (
        ("addr", ctypes.c_uint16),
        ("flags", ctypes.c_uint16),
        ("len", ctypes.c_uint16),
        ("buf", ctypes.c_void_p),
    )


class Messages(ctypes.Structure):
    """struct i2c_rdwr_ioctl_data of linux/i2c-dev.h."""

    _fields_ = (("msgs", ctypes.POINTER(KernelI2cMessage)), ("nmsgs", ctypes.c_uint32))


class Transfer(ctypes.Structure):
    """struct spi_ioc_transfer of linux/spi/spidev.h."""

    _fields_ = (
        ("tx_buf", ctypes.c_uint64),
        ("rx_buf", ctypes.c_uint64),
        ("len", ctypes.c_uint32),
        ("speed_hz", ctypes.c_uint32),
        ("delay_usecs", ctypes.c_uint16),
        ("bits_per_word", ctypes.c_uint8),
        ("cs_change", ctypes.c_uint8),
        ("tx_nbits", ctypes.c_uint8),
        ("rx_nbits", ctypes.c_uint8),
        ("word_delay_usecs", ctypes.c_uint8),
        ("pad", ctypes.c_uint8),
    )


class I2cKernel:
    """Transfers as i2c-bcm2835 takes them: one read at most, and as the last message.

    `chip` is asked as an `hardware.bus.i2c.I2c` is.
    """

    def __init__(self, chip: Any) -> None:
        self.transfers = 0
        self._chip = chip

    def ioctl(self, file: int, request: int, data: bytes) -> int:
        """ioctl(2) of /dev/i2c-N."""
        assert request == 0x0707
        assert len(data) == ctypes.sizeof(Messages)
        asked = Messages.from_buffer_copy(data)
        messages = [asked.msgs[n] for n in range(asked.nmsgs)]
        assert not any(message.flags for message in messages[:-1])
        self.transfers += 1
        first, *rest = messages
        number, *values = ctypes.string_at(first.buf, first.len)
        for message in rest:
            assert message.flags == 1
            assert message.addr == first.addr
            answer = bytes(self._chip.reading(message.addr, number, message.len)())
            ctypes.memmove(message.buf, answer, message.len)
        if not rest:
            self._chip.write(first.addr, number, bytes(values))
        return len(messages)


class SpiKernel:
    """Transfers as spidev takes them; `answer` gives the bytes that come in for those that go out."""

    def __init__(self, answer: Callable[[bytes], bytes]) -> None:
        self.calls: list[list[Transfer]] = []
        self.modes: list[bytes] = []
        self._answer = answer

    def ioctl(self, file: int, request: int, data: bytes) -> int:
        """ioctl(2) of /dev/spidevB.C."""
        if request == 0x40016B01:
            self.modes.append(data)
            return 0
        size = ctypes.sizeof(Transfer)
        assert request == 0x40006B00 | len(data) << 16, "SPI_IOC_MESSAGE tells its size in its number"
        transfers = [Transfer.from_buffer_copy(data, at) for at in range(0, len(data), size)]
        for transfer in transfers:
            came = self._answer(ctypes.string_at(transfer.tx_buf, transfer.len))
            ctypes.memmove(transfer.rx_buf, came, transfer.len)
        self.calls.append(transfers)
        return sum(transfer.len for transfer in transfers)
