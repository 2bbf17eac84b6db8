"""QR codes, as paths to draw: of the page's address, for a phone's camera.

segno makes them. It is imported only here and only when a code is drawn, since a board plays without.
"""

from __future__ import annotations

from functools import lru_cache

QUIET_ZONE = 4
"""The width of the empty border that readers need, in modules."""


def qr_path(text: str) -> tuple[str, int]:
    """Return the path of the dark modules of a code, each 1 by 1, and its width with the quiet zone."""
    import segno  # only where a code is drawn: it takes 36 ms

    code = segno.make(text, error="q", micro=False)
    runs = []
    for y, row in enumerate(code.matrix):
        x = 0
        while x < len(row):
            width = next((n for n in range(len(row) - x) if not row[x + n]), len(row) - x)
            if width:
                runs.append(f"M{x + QUIET_ZONE} {y + QUIET_ZONE}h{width}v1h-{width}z")
            x += max(1, width)
    return "".join(runs), len(code.matrix) + 2 * QUIET_ZONE


@lru_cache(maxsize=4)  # any visitor may ask for it, as often as for a file
def qr_svg(text: str) -> str:
    """Return a code as a picture, black on white, whatever the colours of its page."""
    path, size = qr_path(text)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/><path d="{path}"/></svg>\n'
    )
