// Where everything lies, in units of the smallest distance between points: the board, the two boxes
// beside it (or above and below it, where the window is tall) and the pieces in them. Draws nothing.

const FIELD = 0.86; // wood around the outermost points
const FRAME = 0.3;
const GAP = 0.26;
const BOX = 1.16;
const AROUND = 0.2;

export const PIECE = 0.37; // radius
const REACH = 0.5; // how near to a point a piece must be let go

/** `boxed` is whether there are boxes with pieces beside the board. */
export function arrange(layout, tall, boxed = true) {
  const xs = Object.values(layout.points).map(([x]) => x);
  const ys = Object.values(layout.points).map(([, y]) => y);
  const [right, top] = [Math.max(...xs), Math.max(...ys)];
  const points = new Map(
    Object.entries(layout.points).map(([name, [x, y]]) => [name, { x, y: top - y }]),
  );
  const field = { x: -FIELD, y: -FIELD, width: right + 2 * FIELD, height: top + 2 * FIELD };
  const board = grown(field, FRAME);
  const [white, black] = tall ? [below, above] : [before, behind];
  const boxes = boxed ? { white: white(board), black: black(board) } : {};
  const all = grown(union([board, ...Object.values(boxes)]), AROUND);
  return { points, top, field, board, boxes, all, tall };
}

/** The point that a piece let go at `spot` lands on, or undefined. */
export function nearest(arrangement, spot) {
  let best;
  let least = REACH;
  for (const [name, point] of arrangement.points) {
    const distance = Math.hypot(point.x - spot.x, point.y - spot.y);
    if (distance <= least) {
      [best, least] = [name, distance];
    }
  }
  return best;
}

/** Where the piece `index` of `count` lies in its player's box, filled from the player's side. */
export function inBox({ boxes, tall }, player, index, count) {
  const box = boxes[player];
  const length = (tall ? box.width : box.height) - 2 * (PIECE + 0.2);
  const along = Math.min(2 * PIECE + 0.08, count > 1 ? length / (count - 1) : length) * index + PIECE + 0.2;
  const across = BOX / 2;
  if (tall) {
    return { x: box.x + along, y: box.y + across };
  }
  return { x: box.x + across, y: box.y + box.height - along };
}

/** Where a piece hovers that is in the hands while no pointer holds it. */
export function inHands({ board, tall }, player, index) {
  const edge = player === "white" ? 0.02 : 0.98;
  const step = 0.9 * (index + 0.5);
  if (tall) {
    return { x: board.x + board.width - step, y: board.y + board.height * (1 - edge) };
  }
  return { x: board.x + board.width * edge, y: board.y + step };
}

/** Where something on the table lies: at a point, or at millimetres from the point in the lower left corner. */
export function onTable({ points, top }, piece, pitch) {
  return points.get(piece.at) ?? { x: piece.x / pitch, y: top - piece.y / pitch };
}

function grown({ x, y, width, height }, by) {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}

function union(boxes) {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

const before = (board) => ({ x: board.x - GAP - BOX, y: board.y, width: BOX, height: board.height });
const behind = (board) => ({ x: board.x + board.width + GAP, y: board.y, width: BOX, height: board.height });
const above = (board) => ({ x: board.x, y: board.y - GAP - BOX, width: board.width, height: BOX });
const below = (board) => ({ x: board.x, y: board.y + board.height + GAP, width: board.width, height: BOX });
