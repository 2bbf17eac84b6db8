"""Pairing: how a device in the house gets permission to play, and loses it again."""
