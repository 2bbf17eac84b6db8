// Side lines while looking back: other turns tried on the diagram, with their values, arrows and marks, and a game from
// the position that is shown. Nothing of it enters the game, and nobody else sees it.

import { stepsOf } from "./carrying.js";
import { arrange, nearest, reach, PIECE } from "./geometry.js";
import { signOf } from "./marks.js";
import { fit } from "./panel.js";
import { button, dress, part } from "./parts.js";
import { element, present, within } from "./required.js";
import { place, svg } from "./svg.js";
import { quarters } from "./turning.js";
import { learn, say } from "./words.js";

/** @import { Controls } from "./controls.js" */
/** @import { Connection } from "./connection.js" */
/** @import { Arrangement } from "./geometry.js" */
/** @import { Game } from "./diagram.js" */

await Promise.all([learn("study"), dress("study.css")]);

/**
 * The position that is shown: after some turns of a game, and the steps of a side line from there.
 * @typedef {object} Shown
 * @property {Game} game
 * @property {number} after
 * @property {string[]} steps
 * @property {Protocol.LineResult} position
 * @property {{ game?: number, record?: string }} asked
 * @property {boolean} tall
 */

/** @typedef {{ text: string, origin: string | undefined, target: string | undefined }} Choice */

/** The sign for what a turn leads to; without one it is not known. */
const SIGNS = /** @type {const} */ ({ win: "hint-wins", draw: "hint-draws", loss: "hint-loses", unknown: undefined });
const VALUES_AFTER_MS = 250; // nobody reads them while turns are walked through
const HOLDS_MS = 450;
const MOVED_PX = 9;

export class Study {
  #connection;
  #try;
  #controls;
  /** @type {Shown | undefined} */
  #shown;
  /** @type {Arrangement | undefined} */
  #arrangement;
  /** @type {string | undefined} */
  #chosen; // the point of a piece that is to move
  /** @type {Protocol.ValuesResult | undefined} */
  #values;
  /** @type {number | undefined} */
  #timer;
  /** @type {Map<string, [string, string]>} */
  #drawn = new Map(); // arrows, and marks, which end where they begin
  /** @type {{ id: number, from: string | undefined, x: number, y: number, draws: boolean, timer: number } | undefined} */
  #press;
  #marks = svg("g", { class: "study marks" });
  #legend = part("ul", { id: "study-legend" });
  #value = part("p", { id: "study-value" });
  #turns = part("select", { id: "study-turns" });
  #says = part("p", { id: "study-says" });
  #decline = button("", () => this.#play("x-"));
  #back = button("", () => this.#try([]));
  #from = part("details", { id: "study-from" });
  #section = part("section", { id: "study", hidden: true });

  /**
   * `tryLine(steps)` shows a side line from the position that is shown, `controls` begin a game in it.
   * @param {Connection} connection
   * @param {(steps: string[]) => void} tryLine
   * @param {Controls} controls
   */
  constructor(connection, tryLine, controls) {
    this.#connection = connection;
    this.#try = tryLine;
    this.#controls = controls;
    this.#value.setAttribute("role", "status");
    this.#turns.addEventListener("change", () => this.#turns.value && this.#play(this.#turns.value));
    this.#section.append(
      part("h2", { textContent: say("study.title") }),
      this.#says,
      this.#value,
      part("label", {}, say("study.step"), this.#turns),
      part("div", { className: "offers" }, this.#decline, this.#back),
      this.#from,
    );
    element("turned").before(this.#section);
    element("legend").append(this.#legend);
    const then = element("then");
    then.addEventListener("contextmenu", (event) => event.preventDefault());
    then.addEventListener("pointerdown", (event) => this.#down(event));
    then.addEventListener("pointermove", (event) => this.#move(event));
    then.addEventListener("pointerup", (event) => this.#up(event));
    then.addEventListener("pointercancel", () => this.#letGo());
  }

  /** @param {Shown} shown */
  show(shown) {
    this.#shown = shown;
    this.#chosen = undefined;
    this.#values = undefined;
    this.#drawn.clear();
    this.#arrangement = arrange(shown.game.layout, shown.game.kinds, shown.tall, { quarters: quarters() });
    element("then").append(this.#marks);
    this.#section.hidden = false;
    this.#offer();
    this.#draw();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(shown), VALUES_AFTER_MS);
  }

  /** End it, with the look back. */
  end() {
    clearTimeout(this.#timer);
    this.#letGo();
    this.#shown = undefined;
    this.#section.hidden = true;
  }

  /** The legal steps of the position. */
  get #choices() {
    const { steps } = present(this.#shown).position;
    return steps.map((text) => ({ text, ...(stepsOf(text)[0] ?? { origin: undefined, target: undefined }) }));
  }

  #offer() {
    const { game, steps, position } = present(this.#shown);
    this.#says.textContent = position.steps.length ? say("study.tap") : "";
    this.#turns.replaceChildren(new Option("–", ""), ...position.steps.map((text) => new Option(text, text)));
    present(this.#turns.parentElement).hidden = position.steps.length === 0;
    this.#decline.textContent = say("page.decline");
    this.#decline.hidden = !position.steps.includes("x-");
    this.#back.textContent = say("study.back");
    this.#back.hidden = steps.length === 0;
    this.#from.hidden = position.steps.length === 0 || game.rules === undefined;
    this.#from.open = false;
    const level = `engine:${element("level").value}`;
    this.#from.replaceChildren(
      part("summary", { textContent: say("study.from") }),
      part("p", { textContent: say("study.from-says") }),
      part(
        "div",
        { className: "offers" },
        button(say("study.as-white"), () => this.#begin({ black: level })),
        button(say("study.as-black"), () => this.#begin({ white: level })),
        button(say("who.two"), () => this.#begin({})),
      ),
    );
  }

  /** @param {Record<string, string>} seats */
  async #begin(seats) {
    const { game, position } = present(this.#shown);
    const [rules = "", ...settings] = present(game.rules).split(" ");
    const set = Object.fromEntries(settings.map((setting) => setting.split("=")));
    const setUp = /** @type {const} */ ({ do: "set-up", position: position.position, rules, set });
    if (await this.#controls.begin(setUp, { do: "seats", white: "here", black: "here", ...seats })) {
      element("now").click();
    }
  }

  /** @param {string} text */
  #play(text) {
    this.#try([...present(this.#shown).steps, text]);
  }

  // ---- values ----------------------------------------------------------------------------------------------

  /** @param {Shown} shown */
  async #ask(shown) {
    const { after, steps, position, asked } = shown;
    if (!position.steps.length) {
      this.#value.textContent = "";
      return;
    }
    try {
      const found = await this.#connection.ask({ ask: "values", after, steps, ...asked });
      if (this.#shown === shown) {
        this.#values = found;
        this.#value.textContent = worded(found, position.to_move ?? opponent(position.by)); // nobody moves after the end
        this.#sayBelow(found, position.to_move);
        this.#draw();
      }
    } catch {
      this.#value.textContent = ""; // the position itself is shown, and says what failed
    }
  }

  /**
   * Say what is proved where everybody looks, since on a phone the rest lies further down.
   * @param {Protocol.ValuesResult} found
   * @param {Protocol.Player | null} player
   */
  #sayBelow(found, player) {
    if (found.result !== "unknown" && player) {
      const due = player === "white" ? say("past.white-then") : say("past.black-then");
      within(element("past"), "p", " + p").textContent = `${due} ${worded(found, player)}`;
      requestAnimationFrame(fit);
    }
  }

  // ---- drawing ---------------------------------------------------------------------------------------------

  #draw() {
    const points = present(this.#arrangement).points;
    const parts = [];
    const cues = new Set();
    for (const [name, { text, target }] of this.#touchable()) {
      const cue = SIGNS[this.#values?.steps[text] ?? "unknown"];
      const shown = cue ? signOf(cue) : [svg("circle", { class: "may", r: target === name ? 0.16 : PIECE + 0.05 })];
      const mark = svg("g", { class: cue ?? "unknown" }, ...shown);
      place(mark, present(points.get(name)));
      parts.push(mark);
      cues.add(cue);
    }
    this.#explain(cues);
    if (this.#chosen) {
      const { x, y } = present(points.get(this.#chosen));
      parts.push(svg("circle", { class: "chosen", cx: x, cy: y, r: PIECE + 0.08 }));
    }
    for (const [from, to] of this.#drawn.values()) {
      const [a, b] = [present(points.get(from)), present(points.get(to))];
      parts.push(from === to ? svg("circle", { class: "mark", cx: a.x, cy: a.y, r: PIECE + 0.12 }) : arrow(a, b));
    }
    this.#marks.replaceChildren(...parts);
  }

  /**
   * Name the signs that are drawn.
   * @param {Set<string | undefined>} drawn
   */
  #explain(drawn) {
    const cues = /** @type {const} */ (["hint-wins", "hint-draws", "hint-loses"]).filter((cue) => drawn.has(cue));
    const items = cues.map((cue) => {
      const swatch = svg("svg", { viewBox: "-0.6 -0.6 1.2 1.2", class: "swatch", "aria-hidden": "true" }, ...signOf(cue));
      return part("li", {}, part("i", {}, swatch), say(`cue.${cue}`));
    });
    this.#legend.replaceChildren(...items);
  }

  /**
   * Return the points that a tap does something on, with the best step that begins there or, if a piece is chosen, ends
   * there.
   * @returns {Map<string, Choice>}
   */
  #touchable() {
    const worth = (/** @type {Choice} */ { text }) => ["loss", "unknown", "draw", "win"].indexOf(this.#values?.steps[text] ?? "unknown");
    /** @type {Map<string, Choice>} */
    const best = new Map();
    for (const choice of this.#choices.filter(({ origin }) => !this.#chosen || origin === this.#chosen)) {
      const at = this.#chosen ? choice.target : (choice.origin ?? choice.target);
      const before = at && best.get(at);
      if (at && (!before || worth(choice) > worth(before))) {
        best.set(at, choice);
      }
    }
    return best;
  }

  // ---- pointers --------------------------------------------------------------------------------------------

  /** @param {PointerEvent} event */
  #pointAt({ clientX, clientY, pointerType }) {
    const then = element("then");
    const spot = new DOMPoint(clientX, clientY).matrixTransform(present(then.getScreenCTM()).inverse());
    return nearest(present(this.#arrangement), spot, reach(pointerType))?.name;
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (!this.#shown || this.#press) {
      return;
    }
    event.preventDefault();
    const press = { id: event.pointerId, from: this.#pointAt(event), x: event.clientX, y: event.clientY, draws: event.button === 2, timer: 0 };
    press.timer = setTimeout(() => {
      press.draws = true;
      navigator.vibrate?.(10);
    }, HOLDS_MS);
    this.#press = press;
    element("then").setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const press = this.#press;
    if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > MOVED_PX) {
      clearTimeout(press.timer);
    }
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const press = this.#press;
    if (!press || press.id !== event.pointerId) {
      return;
    }
    this.#letGo();
    const name = this.#pointAt(event);
    if (press.draws && press.from && name) {
      this.#toggle(press.from, name);
    } else if (!press.draws && name && name === press.from) {
      this.#tap(name);
    }
  }

  #letGo() {
    clearTimeout(this.#press?.timer);
    this.#press = undefined;
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  #toggle(from, to) {
    const key = `${from} ${to}`;
    if (!this.#drawn.delete(key)) {
      this.#drawn.set(key, [from, to]);
    }
    this.#draw();
  }

  /** @param {string} name */
  #tap(name) {
    const choices = this.#choices;
    const moved = choices.find(({ origin, target }) => this.#chosen && origin === this.#chosen && target === name);
    const taken = choices.find(({ origin, target }) => origin === name && !target);
    const laid = choices.find(({ origin, target }) => !origin && target === name);
    const step = moved ?? taken;
    const again = this.#chosen === name;
    if (step) {
      this.#play(step.text);
    } else if (!again && choices.some(({ origin }) => origin === name)) {
      this.#chosen = name;
      this.#draw();
    } else if (laid && (again || !this.#chosen)) {
      this.#play(laid.text);
    } else {
      this.#chosen = undefined;
      this.#says.textContent = choices.length ? say("study.not-there", { points: [name] }) : "";
      this.#draw();
    }
  }
}

/** @param {Protocol.Player | null} player */
function opponent(player) {
  return player && (player === "white" ? "black" : "white");
}

/**
 * Return how a position ends by best play, and the best turn.
 * @param {Protocol.ValuesResult} found
 * @param {Protocol.Player | null} player
 */
function worded({ result, best }, player) {
  const white = player === "white";
  if (result === "unknown" || !player) {
    return say("study.unknown");
  }
  if (result === "draw") {
    return say("study.draw", { turn: present(best) });
  }
  if (result === "win") {
    return white ? say("study.white-wins", { turn: present(best) }) : say("study.black-wins", { turn: present(best) });
  }
  return white ? say("study.white-loses", { turn: present(best) }) : say("study.black-loses", { turn: present(best) });
}

/**
 * @param {{ x: number, y: number }} from
 * @param {{ x: number, y: number }} to
 */
function arrow(from, to) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [x, y] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const at = (/** @type {number} */ along, /** @type {number} */ across) =>
    `${from.x + x * along - y * across} ${from.y + y * along + x * across}`;
  const head = length - 0.3;
  const outline = [at(0.15, -0.06), at(head, -0.06), at(head, -0.18), at(length, 0), at(head, 0.18), at(head, 0.06), at(0.15, 0.06)];
  return svg("path", { class: "arrow", d: `M${outline.join("L")}Z` });
}
