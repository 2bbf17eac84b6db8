// Links to a game, or to a position in it. A link carries the whole record of the game behind its #, which no
// server sees: any board's page opens it, to look at.
//
// Invariants: a record from a link is only ever given to the board, which reads it by the rules or refuses it.

import { copied } from "./copying.js";
import { button, part } from "./parts.js";
import { element } from "./required.js";
import { say } from "./words.js";

/** @import { Connection } from "./connection.js" */
/** @import { Game } from "./diagram.js" */
/** @import { Views } from "./views.js" */

const MARK = "#game=";
const AFTER = "&after="; // the number of turns before the position that is meant
const MOST_CHARACTERS = 3600; // of a record, which the board has to be asked for in one message
const LOCAL = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/;

/**
 * Return whether only this computer knows an address.
 * @param {string} host
 */
export const isLocal = (host) => LOCAL.test(host);

/**
 * A game to share: a stored one with its number, one that was shared itself with its record, or the current one
 * with its names. `then` is a position in it, after that many turns, and `when` says in words which.
 * @typedef {object} Shared
 * @property {number} [game]
 * @property {string} [record]
 * @property {Protocol.Names} [names]
 * @property {{ after: number, when: string }} [then]
 */

/**
 * Show a link to a game, or to a position in it.
 * @param {Connection} connection
 * @param {Views} views
 * @param {HTMLElement} opener
 * @param {Shared} shared
 */
export async function share(connection, views, opener, { record: own, then, ...which }) {
  const record = own ?? (await connection.ask({ ask: "record", ...which })).record;
  if (record.length > MOST_CHARACTERS) {
    throw new Error(say("share.too-long"));
  }
  const title = then ? say("share.position", { when: then.when }) : say("share.title");
  show(`${location.origin}${location.pathname}${MARK}${encoded(record)}${then ? AFTER + then.after : ""}`);
  views.open("share", opener, title);
}

/**
 * Return the game of the link that this page was opened by, and the number of turns to show of it.
 * @param {Connection} connection
 * @returns {Promise<{ game: Game, after: number }>}
 */
export async function sharedGame(connection) {
  const [link = "", after] = location.hash.slice(MARK.length).split(AFTER);
  const record = decoded(link);
  if (record === undefined || record.length > MOST_CHARACTERS) {
    throw new Error(say("refused.damaged"));
  }
  const game = { ...(await connection.ask({ ask: "game", record })), record };
  const turns = after === undefined ? game.turns.length : Number(after || NaN);
  if (!Number.isInteger(turns) || turns < 0 || turns > game.turns.length) {
    throw new Error(say("refused.damaged"));
  }
  return { game, after: turns };
}

/**
 * @param {string} link
 */
function show(link) {
  const field = part("input", { type: "text", readOnly: true, value: link, id: "link" });
  field.setAttribute("aria-label", say("share.link"));
  field.addEventListener("focus", () => field.select());
  const told = part("p", { className: "told" });
  told.setAttribute("role", "status");
  const buttons = [button(say("share.copy"), async () => (told.textContent = (await copied(field)) ? say("share.copied") : say("share.selected")))];
  if ("share" in navigator) {
    buttons.push(button(say("share.send"), () => navigator.share({ url: link }).catch(() => field.select())));
  }
  const where = isLocal(location.hostname) ? say("share.local") : say("share.where");
  element("view-share").replaceChildren(
    part("p", { textContent: where }),
    field,
    part("div", { className: "offers" }, ...buttons),
    told,
  );
}

/** @param {string} text */
function encoded(text) {
  const bytes = [...new TextEncoder().encode(text)].map((byte) => String.fromCharCode(byte));
  return btoa(bytes.join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Return the text of a link; undefined if it has none.
 * @param {string} link
 */
function decoded(link) {
  try {
    const bytes = atob(link.replaceAll("-", "+").replaceAll("_", "/"));
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
