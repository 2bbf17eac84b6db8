"""Proofs from positions in which pieces are in hand: their results, replies, and ends."""

import pytest

from firmware_host.engine.certificate import Certificate, certificate_bytes
from firmware_host.engine.solving import certifying
from firmware_host.engine.solving.certifying import START, Placing, open_prover
from firmware_host.engine.solving.folder import open_tables
from firmware_host.engine.solving.library import BuildStoppedError
from firmware_host.errors import TableError
from tests.support.engine.placing import minimax, random_states

DIAGONALS = ("pieces=4", "diagonals=yes")


def working(stage, done, total):
    return False


@pytest.fixture
def three(solved):
    """Return the rules with three pieces, and the folder with their tables."""
    return solved(6, settings=("pieces=3",))


@pytest.mark.ci("engine")
@pytest.mark.parametrize(
    ("stones", "settings", "placed", "results"),
    [(6, ("pieces=3",), (3, 4, 5), {-1, 1}), (8, DIAGONALS, (5, 6, 7), {-1, 0, 1})],
    ids=["three", "diagonals"],
)
def test_proofs_and_minimax_agree(solved, stones, settings, placed, results):
    rules, folder = solved(stones, settings=settings)
    value = minimax(rules, open_tables(folder.path.parent))
    values = {state: value(state) for count in placed for state in random_states(rules, count, 12)}
    assert results <= set(values.values())
    for player in (0, 1):
        for wins in (False, True):
            with open_prover(rules.options, folder.open, player, wins=wins) as prover:
                for state, result in values.items():
                    reached = result * (-1 if player else 1) >= wins
                    assert prover.reaches(Placing.of(rules, state), working) is reached


def test_replies_from_several_starts_pass_the_check(three):
    rules, folder = three
    states = random_states(rules, 3, 12)
    for player, wins in ((0, False), (0, True), (1, False), (1, True)):
        with open_prover(rules.options, folder.open, player, wins=wins) as prover:
            starts = [Placing.of(rules, one) for one in states]
            starts = [one for one in starts if prover.reaches(one, working)]
            turns = prover.replies(starts, working)
        assert turns is not None
        certificate = Certificate(memoryview(b"".join(certificate_bytes(rules.options, player, turns))))
        found = certifying.audit(rules.options, folder.open, certificate, working, starts=starts, wins=wins)
        assert (found.wrong, found.entries) == (0, certificate.entries)
        assert found.leaves > 0


def test_replies_that_only_draw_are_no_win_to_the_check(solved):
    rules, folder = solved(8, settings=("pieces=4",))
    turns = certifying.certify(rules.options, folder.open, 0, working)
    certificate = Certificate(memoryview(b"".join(certificate_bytes(rules.options, 0, turns))))
    found = certifying.audit(rules.options, folder.open, certificate, working, wins=True)
    assert (found.missing, found.illegal) == (0, 0)
    assert found.lost > 1000


def test_replies_are_none_if_one_start_is_lost(three):
    rules, folder = three
    with open_prover(rules.options, folder.open, 1) as prover:
        assert prover.replies([START], working) is None


def test_proof_that_was_stopped_comes_to_the_same_result(three):
    rules, folder = three
    with open_prover(rules.options, folder.open, 1) as prover:
        with pytest.raises(BuildStoppedError):
            prover.reaches(START, lambda *_: True)
        assert prover.reaches(START, working) is False


def test_proof_whose_memory_is_full_has_no_result(solved, monkeypatch):
    rules, folder = solved(8, settings=("pieces=4",))
    monkeypatch.setattr(certifying, "MEMORY_ESTIMATE", 0)
    with open_prover(rules.options, folder.open, 0, wins=True, max_memory=1000) as prover:
        states = random_states(rules, 3, 500)
        with pytest.raises(TableError, match="too little memory"):
            assert not any(prover.reaches(Placing.of(rules, one), working) for one in states)


def test_position_with_a_removal_due_is_refused(three):
    rules, _folder = three
    state = rules.mechanics.start(black=False)
    with pytest.raises(ValueError, match="in which a turn begins"):
        Placing.of(rules, state._replace(due=1))
