// The legend: the meaning of each light that is on now, with its shape.

import { lookNow, meaningAt, swatch } from "./marks.js";
import { part } from "./parts.js";
import { element } from "./required.js";
import { say } from "./words.js";

// Lights that want something done come first: there is only room for some.
const ORDER = [
  "broken", "going-off", "own-wifi", "sure", "white", "black", "asked", "ask", "clear", "missing", "extra", "wrong",
  "unclear", "take-back", "hint-wins", "hint-draws", "hint-loses", "suggested", "removable", "relocatable", "lifted", "goal", "hint",
  "destination", "movable", "winner", "mill", "last-move", "resting",
];
const MOST = 3;

export class Legend {
  #shown = "";

  /**
   * Name the lights of a snapshot.
   * @param {Protocol.Snapshot["state"]} state
   */
  show(state) {
    const lit = new Set(Object.keys(state.cues).flatMap((name) => meaningAt(state, name) ?? []));
    const entries = [...lit].sort((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other)).slice(0, MOST);
    const written = JSON.stringify([entries.map((cue) => [cue, lookNow(cue, state)]), state.to_move, document.documentElement.lang]);
    if (written !== this.#shown) {
      this.#shown = written;
      const items = entries.map((cue) => part("li", {}, part("i", {}, swatch(cue, state)), meaning(cue, state)));
      element("legend").querySelector("ul")?.replaceChildren(...items);
    }
  }
}

/**
 * Return the words for a light. In the turn of an engine, a hint is at a point that its turn comes to later.
 * @param {string} cue
 * @param {Protocol.Snapshot["state"]} state
 */
export function meaning(cue, { seats, to_move: player }) {
  return cue === "hint" && seats[player] !== "here" ? say("cue.follows") : say(`cue.${cue}`);
}
