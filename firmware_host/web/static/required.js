// Values and elements that must be there: if one is missing, an error says so at once.

/**
 * Return a value that is not missing.
 * @template T
 * @param {T} value
 * @returns {NonNullable<T>}
 */
export function present(value) {
  if (value === undefined || value === null) {
    throw new Error("a value is missing");
  }
  return value;
}

/**
 * Return an element of the page by its id. Its type is that of the markup.
 * @template {keyof PageElements} Id
 * @param {Id} id
 */
export function element(id) {
  return /** @type {PageElements[Id]} */ (/** @type {unknown} */ (present(document.getElementById(id))));
}

/**
 * Return the first element in `root` that has this tag and matches the rest of a selector.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {ParentNode} root
 * @param {Tag} tag
 */
export function within(root, tag, rest = "") {
  return /** @type {HTMLElementTagNameMap[Tag]} */ (present(root.querySelector(`${tag}${rest}`)));
}

/**
 * Return the target of an event, or the closest element around it that matches; null if there is none.
 * @param {Event} event
 * @param {string} selector
 */
export function closest({ target }, selector) {
  const found = target instanceof Element ? target.closest(selector) : null;
  return /** @type {HTMLElement | SVGElement | null} */ (found);
}
