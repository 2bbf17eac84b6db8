// The board for keyboards and screen readers: each point, and each piece beside the points, is a button that
// names its pieces and the meaning of its light. Tab enters the board once; arrow keys move between
// neighbours. Enter or Space lifts the top piece, takes it if it may be taken, or puts one down; Escape puts a
// lifted piece into the box, W and B put down a piece of that colour, of several kinds first one that others can stand on; Shift with an arrow key
// pushes a piece, K knocks it over. T, L, R, N, C and H ask the board. Each action is announced.

import { BOX, kindsOf, landing, measured, nearest, onTable, wayOnBoard } from "./geometry.js";
import { meaning } from "./legend.js";
import { closest, present } from "./required.js";
import { settled } from "./settled.js";
import { place, svg } from "./svg.js";
import { mustLeave, noRoom } from "./taps.js";
import { piled, say } from "./words.js";

/** @import { Connection } from "./connection.js" */
/** @import { Arrangement, Spot, Table } from "./geometry.js" */
/** @import { Hands } from "./hands.js" */
/** @import { Lying, ShownTable } from "./pieces.js" */

/**
 * The name of a point, or the number of a piece beside the points.
 * @typedef {string | number} Name
 */
/** @typedef {{ button: SVGElement, spot: Spot }} Button */
/** @typedef {[number, number]} Way */

/**
 * The parts of the page that keys use.
 * @typedef {object} View
 * @property {Arrangement} arrangement
 * @property {Table | null} table
 * @property {ShownTable} detected
 * @property {Protocol.Snapshot["state"]} state
 * @property {Hands} hands
 * @property {(error: unknown) => void} complain
 * @property {(what: NonNullable<Protocol.Do["what"]>, point?: string) => unknown} question
 */

/** @type {Record<string, Way>} */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** @type {Record<string, NonNullable<Protocol.Do["what"]>>} */
const QUESTIONS = { t: "turn", l: "last", r: "board", n: "counts", c: "clock", h: "point" };
const ASIDE = 3; // a neighbour straight ahead is nearer than one to the side
const PUSH_MM = 10;
const PUSH_S = 0.15;
const KNOCK_MM_S = 900;

export class Keys {
  #root = svg("g", { class: "keys" });
  #spoken = Object.assign(document.createElement("p"), { className: "spoken", ariaLive: "polite" });
  /** @type {Map<Name, Button>} */
  #buttons = new Map(); // of points by their names, of pieces beside them by their numbers
  /** @type {Name | undefined} */
  #current;
  /** @type {number | undefined} */
  #followed; // the number of a pushed piece, which the focus follows
  /** @type {Promise<void>} */
  #done = Promise.resolve(); // the last key's work: one after the other, each on the result of the one before
  #connection;
  #view;

  /**
   * `view` has the current `arrangement`, `table`, `state` and `hands` of the page, and can
   * `complain(error)`.
   * @param {SVGSVGElement} root
   * @param {Connection} connection
   * @param {View} view
   */
  constructor(root, connection, view) {
    this.#connection = connection;
    this.#view = view;
    root.append(this.#root);
    root.after(this.#spoken);
    root.addEventListener("keydown", (event) => this.#press(event));
    // An SVG that listens for the focus would be a tab stop itself.
    present(root.parentElement).addEventListener("focusin", (event) => this.#come(closest(event, ".key")));
  }

  /**
   * Lay the buttons out again, in reading order from the upper left.
   * @param {Arrangement} arrangement
   */
  arrange({ points }) {
    this.#root.replaceChildren();
    this.#buttons.clear();
    const sorted = [...points].sort(([, a], [, b]) => a.y - b.y || a.x - b.x);
    for (const [name, point] of sorted) {
      this.#add(name, { "data-point": name }, point);
    }
    this.#current = undefined;
    this.#stop(present(sorted[0])[0]);
  }

  /** Label each button with its present pieces. */
  describe() {
    const { table, detected, state } = this.#view;
    /** @type {{ pieces: Lying[] }} */
    const { pieces } = table ?? detected;
    /** @type {Map<string, string[]>} */
    const standing = new Map();
    for (const { at, piece } of pieces) {
      if (at) {
        standing.set(at, [...(standing.get(at) ?? []), piece]);
      }
    }
    for (const [name, { button }] of this.#buttons) {
      if (typeof name === "string") {
        const pile = standing.get(name);
        const stands = pile ? piled(pile) : say("point.empty");
        const lights = (state.cues[name] ?? []).map((cue) => meaning(cue, state));
        button.setAttribute("aria-label", [name, stands, ...lights].join(", "));
      }
    }
    const { pieces: numbered } = table ?? { pieces: [] };
    this.#describeBeside(numbered.filter(({ at }) => !at));
    this.#follow(numbered);
  }

  /** @param {Table["pieces"]} pieces */
  #describeBeside(pieces) {
    const { arrangement, table } = this.#view;
    const numbers = new Set(pieces.map(({ id }) => id));
    for (const name of [...this.#buttons.keys()].filter((key) => typeof key === "number" && !numbers.has(key))) {
      this.#remove(name);
    }
    for (const piece of pieces) {
      const spot = onTable(arrangement, piece, present(table).pitch);
      const known = this.#buttons.get(piece.id) ?? this.#add(piece.id, { "data-beside": piece.id }, spot);
      known.spot = spot;
      place(known.button, spot);
      const points = [this.#nearest(spot)];
      known.button.setAttribute("aria-label", say("beside", { piece: piled([piece.piece]), points }));
    }
  }

  /**
   * @param {Name} name
   * @param {Record<string, string | number>} data
   * @param {Spot} spot
   */
  #add(name, data, spot) {
    const drawn = svg(
      "g",
      { class: "key", tabindex: -1, role: "button", ...data },
      svg("circle", { r: 0.46, class: "under" }),
      svg("circle", { r: 0.46 }),
    );
    const button = { button: drawn, spot };
    place(drawn, spot);
    this.#buttons.set(name, button);
    this.#root.append(drawn);
    return button;
  }

  /** @param {Name} name */
  #remove(name) {
    const { button, spot } = this.#button(name);
    this.#buttons.delete(name);
    if (this.#current === name) {
      const next = this.#nearest(spot);
      this.#stop(next);
      if (button === document.activeElement) {
        this.#button(next).button.focus();
      }
    }
    button.remove();
  }

  /** @param {Name | undefined} name */
  #button(name) {
    return present(name === undefined ? undefined : this.#buttons.get(name));
  }

  // ---- where the focus is ----------------------------------------------------------------------------------

  /**
   * Only one of them is a tab stop.
   * @param {Name} name
   */
  #stop(name) {
    const before = this.#current === undefined ? undefined : this.#buttons.get(this.#current);
    before?.button.setAttribute("tabindex", "-1");
    this.#current = name;
    this.#button(name).button.setAttribute("tabindex", "0");
  }

  /** @param {Element | null} button */
  #come(button) {
    const found = [...this.#buttons].find(([, own]) => own.button === button);
    if (found) {
      const [name, { spot }] = found;
      this.#stop(name);
      this.#view.hands.hover(spot);
    }
  }

  /** @param {Way} way */
  #go([x, y]) {
    const from = this.#button(this.#current).spot;
    let best;
    let least = Infinity;
    for (const { button, spot } of this.#buttons.values()) {
      const dx = spot.x - from.x;
      const dy = spot.y - from.y;
      const on = dx * x + dy * y;
      const far = on + ASIDE * Math.abs(dx * y - dy * x);
      if (on > 0.01 && far < least) {
        best = button;
        least = far;
      }
    }
    best?.focus();
  }

  /** @param {Table["pieces"]} pieces */
  #follow(pieces) {
    const piece = pieces.find(({ id }) => id === this.#followed);
    const button = piece && this.#buttons.get(piece.at ?? piece.id)?.button;
    if (button && this.#root.contains(document.activeElement)) {
      button.focus();
    }
  }

  /** @param {Spot} spot */
  #nearest(spot) {
    return present(nearest(this.#view.arrangement, spot, Infinity)).name;
  }

  // ---- the keys' actions -----------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (!closest(event, ".key") || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const way = WAYS[event.key];
    const question = QUESTIONS[event.key.toLowerCase()];
    if (question) {
      event.preventDefault();
      this.#question(question);
    } else if (!way) {
      this.#do(event, this.#deedOf(event.key));
    } else if (event.shiftKey) {
      this.#do(event, (name) => this.#push(name, way));
    } else {
      event.preventDefault();
      this.#followed = undefined;
      this.#go(way);
    }
  }

  /** @param {NonNullable<Protocol.Do["what"]>} what */
  #question(what) {
    const name = this.#current;
    if (what !== "point") {
      this.#view.question(what);
    } else if (typeof name === "string") {
      this.#view.question(what, name);
    }
  }

  /**
   * @param {KeyboardEvent} event
   * @param {((name: Name) => Promise<void>) | undefined} deed
   */
  #do(event, deed) {
    const name = this.#current;
    if (this.#view.table && deed && name !== undefined) {
      event.preventDefault();
      this.#done = this.#done.then(() => (this.#buttons.has(name) ? deed(name) : undefined)).catch((error) => this.#view.complain(error));
    }
  }

  /**
   * @param {string} key
   * @returns {((name: Name) => Promise<void>) | undefined}
   */
  #deedOf(key) {
    const player = Object.values(this.#view.arrangement.kinds).find((kind) => kind.player[0] === key.toLowerCase())?.player;
    if (player) {
      return (name) => this.#fill(name, player);
    }
    switch (key) {
      case "Enter":
      case " ":
        return (name) => this.#use(name);
      case "Escape":
        return () => this.#stow();
      case "k":
      case "K":
        return (name) => this.#knock(name);
      default:
        return undefined;
    }
  }

  /**
   * Put down the held piece if there is room; otherwise lift or take the piece here, or put down one of the
   * player to move.
   * @param {Name} name
   */
  async #use(name) {
    const { arrangement, hands } = this.#view;
    const table = present(this.#view.table);
    const piece = this.#at(name);
    const { spot } = this.#button(name);
    const { picked } = hands;
    if (picked && !landing(arrangement, table, picked, spot, { exact: true })) {
      this.#view.complain(noRoom(arrangement, table, this.#view.state, picked, spot));
    } else if (picked) {
      const isPoint = typeof name === "string";
      await hands.setDown(isPoint ? { name, ...spot } : spot);
      const points = [isPoint ? name : this.#nearest(spot)];
      this.announce(say("did.put", { piece: piled([picked.kind]), points }));
    } else if (piece) {
      await this.#takeOrLift(piece, spot);
    } else if (typeof name === "string") {
      await this.#fillFree(name);
    }
  }

  /**
   * @param {Protocol.PieceOnTable} found
   * @param {Spot} spot
   */
  async #takeOrLift(found, spot) {
    const { id, piece, at } = found;
    const { player } = present(this.#view.arrangement.kinds[piece]);
    if (!mustLeave(this.#view.state, at ?? "", player)) {
      await this.#lift(found, spot);
      return;
    }
    await this.#view.hands.take({ id: `piece-${id}`, number: id, kind: piece, from: at ?? "table", spot });
    this.announce(say("did.taken", { piece: piled([piece]), points: [at ?? this.#nearest(spot)] }));
  }

  /** @param {string} name */
  async #fillFree(name) {
    await this.#view.hands.fill(name);
    const piece = this.#at(name);
    if (piece) {
      this.announce(say("did.put", { piece: piled([piece.piece]), points: [name] }));
    }
  }

  /**
   * @param {Protocol.PieceOnTable} piece
   * @param {Spot} spot
   */
  async #lift({ id, piece, at }, spot) {
    this.#followed = undefined;
    const lifted = this.#view.hands.pick({ id: `piece-${id}`, number: id, kind: piece, from: at ?? "table", spot });
    try {
      await lifted;
    } catch {
      return; // hands have reported the reason
    }
    this.announce(say("did.lifted", { piece: piled([piece]), points: [at ?? this.#nearest(spot)] }));
  }

  /**
   * Return a piece of this player's box: on an empty point one that others can stand on, if there is one.
   * @param {Name} name
   * @param {Protocol.Player} player
   */
  async #fill(name, player) {
    const { kinds } = this.#view.arrangement;
    const { box } = present(this.#view.table);
    const own = kindsOf(kinds, player);
    const there = own.filter((kind) => (box[kind] ?? 0) > 0);
    const fits = there.find((kind) => kinds[kind]?.flat === !this.#at(name));
    await this.#put(name, present(fits ?? there[0] ?? own[0]));
  }

  /**
   * @param {Name} name
   * @param {string} kind
   * @param {number} [number]
   */
  async #put(name, kind, number) {
    if (typeof name === "string") {
      const before = this.#at(name)?.id;
      await this.#connection.ask({ put: name, piece: number ?? kind });
      await settled(this.#connection, this.#view, () => this.#at(name)?.id !== before);
      this.announce(say("did.put", { piece: piled([kind]), points: [name] }));
    }
  }

  async #stow() {
    const { hands } = this.#view;
    const table = present(this.#view.table);
    if (hands.picked) {
      await hands.setDown(BOX);
    } else if (table.held.length) {
      await this.#connection.ask({ box: true });
    } else {
      return;
    }
    this.announce(say("did.boxed"));
  }

  /**
   * @param {Name} name
   * @param {Way} way
   */
  async #push(name, [toRight, down]) {
    const { arrangement } = this.#view;
    const table = present(this.#view.table);
    const piece = this.#at(name);
    if (!piece) {
      return;
    }
    if (name === this.#current) {
      this.#followed = piece.id; // pushes wait for one another, and by now the focus may have gone on
    }
    const [right, up] = measured(arrangement, onTable(arrangement, piece, table.pitch), table.pitch);
    const way = wayOnBoard(arrangement, { x: toRight, y: down });
    /** @type {[number, number]} */
    const to = [right + PUSH_MM * way.x, up + PUSH_MM * way.y];
    await this.#connection.ask({ push: piece.id, to, seconds: PUSH_S });
    const target = onTable(arrangement, { x: to[0], y: to[1] }, table.pitch);
    await settled(this.#connection, this.#view, (now) => now.pieces.some((one) => one.id === piece.id && this.#lies(one, target)));
    const near = this.#nearest(target);
    this.announce(say("did.pushed", { piece: piled([piece.piece]), points: [near] }));
  }

  /**
   * Away from the centre of the board.
   * @param {Name} name
   */
  async #knock(name) {
    const piece = this.#at(name);
    if (!piece) {
      return;
    }
    const { arrangement } = this.#view;
    const { field } = arrangement;
    const { spot } = this.#button(name);
    const x = spot.x - field.x - field.width / 2;
    const y = spot.y - field.y - field.height / 2;
    const far = Math.hypot(x, y);
    const way = wayOnBoard(arrangement, far ? { x: x / far, y: y / far } : { x: 0, y: 1 });
    const [right, up] = [Math.round(KNOCK_MM_S * way.x), Math.round(KNOCK_MM_S * way.y)];
    await this.#connection.ask({ flick: piece.id, speed: [right, up] });
    this.announce(say("did.knocked", { piece: piled([piece.piece]) }));
  }

  /**
   * @param {Protocol.PieceOnTable} piece
   * @param {Spot} target
   */
  #lies(piece, target) {
    const { arrangement, table } = this.#view;
    const { x, y } = onTable(arrangement, piece, present(table).pitch);
    return Math.hypot(x - target.x, y - target.y) < 0.02;
  }

  /**
   * Return the top piece on a point, or the one with this number beside the points.
   * @param {Name} name
   */
  #at(name) {
    const { pieces } = present(this.#view.table);
    return pieces.findLast(({ at, id }) => (at ?? id) === name);
  }

  /**
   * The same words twice are announced twice.
   * @param {string} text
   */
  announce(text) {
    this.#spoken.textContent = this.#spoken.textContent === text ? `${text}\u00a0` : text;
  }
}
