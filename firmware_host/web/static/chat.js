// The chat with the player at the other board: set phrases, and short texts in rooms by invitation.

import { button, check, part } from "./parts.js";
import { say } from "./words.js";

/** @typedef {{ mine: boolean, text: string, phrase: "good-game" | "wait" | "your-turn" | "again" | "thanks" | "bye" }} Said */

const MOST_CHARACTERS = 200;

export class Chat {
  #list = part("ol", {});
  #log = part("div", { className: "said" }, this.#list);
  #phrases = part("div", { className: "phrases" });
  #input = part("input", { type: "text", maxLength: MOST_CHARACTERS, autocomplete: "off" });
  #form;
  #only = part("p", { className: "faint", textContent: say("rooms.phrases-only") });
  #mute;
  #want;
  #shown = "";
  #room = "";
  #known = new Set();
  #isRead = false;
  /** The number of messages that came since the chat was last open. */
  unread = 0;
  /** The last of them, after its writer's name. */
  news = "";
  root = part("section", { id: "chat", hidden: true });

  /**
   * `speak(text)` says a text, or does what a command means; `want` sends a wish to the link.
   * @param {(text: string) => Promise<boolean>} speak
   * @param {(wish: Protocol.Wish) => Promise<boolean>} want
   */
  constructor(speak, want) {
    this.#want = want;
    this.#mute = check(say("rooms.mute"), (on) => want({ do: "mute", on }));
    this.#log.setAttribute("role", "log");
    this.#log.setAttribute("aria-label", say("rooms.chat"));
    this.#log.tabIndex = 0;
    this.#input.setAttribute("aria-label", say("rooms.say"));
    this.#input.placeholder = say("rooms.say");
    this.#form = part("form", {}, this.#input, part("button", { type: "submit", textContent: say("rooms.send") }));
    this.#form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const text = this.#input.value;
      if (text.trim() && (await speak(text))) {
        this.#input.value = "";
      }
    });
    this.root.append(part("h3", { textContent: say("rooms.chat") }), this.#log, this.#phrases, this.#only, this.#form, this.#mute.label);
  }

  /**
   * Note whether the chat is before somebody's eyes.
   * @param {boolean} open
   */
  read(open) {
    this.#isRead = open;
    if (open) {
      this.#forgetNews();
    }
  }

  /**
   * Show the parts of the link that are about the chat.
   * @param {Map<string, any>} parts
   * @param {string} name
   */
  show(parts, name) {
    const chat = parts.get("chat");
    const { room = "", other = null } = parts.get("room") ?? {};
    this.#enter(room);
    this.root.hidden = !chat || !other;
    if (!chat || !room) {
      return;
    }
    this.#form.hidden = !chat.free;
    this.#only.hidden = chat.free;
    this.#mute.box.checked = chat.muted;
    if (this.#phrases.children.length === 0) {
      this.#phrases.append(...chat.phrases.map((/** @type {Said["phrase"]} */ phrase) => button(say(`rooms.phrase.${phrase}`), () => this.#want({ do: "say", phrase }))));
    }
    /** @type {[string, Said][]} */
    const said = [...parts].filter(([key]) => key.startsWith("message:")).sort(([one], [other]) => number(one) - number(other));
    const fresh = said.filter(([key, { mine }]) => !mine && !this.#known.has(key));
    const last = fresh.at(-1);
    if (last && !this.#isRead) {
      this.unread += fresh.length;
      this.news = say("rooms.says", { name, text: textOf(last[1]) });
    }
    said.forEach(([key]) => this.#known.add(key));
    const shown = JSON.stringify([name, said]);
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.#list.replaceChildren(...said.map(([, one]) => line(one, name)));
      this.#log.scrollTop = this.#log.scrollHeight;
    }
  }

  /**
   * Forget the chat of the room before.
   * @param {string} room
   */
  #enter(room) {
    if (room !== this.#room) {
      this.#room = room;
      this.#known.clear();
      this.#forgetNews();
      this.#shown = this.#input.value = "";
      this.#list.replaceChildren();
    }
  }

  #forgetNews() {
    this.unread = 0;
    this.news = "";
  }
}

/** @param {string} key */
const number = (key) => Number(key.slice("message:".length));

/** @param {Said} said */
const textOf = ({ text, phrase }) => (phrase ? say(`rooms.phrase.${phrase}`) : text);

/**
 * @param {Said} said
 * @param {string} name
 */
function line(said, name) {
  const who = part("b", { dir: "auto", textContent: said.mine ? say("rooms.you") : name });
  const what = part("span", { dir: "auto", textContent: textOf(said) });
  return part("li", { className: said.mine ? "mine" : "" }, who, what);
}
