// What a pointer does with pieces: pressing lifts, letting go sets down on the point that is near, or puts
// into the box. Several fingers may hold several pieces. Only the board says what lies where.

import { nearest } from "./geometry.js";
import { svg } from "./svg.js";

const ABOVE_FINGER = 0.62;
const SETTLE_MS = 400;
const BOX = Symbol("the box");

export class Hands {
  #root;
  #connection;
  #view;
  #marker = svg("circle", { class: "marker", r: 0.44, visibility: "hidden" });
  #grips = new Map();
  #carried = new Map();

  /** `view` has the page's `arrangement` and `table` as they are now, and can `redraw()` and `complain(error)`. */
  constructor(root, connection, view) {
    this.#root = root;
    this.#connection = connection;
    this.#view = view;
    root.append(this.#marker);
    root.addEventListener("pointerdown", (event) => this.#press(event));
    root.addEventListener("pointermove", (event) => this.#move(event));
    root.addEventListener("pointerup", (event) => this.#release(event, this.#aim(event)));
    root.addEventListener("pointercancel", (event) => this.#release(event, undefined));
    root.addEventListener("contextmenu", (event) => event.preventDefault()); // a finger that rests on a piece
  }

  /** The pieces that pointers hold, and those just let go: id to id, kind and spot. */
  get carried() {
    return this.#carried;
  }

  #press(event) {
    const piece = event.target.closest(".piece");
    if (!piece || event.button !== 0) {
      return;
    }
    event.preventDefault();
    this.#root.setPointerCapture(event.pointerId);
    const { id, from, piece: kind } = piece.dataset;
    const origin = this.#view.arrangement.points.has(from) ? from : undefined;
    const grip = { id, kind, from, origin, lifted: undefined, began: this.#spot(event) };
    if (origin) {
      grip.lifted = this.#connection.ask({ lift: origin });
      grip.lifted.catch((error) => this.#drop(event.pointerId, error));
    }
    this.#grips.set(event.pointerId, grip);
    this.#move(event);
  }

  #move(event) {
    const grip = this.#grips.get(event.pointerId);
    if (grip) {
      this.#carry(grip, this.#heldAt(grip, event));
      const aim = this.#aim(event);
      this.#mark(aim === BOX || this.#taken(aim, grip) ? undefined : aim);
    }
  }

  /** Let go over `aim`: a point, the BOX, or nothing, where the piece goes back to where it was. */
  async #release(event, aim) {
    const grip = this.#grips.get(event.pointerId);
    if (!grip) {
      return;
    }
    this.#grips.delete(event.pointerId);
    this.#mark(undefined);
    const target = aim === BOX || !this.#taken(aim, grip) ? aim : undefined;
    try {
      await this.#putDown(grip, target ?? grip.origin);
    } catch (error) {
      this.#view.complain(error);
    }
    this.#forget(grip);
  }

  async #putDown(grip, target) {
    const point = this.#view.arrangement.points.get(target);
    if (point) {
      this.#carry(grip, point);
    }
    await grip.lifted;
    if (point) {
      await this.#connection.ask({ put: target, piece: grip.kind });
      await this.#settled((table) => table.pieces.some((piece) => piece.at === target));
    } else if (target === BOX && grip.from !== "box") {
      await this.#connection.ask({ box: true });
      await this.#settled((table) => table.held.length === 0);
    }
  }

  // A reply comes just before the snapshot that shows what was done: until then, the pointer's word counts.
  async #settled(shown) {
    const patience = AbortSignal.timeout(SETTLE_MS);
    while (!patience.aborted && !shown(this.#view.table)) {
      await new Promise((resolve) => {
        this.#connection.addEventListener("snapshot", resolve, { once: true });
        patience.addEventListener("abort", resolve, { once: true });
      });
    }
  }

  // A lift that the board refuses.
  #drop(pointer, error) {
    const grip = this.#grips.get(pointer);
    if (grip) {
      this.#grips.delete(pointer);
      this.#mark(undefined);
      this.#forget(grip);
      this.#view.complain(error);
    }
  }

  #carry({ id, kind }, spot) {
    this.#carried.set(id, { id, kind, spot });
    this.#view.redraw();
  }

  #forget({ id }) {
    this.#carried.delete(id);
    this.#view.redraw();
  }

  #mark(name) {
    const point = this.#view.arrangement.points.get(name);
    this.#marker.setAttribute("visibility", point ? "visible" : "hidden");
    if (point) {
      this.#marker.setAttribute("cx", point.x);
      this.#marker.setAttribute("cy", point.y);
    }
  }

  #aim(event) {
    const grip = this.#grips.get(event.pointerId);
    return grip && (nearest(this.#view.arrangement, this.#heldAt(grip, event)) ?? BOX);
  }

  #taken(name, grip) {
    return this.#view.table.pieces.some((piece) => piece.at === name && `piece-${piece.id}` !== grip.id);
  }

  // A finger would hide the piece that it holds: the further it moves, the more the piece is held above it.
  #heldAt({ began }, event) {
    const spot = this.#spot(event);
    const above = event.pointerType === "touch" ? ABOVE_FINGER : 0;
    return { x: spot.x, y: spot.y - Math.min(above, Math.hypot(spot.x - began.x, spot.y - began.y)) };
  }

  #spot({ clientX, clientY }) {
    return new DOMPoint(clientX, clientY).matrixTransform(this.#root.getScreenCTM().inverse());
  }
}
