"""Tests of `firmware_host.engine.native`."""
