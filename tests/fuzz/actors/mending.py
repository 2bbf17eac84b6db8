"""Rule 3: whenever the board is brought to what the lights ask for, play goes on.

`mend` looks at the public state only. It does what each light asks for until the board is ready, which must
be soon, and then plays from `moves` in one of the ways in which people do: what they meant must be accepted.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from tests.fuzz.actors.hands import FuzzedHands
from tests.fuzz.actors.people import APART_S
from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.handiwork import ends, turn_text
from tests.fuzz.oracle.plain_rules import BLACK, WHITE
from tests.fuzz.oracle.table import POINTS

ACCEPTED_WITHIN = 0.7
"""Longer than every wait before a step that hands have done, in seconds."""
REDO_WITHIN = 2.15
"""The same where turns were taken back, of which others may follow."""
TOLD_WITHIN = 1.1
"""Longer than it takes to tell that a board does not stand right."""
PUT_BACK_WITHIN = 1.2
"""Longer than a removed piece is away that counts as put back, and than a placement that is thought over.

Once the board has matched the game for that long, earlier touches mean nothing."""
TAKEN_BACK_WITHIN = 3.1
"""Longer than a board rests that is taken back."""


def mend(hands: FuzzedHands, luck: Random) -> None:
    """Do what the lights ask for until the board is ready, then play a turn, which must be accepted."""
    hands.counts["mended"] += 1
    hands.do(repair=True)
    hands.do(box=True)
    hands.wait(TOLD_WITHIN)
    for _ in range(20):
        state = hands.show()
        if state["status"] not in ("ready", "remove"):
            _obey(hands, state, luck)
        elif hands.table.now - max(hands.table.changed_at, hands.referee.case.committed) > PUT_BACK_WITHIN:
            break
        else:
            hands.wait(PUT_BACK_WITHIN)
    else:
        raise AssertionError(f"still {state['status']} after all that the lights asked for was done")
    way = _play_one if hands.standing.may_redo else luck.choice(_WAYS)
    way(hands, state, luck)


def _obey(hands: FuzzedHands, state: dict[str, Any], luck: Random) -> None:
    match state["status"]:
        case "paused":
            hands.do(do="resume")
            hands.wait(TOLD_WITHIN)
        case "fault":
            hands.wait(2.2)
            if hands.show()["status"] == "fault":  # the game waits for pieces that are gone
                hands.bring(board_of(state["position"]))
                hands.wait(TOLD_WITHIN)
        case "over":
            _lift_all(hands, sorted(hands.table.standing))
            hands.wait(3.2)
        case "clear":
            _lift_all(hands, sorted(state["cues"]))
            hands.wait(ACCEPTED_WITHIN)
        case "mismatch":
            _lift_all(hands, [*state["extra"], *state["wrong"]], box=False)
            wanted = board_of(state["position"])
            for point in [*state["wrong"], *state["missing"]]:
                hands.set_down(point, wanted[point])
            hands.do(box=True)
            hands.wait(TOLD_WITHIN)
        case "taking-back" if luck.random() < 0.5:
            hands.wait(TAKEN_BACK_WITHIN)
        case "undecided" if luck.random() < 0.5:
            _set_down_again(hands, state)
        case "undecided" | "taking-back":
            hands.bring(board_of(state["position"]))
            hands.wait(ACCEPTED_WITHIN)
        case "lifted":
            _go_on(hands, state, luck)
            hands.wait(TOLD_WITHIN)


def _set_down_again(hands: FuzzedHands, state: dict[str, Any]) -> None:
    """Lift a piece of which it is not clear what it did, and set it down again where it was."""
    for point in [point for point in unclear_points(state) if point in hands.table.standing][:1]:
        colour = hands.table.standing[point]
        hands.do(lift=point)
        hands.wait(PUT_BACK_WITHIN)
        hands.do(put=point, piece=colour)
        hands.wait(PUT_BACK_WITHIN)


def unclear_points(state: dict[str, Any]) -> list[str]:
    """Return the points that the board asks about."""
    return sorted(point for point, cues in state["cues"].items() if "unclear" in cues)


def _lift_all(hands: FuzzedHands, points: Iterable[str], *, box: bool = True) -> None:
    for point in points:
        hands.do(lift=point)
        hands.wait(APART_S)
    if box:
        hands.do(box=True)


def _go_on(hands: FuzzedHands, state: dict[str, Any], luck: Random) -> None:
    """End what is begun: as the game stands, or as one of the turns that can still be done leaves it."""
    turns = {turn_text(turn): turn for turn in plain.whole_turns(hands.referee.score.now)}
    known = [turns[text] for text in state["moves"] if text in turns]
    moment = hands.referee.score.now
    if known and luck.random() < 0.5:
        for step in luck.choice(known):
            moment = plain.play(moment, step)
    hands.bring(moment.board)


def _play_one(hands: FuzzedHands, state: dict[str, Any], luck: Random) -> None:
    """One turn from `moves`, accepted step by step; its capture may be taken first."""
    before = hands.referee.score.now
    text = luck.choice(state["moves"])
    turn = _turns(before)[text]
    landed = {point for point, cues in state["cues"].items() if "last-move" in cues}
    if len(turn) > 1 and turn[1] != "x-" and turn[1][1:] not in landed and luck.random() < 0.3:
        hands.do_step(turn[1], before.to_move)
        hands.wait(luck.choice([0.05, 0.2, 1.0]))
        hands.do_step(turn[0], before.to_move)
        hands.wait(REDO_WITHIN if hands.standing.may_redo else ACCEPTED_WITHIN)
        _expect(hands, before, turn[:2], "with its capture taken first")
        before, turn = hands.referee.score.now, turn[2:]
    for step in turn:
        if step == "x-":
            hands.do(do="decline")
        else:
            hands.do_step(step, before.to_move)
        hands.wait(REDO_WITHIN if hands.standing.may_redo else ACCEPTED_WITHIN)
        before = _expect(hands, before, (step,), f"of {text}")
    hands.counts["turns after mending"] += 1


def _play_two(hands: FuzzedHands, state: dict[str, Any], luck: Random) -> None:
    """A turn and a quick reply; where a mill is closed or the game ends, what it means is less plain."""
    before = hands.referee.score.now
    pair = _plain_pair(before, luck)
    if before.due or pair is None:
        _play_one(hands, state, luck)
        return
    hands.do_step(pair[0], before.to_move)
    hands.wait(luck.choice([0.03, 0.06, 0.1, 0.2]))
    hands.do_step(pair[1], plain.OTHER[before.to_move])
    hands.wait(ACCEPTED_WITHIN)
    _expect(hands, before, pair, "with a quick reply")
    hands.counts["quick replies after mending"] += 1


def _think_again(hands: FuzzedHands, state: dict[str, Any], luck: Random) -> None:
    """A turn, and then its piece on another point that it could have gone to."""
    before = hands.referee.score.now
    steps = [step for step in _quiet_steps(before) if not before.due]
    pairs = [(one, two) for one in steps for two in steps if one != two and ends(one)[0] == ends(two)[0]]
    if not pairs:
        _play_one(hands, state, luck)
        return
    some = luck.sample(pairs, min(4, len(pairs)))
    contested = [pair for pair in some if _could_be_a_capture(before, *pair)]
    first, second = luck.choice(contested or pairs)
    landed, other = first[-2:], second[-2:]
    hands.do_step(first, before.to_move)
    hands.wait(ACCEPTED_WITHIN)
    _expect(hands, before, (first,), "before it was thought over")
    hands.do(lift=landed)
    hands.wait(luck.choice([0.05, 0.2, 1.0]))
    hands.set_down(other, before.to_move)
    hands.wait(PUT_BACK_WITHIN)
    if hands.referee.last_state["status"] == "undecided":
        assert _could_be_a_capture(before, first, second), f"{second} is undecided"
        _answer(hands, before, first, second)
    _expect(hands, before, (second,), f"after {first} was thought over")
    hands.counts["turns thought over after mending"] += 1


def _answer(hands: FuzzedHands, before: plain.MillMoment, first: str, second: str) -> None:
    """Answer that `first` was thought over, by going back before it, and then do `second`.

    A placed piece is lifted and set down again; one that moved goes back to its origin first.
    """
    origin = ends(first)[0]
    if origin is None:
        _set_down_again(hands, hands.referee.last_state)
        return
    hands.do_step(f"{second[-2:]}-{origin}", before.to_move)
    hands.wait(PUT_BACK_WITHIN)
    hands.do_step(second, before.to_move)
    hands.wait(PUT_BACK_WITHIN)


def _could_be_a_capture(before: plain.MillMoment, first: str, second: str) -> bool:
    """Return whether presence cannot distinguish a change from `first` from the opponent's mill and its
    capture."""
    return (second[-2:], f"x{first[-2:]}") in plain.whole_turns(plain.play(before, first))


def _put_capture_back(hands: FuzzedHands, state: dict[str, Any], luck: Random) -> None:
    """A turn with a capture, whose piece is back within a second: it is due again."""
    before = hands.referee.score.now
    turns = [turn for turn in plain.whole_turns(before) if turn[-1][0] == "x" and turn[-1] != "x-"]
    if not turns:
        _play_one(hands, state, luck)
        return
    turn = luck.choice(turns)
    *others, last = turn
    for step in others:
        hands.do_step(step, before.to_move)
        hands.wait(ACCEPTED_WITHIN)
    hands.do(lift=last[1:])
    hands.wait(luck.uniform(0.1, 0.9))
    hands.do(put=last[1:])
    hands.wait(ACCEPTED_WITHIN)
    _expect(hands, before, others, f"with {last} put back")
    hands.counts["captures put back after mending"] += 1


def _decline_by_reply(hands: FuzzedHands, state: dict[str, Any], luck: Random) -> None:
    """The opponent's turn instead of a removal that may be declined.

    Who may place and move is left out: a piece lifted and one set down could be a removal and a placement.
    """
    before = hands.referee.score.now
    closing = [turn[0] for turn in plain.whole_turns(before) if turn[1:] == ("x-",)]
    if closing and before.rules.move_while_placing == "no":
        step = luck.choice(closing)
        hands.do_step(step, before.to_move)
        hands.wait(ACCEPTED_WITHIN)
        before = _expect(hands, before, (step,), "to close a mill")
    due = "x-" in plain.legal_steps(before)
    replies = _quiet_steps(declined := plain.play(before, "x-")) if due else []
    if before.rules.move_while_placing == "yes" or not replies:
        _play_one(hands, hands.show(), luck)
        return
    reply = luck.choice(replies)
    hands.do_step(reply, declined.to_move, pause=luck.choice([0.05, 0.25, 1.0]))
    hands.wait(PUT_BACK_WITHIN)
    _expect(hands, before, ("x-", reply), "instead of a removal")
    hands.counts["removals declined by a reply"] += 1


def _plain_pair(before: plain.MillMoment, luck: Random) -> tuple[str, str] | None:
    """A step and a reply that does not fill what the step opened, which presence could not tell from one."""
    for step in luck.sample(quiet := _quiet_steps(before), len(quiet))[:4]:
        replies = _quiet_steps(plain.play(before, step))
        plainer = [reply for reply in replies if ends(reply)[1] != ends(step)[0]]
        if plainer:
            return step, luck.choice(plainer)
    return None


def _quiet_steps(moment: plain.MillMoment) -> list[str]:
    """Steps that close no mill and end nothing."""
    steps = sorted(plain.legal_steps(moment))
    after = {step: plain.play(moment, step) for step in steps if step[0] != "x"}
    return [step for step, then in after.items() if not then.due and plain.outcome(then) is None]


def _turns(moment: plain.MillMoment) -> dict[str, tuple[str, ...]]:
    """The turns from `moment` by the texts that `moves` has for them."""
    if moment.due:
        return {step: (step,) for step in plain.legal_steps(moment)}
    return {turn_text(turn): turn for turn in plain.whole_turns(moment)}


def _expect(hands: FuzzedHands, before: plain.MillMoment, steps: Iterable[str], how: str) -> plain.MillMoment:
    """The position after `steps`, which the board must have by now."""
    wanted = before
    for step in steps:
        wanted = plain.play(wanted, step)
    told = hands.referee.last_state["position"]
    assert told == plain.position_text(wanted), f"{steps} {how} was not accepted: {told}"
    return wanted


_WAYS = (_play_one, _play_two, _think_again, _put_capture_back, _decline_by_reply)


def board_of(position: str) -> dict[str, str]:
    """Return the owners of the pieces on their points, from a position text."""
    marks = position.split()[0].replace("/", "")
    return {p: WHITE if mark == "O" else BLACK for p, mark in zip(POINTS, marks, strict=True) if mark != "*"}
