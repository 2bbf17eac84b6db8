// Looking back: the turns so far as buttons, and the position after the chosen one, drawn as a diagram in
// place of the board. During that time nothing on the board changes, and hands cannot reach it. A new turn,
// or one taken back, ends a look at the current game, so that the page shows what to do next; a stored game
// stays until it is closed.

import { ended } from "./outcomes.js";
import { call, count, fit } from "./panel.js";
import { part } from "./parts.js";
import { closest, element, present, within } from "./required.js";
import { enter, leave } from "./steps.js";
import { numbered, piled, say } from "./words.js";

/** @import { Connection } from "./connection.js" */
/** @import { Game } from "./diagram.js" */
/** @import { Study } from "./study.js" */
/** @import { Turned } from "./turned.js" */

const tallWindow = matchMedia("(max-aspect-ratio: 1/1)");
/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

export class Past {
  #connection;
  #changed;
  #complain;
  #share;
  /** @type {Game | undefined} */
  #live;
  /**
   * Its turns are the buttons.
   * @type {Game | undefined}
   */
  #listed;
  #over = false;
  /** @type {{ game: Game, after: number, steps: string[] } | undefined} */
  #shown;
  /** @type {Study | undefined} */
  #study; // since a position was first shown
  #controls;
  /** @type {Turned | undefined} */
  #turned; // since a game was first looked back on
  #asked = 0;
  /** @type {number | undefined} */
  #timer;

  /**
   * `changed()` is called when looking back begins and ends, `complain(error)` if a position cannot be shown, and
   * `share(game, then)` to share the one that is shown.
   * @param {Connection} connection
   * @param {() => void} changed
   * @param {(error: unknown) => void} complain
   * @param {(game: Game, then: { after: number, when: string }) => void} share
   * @param {import("./controls.js").Controls} controls
   */
  constructor(connection, changed, complain, share, controls) {
    this.#controls = controls;
    this.#connection = connection;
    this.#changed = changed;
    this.#complain = complain;
    this.#share = share;
    for (const button of stepping()) {
      button.addEventListener("click", () => this.#walk(by(button)));
    }
    playButton().addEventListener("click", () => this.#play());
    element("now").addEventListener("click", () => this.close());
    element("share-then").addEventListener("click", () => {
      const { game, after } = present(this.#shown);
      this.#share(game, { after, when: within(element("past"), "p").textContent ?? "" });
    });
    element("look-back").addEventListener("click", () => this.#live && this.open(this.#live, this.#live.turns.length));
    element("turns").addEventListener("click", (event) => {
      const button = closest(event, "button");
      if (button && this.#listed) {
        this.open(this.#listed, Number(button.dataset.turn));
      }
    });
    document.addEventListener("keydown", (event) => this.#key(event));
    tallWindow.addEventListener("change", () => this.#redraw());
    document.addEventListener("turned", () => this.#redraw());
    const resized = new ResizeObserver(() => this.#shown || this.#showLast());
    for (const scroller of scrollers()) {
      resized.observe(scroller);
    }
  }

  /** True while an earlier position is shown. */
  get shown() {
    return this.#shown !== undefined;
  }

  /**
   * List the turns of the current game, unless another one is shown.
   * @param {Protocol.Snapshot} snapshot
   */
  show({ state, layout, kinds }) {
    const written = [state.rules, ...state.turns].join(" ");
    this.#over = state.outcome !== null;
    if (this.#live?.written === written) {
      this.#live.outcome = state.outcome; // the end can be agreed
      this.#follow();
      return;
    }
    if (this.#shown && this.#shown.game === this.#live) {
      this.close();
    }
    this.#live = { rules: state.rules, layout, kinds, turns: state.turns, written, outcome: state.outcome };
    this.#mark();
    requestAnimationFrame(() => this.#showLast()); // not now: the browser would lay out the page once more
    this.#follow();
  }

  /** The game that is looked back on, or is over; a shared one is not on this board. */
  get #followed() {
    const game = this.#shown?.game ?? (this.#over ? this.#live : undefined);
    return game?.turns.length && game.record === undefined ? game : undefined;
  }

  /** Show where the game that is looked back on, or is over, has turned. */
  async #follow() {
    const game = this.#followed;
    if (game && !this.#turned) {
      try {
        const { Turned } = await import("./turned.js");
        this.#turned ??= new Turned(this.#connection, (own, after) => this.open(own, after), this.#complain);
        this.#follow();
      } catch (error) {
        this.#complain(error);
      }
      return;
    }
    this.#turned?.show(game, this.#shown?.after, game === this.#live, Boolean(this.#shown?.steps.length));
  }

  /** Analyse the game that is over, as soon as the part of the page that does it has come. */
  async analyse() {
    await this.#follow();
    this.#turned?.analyse();
  }

  /**
   * Show `game` as it stood after `after` turns, or a side line from there.
   * @param {Game} game
   * @param {number} after
   * @param {string[]} steps of the side line
   */
  async open(game, after, steps = []) {
    const asked = ++this.#asked;
    try {
      const asking = this.#connection.ask({ ask: "line", after, steps, ...named(game) });
      const [position, { drawDiagram }, { Study }] = await Promise.all([asking, import("./diagram.js"), import("./study.js")]);
      if (asked === this.#asked) {
        this.#study ??= new Study(this.#connection, (on) => this.#try(on), this.#controls);
        this.#draw({ game, after, steps }, position, drawDiagram);
        this.#study.show({ game, after, steps, position, asked: named(game), tall: tallWindow.matches });
      }
    } catch (error) {
      this.close();
      this.#complain(error);
    }
  }

  /** Show the board again. */
  close() {
    leave(this.#end);
    this.#end();
  }

  #redraw() {
    if (this.#shown) {
      this.open(this.#shown.game, this.#shown.after, this.#shown.steps);
    }
  }

  /** @param {string[]} steps of a side line from the position that is shown */
  #try(steps) {
    const { game, after } = present(this.#shown);
    this.#stop();
    this.open(game, after, steps);
  }

  #end = () => {
    this.#asked++;
    this.#stop();
    if (!this.#shown) {
      return;
    }
    const lost = element("steps").contains(document.activeElement);
    this.#shown = undefined;
    this.#study?.end();
    reveal(false);
    this.#mark();
    this.#follow();
    this.#changed();
    if (lost) {
      element("look-back").focus({ preventScroll: true });
    }
  };

  /**
   * @param {{ game: Game, after: number, steps: string[] }} shown
   * @param {Protocol.LineResult} position
   * @param {typeof import("./diagram.js").drawDiagram} drawDiagram
   */
  #draw(shown, position, drawDiagram) {
    const began = !this.#shown;
    const game = shown.steps.length ? { ...shown.game, outcome: position.outcome } : shown.game;
    this.#shown = shown;
    const then = element("then");
    drawDiagram(then, game, position, tallWindow.matches);
    then.setAttribute("aria-label", described(game, position));
    reveal(true);
    within(element("past"), "p").textContent = shown.steps.length ? say("study.line", { turn: position.line.join(" ") }) : captioned(game, position);
    within(element("past"), "p", " + p").textContent = due(shown.game, position, game.outcome);
    count(game.kinds, position);
    if (game.players) {
      call(game.players);
    }
    requestAnimationFrame(fit);
    this.#mark();
    this.#follow();
    if (began) {
      const lost = element("tools").contains(document.activeElement);
      enter(this.#end);
      this.#changed();
      if (lost) {
        element("now").focus({ preventScroll: true });
      }
    }
    if (shown.after >= game.turns.length) {
      this.#stop();
    }
  }

  #showLast() {
    for (const scroller of scrollers()) {
      scroller.scrollTo(scroller.scrollWidth, scroller.scrollHeight);
    }
  }

  /** List the turns of the game that is shown, and mark where it stands. */
  #mark() {
    const { game = this.#live, after, steps = [] } = this.#shown ?? {};
    if (game !== this.#listed) {
      this.#listed = game;
      element("turns").replaceChildren(...pairs(game));
    }
    for (const button of element("turns").querySelectorAll("button")) {
      button.removeAttribute("aria-current");
      if (Number(button.dataset.turn) === after) {
        button.setAttribute("aria-current", "step");
        button.scrollIntoView({ block: "nearest" });
      }
    }
    for (const button of stepping()) {
      const end = by(button) < 0 ? 0 : game?.turns.length;
      button.setAttribute("aria-disabled", String(steps.length ? by(button) > 0 : after === end));
    }
  }

  /** @param {number} by */
  #walk(by) {
    const { game, after, steps } = present(this.#shown);
    if (steps.length) {
      return by > 0 ? undefined : this.open(game, after, by === -1 ? steps.slice(0, -1) : []);
    }
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
    const button = playButton();
    button.querySelector("use")?.setAttribute("href", `#icon-${playing ? "pause" : "play"}`);
    button.setAttribute("aria-label", playing ? say("past.stop") : say("past.play"));
    within(button, "span").textContent = playing ? say("past.stop") : say("past.name.play");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const elsewhere = closest(event, "select, input, dialog, #view-share") || event.altKey || event.ctrlKey || event.metaKey;
    if (!this.#shown || elsewhere) {
      return;
    }
    if (event.key === "Escape") {
      this.close();
      return;
    }
    const way = STEPS[event.key];
    if (way !== undefined) {
      event.preventDefault();
      this.#walk(way);
    }
  }
}

/**
 * The buttons that step through the game.
 * @returns {NodeListOf<HTMLButtonElement>}
 */
function stepping() {
  return element("steps").querySelectorAll("button[data-step]");
}

/**
 * Return what tells the board the game that it is asked about.
 * @param {Game} game
 */
function named({ number, record }) {
  if (record !== undefined) {
    return { record };
  }
  return number === undefined ? {} : { game: number };
}

/** Return what may scroll the turns: the list itself is a strip on a phone. */
const scrollers = () => [element("turns"), element("view-play")];

const playButton = () => within(element("steps"), "button", ".play");

/** @param {HTMLButtonElement} button */
function by({ dataset }) {
  return present(STEPS[dataset.step ?? ""]);
}

/**
 * The diagram in place of the board, and what it shows in place of the sentence.
 * @param {boolean} past
 */
function reveal(past) {
  document.body.classList.toggle("back", past);
  element("then").toggleAttribute("hidden", !past);
  if (!past) {
    element("then").replaceChildren();
  }
  element("past").hidden = !past;
}

/** @param {Game | undefined} game */
function pairs(game) {
  /** @type {HTMLLIElement[]} */
  const items = [];
  game?.turns.forEach((turn, index) => {
    const button = part("button", { type: "button" }, ...breakable(turn));
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
 * Return a turn's text as parts that may stand below each other: none of its steps is broken.
 * @param {string} turn
 */
const breakable = (turn) => (turn.match(/\/?[^ /]+ ?/g) ?? []).flatMap((step) => [part("wbr", {}), step]).slice(1);

/**
 * As in the list: the second turn of a pair has no number of its own.
 * @param {Game} game
 * @param {Protocol.PositionResult} position
 */
function captioned({ number, record }, { after, turn: text }) {
  const turn = numbered(after, text ?? "");
  const when = after ? say("past.after", { turn }) : say("past.start");
  if (record !== undefined) {
    return say("past.shared", { when });
  }
  return number === undefined ? when : say("past.of-game", { count: number, when });
}

/**
 * Return whose turn it was, or its `end`.
 * @param {Game} game
 * @param {Protocol.PositionResult} position
 * @param {Game["outcome"]} end
 */
function due({ outcome, record }, { to_move: player }, end) {
  if (!player) {
    return end ? ended(end) : "";
  }
  if (outcome || record !== undefined) {
    return player === "white" ? say("past.white-then") : say("past.black-then");
  }
  return player === "white" ? say("past.white") : say("past.black");
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
