// The workshop, as the settings offer it: the board's set-up and its examination. Each begins once somebody has touched
// the point at the board that is lit for it; the page then goes by itself to where the board asks.

import { question } from "./controls.js";
import { button, part } from "./parts.js";
import { within } from "./required.js";
import { learn, say } from "./words.js";

/** @import { Controls } from "./controls.js" */
/** @import { Views } from "./views.js" */

await learn("workshop");

/**
 * Offer in `place` what there is to begin; a simulated board is never set up here.
 * @param {HTMLElement} place
 * @param {Protocol.Snapshot | undefined} snapshot
 * @param {Controls} controls
 * @param {Views} views
 */
export function offer(place, snapshot, controls, views) {
  /**
   * @param {"setup" | "doctor"} kind
   * @param {string} text
   * @param {string} yes
   */
  const begin = async (kind, text, yes) => {
    if ((await question(text, { yes })) && (await controls.ask({ do: "workshop", kind }))) {
      views.close();
    }
  };
  const setup = button(say("workshop.setup"), () => begin("setup", say("workshop.ask.setup"), say("workshop.begin.setup")));
  const doctor = button(say("workshop.doctor"), () => begin("doctor", say("workshop.ask.doctor"), say("workshop.begin.doctor")));
  within(place, "div").replaceChildren(...(snapshot?.simulated ? [] : [setup]), doctor, part("p", {}, say("workshop.says")));
}
