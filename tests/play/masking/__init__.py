"""Tests of `firmware_host.play.masking`."""
