"""An ear in the page: the pitches of its sounds, and how it shakes a phone."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

EAR = """
window.heard = [];
window.AudioContext = class {
  constructor() { window.contexts = (window.contexts ?? 0) + 1; this.currentTime = 0; this.destination = {}; }
  resume() {}
  createGain() { return { gain: silent(), connect: (next) => next }; }
  createOscillator() {
    return {
      frequency: { ...silent(), setValueAtTime: (hz) => window.heard.push(hz) },
      connect: (next) => next, start() {}, stop() {},
    };
  }
};
const silent = () => ({ setValueAtTime() {}, exponentialRampToValueAtTime() {} });
"""
SHAKER = "navigator.vibrate = (pattern) => (window.shaken ??= []).push(pattern.join(' '))"
PLACED = [210, 640]


def heard(page: Page) -> Any:
    return page.evaluate("() => window.heard.splice(0)")
