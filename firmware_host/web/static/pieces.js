// The pieces: on points, off them, in the boxes and in the hands. Each is one element wherever it goes, so that it
// glides when something other than this page's pointer moves it. Only on the table a piece has a number: one that
// comes out of a box, or goes into one, is the same as the piece of its kind that is no longer where it was.

import { marks, outline, width } from "./forms.js";
import { boxed, inHands, onTable, PIECE } from "./geometry.js";
import { present } from "./required.js";
import { place, svg } from "./svg.js";

/** @import { Arrangement, Spot, Table } from "./geometry.js" */
/** @import { Carried } from "./hands.js" */

/**
 * A piece on a table; on a real board it has no number, and is known by its point.
 * @typedef {Protocol.PieceOnTable | { id: string, piece: string, at: string, x?: undefined, y?: undefined, turned?: undefined }} Lying
 */
/** @typedef {Omit<Table, "pieces"> & { pieces: Lying[], captured?: Protocol.OfEachKind }} ShownTable */

/**
 * A piece as it is drawn. In a stack it has a `level` from the lowest up, and lies `on` another.
 * @typedef {object} Drawn
 * @property {string} id
 * @property {number | string | undefined} [number]
 * @property {string} kind
 * @property {string} from
 * @property {Spot} spot
 * @property {boolean | undefined} [inAir]
 * @property {boolean | undefined} [turned]
 * @property {number} [level]
 * @property {number} [height]
 * @property {string | undefined} [on]
 * @property {boolean} [captured]
 */

const BODY = {
  white: ["#fffaf0", "#efdfbf", "#c9ad7e", "#a58657"],
  black: ["#5a4a40", "#2c221d", "#17110e", "#070504"],
};
const OFFSETS = [0, 0.45, 0.85, 1];

export class Pieces {
  #root = svg("g", { class: "pieces" });
  #aloft = svg("g", { class: "pieces" });
  /** The place of marks, above pieces that stand and below those in the air. */
  marks = svg("g", { class: "marks" });
  /** @type {Map<string, SVGElement>} */
  #elements = new Map();

  /** @param {SVGElement} root */
  constructor(root) {
    root.append(svg("defs", {}, ...definitions()), this.#root, this.marks, this.#aloft);
  }

  /**
   * Show the pieces on the table; `carried` maps the ids of held pieces to their places.
   * @param {ShownTable | null} table
   * @param {Arrangement} arrangement
   * @param {Map<string, Carried>} carried
   */
  show(table, arrangement, carried) {
    const lying = table ? [...where(table, arrangement, carried)] : [];
    /** @type {Drawn[]} */
    const held = [...carried.values()].filter(({ kind }) => arrangement.kinds[kind]); // none of a previous game
    const shown = [...lying.filter(({ id }) => !carried.has(id)), ...held];
    this.#follow(shown);
    for (const piece of shown) {
      const from = carried.has(piece.id) ? (piece.inAir ? "carried" : "pushed") : piece.from;
      this.#draw(piece, present(arrangement.kinds[piece.kind]), from);
    }
    shown.reverse().forEach((piece) => this.#stack(piece));
  }

  /**
   * Mark the pieces on these points, by which the game was won.
   * @param {Set<string>} points
   */
  crown(points) {
    for (const element of this.#elements.values()) {
      element.classList.toggle("won", points.has(element.dataset.from ?? ""));
    }
  }

  /**
   * Give the elements of pieces that are gone to new ones of the same kind, and remove the others.
   * @param {Drawn[]} shown
   */
  #follow(shown) {
    const ids = new Set(shown.map(({ id }) => id));
    const gone = [...this.#elements].filter(([id]) => !ids.has(id));
    gone.forEach(([id]) => this.#elements.delete(id));
    for (const { id, kind } of shown.filter(({ id }) => !this.#elements.has(id))) {
      const at = gone.findIndex(([, { dataset }]) => dataset.piece === kind);
      if (at >= 0) {
        const [, element] = present(gone.splice(at, 1)[0]);
        this.#elements.set(id, element);
      }
    }
    gone.forEach(([, element]) => element.remove());
  }

  /**
   * @param {Drawn} piece
   * @param {Protocol.Kinds[string]} like
   * @param {string} from
   */
  #draw({ id, number, kind, spot, turned, captured }, like, from) {
    let element = this.#elements.get(id);
    if (element && element.dataset.piece !== kind) {
      element.remove(); // the board was set up again, and counts its pieces from one
      element = undefined;
    }
    if (!element) {
      element = svg("g", { class: "piece", "data-piece": kind, "data-player": like.player }, ...looks(like));
      this.#elements.set(id, element);
      this.#root.append(element);
    }
    Object.assign(element.dataset, { id, number });
    if (!number) {
      delete element.dataset.number;
    }
    const group = from === "carried" ? this.#aloft : this.#root;
    if (element.parentNode !== group) {
      group.append(element); // those in the air above all others
    }
    element.dataset.from = from;
    element.classList.toggle("over", Boolean(turned));
    element.classList.toggle("captured", Boolean(captured));
    place(element, spot);
  }

  /**
   * A piece that lies on another is drawn above it and a little higher; a high stack shows its count. The lower piece
   * is moved in the document, as it rests, and one that is moved there no longer glides.
   * @param {Drawn} piece
   */
  #stack({ id, on, level = 0, height = 1 }) {
    const element = present(this.#elements.get(id));
    const below = on && this.#elements.get(on);
    if (below && below.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) {
      element.before(below);
    }
    element.style.setProperty("--level", String(Math.min(level, HIGHEST)));
    element.classList.toggle("covered", level < height - 1);
    present(element.querySelector(".count")).textContent = height > 2 && level === height - 1 ? String(height) : "";
  }
}

/**
 * @param {ShownTable} table
 * @param {Arrangement} arrangement
 * @param {Map<string, Carried>} carried
 * @returns {Generator<Drawn, void>}
 */
function* where(table, arrangement, carried) {
  /** @type {Map<string, Lying[]>} */
  const stacks = new Map();
  for (const piece of table.pieces.filter((piece) => !carried.has(known(piece).id))) {
    const at = piece.at ?? `${piece.x} ${piece.y}`;
    stacks.set(at, [...(stacks.get(at) ?? []), piece]);
  }
  for (const stack of stacks.values()) {
    for (const [level, piece] of stack.entries()) {
      const spot = onTable(arrangement, piece, table.pitch);
      const beneath = stack[level - 1];
      const on = beneath && known(beneath).id;
      yield { ...known(piece), spot, from: piece.at ?? "table", level, height: stack.length, on };
    }
  }
  const inHand = { white: 0, black: 0 };
  for (const piece of table.held) {
    const { player } = present(arrangement.kinds[piece.piece]);
    yield { ...known(piece), spot: inHands(arrangement, player, inHand[player]++), from: "hands" };
  }
  for (const { id, kind, number, spot, on, captured } of boxed(arrangement, table.box, table.captured)) {
    const out = [...carried.values()].filter((piece) => piece.from === "box" && piece.kind === kind).length;
    if (number < (table.box[kind] ?? 0) - out) {
      yield { id, kind, spot, from: "box", on, captured };
    }
  }
}

/** @param {{ id: number | string, piece: string, turned?: boolean | undefined }} piece */
const known = ({ id, piece, turned }) => ({ id: `piece-${id}`, number: id, kind: piece, turned });

function definitions() {
  const bodies = Object.entries(BODY).map(([player, colours]) =>
    svg(
      "radialGradient",
      { id: `body-${player}`, cx: 0.36, cy: 0.3, r: 0.82 },
      ...colours.map((colour, i) => svg("stop", { offset: OFFSETS[i] ?? 1, "stop-color": colour })),
    ),
  );
  const shadow = svg(
    "radialGradient",
    { id: "shadow" },
    svg("stop", { offset: 0.62, "stop-color": "#000", "stop-opacity": 0.62 }),
    svg("stop", { offset: 1, "stop-color": "#000", "stop-opacity": 0 }),
  );
  return [...bodies, shadow];
}

const HIGHEST = 6; // each of these pieces is drawn higher than the one beneath
/** @param {Protocol.Kinds[string]} like */
function looks({ form, player }) {
  return [
    svg("circle", { class: "shadow", r: PIECE * (width(form) + 0.3), fill: "url(#shadow)" }),
    svg(
      "g",
      { class: "body" },
      outline(form, { fill: `url(#body-${player})`, class: `turned ${player}` }),
      ...marks(form, player),
      svg("circle", { r: PIECE * 0.3, class: "underside magnet" }),
    ),
    svg("text", { class: "count", x: PIECE * 0.95, y: PIECE * 1.15 }),
    svg("circle", { class: "grasp", r: PIECE }),
  ];
}
