// What pointers do with pieces. A piece that is dragged is pushed over the wood, where sensors feel it, until
// it would run into another or over the rim: then it is lifted, and carried above the rest. Holding still, Shift
// or the right button lift it at once; what comes from a box is in the air anyway, and so is what may stand on
// another piece. A click picks a piece up, the next one sets it down. Let go in motion, a piece slides on. Several
// fingers hold several pieces.
//
// Rules kept here: only the board says what lies where; what was let go is drawn where the hand left it until the
// board has answered.

import { BOX, PIECE, back, blocked, inField, landing, measured, onTable, stacks } from "./geometry.js";
import { Pushes } from "./pushes.js";
import { settled } from "./settled.js";
import { svg } from "./svg.js";
import { Trail } from "./trail.js";

const ABOVE_FINGER = 0.62;
const HOLDS_STILL_PX = { mouse: 4, pen: 6, touch: 9 };

export class Hands {
  #root;
  #connection;
  #view;
  #pushes;
  #marker = svg("circle", { class: "marker", r: 0.44, visibility: "hidden" });
  #grips = new Map(); // of pointers that are down
  #picked; // what a click or a key picked up
  #carried = new Map();
  #count = 0; // of pieces that were taken out of a box

  /** `view` has the page's `arrangement` and `table` as they are now, and can `redraw()` and `complain(error)`. */
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
    root.addEventListener("contextmenu", (event) => event.preventDefault()); // a finger that rests, a right button
    connection.addEventListener("snapshot", ({ detail }) => this.#check(detail?.table ?? view.table));
    connection.addEventListener("table", ({ detail }) => this.#check(detail.table));
    connection.addEventListener("lost", () => this.#all().forEach((grip) => this.#forget(grip)));
  }

  /** The pieces that hands hold, and those just let go: id to id, kind, spot and whether it is in the air. */
  get carried() {
    return this.#carried;
  }

  /** What a click or a key picked up: its kind, if there is such a piece. */
  get picked() {
    return this.#picked;
  }

  /** Pick up a piece of the table, or of the box where it has no number. */
  pick({ id, number, kind, from, spot }) {
    const grip = { id, number, kind, from, spot, home: spot };
    this.#picked = grip;
    this.#lift(grip);
    return grip.lifted;
  }

  /** Hold what was picked up above a spot. */
  hover(spot) {
    if (this.#picked) {
      this.#carry(this.#picked, spot);
    }
  }

  /** Set what was picked up down on a point, at a spot or in the BOX. */
  setDown(aim) {
    const grip = this.#picked;
    this.#picked = undefined;
    this.#mark(undefined);
    return this.#letGo(grip, aim);
  }

  // ---- pointers ----------------------------------------------------------------------------------------

  #press(event) {
    if (!this.#view.table || (event.button !== 0 && event.button !== 2)) {
      return;
    }
    const piece = event.target.closest(".piece"); // what is in the air lets the pointer through
    const taken = [...this.#grips.values()].some(({ id }) => id && id === piece?.dataset.id);
    if (taken || (!piece && !this.#picked)) {
      return;
    }
    event.preventDefault();
    this.#root.setPointerCapture(event.pointerId);
    const under = piece && this.#gripOf(piece, event);
    const grip = this.#isPicked(event) ? { ...this.#picked, ...this.#grasp(this.#picked.spot, event) } : (under ?? {});
    Object.assign(grip, { under, x: event.clientX, y: event.clientY, moved: false });
    this.#grips.set(event.pointerId, grip);
    if (!grip.id || grip.inAir) {
      return;
    }
    if (event.shiftKey || event.button === 2) {
      this.#lift(grip);
    } else if (grip.from !== "box") {
      grip.timer = setTimeout(() => this.#lift(grip), this.#root.dataset.liftsAfter);
    }
  }

  #gripOf(piece, event) {
    const { id, from, piece: kind, number } = piece.dataset;
    const spot = this.#drawn(piece);
    const own = from === "box" ? `out-${++this.#count}` : id;
    return { id: own, kind, from, number: Number(number) || undefined, spot, home: spot, ...this.#grasp(spot, event) };
  }

  #grasp(spot, event) {
    return { grasp: spot, began: this.#spot(event), trail: new Trail() };
  }

  #isPicked(event) {
    const [{ x, y }, spot] = [this.#spot(event), this.#picked?.spot];
    return spot !== undefined && Math.hypot(x - spot.x, y - spot.y) <= PIECE;
  }

  #move(event) {
    const grip = this.#grips.get(event.pointerId);
    if (!grip) {
      this.#hoverWith(event);
      return;
    }
    const way = Math.hypot(event.clientX - grip.x, event.clientY - grip.y);
    if (!grip.moved && way < HOLDS_STILL_PX[event.pointerType]) {
      return;
    }
    if (!grip.moved) {
      this.#begin(grip);
    }
    if (grip.id) {
      this.#drag(grip, event);
    }
  }

  #hoverWith(event) {
    if (this.#picked && event.pointerType === "mouse") {
      const spot = this.#spot(event);
      this.#carry(this.#picked, spot);
      this.#mark(this.#aim(this.#picked, spot, event));
    }
  }

  // A drag begins: what was picked up before goes back.
  #begin(grip) {
    grip.moved = true;
    clearTimeout(grip.timer);
    if (!grip.id) {
      return;
    }
    if (this.#picked?.id === grip.id) {
      this.#picked = undefined;
    } else if (this.#picked) {
      this.#try(this.setDown(undefined));
    }
    if (grip.from === "box" || grip.from === "hands" || stacks(this.#view.arrangement)) {
      this.#lift(grip);
    }
  }

  #drag(grip, event) {
    const { arrangement, table } = this.#view;
    const spot = this.#heldAt(grip, event);
    if (!grip.inAir && (!inField(arrangement, spot) || blocked(arrangement, table, grip, grip.spot, spot))) {
      this.#lift(grip);
    }
    grip.trail.add(event.timeStamp, spot);
    this.#carry(grip, spot);
    this.#mark(this.#aim(grip, spot, event));
    if (!grip.inAir) {
      this.#pushes.follow(grip).catch((error) => this.#refuse(grip, error));
    }
  }

  #release(event) {
    const grip = this.#end(event);
    if (grip && !grip.moved) {
      this.#click(grip, event);
    } else if (grip?.id) {
      const spot = this.#heldAt(grip, event);
      const speed = grip.trail.speedAt(event.timeStamp, this.#scale());
      const aim = this.#aim(grip, spot, event);
      if (speed && aim && aim !== BOX && !aim.name) {
        this.#try(this.#flick(grip, spot, speed));
      } else {
        this.#try(this.#letGo(grip, aim));
      }
    }
  }

  #cancel(event) {
    const grip = this.#end(event);
    if (grip?.id && grip.moved) {
      this.#try(this.#letGo(grip, grip.inAir ? undefined : grip.spot));
    }
  }

  #end({ pointerId }) {
    const grip = this.#grips.get(pointerId);
    this.#grips.delete(pointerId);
    clearTimeout(grip?.timer);
    this.#mark(undefined);
    return grip;
  }

  // The first click picks a piece up, the second sets it down where there is room, on another piece, too; one on a
  // piece that carries none takes that instead.
  #click(grip, event) {
    const before = this.#picked;
    let next = grip;
    if (before) {
      const there = grip.id === before.id && event.pointerType !== "mouse";
      const aim = this.#aim(before, there ? before.spot : this.#spot(event), event);
      this.#try(this.setDown(aim));
      next = aim ? undefined : grip.under;
    }
    if (next?.id) {
      this.#picked = next;
      this.#lift(next);
    }
  }

  // ---- what is asked of the board ------------------------------------------------------------------------

  #lift(grip) {
    clearTimeout(grip.timer);
    grip.inAir = true;
    if (!grip.lifted && grip.from !== "box" && grip.from !== "hands") {
      grip.lifted = this.#connection.ask({ lift: grip.number });
      grip.lifted.catch((error) => this.#refuse(grip, error));
    }
    this.#carry(grip, grip.spot);
  }

  async #flick(grip, spot, speed) {
    grip.over = true;
    const place = this.#place(spot);
    const { number, kind, inAir } = grip;
    try {
      await (inAir ? this.#connection.ask({ put: place, piece: number ?? kind }) : this.#pushes.to(grip, spot, 0));
      await this.#connection.ask({ flick: number ?? place, speed });
    } finally {
      this.#forget(grip);
    }
  }

  /** Let go over `aim`: a point, a spot, the BOX, or nothing, where the piece goes back to where it was. */
  async #letGo(grip, aim) {
    const { arrangement, table } = this.#view;
    const target = aim ?? back(arrangement, table, grip);
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

  async #stow(grip) {
    if (!grip.inAir) {
      await this.#connection.ask({ lift: grip.number });
    }
    if (grip.number) {
      await this.#connection.ask({ box: true });
      await settled(this.#connection, this.#view, (table) => table.held.length === 0);
    }
  }

  async #land(grip, target) {
    const place = target.name ?? this.#place(target);
    const { arrangement } = this.#view;
    const lies = ({ id, x, y, at }, pitch) => {
      const there = onTable(arrangement, { x, y, at }, pitch);
      return (!grip.number || id === grip.number) && Math.hypot(there.x - target.x, there.y - target.y) < 0.02;
    };
    if (grip.inAir) {
      await this.#connection.ask({ put: place, piece: grip.number ?? grip.kind });
    } else {
      await this.#pushes.to(grip, target);
    }
    await settled(this.#connection, this.#view, (table) => table.pieces.some((piece) => lies(piece, table.pitch)));
  }

  #refuse(grip, error) {
    if (!grip.over) {
      this.#forget(grip);
      this.#view.complain(error);
    }
  }

  #try(deed) {
    deed.catch((error) => this.#view.complain(error));
  }

  // Others may take away what is held here: then there is nothing in the hand.
  #check(table) {
    for (const grip of this.#all().filter(({ number }) => number)) {
      const there = [...(table?.pieces ?? []), ...(table?.held ?? [])].some(({ id }) => id === grip.number);
      if (!there) {
        this.#forget(grip);
      }
    }
  }

  // ---- where things are ----------------------------------------------------------------------------------

  #all() {
    return [...this.#grips.values(), ...(this.#picked ? [this.#picked] : [])];
  }

  #carry(grip, spot) {
    grip.spot = { x: spot.x, y: spot.y };
    this.#draw(grip, grip.spot, grip.inAir);
  }

  #draw(grip, spot, inAir) {
    const { id, number, kind, from } = grip;
    this.#carried.set(id, { grip, id, number, kind, from, spot, inAir });
    this.#view.redraw();
  }

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
    for (const [pointer, held] of this.#grips) {
      if (held === grip) {
        this.#grips.delete(pointer);
        this.#mark(undefined);
      }
    }
    this.#view.redraw();
  }

  #mark(aim) {
    this.#marker.setAttribute("visibility", aim?.name ? "visible" : "hidden");
    if (aim?.name) {
      this.#marker.setAttribute("cx", aim.x);
      this.#marker.setAttribute("cy", aim.y);
    }
  }

  // Where a piece lands that is let go at `spot`; Alt lets it land exactly there.
  #aim(grip, spot, event) {
    return landing(this.#view.arrangement, this.#view.table, grip, spot, event);
  }

  #drawn(piece) {
    const { e: x, f: y } = new DOMMatrix(piece.style.transform);
    return { x, y };
  }

  // A piece stays under the pointer as it was grasped. A finger would hide the piece that it holds: the further
  // it moves, the more the piece is held above it.
  #heldAt({ began, grasp }, event) {
    const spot = this.#spot(event);
    const above = event.pointerType === "touch" ? ABOVE_FINGER : 0;
    const way = { x: spot.x - began.x, y: spot.y - began.y };
    return { x: grasp.x + way.x, y: grasp.y + way.y - Math.min(above, Math.hypot(way.x, way.y)) };
  }

  #place(spot) {
    return measured(this.#view.arrangement, spot, this.#view.table.pitch);
  }

  #spot({ clientX, clientY }) {
    return new DOMPoint(clientX, clientY).matrixTransform(this.#root.getScreenCTM().inverse());
  }

  // Pixels and millimetres of a unit.
  #scale() {
    return { pixels: this.#root.getScreenCTM().a, millimetres: this.#view.table.pitch };
  }
}
