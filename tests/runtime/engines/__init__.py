"""Tests of `firmware_host.runtime.engines`."""
