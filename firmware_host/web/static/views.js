// The views of the panel beside the board: the turns, or what somebody opened. In a tall window it is a sheet
// over the lower part of the page, which never covers the dock.

import { element, within } from "./required.js";
import { enter, leave } from "./steps.js";
import { say } from "./words.js";

/** @typedef {keyof typeof TITLES} Sheet */
/** @typedef {"play" | Sheet} View */

const tallWindow = matchMedia("(max-aspect-ratio: 1/1)");
const FIRST = "button:not([hidden], :disabled, [aria-disabled=true]), select, input, summary, a[href]";
const PARTS = {
  play: element("view-play"),
  start: element("view-start"),
  menu: element("view-menu"),
  confirm: element("view-confirm"),
  games: element("view-games"),
  share: element("view-share"),
  rooms: element("view-rooms"),
  position: element("view-position"),
  settings: element("view-settings"),
  drawer: element("drawer"),
};

const TITLES = /** @type {const} */ ({
  menu: "page.more",
  start: "page.other-game",
  confirm: "mask.confirm-one",
  games: "page.games",
  share: "share.title",
  rooms: "page.rooms",
  position: "position.title",
  settings: "page.settings",
  drawer: "page.can-break",
});

export class Views {
  #changed;
  /** @type {Sheet | undefined} */
  #opened;
  /** @type {HTMLElement | undefined} */
  #opener;
  /** @type {View} */
  #resting = "play";
  #unbegun = false;
  #dismissed = false;
  #named = "";

  /** `changed()` is called after another view is shown. */
  constructor(changed = () => {}) {
    this.#changed = changed;
    element("shut").addEventListener("click", () => this.close());
    element("outside").addEventListener("click", () => this.close());
    document.addEventListener("words", () => this.#title());
    document.addEventListener("toggle", ({ target }) => showOpened(target), { capture: true });
    addEventListener("keydown", (event) => {
      const { key, target } = event;
      const inBoard = target instanceof Element && target.closest("#stage, dialog");
      if (key === "Escape" && this.#opened && !inBoard && !event.defaultPrevented) {
        this.close();
      }
    });
  }

  /** The view that somebody opened, if there is one. */
  get opened() {
    return this.#opened;
  }

  /** The view that is shown. */
  get shown() {
    return this.#opened ?? this.#resting;
  }

  /**
   * Open a view, which `opener` gets the focus back from. A `title` stands in place of its usual one.
   * @param {Sheet} name
   * @param {HTMLElement} opener
   * @param {string} [title]
   */
  open(name, opener, title = "") {
    if (this.#opened === undefined) {
      this.#opener = opener;
      enter(this.#end);
    }
    this.#opened = name;
    this.#named = title;
    this.#show();
    /** @type {HTMLElement | null} */ (PARTS[name].querySelector(FIRST))?.focus({ preventScroll: true });
  }

  /** Close the view that is open. */
  close() {
    leave(this.#end);
    this.#end();
  }

  /**
   * Open a view, or close it if it is open.
   * @param {Sheet} name
   * @param {HTMLElement} opener
   */
  toggle(name, opener) {
    if (this.#opened === name) {
      this.close();
    } else {
      this.open(name, opener);
    }
  }

  /** True if somebody has said that the next game is the one that is offered. */
  get dismissed() {
    return this.#dismissed;
  }

  /**
   * Close the choice of a game, and offer none before another one has begun. The board's answer may come before the
   * state that it leads to, so a game that is over still counts as the one before.
   */
  dismiss() {
    this.#dismissed = true;
    if (this.#opened === "start") {
      this.close();
    }
    this.#rest();
  }

  /**
   * Show the choice of a game while nothing is open, beside a board on which none has begun.
   * @param {boolean} unbegun
   */
  offer(unbegun) {
    if (this.#unbegun && !unbegun) {
      this.#dismissed = false;
    }
    this.#unbegun = unbegun;
    this.#rest();
  }

  #rest() {
    const resting = this.#unbegun && !this.#dismissed && !tallWindow.matches ? "start" : "play";
    if (this.#resting !== resting) {
      this.#resting = resting;
      this.#show();
    }
  }

  #end = () => {
    if (this.#opened === undefined) {
      return;
    }
    const had = document.activeElement;
    const lost = !had || had === document.body || PARTS[this.#opened].contains(had) || had.id === "done";
    this.#opened = undefined;
    this.#show();
    if (lost) {
      this.#opener?.focus({ preventScroll: true });
    }
  };

  #show() {
    for (const [name, part] of Object.entries(PARTS)) {
      part.hidden = name !== this.shown;
    }
    this.#title();
    document.body.dataset.view = this.shown;
    document.body.classList.toggle("opened", this.#opened !== undefined);
    element("more").setAttribute("aria-expanded", String(this.#opened === "menu"));
    element("break").setAttribute("aria-expanded", String(this.#opened === "drawer"));
    element("panel").scrollTop = 0;
    this.#changed();
  }

  /** Name what is open. */
  #title() {
    const opened = this.#opened;
    element("opened").hidden = opened === undefined;
    within(element("opened"), "h2").textContent = this.#named || (opened ? say(TITLES[opened]) : "");
  }
}

/**
 * Bring what somebody has opened into sight.
 * @param {EventTarget | null} target
 */
function showOpened(target) {
  if (target instanceof HTMLDetailsElement && target.open && element("panel").contains(target)) {
    target.scrollIntoView({ block: "nearest" });
  }
}
