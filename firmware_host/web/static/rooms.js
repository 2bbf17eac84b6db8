// Rooms with other boards. The link beside the board says all that is shown here, in parts that the board never
// sees: the lobby, the room with its invitation, and the chat. Fetched once there is a link.
//
// Invariants: nothing that comes from another board is ever more than text.

import { Chat } from "./chat.js";
import { JOIN, Lobby, invitation } from "./lobby.js";
import { Room } from "./room.js";
import { write } from "./notice.js";
import { button, dress, part } from "./parts.js";
import { element, present } from "./required.js";
import { learn, say, tell } from "./words.js";

/** @import { Connection, Request } from "./connection.js" */
/** @import { Reported, Shown } from "./room.js" */
/** @import { Views } from "./views.js" */

await Promise.all([learn("rooms"), learn("link"), learn("wall"), dress("rooms.css")]);

const NOWHERE = ["outside", "unconnected"];
const NO_ROOM = { stage: "outside" };
const BEFORE_A_GAME = ["waiting", "ready", "over"];

/** @typedef {(...requests: Request[]) => Promise<boolean>} Ask */

export class Rooms {
  #connection;
  #views;
  #complain;
  #named;
  #answerable;
  /** @type {Map<string, any>} */
  #parts = new Map(); // `any`: what the link shows under a name, as in `firmware_host/link/noticeboard.py`
  /** @type {Protocol.Snapshot["state"] | undefined} */
  #state;
  #lobby;
  #room;
  #chat;
  #bar = part("section", { id: "room-bar", hidden: true });
  #line = part("p", {});
  #news = part("p", { className: "news", dir: "auto" });
  #answers = element("room-answers"); // in the dock, where all that is asked for is answered
  #open = button("", () => this.open(this.#open));
  #notices = part("div", { hidden: true });
  #gone = part("p", { className: "faint", hidden: true, textContent: say("rooms.gone") });
  #answersShown = "";
  #stage = ""; // of the room, when it was last drawn
  #answered = -1; // the number of the last wish whose refusal is known
  #reason = "null"; // the reason for that refusal, or for a later one of what was wished before

  /**
   * `ask(...requests)` sends requests and reports failures, `complain(error)` reports one; `named(name)` takes
   * the name of this board, and `answerable()` is called when other answers are offered in the dock.
   * @param {Connection} connection
   * @param {Views} views
   * @param {Ask} ask
   * @param {(error: unknown) => void} complain
   * @param {(name: string) => void} named
   * @param {() => void} answerable
   */
  constructor(connection, views, ask, complain, named, answerable) {
    this.#connection = connection;
    this.#views = views;
    this.#complain = complain;
    this.#named = named;
    this.#answerable = answerable;
    const want = (/** @type {Protocol.Wish} */ wish) => ask({ rooms: wish });
    this.#lobby = new Lobby(want);
    this.#room = new Room(connection, want, ask, complain);
    this.#chat = new Chat((text) => this.#say(text, want, ask), want);
    this.#line.setAttribute("role", "status");
    this.#news.setAttribute("role", "status");
    this.#bar.append(this.#line, this.#news, this.#open);
    this.#bar.setAttribute("aria-label", say("rooms.title"));
    element("view-play").prepend(this.#bar);
    const { root, leave } = this.#room;
    element("view-rooms").append(this.#notices, this.#gone, this.#lobby.root, root, this.#chat.root, leave);
    connection.addEventListener("parts", ({ detail }) => this.#take(detail));
    connection.addEventListener("found", () => this.#follow());
    addEventListener("hashchange", () => this.#join());
    this.#follow();
    this.#join();
  }

  /**
   * Show what the board itself knows of its room.
   * @param {Protocol.Snapshot} snapshot
   */
  show({ state }) {
    this.#state = state;
    this.#refuse(state.far?.room);
    this.#draw();
  }

  /**
   * Open the view of rooms.
   * @param {HTMLElement} opener
   */
  open(opener) {
    this.#views.open("rooms", opener);
    this.#chat.read(true);
    this.#draw();
  }

  async #follow() {
    try {
      await this.#connection.ask({ rooms: { do: "follow" } });
    } catch {
      // This page may only look on, or the connection is gone, which the page says.
    }
  }

  /** @param {Protocol.Parts} message */
  #take({ all, parts }) {
    if (all) {
      this.#parts.clear();
    }
    for (const [name, value] of Object.entries(parts)) {
      if (value === null) {
        this.#parts.delete(name);
      } else {
        this.#parts.set(name, value);
      }
    }
    this.#draw();
  }

  /** Fill in the invitation of a link that led here; entering the room is the player's own deed. */
  #join() {
    if (location.hash.startsWith(JOIN)) {
      this.#lobby.fill(invitation(location.href));
      history.replaceState(null, "", location.pathname + location.search);
      this.open(element("more"));
    }
  }

  /** True if the board knows the time. */
  get #clock() {
    return this.#parts.get("here")?.clock !== false;
  }

  /**
   * Show what people at the board should do something about, such as a file of the link that was damaged.
   * @param {Protocol.Said[]} [notices]
   */
  #warn(notices = []) {
    const texts = notices.map((notice) => tell(notice, "")).filter(Boolean);
    if (texts.join("\n") !== [...this.#notices.children].map((one) => one.textContent).join("\n")) {
      this.#notices.replaceChildren(...texts.map((text) => part("p", { className: "alarm", textContent: text })));
      this.#notices.hidden = !texts.length;
    }
  }

  #draw() {
    const room = this.#parts.get("room");
    const here = this.#parts.get("here");
    this.#chat.read(this.#views.opened === "rooms");
    this.#gone.hidden = here !== undefined;
    this.#warn(this.#parts.get("notices"));
    this.#lobby.show(this.#parts, here !== undefined && room === undefined, this.#state?.rules ?? "");
    this.#room.show(room, this.#state, this.#clock);
    this.#named(here?.name ?? "");
    this.#chat.show(this.#parts, room?.other?.name || say("rooms.other"));
    const own = this.#state?.far?.room;
    this.#drawBar(room, own);
    this.#begin(own);
  }

  /**
   * Show the board once both players are ready.
   * @param {{ stage: string }} [own]
   */
  #begin({ stage } = NO_ROOM) {
    const begins = stage === "playing" && BEFORE_A_GAME.includes(this.#stage);
    this.#stage = stage;
    if (begins && this.#views.opened === "rooms") {
      this.#views.close();
    }
  }

  /**
   * Draw the room beside the board: how it is, the way to all else, and in the dock what waits for an answer.
   * @param {Shown | undefined} room
   * @param {Reported | undefined} own
   */
  #drawBar(room, own) {
    this.#bar.hidden = !own || !room;
    this.#offer(own && room && !NOWHERE.includes(own.stage) ? this.#room.urgent(own) : []);
    if (!own || !room) {
      [this.#line, this.#news].forEach((one) => write(one, ""));
      return;
    }
    write(this.#line, this.#room.line(room, own, present(this.#state), this.#clock));
    write(this.#news, this.#chat.news);
    const count = this.#chat.unread;
    write(this.#open, count ? say("rooms.unread", { count }) : say("rooms.more"));
  }

  /**
   * Offer answers in the dock.
   * @param {HTMLButtonElement[]} answers
   */
  #offer(answers) {
    const shown = JSON.stringify(answers.map(({ textContent }) => textContent));
    if (shown !== this.#answersShown) {
      this.#answersShown = shown;
      this.#answers.replaceChildren(...answers); // otherwise a button would lose the focus
      this.#answerable();
    }
  }

  /**
   * Say why a wish was refused, once.
   * @param {Reported | undefined} room
   */
  #refuse(room) {
    const { done = 0, refused = null } = room ?? {};
    const reason = JSON.stringify(refused);
    if (this.#answered >= 0 && refused && (done > this.#answered || reason !== this.#reason)) {
      this.#complain(new Error(tell(refused, refused.key)));
    }
    this.#answered = done;
    this.#reason = reason;
  }

  /**
   * Say something, or do what a command means.
   * @param {string} text
   * @param {(wish: Protocol.Wish) => Promise<boolean>} want
   * @param {Ask} ask
   */
  #say(text, want, ask) {
    const { white } = this.#state?.seats ?? {};
    const player = white === "here" ? "white" : "black";
    /** @type {Record<string, Protocol.Do>} */
    const commands = {
      "/ready": { do: "wish", wish: "ready" },
      "/roll": { do: "wish", wish: "ready" },
      "/draw": { do: "wish", wish: "draw" },
      "/resign": { do: "resign", player },
    };
    const command = commands[text.trim().toLowerCase()];
    return command ? ask(command) : want({ do: "say", text });
  }
}
