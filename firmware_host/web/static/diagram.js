// A position as books print it: lines on paper and flat pieces, so that it is never mistaken for the board.

import { outline, sinks } from "./forms.js";
import { arrange, boxed, PIECE } from "./geometry.js";
import { present } from "./required.js";
import { place, svg } from "./svg.js";

/** @import { Rect, Spot } from "./geometry.js" */

const LIFT = 0.07; // distance of each piece of a stack from the one below
const HIGHEST = 6;
const FILES = "abcdefghijklmnop";

/**
 * Draw into `root` the `standing` pieces (names of points to kinds), those `beneath` them, the lowest first,
 * and those still to be placed, and mark the points in `landed`. The diagram has the orientation of a board
 * in a window that is `tall` or not.
 * @param {SVGSVGElement} root
 * @param {{ layout: Protocol.Layout, kinds: Protocol.Kinds }} game
 * @param {Pick<Protocol.PositionResult, "standing" | "beneath" | "landed" | "in_hand">} position
 * @param {boolean} tall
 */
export function drawDiagram(root, { layout, kinds }, { standing, beneath, landed, in_hand: inHand }, tall) {
  const arrangement = arrange(layout, kinds, tall);
  const { points, field, boxes, all } = arrangement;
  root.setAttribute("viewBox", [all.x, all.y, all.width, all.height].join(" "));
  root.replaceChildren(
    svg("rect", { class: "paper", ...field, rx: 0.12 }),
    ...Object.values(boxes).map((box) => svg("rect", { class: "paper", ...box, rx: 0.3 })),
    ...layout.lines.map((line) => svg("polyline", { class: "ink", points: line.map((name) => xy(present(points.get(name)))).join(" ") })),
    ...[...points.values()].map(({ x, y }) => svg("circle", { class: "dot", cx: x, cy: y, r: 0.09 })),
    ...margins(points, field),
    ...Object.entries(standing).map(([name, kind]) =>
      stack(present(points.get(name)), [...(beneath[name] ?? []), kind], kinds, landed.includes(name)),
    ),
    svg("g", { class: "waiting" }, ...[...boxed(arrangement, inHand)].map(({ kind, spot }) => stack(spot, [kind], kinds))),
  );
}

/** @param {Spot} spot */
const xy = ({ x, y }) => `${x},${y}`;

/**
 * Seen from above and a little from the side; a stack of more than two pieces shows their number.
 * @param {Spot} spot
 * @param {string[]} pile
 * @param {Protocol.Kinds} kinds
 */
function stack(spot, pile, kinds, landed = false) {
  const drawn = svg("g", {});
  let level = 0;
  for (const [beneath, kind] of pile.entries()) {
    const like = present(kinds[kind]);
    level += beneath && !sinks(like.form) ? 1 : 0;
    drawn.append(piece(kind, like, Math.min(level, HIGHEST)));
  }
  if (landed) {
    drawn.append(svg("circle", { class: "landed", r: PIECE + 0.09 }));
  }
  if (pile.length > 2) {
    drawn.append(svg("text", { class: "height", x: PIECE, y: PIECE + 0.06 }, String(pile.length)));
  }
  place(drawn, spot);
  return drawn;
}

/**
 * @param {string} kind
 * @param {Protocol.Kinds[string]} like
 * @param {number} level
 */
function piece(kind, { player, form }, level) {
  const drawn = svg("g", { class: `flat ${player}`, "data-piece": kind }, outline(form));
  place(drawn, { x: 0, y: -LIFT * level });
  return drawn;
}

/**
 * @param {Map<string, Spot>} points
 * @param {Rect} field
 */
function margins(points, field) {
  /** @type {Map<string, Spot>} */
  const named = new Map();
  for (const [name, { x, y }] of points) {
    named.set(name.slice(0, 1), { x, y: field.y + field.height - 0.14 });
    named.set(name.slice(1), { x: field.x + 0.22, y: y + 0.09 });
  }
  return [...named]
    .filter(([name]) => FILES.includes(name) || /^\d+$/.test(name))
    .map(([name, { x, y }]) => svg("text", { class: "margin", x, y }, name));
}
