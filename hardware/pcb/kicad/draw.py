"""Draw a board from its inputs: outline, parts with their nets, silkscreen and areas of copper."""

import math
from pathlib import Path

import pcbnew
from pcbnew import VECTOR2I, FromMM, ToMM

LIBRARIES = Path("/usr/share/kicad/footprints")
TRACK, CLEARANCE, VIA, DRILL = 0.25, 0.2, 0.6, 0.3
GROUND = "GND"


def mm(x, y):
    """Return a point in KiCad's units."""
    return VECTOR2I(FromMM(x), FromMM(y))


def area(corners):
    """Return the area within corners, each in mm."""
    chain = pcbnew.SHAPE_LINE_CHAIN()
    for x, y in corners:
        chain.Append(FromMM(x), FromMM(y))
    chain.SetClosed(True)
    shape = pcbnew.SHAPE_POLY_SET()
    shape.AddOutline(chain)
    return shape


def net_name(net):
    """Return a net's name as KiCad takes it: without spaces."""
    return net.replace(" ", "_")


class Drawing:
    """A new board, and its nets by name."""

    def __init__(self, inputs, path):
        self.inputs, self.layout = inputs, inputs["layout"]
        self.board = pcbnew.NewBoard(str(path))
        self._nets = {}
        self._rules()
        self._outline()
        for part in inputs["parts"]:
            self._part(part)
        for number, (x, y) in enumerate(self.layout["holes"], start=1):
            hole = self._place("MountingHole:MountingHole_2.7mm_M2.5", f"H{number}", "M2.5", x, y)
            hole.SetAttributes(
                hole.GetAttributes() | pcbnew.FP_EXCLUDE_FROM_BOM | pcbnew.FP_EXCLUDE_FROM_POS_FILES
            )
        for text in [*self.layout["texts"], *inputs["labels"]]:
            self.text(**text)
        self._title()

    def _rules(self):
        settings = self.board.GetDesignSettings()
        settings.m_MinResolvedSpokes = 1
        settings.m_SolderMaskMinWidth = 0
        default = settings.m_NetSettings.GetDefaultNetclass()
        default.SetClearance(FromMM(CLEARANCE))
        default.SetTrackWidth(FromMM(TRACK))
        default.SetViaDiameter(FromMM(VIA))
        default.SetViaDrill(FromMM(DRILL))

    def _title(self):
        block = self.board.GetTitleBlock()
        block.SetTitle(self.layout["title"])
        block.SetComment(0, f"inputs {self.inputs['hash']}")
        self.board.SetTitleBlock(block)

    def net(self, name):
        """Return a net, made if need be."""
        if name not in self._nets:
            self._nets[name] = pcbnew.NETINFO_ITEM(self.board, net_name(name))
            self.board.Add(self._nets[name])
        return self._nets[name]

    def _outline(self):
        if radius := self.layout["radius"]:
            x, y = self.layout["centre"]
            circle = self._edge(pcbnew.SHAPE_T_CIRCLE)
            circle.SetCenter(mm(x, y))
            circle.SetEnd(mm(x + radius, y))
            return
        corners = self.layout["corners"]
        for start, end in zip(corners, [*corners[1:], corners[0]], strict=True):
            line = self._edge(pcbnew.SHAPE_T_SEGMENT)
            line.SetStart(mm(*start))
            line.SetEnd(mm(*end))

    def _edge(self, shape):
        edge = pcbnew.PCB_SHAPE(self.board)
        edge.SetShape(shape)
        edge.SetLayer(pcbnew.Edge_Cuts)
        edge.SetWidth(FromMM(0.1))
        self.board.Add(edge)
        return edge

    def _place(self, footprint, ref, value, x, y):
        library, name = footprint.split(":")
        part = pcbnew.FootprintLoad(str(LIBRARIES / f"{library}.pretty"), name)
        if part is None:
            raise SystemExit(f"KiCad's libraries have no footprint {footprint}. Install kicad-footprints.")
        part.SetFPID(pcbnew.LIB_ID(library, name))
        part.SetReference(ref)
        part.SetValue(value)
        self.board.Add(part)
        part.SetPosition(mm(x, y))
        part.Value().SetVisible(False)
        part.Reference().SetVisible(False)
        return part

    def _part(self, part):
        place = self.layout["places"][part["ref"]]
        made = self._place(part["footprint"], part["ref"], part["value"], place["x"], place["y"])
        if place["below"]:
            made.Flip(made.GetPosition(), pcbnew.FLIP_DIRECTION_LEFT_RIGHT)
            turn_header(made)
        else:
            made.SetOrientationDegrees(place["turn"])
        known = {pad.GetNumber() for pad in made.Pads()}
        if missing := set(part["pads"]) - known:
            raise SystemExit(f"{part['ref']}: its footprint has no pads {sorted(missing)}")
        for pad in made.Pads():
            if net := part["pads"].get(pad.GetNumber()):
                pad.SetNet(self.net(net))
        if any(place["label"]):
            x, y = place["label"]
            self.text(part["ref"], place["x"] + x, place["y"] + y, 0.8)

    def text(self, words, x, y, size=1.0, turn=0, *, below=False):
        """Print words on the silkscreen of the top, and of the bottom if `below`."""
        for layer in (pcbnew.F_SilkS, *([pcbnew.B_SilkS] if below else [])):
            text = pcbnew.PCB_TEXT(self.board)
            text.SetText(words)
            text.SetPosition(mm(x, y))
            text.SetLayer(layer)
            text.SetMirrored(layer == pcbnew.B_SilkS)
            text.SetTextSize(VECTOR2I(FromMM(size), FromMM(size)))
            text.SetTextThickness(FromMM(max(0.15, size * 0.15)))
            text.SetTextAngleDegrees(turn)
            self.board.Add(text)

    def pours(self):
        """Add the areas of copper, with ground wherever nothing else is; they are filled later."""
        for pour in self.layout["pours"]:
            for layer in pour["layers"]:
                self._zone(pour["net"], layer, pour["corners"], priority=1)
        for layer in ("F.Cu", "B.Cu"):
            self._zone(GROUND, layer, self._inside(), priority=0)

    def _inside(self, margin=0.4):
        if radius := self.layout["radius"]:
            x, y = self.layout["centre"]
            angles = [2 * math.pi * step / 90 for step in range(90)]
            reach = radius - margin
            return [(x + reach * math.cos(angle), y + reach * math.sin(angle)) for angle in angles]
        (left, top), _, (right, bottom), _ = self.layout["corners"]
        left, top, right, bottom = left + margin, top + margin, right - margin, bottom - margin
        return [(left, top), (right, top), (right, bottom), (left, bottom)]

    def _zone(self, net, layer, corners, priority):
        zone = pcbnew.ZONE(self.board)
        zone.SetLayer(self.board.GetLayerID(layer))
        zone.SetNet(self.net(net))
        outline = zone.Outline()
        outline.NewOutline()
        for x, y in corners:
            outline.Append(FromMM(x), FromMM(y))
        zone.SetAssignedPriority(priority)
        zone.SetLocalClearance(FromMM(0.25))
        zone.SetMinThickness(FromMM(0.25))
        zone.SetIslandRemovalMode(pcbnew.ISLAND_REMOVAL_MODE_ALWAYS)
        # A plane draws the heat off pads that are soldered by hand; currents of amperes need all copper.
        zone.SetPadConnection(pcbnew.ZONE_CONNECTION_FULL if priority else pcbnew.ZONE_CONNECTION_THERMAL)
        zone.SetThermalReliefGap(FromMM(0.3))
        zone.SetThermalReliefSpokeWidth(FromMM(0.8 if self.layout["corners"] else 0.5))
        self.board.Add(zone)


def turn_header(part):
    """Turn a header on the bottom until its pins are where a Pi has them, seen from above.

    Pin 2 is above pin 1, and pin 3 to the right of it. A mirrored header would put 5 V on a GPIO.
    """
    origin = part.GetPosition()
    for degrees in (0, 90, 180, 270):
        part.SetOrientationDegrees(degrees)
        part.SetPosition(origin)
        at = {pad.GetNumber(): pad.GetPosition() - origin for pad in part.Pads()}
        found = [(round(ToMM(at[number].x), 2), round(ToMM(at[number].y), 2)) for number in ("2", "3")]
        if found == [(0, -2.54), (2.54, 0)]:
            return
    raise SystemExit("the header cannot be turned so that its pins are where a Pi has them")
