// The page of one board, put together: it draws the messages of the connection, and sends requests for the
// actions of hands.

import { Asking } from "./asking.js";
import { Clocks } from "./clocks.js";
import { Code } from "./code.js";
import { Connection } from "./connection.js";
import { Controls } from "./controls.js";
import { offerDevice } from "./device.js";
import { Dock, isInRoom, isSettingUp, isUnbegun, isUnplayable } from "./dock.js";
import { arrange, kindsOf } from "./geometry.js";
import { Hands } from "./hands.js";
import { Keys } from "./keys.js";
import { kept } from "./kept.js";
import { LESSONS, Learning } from "./learning.js";
import { Legend } from "./legend.js";
import { Lights } from "./lights.js";
import { Marks } from "./marks.js";
import { Names } from "./names.js";
import { NewGame } from "./newgame.js";
import { Refusal, complain } from "./notice.js";
import { winning } from "./outcomes.js";
import { Panel } from "./panel.js";
import { Past } from "./history.js";
import { Pieces } from "./pieces.js";
import { BoardButton } from "./press.js";
import { Buzzer } from "./buzzer.js";
import { closest, element, present, within } from "./required.js";
import { Settings } from "./settings.js";
import { Sounds } from "./sounds.js";
import { quarters } from "./turning.js";
import { Undo } from "./undo.js";
import { Views } from "./views.js";
import { drawWood } from "./wood.js";
import { fill, say } from "./words.js";

/** @import { Drawer } from "./drawer.js" */
/** @import { Games } from "./games.js" */
/** @import { Arrangement } from "./geometry.js" */
/** @import { Game } from "./diagram.js" */
/** @import { Masks } from "./masks.js" */
/** @import { Rooms } from "./rooms.js" */
/** @import { Lying, ShownTable } from "./pieces.js" */
/** @import { Shared } from "./share.js" */
/** @import { Voice } from "./voice.js" */
/** @import { Watching } from "./watching.js" */

const stage = element("stage");
const opener = element("break");
const feeling = element("feeling");
const workshop = element("workshop");
const voice = element("voice");
const wood = element("wood");
const light = element("light");
const hands = element("hands");
const toRooms = [element("to-rooms"), element("start-far")];
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
  /** @type {Marks | undefined} */
  #marks;
  #connection = new Connection();
  #views = new Views(() => this.#showDock());
  #dock = new Dock();
  #legend = new Legend();
  #panel = new Panel();
  #newGame = new NewGame(this.#connection, (error) => this.complain(error));
  #controls = new Controls(this.#connection, this.#newGame, this.#views, (error) => this.complain(error));
  #undo = new Undo(
    this.#connection,
    () => this.#showDock(),
    () => this.#controls.setRight(),
    (error) => this.complain(error),
  );
  #asking = new Asking((request) => {
    this.#views.close();
    this.#controls.ask(request);
  });
  #buzzer = new Buzzer();
  #boardButton = new BoardButton((request) => this.#controls.ask(request));
  /** @type {Masks | undefined} */
  #masks; // since a sensor was first in doubt
  /** @type {Rooms | undefined} */
  #rooms; // since there was a link to other boards
  #names = new Names((request) => this.#controls.ask(request));
  #settings = new Settings((request) => this.#controls.ask(request));
  #sounds = new Sounds([element("sounds"), element("sounds-first")], element("shakes"));
  #learning = new Learning(
    this.#connection,
    this.#views,
    (...requests) => this.#controls.ask(...requests),
    () => this.#controls.layOut(),
    () => this.#showDock(),
    (error) => this.complain(error),
  );
  #past = new Past(
    this.#connection,
    () => this.#lookedBack(),
    (error) => this.complain(error),
    (game, then) => this.#share({ ...this.#source(game), then }, element("share-then")),
    this.#controls,
  );
  #keys = new Keys(hands, this.#connection, this);
  /** @type {Voice | undefined} */
  #voice; // since it was first wanted
  #pieces = new Pieces(hands);
  #clocks = new Clocks();
  #hands = new Hands(hands, this.#connection, this);
  /** @type {Drawer | undefined} */
  #drawer; // since it was first opened, which only a simulated board offers
  /** @type {Games | undefined} */
  #games; // since they were first listed
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
    document.addEventListener("turned", () => this.#turn());
    document.addEventListener("words", () => this.#speak());
    feeling.addEventListener("toggle", () => this.#watch());
    workshop.addEventListener("toggle", () => this.#openWorkshop());
    voice.value = kept("speech") ?? "off";
    voice.addEventListener("change", async () => (await this.#speaking())?.choose(voice.value));
    if (voice.value !== "off") {
      this.#speaking();
    }
    element("saved-games").addEventListener("click", () => this.#listGames());
    element("share").addEventListener("click", () => this.#share({ names: this.state.names }));
    element("analyse-over").addEventListener("click", () => {
      this.#views.close();
      this.#past.analyse();
    });
    toRooms.forEach((button) => button.addEventListener("click", () => this.#openRooms()));
    addEventListener("hashchange", () => this.#openShared());
    this.#connection.addEventListener("snapshot", () => this.#openShared(), { once: true });
    opener.addEventListener("click", () => this.#openDrawer(opener));
    element("break-it").addEventListener("click", () => this.#openDrawer(element("more")));
    const code = new Code(
      this.#connection,
      element("view-play"),
      (error) => this.complain(error),
      (why) => this.#panel.explain(why),
    );
    element("to-code").addEventListener("click", () => code.reveal());
    element("phases").addEventListener("click", (event) => this.#explain(closest(event, "li")?.dataset.phase));
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

  /** True while a click on a point chooses the sensor to break there. */
  get choosing() {
    return this.#drawer?.choosing ?? false;
  }

  /** True while pieces lie wherever they are let go. */
  get exact() {
    return this.#drawer?.exact ?? false;
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
        const { table } = this;
        const shown = table ? { ...table, captured: this.#captured(table) } : this.detected;
        this.#pieces.show(shown, this.arrangement, this.#hands.carried);
        this.#pieces.crown(winning(this.state, this.layout));
      });
    }
  }

  /**
   * Return how many pieces of each kind in the box were captured, in a game that has one kind for each player: those
   * that are no longer to be placed, unless the game knows of no capture and waits for none. A broken sensor may have
   * been taken for a placement, whose piece nobody has touched.
   * @param {NonNullable<Protocol.Snapshot["table"]>} table
   */
  #captured({ pieces, box }) {
    const { kinds, state } = present(this.#snapshot);
    const isDue = state.moves.some((move) => move.startsWith("x"));
    const single = Object.values(kinds).every(({ player }) => kindsOf(kinds, player).length === 1);
    const counts = Object.entries(kinds).map(([kind, { player }]) => {
      const due = isDue && player !== state.to_move ? 1 : 0;
      const spare = (box[kind] ?? 0) - (state.in_hand[kind] ?? 0);
      return [kind, Math.max(0, Math.min(spare, (state.captured[kind] ?? 0) + due))];
    });
    return single && pieces.length ? Object.fromEntries(counts) : {};
  }

  /** True if a game can be chosen: none has begun, or only a lesson that nobody leads. */
  get #offers() {
    const { classList } = document.body;
    const state = this.#snapshot?.state;
    const idle = !classList.contains("learning") && !classList.contains("looking") && !this.#learning.elsewhere;
    const isFree = idle && state !== undefined && !isUnplayable(state) && !isInRoom(state) && !isSettingUp(state);
    return isFree && (isUnbegun(state) || LESSONS.includes(state.rules));
  }

  #lookedBack() {
    this.#showDock();
    if (this.#snapshot && !this.#past.shown) {
      this.#panel.show(this.#snapshot);
    }
  }

  #showDock() {
    const snapshot = this.#snapshot;
    this.#views.offer(this.#offers);
    this.#dock.show({
      snapshot,
      looksBack: this.#past.shown,
      opened: this.#views.opened,
      view: this.#views.shown,
      offers: this.#offers && !this.#views.dismissed,
      another: this.#learning.elsewhere,
      asked: element("room-answers").hasChildNodes(),
      undoes: this.#undo.offered,
    });
  }

  /**
   * Report a failure: in the sentence if it is a refusal and the sentence is that of this position.
   * @param {unknown} error
   */
  complain(error) {
    if (error instanceof Refusal && this.#snapshot && !this.#past.shown) {
      this.#panel.refuse(error);
    } else {
      complain(error);
    }
  }

  /** @param {string | undefined} phase */
  #explain(phase) {
    if (phase) {
      this.#panel.explain(say(`phase.${phase}`));
    }
  }

  /** @param {Protocol.Snapshot} snapshot */
  #update(snapshot) {
    this.#snapshot = snapshot;
    document.body.classList.toggle("real", !snapshot.table);
    this.#drawBoard(snapshot);
    this.#lights?.haveBars(snapshot.state.clock?.bar_leds ?? 0);
    this.#lights?.calm(snapshot.state);
    this.#lights?.show(snapshot.state.leds);
    this.#marks?.show(snapshot.state, snapshot.layout);
    this.#panel.show(snapshot);
    this.#clocks.show(snapshot);
    this.#controls.show(snapshot);
    this.#undo.show(snapshot);
    this.#showMasks(snapshot);
    this.#showRooms(snapshot);
    this.#asking.show(snapshot.state, this.arrangement);
    this.#boardButton.show(snapshot, this.arrangement);
    this.#buzzer.show(snapshot, this.arrangement);
    this.#newGame.show(snapshot);
    this.#settings.show(snapshot);
    this.#names.show(snapshot);
    this.#past.show(snapshot);
    this.#learning.show(snapshot);
    this.#sounds.show(snapshot);
    this.#voice?.show(snapshot);
    this.#legend.show(snapshot.state);
    this.#showDock();
    this.#keys.describe();
    this.redraw();
    opener.hidden = !snapshot.simulated;
    workshop.hidden = snapshot.state.can.includes("try-again");
    feeling.hidden = Boolean(snapshot.simulated) || workshop.hidden;
    this.#watching?.show();
    this.#drawer?.show(snapshot);
  }

  /** @param {HTMLElement} from */
  async #openDrawer(from) {
    try {
      const { Drawer } = await import("./drawer.js");
      this.#drawer ??= new Drawer(this.#connection, this, this.#views);
      this.#drawer.toggle(present(this.#snapshot), from);
    } catch (error) {
      this.complain(error);
    }
  }

  async #openWorkshop() {
    try {
      (await import("./workshop.js")).offer(workshop, this.#snapshot, this.#controls, this.#views);
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

  /** Return the voice, which is loaded when it is first wanted. */
  async #speaking() {
    try {
      const { Voice } = await import("./voice.js");
      if (!this.#voice) {
        this.#voice = new Voice(
          (request) => this.#controls.ask(request),
          (text) => this.#keys.announce(text),
        );
        if (this.#snapshot) {
          this.#voice.show(this.#snapshot); // earlier utterances are not repeated
        }
      }
    } catch (error) {
      this.complain(error);
    }
    return this.#voice;
  }

  /**
   * @param {NonNullable<Protocol.Do["what"]>} what
   * @param {string} [point]
   */
  async question(what, point) {
    (await this.#speaking())?.ask(what, point);
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

  #turn() {
    if (this.#snapshot) {
      this.#hands.putBack();
      this.#update(this.#snapshot);
    }
  }

  /** @param {Protocol.Snapshot} snapshot */
  async #showMasks({ state: { confirm, suspects, masked } }) {
    if (!this.#masks && confirm.length + suspects.length + masked.length === 0) {
      return;
    }
    try {
      const { Masks } = await import("./masks.js");
      this.#masks ??= new Masks((request) => this.#controls.ask(request), this.#views);
      this.#masks.show(present(this.#snapshot));
    } catch (error) {
      this.complain(error);
    }
  }

  /** @param {Protocol.Snapshot} snapshot */
  async #showRooms({ state: { far } }) {
    const isLinked = far?.room !== undefined;
    toRooms.forEach((button) => (button.hidden = !isLinked));
    if (!isLinked && !this.#rooms) {
      return;
    }
    try {
      const { Rooms } = await import("./rooms.js");
      this.#rooms ??= new Rooms(
        this.#connection,
        this.#views,
        (...requests) => this.#controls.ask(...requests),
        (error) => this.complain(error),
        (name) => this.#panel.callOwn(name),
        () => this.#showDock(),
      );
      this.#rooms.show(present(this.#snapshot));
    } catch (error) {
      this.complain(error);
    }
  }

  async #openRooms() {
    await this.#showRooms(present(this.#snapshot)); // which says so if they can't be fetched
    this.#rooms?.open(element("more"));
  }

  async #listGames() {
    try {
      const { Games } = await import("./games.js");
      this.#games ??= new Games(
        this.#connection,
        this.#past,
        () => tallWindow.matches && this.#views.close(),
        (game) => this.#share({ game }),
        (error) => this.complain(error),
      );
      this.#games.list();
    } catch (error) {
      this.complain(error);
    }
  }

  /**
   * Return what a link to a game that is looked back on is made from.
   * @param {Game} game
   * @returns {Shared}
   */
  #source({ number, record }) {
    if (record !== undefined) {
      return { record };
    }
    return number === undefined ? { names: this.state.names } : { game: number };
  }

  /**
   * Offer a link to a game.
   * @param {Shared} shared
   * @param {HTMLElement} opener
   */
  async #share(shared, opener = element("more")) {
    try {
      const { share } = await import("./share.js");
      await share(this.#connection, this.#views, opener, shared);
    } catch (error) {
      this.complain(error);
    }
  }

  /** Show the game of the link that the page was opened by, if it was one. */
  async #openShared() {
    if (!location.hash.startsWith("#game=")) {
      return;
    }
    try {
      const { sharedGame } = await import("./share.js");
      const { game, after } = await sharedGame(this.#connection);
      await this.#past.open(game, after);
    } catch (error) {
      this.complain(error);
    }
  }

  /** @param {Protocol.Snapshot} snapshot */
  #drawBoard({ layout, kinds }) {
    const drawing = JSON.stringify([layout, kinds, tallWindow.matches, quarters()]);
    if (drawing === this.#drawn) {
      return;
    }
    this.#drawn = drawing;
    const arrangement = arrange(layout, kinds, tallWindow.matches, { quarters: quarters() });
    this.#arrangement = arrangement;
    const { x, y, width, height } = arrangement.all;
    for (const drawn of [wood, light, hands]) {
      drawn.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    }
    stage.parentElement?.style.setProperty("--ratio", String(width / height));
    lay(arrangement);
    drawWood(wood, layout, arrangement);
    this.#lights = new Lights(light, arrangement);
    this.#marks = new Marks(light, this.#pieces.marks, arrangement);
    this.#keys.arrange(arrangement);
    this.#hands.arranged();
  }

  /** @param {boolean} reached */
  #reached(reached) {
    document.body.classList.toggle("lost", !reached);
    element("banner").hidden = reached;
  }
}

/**
 * Put the plaque of each player on its box.
 * @param {Arrangement} arrangement
 */
function lay({ plaques, all }) {
  for (const [player, { x, y, width, height }] of Object.entries(plaques)) {
    const { style } = within(element("players"), "div", `[data-player=${player}]`);
    Object.assign(style, {
      left: `${(100 * (x - all.x)) / all.width}%`,
      top: `${(100 * (y - all.y)) / all.height}%`,
      width: `${(100 * width) / all.width}%`,
      height: `${(100 * height) / all.height}%`,
    });
  }
}

fill();
offerDevice();
new Page();
