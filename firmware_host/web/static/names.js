// The names of the players: those of the current game can be changed in the settings, those of the next one
// where it is chosen.

import { element } from "./required.js";

const PLAYERS = /** @type {const} */ (["white", "black"]);

export class Names {
  #shown = "";

  /**
   * `ask(request)` sends a request to the board.
   * @param {(request: Protocol.Do) => void} ask
   */
  constructor(ask) {
    for (const player of PLAYERS) {
      const field = element(`called-${player}`);
      field.addEventListener("change", () => ask({ do: "names", names: { [player]: field.value.trim() } }));
    }
  }

  /**
   * Show the names of the current game, unless somebody is writing others.
   * @param {Protocol.Snapshot} snapshot
   */
  show({ state: { names } }) {
    const shown = JSON.stringify(names);
    if (shown === this.#shown) {
      return;
    }
    this.#shown = shown;
    for (const player of PLAYERS) {
      for (const field of [element(`called-${player}`), element(`name-${player}`)]) {
        field.value = field === document.activeElement ? field.value : names[player] ?? "";
      }
    }
  }
}

/**
 * Return the names that the next game changes, as a part of the request for it.
 * @param {Protocol.Names} before
 * @returns {{ names?: Protocol.Names }}
 */
export function changedNames(before) {
  const written = PLAYERS.map((player) => /** @type {const} */ ([player, element(`name-${player}`).value.trim()]));
  const changed = written.filter(([player, name]) => name !== (before[player] ?? ""));
  return changed.length ? { names: Object.fromEntries(changed) } : {};
}
