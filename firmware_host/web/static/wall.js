// The wall of a club: all boards that play at this moment, and how the evening stands. It asks for nothing but the
// picture, and goes on asking whatever happens, since nobody sits in front of it.

import { element, present, within } from "./required.js";
import { Tile } from "./tile.js";
import { language, say } from "./words.js";

/** @import { Look, WallBoard } from "./tile.js" */

/**
 * @typedef {object} Picture
 * @property {string} title
 * @property {boolean} undated
 * @property {boolean} unread
 * @property {Record<string, Look>} looks
 * @property {WallBoard[]} boards
 * @property {{ name: string, played: number, won: number, points: number }[]} standings
 * @property {[string, string][]} to_play
 */

const EVERY_MS = 1000;
const GAP = 0.9; // of the height of a line, around each tile
const LINE = 1.3;
const BESIDE = 12; // lines high: the width of the text beside a board
const LAST = 0.8; // of that height: a line of the last turn or the result, which has two
const HEADINGS = 5; // the rows that the headings beside the tiles take
const SMALL = 190; // pixels; narrower tiles have no line for the last turn

const list = element("tiles");
const status = element("wall-status");
/** @type {Map<string, Tile>} */
const tiles = new Map();
let seen = "";
let undated = false;
let unread = false;

async function look() {
  try {
    const answer = await fetch("wall.json", { cache: "no-cache" });
    if (!answer.ok) {
      throw new Error(`${answer.status}`);
    }
    const tag = answer.headers.get("etag") ?? "";
    if (tag !== seen) {
      show(await answer.json());
      seen = tag;
    }
    const lines = [!tiles.size && say("wall.waiting"), undated && say("wall.undated"), unread && say("wall.unread")];
    status.textContent = lines.filter(Boolean).join(" ");
  } catch (error) {
    console.warn(error);
    status.textContent = say("wall.lost");
  }
  setTimeout(look, EVERY_MS);
}

/** @param {Picture} picture */
function show({ title, undated: isUndated, unread: isUnread, looks, boards, standings, to_play: pairs }) {
  [undated, unread] = [isUndated, isUnread];
  element("wall-title").textContent = title || "Millwright";
  document.title = title || "Millwright";
  const here = new Set(boards.map(({ room }) => room));
  for (const [room, tile] of tiles) {
    if (!here.has(room)) {
      tile.element.remove();
      tiles.delete(room);
    }
  }
  for (const [index, board] of boards.entries()) {
    const tile = tiles.get(board.room) ?? new Tile();
    tiles.set(board.room, tile);
    tile.show(board, present(looks[board.rules]));
    if (list.children[index] !== tile.element) {
      list.insertBefore(tile.element, list.children[index] ?? null);
    }
  }
  tell(standings, pairs);
  arrangeTiles();
}

/**
 * @param {Picture["standings"]} standings
 * @param {Picture["to_play"]} pairs
 */
function tell(standings, pairs) {
  element("evening").hidden = !standings.length;
  const points = new Intl.NumberFormat(language, { minimumFractionDigits: 1 });
  const rows = standings.map(({ name, played, points: own }) => row([name, String(played), points.format(own)]));
  within(element("places"), "tbody").replaceChildren(...rows);
  element("to-play").hidden = !pairs.length;
  const items = pairs.map(([white, black]) => {
    const item = document.createElement("li");
    item.textContent = `${white} – ${black}`;
    return item;
  });
  within(element("to-play"), "ul").replaceChildren(...items);
  element("evening").style.setProperty("--rows", String(rows.length + items.length + HEADINGS));
}

/** @param {string[]} texts */
function row(texts) {
  const own = document.createElement("tr");
  own.append(
    ...texts.map((text) => {
      const cell = document.createElement("td");
      cell.textContent = text;
      return cell;
    }),
  );
  return own;
}

/** Make the tiles as large as they fit into the window, with the text below the boards or beside them. */
function arrangeTiles() {
  const { clientWidth: width, clientHeight: height } = list;
  const count = tiles.size;
  let best = { side: 0, columns: 1, beside: false };
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    for (const beside of [false, true]) {
      const side = sideIn(width / columns, height / rows, beside);
      best = side > best.side ? { side, columns, beside } : best;
    }
  }
  list.style.setProperty("--across", String(best.columns));
  list.style.setProperty("--side", `${Math.floor(best.side)}px`);
  list.style.setProperty("--text", `${text(best.side)}px`);
  list.classList.toggle("small", best.side < SMALL);
  list.classList.toggle("beside", best.beside);
}

/**
 * Return the side of the board in a tile of this size.
 * @param {number} width
 * @param {number} height
 * @param {boolean} beside
 */
function sideIn(width, height, beside) {
  let side = width;
  for (let tried = 0; tried < 3; tried++) {
    const below = side < SMALL ? 2 : 2 + 2 * LAST;
    const [right, lines] = beside ? [GAP + BESIDE, 0] : [0, below];
    side = Math.min(width - (2 * GAP + right) * text(side), height - (lines * LINE + 2 * GAP) * text(side));
  }
  return Math.max(side, 0);
}

/** @param {number} side */
function text(side) {
  return Math.min(Math.max(side * 0.055, 11), 32);
}

function fill() {
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-say]"))) {
    part.textContent = say(part.dataset.say ?? "");
  }
  list.setAttribute("aria-label", say("wall.boards"));
  document.documentElement.lang = language;
}

addEventListener("resize", arrangeTiles);
document.addEventListener("words", fill);
fill();
look();
