// Parts of a page that scripts make.

/**
 * Return an element with these properties and children.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} name
 * @param {Partial<HTMLElementTagNameMap[Tag]>} properties
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function part(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/**
 * Return a button with an action.
 * @param {string} text
 * @param {() => void} press
 */
export function button(text, press) {
  const made = part("button", { type: "button", textContent: text });
  made.addEventListener("click", press);
  return made;
}

/**
 * Return a switch with its title: its `box`, and the `label` around it. `change` is called with true if it is
 * on.
 * @param {string} title
 * @param {(on: boolean) => void} change
 */
export function check(title, change) {
  const box = part("input", { type: "checkbox" });
  box.addEventListener("change", () => change(box.checked));
  return { box, label: part("label", { className: "switch" }, box, title) };
}

/**
 * Wait for a style sheet that is fetched with its parts; without it, they are bare but work.
 * @param {string} href
 */
export function dress(href) {
  const sheet = part("link", { rel: "stylesheet", href });
  const come = new Promise((settled) => ["load", "error"].forEach((end) => sheet.addEventListener(end, settled)));
  document.head.append(sheet);
  return come;
}
