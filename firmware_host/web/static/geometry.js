// The places of everything, in units of the smallest distance between points: the board, the two boxes beside
// it (or above and below it, in a tall window), their plaques, and the pieces in them. The board may be turned by
// quarters; only the functions of this module know by how many. Draws nothing.

import { present } from "./required.js";

/** @typedef {{ x: number, y: number }} Spot */
/** @typedef {Spot & { width: number, height: number }} Rect */

/**
 * The places of the parts of a board.
 * @typedef {object} Arrangement
 * @property {Map<string, Spot>} points
 * @property {Protocol.Kinds} kinds
 * @property {number} right of the board before it is turned, with its lower left point at 0
 * @property {number} top
 * @property {number} quarters by which it is turned to the right
 * @property {Rect} field
 * @property {Rect} board
 * @property {Partial<Record<Protocol.Player, Rect>>} boxes
 * @property {number} named the length of a box that its plaque takes
 * @property {Partial<Record<Protocol.Player, Rect>>} plaques
 * @property {Rect} all
 * @property {boolean} tall
 */

/** @typedef {NonNullable<Protocol.Snapshot["table"]>} Table */
/** @typedef {{ at: string, x?: undefined, y?: undefined } | { at?: string | undefined, x: number, y: number }} Place */

/**
 * The target of a hand: a point, which has a name, a spot beside the points, or the box.
 * @typedef {(Spot & { name?: string }) | typeof BOX} Aim
 */
/** @typedef {{ number?: number | undefined }} Numbered */

// Shared with the simulation, in which a unit is 40 mm: the wood around the outermost points, and a piece's
// radius.
const FIELD = 0.86;
export const PIECE = 0.35;

const FRAME = 0.14; // narrow, so that points are 44 pixels apart on a window 368 wide
const GAP = { tall: 0.1, wide: 0.2 };
const TRAY = { tall: 1.12, wide: 1.42 };
const PLAQUE = { tall: 2.65, wide: 1.5 }; // the part of a box that names its player
const INSIDE = 0.1; // the wood around a plaque
const OVERLAP = 0.36; // the distance between captured pieces, which lie on each other

/** The distance from a point within which a pointer means it: of a finger, no spot between neighbours means neither. */
const REACH = { mouse: 0.35, finger: 0.66 };
const OVER_RIM = 0.12; // the distance over the rim at which a pushed piece is lifted
const A_HAIR = 0.01;

/** The target of a piece that goes back into its box. */
export const BOX = Symbol("the box");

/**
 * `kinds` are the properties of each kind of piece; `boxed` is whether there are boxes of pieces beside the
 * board, `plaqued` whether a plaque on each names its player, and `quarters` how far the board is turned to the
 * right. White's box is at the lower or left edge, unless the board is turned half round or further.
 * @param {Protocol.Layout} layout
 * @param {Protocol.Kinds} kinds
 * @param {boolean} tall
 * @returns {Arrangement}
 */
export function arrange(layout, kinds, tall, { boxed = true, plaqued = true, quarters = 0 } = {}) {
  const xs = Object.values(layout.points).map(([x]) => x);
  const ys = Object.values(layout.points).map(([, y]) => y);
  const [right, top] = [Math.max(...xs), Math.max(...ys)];
  /** @type {Map<string, Spot>} */
  const points = new Map();
  for (const [name, [x, y]] of Object.entries(layout.points)) {
    points.set(name, turned({ right, top, quarters }, { x, y }));
  }
  const [width, height] = quarters % 2 ? [top, right] : [right, top];
  const field = { x: -FIELD, y: -FIELD, width: width + 2 * FIELD, height: height + 2 * FIELD };
  const board = grown(field, FRAME);
  const shape = tall ? "tall" : "wide";
  const { near, far } = BESIDE[shape];
  const [white, black] = quarters < 2 ? [near, far] : [far, near];
  /** @type {Arrangement["boxes"]} */
  const boxes = boxed ? { white: white(board), black: black(board) } : {};
  const named = Number(plaqued) * PLAQUE[shape];
  const plaques = Object.fromEntries(Object.entries(named ? boxes : {}).map(([player, box]) => [player, plaque(box, tall, named)]));
  const all = union([board, ...Object.values(boxes)]);
  return { points, kinds, right, top, quarters, field, board, boxes, named, plaques, all, tall };
}

/** @typedef {Pick<Arrangement, "right" | "top" | "quarters">} Turned */

/**
 * Return the spot on the screen of a place that is `x` to the right of the board's lower left point and `y` above.
 * @param {Turned} board
 * @param {Spot} place
 * @returns {Spot}
 */
function turned({ right, top, quarters }, { x, y }) {
  switch (quarters) {
    case 1:
      return { x: y, y: x };
    case 2:
      return { x: right - x, y };
    case 3:
      return { x: top - y, y: right - x };
    default:
      return { x, y: top - y };
  }
}

/**
 * Return the place whose spot on the screen this is.
 * @param {Turned} board
 * @param {Spot} spot
 * @returns {Spot}
 */
function unturned(board, spot) {
  const { right, top, quarters } = board;
  // Each way of turning undoes itself, but the last one only with the sides exchanged.
  return turned(quarters === 3 ? { right: top, top: right, quarters } : board, spot);
}

/**
 * Return the way on the board, to its right and upwards, of a way on the screen to the right and downwards.
 * @param {Arrangement} arrangement
 * @param {Spot} way
 * @returns {Spot}
 */
export function wayOnBoard(arrangement, way) {
  const [from, to] = [unturned(arrangement, { x: 0, y: 0 }), unturned(arrangement, way)];
  return { x: to.x - from.x, y: to.y - from.y };
}

/**
 * @param {Rect} box
 * @param {boolean} tall
 * @param {number} named
 * @returns {Rect}
 */
function plaque({ x, y, width, height }, tall, named) {
  const long = named - INSIDE;
  const [across, along] = tall ? [long, height - 2 * INSIDE] : [width - 2 * INSIDE, long];
  return { x: x + INSIDE, y: y + INSIDE, width: across, height: along };
}

/**
 * Return the distance from a point within which a tap means it, or the end of a drag.
 * @param {string} pointerType
 */
export const reach = (pointerType) => (pointerType === "mouse" ? REACH.mouse : REACH.finger);

/**
 * Return the player whose box is at `spot`, if there is one.
 * @param {Arrangement} arrangement
 * @param {Spot} spot
 */
export function trayAt({ boxes }, spot) {
  const [player] = Object.entries(boxes).find(([, box]) => contains(box, spot)) ?? [];
  return player;
}

/**
 * Return the target of the piece of `grip` that a pointer at `spot` lets go: a point, the BOX, or undefined if there is
 * no room, or no point. It is a spot beside the points if pieces are to lie exactly where they are let go, as they do
 * with Alt.
 * @param {Arrangement} arrangement
 * @param {Table} table
 * @param {Numbered} grip
 * @param {Spot} spot
 * @param {{ pointerType?: string, altKey?: boolean, exact?: boolean | undefined }} how
 * @returns {Aim | undefined}
 */
export function landing(arrangement, table, grip, spot, { pointerType = "mouse", altKey = false, exact = altKey }) {
  const { field } = arrangement;
  if (!contains(field, spot)) {
    return BOX;
  }
  const point = altKey ? undefined : nearest(arrangement, spot, reach(pointerType));
  const target = point ?? (exact || altKey ? within(grown(field, -PIECE), spot) : undefined);
  return target && hasRoom(arrangement, table, grip, target) ? target : undefined;
}

/**
 * Return the target of the piece of `grip` if it goes back; undefined if that is into the hands.
 * @param {Arrangement} arrangement
 * @param {Table} table
 * @param {Numbered & { from: string, home: Spot }} grip
 * @returns {Aim | undefined}
 */
export function back(arrangement, table, { from, home, number }) {
  if (from === "hands") {
    return undefined;
  }
  const spot = from === "box" ? undefined : (nearest(arrangement, home, A_HAIR) ?? home);
  return spot && hasRoom(arrangement, table, { number }, spot) ? spot : BOX;
}

/**
 * Return whether `spot` is on the wood around the points.
 * @param {Arrangement} arrangement
 * @param {Spot} spot
 */
export const isOnWood = ({ field }, spot) => contains(field, spot);

/**
 * Return whether a piece can be pushed to `spot` without crossing the rim.
 * @param {Arrangement} arrangement
 * @param {Spot} spot
 */
export function inField({ field }, spot) {
  return contains(grown(field, OVER_RIM - PIECE), spot);
}

/**
 * Return whether the piece of `grip` would touch another on its way from `a` to `b`. The simulation stops a
 * piece just before that, so it has to be lifted a little earlier.
 * @param {Arrangement} arrangement
 * @param {Table} table
 * @param {Numbered} grip
 * @param {Spot} a
 * @param {Spot} b
 */
export function blocked(arrangement, table, grip, a, b) {
  return others(arrangement, table, grip).some((spot) => {
    const near = distance(spot, nearestOnWay(a, b, spot));
    return near < 2 * PIECE + A_HAIR / 10 && near < distance(spot, a) - A_HAIR / 100;
  });
}

/**
 * Return `spot` in millimetres to the right of and above the point in the lower left corner.
 * @param {Arrangement} arrangement
 * @param {Spot} spot
 * @param {number} pitch
 * @returns {[number, number]}
 */
export function measured(arrangement, spot, pitch) {
  const { x, y } = unturned(arrangement, spot);
  return [hundredths(x * pitch), hundredths(y * pitch)];
}

/** @param {number} mm */
const hundredths = (mm) => Math.round(100 * mm) / 100;

/**
 * Return the point nearest to `spot`, with its name, if it is within `reach`.
 * @param {Arrangement} arrangement
 * @param {Spot} spot
 * @param {number} reach
 */
export function nearest({ points }, spot, reach) {
  const near = [...points].map(([name, point]) => ({ name, ...point })).filter((point) => distance(point, spot) <= reach);
  return near.sort((one, other) => distance(one, spot) - distance(other, spot))[0];
}

/**
 * @param {Arrangement} arrangement
 * @param {Table} table
 * @param {Numbered} grip
 * @param {Spot} spot
 */
function hasRoom(arrangement, table, { number }, spot) {
  const near = table.pieces
    .filter(({ id }) => id !== number)
    .map((piece) => ({
      flat: present(arrangement.kinds[piece.piece]).flat,
      away: distance(onTable(arrangement, piece, table.pitch), spot),
    }))
    .filter(({ away }) => away < 2 * PIECE - A_HAIR);
  return near.every(({ flat, away }) => away <= A_HAIR && flat);
}

/**
 * Return whether pieces of this game can stand on each other.
 * @param {Arrangement} arrangement
 */
export const stacks = ({ kinds }) => Object.values(kinds).some(({ flat }) => flat);

/**
 * @param {Arrangement} arrangement
 * @param {Table} table
 * @param {Numbered} grip
 */
function others(arrangement, table, { number }) {
  return table.pieces.filter(({ id }) => id !== number).map((piece) => onTable(arrangement, piece, table.pitch));
}

/**
 * @param {Spot} a
 * @param {Spot} b
 * @param {Spot} spot
 */
function nearestOnWay(a, b, spot) {
  const way = { x: b.x - a.x, y: b.y - a.y };
  const length = way.x ** 2 + way.y ** 2;
  const part = length ? ((spot.x - a.x) * way.x + (spot.y - a.y) * way.y) / length : 0;
  const least = Math.min(1, Math.max(0, part));
  return { x: a.x + least * way.x, y: a.y + least * way.y };
}

/**
 * @param {Spot} a
 * @param {Spot} b
 */
const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);

/**
 * @param {Rect} rect
 * @param {Spot} spot
 */
function contains({ x, y, width, height }, spot) {
  return spot.x >= x && spot.x <= x + width && spot.y >= y && spot.y <= y + height;
}

/**
 * @param {Rect} rect
 * @param {Spot} spot
 */
function within({ x, y, width, height }, spot) {
  return { x: Math.min(Math.max(spot.x, x), x + width), y: Math.min(Math.max(spot.y, y), y + height) };
}

/**
 * Return the pieces in boxes with these numbers of each kind: each with its number within its kind, its spot,
 * and an id. Of a player's pieces, as many as are in `captured` lie with the opponent, each on the one before it.
 * @param {Arrangement} arrangement
 * @param {Protocol.OfEachKind} counts
 * @param {Protocol.OfEachKind} [captured]
 */
export function* boxed(arrangement, counts, captured = {}) {
  const { kinds } = arrangement;
  const players = [...new Set(Object.values(kinds).map(({ player }) => player))];
  const won = (/** @type {Protocol.Player} */ player) => kindsOf(kinds, player).reduce((sum, kind) => sum + (captured[kind] ?? 0), 0);
  for (const player of players) {
    const other = player === "white" ? "black" : "white";
    const own = kindsOf(kinds, player);
    const all = own.flatMap((kind) => Array.from({ length: counts[kind] ?? 0 }, (_, number) => ({ kind, number })));
    const isTaken = (/** @type {typeof all[number]} */ { kind, number }) => number < (captured[kind] ?? 0);
    const [taken, left] = [all.filter(isTaken), all.filter((piece) => !isTaken(piece))];
    let on;
    for (const [index, piece] of taken.entries()) {
      const id = `won-${piece.kind}-${piece.number}`;
      yield { ...piece, id, spot: captive(arrangement, other, index), on, captured: true };
      on = id;
    }
    const room = won(other) ? 2 * PIECE + OVERLAP * (won(other) - 1) : 0;
    for (const [index, piece] of left.entries()) {
      const id = `box-${piece.kind}-${piece.number - (captured[piece.kind] ?? 0)}`;
      yield { ...piece, id, spot: inBox(arrangement, player, index, left.length, room), on: undefined, captured: false };
    }
  }
}

/**
 * Return the kinds of pieces that a player has.
 * @param {Protocol.Kinds} kinds
 * @param {string | undefined} player
 */
export function kindsOf(kinds, player) {
  return Object.keys(kinds).filter((kind) => kinds[kind]?.player === player);
}

/**
 * Return the place `index` of `count` in a player's box, which has `taken` of its length for captured pieces.
 * @param {Arrangement} arrangement
 * @param {Protocol.Player} player
 * @param {number} index
 * @param {number} count
 * @param {number} taken
 */
function inBox({ boxes, named, tall }, player, index, count, taken) {
  const box = present(boxes[player]);
  const [whole, gap] = tall ? [box.width, 0.08] : [box.height, 0.02];
  const length = whole - named - 2 * (PIECE + 0.12) - taken;
  const along = Math.min(2 * PIECE + gap, count > 1 ? length / (count - 1) : length) * index + PIECE + 0.12;
  return tall
    ? { x: box.x + named + along, y: box.y + box.height / 2 }
    : { x: box.x + box.width / 2, y: box.y + box.height - along };
}

/**
 * Return the place of the captured piece `index` in the box of the player who took it, at the end where the
 * own pieces are not.
 * @param {Arrangement} arrangement
 * @param {Protocol.Player} player
 * @param {number} index
 */
function captive({ boxes, named, tall }, player, index) {
  const box = present(boxes[player]);
  const along = PIECE + 0.12 + OVERLAP * index;
  return tall
    ? { x: box.x + box.width - along, y: box.y + box.height / 2 }
    : { x: box.x + box.width / 2, y: box.y + named + along };
}

/**
 * Return the place of a piece that is in the hands while no pointer holds it.
 * @param {Arrangement} arrangement
 * @param {Protocol.Player} player
 * @param {number} index
 */
export function inHands({ board, tall, quarters }, player, index) {
  const edge = (player === "white") === quarters < 2 ? 0.02 : 0.98;
  const step = 0.9 * (index + 0.5);
  if (tall) {
    return { x: board.x + board.width - step, y: board.y + board.height * (1 - edge) };
  }
  return { x: board.x + board.width * edge, y: board.y + step };
}

/**
 * Return the place of something on the table: at millimetres from the point in the lower left corner, or at a
 * point.
 * @param {Arrangement} arrangement
 * @param {Place} piece
 * @param {number} pitch
 * @returns {Spot}
 */
export function onTable(arrangement, piece, pitch) {
  if (piece.x === undefined) {
    return present(arrangement.points.get(piece.at));
  }
  return turned(arrangement, { x: piece.x / pitch, y: piece.y / pitch });
}

/**
 * @param {Rect} rect
 * @param {number} by
 */
function grown({ x, y, width, height }, by) {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

/** @param {Rect[]} boxes */
function union(boxes) {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** @param {Rect} board */
const before = (board) => ({ x: board.x - GAP.wide - TRAY.wide, y: board.y, width: TRAY.wide, height: board.height });
/** @param {Rect} board */
const behind = (board) => ({ x: board.x + board.width + GAP.wide, y: board.y, width: TRAY.wide, height: board.height });
/** @param {Rect} board */
const above = (board) => ({ x: board.x, y: board.y - GAP.tall - TRAY.tall, width: board.width, height: TRAY.tall });
/** @param {Rect} board */
const below = (board) => ({ x: board.x, y: board.y + board.height + GAP.tall, width: board.width, height: TRAY.tall });

// The place of a box beside the board, and of that on the other side.
const BESIDE = { tall: { near: below, far: above }, wide: { near: before, far: behind } };
