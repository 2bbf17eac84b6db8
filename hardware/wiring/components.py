"""The parts that circuit boards are fitted with: values, footprints and what to order.

Facts from the makers' data sheets. Footprints are those of KiCad's libraries; the pads of a part are numbered
as in its footprint.
"""

from __future__ import annotations

from hardware.wiring.netlist import Component

_RESISTOR = "Resistor_SMD:R_0805_2012Metric_Pad1.20x1.40mm_HandSolder"
_CAPACITOR = "Capacitor_SMD:C_0805_2012Metric_Pad1.18x1.45mm_HandSolder"
_SOIC_14 = "Package_SO:SOIC-14_3.9x8.7mm_P1.27mm"
_SOIC_16 = "Package_SO:SOIC-16_3.9x9.9mm_P1.27mm"
_PHOENIX = "TerminalBlock_Phoenix:TerminalBlock_Phoenix_MKDS-1,5-"
_WIRES = "Connector_Wire:SolderWire-"

R_330 = Component("330", _RESISTOR, "330 Ohm, 0805, 1 %", 0.05)
R_1K = Component("1k", _RESISTOR, "1 kOhm, 0805, 1 %", 0.05)
R_5K1 = Component("5k1", _RESISTOR, "5.1 kOhm, 0805, 1 %", 0.05)
R_10K = Component("10k", _RESISTOR, "10 kOhm, 0805, 1 %", 0.05)
C_100N = Component("100n", _CAPACITOR, "100 nF, 16 V or more, X7R, 0805", 0.05)
C_10U = Component("10u", _CAPACITOR, "10 uF, 16 V, X5R or X7R, 0805", 0.2)
C_1000U = Component(
    "1000u", "Capacitor_THT:CP_Radial_D10.0mm_P5.00mm", "1000 uF, 10 V or more, 10 mm wide, 5 mm pitch", 0.5
)
TVS = Component("SMBJ5.0A", "Diode_SMD:D_SMB_Handsoldering", "SMBJ5.0A, unidirectional", 0.4)
"""It bears 5 V for ever, conducts 10 mA at 6.4 to 7.2 V, and holds a surge of 65 A at 9.2 V."""

DIODE = Component("1N4148W", "Diode_SMD:D_SOD-123", "1N4148W, SOD-123", 0.1)
NPN = Component("MMBT3904", "Package_TO_SOT_SMD:SOT-23", "MMBT3904, SOT-23", 0.1)
P_MOSFET = Component("IRF9310", "Package_SO:SOIC-8_3.9x4.9mm_P1.27mm", "IRF9310, SO-8", 1.2)
"""-30 V, 20 V at its gate, at most 6.8 mOhm at a gate of -4.5 V: 5 A cost 34 mV and 0.2 W."""

POLYFUSE = Component(
    "3A hold",
    "Fuse:Fuse_2920_7451Metric_Pad2.10x5.45mm_HandSolder",
    "Littelfuse 2920L300/15 (3 A hold, 5 A trip)",
    0.8,
)
"""It holds 3 A at 20 degrees and trips at 5 A; at 8 A within 20 s; 15 V at most; 15 to 48 mOhm."""

FUSE_CLIPS = Component(
    "5x20",
    "Fuse:Fuseholder_Clip-5x20mm_Littelfuse_111_Inline_P20.00x5.00mm_D1.05mm_Horizontal",
    "2 clips for 5 x 20 mm (Littelfuse 111) and the fuse",
    1.5,
)
REGULATOR = Component(
    "LDL1117S33",
    "Package_TO_SOT_SMD:SOT-223-3_TabPin2",
    "LDL1117S33R, SOT-223; not an LD1117 or AMS1117",
    0.6,
)
"""3.3 V from 5 V, stable with a ceramic capacitor at its output, as C10 is one.

LD1117 and AMS1117 have the same pins, but need a capacitor with some resistance there, and may oscillate.
Its pins are ground, output and input, and its tab is the output.
"""

MUX = Component("74HC4051", _SOIC_16, "74HC4051D, SO-16; not a 74HCT4051 or CD4051B", 0.6)
SHIFTER = Component("74AHCT125", _SOIC_14, "SN74AHCT125D, SO-14; not a 74HC125 or 74AHC125", 0.6)
ADC_CHIP = Component("MCP3008", _SOIC_16, "MCP3008-I/SL, SO-16", 3.0)
HEADER_SOCKET = Component(
    "Raspberry Pi",
    "Connector_PinSocket_2.54mm:PinSocket_2x20_P2.54mm_Vertical",
    "socket, 2 x 20, 2.54 mm, 8.5 mm high, at the bottom",
    1.5,
)
USB_C = Component(
    "USB-C",
    "Connector_USB:USB_C_Receptacle_GCT_USB4125-xx-x_6P_TopMnt_Horizontal",
    "GCT USB4125-GF-A, power only, 6 contacts",
    0.8,
)
TERMINAL_2 = Component(
    "5 V in",
    f"{_PHOENIX}2-5.08_1x02_P5.08mm_Horizontal",
    "screw terminal, 2 poles, 5.08 mm (MKDS 1,5/2-5,08)",
    0.7,
)
TERMINAL_3 = Component(
    "5V D GND",
    f"{_PHOENIX}3-5.08_1x03_P5.08mm_Horizontal",
    "screw terminal, 3 poles, 5.08 mm (MKDS 1,5/3-5,08)",
    1.0,
)
POINTS_PLUG = Component(
    "points",
    "Connector_JST:JST_PH_B10B-PH-K_1x10_P2.00mm_Vertical",
    "JST B10B-PH-K-S, with PHR-10 and crimped wires",
    0.8,
)
PINS_2 = Component(
    "2 pins", "Connector_PinHeader_2.54mm:PinHeader_1x02_P2.54mm_Vertical", "pin header, 1 x 2, 2.54 mm", 0.1
)

PIXEL = Component("WS2812B", "LED_SMD:LED_WS2812B_PLCC4_5.0x5.0mm_P3.2mm", "WS2812B or SK6812, 5 x 5 mm", 0.3)
"""Pads 1 VDD, 2 DOUT, 3 VSS (at the notch), 4 DIN. An SK6812 numbers them otherwise, with VSS at the notch as
well."""

SENSOR = Component("sensor", "Package_TO_SOT_THT:TO-92_Inline_Wide", "reed, or hall sensor in TO-92", 0.0)
"""Holes 1 supply, 2 ground, 3 output, as a DRV5023, DRV5055 and SS49E have them; a reed is soldered into 2
and 3."""

THICK_WIRES = Component("5V D GND", f"{_WIRES}0.5sqmm_1x03_P4.6mm_D0.9mm_OD2.1mm", "wires", 0.0)
THIN_WIRES = Component("3V3 A B GND", f"{_WIRES}0.15sqmm_1x04_P4mm_D0.5mm_OD1.5mm", "wires", 0.0)
