// Copying text. Browsers let only pages with a secure connection copy by themselves, and few boards have one:
// elsewhere the text is selected, and the browser asked to copy what is selected.

/**
 * Copy the text of a field, and return whether that was possible; otherwise it is left selected.
 * @param {HTMLInputElement} field
 */
export async function copied(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus({ preventScroll: true });
    field.select();
    return document.execCommand("copy");
  }
}
