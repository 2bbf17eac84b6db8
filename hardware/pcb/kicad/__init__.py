"""Scripts for KiCad's own Python, which draw, route and export the boards: see `make.py`."""
