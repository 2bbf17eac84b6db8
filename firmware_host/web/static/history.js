// Looking back: the turns so far as buttons, and the position after the chosen one, drawn as a diagram in
// place of the board. During that time nothing on the board changes, and hands cannot reach it. A new turn,
// or one taken back, ends a look at the current game, so that the page shows what to do next; a stored game
// stays until it is closed.

import { closest, element, present, within } from "./required.js";
import { piled, say } from "./words.js";

/** @import { Connection } from "./connection.js" */

/**
 * A game to look back on: the current one, where `written` identifies its list of turns, or a stored one with
 * its `number`.
 * @typedef {object} Game
 * @property {Protocol.Layout} layout
 * @property {Protocol.Kinds} kinds
 * @property {string[]} turns
 * @property {number} [number]
 * @property {string} [written]
 */

const tallWindow = matchMedia("(max-aspect-ratio: 1/1)");
/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

export class Past {
  #connection;
  #complain;
  /** @type {Game | undefined} */
  #live;
  /** @type {{ game: Game, after: number } | undefined} */
  #shown;
  #asked = 0;
  /** @type {number | undefined} */
  #timer;

  /**
   * `complain(error)` is called if a position cannot be shown.
   * @param {Connection} connection
   * @param {(error: unknown) => void} complain
   */
  constructor(connection, complain) {
    this.#connection = connection;
    this.#complain = complain;
    const bar = element("past");
    for (const button of stepping()) {
      button.addEventListener("click", () => this.#walk(steps(button)));
    }
    within(bar, "button", ".play").addEventListener("click", () => this.#play());
    within(bar, "button", ".back").addEventListener("click", () => this.close());
    element("turns").addEventListener("click", (event) => {
      const button = closest(event, "button");
      if (button && this.#live) {
        this.open(this.#live, Number(button.dataset.turn));
      }
    });
    document.addEventListener("keydown", (event) => this.#key(event));
    tallWindow.addEventListener("change", () => this.#shown && this.open(this.#shown.game, this.#shown.after));
  }

  /**
   * List the turns of the current game.
   * @param {Protocol.Snapshot} snapshot
   */
  show({ state, layout, kinds }) {
    element("no-turns").hidden = state.turns.length > 0;
    const written = [state.rules, ...state.turns].join(" ");
    if (this.#live?.written === written) {
      return;
    }
    if (this.#shown && this.#shown.game === this.#live) {
      this.close();
    }
    this.#live = { layout, kinds, turns: state.turns, written };
    const list = element("turns");
    list.replaceChildren(...pairs(state.turns));
    if (state.turns.length) {
      list.scrollTop = list.scrollHeight;
    }
  }

  /**
   * Show `game` as it stood after `after` turns.
   * @param {Game} game
   * @param {number} after
   */
  async open(game, after) {
    const asked = ++this.#asked;
    const which = game.number === undefined ? {} : { game: game.number };
    try {
      const asking = this.#connection.ask({ ask: "position", after, ...which });
      const [position, { drawDiagram }] = await Promise.all([asking, import("./diagram.js")]);
      if (asked === this.#asked) {
        this.#draw(game, position, drawDiagram);
      }
    } catch (error) {
      this.close();
      this.#complain(error);
    }
  }

  /** Show the board again. */
  close() {
    this.#asked++;
    this.#stop();
    this.#shown = undefined;
    reveal(false);
    this.#mark();
  }

  /**
   * @param {Game} game
   * @param {Protocol.PositionResult} position
   * @param {typeof import("./diagram.js").drawDiagram} drawDiagram
   */
  #draw(game, position, drawDiagram) {
    const began = !this.#shown;
    this.#shown = { game, after: position.after };
    const then = element("then");
    drawDiagram(then, game, position, tallWindow.matches);
    then.setAttribute("aria-label", described(game, position));
    reveal(true);
    within(element("past"), "p").textContent = captioned(game, position);
    this.#mark();
    if (began) {
      element("past").scrollIntoView({ block: "nearest" });
    }
    if (position.after >= game.turns.length) {
      this.#stop();
    }
  }

  #mark() {
    const { game, after } = this.#shown ?? {};
    for (const button of element("turns").querySelectorAll("button")) {
      const here = game === this.#live && Number(button.dataset.turn) === after;
      button.removeAttribute("aria-current");
      if (here) {
        button.setAttribute("aria-current", "step");
        button.scrollIntoView({ block: "nearest" });
      }
    }
    for (const button of stepping()) {
      const end = steps(button) < 0 ? 0 : game?.turns.length;
      button.setAttribute("aria-disabled", String(after === end));
    }
  }

  /** @param {number} by */
  #walk(by) {
    const { game, after } = present(this.#shown);
    const target = Math.max(0, Math.min(game.turns.length, after + by));
    return target === after ? undefined : this.open(game, target);
  }

  #play() {
    if (this.#timer) {
      this.#stop();
      return;
    }
    const { game, after } = present(this.#shown);
    this.#timer = setInterval(() => this.#walk(1), Number(element("past").dataset.pace));
    this.#playing(true);
    this.open(game, after < game.turns.length ? after + 1 : 0);
  }

  #stop() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#playing(false);
  }

  /** @param {boolean} playing */
  #playing(playing) {
    const button = within(element("past"), "button", ".play");
    button.textContent = playing ? "❚❚" : "▶\uFE0E";
    button.setAttribute("aria-label", playing ? say("past.stop") : say("past.play"));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const elsewhere = closest(event, "select, input, dialog") || event.altKey || event.ctrlKey || event.metaKey;
    if (!this.#shown || elsewhere) {
      return;
    }
    if (event.key === "Escape") {
      this.close();
      return;
    }
    const by = STEPS[event.key];
    if (by !== undefined) {
      event.preventDefault();
      this.#walk(by);
    }
  }
}

/**
 * The buttons that step through the game.
 * @returns {NodeListOf<HTMLButtonElement>}
 */
function stepping() {
  return element("past").querySelectorAll("button[data-step]");
}

/** @param {HTMLButtonElement} button */
function steps({ dataset }) {
  return present(STEPS[dataset.step ?? ""]);
}

/**
 * The diagram in place of the board, and the bar of buttons in place of the header.
 * @param {boolean} past
 */
function reveal(past) {
  element("stage").classList.toggle("back", past);
  element("then").toggleAttribute("hidden", !past);
  element("past").hidden = !past;
  within(document, "header").classList.toggle("unseen", past);
}

/** @param {string[]} turns */
function pairs(turns) {
  /** @type {HTMLLIElement[]} */
  const items = [];
  turns.forEach((turn, index) => {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: turn });
    button.dataset.turn = String(index + 1);
    const span = document.createElement("span");
    span.append(button);
    if (index % 2 === 0) {
      items.push(document.createElement("li"));
    }
    items.at(-1)?.append(span);
  });
  return items;
}

/**
 * As in the list: the second turn of a pair has no number of its own.
 * @param {Game} game
 * @param {Protocol.PositionResult} position
 */
function captioned({ number }, { after, turn: text }) {
  const turn = `${Math.ceil(after / 2)}${after % 2 ? "." : " …"} ${text}`;
  const when = after ? say("past.after", { turn }) : say("past.start");
  return number === undefined ? when : say("past.of-game", { count: number, when });
}

/**
 * Pieces of one kind are named together, followed by those still to be placed.
 * @param {Game} game
 * @param {Protocol.PositionResult} position
 */
function described({ kinds }, { standing, beneath, in_hand: inHand }) {
  /** @type {Map<string, string[]>} */
  const alike = new Map();
  const order = Object.keys(kinds);
  const pieces = Object.entries(standing).sort(([, one], [, other]) => order.indexOf(one) - order.indexOf(other));
  for (const [name, kind] of pieces) {
    const piece = piled([...(beneath[name] ?? []), kind]);
    alike.set(piece, [...(alike.get(piece) ?? []), name]);
  }
  const waiting = Object.entries(inHand).filter(([, count]) => count > 0);
  return [
    ...[...alike].map(([piece, points]) => say("past.standing", { piece, points: points.sort() })),
    ...waiting.map(([kind, count]) => say("past.waiting", { piece: piled([kind]), count })),
  ].join(" ");
}
