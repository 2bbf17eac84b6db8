"""The types of sensors that stand at a point."""

from __future__ import annotations

import enum


class SensorType(enum.Enum):
    """The type of sensor on a channel."""

    REED = "reed"
    HALL = "hall switch"
    LINEAR = "linear sensor"

    @property
    def plural(self) -> str:
        """The plural of its name."""
        return f"{self.value}es" if self is SensorType.HALL else f"{self.value}s"
