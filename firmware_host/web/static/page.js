// The page of one board, put together: it draws the messages of the connection, and sends requests for the
// actions of hands.

import { Code } from "./code.js";
import { Connection } from "./connection.js";
import { Controls } from "./controls.js";
import { arrange } from "./geometry.js";
import { Hands } from "./hands.js";
import { Keys } from "./keys.js";
import { Learning } from "./learning.js";
import { Lights } from "./lights.js";
import { Masks } from "./masks.js";
import { NewGame } from "./newgame.js";
import { complain } from "./notice.js";
import { Panel } from "./panel.js";
import { Past } from "./history.js";
import { Pieces } from "./pieces.js";
import { element, present, within } from "./required.js";
import { Settings } from "./settings.js";
import { Sounds } from "./sounds.js";
import { drawWood } from "./wood.js";
import { fill } from "./words.js";

/** @import { Drawer } from "./drawer.js" */
/** @import { Arrangement } from "./geometry.js" */
/** @import { Lying, ShownTable } from "./pieces.js" */
/** @import { Watching } from "./watching.js" */

const stage = element("stage");
const opener = element("break");
const feeling = element("feeling");
const wood = element("wood");
const light = element("light");
const hands = element("hands");
const tallWindow = matchMedia("(max-aspect-ratio: 1/1)");

class Page {
  /** @type {Protocol.Snapshot | undefined} */
  #snapshot;
  /** @type {Arrangement | undefined} */
  #arrangement;
  #drawn = "";
  #due = false;
  /** @type {Lights | undefined} */
  #lights;
  #connection = new Connection();
  #panel = new Panel();
  #newGame = new NewGame(this.#connection, (error) => this.complain(error));
  #controls = new Controls(this.#connection, this.#newGame, (error) => this.complain(error));
  #masks = new Masks((request) => this.#controls.ask(request));
  #settings = new Settings((request) => this.#controls.ask(request));
  #sounds = new Sounds(element("sounds"));
  #learning = new Learning(
    this.#connection,
    (...requests) => this.#controls.ask(...requests),
    (error) => this.complain(error),
  );
  #past = new Past(this.#connection, (error) => this.complain(error));
  #keys = new Keys(hands, this.#connection, this);
  #pieces = new Pieces(hands);
  #hands = new Hands(hands, this.#connection, this);
  /** @type {Drawer | undefined} */
  #drawer; // since it was first opened, which only a simulated board offers
  /** @type {Watching | undefined} */
  #watching; // since it was first asked for, which the drawer offers where there is one

  constructor() {
    this.#connection.addEventListener("snapshot", ({ detail }) => this.#update(detail));
    this.#connection.addEventListener("table", ({ detail }) => this.#moved(detail.table));
    this.#connection.addEventListener("leds", ({ detail }) => this.#lights?.show(detail.leds));
    this.#connection.addEventListener("setup", () => location.replace(`setup.html${location.search}`));
    this.#connection.addEventListener("found", () => this.#reached(true));
    this.#connection.addEventListener("lost", () => this.#reached(false));
    tallWindow.addEventListener("change", () => this.#snapshot && this.#update(this.#snapshot));
    document.addEventListener("words", () => this.#speak());
    feeling.addEventListener("toggle", () => this.#watch());
    element("games").addEventListener("toggle", () => this.#openGames(), { once: true });
    opener.addEventListener("click", () => this.#openDrawer());
    new Code(this.#connection, element("actions"), (error) => this.complain(error));
    this.#connection.open();
  }

  /** The arrangement of everything that is drawn. */
  get arrangement() {
    return present(this.#arrangement);
  }

  /** The positions of the pieces, or null if only the sensors know. */
  get table() {
    return this.#snapshot?.table ?? null;
  }

  /**
   * The pieces that a real board detects, in the form of a table: they cannot be moved from here.
   * @returns {ShownTable}
   */
  get detected() {
    const { standing, beneath, in_hand: box } = this.state;
    /** @type {Lying[]} */
    const pieces = Object.entries(standing).flatMap(([at, piece]) => [
      ...(beneath[at] ?? []).map((lower, i) => ({ id: `${at}-${i}`, piece: lower, at })),
      { id: at, piece, at },
    ]);
    return { pitch: 1, pieces, held: [], box };
  }

  /** The holder of pieces. */
  get hands() {
    return this.#hands;
  }

  /** The board as drawn. */
  get layout() {
    return present(this.#snapshot).layout;
  }

  /** The board's state. */
  get state() {
    return present(this.#snapshot).state;
  }

  /** Draw the pieces again, once before the next frame. */
  redraw() {
    if (!this.#due) {
      this.#due = true;
      requestAnimationFrame(() => {
        this.#due = false;
        this.#pieces.show(this.table ?? this.detected, this.arrangement, this.#hands.carried);
      });
    }
  }

  /**
   * Report a failure.
   * @param {unknown} error
   */
  complain(error) {
    complain(error);
  }

  /** @param {Protocol.Snapshot} snapshot */
  #update(snapshot) {
    this.#snapshot = snapshot;
    document.body.classList.toggle("real", !snapshot.table);
    this.#drawBoard(snapshot);
    this.#lights?.show(snapshot.state.leds);
    this.#panel.show(snapshot);
    this.#controls.show(snapshot);
    this.#masks.show(snapshot);
    this.#newGame.show(snapshot);
    this.#settings.show(snapshot);
    this.#past.show(snapshot);
    this.#learning.show(snapshot);
    this.#sounds.show(snapshot);
    this.#keys.describe();
    this.redraw();
    opener.hidden = !snapshot.simulated;
    feeling.hidden = Boolean(snapshot.simulated) || snapshot.state.can.includes("try-again");
    this.#watching?.show();
    this.#drawer?.show(snapshot);
  }

  async #openDrawer() {
    try {
      if (!this.#drawer) {
        const { Drawer } = await import("./drawer.js");
        this.#drawer ??= new Drawer(this.#connection, this);
      }
      this.#drawer.toggle(present(this.#snapshot));
    } catch (error) {
      this.complain(error);
    }
  }

  async #watch() {
    try {
      if (!this.#watching) {
        const { legend, Watching } = await import("./watching.js");
        within(feeling, "div").replaceChildren(legend());
        this.#watching ??= new Watching(this.#connection, this);
      }
      this.#watching.show();
      this.#watching.watch(feeling.open);
    } catch (error) {
      this.complain(error);
    }
  }

  /** @param {Protocol.Snapshot["table"]} table */
  #moved(table) {
    this.#snapshot = { ...present(this.#snapshot), table };
    this.#keys.describe();
    this.redraw();
  }

  #speak() {
    fill();
    if (this.#snapshot) {
      this.#update(this.#snapshot);
    }
  }

  async #openGames() {
    const { Games } = await import("./games.js");
    new Games(this.#connection, this.#past, (error) => this.complain(error)).list();
  }

  /** @param {Protocol.Snapshot} snapshot */
  #drawBoard({ layout, kinds }) {
    const drawing = JSON.stringify([layout, kinds, tallWindow.matches]);
    if (drawing === this.#drawn) {
      return;
    }
    this.#drawn = drawing;
    const arrangement = arrange(layout, kinds, tallWindow.matches);
    this.#arrangement = arrangement;
    const { x, y, width, height } = arrangement.all;
    for (const drawn of [wood, light, hands]) {
      drawn.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    }
    stage.style.setProperty("--ratio", String(width / height));
    drawWood(wood, layout, arrangement);
    this.#lights = new Lights(light, arrangement);
    this.#keys.arrange(arrangement);
  }

  /** @param {boolean} reached */
  #reached(reached) {
    document.body.classList.toggle("lost", !reached);
    element("banner").hidden = reached;
  }
}

fill();
new Page();
