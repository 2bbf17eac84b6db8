// The stored games: a list, newest first; each can be replayed on a diagram and downloaded.

import { captioned } from "./newgame.js";
import { element } from "./required.js";
import { language, say } from "./words.js";

/** @import { Connection } from "./connection.js" */
/** @import { Past } from "./history.js" */

const OF_ONE_PLAYER = ["few-pieces", "blocked", "start-covered", "resigned"];
// As people in the browser's country write it, if they speak the page's language.
const own = navigator.languages.find((tag) => tag.split("-")[0] === language) ?? language;
const moment = new Intl.DateTimeFormat(own, { dateStyle: "medium", timeStyle: "short" });

export class Games {
  #connection;
  #past;
  #complain;

  /**
   * `past` shows a game; `complain(error)` is called if one cannot be shown.
   * @param {Connection} connection
   * @param {Past} past
   * @param {(error: unknown) => void} complain
   */
  constructor(connection, past, complain) {
    this.#connection = connection;
    this.#past = past;
    this.#complain = complain;
    element("games").addEventListener("toggle", () => element("games").open && this.list());
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
      this.#tell(element("game-list").children.length ? "" : say("games.none"));
    } catch (error) {
      element("game-list").replaceChildren();
      element("older-games").hidden = true;
      this.#tell(/** @type {Error} */ (error).message);
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
    const open = made("button", { type: "button" }, game.began_ms ? moment.format(game.began_ms) : `${count}`);
    open.setAttribute("aria-label", say("games.look", { count, when: open.textContent }));
    open.addEventListener("click", () => this.#open(count));
    const files = ["txt", "json"].map((kind) => {
      const link = made("a", { href: `games/${count}.${kind}`, download: "" }, kind);
      link.setAttribute("aria-label", say("games.take", { count, kind }));
      return link;
    });
    return made("li", {}, open, made("span", { className: "files" }, ...files), made("p", {}, ...described(game)));
  }

  /** @param {number} number */
  async #open(number) {
    try {
      const game = await this.#connection.ask({ ask: "game", game: number });
      await this.#past.open({ ...game, number }, game.turns.length);
    } catch (error) {
      this.#complain(error);
    }
  }
}

/** @param {Protocol.GameSummary} game */
function* described({ rules, players, outcome, turns: count, on_disk: onDisk }) {
  const names = Object.values(players).filter(Boolean);
  yield `${captioned(rules)} · ${count === 1 ? say("games.one-turn") : say("games.turns", { count })}`;
  yield document.createElement("br");
  yield outcome ? ended(outcome) : say("games.not-over");
  if (!onDisk) {
    yield document.createElement("br");
    yield say("games.not-on-disk");
  }
  if (names.length) {
    yield document.createElement("br");
    yield names.join(" – ");
  }
}

/** @param {Protocol.Outcome} outcome */
function ended({ winner, reason }) {
  const loser = winner === "white" ? "black" : "white";
  const why = OF_ONE_PLAYER.includes(reason) ? say(`why.${reason}.${loser}`) : say(`why.${reason}`);
  return winner ? say(`games.won.${winner}`, { why }) : say("games.won.nobody", { why });
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} name
 * @param {Partial<HTMLElementTagNameMap[Tag]>} properties
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
function made(name, properties, ...children) {
  const found = Object.assign(document.createElement(name), properties);
  found.append(...children);
  return found;
}
