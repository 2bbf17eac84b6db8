// The buttons of the game: each is shown only while the board allows its request, and asks for confirmation
// if that cannot be undone.

import { element, present, within } from "./required.js";
import { say } from "./words.js";

/** @import { Connection, Request } from "./connection.js" */
/** @import { Table } from "./geometry.js" */
/** @import { NewGame } from "./newgame.js" */

const SIMPLE = /** @type {const} */ (["take-back", "redo", "decline", "pause", "resume", "try-again"]);
const DECISIONS = /** @type {const} */ (["draw", "resign"]);

export class Controls {
  #connection;
  #newGame;
  #complain;
  /** @type {Table | null} */
  #table = null;
  /** @type {Protocol.Snapshot["state"] | undefined} */
  #state;

  /**
   * `newGame` knows the request for a new game; `complain(error)` is called if a request fails.
   * @param {Connection} connection
   * @param {NewGame} newGame
   * @param {(error: unknown) => void} complain
   */
  constructor(connection, newGame, complain) {
    this.#connection = connection;
    this.#newGame = newGame;
    this.#complain = complain;
    for (const name of SIMPLE) {
      element(name).addEventListener("click", () => this.ask({ do: name }));
    }
    element("draw").addEventListener("click", () => this.#draw());
    element("resign").addEventListener("click", () => this.#resign());
    element("clear").addEventListener("click", () => this.ask(...sweep(this.#table)));
    element("set-up").addEventListener("click", () => this.#setUp());
    element("begin").addEventListener("click", () => this.#begin());
  }

  /**
   * Offer the requests that are possible now.
   * @param {Protocol.Snapshot} snapshot
   */
  show({ state, table }) {
    this.#table = table;
    this.#state = state;
    for (const name of [...SIMPLE, ...DECISIONS]) {
      element(name).hidden = !state.can.includes(name);
    }
    element("clear").hidden = !table || table.pieces.length + table.held.length === 0;
    element("clear").classList.toggle("due", state.status === "over" || state.status === "clear");
    element("set-up").hidden = !table || state.said.key !== "lay-out";
    element("resume").classList.toggle("due", state.status === "paused");
  }

  /**
   * Send the requests one after the other; return whether all were carried out.
   * @param {Request[]} requests
   */
  async ask(...requests) {
    try {
      for (const request of requests) {
        await this.#connection.ask(request);
      }
      return true;
    } catch (error) {
      this.#complain(error);
      return false;
    }
  }

  async #draw() {
    if (await question(say("ask.draw"), { yes: say("ask.draw.yes") })) {
      this.ask({ do: "draw" });
    }
  }

  async #resign() {
    const names = { white: say("ask.resign.white"), black: say("ask.resign.black") };
    const player = await question(say("ask.resign"), names);
    if (player === "white" || player === "black") {
      this.ask({ do: "resign", player });
    }
  }

  async #setUp() {
    try {
      const start = await this.#connection.ask({ ask: "position", after: 0 });
      await this.ask(...laidOut(start, present(this.#table)));
    } catch (error) {
      this.#complain(error);
    }
  }

  async #begin() {
    if (!this.#state) {
      this.#complain(new Error(say("page.not-reached")));
      return;
    }
    const goesOn = this.#state.turns.length > 0 && !this.#state.outcome;
    if (goesOn && !(await question(say("ask.new-game"), { yes: say("ask.new-game.yes") }))) {
      return;
    }
    this.ask(...sweep(this.#table), this.#newGame.request);
  }
}

/**
 * Return the requests that set up the pieces as before the first turn, where some are missing.
 * @param {Protocol.PositionResult} start
 * @param {Table} table
 */
function* laidOut({ standing, beneath }, { pieces }) {
  for (const [name, top] of Object.entries(standing)) {
    const there = pieces.filter(({ at }) => at === name).length;
    for (const piece of [...(beneath[name] ?? []), top].slice(there)) {
      yield { put: name, piece };
    }
  }
}

/**
 * Return the requests that put all pieces into the box at once, as a sweeping arm would.
 * @param {Table | null} table
 * @returns {Protocol.Sweep[]}
 */
export function sweep(table) {
  const { pieces, held } = table ?? { pieces: [], held: [] };
  return pieces.length + held.length ? [{ sweep: true }] : [];
}

/**
 * Ask for one of `answers`, each a name and its words; nothing if the player would rather play on.
 * @param {string} text
 * @param {Record<string, string>} answers
 * @returns {Promise<string>}
 */
function question(text, answers) {
  const dialog = element("question");
  within(dialog, "p").textContent = text;
  const buttons = Object.entries({ ...answers, "": say("ask.no") }).map(([value, words]) =>
    Object.assign(document.createElement("button"), { type: "button", value, textContent: words }),
  );
  buttons.forEach((button) => button.addEventListener("click", () => dialog.close(button.value)));
  within(dialog, "div").replaceChildren(...buttons);
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true });
  });
}
