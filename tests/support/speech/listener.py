"""A listener: somebody who knows the board's language, and understands sentences from their text alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from firmware_host.i18n import catalogue

_POINT = "[a-g][1-7]"
_KINDS = (
    "white",
    "black",
    *(f"{colour}-{kind}" for colour in ("white", "black") for kind in ("ring", "ball")),
)
_PLAYERS = ("white", "black")
_KEYS = (
    *(f"repair.put-back.{kind}.{number}" for kind in _KINDS for number in ("one", "many")),
    *(
        "repair.put-back.stack",
        "repair.take-away",
        "repair.take-off",
        "repair.belongs",
        "repair.change-colour",
    ),
    *("wrong.put-back-take", "wrong.put-back", "wrong.clear-take", "wrong.clear-move", "wrong.return-take"),
    *("wrong.return-place", "wrong.return-reach", "wrong.return-other", "wrong.too-far"),
    *(f"wrong.{what}.{player}" for what in ("clear", "return") for player in _PLAYERS),
    *("undecided.many", "taking-back", "empty-board", "clear-first", "lay-out.stack"),
    *("taking-back.lacking.one", "taking-back.lacking.many"),
    *(f"undecided.{number}.{player}" for number in ("one", "many") for player in _PLAYERS),
    *(f"{what}.{player}" for what in ("holds", "thinks-again", "may-think-again") for player in _PLAYERS),
    *(f"{what}.{player}.of-kind" for what in ("thinks-again", "may-think-again") for player in _PLAYERS),
    *(f"holds.{player}.{held}" for player in _PLAYERS for held in ("ring", "ball", "both")),
    *(
        f"{what}.{player}.{number}"
        for what in ("takes", "vaults", "relocating")
        for player in _PLAYERS
        for number in ("one", "many")
    ),
    *(f"speech.{what}.{player}" for what in ("removes", "may-remove", "relocates") for player in _PLAYERS),
    *(f"speech.{what}.{player}" for what in ("turn", "time", "counts") for player in _PLAYERS),
    *("speech.asking", "speech.choice", "speech.back", "speech.new-game", "asking.sure"),
    *("over.white", "over.black", "over.nobody"),
)
_OF_TURNS = ("speech.moves", "speech.lays", "speech.takes", "speech.declines", "board-plays.from-to")


class Understood(NamedTuple):
    """A sentence, or a part of one, that was understood."""

    key: str
    slots: Mapping[str, str]

    def points(self, slot: str = "points") -> list[str]:
        """Return the points that a slot names."""
        return re.findall(_POINT, self.slots[slot])


class SentenceListener:
    """Somebody who knows one of LANGUAGES."""

    def __init__(self, language: str) -> None:
        self._words = catalogue(language)
        either = self._words["either"].split("{first}")[1].split("{second}")[0]
        joint = f"(?:, | {self._words['list.and']} |{either})"
        points = f"{_POINT}(?:{joint}{_POINT})*"
        names = sorted((self._words[f"piece.{kind}"] for kind in _KINDS), key=len, reverse=True)
        beneath = [
            self._words[f"on.{kind}"].removeprefix("{piece}") for kind in _KINDS if kind.endswith("ring")
        ]
        self._piece = f"(?:{'|'.join(names)})(?:{'|'.join(beneath)})*"
        self._gaps = {
            "points": points,
            "others": points,
            "from": _POINT,
            "piece": self._piece,
            "count": r"\d+",
        }
        self._gaps |= {"number": r"\d+", "turn": "[^.]+?", "what": "[^.]+?(?:[.][0-9][^.]*)?"}
        self._sentences, self._steps = list(self._compiled(_KEYS)), list(self._compiled(_OF_TURNS))

    def word(self, key: str, **slots: object) -> str:
        """Return how this language says something that has no sentence of its own."""
        return self._words[key].format(**slots)

    def understand(self, text: str) -> list[Understood]:
        """Return all that is understood of a text, in its order."""
        return list(_found(text, self._sentences))

    def steps(self, turn: str) -> list[Understood]:
        """Return the steps of a turn; a point alone is where a piece was placed."""
        return list(_found(turn, [*self._steps, ("placed", re.compile(f"(?P<points>{_POINT})"))]))

    def kinds(self, pile: str) -> list[str]:
        """Return the kinds of the pieces of a stack, the lowest first."""
        kinds = []
        for kind in _KINDS:
            if pile.startswith(self._words[f"piece.{kind}"]):
                top, rest = kind, pile.removeprefix(self._words[f"piece.{kind}"])
                break
        else:
            raise AssertionError(f"not a stack: {pile}")
        kinds.append(top)
        while rest:
            lower = next(k for k in _KINDS if k.endswith("ring") and rest.startswith(self._on(k)))
            kinds.append(lower)
            rest = rest.removeprefix(self._on(lower))
        return kinds[::-1]

    def _on(self, kind: str) -> str:
        return self._words[f"on.{kind}"].removeprefix("{piece}")

    def _compiled(self, keys: Sequence[str]) -> Iterator[tuple[str, re.Pattern[str]]]:
        """Yield the patterns of keys, those that leave least open first."""
        for key in sorted(keys, key=lambda key: -len(re.sub(r"\{\w+\}", "", self._words[key]))):
            parts = re.split(r"\{(\w+)\}", self._words[key])
            gaps = [f"(?P<{part}>{self._gaps.get(part, '.+?')})" for part in parts[1::2]]
            texts = [re.escape(part) for part in parts[::2]]
            pattern = texts[0] + "".join(gap + text for gap, text in zip(gaps, texts[1:], strict=True))
            pattern = pattern.replace("(?P<from>", "(?P<origin>")
            yield key, re.compile(rf"(?<!\w){pattern}(?!\w)")


def _found(text: str, patterns: Sequence[tuple[str, re.Pattern[str]]]) -> Iterator[Understood]:
    """Yield what the patterns find, each part of the text by the first of them alone."""
    found: list[tuple[int, Understood]] = []
    for key, pattern in patterns:
        found += [(match.start(), Understood(key, match.groupdict())) for match in pattern.finditer(text)]
        text = pattern.sub(lambda match: "\0" * len(match[0]), text)
    yield from (heard for _, heard in sorted(found, key=lambda one: one[0]))
