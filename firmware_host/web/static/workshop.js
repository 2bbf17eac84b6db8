// The workshop, as the settings offer it: the board's set-up, its examination and its technical settings. Each begins once somebody has touched
// the point at the board that is lit for it; the page then goes by itself to where the board asks.

import { question } from "./controls.js";
import { button, part } from "./parts.js";
import { within } from "./required.js";
import { learn, say } from "./words.js";

/** @import { Controls } from "./controls.js" */
/** @import { Views } from "./views.js" */

await learn("workshop");

/**
 * Offer in `place` what there is to begin; a simulated board can only be examined.
 * @param {HTMLElement} place
 * @param {Protocol.Snapshot | undefined} snapshot
 * @param {Controls} controls
 * @param {Views} views
 */
export function offer(place, snapshot, controls, views) {
  /**
   * @param {"setup" | "doctor" | "settings"} kind
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
  const settings = button(say("workshop.settings"), () => begin("settings", say("workshop.ask.settings"), say("workshop.begin.settings")));
  const offered = snapshot?.simulated ? [doctor] : [setup, doctor, settings];
  within(place, "div").replaceChildren(...offered, part("p", {}, say("workshop.says")));
}
