"""Plans of boards as Hypothesis draws them: every form of wiring; lines, contacts and LEDs in any order."""

from hypothesis import strategies as st

from firmware_host.games.layout import MORRIS
from firmware_host.ports import Alphabet
from firmware_host.settings import Lights, Strip
from hardware.circuit import SPI_DATA_GPIO, BoardPlan
from hardware.wiring import READINGS, MuxWiring

PRESENCE = BoardPlan.recommended(MORRIS, Alphabet.PRESENCE)
POLARITY = BoardPlan.recommended(MORRIS, Alphabet.POLARITY)

_GPIOS = [gpio for gpio in range(28) if gpio != SPI_DATA_GPIO]


@st.composite
def plans(draw) -> BoardPlan:
    """A board that can be wired."""
    alphabet = draw(st.sampled_from(Alphabet))
    contacts = [(point.index, reading) for point in MORRIS.points for reading in READINGS[alphabet]]
    forms = [2, 3, 4] if alphabet is Alphabet.POLARITY else [0, 2, 3, 4]
    select = draw(st.sampled_from(forms))
    least = -(-len(contacts) >> select)
    chips = draw(st.integers(least, least + 1))
    by_enables = select > 0 and draw(st.booleans())
    lines = draw(st.permutations(_GPIOS))
    channels = draw(st.permutations([divmod(n, 1 << select) for n in range(chips << select)]))
    wiring = MuxWiring(
        MORRIS,
        alphabet,
        select=tuple(lines[:select]),
        signals=tuple(lines[select : select + (1 if by_enables else chips)]),
        contacts=dict(zip(contacts, channels, strict=False)),
        pull_up=draw(st.booleans()),
        enables=tuple(lines[select + 1 : select + 1 + chips]) if by_enables else (),
    )
    spare = draw(st.integers(0, 6))
    leds = draw(st.permutations(range(len(MORRIS) + spare)))
    places = [[led] for led in leds[: len(MORRIS)]]
    for led in leds[len(MORRIS) :]:
        if draw(st.booleans()):
            places[led % len(MORRIS)].append(led)
    strip = Strip(leds=len(leds), order=draw(st.sampled_from(["GRB", "RGBW"])))
    lights = Lights(budget_ma=draw(st.integers(100, 5000)))
    return BoardPlan(wiring, tuple(map(tuple, places)), strip, lights)
