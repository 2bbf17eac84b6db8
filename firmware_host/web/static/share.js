// Links to a game. A link carries the whole record of the game behind its #, which no server sees: any board's
// page opens it, to look at.
//
// Invariants: a record from a link is only ever given to the board, which reads it by the rules or refuses it.

import { copied } from "./copying.js";
import { button, part } from "./parts.js";
import { element } from "./required.js";
import { say } from "./words.js";

/** @import { Connection } from "./connection.js" */
/** @import { Game } from "./history.js" */
/** @import { Views } from "./views.js" */

const MARK = "#game=";
const MOST_CHARACTERS = 3600; // of a record, which the board has to be asked for in one message
const LOCAL = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Show a link to a game: the current one, or a stored one with its number.
 * @param {Connection} connection
 * @param {Views} views
 * @param {HTMLElement} opener
 * @param {{ names?: Protocol.Names, game?: number }} which
 */
export async function share(connection, views, opener, which) {
  const { record } = await connection.ask({ ask: "record", ...which });
  if (record.length > MOST_CHARACTERS) {
    throw new Error(say("share.too-long"));
  }
  show(`${location.origin}${location.pathname}${MARK}${encoded(record)}`);
  views.open("share", opener);
}

/**
 * Return the game of the link that this page was opened by.
 * @param {Connection} connection
 * @returns {Promise<Game>}
 */
export async function sharedGame(connection) {
  const record = decoded(location.hash.slice(MARK.length));
  if (record === undefined || record.length > MOST_CHARACTERS) {
    throw new Error(say("refused.damaged"));
  }
  return { ...(await connection.ask({ ask: "game", record })), record };
}

/** @param {string} link */
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
  const where = LOCAL.includes(location.hostname) ? say("share.local") : say("share.where");
  element("view-share").replaceChildren(
    part("h2", { textContent: say("share.title") }),
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
