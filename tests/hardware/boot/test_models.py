"""The models of the Pi: each is known by its name, and has the clock that its documentation gives it."""

from __future__ import annotations

import pytest

from hardware.boot.models import MODELS, model_named

NAMES = {
    "Raspberry Pi Model B Rev 2": "",
    "Raspberry Pi 2 Model B Rev 1.1": "",
    "Raspberry Pi Zero Rev 1.3": "core_freq=250",
    "Raspberry Pi Zero W Rev 1.1": "core_freq=250",
    "Raspberry Pi Zero 2 W Rev 1.0": "core_freq=250",
    "Raspberry Pi 3 Model B Rev 1.2": "core_freq=250",
    "Raspberry Pi 3 Model B Plus Rev 1.3": "core_freq=250",
    "Raspberry Pi 3 Model A Plus Rev 1.0": "core_freq=250",
    "Raspberry Pi Compute Module 3 Plus Rev 1.0": "core_freq=250",
    "Raspberry Pi 4 Model B Rev 1.4": "core_freq_min=500",
    "Raspberry Pi 400 Rev 1.0": "core_freq_min=500",
    "Raspberry Pi Compute Module 4 Rev 1.1": "core_freq_min=500",
    "Raspberry Pi Compute Module 4S Rev 1.0": "core_freq_min=500",
    "Raspberry Pi 5 Model B Rev 1.0": "",
    "Raspberry Pi 500 Rev 1.0": "",
    "Raspberry Pi Compute Module 5 Rev 1.0": "",
}
"""Names as the firmware writes them, and the setting that keeps SPI's clock steady."""


@pytest.mark.parametrize(("name", "steady"), NAMES.items())
def test_each_model_has_its_setting(name, steady):
    model = model_named(name)
    assert model is not None
    assert model.steady == steady
    assert bool(steady) == (model.core_mhz > model.core_min_mhz)


def test_each_model_is_reached_by_its_name():
    assert [model_named(f"{model.name} Rev 1.0") for model in MODELS] == list(MODELS)


def test_other_machines_are_no_models():
    assert model_named("") is None
    assert model_named("Pine64 RockPro64 v2.1") is None
