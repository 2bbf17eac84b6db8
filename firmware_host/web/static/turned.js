// The turning points of a game: a bar over its turns, the class of each and words about it, the turns that gave a
// win or a draw away or probably lost the game, and those that would have been better. The board's engine finds
// them on request, which takes a while.

import { fit } from "./panel.js";
import { part } from "./parts.js";
import { closest, element } from "./required.js";
import { svg } from "./svg.js";
import { learn, numbered, say, tell } from "./words.js";

/** @import { Connection } from "./connection.js" */
/** @import { Game } from "./diagram.js" */

await learn("study");

const LOOK_MS = 700;
const HEIGHT = 24;
const MIDDLE = HEIGHT / 2;
const FULL = 10;
const DRAW = 1.5;
const PIECE = 50; // the estimate of one piece more
const SIGNS = { win: "✓", draw: "=", loss: "×", unknown: "" };

export class Turned {
  #connection;
  #open;
  #complain;
  /** @type {Game | undefined} */
  #game;
  /** @type {number | undefined} */
  #after;
  #isLive = false;
  #isLine = false;
  #beside = part("p", { className: "remark" }); // beside the board, about the turn that led to the position
  /** @type {Protocol.AnalysisResult | undefined} */
  #found;
  /** @type {number | undefined} */
  #timer;
  #wants = false; // an analysis, once it is known whether there is one
  #awaits = false; // the analysis that somebody here asked for

  /**
   * `open(game, after)` looks back on a turn, `complain(error)` is called if a request fails.
   * @param {Connection} connection
   * @param {(game: Game, after: number) => void} open
   * @param {(error: unknown) => void} complain
   */
  constructor(connection, open, complain) {
    this.#connection = connection;
    this.#open = open;
    this.#complain = complain;
    element("analyse").addEventListener("click", () => this.#ask({ analyse: !this.#found?.running }));
    element("given-away").addEventListener("click", (event) => {
      const button = closest(event, "button");
      if (button && this.#game) {
        this.#lookAt(this.#game, Number(button.dataset.turn));
      }
    });
    element("course").addEventListener("click", ({ offsetX }) => {
      if (this.#game && this.#found?.turns) {
        const share = offsetX / element("course").clientWidth;
        this.#lookAt(this.#game, Math.min(this.#game.turns.length, Math.floor(share * this.#found.turns.length) + 1));
      }
    });
    document.addEventListener("words", () => this.#draw());
  }

  /**
   * Show a game (none: nothing), with the mark at the position after `after` turns. `isLive` says that the list of
   * turns is that of this game, and `isLine` that a side line is shown.
   * @param {Game | undefined} game
   * @param {number | undefined} after
   * @param {boolean} isLive
   * @param {boolean} isLine
   */
  show(game, after, isLive, isLine) {
    const isOther = game?.number !== this.#game?.number || game?.written !== this.#game?.written;
    this.#game = game;
    this.#after = after;
    this.#isLive = isLive;
    this.#isLine = isLine;
    if (isOther) {
      clearTimeout(this.#timer);
      this.#found = undefined;
      this.#wants = this.#awaits = false;
    }
    this.#draw();
    if (isOther && game) {
      this.#ask({ ask: "analysis" });
    }
  }

  /** Analyse the game unless it is, and show what comes of it, which a phone has below the board. */
  analyse() {
    this.#wants = !this.#found;
    if (this.#found && !this.#found.turns && !this.#found.running) {
      this.#ask({ analyse: true });
    }
    element("turned").scrollIntoView({ block: "nearest" });
  }

  /**
   * Look back on a turn, with the board in sight: a phone has it above what was analysed.
   * @param {Game} game
   * @param {number} after
   */
  #lookAt(game, after) {
    this.#open(game, after);
    element("place").scrollIntoView({ block: "nearest" });
  }

  /** @param {{ ask: "analysis" } | { analyse: boolean }} request */
  async #ask(request) {
    const game = this.#game;
    clearTimeout(this.#timer);
    try {
      const found = await this.#connection.ask({ ...request, ...(game?.number === undefined ? {} : { game: game.number }) });
      if (game !== this.#game) {
        return;
      }
      this.#found = found;
      this.#draw();
      if ("analyse" in request || this.#awaits) {
        this.#awaits = Boolean(found.running);
        element("turned").scrollIntoView({ block: "nearest" }); // it grows with what was found
      }
      if (this.#wants) {
        this.analyse();
      } else if (found.running) {
        this.#timer = setTimeout(() => this.#ask({ ask: "analysis" }), LOOK_MS);
      }
    } catch (error) {
      if (!("ask" in request)) {
        this.#complain(error);
      }
    }
  }

  #draw() {
    const game = this.#game;
    const { turns, running = false, done = 0, of = 0 } = this.#found ?? {};
    element("turned").hidden = !game;
    for (const part of /** @type {const} */ (["course", "course-says", "turned-here", "given-away"])) {
      element(part).toggleAttribute("hidden", !turns);
    }
    element("analysing").hidden = !running;
    element("analysing").max = Math.max(1, of);
    element("analysing").value = done;
    this.#offer(Boolean(turns) || !this.#found);
    this.#markTurns(turns ?? []);
    this.#remark(turns ?? []);
    if (turns) {
      this.#drawCourse(turns);
      this.#list(turns);
      element("turned-here").textContent = this.#summary(turns);
    }
  }

  /**
   * Write the remarks on the turn beside the board: on a phone, all else about it is below.
   * @param {Protocol.AnalysedTurn[]} turns
   */
  #remark(turns) {
    const one = this.#after && !this.#isLine ? turns[this.#after - 1] : undefined;
    const remarks = one ? all(one.remarks) : "";
    this.#beside.textContent = remarks;
    if (remarks) {
      element("past").append(this.#beside);
    } else {
      this.#beside.remove();
    }
    requestAnimationFrame(fit);
  }

  /** @param {boolean} isDone */
  #offer(isDone) {
    const button = element("analyse");
    const had = document.activeElement === button;
    const label = this.#found?.failed ? say("study.turned.failed") : say("turned.analyse");
    button.textContent = this.#found?.running ? say("past.stop") : label;
    button.hidden = isDone;
    if (had && isDone) {
      const next = element("given-away").querySelector("button") ?? element("now");
      next.focus({ preventScroll: true });
    }
  }

  /**
   * Write the class of each turn beside it, in the list of the current game. On a phone the list is a strip, which
   * that makes longer; if its last turn was in sight, it stays so.
   * @param {Protocol.AnalysedTurn[]} turns
   */
  #markTurns(turns) {
    const list = element("turns");
    const isAtEnd = list.scrollLeft + list.clientWidth >= list.scrollWidth - 1;
    for (const button of list.querySelectorAll("button")) {
      const one = this.#isLive ? turns[Number(button.dataset.turn) - 1] : undefined;
      const result = one?.after.result ?? "unknown";
      const sign = (one?.better ? "?" : "") + SIGNS[result];
      if (sign) {
        button.dataset.sign = sign;
      } else {
        delete button.dataset.sign;
      }
      button.dataset.result = result;
      button.title = one && result !== "unknown" ? named(result) : "";
    }
    if (isAtEnd) {
      list.scrollTo(list.scrollWidth, 0);
    }
  }

  /** @param {Protocol.AnalysedTurn[]} turns */
  #drawCourse(turns) {
    const course = element("course");
    course.setAttribute("viewBox", `0 0 ${Math.max(1, turns.length)} ${HEIGHT}`);
    course.setAttribute("aria-label", say("study.turned.course", { count: turns.length }));
    const hatching = svg(
      "pattern",
      { id: "guess", width: 1, height: 3, patternUnits: "userSpaceOnUse" },
      svg("rect", { width: 1, height: 1.2, class: "guessed" }),
    );
    const middle = svg("line", { x1: 0, x2: turns.length, y1: MIDDLE, y2: MIDDLE, class: "middle" });
    course.replaceChildren(svg("defs", {}, hatching), middle, ...turns.map(column));
    turns.forEach(({ better }, index) => {
      if (better) {
        course.append(upright(index + 0.5, "turning"));
      }
    });
    const lost = this.#found?.lost?.turn ?? undefined;
    if (lost !== undefined && !turns[lost]?.better) {
      course.append(upright(lost + 0.5, "turning likely"));
    }
    if (this.#after) {
      course.append(upright(this.#after - 0.5, "here"));
    }
  }

  /** @param {Protocol.AnalysedTurn[]} turns */
  #list(turns) {
    const lost = this.#found?.lost;
    const items = turns.flatMap(({ turn, better }, index) => {
      if (!better) {
        return lost?.turn === index ? [leading(index, [signed("?", tell(lost.said, ""))])] : [];
      }
      const given = numbered(index + 1, turn);
      const held = numbered(index + 1, better.turn);
      const won = better.result === "win";
      const lines = won
        ? [say("study.turned.gave.win", { turn: given }), say("study.turned.held.win", { turn: held })]
        : [say("study.turned.gave.draw", { turn: given }), say("study.turned.held.draw", { turn: held })];
      return [
        leading(
          index,
          lines.map((text, line) => signed(line ? "✓" : "?", text)),
        ),
      ];
    });
    const had = element("given-away").contains(document.activeElement);
    const place = [...element("given-away").querySelectorAll("button")].indexOf(
      /** @type {HTMLButtonElement} */ (document.activeElement),
    );
    element("given-away").replaceChildren(...items);
    if (had) {
      items[place]?.querySelector("button")?.focus({ preventScroll: true });
    }
  }

  /**
   * Return the class of the marked turn and the remarks on it, or what is known of the whole game.
   * @param {Protocol.AnalysedTurn[]} turns
   */
  #summary(turns) {
    const one = this.#after ? turns[this.#after - 1] : undefined;
    return one && this.#after ? remarked(this.#after, one) : this.#whole(turns);
  }

  /** @param {Protocol.AnalysedTurn[]} turns */
  #whole(turns) {
    const { known_from: from, lost } = this.#found ?? {};
    const first = typeof from === "number" ? numbered(from + 1, turns[from]?.turn ?? "") : "";
    const known = first && say("study.turned.known", { turn: first });
    const none = lost || turns.some(({ better }) => better) ? "" : say("study.turned.none");
    const nowhere = lost?.turn === null ? tell(lost.said, "") : "";
    return [none, nowhere, known].filter(Boolean).join(" ");
  }
}

/**
 * Return the class of a turn, and the remarks on it.
 * @param {number} after
 * @param {Protocol.AnalysedTurn} turn
 */
function remarked(after, { turn, after: value, remarks }) {
  const start = `${numbered(after, turn)}: ${named(value.result)}`;
  return remarks.length ? `${start}. ${all(remarks)}` : start;
}

/** @param {Protocol.AnalysedTurn["remarks"]} remarks */
const all = (remarks) => remarks.map((remark) => tell(remark, "")).join(" ");

/**
 * Return an item with a button that leads to a turn.
 * @param {number} index
 * @param {HTMLElement[]} lines
 */
function leading(index, lines) {
  const button = part("button", { type: "button" }, ...lines);
  button.dataset.turn = String(index + 1);
  return part("li", {}, button);
}

/**
 * Return the class of a turn in words.
 * @param {Protocol.Result} result
 */
function named(result) {
  switch (result) {
    case "win":
      return say("study.turned.win");
    case "draw":
      return say("study.turned.draw");
    case "loss":
      return say("study.turned.loss");
    default:
      return say("study.turned.unknown");
  }
}

/**
 * Draw a turn: up if White wins, in the middle if nobody does, down if Black wins; hatched if it is only guessed.
 * @param {Protocol.AnalysedTurn} turn
 * @param {number} index
 */
function column({ player, after, estimate }, index) {
  const sign = player === "white" ? 1 : -1;
  const sure = { win: FULL, loss: -FULL, draw: 0, unknown: 0 }[after.result];
  const isGuess = after.result === "unknown";
  const height = sign * (isGuess ? FULL * Math.tanh(estimate / (4 * PIECE)) : sure);
  const top = Math.min(MIDDLE - height, MIDDLE - DRAW);
  const bottom = Math.max(MIDDLE - height, MIDDLE + DRAW);
  const [from, to] = Math.abs(height) < DRAW ? [MIDDLE - DRAW, MIDDLE + DRAW] : height > 0 ? [top, MIDDLE] : [MIDDLE, bottom];
  return svg("rect", { x: index + 0.1, y: from, width: 0.8, height: to - from, ...(isGuess ? { fill: "url(#guess)" } : { class: "known" }) });
}

/**
 * @param {number} x
 * @param {string} name
 */
function upright(x, name) {
  return svg("line", { x1: x, x2: x, y1: 0, y2: HEIGHT, class: name });
}

/**
 * @param {string} sign
 * @param {string} text
 */
function signed(sign, text) {
  const line = document.createElement("span");
  const mark = Object.assign(document.createElement("b"), { textContent: sign });
  mark.setAttribute("aria-hidden", "true");
  line.append(mark, " ", text);
  return line;
}
