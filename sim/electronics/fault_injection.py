"""Inject faults into the simulated electronics, and repair them.

Invariants: a fault takes effect at once and completely, and stays until everything is repaired.
"""

from __future__ import annotations

from itertools import pairwise

from firmware_host.games.layout import Layout
from firmware_host.ports import SOMETHING
from firmware_host.settings import Microseconds
from hardware.scanner import Wire
from sim.electronics.contacts import BOUNCE_MS, ContactFault
from sim.electronics.controls.button import SimulatedButton
from sim.electronics.controls.buzzer import SimulatedBuzzer
from sim.electronics.faults import (
    BadButton,
    BadBuzzer,
    BadDiode,
    BadLeds,
    BadMatrixWire,
    BadSelect,
    BadSignal,
    BounceOf,
    DeadMux,
    ElectricFault,
    MagnetsOf,
    OtherMagnets,
    OtherWiring,
    PointFault,
    SaggingSupply,
    WoodOf,
)
from sim.electronics.harness import WiringHarness
from sim.electronics.matrix import DiodeMatrix
from sim.electronics.mux import MuxBank, open_select, shorted_select, swapped_select
from sim.electronics.reeds import ABOVE_MM
from sim.electronics.spi import SimulatedSpi
from sim.electronics.supply import SAGS_AT_MA, SimulatedSupply
from sim.table.table import Table

SLOW_RISE_US: Microseconds = 100
"""The rise time of a slow line: five times as long as a scan waits for it by default."""

_STRONG = 45.0
"""The field of a magnet that the sensors of adjacent points detect too, 49 mm away."""

GOOD_MT = 30.0
"""The field of a good magnet, a disc of 8 x 3 mm, at the sensor below it, through wood of usual thickness."""

USUAL_WOOD_MM = 6.0
"""The thickness of wood at which the middle of a magnet is ABOVE_MM above the sensor."""

NORMAL_QUANTITIES = (MagnetsOf(GOOD_MT), WoodOf(USUAL_WOOD_MM), BounceOf(BOUNCE_MS))
"""The adjustable quantities at their normal values."""

_WiringFault = DeadMux | BadSelect | BadSignal | BadMatrixWire | BadDiode | OtherWiring


class FaultInjector:
    """Applies faults to the parts of the electronics."""

    def __init__(
        self,
        layout: Layout,
        harness: WiringHarness,
        spi: SimulatedSpi,
        supply: SimulatedSupply,
        table: Table,
        button: SimulatedButton,
        buzzer: SimulatedBuzzer,
    ) -> None:
        self._layout, self._harness = layout, harness
        self._spi, self._supply, self._table = spi, supply, table
        self._button, self._buzzer = button, buzzer
        self._moved: dict[Wire, Wire] = {}

    def apply_fault(self, fault: ElectricFault, now: Microseconds) -> None:
        """Apply `fault` from `now` on."""
        match fault:
            case PointFault():
                self._harness.field.apply_fault(fault.point, fault.kind, now)
                self._update_fields(now)
            case DeadMux() | BadSelect() | BadSignal() | BadMatrixWire() | BadDiode() | OtherWiring():
                self._break_wiring(fault)
            case OtherMagnets():
                self._change_magnets(now, strong=fault.strong)
            case MagnetsOf(millitesla):
                self._harness.strengthen(millitesla / GOOD_MT)
                self._update_fields(now)
            case WoodOf(mm):
                self._harness.raise_to(ABOVE_MM - USUAL_WOOD_MM + mm)
                self._update_fields(now)
            case BounceOf(ms):
                self._harness.field.bounce(ms)
            case BadLeds():
                self._break_light(fault)
            case BadButton(kind, bounce_ms):
                self._button.apply_fault(kind, bounce_ms, now)
            case BadBuzzer(kind):
                self._buzzer.apply_fault(kind)
            case SaggingSupply():
                self._supply.bears_ma = SAGS_AT_MA

    def _break_wiring(self, fault: _WiringFault) -> None:
        """Apply a fault of chips and wires, of which the board has those that can be named."""
        harness = self._harness
        match fault:
            case DeadMux():
                harness.bank.fail(fault.chip, dead=True)
            case BadSelect() if harness.muxes:
                self._break_select(fault, harness.muxes)
            case BadSignal() if harness.muxes:
                self._break_signal(fault, harness.muxes)
            case BadMatrixWire() if harness.matrix:
                _break_matrix(fault, harness.matrix)
            case BadDiode(point, state) if harness.matrix:
                harness.matrix.break_diode(harness.contacts[point.index, SOMETHING], state)
            case OtherWiring():
                self._rewire(fault)

    def repair(self, now: Microseconds) -> None:
        """Repair everything."""
        self._harness.strengthen(1.0)
        self._harness.raise_to(ABOVE_MM)
        self._harness.field.bounce(BOUNCE_MS)
        for point in self._layout.points:
            self._harness.field.apply_fault(point, None, now)
        self._update_fields(now)
        self._moved = {}
        self._harness.bank.repair()
        self._spi.repair()
        self._supply.repair()
        self._button.repair(now)
        self._buzzer.apply_fault(None)

    def _break_signal(self, fault: BadSignal, muxes: MuxBank) -> None:
        if fault.kind == "floating":
            muxes.loosen(fault.chip)
            return
        shared = bool(self._harness.sensors.enable)
        for chip in range(self._harness.chips) if shared else (fault.chip,):
            muxes.slow(chip, SLOW_RISE_US)

    def _break_select(self, fault: BadSelect, muxes: MuxBank) -> None:
        if fault.kind in ("open", "high"):
            decode = open_select(fault.bits[0], high=fault.kind == "high")
        else:
            decode = (swapped_select if fault.kind == "swapped" else shorted_select)(*fault.bits)
        muxes.map_addresses(decode, fault.chip)

    def _rewire(self, fault: OtherWiring) -> None:
        """Swap the wires of the contacts that stand for the same reading."""
        readings = {reading for _, reading in self._harness.contacts}
        own = {at: self._moved.get(at, at) for at in self._harness.contacts.values()}
        for points in fault.points:
            for reading in readings:
                places = [self._harness.contacts[point.index, reading] for point in points]
                for at, other in pairwise((*places, places[0])):
                    self._moved[at] = own[other]
        self._harness.bank.rewire(self._moved)

    def _change_magnets(self, now: Microseconds, *, strong: bool) -> None:
        if strong:
            self._harness.strengthen(_STRONG)
        else:
            for point in self._layout.points:
                self._harness.field.apply_fault(point, ContactFault.FAINT, now)
        self._update_fields(now)

    def _update_fields(self, now: Microseconds) -> None:
        for piece, track in self._table.wood.items():
            self._harness.follow(piece, track, now)

    def _break_light(self, fault: BadLeds) -> None:
        match fault.kind:
            case "unplugged":
                self._spi.plugged = False
            case "reversed":
                self._spi.reach(0)
            case "broken":
                self._spi.reach(fault.led)
            case "colours":
                self._spi.order = fault.order
            case "first-green":
                self._spi.first_is_green = True


def _break_matrix(fault: BadMatrixWire, matrix: DiodeMatrix) -> None:
    first, *others = (*map(matrix.row, fault.rows), *map(matrix.column, fault.columns))
    match fault.kind:
        case "open":
            matrix.loosen(first)
        case "grounded":
            matrix.ground(first)
        case "slow":
            matrix.slow(first, SLOW_RISE_US)
        case "touching":
            matrix.join(first, others[0])
