"""The stages in which places are looked for, one wire and one LED after the other, by hands.

Invariants: a change is classified first and applied then. A mistake is corrected by doing the reverse. Every
question can be put off, and no question is asked without end.
"""

from __future__ import annotations

from dataclasses import replace

from firmware_host.i18n import Message
from hardware.setup.agenda import next_question
from hardware.setup.classification import (
    Ambiguous,
    ClearAnswer,
    DoubtfulAnswer,
    Evidence,
    KnownPiece,
    Outcome,
    PieceGone,
    Undo,
    Unexpected,
    classify,
)
from hardware.setup.level_watch import SENSED_COUNTS, Change
from hardware.setup.plan import Move
from hardware.setup.point_names import describe_point
from hardware.setup.progress import SetupFindings
from hardware.setup.prompts import BRIGHT, COLOURS, FAINT, Answer, Light
from hardware.setup.stage import Stage, StageQuestion
from hardware.setup.state import SetupState
from hardware.setup.transitions import answered, other_side, put_off, taken_back, without_piece

_FIRST_TAKEN = Message("setup.first-taken")
_NONE_STANDS = Answer("", Message("setup.none-stands"))


class SearchStage(Stage):
    """The part that the stages of the search share: they follow what hands do."""

    def update(self, state: SetupState, change: Change | None) -> SetupState:
        """Take in what hands did, as far as it is clear."""
        if change is None:
            return state
        order = (*change.set_down, *change.lifted)
        for _ in range(self.sensing.count):  # each round takes in at least one wire
            state = self.sensing.prune(state)
            outcome = classify(self._evidence(state, order))
            if outcome is None:
                break
            state = self._apply(state, outcome)
            if isinstance(outcome, Ambiguous | DoubtfulAnswer):
                break
        return state

    def reenter(self, state: SetupState) -> SetupState:
        """Ask to undo whatever differs from the findings of that time."""
        return replace(state, to_undo=frozenset(self.sensing.moved(state)))

    def _evidence(self, state: SetupState, order: tuple[int, ...]) -> Evidence:
        """Return what hands did; wires that are not in `order` moved before."""
        moved = self.sensing.moved(state)
        moved.sort(key=lambda wire: order.index(wire) if wire in order else -1)
        return Evidence(
            self.plan,
            state.found,
            moved,
            self.sensing.stable,
            self.sensing.swings() if len(moved) > 1 else None,
            searching=state.stage != "free",
            ambiguous=state.ambiguous,
        )

    def _apply(self, state: SetupState, outcome: Outcome) -> SetupState:
        match outcome:
            case ClearAnswer():
                return self._take(state, outcome)
            case DoubtfulAnswer(wire):
                return replace(state.enter("sure"), doubtful_wire=wire)
            case Undo(wires, others):
                return self._take_back(state, wires, others)
            case Unexpected(wires):
                return _refuse(state, wires, Message("setup.uninvited"))
            case KnownPiece(wires, point):
                at = Message("setup.known.at", {"points": (point,)}) if point else Message("setup.known")
                return _refuse(state, wires, at)
            case PieceGone(wires):
                found = state.found
                for wire in wires:
                    found = without_piece(found, wire)
                return next_question(self.context, state.enter("find", found, state.notes))
            case Ambiguous(note):
                return replace(state, notes=(note,))

    def _take(self, state: SetupState, answer: ClearAnswer) -> SetupState:
        """Return the state with the wire of the question found."""
        wire, down = answer.wire, bool(self.sensing.stable[answer.wire])
        watch = self.sensing.watch
        rests = None if watch is None else watch.rests
        level = None if rests is None or not down else self.sensing.level(wire)
        notes = [_FIRST_TAKEN] if answer.first else []
        if rests and level is not None and abs(level - rests[wire]) < 2 * SENSED_COUNTS:
            notes.append(Message("setup.weak"))
        if answer.also and down:
            notes.append(Message("setup.felt-beside"))
        colour = self.plan.colour(state.found)
        found = answered(state.found, self.plan, wire, down, colour, level, answer.also)
        return next_question(self.context, state.remember().enter("find", found, notes))

    def _take_back(
        self, state: SetupState, wires: tuple[int, ...], others: tuple[int, ...] = ()
    ) -> SetupState:
        """Return the state before `wires` answered; there is no way back into states in which they had.

        After the last answer alone, another wire may be the right one at once; otherwise the board was
        jolted, and what others did has to be undone.
        """
        jolted = len(wires) > 1 or state.found.seat_of(wires[0]) != state.found.last
        found = state.found
        for wire in wires:
            found = taken_back(found, self.plan, wire)
        to_undo = state.to_undo.union(others) if jolted else state.to_undo
        state = replace(state, history=(), to_undo=to_undo)
        return next_question(self.context, state.enter("find", found, [Message("setup.taken-back")]))

    def _put_off(self, state: SetupState) -> SetupState:
        """Return the state with the question put off, and whatever hands did for it to be undone."""
        subject = self.plan.subject(state.found)
        if len(self.sensing.moved(state)) > 1:
            state = replace(state, ambiguous=state.ambiguous | {subject})
        state = replace(state, found=put_off(state.found, subject, self.sensing.stable))
        return replace(state, to_undo=state.to_undo | self.sensing.unsettled(state))

    def _accept_as_it_is(self, state: SetupState) -> SetupState:
        """Return the state with what should have been undone taken for the truth about the board."""
        found, stable = state.found, self.sensing.stable
        for wire in sorted(state.to_undo):
            number = found.seat_of(wire)
            if number is None:
                found = replace(found, stuck=(*found.stuck, wire))
            else:
                colour = found.seats[number].wires.index(wire) if stable[wire] else None
                found = found.with_seat(number, stands=colour)
        state = replace(state, to_undo=frozenset())
        return next_question(self.context, state.enter("find", found))

    def _asked_point(self, found: SetupFindings) -> str | None:
        """Return the point of the question where it is asked by name."""
        if found.half is not None:
            seat = found.seats[found.half]
            return None if seat.leds and found.lit else seat.point
        subject = self.plan.subject(found)
        return subject if isinstance(subject, str) else None

    def _asked_light(self, found: SetupFindings) -> dict[int, Light]:
        """Return the light of the question; by name, pieces that wait to be asked for shine faintly."""
        if found.half is not None:
            return dict.fromkeys(found.seats[found.half].leds, BRIGHT)
        if found.side == "light":
            return {found.leds[0]: BRIGHT}
        waiting = [seat for seat in found.seats if seat.stands is not None and seat.point is None]
        return {led: FAINT for seat in waiting for led in seat.leds}


def _refuse(state: SetupState, wires: tuple[int, ...], note: Message) -> SetupState:
    """Return the state in which `wires` have to be undone."""
    return replace(state, to_undo=state.to_undo.union(wires), notes=(note,))


class FindStage(SearchStage):
    """The question for a place, by its light or its name; before that, for what is to be undone."""

    name = "find"

    def question(self, state: SetupState) -> StageQuestion:
        """Ask hands to put, lift or exchange a piece, or to undo what they did."""
        if state.to_undo:
            return self._undo_question(state)
        found = state.found
        move, point = self.plan.move(found, self.sensing.stable), self._asked_point(found)
        return StageQuestion(self._sentence(found, move, point), self._answers(found, move), point, move)

    def light(self, state: SetupState) -> dict[int, Light]:
        """Light the LED that is asked for."""
        return {} if state.to_undo else self._asked_light(state.found)

    def answer(self, state: SetupState, key: str) -> SetupState:
        """Go on without an answer of hands, for the reason that the key gives."""
        if state.to_undo:
            return self._accept_as_it_is(state)
        state = state.remember()
        found = state.found
        match key:
            case "s" if found.last is not None:
                leds = (*found.seats[found.last].leds, found.leds[0])
                found = replace(found.with_seat(found.last, leds=leds), leds=found.leds[1:], later=())
            case "d":
                found = self.plan.without_led(found)
            case "n":
                found = self.plan.without_pieces(found)
            case _:
                state = self._put_off(state)
                found = state.found
        return next_question(self.context, state.enter("find", found))

    def _undo_question(self, state: SetupState) -> StageQuestion:
        down = {bool(self.sensing.stable[wire]) for wire in state.to_undo}
        if len(down) > 1:
            sentence = Message("setup.undo.both")
        else:
            sentence = Message("setup.undo.set-down") if down == {True} else Message("setup.undo.lifted")
        return StageQuestion(sentence, [Answer("", Message("setup.cannot-be"))])

    def _sentence(self, found: SetupFindings, move: Move, point: str | None) -> Message:
        piece, colour = self._piece(found), COLOURS[self.plan.colour(found)]
        lifted = piece if self.plan.kinds else "any"
        if point is None:
            return _lit_sentence(move, piece, lifted, colour)
        return _named_sentence(move, piece, lifted, colour, describe_point(point, self.plan.layout))

    def _answers(self, found: SetupFindings, move: Move) -> list[Answer]:
        piece = self._piece(found)
        none_left = Answer("n", Message(f"setup.none-left.{piece}"))
        offered = [_NONE_STANDS if move == "lift" else none_left]
        if found.side == "light" and found.half is None:
            if found.last is not None and found.seats[found.last].leds:
                offered.append(Answer("s", Message("setup.same-point")))
            offered.append(Answer("d", Message("setup.no-light-seen")))
        if move != "lift":
            offered.append(Answer("l", Message("setup.later")))
        return offered

    def _piece(self, found: SetupFindings) -> str:
        """Return the piece that is asked for, as it is named in keys of texts."""
        if self.plan.kinds:
            return self.plan.kinds[0].rpartition("-")[2]
        return COLOURS[self.plan.colour(found)] if self.plan.coloured else "any"


def _lit_sentence(move: Move, piece: str, lifted: str, colour: str) -> Message:
    match move:
        case "put":
            return Message(f"setup.put.{piece}.lit")
        case "lift":
            return Message(f"setup.lift.{lifted}.lit")
        case "either":
            return Message(f"setup.either.{piece}.lit")
        case "exchange":
            return Message(f"setup.exchange.{colour}.lit")


def _named_sentence(move: Move, piece: str, lifted: str, colour: str, place: Message) -> Message:
    args = {"place": place}
    match move:
        case "put":
            return Message(f"setup.put.{piece}.at", args)
        case "lift":
            return Message(f"setup.lift.{lifted}.at", args)
        case "either":
            return Message(f"setup.either.{piece}.at", args)
        case "exchange":
            return Message(f"setup.exchange.{colour}.at", args)


class SureStage(SearchStage):
    """The question whether lifting the last piece was the answer or took back that it had been set down."""

    name = "sure"

    def question(self, state: SetupState) -> StageQuestion:
        """Ask with the place that the answer would be for."""
        found = state.found
        back = Answer("t", Message("setup.take-back"))
        point = None if state.to_undo else self._asked_point(found)
        if found.side == "light":
            it_is = Answer("", Message("setup.it-is.lit"))
            return StageQuestion(Message("setup.sure.lit"), [it_is, back], point)
        args = {"points": (found.points[0],)}
        it_is = Answer("", Message("setup.it-is.at", args))
        return StageQuestion(Message("setup.sure.at", args), [it_is, back], point)

    def light(self, state: SetupState) -> dict[int, Light]:
        """Go on to light the LED that is asked for."""
        return {} if state.to_undo else self._asked_light(state.found)

    def answer(self, state: SetupState, key: str) -> SetupState:
        """Take the answer, or take back the one before."""
        wire = state.doubtful_wire
        state = replace(state.enter("find"), doubtful_wire=None)
        if wire is None:
            return state
        if key == "":
            return self._take(state, ClearAnswer(wire))
        found = replace(state.found, side=other_side(state.found.side))
        return self._take_back(replace(state, found=found), (wire,))

    def update(self, state: SetupState, change: Change | None) -> SetupState:
        """Return to the question once the piece stands again."""
        if change is None or state.doubtful_wire not in change.set_down:
            return state
        return super().update(replace(state.enter("find"), doubtful_wire=None), change)


class FreeStage(SearchStage):
    """The request for a piece from a place of which all is known, since it is needed elsewhere."""

    name = "free"

    def question(self, state: SetupState) -> StageQuestion:
        """Ask to lift the piece."""
        point = self.plan.point_to_free(state.found)
        place = describe_point(point, self.plan.layout) if point else Message("setup.place.done")
        return StageQuestion(Message("setup.free", {"place": place}), [_NONE_STANDS], point)

    def answer(self, state: SetupState, _key: str) -> SetupState:
        """Put off the question for which the piece was needed."""
        if state.to_undo:
            return self._accept_as_it_is(state)
        state = self._put_off(state.remember())
        return next_question(self.context, state.enter("find"))
