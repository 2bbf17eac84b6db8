// The page of the board's own Wi-Fi, on which a phone chooses the network of the house. It asks the board again and
// again how far it is, since that Wi-Fi ends when the board joins another.

import { element, present } from "./required.js";
import { fill, say, tell } from "./words.js";

/** @typedef {{ name: string, strength: number, locked: boolean }} Network */
/** @typedef {{ stage: string, networks: Network[], chosen: string | null, trouble: Protocol.Said | null, home: string }} State */

const STRONG = 66;
const MEDIUM = 33;

const every = Number(present(document.querySelector("main")).dataset.asksEvery);
const form = element("wifi-form");
const list = element("wifi-networks");
const secret = element("wifi-secret");
const password = element("wifi-password");
const reveal = element("wifi-show");
const join = element("wifi-join");
/** @type {State | undefined} */
let state;
let isSending = false;

fill();
document.addEventListener("words", () => {
  fill();
  show();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  send();
});
list.addEventListener("change", showSecret);
reveal.addEventListener("change", () => (password.type = reveal.checked ? "text" : "password"));
look();

async function look() {
  try {
    const answer = await fetch("wifi.json");
    if (!answer.ok) {
      throw new Error(`${answer.status}`);
    }
    state = await answer.json();
    show();
  } catch {
    if (state === undefined || state.stage === "own") {
      element("sentence").textContent = say("page.unreachable");
    } // otherwise the board has left this Wi-Fi, as the page says
  }
  setTimeout(look, every);
}

function show() {
  if (state === undefined) {
    return;
  }
  const { stage, networks, chosen, trouble, home } = state;
  const isOpen = stage === "own";
  element("sentence").textContent = sentence(stage, networks.length, chosen ?? "");
  const more = element("wifi-more");
  more.hidden = isOpen && networks.length > 0;
  more.textContent = isOpen ? say("wifi.none") : stage === "touching" ? say("wifi.touch-how") : say("wifi.then", { address: home });
  form.hidden = !isOpen || networks.length === 0;
  if (!isSending) {
    complain(isOpen ? tell(trouble ?? undefined, "") : "");
  }
  offer(networks);
}

/**
 * @param {string} stage
 * @param {number} count
 * @param {string} network
 */
function sentence(stage, count, network) {
  if (stage === "own") {
    return count ? say("wifi.choose") : say("wifi.nothing");
  }
  return stage === "touching" ? say("wifi.touch", { network }) : say("wifi.joining", { network });
}

/**
 * Offer the networks, without a change to those that are offered already.
 * @param {Network[]} networks
 */
function offer(networks) {
  const offered = JSON.stringify(networks);
  if (list.dataset.offered === offered) {
    return;
  }
  list.dataset.offered = offered;
  const before = checked()?.value;
  list.replaceChildren(
    ...networks.map(({ name, strength }) => {
      const choice = Object.assign(document.createElement("input"), { type: "radio", name: "network", value: name, required: true });
      choice.checked = name === before;
      const label = document.createElement("label");
      label.append(choice, text("name", name), text("strength", strong(strength)));
      const item = document.createElement("li");
      item.append(label);
      return item;
    }),
  );
  showSecret();
}

/** @param {number} strength */
function strong(strength) {
  if (strength > STRONG) {
    return say("wifi.strong");
  }
  return strength > MEDIUM ? say("wifi.medium") : say("wifi.weak");
}

/**
 * @param {string} className
 * @param {string} textContent
 */
function text(className, textContent) {
  return Object.assign(document.createElement("span"), { className, textContent });
}

function checked() {
  return /** @type {HTMLInputElement | null} */ (list.querySelector("input:checked"));
}

function chosenNetwork() {
  const choice = checked();
  return state?.networks.find(({ name }) => name === choice?.value);
}

function showSecret() {
  const network = chosenNetwork();
  secret.hidden = !network?.locked;
  password.required = !secret.hidden;
}

async function send() {
  const network = chosenNetwork();
  if (network === undefined || isSending) {
    return;
  }
  isSending = true;
  join.ariaDisabled = "true";
  complain("");
  try {
    const body = JSON.stringify({ name: network.name, password: network.locked ? password.value : "" });
    const answer = await fetch("wifi", { method: "POST", body });
    if (answer.ok) {
      password.value = "";
    } else {
      /** @type {{ error: string, said: Protocol.Said }} */
      const { error, said } = await answer.json();
      complain(tell(said, error));
    }
  } catch {
    complain(say("page.unreachable"));
  }
  join.ariaDisabled = "false";
  isSending = false;
}

/** @param {string} what */
function complain(what) {
  const trouble = element("wifi-trouble");
  if (trouble.textContent !== what) {
    trouble.textContent = what;
  }
  trouble.hidden = !what;
}
