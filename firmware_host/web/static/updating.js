// Updates: the version that the board runs, and the package of a newer release, which is sent in pieces.

import { changed } from "./importing.js";
import { read, sentence } from "./notice.js";
import { part } from "./parts.js";
import { learn, say, tell } from "./words.js";

await learn("update");

/** @typedef {{ version: string, result: Protocol.Said | null, is_waiting: boolean }} State */

const PIECE = 65_536;
const LOOK_MS = 5000;

/**
 * Return the part of the page by which the board is updated; nothing where it can't be.
 * @returns {Promise<HTMLElement | undefined>}
 */
export async function updating() {
  const answer = await fetch("update");
  return answer.ok ? new Updating(await read(answer)).view : undefined;
}

class Updating {
  #version = part("p", {});
  #file = part("input", { type: "file", id: "update-file", accept: ".deb" });
  #says = part("p", { id: "update-says" });
  view = part(
    "div",
    { id: "updating" },
    this.#version,
    part("p", {}, say("update.says")),
    part("label", {}, say("update.file"), " ", this.#file),
    this.#says,
  );

  /** @param {State} state */
  constructor(state) {
    this.#says.setAttribute("role", "status");
    this.#file.addEventListener("change", () => this.#file.files?.[0] && this.#send(this.#file.files[0]));
    this.#show(state);
  }

  /** @param {State} state */
  #show({ version, result }) {
    this.#version.textContent = say("update.version", { text: version });
    this.#tell(tell(result ?? undefined, ""));
  }

  /** @param {string} text */
  #tell(text) {
    this.#says.textContent = text;
    this.#says.scrollIntoView({ block: "nearest" });
  }

  /** @param {File} file */
  async #send(file) {
    this.#file.disabled = true;
    try {
      for (let at = 0; at < file.size; at += PIECE) {
        this.#tell(say("update.sending", { count: Math.floor((100 * at) / file.size) }));
        await changed("PUT", `update?at=${at}&of=${file.size}`, file.slice(at, at + PIECE));
      }
      this.#tell(say("update.sent"));
      setTimeout(() => this.#look(), LOOK_MS);
    } catch (error) {
      this.#tell(sentence(/** @type {Error} */ (error).message));
    }
    this.#file.value = "";
    this.#file.disabled = false;
  }

  /** Wait for the result: the board takes the package away first, and its page may be gone for a while. */
  async #look() {
    try {
      const answer = await fetch("update");
      /** @type {State} */
      const state = await read(answer);
      if (answer.ok && !state.is_waiting && state.result?.key !== "update.result.installing") {
        this.#show(state);
        return;
      }
    } catch {
      // The board is starting again.
    }
    setTimeout(() => this.#look(), LOOK_MS);
  }
}
