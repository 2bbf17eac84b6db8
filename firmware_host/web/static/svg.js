// Elements of SVG, made with attributes and children; text is always text.

const NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} name
 * @param {Record<string, string | number>} attributes
 * @param {(Node | string)[]} children
 */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, String(value));
  }
  element.append(...children);
  return element;
}

/**
 * Place an element, in the units of its drawing.
 * @param {SVGElement} element
 * @param {{ x: number, y: number }} spot
 */
export function place(element, { x, y }) {
  element.style.transform = `translate(${x}px, ${y}px)`;
}

/**
 * Give all definitions of a drawing names of their own, for a page with several: `prefix` is that of this one.
 * @param {SVGSVGElement} root
 * @param {string} prefix
 */
export function rename(root, prefix) {
  for (const part of root.querySelectorAll("*")) {
    for (const { name, value } of [...part.attributes]) {
      const own = name === "id" ? `${prefix}-${value}` : value.replace("url(#", `url(#${prefix}-`);
      if (own !== value) {
        part.setAttribute(name, own);
      }
    }
  }
}
