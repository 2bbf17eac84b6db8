// The last lines of the board's log, and other texts of the workshop, as files.

import { complain } from "./notice.js";
import { button, part } from "./parts.js";
import { say } from "./words.js";

/**
 * Return a button that gets the log and saves it, with what is in it.
 * @param {() => Promise<string>} log
 */
export function logOffer(log) {
  const get = button(say("setup.log"), () => log().then((text) => save("millwright-log.txt", text), complain));
  return part("div", { className: "log" }, get, part("p", {}, say("setup.log.says")));
}

/**
 * Save a text as a file.
 * @param {string} download
 * @param {string} text
 */
export function save(download, text) {
  const type = download.endsWith(".json") ? "application/json" : "text/plain";
  const href = URL.createObjectURL(new Blob([text], { type }));
  part("a", { href, download }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10000);
}
