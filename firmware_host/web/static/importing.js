// Games from elsewhere: a file, or a text that is pasted, as `millwright games import` reads them.

import { read, sentence, unreached } from "./notice.js";
import { button, dress, part } from "./parts.js";
import { learn, say, tell } from "./words.js";

await Promise.all([learn("study"), dress("study.css")]);

/** @typedef {{ added: number[], known: number, good: number, bad: number, errors: string[] }} Imported */

/**
 * Ask the board's server to change the saved games, and return its answer. Throws an Error that says why not.
 * @param {"POST" | "DELETE" | "PUT"} method
 * @param {string} path
 * @param {BodyInit} [body]
 */
export async function changed(method, path, body) {
  /** @type {Response} */
  let answer;
  try {
    answer = await fetch(path, { method, ...(body === undefined ? {} : { body }) });
  } catch {
    throw unreached();
  }
  const found = await read(answer);
  if (!answer.ok) {
    throw new Error(tell(found.said, found.error));
  }
  return found;
}

export class Importing {
  #added;
  #text = part("textarea", { id: "import-text", rows: 4, spellcheck: false });
  #file = part("input", { type: "file", id: "import-file", accept: ".pgn,.txt,.json,text/plain,application/json" });
  #says = part("p", { id: "import-says" });
  #errors = part("ul", { id: "import-errors" });
  #skip = button("", () => this.#send(this.#content, true));
  /** @type {Blob | string} */
  #content = "";

  /**
   * Stands after `place`; `added()` is called when there are new games.
   * @param {Element} place
   * @param {() => Promise<void>} added
   */
  constructor(place, added) {
    this.#added = added;
    this.#says.setAttribute("role", "status");
    this.#skip.hidden = true;
    this.#file.addEventListener("change", () => this.#file.files?.[0] && this.#send(this.#file.files[0], false));
    place.after(
      part(
        "details",
        { id: "importing" },
        part("summary", { textContent: say("study.import") }),
        part("p", { textContent: say("study.import-says") }),
        part("label", {}, say("study.file"), this.#file),
        part("label", { htmlFor: "import-text", textContent: say("study.paste") }),
        this.#text,
        part("div", { className: "offers" }, button(say("study.add"), () => this.#add()), this.#skip),
        this.#says,
        this.#errors,
      ),
    );
  }

  // Without a text there is nothing to add: a file was read as soon as it was chosen, and its result stays.
  #add() {
    if (this.#text.value.trim()) {
      this.#send(this.#text.value, false);
    } else {
      this.#text.focus();
    }
  }

  /**
   * @param {Blob | string} content
   * @param {boolean} skip
   */
  async #send(content, skip) {
    this.#content = content;
    this.#skip.hidden = true;
    this.#errors.replaceChildren();
    this.#says.textContent = say("study.reading");
    try {
      await this.#show(/** @type {Imported} */ (await changed("POST", skip ? "games?skip" : "games", content)), skip);
    } catch (error) {
      this.#says.textContent = sentence(/** @type {Error} */ (error).message);
    }
    this.#file.value = "";
    this.#says.scrollIntoView({ block: "center" });
  }

  /**
   * @param {Imported} found
   * @param {boolean} skip
   */
  async #show({ added, known, good, bad, errors }, skip) {
    const waits = bad > 0 && !skip;
    this.#errors.replaceChildren(...errors.map((textContent) => part("li", { textContent, lang: "en" })));
    this.#skip.hidden = !waits || good === 0;
    this.#skip.textContent = say("study.skip", { count: good });
    if (waits) {
      this.#says.textContent = say("study.unreadable", { count: bad });
    } else if (good === 0) {
      this.#says.textContent = say("study.nothing");
    } else {
      this.#says.textContent = say("study.added", { count: added.length, number: known });
      this.#text.value = "";
      await this.#added(); // the list above has grown before this is scrolled to
    }
  }
}
