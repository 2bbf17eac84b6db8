// The board as its joiner leaves it: wood, inlaid lines, points, names, and the two boxes. Drawn once for
// each layout; nothing here changes in play.

import { present } from "./required.js";
import { svg } from "./svg.js";

/** @import { Arrangement, Rect, Spot } from "./geometry.js" */

/** @typedef {[number, number, number]} Colour */

/**
 * @param {SVGSVGElement} root
 * @param {Protocol.Layout} layout
 * @param {Arrangement} arrangement
 */
export function drawWood(root, layout, arrangement) {
  const { field, board, boxes, points } = arrangement;
  root.replaceChildren(
    definitions(),
    ...[board, ...Object.values(boxes)].map((box) => shadow(box)),
    ...Object.entries(boxes).map(([player, box]) => drawBox(player, box)),
    drawFrame(board, field),
    svg("rect", { ...rounded(board, 0.22), class: "edge" }),
    plank(field, "field", 0.06),
    svg("rect", { ...rounded(field, 0.06), class: "rim" }),
    drawLines(layout, points),
    drawPoints(points),
    drawNames(arrangement),
  );
}

const CHANNELS = /** @type {const} */ (["R", "G", "B"]);
// The darkest and the lightest of each wood: red, green and blue.
/** @type {[Colour, Colour]} */
const WALNUT = [[0.15, 0.083, 0.046], [0.33, 0.195, 0.112]];
/** @type {[Colour, Colour]} */
const CHERRY = [[0.36, 0.205, 0.105], [0.6, 0.38, 0.21]];
/** @type {[Colour, Colour]} */
const BOG_OAK = [[0.11, 0.066, 0.04], [0.23, 0.142, 0.086]];

function definitions() {
  return svg(
    "defs",
    {},
    grain("rail-grain", [0.045, 0.9], 7, WALNUT),
    grain("stile-grain", [0.9, 0.045], 11, WALNUT),
    grain("field-grain", [0.05, 1.15], 23, CHERRY),
    grain("box-grain", [0.9, 0.06], 41, BOG_OAK),
    svg("filter", { id: "blur", x: -0.3, y: -0.3, width: 1.6, height: 1.6 }, svg("feGaussianBlur", { stdDeviation: 0.17 })),
    gradient("polish", ["#fff", 0.14, "#fff", 0.02, "#000", 0.24]),
    svg(
      "radialGradient",
      { id: "lens", cx: 0.4, cy: 0.32, r: 0.75 },
      svg("stop", { offset: 0, "stop-color": "#6e5a48" }),
      svg("stop", { offset: 0.5, "stop-color": "#35261b" }),
      svg("stop", { offset: 1, "stop-color": "#1b110b" }),
    ),
    gradient("groove", ["#000", 0.62, "#000", 0.3, "#000", 0.18]),
  );
}

/**
 * Fine fibres over broad years of growth: noise stretched along the plank, mapped from dark to light wood.
 * @param {string} id
 * @param {[number, number]} frequencies
 * @param {number} seed
 * @param {[Colour, Colour]} shades
 */
function grain(id, [along, across], seed, [dark, light]) {
  const broad = `${along * 0.55} ${across * 0.4}`;
  const fine = `${along * 3} ${across * 9}`;
  return svg(
    "filter",
    { id, x: 0, y: 0, width: 1, height: 1, "color-interpolation-filters": "sRGB" },
    svg("feTurbulence", { type: "fractalNoise", baseFrequency: broad, numOctaves: 3, seed, result: "years" }),
    svg("feTurbulence", { type: "fractalNoise", baseFrequency: fine, numOctaves: 2, seed: seed + 1, result: "fibres" }),
    svg("feComposite", { in: "years", in2: "fibres", operator: "arithmetic", k1: 0, k2: 0.72, k3: 0.28, k4: 0 }),
    svg("feColorMatrix", { type: "matrix", values: "1.5 0 0 0 -0.25  1.5 0 0 0 -0.25  1.5 0 0 0 -0.25  0 0 0 0 1" }),
    svg(
      "feComponentTransfer",
      {},
      ...CHANNELS.map((channel, i) =>
        svg(`feFunc${channel}`, { type: "table", tableValues: `${dark[i]} ${light[i]}` }),
      ),
    ),
    svg("feComposite", { in2: "SourceGraphic", operator: "in" }),
  );
}

/**
 * Things on the table throw their shadow on it.
 * @param {Rect} box
 */
function shadow({ x, y, width, height }) {
  return svg("rect", { x: x + 0.05, y: y + 0.2, width, height, rx: 0.3, opacity: 0.7, filter: "url(#blur)" });
}

/**
 * @param {string} id
 * @param {[string, number, string, number, string, number]} stops
 */
function gradient(id, [c0, o0, c1, o1, c2, o2]) {
  return svg(
    "linearGradient",
    { id, x1: 0, y1: 0, x2: 0.35, y2: 1 },
    svg("stop", { offset: 0, "stop-color": c0, "stop-opacity": o0 }),
    svg("stop", { offset: 0.5, "stop-color": c1, "stop-opacity": o1 }),
    svg("stop", { offset: 1, "stop-color": c2, "stop-opacity": o2 }),
  );
}

/**
 * @param {Rect} rect
 * @param {number} radius
 */
function rounded({ x, y, width, height }, radius) {
  return { x, y, width, height, rx: radius };
}

/**
 * @param {Rect} box
 * @param {string} kind
 * @param {number} radius
 */
function plank(box, kind, radius) {
  return svg(
    "g",
    {},
    svg("rect", { ...rounded(box, radius), filter: `url(#${kind}-grain)` }),
    svg("rect", { ...rounded(box, radius), fill: "url(#polish)" }),
  );
}

/**
 * Two stiles and two rails, mitred at the corners, the grain along each.
 * @param {Rect} outer
 * @param {Rect} inner
 */
function drawFrame(outer, inner) {
  const [x0, y0, x1, y1] = [outer.x, outer.y, outer.x + outer.width, outer.y + outer.height];
  const [u0, v0, u1, v1] = [inner.x, inner.y, inner.x + inner.width, inner.y + inner.height];
  /** @type {[string, string][]} */
  const sides = [
    ["rail", `${x0},${y0} ${x1},${y0} ${u1},${v0} ${u0},${v0}`],
    ["rail", `${x0},${y1} ${x1},${y1} ${u1},${v1} ${u0},${v1}`],
    ["stile", `${x0},${y0} ${u0},${v0} ${u0},${v1} ${x0},${y1}`],
    ["stile", `${x1},${y0} ${u1},${v0} ${u1},${v1} ${x1},${y1}`],
  ];
  return svg(
    "g",
    { "clip-path": "url(#frame-corners)" },
    svg("clipPath", { id: "frame-corners" }, svg("rect", rounded(outer, 0.22))),
    ...sides.map(([kind, corners]) => svg("polygon", { points: corners, filter: `url(#${kind}-grain)` })),
    ...sides.map(([, corners]) => svg("polygon", { points: corners, class: "mitre" })),
    svg("rect", { ...rounded(outer, 0.22), fill: "url(#polish)" }),
  );
}

/**
 * @param {string} player
 * @param {Rect} box
 */
function drawBox(player, box) {
  const inner = { x: box.x + 0.13, y: box.y + 0.13, width: box.width - 0.26, height: box.height - 0.26 };
  return svg(
    "g",
    { "data-box": player },
    plank(box, "box", 0.3),
    svg("rect", { ...rounded(box, 0.3), class: "edge" }),
    svg("rect", { ...rounded(inner, 0.42), fill: "url(#groove)", class: "groove" }),
  );
}

/**
 * @param {Protocol.Layout} layout
 * @param {Map<string, Spot>} points
 */
function drawLines(layout, points) {
  const way = layout.lines
    .map((line) => line.map((name) => present(points.get(name))))
    .map((line) => line.map(({ x, y }, i) => `${i ? "L" : "M"}${x} ${y}`).join(""))
    .join("");
  return svg(
    "g",
    { class: "lines" },
    svg("path", { d: way, class: "cut" }),
    svg("path", { d: way, class: "inlay" }),
  );
}

/** @param {Map<string, Spot>} points */
function drawPoints(points) {
  const seats = [...points.values()].map(({ x, y }) =>
    svg(
      "g",
      {},
      svg("circle", { cx: x, cy: y, r: 0.19, class: "seat" }),
      svg("circle", { cx: x, cy: y, r: 0.165, class: "inlay" }),
      svg("circle", { cx: x, cy: y, r: 0.13, fill: "url(#lens)" }),
    ),
  );
  return svg("g", {}, ...seats);
}

/**
 * The files along the lower edge and the ranks along the left one, burnt into the field; the other way round if
 * the board is turned by a quarter.
 * @param {Arrangement} arrangement
 */
function drawNames({ points, field, quarters }) {
  /** @type {Map<number, string>} */
  const lower = new Map();
  /** @type {Map<number, string>} */
  const left = new Map();
  for (const [name, { x, y }] of points) {
    const [file, rank] = [name.slice(0, 1), name.slice(1)];
    lower.set(x, quarters % 2 ? rank : file);
    left.set(y, quarters % 2 ? file : rank);
  }
  return svg(
    "g",
    { class: "names" },
    ...[...lower].map(([x, name]) => svg("text", { x, y: field.y + field.height - 0.2 }, name)),
    ...[...left].map(([y, name]) => svg("text", { x: field.x + 0.26, y: y + 0.09 }, name)),
  );
}
