// One board of the wall: the wood, drawn once for each kind of board, its pieces, and who plays.

import { arrange, PIECE } from "./geometry.js";
import { ended } from "./outcomes.js";
import { Pieces } from "./pieces.js";
import { present } from "./required.js";
import { rename, svg } from "./svg.js";
import { say } from "./words.js";
import { drawWood } from "./wood.js";

/** @import { Arrangement } from "./geometry.js" */
/** @import { Lying } from "./pieces.js" */

/** @typedef {{ layout: Protocol.Layout, kinds: Protocol.Kinds }} Look */

/**
 * A board as the wall's program describes it.
 * @typedef {Protocol.PositionResult & {
 *   room: string, title: string, rules: string, agreed: boolean, trouble: boolean,
 *   outcome: Protocol.Outcome | null,
 *   players: Record<Protocol.Player, { name: string, here: boolean }>,
 * }} WallBoard
 */

/** @type {Protocol.Player[]} */
const PLAYERS = ["white", "black"];

export class Tile {
  element = document.createElement("li");
  #root = svg("svg", { role: "img" });
  #pieces = svg("g");
  #landed = svg("g");
  #lines = [...PLAYERS, "last"].map((name) => line(name));
  /** @type {Pieces | undefined} */
  #drawn;
  /** @type {Arrangement | undefined} */
  #arrangement;
  #rules = "";
  #shown = "";

  constructor() {
    this.element.append(this.#root, ...this.#lines);
  }

  /**
   * Show a board, whose pieces glide to where they are now.
   * @param {WallBoard} board
   * @param {Look} look
   */
  show(board, look) {
    const shown = JSON.stringify(board);
    if (shown === this.#shown) {
      return;
    }
    this.#shown = shown;
    if (board.rules !== this.#rules) {
      this.#build(look);
      this.#rules = board.rules;
    }
    this.#place(board);
    this.#name(board);
  }

  /** @param {Look} look */
  #build({ layout, kinds }) {
    const arrangement = arrange(layout, kinds, false, { boxed: false });
    const { all } = arrangement;
    this.#root.setAttribute("viewBox", [all.x, all.y, all.width, all.height].join(" "));
    drawWood(this.#root, layout, arrangement);
    this.#pieces = svg("g");
    this.#landed = svg("g");
    rename(this.#root, layout.name.replaceAll(" ", "-")); // boards of a layout define the same
    this.#drawn = new Pieces(this.#pieces);
    this.#root.append(this.#landed, this.#pieces);
    this.#arrangement = arrangement;
  }

  /** @param {WallBoard} board */
  #place({ standing, beneath, landed }) {
    const arrangement = present(this.#arrangement);
    /** @type {Lying[]} */
    const pieces = Object.entries(standing).flatMap(([at, top]) =>
      [...(beneath[at] ?? []), top].map((piece, level) => ({ id: `${at}-${level}`, piece, at })),
    );
    present(this.#drawn).show({ pitch: 1, pieces, held: [], box: {} }, arrangement, new Map());
    const spots = landed.map((name) => present(arrangement.points.get(name)));
    this.#landed.replaceChildren(...spots.map(({ x, y }) => svg("circle", { class: "landed", cx: x, cy: y, r: PIECE + 0.1 })));
  }

  /** @param {WallBoard} board */
  #name(board) {
    const { players, to_move: mover, outcome, trouble } = board;
    for (const [index, player] of PLAYERS.entries()) {
      const { name, here } = players[player];
      const own = present(this.#lines[index]);
      own.textContent = name;
      own.title = here ? name : say("wall.away", { name });
      own.classList.toggle("away", !here);
      own.classList.toggle("to-move", player === mover && !outcome);
      own.classList.toggle("won", outcome?.winner === player);
    }
    const last = present(this.#lines[PLAYERS.length]);
    last.textContent = trouble ? say("wall.disagree") : outcome ? ended(outcome) : lastTurn(board);
    this.element.classList.toggle("trouble", trouble);
    this.element.classList.toggle("over", Boolean(outcome));
    this.#root.setAttribute("aria-label", say("wall.board", { white: players.white.name, black: players.black.name }));
  }
}

/** @param {WallBoard} board */
function lastTurn({ after, turn }) {
  return turn === null ? "" : `${after}. ${turn}`;
}

/** @param {string} name */
function line(name) {
  const own = document.createElement("p");
  own.className = name;
  return own;
}
