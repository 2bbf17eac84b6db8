// Choices that belong to this device, kept in its browser. One that stores nothing for pages forgets them with
// the page.

const PREFIX = "millwright.";
/** @type {Map<string, string>} */
const chosen = new Map(); // since the page was opened

/**
 * Return what was chosen under this name; undefined if nothing was.
 * @param {string} name
 */
export function kept(name) {
  try {
    return chosen.get(name) ?? localStorage.getItem(PREFIX + name) ?? undefined;
  } catch {
    return chosen.get(name);
  }
}

/**
 * Keep what was chosen.
 * @param {string} name
 * @param {string} value
 */
export function keep(name, value) {
  chosen.set(name, value);
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // the choice lasts as long as the page
  }
}
