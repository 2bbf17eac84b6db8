// The room that the board is in: its invitation, the other board, and what can be wished for there.

import { copied } from "./copying.js";
import { JOIN, unconnected } from "./lobby.js";
import { button, part } from "./parts.js";
import { isLocal } from "./share.js";
import { present } from "./required.js";
import { svg } from "./svg.js";
import { say, tell } from "./words.js";

/** @import { Connection } from "./connection.js" */
/** @import { Ask } from "./rooms.js" */
/** @typedef {Protocol.Snapshot["state"]} State */
/** @typedef {NonNullable<NonNullable<State["far"]>["room"]>} Reported */
/**
 * @typedef {object} Shown
 * @property {string} title
 * @property {string} invitation
 * @property {boolean} public
 * @property {{ name: string, here: boolean, ready: boolean } | null} other
 * @property {boolean} full
 * @property {{ round: number, white: boolean, mine: string, theirs: string } | null} roll
 * @property {("draw" | "take-back")[]} declined what the other player has declined since the last turn
 * @property {"draw" | "take-back" | null} offered
 * @property {{ from: number, mine: string[], theirs: string[] } | null} differs
 */

export class Room {
  #connection;
  #want;
  #ask;
  #complain;
  #title = part("h2", { dir: "auto" });
  #line = part("p", {});
  #deeds = part("div", { className: "deeds" });
  #differs = part("div", { className: "differs", hidden: true });
  #proof = part("p", { className: "faint" });
  #roll = part("details", { className: "roll", hidden: true }, part("summary", { textContent: say("rooms.roll") }), this.#proof);
  #invite = part("section", { hidden: true });
  /** The way out of the room. */
  leave = part("details", { hidden: true });
  #kept = part("input", { type: "text", readOnly: true });
  #shown = "";
  #invited = "";
  root = part("div", { id: "room", hidden: true });

  /**
   * @param {Connection} connection
   * @param {(wish: Protocol.Wish) => Promise<boolean>} want
   * @param {Ask} ask
   * @param {(error: unknown) => void} complain
   */
  constructor(connection, want, ask, complain) {
    this.#connection = connection;
    this.#want = want;
    this.#ask = ask;
    this.#complain = complain;
    this.#kept.setAttribute("aria-label", say("rooms.invitation"));
    const leave = button(say("rooms.leave"), () => this.#want({ do: "leave" }));
    const says = part("p", { className: "faint", textContent: say("rooms.leave-says") });
    this.leave.append(part("summary", { textContent: say("rooms.leave") }), part("div", {}, says, this.#kept, leave));
    this.root.append(this.#title, this.#line, this.#roll, this.#differs, this.#deeds, this.#invite);
  }

  /**
   * Show the room, if there is one.
   * @param {Shown | undefined} room
   * @param {State | undefined} state
   * @param {boolean} clock if the board knows the time
   */
  show(room, state, clock) {
    const own = state?.far?.room;
    this.root.hidden = this.leave.hidden = !room || !own;
    if (!room || !own) {
      this.#forget();
      return;
    }
    const shown = JSON.stringify([room, own, clock]);
    if (shown === this.#shown) {
      return; // a button would lose the focus
    }
    this.#shown = shown;
    this.#title.textContent = room.title || say("rooms.title");
    this.#line.textContent = this.line(room, own, present(state), clock);
    this.#tellRoll(room);
    this.#compare(room.differs, own);
    this.#deeds.replaceChildren(...this.urgent(own), ...this.#offers(room, own));
    this.#kept.value = room.invitation;
    this.#invite.hidden = room.other !== null || room.full;
    if (!this.#invite.hidden && this.#invited !== room.invitation) {
      this.#invited = room.invitation;
      this.#inviteBy(room.invitation).catch((error) => this.#complain(error));
    }
  }

  /** Forget the room that was left: its invitation is a key. */
  #forget() {
    this.#shown = this.#invited = this.#kept.value = "";
    this.#roll.open = false;
    for (const one of [this.#title, this.#line, this.#proof, this.#differs, this.#deeds, this.#invite]) {
      one.replaceChildren();
    }
  }

  /**
   * Return how things stand, in a sentence.
   * @param {Shown} room
   * @param {Reported} own
   * @param {State} state
   * @param {boolean} clock if the board knows the time
   */
  line(room, own, { seats }, clock) {
    const name = room.other?.name || say("rooms.other");
    if (own.stage === "unconnected") {
      return unconnected(clock);
    }
    if (room.full) {
      return tell({ key: "link.full" }, "");
    }
    if (!room.other) {
      return say("rooms.waits");
    }
    return [sits(own, seats), there(room.other, name), asks(name, own) ?? waits(room, own)].filter(Boolean).join(" ");
  }

  /**
   * Return the buttons for what waits for the player here.
   * @param {Reported} own
   */
  urgent({ stage, question, may_claim: mayClaim, trouble }) {
    const wish = (/** @type {string} */ text, /** @type {Protocol.RoomWish} */ what) => button(text, () => this.#ask({ do: "wish", wish: what }));
    return [
      ...(stage === "waiting" ? [wish(say("rooms.ready"), "ready")] : []),
      ...(stage === "over" ? [wish(say("rooms.next"), "ready")] : []),
      ...(question ? [wish(say("rooms.accept"), "accept"), wish(say("rooms.decline"), "decline")] : []),
      ...(mayClaim ? [wish(say("rooms.claim-win"), "claim-win"), wish(say("rooms.claim-draw"), "claim-draw")] : []),
      ...(trouble ? [wish(say("rooms.take-theirs"), "take-theirs")] : []),
    ];
  }

  /**
   * @param {Shown} room
   * @param {Reported} own
   */
  #offers({ offered, declined }, { stage, question, trouble }) {
    if (stage !== "playing" || question || trouble || offered) {
      return [];
    }
    const texts = /** @type {const} */ ([["draw", say("rooms.draw")], ["take-back", say("rooms.take-back")]]);
    return texts
      .filter(([what]) => !declined.includes(what))
      .map(([what, text]) => button(text, () => this.#ask({ do: "wish", wish: what })));
  }

  /** @param {Shown} room */
  #tellRoll({ roll, other }) {
    this.#roll.hidden = roll === null;
    if (roll) {
      const { mine, theirs, white } = roll;
      const name = other?.name || say("rooms.other");
      this.#proof.textContent = white ? say("rooms.roll.mine", { mine, theirs }) : say("rooms.roll.theirs", { mine, theirs, name });
    }
  }

  /**
   * Show both games side by side while the boards disagree.
   * @param {Shown["differs"]} differs
   * @param {Reported} own
   */
  #compare(differs, { trouble }) {
    this.#differs.hidden = trouble === null;
    const why = part("p", { className: "alarm", textContent: tell(trouble ?? undefined, "") });
    const games = differs ? [part("p", { textContent: say("rooms.differs", { count: differs.from }) }), ...sides(differs)] : [];
    this.#differs.replaceChildren(why, ...games);
  }

  /** @param {string} text */
  async #inviteBy(text) {
    const link = `${location.origin}${location.pathname}${JOIN}${encodeURIComponent(text)}`;
    const note = part("p", { className: "faint" });
    note.setAttribute("role", "status");
    const fields = [give(text, say("rooms.invitation"), note), give(link, say("rooms.link"), note)];
    const unreached = [
      ...(isLocal(broker(text)) ? [say("rooms.local-broker")] : []),
      ...(isLocal(location.hostname) ? [say("rooms.local-page")] : []),
    ];
    this.#invite.replaceChildren(
      part("h3", { textContent: say("rooms.invite") }),
      part("p", { className: "faint", textContent: say("rooms.invite-says") }),
      ...unreached.map((textContent) => part("p", { className: "alarm", textContent })),
      ...fields,
      note,
      part("p", { className: "faint", textContent: say("rooms.link-says") }),
    );
    const { path, size } = await this.#connection.ask({ ask: "qr", text: link });
    if (this.#invited !== text) {
      return; // the room was left in the meantime
    }
    const code = svg("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": say("rooms.qr"), class: "qr" });
    code.append(svg("path", { fill: "#fff", d: `M0 0h${size}v${size}H0z` }), svg("path", { fill: "#000", d: path }));
    this.#invite.append(code);
  }
}

/**
 * Return the host of the broker that an invitation names.
 * @param {string} text as `MW1:host:port/room#key`
 */
const broker = (text) => text.replace(/^MW1:/, "").replace(/:\d+\/.*$/, "");

/**
 * Return who plays which side, during a game.
 * @param {Reported} own
 * @param {State["seats"]} seats
 */
function sits({ stage }, { white }) {
  if (stage !== "playing") {
    return "";
  }
  return white === "here" ? say("rooms.you-are.white") : say("rooms.you-are.black");
}

/**
 * Return where the other player is, and whether they wait for this one to begin.
 * @param {NonNullable<Shown["other"]>} other
 * @param {string} name
 */
function there({ here, ready }, name) {
  if (!here) {
    return say("rooms.away", { name });
  }
  return ready ? say("rooms.wants-to-begin", { name }) : say("rooms.here", { name });
}

/**
 * Return the question of the other player, if there is one.
 * @param {string} name
 * @param {Reported} own
 */
function asks(name, { question, may_claim: mayClaim }) {
  if (question) {
    return say(`rooms.asks.${question}`, { name });
  }
  return mayClaim ? say("rooms.claim-says", { name }) : undefined;
}

/**
 * Return what the player here waits for, if it is something.
 * @param {Shown} room
 * @param {Reported} own
 */
function waits({ offered, declined }, { stage }) {
  if (stage === "ready") {
    return say("rooms.is-ready");
  }
  if (stage !== "playing") {
    return "";
  }
  return offered ? say(`rooms.offered.${offered}`) : declined.length ? say("link.declined") : "";
}

/**
 * Return a text to copy or to send.
 * @param {string} text
 * @param {string} title
 * @param {HTMLElement} note
 */
function give(text, title, note) {
  const own = part("input", { type: "text", readOnly: true, value: text });
  own.addEventListener("focus", () => own.select());
  const copy = button(say("rooms.copy"), async () => (note.textContent = (await copied(own)) ? say("share.copied") : say("share.selected")));
  copy.setAttribute("aria-label", `${say("rooms.copy")}: ${title}`);
  const send = "share" in navigator ? [button(say("share.send"), () => navigator.share({ text }).catch(() => own.select()))] : [];
  return part("div", { className: "give" }, part("label", {}, part("span", { textContent: title }), own), copy, ...send);
}

/** @param {NonNullable<Shown["differs"]>} differs */
function sides({ from, mine, theirs }) {
  const rows = [
    [say("rooms.mine"), mine],
    [say("rooms.theirs"), theirs],
  ];
  return rows.map(([title, turns]) =>
    part("p", {}, part("b", { textContent: `${title}: ` }), /** @type {string[]} */ (turns).map((turn, i) => `${from + i}. ${turn}`).join("  ") || "–"),
  );
}
