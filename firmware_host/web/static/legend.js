// The legend: the meaning of each light that is on now, with its shape.

import { lookNow, meaningAt, swatch } from "./marks.js";
import { part } from "./parts.js";
import { element } from "./required.js";
import { has, say } from "./words.js";

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
    const lit = Object.keys(state.cues).map((name) => meaningAt(state, name) ?? "");
    const entries = ORDER.filter((cue) => lit.includes(cue)).slice(0, MOST);
    const written = JSON.stringify([entries.map((cue) => [meaning(cue, state), lookNow(cue, state)]), state.to_move]);
    if (written !== this.#shown) {
      this.#shown = written;
      const items = entries.map((cue) => part("li", {}, part("i", {}, swatch(cue, state)), meaning(cue, state)));
      element("legend").querySelector("ul")?.replaceChildren(...items);
    }
  }
}

/**
 * Return the words for a light. In the turn of an engine, a hint is at a point that its turn comes to later; lights
 * that answer a phone have words of their own.
 * @param {string} cue
 * @param {Protocol.Snapshot["state"]} state
 */
export function meaning(cue, { asking, seats, to_move: player }) {
  const answer = `${asking?.question}.${cue}`;
  if (has(`workshop.${answer}`)) {
    return say(`workshop.${answer}`);
  }
  return cue === "hint" && seats[player] !== "here" ? say("cue.follows") : say(`cue.${cue}`);
}
