// Outside of rooms: joining one by its invitation, opening one, and the lobby of a club with the game that is
// watched there.

import { captioned } from "./newgame.js";
import { button, check, part } from "./parts.js";
import { present } from "./required.js";
import { say } from "./words.js";

/** @import { Look, Tile, WallBoard } from "./tile.js" */
/** @typedef {{ name: string, rules: string, players: string[], here: boolean, stage: "free" | "full" | "playing" | "over" }} Listed */
/** @typedef {(wish: Protocol.Wish) => Promise<boolean>} Want */

/** The beginning of a link's part that is an invitation. */
export const JOIN = "#join=";

export class Lobby {
  #want;
  #invited = field(say("rooms.invitation"));
  #name = field(say("rooms.name"), 60);
  #public = check("", () => {});
  #broker = field(say("rooms.broker"));
  #brokerSays = part("p", { className: "faint", textContent: say("rooms.broker-says") });
  #openSays = part("p", { className: "faint" });
  #lobby = part("section", {});
  #title = part("h2", {});
  #empty = part("p", { className: "faint" });
  #list = part("ul", { className: "rooms" });
  #watched = part("section", { className: "watched", hidden: true });
  /** @type {Promise<Tile> | undefined} */
  #tile;
  #shown = "";
  root = part("div", { hidden: true });

  /** @param {Want} want */
  constructor(want) {
    this.#want = want;
    this.#empty.setAttribute("role", "status");
    this.#lobby.append(this.#title, this.#empty, this.#list, this.#watched);
    const join = form([this.#invited.label], say("rooms.do-join"), () => this.#join());
    const open = form([this.#name.label, this.#public.label, this.#broker.label, this.#brokerSays], say("rooms.do-open"), () => this.#open());
    this.root.append(
      this.#lobby,
      part("section", {}, part("h3", { textContent: say("rooms.join") }), part("p", { className: "faint", textContent: say("rooms.join-says") }), join),
      part("section", {}, part("h3", { textContent: say("rooms.open") }), this.#openSays, open),
    );
  }

  /**
   * Fill in an invitation.
   * @param {string} text
   */
  fill(text) {
    this.#invited.input.value = text;
  }

  /**
   * Show the parts of the link that are about the lobby, if `outside` of rooms.
   * @param {Map<string, any>} parts
   * @param {boolean} outside
   * @param {string} rules
   */
  show(parts, outside, rules) {
    this.root.hidden = !outside;
    if (!outside) {
      return;
    }
    const { club, broker, connected, clock = true } = parts.get("here");
    this.#openSays.textContent = say("rooms.open-says", { rules: captioned(rules) });
    this.#public.label.hidden = !club || !broker;
    this.#public.label.lastChild?.replaceWith(say("rooms.public", { club }));
    this.#broker.label.hidden = this.#brokerSays.hidden = Boolean(broker);
    this.#lobby.hidden = !club || !broker;
    this.#title.textContent = say("rooms.lobby", { club });
    /** @type {[string, Listed][]} */
    const listed = [...parts].filter(([name]) => name.startsWith("lobby:")).map(([name, row]) => [name.slice("lobby:".length), row]);
    this.#empty.textContent = connected ? (listed.length ? "" : say("rooms.lobby-empty")) : unconnected(clock);
    const shown = JSON.stringify(listed);
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.#list.replaceChildren(...listed.map(([host, row]) => this.#row(host, row)));
    }
    this.#watch(parts.get("watched"), parts.get("look"));
  }

  /**
   * @param {string} host
   * @param {Listed} row
   */
  #row(host, { name, rules, players, stage }) {
    const joins = stage === "free";
    const act = joins
      ? button(say("rooms.do-join"), () => this.#want({ do: "enter", host }))
      : button(say("rooms.watch"), () => this.#want({ do: "watch", host }));
    act.setAttribute("aria-label", joins ? say("rooms.enter-one", { name }) : say("rooms.watch-one", { name }));
    const about = [captioned(rules), say(`rooms.stage.${stage}`)].join(" · ");
    return part("li", {}, part("b", { dir: "auto", textContent: name }), part("p", { dir: "auto", textContent: players.join(" – ") }), part("p", { textContent: about }), act);
  }

  async #join() {
    const isDone = await this.#want({ do: "join", invitation: invitation(this.#invited.input.value) });
    if (isDone) {
      this.fill(""); // it is the key of a room, and is not left where others may see it
    }
    return isDone;
  }

  async #open() {
    const wanted = /** @type {const} */ ({
      do: "open",
      name: this.#name.input.value.trim(),
      public: this.#public.box.checked && !this.#public.label.hidden,
      broker: this.#broker.label.hidden ? "" : this.#broker.input.value.trim(),
    });
    return this.#want(wanted);
  }

  /**
   * @param {WallBoard | undefined} board
   * @param {Look | undefined} look
   */
  async #watch(board, look) {
    this.#watched.hidden = !board || !look;
    if (!board || !look) {
      return;
    }
    this.#tile ??= import("./tile.js").then(({ Tile }) => {
      const tile = new Tile();
      const list = part("ol", { id: "tiles" }, tile.element);
      const stop = button(say("rooms.stop-watching"), () => this.#want({ do: "watch", host: "" }));
      this.#watched.append(part("h3", { textContent: say("rooms.watched") }), list, stop);
      return tile;
    });
    (await this.#tile).show(board, look);
  }
}

/**
 * Return a line of text with its label.
 * @param {string} title
 * @param {number} [length]
 */
function field(title, length = 400) {
  const input = part("input", { type: "text", maxLength: length, autocomplete: "off", spellcheck: false });
  return { input, label: part("label", {}, part("span", { textContent: title }), input) };
}

/**
 * Return a form that does something when it is sent.
 * @param {HTMLElement[]} parts
 * @param {string} title
 * @param {() => Promise<boolean>} send
 */
function form(parts, title, send) {
  const made = part("form", { className: "offers" }, ...parts, part("button", { type: "submit", textContent: title }));
  made.addEventListener("submit", async (event) => {
    event.preventDefault();
    const own = present(/** @type {HTMLButtonElement | null} */ (made.querySelector("button")));
    own.disabled = true;
    await send();
    own.disabled = false;
  });
  return made;
}

/**
 * Return the invitation in a link, or in any text.
 * @param {string} text
 */
export function invitation(text) {
  const [, coded] = text.split(JOIN);
  try {
    return coded === undefined ? text.trim() : decodeURIComponent(coded);
  } catch {
    return text.trim();
  }
}

/**
 * Return why there is no lobby, and no room: the broker doesn't answer.
 * @param {boolean} clock if the board knows the time
 */
export function unconnected(clock) {
  return clock ? say("rooms.unconnected") : say("rooms.unconnected-undated");
}
