"""SVG drawings of the wiring, for the builder's guide and for `millwright wiring`."""
