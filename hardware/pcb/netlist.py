"""The netlists of the boards: the circuits of all that a board can be fitted for, laid over each other.

**Invariants:** every net comes from `build_circuit`. Two circuits that disagree on a pad cannot be merged,
and the merged board joins no two nets of any of them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

from firmware_host.config.controller import BUTTON, BUZZER
from firmware_host.frozen import frozen
from firmware_host.games.layout import MORRIS
from firmware_host.settings import Controls, Sound
from hardware.pcb.layouts.controller import CONTROLLER
from hardware.pcb.layouts.layout import BoardLayout
from hardware.pcb.layouts.point import POINT
from hardware.wiring.circuit import build_circuit
from hardware.wiring.netlist import BoardPart, Circuit
from hardware.wiring.plan import BoardPlan

Pad = tuple[str, str]
"""A reference and the number of a pad."""

BARS = 8
"""LEDs of each side bar; the controller's terminals serve any number."""


class MergeError(Exception):
    """Circuits that one board cannot serve."""


@frozen(slots=False)
class Netlist:
    """The parts of a board, the net of each of their pads in use, and the variants that fit each part."""

    parts: Mapping[str, BoardPart]
    nets: Mapping[Pad, str]
    variants: Mapping[str, tuple[str, ...]]


def plans() -> dict[str, BoardPlan]:
    """Return the plan of each variant, with everything that can be fitted."""
    made = {
        "polarity": BoardPlan.recommended(MORRIS, "polarity"),
        "presence": BoardPlan.recommended(MORRIS),
        "linear": BoardPlan.recommended(MORRIS, "polarity", kind="mcp3008"),
    }
    return {name: _whole(plan) for name, plan in made.items()}


def _whole(plan: BoardPlan) -> BoardPlan:
    points, bar = len(plan.layout), tuple(range(BARS))
    strip = replace(
        plan.strip,
        leds=points + 2 * BARS,
        white_bar=tuple(points + led for led in bar),
        black_bar=tuple(points + BARS + led for led in bar),
    )
    pull_up = plan.sensors.kind != "mux"
    return replace(
        plan,
        sensors=replace(plan.sensors, boards=True, pull_up=pull_up),
        strip=strip,
        controls=Controls(button=BUTTON),
        sound=Sound(buzzer=BUZZER),
    )


def circuits() -> dict[str, Circuit]:
    """Return the circuit of each variant."""
    return {name: build_circuit(plan) for name, plan in plans().items()}


def controller_netlist() -> Netlist:
    """Return the netlist of the controller."""
    return merge({name: circuit.parts for name, circuit in circuits().items()})


def point_netlist() -> Netlist:
    """Return the netlist of the module at a point."""
    return merge({name: circuit.module for name, circuit in circuits().items()})


def merge(variants: Mapping[str, tuple[BoardPart, ...]]) -> Netlist:
    """Return the netlist that serves all variants; raises MergeError if none does.

    A net has the name that the first variant gives it which uses it.
    """
    parts: dict[str, BoardPart] = {}
    fitted: dict[str, list[str]] = {}
    groups: dict[Pad, set[Pad]] = {}
    names: dict[Pad, str] = {}
    for variant, listed in variants.items():
        own: dict[str, set[Pad]] = {}
        for part in listed:
            if parts.setdefault(part.ref, part).component != part.component:
                raise MergeError(f"{part.ref} is another part in {variant}")
            fitted.setdefault(part.ref, []).append(variant)
            for pad, net in part.pads:
                own.setdefault(str(net), set()).add((part.ref, pad))
                names.setdefault((part.ref, pad), str(net))
        for pads in own.values():
            joined = set[Pad]().union(pads, *(groups.get(pad, ()) for pad in pads))
            groups |= dict.fromkeys(joined, joined)
    nets = _named(groups, names)
    for variant, listed in variants.items():
        _check(variant, listed, nets)
    return Netlist(parts, nets, {ref: tuple(own) for ref, own in fitted.items()})


def _named(groups: Mapping[Pad, set[Pad]], names: Mapping[Pad, str]) -> dict[Pad, str]:
    order = {pad: number for number, pad in enumerate(names)}
    return {pad: names[min(groups[pad], key=order.__getitem__)] for pad in names}


def _check(variant: str, listed: tuple[BoardPart, ...], nets: Mapping[Pad, str]) -> None:
    owner: dict[str, str] = {}
    for part in listed:
        for pad, net in part.pads:
            other = owner.setdefault(nets[part.ref, pad], str(net))
            if other != str(net):
                raise MergeError(f"the board joins {other} and {net}, which {variant} has apart")


def board_inputs(layout: BoardLayout, netlist: Netlist) -> dict[str, Any]:
    """Return everything that a board is made from, for programs."""
    parts = [
        {
            "ref": ref,
            "value": part.component.value,
            "footprint": part.component.footprint,
            "order": part.component.order,
            "about": part.about,
            "variants": list(netlist.variants[ref]),
            "pads": {pad: net for (other, pad), net in netlist.nets.items() if other == ref},
        }
        for ref, part in sorted(netlist.parts.items(), key=lambda item: _natural(item[0]))
    ]
    return {"layout": asdict(layout), "parts": parts, "labels": list(_channel_labels(layout, netlist))}


def _channel_labels(layout: BoardLayout, netlist: Netlist) -> Iterator[dict[str, Any]]:
    """Yield the names of the points below the plugs of the controller."""
    for ref, part in netlist.parts.items():
        if part.component.value != "points":
            continue
        place = layout.places[ref]
        for pad, net in sorted(((int(p), n) for (r, p), n in netlist.nets.items() if r == ref)):
            name = {"GND": "-", "3.3 V": "+"}.get(net, net.split()[0])
            yield {"words": name, "x": place.x + 2 * (pad - 1), "y": place.y + 4.5, "size": 0.9}


def _natural(ref: str) -> tuple[str, int]:
    letters = ref.rstrip("0123456789")
    return letters, int(ref[len(letters) :])


def inputs_hash(inputs: Mapping[str, Any]) -> str:
    """Return a short hash of all that a board's copper and print follow from, for its title block."""
    drawn = ("ref", "value", "footprint", "pads")
    parts = [{key: part[key] for key in drawn} for part in inputs["parts"]]
    text = json.dumps(dict(inputs) | {"parts": parts}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def boards() -> dict[str, dict[str, Any]]:
    """Return the inputs of each board, with their hash."""
    made = ((CONTROLLER, controller_netlist()), (POINT, point_netlist()))
    found = {layout.name: board_inputs(layout, netlist) for layout, netlist in made}
    return {name: inputs | {"hash": inputs_hash(inputs)} for name, inputs in found.items()}
