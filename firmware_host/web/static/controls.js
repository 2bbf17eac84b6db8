// The buttons of the game. A button that rests does nothing; what ends a game by agreement asks first.

import { carriedOut, chosenSteps } from "./carrying.js";
import { isSettingUp } from "./dock.js";
import { Refusal, unreached } from "./notice.js";
import { closest, element, present, within } from "./required.js";
import { settled } from "./settled.js";
import { enter, leave } from "./steps.js";
import { say } from "./words.js";

/** @import { Connection, Request } from "./connection.js" */
/** @import { Table } from "./geometry.js" */
/** @import { NewGame } from "./newgame.js" */
/** @import { Views } from "./views.js" */

const SIMPLE = /** @type {const} */ (["take-back", "redo", "decline", "pause", "resume", "try-again"]);

export class Controls {
  #connection;
  #newGame;
  #views;
  #complain;
  /** @type {Protocol.Snapshot | undefined} */
  #snapshot;

  /**
   * `newGame` knows the request for a new game; `complain(error)` is called if a request fails.
   * @param {Connection} connection
   * @param {NewGame} newGame
   * @param {Views} views
   * @param {(error: unknown) => void} complain
   */
  constructor(connection, newGame, views, complain) {
    this.#connection = connection;
    this.#newGame = newGame;
    this.#views = views;
    this.#complain = complain;
    document.addEventListener("click", stopResting, { capture: true });
    for (const name of SIMPLE) {
      element(name).addEventListener("click", () => this.ask({ do: name }));
    }
    element("hint").addEventListener("click", () => this.ask({ do: "hint", on: !asksHint() }));
    element("pause").addEventListener("click", () => views.close());
    element("draw").addEventListener("click", () => this.#draw());
    element("resign").addEventListener("click", () => this.#resign());
    element("clear").addEventListener("click", () => this.#clear());
    element("sweep").addEventListener("click", () => this.#clear());
    element("again").addEventListener("click", () => this.#again());
    for (const button of /** @type {const} */ (["puzzle", "first-puzzle", "next-puzzle", "skip-puzzle"])) {
      element(button).addEventListener("click", () => this.#puzzle());
    }
    element("set-up").addEventListener("click", () => this.#arrange(0));
    element("set-up-answers").addEventListener("click", (event) => this.#answer(closest(event, "button")));
    element("share-over").addEventListener("click", () => element("share").click());
    element("move-for").addEventListener("click", () => this.#moveFor());
    element("set-right").addEventListener("click", () => this.setRight());
    element("plug-in").addEventListener("click", () => this.ask({ power: "on" }));
    element("repair").addEventListener("click", () => this.ask({ repair: true }));
    element("copy-command").addEventListener("click", () => this.#copyCommand());
    element("begin").addEventListener("click", () => this.#begin());
    element("done").addEventListener("click", () => views.close());
    element("more").addEventListener("click", () => views.toggle("menu", element("more")));
    element("choose").addEventListener("click", () => views.open("start", element("choose")));
    element("new").addEventListener("click", () => views.open("start", element("more")));
    element("new-position").addEventListener("click", () => this.#offerPosition());
    element("position-by-hands").addEventListener("click", () => this.#setUp());
    element("position-send").addEventListener("click", () => this.#setUp(element("position").value.trim()));
    element("to-settings").addEventListener("click", () => views.open("settings", element("more")));
    element("saved-games").addEventListener("click", () => views.open("games", element("more")));
  }

  /**
   * Keep a snapshot for the requests to come.
   * @param {Protocol.Snapshot} snapshot
   */
  show(snapshot) {
    this.#snapshot = snapshot;
  }

  /**
   * Send the requests one after the other; return whether all were carried out.
   * @param {Request[]} requests
   */
  ask(...requests) {
    return this.#errand(async () => {
      for (const request of requests) {
        await this.#connection.ask(request);
      }
    });
  }

  /**
   * Do some work with the board, for which taps wait; return whether it was done.
   * @param {() => Promise<unknown>} work
   */
  #errand(work) {
    const done = work().then(
      () => true,
      (error) => {
        this.#complain(error);
        return false;
      },
    );
    this.#connection.errand = Promise.all([this.#connection.errand, done]); // one can begin before another is over
    return done;
  }

  /** Set the pieces as the game begins, once none of those before it are left on a simulated board. */
  async layOut() {
    await this.#errand(async () => {
      await settled(this.#connection, this.#shown, ({ pieces, held }) => pieces.length + held.length === 0);
      await this.#place(0);
    });
  }

  /**
   * Begin a game by `requests`, on a board whose pieces are swept away and set as it begins.
   * @param {Request[]} requests
   */
  async begin(...requests) {
    const { position } = this.#state;
    const began = await this.ask(...sweep(this.#table), ...requests);
    if (began && this.#table) {
      await this.#errand(() => settled(this.#connection, this.#shown, () => this.#state.position !== position));
      await this.layOut();
    }
    return began;
  }

  /** Set the pieces of a simulated board as the game has them. */
  async setRight() {
    if (this.#table) {
      await this.#arrange(this.#state.turns.length);
    }
  }

  get #state() {
    return present(this.#snapshot).state;
  }

  /** The table as it is shown at any time, for what waits. */
  get #shown() {
    const table = () => this.#table ?? undefined;
    return {
      get table() {
        return table();
      },
    };
  }

  /** The table, or null if hands are not on this page. */
  get #table() {
    return this.#snapshot?.table ?? null;
  }

  #moveFor() {
    this.ask(...carriedOut(chosenSteps(this.#state), present(this.#snapshot)));
  }

  async #draw() {
    if (await question(say("ask.draw"), { yes: say("ask.draw.yes") })) {
      this.#views.close();
      this.ask({ do: "draw" });
    }
  }

  async #resign() {
    const { seats } = this.#state;
    const names = Object.entries({ white: say("ask.resign.white"), black: say("ask.resign.black") });
    const people = names.filter(([player]) => seats[/** @type {Protocol.Player} */ (player)] === "here");
    const asked = people.length === 1 ? say("ask.resign.one") : say("ask.resign");
    const answers = people.length === 1 ? people.map(([player]) => [player, say("page.resign")]) : people.length ? people : names;
    const player = await question(asked, Object.fromEntries(answers));
    if (player === "white" || player === "black") {
      this.#views.close();
      this.ask({ do: "resign", player });
    }
  }

  #clear() {
    this.#views.close();
    this.ask(...sweep(this.#table));
  }

  #again() {
    this.ask(...sweep(this.#table), { do: "new-game" });
  }

  async #puzzle() {
    if (await this.begin({ do: "puzzle" })) {
      this.#views.close();
    }
  }

  /** Offer to set up a position, from the current one on. */
  #offerPosition() {
    element("position").value = this.#state.position;
    this.#views.open("position", element("more"));
  }

  /**
   * Begin a game in a position, or without one have it set up on the board.
   * @param {string} [position]
   */
  async #setUp(position) {
    const by = position === undefined ? {} : { position };
    if (await this.ask(...(position === undefined ? sweep(this.#table) : []), { do: "set-up", ...by })) {
      this.#views.close();
    }
  }

  /**
   * Set the pieces as the game has them after this number of turns.
   * @param {number} after
   */
  async #arrange(after) {
    await this.#errand(() => this.#place(after));
  }

  /** @param {number} after */
  async #place(after) {
    const position = await this.#connection.ask({ ask: "position", after });
    for (const request of arranged(position, present(this.#table))) {
      await this.#connection.ask(request);
    }
  }

  async #copyCommand() {
    try {
      const { copied } = await import("./copying.js");
      const done = await copied(element("command"));
      within(element("no-sensors"), "p", "[role=status]").textContent = done ? say("share.copied") : say("share.selected");
    } catch (error) {
      this.#complain(error);
    }
  }

  async #begin() {
    if (!this.#snapshot) {
      this.#complain(unreached());
      return;
    }
    if ((await this.#mayLeave(say("page.new-game"))) && (await this.ask(...sweep(this.#table), ...this.#newGame.requests))) {
      this.#views.dismiss();
    }
  }

  /** @param {HTMLElement | SVGElement | null} answer */
  async #answer(answer) {
    const { at: point } = answer?.dataset ?? {};
    const early = point ? this.#early() : [];
    if (early.length > 0) {
      this.#complain(new Refusal(say("set-up.early"), say("set-up.early-then", { points: early })));
    } else if (point) {
      this.ask({ do: "answer", point });
    } else if (point === "" && (await this.#mayLeave(say("position.leave")))) {
      this.ask(...sweep(this.#table), { do: "new-game" });
    }
  }

  /** Return the points with Black's pieces while White's are set up, on sensors that would take them for White's. */
  #early() {
    const { state, table, kinds } = present(this.#snapshot);
    const isBlack = (/** @type {string} */ piece) => kinds[piece]?.player === "black";
    const pieces = state.asking?.question === "set-up-white" ? (table?.pieces ?? []) : [];
    return pieces.flatMap(({ piece, at }) => (at && isBlack(piece) ? at : [])).sort();
  }

  /**
   * Return whether a position that is being set up may be lost, if there is one.
   * @param {string} yes
   */
  async #mayLeave(yes) {
    return !isSettingUp(this.#state) || Boolean(await question(say("ask.set-up"), { yes, "": say("ask.set-up.no") }));
  }
}

/** Return whether a hint is shown that somebody asked for. */
const asksHint = () => element("hint").getAttribute("aria-pressed") === "true";

/** @param {Event} event */
function stopResting(event) {
  if (closest(event, "[aria-disabled=true]")) {
    event.stopImmediatePropagation();
  }
}

/**
 * Return the requests that bring the pieces from where they lie to a position, those of the hands first.
 * @param {Protocol.PositionResult} position
 * @param {Table} table
 * @returns {Generator<Request, void>}
 */
function* arranged({ standing, beneath }, { pieces, held }) {
  if (held.length) {
    yield { box: true };
  }
  const points = new Set([...Object.keys(standing), ...pieces.flatMap(({ at }) => at ?? [])]);
  /** @type {Protocol.Put[]} */
  const puts = [];
  const away = pieces.filter(({ at }) => at === undefined);
  for (const name of points) {
    const top = standing[name];
    const wanted = [...(beneath[name] ?? []), ...(top ? [top] : [])];
    const there = pieces.filter(({ at }) => at === name);
    const right = there.findIndex(({ piece }, i) => piece !== wanted[i]);
    const stays = right < 0 ? there.length : right;
    away.push(...there.slice(stays).reverse());
    puts.push(...wanted.slice(stays).map((piece) => ({ put: name, piece })));
  }
  for (const { id } of away) {
    yield { lift: id };
    yield { box: true };
  }
  yield* puts;
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
 * Ask for one of `answers`, each a name and its words; nothing if the player would rather play on, which has
 * the focus first.
 * @param {string} text
 * @param {Record<string, string>} answers
 * @returns {Promise<string>}
 */
export function question(text, answers) {
  const dialog = element("question");
  within(dialog, "p").textContent = text;
  const buttons = Object.entries({ "": say("ask.no"), ...answers }).sort(([one], [other]) => Number(!one) - Number(!other)).map(([value, words]) =>
    Object.assign(document.createElement("button"), { type: "button", value, textContent: words, autofocus: !value }),
  );
  buttons.forEach((button) => button.addEventListener("click", () => dialog.close(button.value)));
  within(dialog, "div").replaceChildren(...buttons);
  dialog.returnValue = "";
  dialog.onclick = (event) => isOutside(event, dialog) && dialog.close("");
  dialog.showModal();
  const close = () => dialog.close("");
  enter(close);
  return new Promise((resolve) => {
    const end = () => {
      leave(close);
      resolve(dialog.returnValue);
    };
    dialog.addEventListener("close", end, { once: true });
  });
}

/**
 * Return whether somebody pressed beside a dialog, whose backdrop counts as the dialog. A key presses at no place.
 * @param {MouseEvent} event
 * @param {HTMLElement} dialog
 */
function isOutside({ target, clientX, clientY }, dialog) {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return target === dialog && (clientX < left || clientX > right || clientY < top || clientY > bottom);
}
