"""The way back of pieces that a turn had moved or captured: evidence of whether it was thought over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from firmware_host.tracking.explanation import HALF_REVISED, OUT_OF_ORDER, UNLIKELY, Node
from firmware_host.tracking.observation import LONG_AGO
from firmware_host.tracking.weighing.evidence import BoardEvidence


class PutBacks:
    """The pieces that came back in one observation."""

    def __init__(self, evidence: BoardEvidence) -> None:
        """Judge by `evidence`."""
        self._seen = evidence.seen
        self._dwell = evidence.dwell

    def cost(self, node: Node, in_hand: Sequence[int]) -> int | None:
        """Return the cost of going back to the start of `node`, with pieces `in_hand`; None if nobody did."""
        start, cost = node.start, 0
        if self._was_carried_too_long(node, in_hand):
            return None
        if not start.undone and any(node.actions.get(index) for index in self._late_put_backs(node)):
            cost += UNLIKELY
        carried_back = {origin for origin, _ in start.back}
        if in_hand and start.actions and not (carried_back.issuperset(in_hand) and self._returned_last(node)):
            cost += HALF_REVISED
        was_back_early = any(self._was_back_early(node, *points) for points in start.back)
        return cost + OUT_OF_ORDER * (was_back_early or self._returned_first(node))

    def _was_carried_too_long(self, node: Node, in_hand: Sequence[int]) -> bool:
        """Return whether another piece was removed long after one that its owner seems to have in hand."""
        lifted = [self._seen.opened[s.origin.index] for s in node.steps if s.origin and s.target is None]
        carried = set(in_hand).intersection(node.start.returned) & self._seen.removed.keys()
        return any(
            time - self._seen.removed[index] > self._dwell.carried for index in carried for time in lifted
        )

    def _was_back_early(self, node: Node, origin: int, target: int) -> bool:
        """Return whether a piece that moved was back on its origin before it was lifted from its target."""
        actions = node.actions.get(origin, ())
        if not actions or actions != node.start.actions.get(origin) or target not in node.start.undone:
            return False  # it has moved on, or nothing shows that it moved
        landed = self._seen.landings(origin, actions[-1])
        return bool(landed) and landed[-1] < min(self._seen.openings(target), default=landed[-1])

    def _returned_first(self, node: Node) -> bool:
        """Return whether a removed piece came back long after it left, and what its turn set down left later.

        Then it is rather a new piece.
        """
        left = min((t for index in node.start.undone for t in self._seen.openings(index)), default=LONG_AGO)
        return any(self._seen.first(index) < left for index in self._late_put_backs(node))

    def _returned_last(self, node: Node) -> bool:
        """Return whether a removed piece came back after what its turn set down was lifted.

        That is how a capture is taken back, also before the piece in hand is down.
        """
        returned = [self._seen.first(index) for index in node.start.returned if index in self._seen.changes]
        lifted = [time for index in node.start.undone for time in self._seen.openings(index)[:1]]
        return bool(returned and lifted) and min(returned) > max(lifted)

    def _late_put_backs(self, node: Node) -> Iterator[int]:
        """Yield the points to which a removed piece came back long after it left, if only for a moment."""
        seen = self._seen
        for index in node.start.returned:
            if index in seen.changes:
                removed = seen.removed.get(index, LONG_AGO)
                if seen.first(index) - removed >= self._dwell.put_back:
                    yield index
