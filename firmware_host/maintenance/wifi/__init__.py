"""The companion that brings a board into the house's Wi-Fi, by a Wi-Fi of its own where there is none."""
