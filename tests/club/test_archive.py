"""The archive: which games it adds, once each, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.club.archive import (
    BOARDS_TAG,
    IN_ADVANCE_S,
    SEAL_TAG,
    SETTING_UP_S,
    TURN_S,
    Add,
    ArchivedGame,
    Archivist,
    PlayTime,
    recent_results,
)
from firmware_host.club.standings import ClubResult, KeptResult
from firmware_host.club.wall import Wall
from firmware_host.commands.broker import keys_of
from firmware_host.errors import FarError, LinkError
from firmware_host.far.invitation import Invitation
from firmware_host.far.seat import FarSeat
from firmware_host.far.verifying import verified
from firmware_host.games.game import Outcome, Player, Reason
from firmware_host.games.rulesets import rule_set
from firmware_host.link.published import Rooms
from firmware_host.store.database import GamesFile, StoredGame
from firmware_host.store.saved_game import FAR_GAME_TAG, game_of
from tests.far.boards import KEY, NONCES, A, B, agreed, message, playing

ROOM = "ROOMROOM22"
X, Y = "XXXXXXXXXXXXXXXX", "YYYYYYYYYYYYYYYY"
NOON_MS = 1_767_873_600_000
TURNS = ("d6", "f4", "d2", "b4")


@pytest.fixture
def file(tmp_path: Path) -> Iterator[GamesFile]:
    with closing(GamesFile(tmp_path / "club.db")) as opened:
        yield opened


def archivist(file: GamesFile, keys: dict[str, bytes] | None = None) -> Archivist:
    return Archivist(Rooms(keys), adding(file))


def adding(file: GamesFile) -> Add:
    return lambda one: next(iter(file.add([one])))


def topic(board: str) -> str:
    return f"mw/1/r/{ROOM}/{board}/rec"


def published(archive: Archivist, *seats: FarSeat) -> list[ArchivedGame]:
    """Return what becomes of the records of these seats, in this order."""
    found = [archive.receive(topic(seat.board), message(seat), NOON_MS) for seat in seats]
    return [one for one in found if one is not None]


def given_up() -> tuple[FarSeat, FarSeat]:
    white, black = playing(*TURNS)
    return agreed(white, black.resign())


def empty_game(round_: int) -> tuple[FarSeat, FarSeat]:
    """Return the seats of two members who agree on a game without turns in no time."""
    by = rule_set("standard")
    one, other = (FarSeat(own, its, ROOM, by, round=1 + round_) for own, its in ((X, Y), (Y, X)))
    one, other = agreed(one.ready(NONCES[A]), other.ready(NONCES[B]))
    return agreed(one, other.resign())


def unique_name(white: FarSeat, black: FarSeat) -> str:
    game = verified(ROOM, white.record, black.record)
    assert game is not None
    return game.unique_name


def copied(*turns: str) -> tuple[FarSeat, FarSeat]:
    """Return the seats of two other boards that copy the numbers of the roll, and so the game's name."""
    by = rule_set("standard")
    one, other = FarSeat(X, Y, ROOM, by), FarSeat(Y, X, ROOM, by)
    one, other = agreed(one.ready(NONCES[A]), other.ready(NONCES[B]))
    for index, turn in enumerate(turns):
        if index % 2 == 0:
            one = one.carry(len(one.turns)).play(turn, 1000)
        else:
            other = other.carry(len(other.turns)).play(turn, 1000)
        one, other = agreed(one, other)
    return agreed(one, other.resign())


def test_a_game_is_added_when_both_boards_have_its_end(file: GamesFile) -> None:
    archive = archivist(file, {ROOM: KEY})
    white, black = playing(*TURNS)
    assert published(archive, white, black, black.resign()) == []
    (found,) = published(archive, *given_up())
    kept = file.game(found.row).saved
    assert kept == found.saved
    assert game_of(kept).turn_texts() == TURNS
    assert kept.tags == {
        "White": A,
        "Black": B,
        FAR_GAME_TAG: unique_name(*given_up()),
        SEAL_TAG: "checked",
        BOARDS_TAG: f"{A} {B}",
    }
    assert [step.at_ms - NOON_MS for step in kept.steps] == [-3000, -2000, -1000, 0]


def test_a_game_is_added_once_whatever_is_repeated(file: GamesFile) -> None:
    archive = archivist(file)
    assert len(published(archive, *given_up())) == 1
    assert published(archive, *given_up(), *given_up()) == []
    assert published(archivist(file), *given_up()) == [], "after another start, the broker repeats it"
    assert len(file.rows()) == 1


@pytest.mark.parametrize("turns", [(), TURNS], ids=["an invented game", "the same turns"])
def test_a_game_whose_name_others_copied_is_added(file: GamesFile, turns: tuple[str, ...]) -> None:
    archive = archivist(file, {ROOM: KEY})
    published(archive, *playing(*TURNS))
    (false,) = published(archive, *copied(*turns))
    (real,) = published(archive, *given_up())
    assert real.saved.tags[BOARDS_TAG] == f"{A} {B}"
    assert real.saved.tags[FAR_GAME_TAG] != false.saved.tags[FAR_GAME_TAG]
    assert game_of(file.game(real.row).saved).turn_texts() == TURNS


def test_a_game_that_goes_on_after_its_end_is_added_twice(file: GamesFile) -> None:
    archive = archivist(file)
    assert len(published(archive, *given_up())) == 1
    white, black = playing(*TURNS)
    later = agreed(replace(white, edition=1).resign(), replace(black, edition=1))
    assert len(published(archive, *later)) == 1
    assert len(published(archivist(file), *given_up())) == 0


def test_a_game_is_the_same_at_another_time(file: GamesFile) -> None:
    published(archivist(file), *given_up())
    later = archivist(file)
    for seat in given_up():
        assert later.receive(topic(seat.board), message(seat), NOON_MS + 10**9) is None
    assert len(file.rows()) == 1


def test_two_boards_add_no_more_games_than_hands_can_play(
    file: GamesFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds, in_advance = 0.0, 3
    monkeypatch.setattr("firmware_host.club.archive.IN_ADVANCE_S", in_advance * SETTING_UP_S)
    archive = Archivist(Rooms(), adding(file), lambda: seconds)
    for round_ in range(in_advance):
        assert len(published(archive, *empty_game(round_))) == 1
    with pytest.raises(FarError, match="more games than hands can play"):
        published(archive, *empty_game(in_advance))
    with pytest.raises(FarError, match="the newest waits"):
        published(archive, *empty_game(in_advance + 1))
    assert archive.add_waiting(NOON_MS) == []
    (other,) = published(archive, *given_up())
    assert other.saved.tags["Black"] == B, "nobody else waits"
    seconds = SETTING_UP_S
    (late,) = archive.add_waiting(NOON_MS)
    assert late.saved.tags[FAR_GAME_TAG] == unique_name(*empty_game(in_advance + 1))
    assert archive.add_waiting(NOON_MS) == []
    assert len(file.rows()) == in_advance + 2


def test_a_game_with_a_board_without_time_is_added_at_once() -> None:
    times = PlayTime()
    for _ in range(1 + int(IN_ADVANCE_S / SETTING_UP_S)):
        times.use((X, Y), 0, 0.0)
    assert not times.has_time((X, Y), 0.0)
    assert times.has_time((X, A), 0.0)
    times.use((X, A), 800, 0.0)
    assert times.has_time((X, Y), SETTING_UP_S + 800 * TURN_S + 1), "nobody owes more than a game"


def test_boards_are_named_by_their_cards(file: GamesFile) -> None:
    archive = archivist(file)
    archive.receive(f"mw/1/b/{A}/card", json.dumps({"v": 1, "name": "Kitchen"}).encode(), NOON_MS)
    (found,) = published(archive, *given_up())
    assert (found.saved.tags["White"], found.saved.tags["Black"]) == ("Kitchen", B)
    assert found.saved.tags[SEAL_TAG] == "unknown"


def test_a_forged_record_is_refused_where_the_key_is_known(file: GamesFile) -> None:
    white, _ = given_up()
    with pytest.raises(FarError, match="didn't come"):
        archivist(file, {ROOM: b"another key of16"}).receive(topic(A), message(white), NOON_MS)


def test_records_that_lie_are_refused_with_words(file: GamesFile) -> None:
    archive = archivist(file)
    white, black = given_up()
    with pytest.raises(FarError, match="version 7"):
        archive.receive(topic(A), message(white, v=7), NOON_MS)
    with pytest.raises(FarError, match="another board"):
        archive.receive(topic(B), message(white), NOON_MS)
    with pytest.raises(FarError, match="hash"):
        archive.receive(topic(A), message(white, turns=["d6", "f4", "d2", "a1"]), NOON_MS)
    with pytest.raises(FarError, match="nested"):
        archive.receive(topic(A), b"[" * 99, NOON_MS)
    with pytest.raises(FarError, match="too large"):
        archive.receive(topic(A), b" " * 20_000, NOON_MS)
    with pytest.raises(FarError, match="topic"):
        archive.receive("mw/1/r/short/x/rec", message(white), NOON_MS)
    published(archive, white)
    with pytest.raises(FarError, match=f"room {ROOM}: .*different ends"):
        published(archive, black.declare(Outcome(Reason.AGREED, None)))
    assert file.rows() == []


def test_results_of_an_evening_are_read_from_the_file(file: GamesFile) -> None:
    (found,) = published(archivist(file), *given_up())
    white, black = found.saved.tags["White"], found.saved.tags["Black"]
    kept = KeptResult(ClubResult(A, B, Player.WHITE), (white, black))
    hour = 3_600_000

    def age_ms(moment: int) -> int:
        return NOON_MS + hour - moment

    assert recent_results(file, age_ms, hour) == [kept]
    assert recent_results(file, age_ms, hour - 1) == []
    old = replace(found.saved, changed_ms=NOON_MS - 9 * hour, tags={FAR_GAME_TAG: "another"})
    assert list(file.add([StoredGame(0, old)]))
    assert recent_results(file, age_ms, 20 * hour) == [kept], "a game without names has no players"
    assert recent_results(file, age_ms, hour) == [kept], "an old game may have been added later"
    assert recent_results(file, lambda _: None, hour) == [], "a game of an unknown date isn't of this evening"
    wall = Wall()
    wall.add_results(recent_results(file, age_ms, hour))
    for seat in given_up():
        wall.receive(topic(seat.board), message(seat), 0)
    assert [row["played"] for row in wall.picture(0)["standings"]] == [1, 1], "the same game counts once"


def test_times_that_no_clock_shows_are_bounded(file: GamesFile) -> None:
    white, black = given_up()
    archive = archivist(file)
    for seat in (white, black):
        archive.receive(topic(seat.board), message(seat, used_ms=[2**53 - 1] * 4), NOON_MS)
    kept = file.game(1).saved
    assert kept.began_ms == NOON_MS - 4 * 86_400_000


def test_keys_of_two_invitations_to_one_room_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "invitations"
    good, other = (str(Invitation("127.0.0.1", 1883, ROOM, key)) for key in (KEY, bytes(16)))
    file.write_text(f"{good}\n\n{good}\n")
    assert keys_of(file) == {ROOM: KEY}
    file.write_text(f"{good}\n{other}\n")
    with pytest.raises(LinkError, match=r"line 2: .*another key"):
        keys_of(file)


def test_keys_of_a_file_that_is_not_utf_8_names_its_line(tmp_path: Path) -> None:
    file = tmp_path / "invitations"
    file.write_bytes(b"\n\n\xff\n")
    with pytest.raises(LinkError, match=r"invitations: line 3 is not UTF-8 text; save it as UTF-8"):
        keys_of(file)
    file.write_bytes(b"\xef\xbb\xbf\n")
    assert keys_of(file) == {}
