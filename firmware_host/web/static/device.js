// The device that shows the page: its whole screen, the page's colours on it, and how the board lies there.

import { keep, kept } from "./kept.js";
import { element } from "./required.js";
import { quarters, turn } from "./turning.js";

/** Offer what this browser can do. */
export function offerDevice() {
  offerFullScreen();
  offerSchemes();
  const lies = element("quarters");
  const showTurn = () => (lies.value = String(quarters()));
  showTurn();
  lies.addEventListener("change", () => turn(Number(lies.value) - quarters() + 4));
  element("flip").addEventListener("click", () => turn(2));
  document.addEventListener("turned", showTurn);
}

// In a low window only the menu has room for it.
function offerFullScreen() {
  for (const screen of [element("full-screen"), element("fill-screen")]) {
    screen.hidden = !document.fullscreenEnabled;
    screen.addEventListener("click", () =>
      document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen(),
    );
    document.addEventListener("fullscreenchange", () =>
      screen.setAttribute("aria-pressed", String(document.fullscreenElement !== null)),
    );
  }
}

function offerSchemes() {
  const schemes = element("scheme");
  schemes.value = kept("scheme") ?? "";
  schemes.addEventListener("change", () => {
    keep("scheme", schemes.value);
    document.dispatchEvent(new CustomEvent("scheme", { detail: schemes.value })); // begin.js applies it
  });
}
