"""The reports of faults, as a terminal shows them."""

from collections.abc import Mapping

from firmware_host.i18n import Message, to_english


def fault_texts(faults: Mapping[str, Message]) -> dict[str, str]:
    """Each part that does not work, with what is wrong with it in English."""
    return {part: to_english(what) for part, what in faults.items()}
