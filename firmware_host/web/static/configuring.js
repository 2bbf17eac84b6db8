// The settings of the configuration that the workshop can change: each with what it means, its limits and its usual
// value. The board checks and saves each at once.

import { logOffer } from "./logs.js";
import { complain, write } from "./notice.js";
import { button, part } from "./parts.js";
import { element, present } from "./required.js";
import { learn, say } from "./words.js";

/** @typedef {NonNullable<Protocol.Choosable>[number]} Choosable */
/** @typedef {(setting: string, value: Choosable["value"] | null) => Promise<unknown>} Choose */

await learn("config");

/**
 * Show the settings; what somebody is typing stays as it is.
 * @param {Choosable[]} settings
 * @param {Choose} choose
 * @param {() => Promise<string>} log
 */
export function show(settings, choose, log) {
  const place = element("settings");
  place.hidden = false;
  document.title = say("config.title");
  document.body.classList.add("settings");
  const saved = part("p", { className: "saved", role: "status" });
  if (!place.hasChildNodes()) {
    place.append(...sections(settings), logOffer(log), saved);
  }
  for (const one of settings) {
    const row = present(place.querySelector(`[data-setting="${one.setting}"]`));
    fill(row, one, async (value) => {
      try {
        await choose(one.setting, value);
        write(present(place.querySelector(".saved")), say("config.saved"));
        return true;
      } catch (problem) {
        complain(problem);
        return false;
      }
    });
  }
}

/**
 * @param {Choosable[]} settings
 * @returns {Iterable<Node>}
 */
function* sections(settings) {
  let last = "";
  for (const { setting } of settings) {
    const section = setting.split(".", 1)[0] ?? "";
    if (section !== last) {
      last = section;
      yield part("h2", {}, say(`config.section.${section}`));
    }
    const row = part("div", {});
    row.dataset.setting = setting;
    yield row;
  }
}

/**
 * @param {Element} row
 * @param {Choosable} one
 * @param {(value: Choosable["value"] | null) => Promise<boolean>} choose
 */
function fill(row, one, choose) {
  const { setting, value, usual, chosen, least, most } = one;
  const unit = one.unit === "us" ? "µs" : one.unit;
  const now = JSON.stringify(one);
  if (row.getAttribute("data-shown") === now) {
    return;
  }
  row.setAttribute("data-shown", now);
  const field = input(one);
  const about = part("span", { className: "about" }, say(`config.setting.${setting}`));
  const label = part("label", { className: field.type === "checkbox" ? "switch" : "" }, about, field);
  field.addEventListener("change", async () => {
    if (!(await choose(read(field, value)))) {
      put(field, value);
    }
  });
  const limits = least === null ? [] : [part("span", {}, `${least}–${most} ${unit}`)];
  const back = typeof usual === "boolean" || usual === "" ? say("config.reset") : say("config.back", { text: `${usual} ${unit}`.trim() });
  const reset = chosen ? [button(back, () => choose(null))] : [];
  const held = row.contains(document.activeElement);
  row.replaceChildren(label, part("p", {}, ...limits, ...reset));
  if (held) {
    field.focus();
  }
}

/**
 * Return the field of a setting with its value.
 * @param {Choosable} one
 */
function input({ value, among, least, most }) {
  const field = among.length
    ? part("select", {}, ...among.map((name) => new Option(name, name)))
    : part("input", { type: typeof value === "boolean" ? "checkbox" : typeof value === "number" ? "number" : "text" });
  if (field instanceof HTMLInputElement && least !== null && most !== null) {
    Object.assign(field, { min: least, max: most, step: "any", inputMode: "decimal" });
  }
  put(field, value);
  return field;
}

/**
 * @param {HTMLInputElement | HTMLSelectElement} field
 * @param {Choosable["value"]} value
 */
function put(field, value) {
  if (field instanceof HTMLInputElement && typeof value === "boolean") {
    field.checked = value;
  } else {
    field.value = String(value);
  }
}

/**
 * Return what is in a field, as the setting has it.
 * @param {HTMLInputElement | HTMLSelectElement} field
 * @param {Choosable["value"]} like
 */
function read(field, like) {
  if (field instanceof HTMLInputElement && typeof like === "boolean") {
    return field.checked;
  }
  return typeof like === "number" && field.value !== "" ? Number(field.value) : field.value;
}
