// A past position on wood of its own, in the place of the board, which it hides: the same pieces, no light.

import { arrange, PIECE } from "./geometry.js";
import { Pieces } from "./pieces.js";
import { present } from "./required.js";
import { rename, svg } from "./svg.js";
import { quarters } from "./turning.js";
import { drawWood } from "./wood.js";

/** @import { Lying } from "./pieces.js" */

/**
 * A game to look back on: the current one, where `written` identifies its list of turns, a stored one with its
 * `number`, or one that was shared, with its `record`. All but the current one have their own `players`.
 * @typedef {object} Game
 * @property {Protocol.Layout} layout
 * @property {Protocol.Kinds} kinds
 * @property {string[]} turns
 * @property {string} [rules]
 * @property {number} [number]
 * @property {string} [record]
 * @property {string} [written]
 * @property {Protocol.Players} [players]
 * @property {Protocol.Outcome | null} [outcome]
 */

/**
 * Draw into `root` the pieces of a position, those still to be placed and those captured, and mark the points
 * in `landed`. The board lies as it does on this device, in a window that is `tall` or not.
 * @param {SVGSVGElement} root
 * @param {{ layout: Protocol.Layout, kinds: Protocol.Kinds }} game
 * @param {Protocol.PositionResult} position
 * @param {boolean} tall
 */
export function drawDiagram(root, { layout, kinds }, { standing, beneath, landed, in_hand: waiting, captured }, tall) {
  const arrangement = arrange(layout, kinds, tall, { quarters: quarters() });
  const { all, points } = arrangement;
  root.setAttribute("viewBox", [all.x, all.y, all.width, all.height].join(" "));
  drawWood(root, layout, arrangement);
  /** @type {Lying[]} */
  const pieces = Object.entries(standing).flatMap(([at, top]) =>
    [...(beneath[at] ?? []), top].map((piece, level) => ({ id: `${at}-${level}`, piece, at })),
  );
  const box = Object.fromEntries(Object.entries(waiting).map(([kind, count]) => [kind, count + (captured[kind] ?? 0)]));
  new Pieces(root).show({ pitch: 1, pieces, held: [], box, captured }, arrangement, new Map());
  for (const name of landed) {
    const { x, y } = present(points.get(name));
    root.append(svg("circle", { class: "landed", cx: x, cy: y, r: PIECE + 0.1 }));
  }
  rename(root, "then"); // those of the board are hidden with it
}
