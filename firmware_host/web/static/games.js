// The stored games: a list, newest first; each can be replayed on a diagram, downloaded, and deleted, which can be
// undone. Others are imported from a file or a text.

import { captioned } from "./newgame.js";
import { sentence } from "./notice.js";
import { ended } from "./outcomes.js";
import { button, part } from "./parts.js";
import { element, within } from "./required.js";
import { language, learn, say } from "./words.js";

/** @import { Connection } from "./connection.js" */
/** @import { Past } from "./history.js" */

await learn("study");

// As people in the browser's country write it, if they speak the page's language.
const own = navigator.languages.find((tag) => tag.split("-")[0] === language) ?? language;
const moment = new Intl.DateTimeFormat(own, { dateStyle: "medium", timeStyle: "short" });

export class Games {
  #connection;
  #past;
  #reveal;
  #share;
  #complain;

  /**
   * `past` shows a game, after `reveal()` has made room for it; `share(game)` offers a link to one, and
   * `complain(error)` is called if one cannot be shown.
   * @param {Connection} connection
   * @param {Past} past
   * @param {() => void} reveal
   * @param {(game: number) => void} share
   * @param {(error: unknown) => void} complain
   */
  constructor(connection, past, reveal, share, complain) {
    this.#share = share;
    this.#connection = connection;
    this.#past = past;
    this.#reveal = reveal;
    this.#complain = complain;
    this.#offerImport();
    element("older-games").textContent = say("study.older");
    within(element("counted"), "summary").textContent = say("study.statistics");
    element("older-games").addEventListener("click", () => this.list(Number(element("older-games").dataset.before)));
  }

  /**
   * List the newest games, or add those before game `before` to the list.
   * @param {number} [before]
   */
  async list(before) {
    try {
      const { games, more } = await this.#connection.ask({ ask: "games", ...(before ? { before } : {}) });
      const items = games.map((game) => this.#item(game));
      element("game-list").replaceChildren(...(before ? element("game-list").children : []), ...items);
      element("older-games").hidden = !more;
      element("older-games").dataset.before = String(games.at(-1)?.game);
      this.#tell(element("game-list").children.length ? "" : say("study.none"));
      if (before === undefined) {
        count(await this.#connection.ask({ ask: "statistics" }));
      }
    } catch (error) {
      element("game-list").replaceChildren();
      element("counted").hidden = true;
      element("older-games").hidden = true;
      this.#tell(sentence(/** @type {Error} */ (error).message));
    }
  }

  async #offerImport() {
    try {
      const { Importing } = await import("./importing.js");
      new Importing(element("older-games"), () => this.list());
    } catch (error) {
      this.#complain(error);
    }
  }

  /** @param {string} text */
  #tell(text) {
    element("no-games").textContent = text;
    element("no-games").hidden = !text;
  }

  /** @param {Protocol.GameSummary} game */
  #item(game) {
    const count = game.game;
    const open = part("button", { type: "button" }, game.began_ms ? moment.format(game.began_ms) : say("study.undated", { count }));
    if (game.began_ms) {
      open.setAttribute("aria-label", say("study.look", { count, when: open.textContent }));
    }
    open.addEventListener("click", () => this.#open(count));
    const kinds = { pgn: "PGN", json: "JSON" };
    const files = Object.entries(kinds).map(([ending, kind]) => {
      const link = part("a", { href: `games/${count}.${ending}`, download: "" }, kind);
      link.setAttribute("aria-label", say("study.take", { count, kind }));
      return link;
    });
    const link = part("button", { type: "button", className: "link", textContent: say("study.link") });
    link.setAttribute("aria-label", say("study.share", { count }));
    link.addEventListener("click", () => this.#share(count));
    const away = part("button", { type: "button", className: "link", textContent: say("study.delete") });
    away.setAttribute("aria-label", say("study.delete-game", { count }));
    const item = part("li", {}, open, part("p", {}, ...described(game)), part("span", { className: "files" }, link, ...files, away));
    away.addEventListener("click", () => this.#delete(count, open.textContent, item));
    return item;
  }

  /**
   * Delete a game; in its place stands the way back.
   * @param {number} number
   * @param {string} text
   * @param {HTMLLIElement} item
   */
  async #delete(number, text, item) {
    try {
      const { changed } = await import("./importing.js");
      await changed("DELETE", `games/${number}`);
      const parts = [...item.childNodes];
      const back = button(say("study.undo"), () => this.#restore(number, item, parts));
      const says = part("p", { textContent: say("study.deleted", { text }) });
      says.setAttribute("role", "status");
      item.replaceChildren(says, back);
      back.focus();
    } catch (error) {
      this.#complain(error);
    }
  }

  /**
   * @param {number} number
   * @param {HTMLLIElement} item
   * @param {ChildNode[]} parts
   */
  async #restore(number, item, parts) {
    try {
      const { changed } = await import("./importing.js");
      await changed("PUT", `games/${number}`);
      item.replaceChildren(...parts);
      item.querySelector("button")?.focus();
    } catch (error) {
      this.#complain(error);
    }
  }

  /** @param {number} number */
  async #open(number) {
    try {
      const game = await this.#connection.ask({ ask: "game", game: number });
      this.#reveal();
      await this.#past.open({ ...game, players: inLanguage(game.players), number }, game.turns.length);
    } catch (error) {
      this.#complain(error);
    }
  }
}

/**
 * Show who won how often, by rule set.
 * @param {Protocol.StatisticsResult} statistics
 */
function count({ rule_sets: sets }) {
  element("counted").hidden = sets.length === 0;
  const items = sets.map(({ rules, white, black, draws, mean_turns: mean, longest }) => {
    const lines = [say("study.counted", { white, black, draws }), say("study.lengths", { count: mean, longest })];
    return part("li", {}, part("b", { textContent: captioned(rules) }), ...lines.map((textContent) => part("p", { textContent })));
  });
  element("statistics").replaceChildren(...items);
}

/**
 * Return the names of players in the page's language: records have that of the board in English.
 * @param {{ white: string, black: string }} players
 */
function inLanguage({ white, black }) {
  const worded = (/** @type {string} */ name) => name.replace(/^Millwright, level (\d)$/, (_, count) => say("page.engine", { count }));
  return { white: worded(white), black: worded(black) };
}

/** @param {Protocol.GameSummary} game */
function* described({ rules, players, outcome, turns: count, on_disk: onDisk }) {
  const { white, black } = inLanguage(players);
  yield `${captioned(rules)} · ${count === 1 ? say("study.one-turn") : say("study.turns", { count })}`;
  yield document.createElement("br");
  yield outcome ? ended(outcome) : say("study.not-over");
  if (!onDisk) {
    yield document.createElement("br");
    yield say("study.not-on-disk");
  }
  if (white || black) {
    yield document.createElement("br");
    yield `${white || say("page.white")} – ${black || say("page.black")}`;
  }
}
