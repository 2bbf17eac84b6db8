// The pieces: on points, off them, in the boxes and in the hands. Each is one element for as long as it
// exists, so that it glides where others than this page's pointer move it.

import { inBox, inHands, onTable, PIECE } from "./geometry.js";
import { place, svg } from "./svg.js";

const BODY = {
  white: ["#fffaf0", "#efdfbf", "#c9ad7e", "#a58657"],
  black: ["#5a4a40", "#2c221d", "#17110e", "#070504"],
};

export class Pieces {
  #root;
  #elements = new Map();

  constructor(root) {
    this.#root = svg("g", { class: "pieces" });
    root.append(svg("defs", {}, ...definitions()), this.#root);
  }

  /** Show what lies on the table; `carried` maps the pieces that hands hold to how and where they do. */
  show(table, arrangement, carried) {
    const lying = table ? [...where(table, arrangement, carried)] : [];
    const seen = new Set();
    for (const piece of [...lying.filter(({ id }) => !carried.has(id)), ...carried.values()]) {
      seen.add(piece.id);
      this.#draw(piece, carried.has(piece.id) ? (piece.inAir ? "carried" : "pushed") : piece.from);
    }
    for (const [id, element] of this.#elements) {
      if (!seen.has(id)) {
        element.remove();
        this.#elements.delete(id);
      }
    }
  }

  #draw({ id, number, kind, spot, turned }, from) {
    let element = this.#elements.get(id);
    if (element && element.dataset.piece !== kind) {
      element.remove(); // the board was set up anew, and counts its pieces from one again
      element = undefined;
    }
    if (!element) {
      element = svg("g", { class: "piece", "data-piece": kind }, ...looks(kind));
      Object.assign(element.dataset, number ? { id, number } : { id });
      this.#elements.set(id, element);
      this.#root.append(element);
    }
    if (from === "carried" && element.dataset.from !== "carried") {
      this.#root.append(element); // above all others
    }
    element.dataset.from = from;
    element.classList.toggle("over", Boolean(turned));
    place(element, spot);
  }
}

function* where(table, arrangement, carried) {
  for (const piece of table.pieces) {
    yield { ...known(piece), spot: onTable(arrangement, piece, table.pitch), from: piece.at ?? "table" };
  }
  const inHand = { white: 0, black: 0 };
  for (const piece of table.held) {
    const player = owner(piece.piece);
    yield { ...known(piece), spot: inHands(arrangement, player, inHand[player]++), from: "hands" };
  }
  for (const [kind, all] of Object.entries(table.box)) {
    const out = [...carried.values()].filter((piece) => piece.from === "box" && piece.kind === kind).length;
    const count = Math.max(0, all - out);
    for (let i = 0; i < count; i++) {
      yield { id: `box-${kind}-${i}`, kind, spot: inBox(arrangement, owner(kind), i, all), from: "box" };
    }
  }
}

const known = ({ id, piece, turned }) => ({ id: `piece-${id}`, number: id, kind: piece, turned });
/** Whose piece it is, by its kind. */
export const owner = (kind) => kind.split("-")[0];

function definitions() {
  const bodies = Object.entries(BODY).map(([player, colours]) =>
    svg(
      "radialGradient",
      { id: `body-${player}`, cx: 0.36, cy: 0.3, r: 0.82 },
      ...colours.map((colour, i) => svg("stop", { offset: [0, 0.45, 0.85, 1][i], "stop-color": colour })),
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

const HOLE = 0.62; // of a ring, and a little more than a ball, so that it lies in its ring

// What each kind is made like; a piece of a game with one kind is a turned disc.
const SHAPES = {
  ring: (player) => [
    svg("path", {
      d: `${disc(PIECE)} ${disc(PIECE * HOLE)}`,
      "fill-rule": "evenodd",
      fill: `url(#body-${player})`,
      class: `turned ${player}`,
    }),
    svg("circle", { r: PIECE * 0.81, class: `ring ${player}` }),
  ],
  ball: (player) => [
    svg("circle", { r: PIECE * 0.56, fill: `url(#body-${player})`, class: `turned ${player}` }),
  ],
};

const disc = (r) => `M ${-r} 0 A ${r} ${r} 0 1 0 ${r} 0 A ${r} ${r} 0 1 0 ${-r} 0 Z`;

function looks(kind) {
  const player = owner(kind);
  const shape = SHAPES[kind.split("-")[1]] ?? turned;
  return [
    svg("circle", { class: "shadow", r: PIECE * (shape === SHAPES.ball ? 0.8 : 1.3), fill: "url(#shadow)" }),
    svg(
      "g",
      { class: "body" },
      ...shape(player),
      svg("circle", { r: PIECE * 0.3, class: "underside magnet" }),
    ),
  ];
}

function turned(player) {
  return [
    svg("circle", { r: PIECE, fill: `url(#body-${player})`, class: `turned ${player}` }),
    svg("circle", { r: PIECE * 0.72, class: `ring ${player}` }),
    svg("circle", { r: PIECE * 0.4, class: `ring ${player}` }),
  ];
}
