"""Invitations as texts, and from four touched points."""

from __future__ import annotations

import pytest

from firmware_host.errors import FarError
from firmware_host.far import invitation as module
from firmware_host.far.invitation import TOUCHED_ROOM_LASTS, Invitation, meeting, new_invitation, touched

TEXT = "MW1:broker.example:8883/AAAQEAYEAU#AAAQEAYEAUDAOCAJBIFQYDIOB4"


@pytest.mark.parametrize("host", ["broker.example", "192.168.1.4", "[fd00::1]"])
def test_an_invitation_reads_back_as_itself(host: str) -> None:
    invitation = new_invitation(host, 8883, bytes(range(23)))
    assert Invitation.parse(str(invitation)) == invitation
    assert Invitation.parse(f"  {invitation}\n") == invitation


@pytest.mark.parametrize(
    "text",
    [
        "",
        "MW2:broker.example:8883/AAAQEAYEAU#AAAQEAYEAUDAOCAJBIFQYDIOB4",
        TEXT.replace("8883", "0"),
        TEXT.replace("8883", "70000"),
        TEXT.replace("broker.example", "bro ker"),
        TEXT.replace("broker.example", "a/b"),
        TEXT[:-1],
        TEXT.replace("#", "/"),
        TEXT.lower(),
    ],
)
def test_a_text_that_is_no_invitation_is_refused(text: str) -> None:
    with pytest.raises(FarError, match="isn't an invitation"):
        Invitation.parse(text)


@pytest.fixture
def _few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Derive rooms at once, for tests of which points, hours and brokers make the same one."""
    monkeypatch.setattr(module, "ROUNDS", 1)


def test_four_points_make_the_room_that_openssl_derives() -> None:
    # openssl kdf -keylen 23 -kdfopt digest:SHA256 -kdfopt iter:600000 -kdfopt pass:"d6 a1 g7 a1" \
    #     -kdfopt salt:millwright/1/club.example:8883/standard/495000 PBKDF2
    found = touched("club.example", 8883, ("d6", "a1", "g7", "a1"), "standard", 495_000)
    assert str(found) == "MW1:club.example:8883/LGM3ZMDUAO#7T36HLJ5REPJJLWHBP5BK6BWMU"


@pytest.mark.usefixtures("_few_rounds")
def test_four_points_make_the_same_room_on_both_boards() -> None:
    points = ("d6", "a1", "g7", "a1")
    here, there = (touched("club.example", 8883, points, "standard", 495_000) for _ in range(2))
    assert here == there
    others = [
        touched("club.example", 8883, points[::-1], "standard", 495_000),
        touched("club.example", 8883, points, "standard", 495_001),
        touched("home.example", 8883, points, "standard", 495_000),
        touched("club.example", 8883, points, "lasker", 495_000),
    ]
    assert len({here.room, *(other.room for other in others)}) == 5
    assert Invitation.parse(str(here)) == here


def test_fewer_points_make_no_room() -> None:
    with pytest.raises(FarError):
        touched("club.example", 8883, ("d6", "a1", "g7"), "standard", 495_000)


POINTS = ("a1", "g7", "d6", "a1")
NOON = 495_000 * 3_600


@pytest.mark.usefixtures("_few_rounds")
@pytest.mark.parametrize(("before", "after"), [(1, 1), (119, 0), (1, 119), (60, 59), (0.5, 4.9)])
def test_rooms_touched_before_and_after_the_hour_become_one(before: float, after: float) -> None:
    one, other = (meeting("club.example", 8883, POINTS, "standard", NOON + time) for time in (-before, after))
    assert one.room != other.room
    assert one.then == other.room
    assert NOON < one.moves_at <= NOON + 10
    assert other.then is None


@pytest.mark.usefixtures("_few_rounds")
def test_a_room_of_the_middle_of_an_hour_has_no_other() -> None:
    lasts = TOUCHED_ROOM_LASTS / 1_000_000
    assert meeting("club.example", 8883, POINTS, "standard", NOON - lasts - 1).then is None
    assert meeting("club.example", 8883, POINTS, "standard", NOON - lasts).then is not None
