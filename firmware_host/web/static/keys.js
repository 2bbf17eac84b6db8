// The board for those who play by keyboard or listen: each point, and each piece beside the points, is a button
// that says what stands there and what its light means. Tab comes to the board once; arrow keys go from one to
// the next as they lie. Enter or Space lifts the uppermost piece or sets one down, Escape puts it into the box, W and
// B set a piece of that colour down, of several kinds one that others stand on before one that stands on it; Shift with an arrow key pushes a piece, K knocks it over. What was done is said.

import { BOX, landing, measured, onTable } from "./geometry.js";
import { settled } from "./settled.js";
import { place, svg } from "./svg.js";
import { piled, say } from "./words.js";

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ASIDE = 3; // what lies straight on is nearer than what lies aside
const PUSH_MM = 10;
const PUSH_S = 0.15;
const KNOCK_MM_S = 900;

export class Keys {
  #root = svg("g", { class: "keys" });
  #spoken = Object.assign(document.createElement("p"), { className: "spoken", ariaLive: "polite" });
  #buttons = new Map(); // of points by their names, of pieces beside them by their numbers
  #current;
  #followed; // the number of a piece that is pushed, which the focus goes with
  #done = Promise.resolve(); // what was pressed last: one after the other, each upon what the one before has left
  #connection;
  #view;

  /** `view` has the page's `arrangement`, `table`, `state` and `hands` as they are now, and can `complain(error)`. */
  constructor(root, connection, view) {
    this.#connection = connection;
    this.#view = view;
    root.append(this.#root);
    root.after(this.#spoken);
    root.addEventListener("keydown", (event) => this.#press(event));
    root.addEventListener("focusin", ({ target }) => this.#come(target.closest(".key")));
  }

  /** Lay the buttons out anew; in reading order, from the upper left. */
  arrange({ points }) {
    this.#root.replaceChildren();
    this.#buttons.clear();
    const sorted = [...points].sort(([, a], [, b]) => a.y - b.y || a.x - b.x);
    for (const [name, point] of sorted) {
      this.#add(name, { "data-point": name }, point);
    }
    this.#current = undefined;
    this.#stop(sorted[0][0]);
  }

  /** Say what stands where now. */
  describe() {
    const { table, felt, state } = this.#view;
    const { pieces } = table ?? felt;
    const standing = new Map();
    for (const { at, piece } of pieces.filter(({ at }) => at)) {
      standing.set(at, [...(standing.get(at) ?? []), piece]);
    }
    for (const [name, { button }] of this.#buttons) {
      if (typeof name === "string") {
        const pile = standing.get(name);
        const stands = pile ? piled(pile) : say("point.empty");
        const lights = (state.cues[name] ?? []).map((cue) => say(`cue.${cue}`));
        button.setAttribute("aria-label", [name, stands, ...lights].join(", "));
      }
    }
    this.#describeBeside(pieces.filter(({ at }) => !at));
    this.#follow(pieces);
  }

  #describeBeside(pieces) {
    const { arrangement, table } = this.#view;
    const numbers = new Set(pieces.map(({ id }) => id));
    for (const name of [...this.#buttons.keys()].filter((key) => typeof key === "number" && !numbers.has(key))) {
      this.#remove(name);
    }
    for (const piece of pieces) {
      const spot = onTable(arrangement, piece, table.pitch);
      if (!this.#buttons.has(piece.id)) {
        this.#add(piece.id, { "data-beside": piece.id }, spot);
      }
      const known = this.#buttons.get(piece.id);
      Object.assign(known, { spot });
      place(known.button, spot);
      const points = [this.#nearest(spot)];
      known.button.setAttribute("aria-label", say("beside", { piece: piled([piece.piece]), points }));
    }
  }

  #add(name, data, spot) {
    const button = svg(
      "g",
      { class: "key", tabindex: -1, role: "button", ...data },
      svg("circle", { r: 0.46, class: "under" }),
      svg("circle", { r: 0.46 }),
    );
    place(button, spot);
    this.#buttons.set(name, { button, spot });
    this.#root.append(button);
  }

  #remove(name) {
    const { button, spot } = this.#buttons.get(name);
    this.#buttons.delete(name);
    if (this.#current === name) {
      const nearest = this.#nearest(spot);
      this.#stop(nearest);
      if (button === document.activeElement) {
        this.#buttons.get(nearest).button.focus();
      }
    }
    button.remove();
  }

  // ---- where the focus is ----------------------------------------------------------------------------------

  // Tab stops at one of them only.
  #stop(name) {
    this.#buttons.get(this.#current)?.button.setAttribute("tabindex", -1);
    this.#current = name;
    this.#buttons.get(name).button.setAttribute("tabindex", 0);
  }

  #come(button) {
    const found = [...this.#buttons].find(([, own]) => own.button === button);
    if (found) {
      const [name, { spot }] = found;
      this.#stop(name);
      this.#view.hands.hover(spot);
    }
  }

  #go([x, y]) {
    const from = this.#buttons.get(this.#current).spot;
    let best;
    let least = Infinity;
    for (const { button, spot } of this.#buttons.values()) {
      const [dx, dy] = [spot.x - from.x, spot.y - from.y];
      const on = dx * x + dy * y;
      const far = on + ASIDE * Math.abs(dx * y - dy * x);
      if (on > 0.01 && far < least) {
        [best, least] = [button, far];
      }
    }
    best?.focus();
  }

  #follow(pieces) {
    const piece = pieces.find(({ id }) => id === this.#followed);
    const button = this.#buttons.get(piece?.at ?? piece?.id)?.button;
    if (button && this.#root.contains(document.activeElement)) {
      button.focus();
    }
  }

  #nearest(spot) {
    const far = ([, point]) => Math.hypot(point.x - spot.x, point.y - spot.y);
    return [...this.#view.arrangement.points].sort((a, b) => far(a) - far(b))[0][0];
  }

  // ---- what keys do ----------------------------------------------------------------------------------------

  #press(event) {
    const { table } = this.#view;
    if (!event.target.closest(".key") || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const way = WAYS[event.key];
    const deed = way && event.shiftKey ? (name) => this.#push(name, way) : this.#deedOf(event.key);
    if (way && !event.shiftKey) {
      event.preventDefault();
      this.#followed = undefined;
      this.#go(way);
    } else if (table && deed) {
      event.preventDefault();
      const name = this.#current;
      this.#done = this.#done.then(() => this.#buttons.has(name) && deed(name)).catch((error) => this.#view.complain(error));
    }
  }

  #deedOf(key) {
    const player = Object.values(this.#view.arrangement.kinds).find((kind) => kind.player[0] === key.toLowerCase())?.player;
    if (player) {
      return (name) => this.#fill(name, player);
    }
    return {
      Enter: (name) => this.#use(name),
      " ": (name) => this.#use(name),
      Escape: () => this.#stow(),
      k: (name) => this.#knock(name),
      K: (name) => this.#knock(name),
    }[key];
  }

  // Set down what is in the hands, if there is room; else lift what stands here, or set down a piece of who is to move.
  async #use(name) {
    const { arrangement, table, state, hands } = this.#view;
    const piece = this.#at(name);
    const { spot, button } = this.#buttons.get(name);
    const { picked } = hands;
    if (picked && !landing(arrangement, table, picked, spot, {})) {
      this.#say(button.getAttribute("aria-label"));
    } else if (picked) {
      const isPoint = typeof name === "string";
      await hands.setDown(isPoint ? { name, ...spot } : spot);
      const points = [isPoint ? name : this.#nearest(spot)];
      this.#say(say("did.put", { piece: piled([picked.kind]), points }));
    } else if (piece) {
      await this.#lift(piece, spot);
    } else {
      const held = table.held.at(-1);
      await (held ? this.#put(name, held.piece, held.id) : this.#fill(name, state.to_move));
    }
  }

  async #lift({ id, piece, at }, spot) {
    this.#followed = undefined;
    const lifted = this.#view.hands.pick({ id: `piece-${id}`, number: id, kind: piece, from: at ?? "table", spot });
    try {
      await lifted;
    } catch {
      return; // hands have told why not
    }
    this.#say(say("did.lifted", { piece: piled([piece]), points: [at ?? this.#nearest(spot)] }));
  }

  // A piece of this player's box: on an empty point one that others may stand on, if there are such.
  async #fill(name, player) {
    const { arrangement, table } = this.#view;
    const { kinds } = arrangement;
    const own = Object.keys(kinds).filter((kind) => kinds[kind].player === player);
    const there = own.filter((kind) => table.box[kind] > 0);
    await this.#put(name, there.find((kind) => kinds[kind].flat === !this.#at(name)) ?? there[0] ?? own[0]);
  }

  async #put(name, kind, number) {
    if (typeof name === "string") {
      const before = this.#at(name)?.id;
      await this.#connection.ask({ put: name, piece: number ?? kind });
      await settled(this.#connection, this.#view, () => this.#at(name)?.id !== before);
      this.#say(say("did.put", { piece: piled([kind]), points: [name] }));
    }
  }

  async #stow() {
    const { table, hands } = this.#view;
    if (hands.picked) {
      await hands.setDown(BOX);
    } else if (table.held.length) {
      await this.#connection.ask({ box: true });
    } else {
      return;
    }
    this.#say(say("did.boxed"));
  }

  async #push(name, [x, y]) {
    const { arrangement, table } = this.#view;
    const piece = this.#at(name);
    if (!piece) {
      return;
    }
    this.#followed = piece.id;
    const [right, up] = measured(arrangement, onTable(arrangement, piece, table.pitch), table.pitch);
    const to = [right + PUSH_MM * x, up - PUSH_MM * y];
    await this.#connection.ask({ push: piece.id, to, seconds: PUSH_S });
    const target = { x: to[0] / table.pitch, y: arrangement.top - to[1] / table.pitch };
    await settled(this.#connection, this.#view, (now) => now.pieces.some((one) => one.id === piece.id && this.#lies(one, target)));
    const near = this.#nearest(target);
    this.#say(say("did.pushed", { piece: piled([piece.piece]), points: [near] }));
  }

  // Away from the middle of the board.
  async #knock(name) {
    const piece = this.#at(name);
    if (!piece) {
      return;
    }
    const { field } = this.#view.arrangement;
    const { spot } = this.#buttons.get(name);
    const [x, y] = [spot.x - field.x - field.width / 2, spot.y - field.y - field.height / 2];
    const far = Math.hypot(x, y);
    const [right, down] = far ? [x / far, y / far] : [0, 1];
    await this.#connection.ask({ flick: piece.id, speed: [right, -down].map((part) => Math.round(KNOCK_MM_S * part)) });
    this.#say(say("did.knocked", { piece: piled([piece.piece]) }));
  }

  #lies(piece, target) {
    const { arrangement, table } = this.#view;
    const { x, y } = onTable(arrangement, piece, table.pitch);
    return Math.hypot(x - target.x, y - target.y) < 0.02;
  }

  // The uppermost piece on a point, or the one of this number beside the points.
  #at(name) {
    const { pieces } = this.#view.table;
    return pieces.findLast(({ at, id }) => (at ?? id) === name);
  }

  // The same words twice are said twice, too.
  #say(text) {
    this.#spoken.textContent = this.#spoken.textContent === text ? `${text}\u00a0` : text;
  }
}
