"""The lines between a board and this program: all that is written is read, and nothing else ever is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.serial.protocol import (
    PROTOCOL,
    BoardFault,
    ForeignHello,
    FrameShown,
    Hello,
    HelloRequest,
    LightFrame,
    Receiver,
    SensorFrame,
    decode,
    encode,
    with_checksum,
)

NUMBER = st.integers(0, 255)
COUNT = st.integers(0, 999)
TO_BOARD = st.just(HelloRequest()) | st.builds(LightFrame, NUMBER, st.binary(min_size=1, max_size=80))
MESSAGES = st.one_of(
    TO_BOARD,
    st.builds(
        Hello, st.from_regex(r"[0-9A-Za-z.-]{1,20}", fullmatch=True), COUNT, COUNT, COUNT, st.integers(0, 9)
    ),
    st.builds(ForeignHello, COUNT.filter(lambda version: version != PROTOCOL)),
    st.builds(SensorFrame, NUMBER, st.binary(min_size=1, max_size=12)),
    st.builds(FrameShown, NUMBER),
    st.builds(BoardFault, st.from_regex(r"[ -)+-~]{1,200}", fullmatch=True)),
)


def cut(data: bytes, at: list[int]) -> list[bytes]:
    """`data` in pieces, cut at these places."""
    ends = sorted({place % (len(data) + 1) for place in at} | {len(data)})
    return [data[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]


def received(pieces: list[bytes]) -> list:
    receiver = Receiver()
    return [found for piece in pieces for found in receiver.feed(piece)]


def is_among(found: list, sent: list) -> bool:
    """Return whether `found` is `sent` with none or some left out."""
    left = iter(sent)
    return all(any(one == other for other in left) for one in found)


@given(sent=st.lists(MESSAGES, max_size=5), at=st.lists(st.integers(0, 500), max_size=10))
def test_what_is_written_is_read_however_it_is_cut_up(sent, at):
    assert received(cut(b"".join(map(encode, sent)), at)) == sent


@given(sent=st.lists(MESSAGES, max_size=5))
def test_a_terminals_line_ends_do_no_harm(sent):
    assert received([b"\r\n" + b"".join(encode(one)[:-1] + b"\r\n" for one in sent)]) == sent


@given(noise=st.binary(max_size=200), sent=MESSAGES, at=st.lists(st.integers(0, 500), max_size=5))
def test_noise_is_passed_over_and_what_follows_its_end_is_read(noise, sent, at):
    assert received(cut(noise + b"\n" + encode(sent), at))[-1:] == [sent]


@given(sent=st.lists(MESSAGES, min_size=1, max_size=3), place=st.integers(0, 10_000))
def test_a_flipped_bit_loses_a_line_or_two_and_is_never_another_message(sent, place):
    data = bytearray(b"".join(map(encode, sent)))
    byte, bit = divmod(place % (8 * len(data)), 8)
    data[byte] ^= 1 << bit
    found = received([bytes(data)])
    assert len(sent) - 2 <= len(found) < len(sent)
    assert is_among(found, sent)


@given(sent=st.lists(MESSAGES, min_size=1, max_size=3), first=st.integers(0, 500), count=st.integers(1, 40))
def test_lost_bytes_lose_lines_and_never_make_another_message(sent, first, count):
    data = b"".join(map(encode, sent))
    first %= len(data)
    assert is_among(received([data[:first] + data[first + count :]]), sent)


@given(sent=MESSAGES, kept=st.integers(0, 500))
def test_half_a_line_is_none_and_the_line_after_it_is_lost_at_worst(sent, kept):
    half = encode(sent)[: kept % (len(encode(sent)) - 1)]
    assert received([half + encode(FrameShown(1)) + encode(FrameShown(2))])[-1:] == [FrameShown(2)]


def test_a_banner_that_never_ends_takes_no_memory():
    receiver = Receiver()
    for _ in range(1000):
        assert receiver.feed(b"S 00 00" * 10) == []
    assert len(receiver._partial) < 4096
    assert receiver.feed(b"\n" + encode(FrameShown(1))) == [FrameShown(1)]


def test_lines_that_were_passed_over_are_counted_and_empty_ones_are_not():
    receiver = Receiver()
    receiver.feed(
        b"\n\r\n"
        + encode(HelloRequest())
        + b"optiboot\n"
        + with_checksum("S 00 0G")
        + with_checksum("S 0 00")
        + b"S 00"
    )
    assert receiver.damaged == 3


def test_a_board_of_another_version_is_known_whatever_else_it_says():
    assert decode(with_checksum("HELLO 2 and all that is new in it")[:-1]) == ForeignHello(2)
    assert decode(with_checksum("HELLO 12")[:-1]) == ForeignHello(12)
    assert decode(with_checksum(f"HELLO {PROTOCOL} and no numbers")[:-1]) is None


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (HelloRequest(), b"HELLO?*C641\n"),
        (Hello("1.0.0", 3, 8, 24, 3), b"HELLO 1 1.0.0 3 8 24 3*4A06\n"),
        (SensorFrame(31, bytes([0, 0, 255])), b"S 1F 0000FF*1295\n"),
        (LightFrame(7, bytes([1, 2, 3])), b"L 07 010203*989B\n"),
        (FrameShown(7), b"A 07*DDCF\n"),
    ],
)
def test_the_lines_that_the_firmwares_readme_shows(said, text):
    assert encode(said) == text


@given(TO_BOARD)
def test_nothing_that_is_said_to_a_board_has_a_small_letter(sent):
    """A boot loader takes small letters for orders to write its memory."""
    assert encode(sent) == encode(sent).upper()
