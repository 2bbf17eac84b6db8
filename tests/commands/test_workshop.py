"""The kinds of the workshop that `millwright run` opens."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.commands.run import _open_workshop
from firmware_host.config.loader import Config
from firmware_host.maintenance import workshop
from firmware_host.play.asking.options import DOCTOR, SET_UP, SETTINGS, WORKSHOPS
from firmware_host.runtime.page import PageAddress
from firmware_host.runtime.watchdog import Notifier, ServiceReporter

OPENS = {SET_UP: "set_up_by_page", DOCTOR: "examine_by_page", SETTINGS: "choose_by_page"}


@pytest.mark.parametrize("kind", WORKSHOPS)
def test_each_kind_of_the_workshop_opens_its_own(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def opener(name: str) -> Any:
        return lambda *_: opened.append(name) or True

    for name in OPENS.values():
        monkeypatch.setattr(workshop, name, opener(name))
    service = ServiceReporter(Notifier.of({}), None)
    assert _open_workshop("own.toml", kind, Config.default(), PageAddress(), service)
    assert opened == [OPENS[kind]]
