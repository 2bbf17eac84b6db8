// The actions of pointers on pieces. A dragged piece is pushed over the wood, where sensors detect it, until
// it would touch another or cross the rim: then it is lifted, and carried above the others. Holding still,
// Shift or the right button lift it at once; pieces from a box, and those that can stand on others, are in
// the air anyway. A click picks a piece up, and the next one puts it down; on a piece that has to leave the
// board it takes that piece, and on a free point it places one (taps.js). Each finger holds a piece of its own,
// and several fingers at once tap nothing. Between the points a piece lies, or slides on if it is let go in motion,
// only for those who have said so, or with Alt.
//
// Invariants: only the board knows the places of pieces; a released piece is drawn where the hand left it
// until the board has answered; a piece that was taken is in no hand; the place of the pointer decides where a piece
// lands, not the place where it is drawn.

import { BOX, PIECE, back, blocked, inField, isOnWood, landing, measured, nearest, onTable, reach, stacks, trayAt, wayOnBoard } from "./geometry.js";
import { Pushes } from "./pushes.js";
import { closest, present } from "./required.js";
import { atRest, settled } from "./settled.js";
import { svg } from "./svg.js";
import { deedAt, meansPoint, mustLeave, noRoom, noSensor } from "./taps.js";
import { Trail } from "./trail.js";

/** @import { Connection } from "./connection.js" */
/** @import { Aim, Arrangement, Spot, Table } from "./geometry.js" */

/**
 * A piece in a hand: `from` is a point, "table", "box" or "hands", and `spot` its present place. A piece from
 * a box has no number.
 * @typedef {object} Grip
 * @property {string} id
 * @property {number | undefined} number
 * @property {string} kind
 * @property {string} from
 * @property {Spot} spot
 * @property {Spot} home
 * @property {boolean} [inAir]
 * @property {boolean} [over] let go, or lost
 * @property {Promise<unknown>} [lifted]
 * @property {number} [timer]
 * @property {boolean} [pushing]
 * @property {Spot} [target] where it was pushed last
 * @property {number} [pushed] and when
 */

/**
 * A pressed pointer at `x` and `y` of the window: on the piece `under` it, and with the piece of `grip`,
 * which was at `grasp` when the pointer was at `began`. A piece of a finger is drawn `above` it by so much.
 * @typedef {object} Press
 * @property {Grip | undefined} grip
 * @property {Grip | undefined} under
 * @property {number} x
 * @property {number} y
 * @property {Spot} began
 * @property {Spot} grasp
 * @property {Trail} trail
 * @property {boolean} moved
 * @property {number} above
 * @property {boolean} [joined] another pointer was pressed at the same time
 */

/** @typedef {Pick<Grip, "id" | "number" | "kind" | "from" | "spot" | "inAir"> & { grip: Grip }} Carried */

/**
 * The parts of the page that hands use.
 * @typedef {object} View
 * @property {Arrangement} arrangement
 * @property {Table | null} table
 * @property {Protocol.Snapshot["state"]} [state] missing where no game is played
 * @property {boolean} [choosing] whether a pointer only chooses a point
 * @property {boolean} [exact] whether pieces lie wherever they are let go, also between the points
 * @property {() => void} redraw
 * @property {(error: unknown) => void} complain
 */

const ABOVE_FINGER = 0.62;
const AROUND_PIECE = 0.44, AROUND_THUMB = 0.85; // the radius of the ring on the point where a piece lands
/** @type {Record<string, number>} */
const HOLDS_STILL_PX = { mouse: 4, pen: 6, touch: 9 };
const NO_TAP = { name: undefined, at: -Infinity };

export class Hands {
  #root;
  #connection;
  #view;
  #pushes;
  #marker = svg("circle", { class: "marker", r: AROUND_PIECE, visibility: "hidden" });
  /** @type {Map<number, Press>} */
  #presses = new Map(); // of pressed pointers
  /** @type {Grip | undefined} */
  #picked; // the piece picked up by a click or a key
  /** @type {Map<string, Carried>} */
  #carried = new Map();
  #count = 0; // of pieces taken out of a box
  /** @type {{ name: string | undefined, at: number }} */
  #tapped = NO_TAP; // the point of the last tap that did something
  /** @type {Promise<void>} */
  #tapping = Promise.resolve(); // taps on free points wait for each other

  /**
   * `view` has the current `arrangement` and `table` of the page, and can `redraw()` and `complain(error)`.
   * @param {SVGSVGElement} root
   * @param {Connection} connection
   * @param {View} view
   */
  constructor(root, connection, view) {
    this.#root = root;
    this.#connection = connection;
    this.#view = view;
    this.#pushes = new Pushes(
      (request) => connection.ask(request),
      (spot) => this.#place(spot),
    );
    root.append(this.#marker);
    root.addEventListener("pointerdown", (event) => this.#press(event));
    root.addEventListener("pointermove", (event) => this.#move(event));
    root.addEventListener("pointerup", (event) => this.#release(event));
    root.addEventListener("pointercancel", (event) => this.#cancel(event));
    root.addEventListener("contextmenu", (event) => event.preventDefault()); // a finger held still, a right button
    connection.addEventListener("snapshot", ({ detail }) => this.#check(detail.table));
    connection.addEventListener("table", ({ detail }) => this.#check(detail.table));
    connection.addEventListener("lost", () => this.#forgetAll());
  }

  /**
   * The pieces that hands hold, and those just released: id to id, kind, spot and whether it is in the air.
   */
  get carried() {
    return this.#carried;
  }

  /** The kind of the piece picked up by a click or a key, if there is one. */
  get picked() {
    return this.#picked;
  }

  /**
   * Pick up a piece of the table, or one of the box if it has no number.
   * @param {Pick<Grip, "id" | "number" | "kind" | "from" | "spot">} piece
   */
  pick({ id, number, kind, from, spot }) {
    /** @type {Grip} */
    const grip = { id, number, kind, from, spot, home: spot };
    this.#picked = grip;
    this.#lift(grip);
    return grip.lifted;
  }

  /**
   * Hold the picked-up piece above a spot.
   * @param {Spot} spot
   */
  hover(spot) {
    if (this.#picked) {
      this.#carry(this.#picked, spot);
    }
  }

  /**
   * Put the picked-up piece down on a point, at a spot or in the BOX.
   * @param {Aim | undefined} aim
   */
  setDown(aim) {
    const grip = present(this.#picked);
    this.#picked = undefined;
    this.#mark(undefined);
    return this.#letGo(grip, aim);
  }

  /**
   * Take a piece off the board, into the box.
   * @param {Pick<Grip, "id" | "number" | "kind" | "from" | "spot">} piece
   */
  async take({ id, number, kind, from, spot }) {
    await this.#take({ id, number, kind, from, spot, home: spot });
  }

  /** Put the picked-up piece back, since the board is about to be turned under it. */
  putBack() {
    if (this.#picked) {
      this.#try(this.setDown(undefined));
    }
  }

  /** Put away whatever was in the air when the board is drawn in another arrangement. */
  arranged() {
    for (const grip of this.#all().filter(({ inAir, from }) => inAir && from === "box")) {
      this.#forget(grip);
    }
  }

  // ---- pointers ----------------------------------------------------------------------------------------

  /** @param {PointerEvent} event */
  #press(event) {
    if (!this.#view.table || this.#view.choosing || (event.button !== 0 && event.button !== 2)) {
      return;
    }
    const began = this.#spot(event);
    const piece = closest(event, ".piece") ?? this.#near(began, event); // a piece in the air lets the pointer through
    if (piece && this.#isHeld(piece.dataset.id)) {
      return;
    }
    event.preventDefault();
    this.#root.setPointerCapture(event.pointerId);
    const under = piece ? this.#gripOf(piece) : undefined;
    const picked = this.#pickedAt(began);
    const grip = picked ? { ...picked } : under;
    this.#note(event, { grip, under, began });
    if (grip && !grip.inAir) {
      this.#prepareLift(grip, event);
    }
  }

  /**
   * @param {PointerEvent} event
   * @param {Pick<Press, "grip" | "under" | "began">} press
   */
  #note({ pointerId, clientX: x, clientY: y }, { grip, under, began }) {
    const joined = this.#presses.size > 0;
    this.#presses.forEach((press) => (press.joined = true));
    this.#presses.set(pointerId, { grip, under, x, y, began, grasp: grip?.spot ?? began, trail: new Trail(), moved: false, above: 0, joined });
  }

  /**
   * Return the piece that a pointer beside it means: the top one on the nearest point, or one of a box.
   * @param {Spot} spot
   * @param {PointerEvent} event
   */
  #near(spot, { pointerType }) {
    const tray = trayAt(this.#view.arrangement, spot);
    if (tray) {
      return this.#closestOf(`[data-from="box"][data-player="${tray}"]`, spot);
    }
    const name = pointerType === "mouse" ? undefined : this.#pointAt(spot, pointerType)?.name;
    return name === undefined ? undefined : this.#closestOf(`[data-from="${name}"]:not(.covered)`, spot);
  }

  /**
   * Return the drawn piece that matches and is the nearest.
   * @param {string} selector
   * @param {Spot} spot
   */
  #closestOf(selector, spot) {
    const far = (/** @type {SVGElement} */ piece) => {
      const { x, y } = this.#drawn(piece);
      return Math.hypot(x - spot.x, y - spot.y);
    };
    const found = [.../** @type {NodeListOf<SVGElement>} */ (this.#root.querySelectorAll(`.piece${selector}`))];
    return found.sort((one, other) => far(one) - far(other))[0];
  }

  /**
   * @param {Spot} spot
   * @param {string} pointerType
   */
  #pointAt(spot, pointerType) {
    return nearest(this.#view.arrangement, spot, reach(pointerType));
  }

  /**
   * Return whether a pressed pointer holds this piece.
   * @param {string | undefined} id
   */
  #isHeld(id) {
    return [...this.#presses.values()].some(({ grip }) => grip !== undefined && grip.id === id);
  }

  /**
   * @param {Grip} grip
   * @param {PointerEvent} event
   */
  #prepareLift(grip, event) {
    if (event.shiftKey || event.button === 2) {
      this.#lift(grip);
    } else if (grip.from !== "box") {
      grip.timer = setTimeout(() => this.#lift(grip), Number(this.#root.dataset.liftsAfter));
    }
  }

  /**
   * @param {HTMLElement | SVGElement} piece
   * @returns {Grip}
   */
  #gripOf(piece) {
    const { id = "", from = "", piece: kind = "", number } = piece.dataset;
    const spot = this.#drawn(piece);
    const own = from === "box" ? `out-${++this.#count}` : id;
    return { id: own, kind, from, number: Number(number) || undefined, spot, home: spot };
  }

  /** @param {Spot} spot */
  #pickedAt({ x, y }) {
    const picked = this.#picked;
    return picked && Math.hypot(x - picked.spot.x, y - picked.spot.y) <= PIECE ? picked : undefined;
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const press = this.#presses.get(event.pointerId);
    if (!press) {
      this.#hoverWith(event);
      return;
    }
    const way = Math.hypot(event.clientX - press.x, event.clientY - press.y);
    if (!press.moved && way < (HOLDS_STILL_PX[event.pointerType] ?? 0)) {
      return;
    }
    if (!press.moved) {
      this.#begin(press);
    }
    if (press.grip) {
      this.#drag(press, press.grip, event);
    }
  }

  /** @param {PointerEvent} event */
  #hoverWith(event) {
    if (this.#picked && event.pointerType === "mouse") {
      const spot = this.#spot(event);
      this.#carry(this.#picked, spot);
      this.#mark(this.#aim(this.#picked, spot, event), event);
    }
  }

  /**
   * A drag begins: the picked-up piece goes back first.
   * @param {Press} press
   */
  #begin(press) {
    press.moved = true;
    const { grip } = press;
    if (!grip) {
      return;
    }
    clearTimeout(grip.timer);
    if (this.#picked?.id === grip.id) {
      this.#picked = undefined;
    } else if (this.#picked) {
      this.#try(this.setDown(undefined));
    }
    if (grip.from === "box" || grip.from === "hands" || stacks(this.#view.arrangement)) {
      this.#lift(grip);
    }
  }

  /**
   * @param {Press} press
   * @param {Grip} grip
   * @param {PointerEvent} event
   */
  #drag(press, grip, event) {
    const { arrangement } = this.#view;
    const spot = this.#heldAt(press, event);
    if (!grip.inAir && (!inField(arrangement, spot) || this.#isInTheWay(grip, spot))) {
      this.#lift(grip);
    }
    press.trail.add(event.timeStamp, spot);
    this.#carry(grip, spot, press.above);
    this.#mark(this.#aim(grip, this.#spot(event), event), event);
    if (!grip.inAir) {
      this.#pushes.follow(grip).catch((error) => this.#refuse(grip, error));
    }
  }

  /**
   * Return whether something is in the way of a pushed piece, straight from where it was pushed last: the board
   * doesn't hear of the places in between.
   * @param {Grip} grip
   * @param {Spot} spot
   */
  #isInTheWay(grip, spot) {
    return blocked(this.#view.arrangement, present(this.#view.table), grip, grip.target ?? grip.home, spot);
  }

  /** @param {PointerEvent} event */
  #release(event) {
    const press = this.#end(event);
    if (press?.moved && press.grip) {
      this.#drop(press, press.grip, event);
    } else if (press?.joined) {
      this.#setBack(press);
    } else if (press && !press.moved) {
      this.#click(press, event);
    }
  }

  /**
   * @param {Press} press
   * @param {Grip} grip
   * @param {PointerEvent} event
   */
  #drop(press, grip, event) {
    const spot = this.#spot(event);
    const speed = press.trail.speedAt(event.timeStamp, this.#scale());
    const aim = this.#aim(grip, spot, event);
    if (speed && aim && aim !== BOX && !aim.name) {
      this.#try(this.#flick(grip, spot, speed));
    } else {
      this.#try(this.#letGo(grip, aim));
      this.#explain(grip, aim, spot, event);
    }
  }

  /**
   * Say why a piece that was let go at `spot` goes back, if there is no `aim` for it.
   * @param {Grip} grip
   * @param {Aim | undefined} aim
   * @param {Spot} spot
   * @param {PointerEvent} event
   */
  #explain(grip, aim, spot, { pointerType }) {
    const { arrangement, table, state, exact } = this.#view;
    if (aim === undefined) {
      const isPlace = exact || this.#pointAt(spot, pointerType);
      this.#view.complain(isPlace ? noRoom(arrangement, present(table), state, grip, spot) : noSensor(state));
    }
  }

  /** @param {PointerEvent} event */
  #cancel(event) {
    const press = this.#end(event);
    const grip = press?.grip;
    if (grip && press.moved) {
      this.#try(this.#letGo(grip, this.#view.exact && !grip.inAir ? grip.spot : undefined));
    } else if (press) {
      this.#setBack(press);
    }
  }

  /**
   * A piece that was lifted by holding still goes back; one that was picked up before stays in the hand.
   * @param {Press} press
   */
  #setBack({ grip }) {
    if (grip?.inAir && grip.id !== this.#picked?.id) {
      this.#try(this.#letGo(grip, undefined));
    }
  }

  /** @param {PointerEvent} event */
  #end({ pointerId }) {
    const press = this.#presses.get(pointerId);
    this.#presses.delete(pointerId);
    clearTimeout(press?.grip?.timer);
    this.#mark(undefined);
    return press;
  }

  /**
   * The first click picks a piece up; the second puts it down where there is room, also on another piece. On
   * a piece that carries none, it picks that one up instead.
   * @param {Press} press
   * @param {PointerEvent} event
   */
  #click({ grip, under }, event) {
    const before = this.#picked;
    const spot = this.#spot(event);
    if (before) {
      this.#tapped = NO_TAP; // a tap elsewhere came between: the next one repeats none
      const there = grip?.id === before.id && event.pointerType !== "mouse";
      const aim = this.#aim(before, there ? before.spot : spot, event);
      this.#try(this.setDown(aim));
      if (aim || under) {
        this.#pickOrTake(aim ? undefined : under, event);
      } else {
        this.#explain(before, aim, spot, event);
      }
    } else {
      this.#tap(grip, spot, event);
    }
  }

  /**
   * Do what a tap means with nothing in the hand: on a piece, on a free point, or on the wood beside the points.
   * @param {Grip | undefined} grip
   * @param {Spot} spot
   * @param {PointerEvent} event
   */
  #tap(grip, spot, event) {
    const name = this.#pointAt(spot, event.pointerType)?.name;
    if (this.#isTwice(name, event)) {
      return;
    }
    if (grip && !this.#meansPoint(grip)) {
      this.#pickOrTake(grip, event);
    } else if (name !== undefined) {
      this.#fillFree(name, event, grip);
    } else {
      this.#missed(spot);
    }
  }

  /**
   * Say that there is no sensor where somebody tapped the wood.
   * @param {Spot} spot
   */
  #missed(spot) {
    const { state, arrangement } = this.#view;
    if (state && isOnWood(arrangement, spot)) {
      this.#view.complain(noSensor(state));
    }
  }

  /**
   * @param {Grip | undefined} grip
   * @param {PointerEvent} event
   */
  #pickOrTake(grip, { timeStamp }) {
    if (grip && this.#mustLeave(grip)) {
      this.#tapped = { name: grip.from, at: timeStamp };
      this.#try(this.#take(grip));
    } else if (grip) {
      this.#picked = grip;
      this.#lift(grip);
    }
  }

  /** @param {Grip} grip */
  #meansPoint({ from }) {
    const { state, arrangement, choosing } = this.#view;
    return state !== undefined && !choosing && arrangement.points.has(from) && meansPoint(state, arrangement, from);
  }

  /** @param {Grip} grip */
  #mustLeave({ number, from, kind }) {
    const { state, arrangement } = this.#view;
    return number !== undefined && state !== undefined && mustLeave(state, from, present(arrangement.kinds[kind]).player);
  }

  /**
   * Return whether this tap repeats the last one: people tap twice where once is enough.
   * @param {string | undefined} name
   * @param {PointerEvent} event
   */
  #isTwice(name, { timeStamp }) {
    return name !== undefined && name === this.#tapped.name && timeStamp - this.#tapped.at < Number(this.#root.dataset.tapsAgainAfter);
  }

  /**
   * A tap on a free point, or on the piece of `grip` that can't be moved there, does what is meant, once the board has
   * taken in what was done before.
   * @param {string} name
   * @param {PointerEvent} event
   * @param {Grip} [grip]
   */
  #fillFree(name, event, grip) {
    if (!this.#view.state) {
      return;
    }
    this.#tapped = { name, at: event.timeStamp };
    this.#mark({ ...present(this.#view.arrangement.points.get(name)), name }, event);
    this.#tapping = this.#tapping
      .then(() => this.#fillOrPick(name, grip, event))
      .catch((error) => this.#refuseTap(error))
      .finally(() => this.#mark(undefined));
  }

  /**
   * @param {string} name
   * @param {Grip | undefined} grip
   * @param {PointerEvent} event
   */
  async #fillOrPick(name, grip, event) {
    await atRest(this.#connection, this.#view);
    if (grip && !this.#meansPoint(grip)) {
      this.#pickOrTake(grip, event);
    } else {
      await this.fill(name);
    }
  }

  /**
   * A tap that did nothing may be repeated at once, and is refused again.
   * @param {unknown} error
   */
  #refuseTap(error) {
    this.#tapped = NO_TAP;
    this.#view.complain(error);
  }

  /**
   * Put down on a free point the piece that belongs there now; fail with the place to begin if none does.
   * @param {string} name
   */
  async fill(name) {
    await atRest(this.#connection, this.#view);
    const { arrangement } = this.#view;
    const [state, table] = [present(this.#view.state), present(this.#view.table)];
    const before = table.pieces.length;
    await this.#connection.ask(deedAt(name, state, table, arrangement.kinds));
    await settled(this.#connection, this.#view, ({ pieces }) => pieces.length !== before);
  }

  // ---- requests to the board -----------------------------------------------------------------------------

  /** @param {Grip} grip */
  #lift(grip) {
    clearTimeout(grip.timer);
    grip.inAir = true;
    if (!grip.lifted && grip.from !== "box" && grip.from !== "hands") {
      grip.lifted = this.#connection.ask({ lift: present(grip.number) });
      grip.lifted.catch((error) => this.#refuse(grip, error));
    }
    this.#carry(grip, grip.spot);
  }

  /**
   * @param {Grip} grip
   * @param {Spot} spot
   * @param {[number, number]} speed to the right and up on the screen
   */
  async #flick(grip, spot, [right, up]) {
    grip.over = true;
    const place = this.#place(spot);
    const { number, kind, inAir } = grip;
    const way = wayOnBoard(this.#view.arrangement, { x: right, y: -up });
    try {
      await (inAir ? this.#connection.ask({ put: place, piece: number ?? kind }) : this.#pushes.to(grip, spot, 0));
      await this.#connection.ask({ flick: number ?? place, speed: [way.x, way.y] });
    } finally {
      this.#forget(grip);
    }
  }

  /**
   * Release over `aim`: a point, a spot, the BOX, or nothing, which sends the piece back to where it was.
   * @param {Grip} grip
   * @param {Aim | undefined} aim
   */
  async #letGo(grip, aim) {
    const { arrangement, table } = this.#view;
    const target = aim ?? back(arrangement, present(table), grip);
    grip.over = true;
    try {
      if (target === BOX) {
        await this.#stow(grip);
      } else if (target) {
        this.#draw(grip, target, false);
        await this.#land(grip, target);
      }
    } finally {
      this.#forget(grip);
    }
  }

  /**
   * Take a piece off the board and put it into the box.
   * @param {Grip} grip
   */
  async #take(grip) {
    grip.over = true;
    try {
      await (grip.lifted ?? this.#connection.ask({ lift: present(grip.number) }));
      await this.#connection.ask({ box: true });
      await settled(this.#connection, this.#view, (table) => !table.pieces.some(({ id }) => id === grip.number));
    } finally {
      this.#forget(grip);
    }
  }

  /** @param {Grip} grip */
  async #stow(grip) {
    if (!grip.inAir) {
      await this.#connection.ask({ lift: present(grip.number) });
    }
    if (grip.number) {
      await this.#connection.ask({ box: true });
      await settled(this.#connection, this.#view, (table) => table.held.length === 0);
    }
  }

  /**
   * @param {Grip} grip
   * @param {Spot & { name?: string }} target
   */
  async #land(grip, target) {
    const place = target.name ?? this.#place(target);
    const { arrangement } = this.#view;
    /**
     * @param {Protocol.PieceOnTable} piece
     * @param {number} pitch
     */
    const lies = (piece, pitch) => {
      const there = onTable(arrangement, piece, pitch); // as the board lay when the piece was let go
      return (!grip.number || piece.id === grip.number) && Math.hypot(there.x - target.x, there.y - target.y) < 0.02;
    };
    if (grip.inAir) {
      await this.#connection.ask({ put: place, piece: grip.number ?? grip.kind });
    } else if (this.#isInTheWay(grip, target)) {
      await this.#connection.ask({ lift: present(grip.number) });
      await this.#connection.ask({ put: place, piece: present(grip.number) });
    } else {
      await this.#pushes.to(grip, target);
    }
    await settled(this.#connection, this.#view, (table) => table.pieces.some((piece) => lies(piece, table.pitch)));
  }

  /**
   * @param {Grip} grip
   * @param {unknown} error
   */
  #refuse(grip, error) {
    if (!grip.over) {
      this.#forget(grip);
      this.#view.complain(error);
    }
  }

  /** @param {Promise<void>} deed */
  #try(deed) {
    deed.catch((error) => this.#view.complain(error));
  }

  /**
   * Other pages may take away a held piece: then the hand is empty.
   * @param {Table | null} table
   */
  #check(table) {
    for (const grip of this.#all().filter(({ number }) => number)) {
      const there = [...(table?.pieces ?? []), ...(table?.held ?? [])].some(({ id }) => id === grip.number);
      if (!there) {
        this.#forget(grip);
      }
    }
  }

  // ---- places --------------------------------------------------------------------------------------------

  #all() {
    const dragged = [...this.#presses.values()].flatMap(({ grip }) => grip ?? []);
    return this.#picked ? [...dragged, this.#picked] : dragged;
  }

  /**
   * @param {Grip} grip
   * @param {Spot} spot
   * @param {number} [above] the spot the piece is drawn
   */
  #carry(grip, spot, above = 0) {
    grip.spot = { x: spot.x, y: spot.y };
    this.#draw(grip, { x: spot.x, y: spot.y - above }, grip.inAir);
  }

  /**
   * @param {Grip} grip
   * @param {Spot} spot
   * @param {boolean | undefined} inAir
   */
  #draw(grip, spot, inAir) {
    const { id, number, kind, from } = grip;
    this.#carried.set(id, { grip, id, number, kind, from, spot, inAir });
    this.#view.redraw();
  }

  #forgetAll() {
    this.#all().forEach((grip) => this.#forget(grip));
    this.#presses.clear();
    this.#mark(undefined);
  }

  /** @param {Grip} grip */
  #forget(grip) {
    grip.over = true;
    clearTimeout(grip.timer);
    if (this.#carried.get(grip.id)?.grip === grip) {
      this.#carried.delete(grip.id);
    }
    if (this.#picked === grip) {
      this.#picked = undefined;
      this.#mark(undefined);
    }
    for (const [pointer, press] of this.#presses) {
      if (press.grip === grip) {
        this.#presses.delete(pointer);
        this.#mark(undefined);
      }
    }
    this.#view.redraw();
  }

  /**
   * Show the point on which a piece would land, so that a thumb on it doesn't hide the ring.
   * @param {Aim | undefined} aim
   * @param {{ pointerType?: string }} [event]
   */
  #mark(aim, { pointerType } = {}) {
    const point = aim !== undefined && aim !== BOX && aim.name ? aim : undefined;
    this.#marker.setAttribute("visibility", point ? "visible" : "hidden");
    if (point) {
      this.#marker.setAttribute("r", String(pointerType === "touch" ? AROUND_THUMB : AROUND_PIECE));
      this.#marker.setAttribute("cx", String(point.x));
      this.#marker.setAttribute("cy", String(point.y));
    }
  }

  /**
   * Return the target of a piece released at `spot`; with Alt it is exactly there.
   * @param {Grip} grip
   * @param {Spot} spot
   * @param {PointerEvent} event
   */
  #aim(grip, spot, event) {
    const { pointerType = "mouse", altKey } = event;
    return landing(this.#view.arrangement, present(this.#view.table), grip, spot, { pointerType, altKey, exact: this.#view.exact });
  }

  /** @param {HTMLElement | SVGElement} piece */
  #drawn(piece) {
    const { e: x, f: y } = new DOMMatrix(piece.style.transform);
    return { x, y };
  }

  /**
   * Return the place of the piece of a pressed pointer. A piece comes under the pointer on the way to the next
   * point, wherever it was grasped. A finger would hide it: the further it moves, the higher above the finger the
   * piece is drawn.
   * @param {Press} press
   * @param {PointerEvent} event
   */
  #heldAt(press, event) {
    const { began, grasp } = press;
    const spot = this.#spot(event);
    const way = Math.hypot(spot.x - began.x, spot.y - began.y);
    const rest = Math.max(0, 1 - way);
    press.above = event.pointerType === "touch" ? Math.min(ABOVE_FINGER, way) : 0;
    return { x: spot.x + rest * (grasp.x - began.x), y: spot.y + rest * (grasp.y - began.y) };
  }

  /** @param {Spot} spot */
  #place(spot) {
    return measured(this.#view.arrangement, spot, present(this.#view.table).pitch);
  }

  /** @param {PointerEvent} event */
  #spot({ clientX, clientY }) {
    return new DOMPoint(clientX, clientY).matrixTransform(present(this.#root.getScreenCTM()).inverse());
  }

  // Return the pixels and millimetres of a unit.
  #scale() {
    return { pixels: present(this.#root.getScreenCTM()).a, millimetres: present(this.#view.table).pitch };
  }
}
