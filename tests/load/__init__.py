"""Many simulated boards on one broker: how many it holds, how fast turns arrive, and what that costs."""
