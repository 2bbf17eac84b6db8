"""A stand-in for a browser's voices, and an ear for all that screen readers announce."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.support.web.browsing import until as wait_until

VOICE = """
window.spoken = [];
window.announced = [];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
const voices = {
  speak(words) { window.spoken.push([words.lang, words.text]); this.now = words; },
  cancel() {
    const words = this.now;
    this.now = undefined;
    if (words) {
      window.spoken.push(["", "!"]);
      words.onerror?.();
    }
  },
  end() { const words = this.now; this.now = undefined; words?.onend?.(); },
};
Object.defineProperty(window, "speechSynthesis", { value: voices });
const LIVE = "[aria-live=polite], [role=status]:not([aria-live=off]), [role=alert]";
new MutationObserver((changes) => {
  for (const { target } of changes) {
    const element = target instanceof Element ? target : target.parentElement;
    const region = element?.closest(LIVE);
    const text = region?.checkVisibility() ? region.textContent.trim() : "";
    if (text) { window.announced.push(text.replace(/\\s+/g, " ")); }
  }
}).observe(document, { subtree: true, childList: true, characterData: true });
"""
_HAS = "window.spoken.some((said) => said[1] === text)"
_FINISH = "() => { while (speechSynthesis.now) speechSynthesis.end(); }"


def spoken(page: Page, until: str | None = None) -> list[str]:
    """Let the voice finish, and return what it has said since the last call; `!` for what was cut off.

    With `until`, wait for that sentence.
    """
    page.evaluate(_FINISH)
    if until is not None:
        wait_until(page, f"(text) => ({_FINISH})() || {_HAS}", until)
    found: list[list[str]] = page.evaluate("() => window.spoken.splice(0)")
    return [text for _, text in found]


def announced(page: Page) -> list[str]:
    """Return the announcements of screen readers since the last call."""
    found: list[str] = page.evaluate("() => window.announced.splice(0)")
    return found
