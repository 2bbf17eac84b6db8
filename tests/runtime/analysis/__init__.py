"""Tests of `firmware_host.runtime.analysis`."""
