// The colours that were chosen for this device: light, dark, or as the device asks. This script is no module: the
// browser runs it before it draws anything, so that a page never appears in the other colours first.

(() => {
  const ASKED = "(prefers-color-scheme: ";
  // dark.css, and the colours of the browser's frame
  const parts = /** @type {(HTMLMetaElement | HTMLLinkElement)[]} */ ([...document.querySelectorAll(`head [media^="${ASKED}"]`)]);
  const asked = parts.map((part) => part.media);

  function chosen() {
    try {
      return localStorage.getItem("millwright.scheme");
    } catch {
      return null;
    }
  }

  /** @param {string | null | undefined} scheme */
  function apply(scheme) {
    const fixed = scheme === "light" || scheme === "dark";
    document.documentElement.style.colorScheme = fixed ? scheme : "";
    parts.forEach((part, index) => {
      const query = asked[index] ?? "";
      part.media = fixed ? (query.includes(scheme) ? "all" : "not all") : query;
    });
  }

  apply(chosen());
  document.addEventListener("scheme", (event) => apply(/** @type {CustomEvent<string>} */ (event).detail));
})();
