// The board as it lies on this device's screen: turned by quarters to the right. The other pages, and the board
// itself, know nothing of it.

import { keep, kept } from "./kept.js";

const KEY = "quarters";

/** Return by how many quarters the board is turned to the right: 0 to 3. */
export function quarters() {
  const count = Number(kept(KEY));
  return Number.isInteger(count) ? ((count % 4) + 4) % 4 : 0;
}

/**
 * Turn the board by a number of quarters to the right; the page hears of it as the event "turned".
 * @param {number} count
 */
export function turn(count) {
  keep(KEY, String((quarters() + count) % 4));
  document.dispatchEvent(new Event("turned"));
}
