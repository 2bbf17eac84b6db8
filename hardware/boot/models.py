"""The models of the Raspberry Pi, as far as they differ for a board.

The LEDs' data leaves by SPI, whose clock is divided from the core clock on all models before the 5. Where the
firmware lets that one rise and fall, the LEDs' bits become too short or too long: LEDs flicker or turn white.
The core clock stays put if its minimum is as high as its maximum, or with force_turbo=1.

Sources: "Overclocking options" and "Conditional filters" in Raspberry Pi's documentation of config.txt, and
raspberrypi/documentation#2436 and raspberrypi/linux#2060 on SPI. Nothing of this was measured here.
"""

from __future__ import annotations

from firmware_host.frozen import frozen


@frozen
class Model:
    """A model: the first words of its name in /proc/device-tree/model, and the filters of config.txt for it.

    `core_mhz` and `core_min_mhz` bound the core clock as the firmware sets them by default; both are 0 if SPI
    has a clock of its own. `steady` is the recommended setting that makes the two equal, if they are not.
    """

    name: str
    filters: frozenset[str]
    core_mhz: int = 0
    core_min_mhz: int = 0
    steady: str = ""

    @property
    def has_rp1(self) -> bool:
        """True for a Pi 5 and its relatives, whose own chip drives the header: PIO, but no PWM for LEDs."""
        return "pi5" in self.filters


def _model(name: str, filters: str, core: tuple[int, int] = (0, 0), steady: str = "") -> Model:
    return Model(name, frozenset(filters.split()), *core, steady)


_FIXED, _RISING, _FALLING = (250, 250), (400, 250), (500, 200)

MODELS = (
    _model("Raspberry Pi Zero 2 W", "pi0 pi0w pi02", _RISING, "core_freq=250"),
    _model("Raspberry Pi Zero W", "pi0 pi0w", _RISING, "core_freq=250"),
    _model("Raspberry Pi Zero", "pi0", _RISING, "core_freq=250"),
    _model("Raspberry Pi 500", "pi5 pi500"),
    _model("Raspberry Pi 5", "pi5"),
    _model("Raspberry Pi Compute Module 5", "pi5 cm5"),
    _model("Raspberry Pi 400", "pi4 pi400", _FALLING, "core_freq_min=500"),
    _model("Raspberry Pi 4", "pi4", _FALLING, "core_freq_min=500"),
    _model("Raspberry Pi Compute Module 4S", "pi4 cm4s", _FALLING, "core_freq_min=500"),
    _model("Raspberry Pi Compute Module 4", "pi4 cm4", _FALLING, "core_freq_min=500"),
    _model("Raspberry Pi 3 Model A Plus", "pi3 pi3+", _RISING, "core_freq=250"),
    _model("Raspberry Pi 3 Model B Plus", "pi3 pi3+", _RISING, "core_freq=250"),
    _model("Raspberry Pi 3", "pi3", _RISING, "core_freq=250"),
    _model("Raspberry Pi Compute Module 3", "pi3", _RISING, "core_freq=250"),
    _model("Raspberry Pi 2", "pi2", _FIXED),
    _model("Raspberry Pi", "pi1", _FIXED),
)
"""All models; where one name begins with another, the longer one comes first."""


def model_named(name: str) -> Model | None:
    """Return the model with that text in /proc/device-tree/model, or None if it isn't a Raspberry Pi."""
    return next((model for model in MODELS if name.startswith(model.name)), None)
