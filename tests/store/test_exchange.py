"""Saved games leave the board and come back as they were, and mistakes in one are reported."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import MillwrightError, NotationError
from firmware_host.games.game import Game, Outcome, Player, Reason
from firmware_host.games.records import CLOCK_TIMES_TAG, COMMENTS_TAG, GameRecord, record_text
from firmware_host.games.rulesets import MILL_SETS, RULE_SETS, rule_set
from firmware_host.store.database import GamesFile, StoredGame
from firmware_host.store.exchange import FORMAT, games_of, json_of, parse_games, records_of
from firmware_host.store.saved_game import GameRecorder, SavedGame, game_of
from sim.assembly import Blueprint
from sim.hand_actions import hand_actions
from sim.headless import run_headless
from tests.support.examples import few
from tests.support.games import morris
from tests.support.games.random_games import begun, one_step, played
from tests.support.matrix import CI, sampled

NOON_MS = 1_795_262_400_123


def kept(game: Game, row: int = 1) -> StoredGame:
    return StoredGame(row, GameRecorder().follow(game, NOON_MS))


def random_game(luck: Random, plies: int) -> Game:
    game = played(luck, plies)
    if game.outcome is None and luck.random() < 0.5:
        return game.declare(Outcome(Reason.RESIGNED, luck.choice(list(Player))))
    return game


def games(text: str) -> list[SavedGame]:
    return [one.saved for one in games_of(text)]


@pytest.fixture
def new_york(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have this machine be where the day begins five hours later."""
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "America/New_York")
        time.tzset()
        yield
    time.tzset()


def date_tags(text: str) -> dict[str, str]:
    return dict(re.findall(r'\[((?:UTC)?(?:Date|Time)) "(.*?)"\]', text))


EASTER = '[UTCDate "2024.03.31"]\n[UTCTime "01:30:00"]\n[Result "*"]\n\n1. d6 f4 *\n'


@pytest.mark.usefixtures("new_york")
def test_the_date_of_a_record_is_the_local_day() -> None:
    exported = records_of(games_of(EASTER))
    assert date_tags(exported) == {"Date": "2024.03.30", "UTCDate": "2024.03.31", "UTCTime": "01:30:00"}
    (back,) = games(exported)
    assert (back.began_ms, back.tags) == (games(EASTER)[0].began_ms, {})


@pytest.mark.usefixtures("new_york")
def test_the_day_of_another_place_stays() -> None:
    berlin = f'[Date "2024.03.31"]\n{EASTER}'
    (one,) = games_of(berlin)
    assert one.saved.tags == {"Date": "2024.03.31"}
    assert date_tags(records_of([one]))["Date"] == "2024.03.31"
    assert games(records_of([one])) == [one.saved]


@few(7)
@given(st.randoms(use_true_random=False), st.lists(st.integers(0, 60), max_size=3))
def test_json_keeps_everything(luck: Random, lengths: list[int]) -> None:
    games = [kept(random_game(luck, plies)) for plies in lengths]
    assert [one.saved for one in games_of(json_of(games))] == [one.saved for one in games]


@few(7)
@given(st.randoms(use_true_random=False), st.lists(st.integers(0, 60), max_size=3))
def test_records_keep_everything_but_the_times_of_steps(luck: Random, lengths: list[int]) -> None:
    games = [kept(random_game(luck, plies)) for plies in lengths]

    def timeless(saved: SavedGame) -> tuple[object, ...]:
        texts = [(step.text, step.by) for step in saved.steps]
        seconds = saved.began_ms // 1000
        return (saved.rules, saved.start, saved.first, texts, saved.outcome, saved.tags, seconds)

    found = [one.saved for one in games_of(records_of(games))]
    assert list(map(timeless, found)) == [timeless(one.saved) for one in games]


def test_tags_of_others_are_kept_and_the_time_of_a_record_without_one_is_not_known() -> None:
    (saved,) = games('[White "Ada"]\n[Date "1843.??.??"]\n\n1. d6 f4 *\n')
    assert saved.tags["White"] == "Ada"
    assert saved.tags["Date"] == "1843.??.??"
    assert saved.began_ms == 0
    again = records_of([StoredGame(1, saved)])
    assert '[White "Ada"]' in again
    assert '[Date "1843.??.??"]' in again
    assert "UTCDate" not in again


def test_a_game_is_added_once_though_it_comes_as_a_record_and_as_json(tmp_path: Path) -> None:
    file = GamesFile(tmp_path / "games.db")
    rows: dict[int, int] = {}
    file.write({1: kept(played(Random(1), 20)).saved}, rows)
    own = [file.game(rows[1])]
    assert list(file.add(games_of(records_of(own)))) == [None]
    assert list(file.add(games_of(json_of(own)))) == [None]
    file.close()


@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda b: b.decode("latin-1")))
def test_any_other_text_is_told_to_be_none(text: str) -> None:
    with suppress(MillwrightError):
        assert games_of(text) is not None


@given(st.data())
def test_json_with_anything_in_it_is_read_or_told(data: st.DataObject) -> None:
    junk = st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
        max_leaves=4,
    )
    document = json.loads(json_of([kept(played(Random(1), 3))]))
    target = data.draw(st.sampled_from([document, document["games"][0], document["games"][0]["steps"][0]]))
    target[data.draw(st.sampled_from(sorted(target)))] = data.draw(junk)
    with suppress(MillwrightError):
        assert games_of(json.dumps(document)) is not None


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"rules": "chess"}, "game 1 of the list: the saved moves break the rules"),
        ({"first": "green"}, "game 1 of the list cannot be read"),
        ({"began": "2026-11-21T03:00:00"}, "of which time zone"),
        ({"outcome": {"winner": "white", "reason": "few-pieces"}}, "the saved result"),
        ({"tags": {'W"]\n[Result': "1-0"}}, "game 1 of the list: .* is not the name of a tag"),
        ({"steps": [{"text": "d6"}]}, 'game 1 of the list has no "by"'),
        ({"steps": 7}, "cannot be read: it has another form than exported games"),
        ({"tags": {"White": None}}, "is not the text of a tag"),
        ({"tags": {"Event": "x" * 100_001}}, "the tag Event is longer"),
    ],
)
def test_what_is_wrong_with_a_game_is_told(change: dict[str, object], complaint: str) -> None:
    document = json.loads(json_of([kept(played(Random(1), 3, "standard"))]))
    document["games"][0] |= change
    with pytest.raises(NotationError, match=complaint):
        games_of(json.dumps(document))


def test_tags_with_control_characters_are_read_as_one_line() -> None:
    document = json.loads(json_of([kept(played(Random(1), 3, "standard"))]))
    document["games"][0]["tags"] = {"White": "An\x1b[31mna\u202e\nB"}
    (one,) = games(json.dumps(document))
    assert one.tags["White"] == "An [31mna  B"
    (one,) = games('[White "An\x1b[31mna"]\n\n*\n')
    assert one.tags["White"] == "An [31mna"


def test_a_step_of_the_other_player_is_told() -> None:
    document = json.loads(json_of([kept(played(Random(1), 3, "standard"))]))
    document["games"][0]["steps"][1]["by"] = "white"
    with pytest.raises(NotationError, match=r"step 1 \(\w+\) is not white's"):
        games_of(json.dumps(document))


@pytest.mark.parametrize("text", ['{"games": []}', "[]", "7", json.dumps({"format": FORMAT, "version": 2})])
def test_other_json_is_no_list_of_games(text: str) -> None:
    with pytest.raises(NotationError):
        games_of(text)


@pytest.mark.parametrize(
    ("rules", "seed"),
    sampled([("standard", 1), ("lasker", 2), ("twelve", 3), ("six", 4)], others=CI),
)
def test_hands_play_it_again_on_the_headless_board(rules: str, seed: int) -> None:
    game = played(Random(seed), 50, rules)
    out = StringIO()
    assert run_headless(map(json.dumps, hand_actions(game)), out, Blueprint()) == 0
    told = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [line["text"] for line in told if line.get("event") == "step"] == [s.text for s in game.steps]


def test_a_sheet_that_was_exchanged_can_be_played() -> None:
    game = played(Random(5), 30)
    (saved,) = games(records_of([kept(game)]))
    assert game_of(saved).steps == game.steps


# ---- from one file to another ---------------------------------------------------------------------------

ENDINGS = (
    None,
    Outcome(Reason.RESIGNED, Player.WHITE),
    Outcome(Reason.RESIGNED, Player.BLACK),
    Outcome(Reason.AGREED, None),
    Outcome(Reason.ABANDONED, None),
)
tags = st.dictionaries(
    st.sampled_from(["Event", "Site", "Round", "White", "Black", "Annotator"]),
    st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=12).filter(
        lambda text: text.strip("?.") != ""
    ),
    max_size=3,
)


def exported(path: Path) -> tuple[str, str]:
    """All games of a file as records and as JSON, but for their numbers."""
    file = GamesFile(path)
    games = [replace(file.game(row), row=number) for number, row in enumerate(file.rows())]
    file.close()
    return records_of(games), json_of(games)


@pytest.mark.parametrize("rules", sampled(sorted(MILL_SETS), 2, others=CI))
@few(2)
@given(data=st.data())
def test_what_is_exported_and_imported_elsewhere_is_exported_alike(
    tmp_path_factory: pytest.TempPathFactory, rules: str, data: st.DataObject
) -> None:
    """Take-backs, endings, tags and any length; of JSON also the times of steps."""
    folder = tmp_path_factory.mktemp("games")
    luck = data.draw(st.randoms(use_true_random=False))
    file = GamesFile(folder / "first.db")
    for number in range(data.draw(st.integers(1, 3), label="games")):
        recorder, now_ms = GameRecorder(), NOON_MS + 1000 * number
        game = begun(luck, rules)
        row: dict[int, int] = {}
        file.write({1: recorder.follow(game, now_ms)}, row)
        for _ in range(data.draw(st.integers(1, 40), label="changes")):
            back = luck.random() < 0.1 and game.ply > 0
            game = game.back_to(luck.randrange(game.ply)) if back else one_step(luck, game)
            now_ms += luck.choice([0, 7, 1234, 86_400_000])
            file.write({1: recorder.follow(game, now_ms)}, row)
        ending = data.draw(st.sampled_from(ENDINGS), label="ending")
        game = game.declare(ending) if ending is not None and game.outcome is None else game
        saved = recorder.follow(game, now_ms + 5)
        file.write({1: saved}, row)
        tagged = replace(saved, tags=data.draw(tags), began_ms=NOON_MS + 3_600_000 * (number + 1))
        list(file.add([StoredGame(0, tagged, file.game(row[1]).taken_back)]))
    file.close()
    records, whole = exported(folder / "first.db")
    by_json, by_records = GamesFile(folder / "by-json.db"), GamesFile(folder / "by-records.db")
    assert None not in list(by_json.add(games_of(whole)))
    assert None not in list(by_records.add(games_of(records)))
    by_json.close()
    by_records.close()
    assert exported(folder / "by-json.db") == (records, whole)
    assert exported(folder / "by-records.db")[0] == records


words = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z"), exclude_characters="}"), min_size=1
)
any_games = morris.games() | st.builds(
    played, st.randoms(use_true_random=False), st.integers(0, 60), st.sampled_from(sorted(RULE_SETS))
)


@few(20)
@given(any_games, st.sampled_from(ENDINGS), tags | st.just({"Site": "PlayOK"}), st.data())
def test_records_of_any_game_are_imported_as_they_were(
    game: Game, ending: Outcome | None, tags: dict[str, str], data: st.DataObject
) -> None:
    """All rule sets, positions, results, tags and comments: export, import and export are one export."""
    if game.outcome is None and ending is not None:
        game = game.declare(ending)
    turns = st.integers(-1, len(game.turn_texts()) - 1)
    comments = data.draw(st.dictionaries(turns, st.lists(words, min_size=1).map(" ".join), max_size=5))
    text = record_text(GameRecord(game, tags, comments))
    (one,) = games_of(text)
    assert records_of([one]) == text
    assert game_of(one.saved).turn_texts() == game.turn_texts()
    (again,) = games_of(json_of([one]))
    assert records_of([again]) == text


def test_records_keep_remarks_beside_clocks_and_analysis() -> None:
    text = (
        "{before} 1. d6 {[%clk 0:05:03.0] [%millwright before=unknown after=unknown estimate=5] "
        "[%eval 3] slow}\n"
        "1... f4! (1... d5 {why}) {[%millwright before=unknown after=unknown estimate=5]} *\n"
    )
    (one,) = games_of(text)
    assert one.analysis is not None
    assert one.saved.tags[CLOCK_TIMES_TAG] == "0:05:03.0"
    assert json.loads(one.saved.tags[COMMENTS_TAG]) == {
        "-1": "before",
        "0": "[%eval 3] slow",
        "1": "! (1... d5 (why))",
    }
    exported = records_of([one])
    assert records_of(games_of(exported)) == exported


@pytest.mark.parametrize(
    "value", ['{"0":"a}b"}', '{"0":{}}', "[]", "x", '{"x":"a"}', '{"-2":"a"}', '{"99":"a"}']
)
def test_records_of_a_tag_with_odd_comments_are_written(value: str) -> None:
    document = json.loads(json_of([kept(played(Random(1), 3, "standard"))]))
    document["games"][0]["tags"] = {COMMENTS_TAG: value}
    (one,) = games_of(json.dumps(document))
    assert len(games_of(records_of([one]))) == 1


def test_records_of_comments_have_no_control_characters() -> None:
    document = json.loads(json_of([kept(played(Random(1), 3, "standard"))]))
    document["games"][0]["tags"] = {COMMENTS_TAG: json.dumps({"0": "a\x1b[31mb"})}
    (one,) = games_of(json.dumps(document))
    assert "{a [31mb}" in records_of([one])


def test_parse_games_has_errors_in_the_places_of_bad_games() -> None:
    text = "1. d6 *\n\n1. d6 d6 *\n\n1. d7 *\n"
    first, bad, last = parse_games(text).games
    assert isinstance(bad, MillwrightError)
    assert str(bad).startswith("line 3, column 7: ")
    assert [one.saved.steps[0].text for one in (first, last) if isinstance(one, StoredGame)] == ["d6", "d7"]
    document = json.loads(json_of(games_of("1. d6 *\n\n1. d7 *\n\n1. a7 *")))
    document["games"][1]["first"] = "green"
    first, bad, last = parse_games(json.dumps(document)).games
    assert "game 2 of the list" in str(bad)


def test_parse_games_of_damaged_json_names_the_place() -> None:
    damaged = json_of([kept(played(Random(1), 3))])[:-20]
    with pytest.raises(NotationError, match=r"^line \d+: this begins as JSON, but is damaged"):
        parse_games(damaged)


def test_times_of_clocks_are_comments_of_the_turns() -> None:
    rules = rule_set()
    game = Game.begin(rules, rules.start(Player.WHITE))
    for text in ("d6", "f4", "d7"):
        game = game.play(game.position.legal_step(text))
    tags = {"TimeControl": "300+3", CLOCK_TIMES_TAG: "0:05:03.0 - 0:04:57.2"}
    text = records_of([StoredGame(1, GameRecorder().follow(game, NOON_MS, tags))])
    assert "1. d6 {[%clk 0:05:03.0]} 1... f4 2. d7 {[%clk 0:04:57.2]} *" in " ".join(text.split())
    assert CLOCK_TIMES_TAG not in text
    (one,) = games(text)
    assert one.tags[CLOCK_TIMES_TAG] == tags[CLOCK_TIMES_TAG]
    assert records_of([StoredGame(1, one)]) == text


@pytest.mark.parametrize(
    "time",
    [
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "1799-12-31T23:59:59Z",
        "3000-01-01T00:00:00Z",
    ],
)
def test_times_that_no_calendar_here_has_are_refused(time: str) -> None:
    document = json.loads(json_of([kept(played(Random(1), 3))]))
    document["games"][0]["began"] = time
    with pytest.raises(NotationError, match="1800 to 2999"):
        games_of(json.dumps(document))


def test_a_record_with_such_a_time_is_refused_with_its_number() -> None:
    text = '1. d6 f4 *\n\n[UTCDate "0001.01.01"]\n[UTCTime "00:00:00"]\n\n1. d6 f4 *\n'
    with pytest.raises(NotationError, match=r"record 2: .* 1800 to 2999"):
        games_of(text)


@pytest.mark.parametrize("time", ["1800-01-01T00:00:00Z", "2999-12-31T23:59:59Z"])
def test_the_first_and_the_last_time_are_exported_as_they_came(time: str) -> None:
    document = json.loads(json_of([kept(played(Random(1), 3))]))
    document["games"][0]["began"] = time
    (one,) = games_of(json.dumps(document))
    assert json.loads(json_of([one]))["games"][0]["began"].startswith(time[:-1])
    assert records_of([one])
