// Texts that change while the page is open, and the note that reports a failure.

import { element } from "./required.js";
import { language, say } from "./words.js";

/**
 * A failure; its text is in the page's language unless `lang` names another.
 * @typedef {Error & { lang?: string }} Problem
 */

/** A deed that means nothing now: `why`, and what to do `next`. */
export class Refusal extends Error {
  /**
   * @param {string} why
   * @param {string} next
   */
  constructor(why, next) {
    super(`${why} ${next}`);
    this.why = why;
    this.next = next;
  }
}

export const NOTE_MS = 5000;
let noteTimer = 0;

/**
 * Write a text if it differs: a screen reader announces every change.
 * @param {Element} target
 * @param {string} text
 */
export function write(target, text) {
  if (target.textContent !== text) {
    target.textContent = text;
  }
}

/**
 * Return a text with a full stop, which the board's errors lack: on a command line they stand in a sentence.
 * @param {string} text
 */
export const sentence = (text) => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Return the failure of what the board couldn't be asked; while the banner reports that, nothing else does. */
export const unreached = () => new DOMException(say("page.not-reached"), "NetworkError");

/**
 * Return what the board answered. An answer that isn't its own, such as a proxy's, is as good as none.
 * @param {Response} answer
 */
export const read = (answer) =>
  answer.json().catch(() => {
    throw unreached();
  });

/**
 * Show a failure for a while. A part of the page that can't be fetched is a NetworkError, in the browser's words.
 * @param {unknown} error
 */
export function complain(error) {
  const { name, message, lang } = /** @type {Problem} */ (error);
  if (name === "NetworkError" && !element("banner").hidden) {
    return; // the banner says the same
  }
  const note = element("note");
  note.lang = lang ?? language;
  write(note, sentence(name === "NetworkError" ? say("page.not-reached") : message));
  note.hidden = false;
  clearTimeout(noteTimer);
  noteTimer = setTimeout(() => (note.hidden = true), NOTE_MS);
}
