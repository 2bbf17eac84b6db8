"""The evidence on a board that hands have touched."""

from __future__ import annotations

from firmware_host.frozen import frozen
from firmware_host.ports import Frame
from firmware_host.tracking.dwell import Dwell
from firmware_host.tracking.observation import Observation
from firmware_host.tracking.sensor_model import SensorModel


@frozen
class BoardEvidence:
    """All that is known of a board that hands have touched.

    `own` is the frame of the game's position. `has_objected` says that the board has shown an error, or asked
    a question, since it last matched the game. In `any_order` the times of the changes mean nothing.
    """

    sensors: SensorModel
    own: Frame
    seen: Observation
    dwell: Dwell
    has_objected: bool
    any_order: bool = False
