// The colours that were chosen for this device: light, dark, or as the device asks. This script is no module: the
// browser runs it before it draws anything, so that a page never appears in the other colours first.

(() => {
  const ASKED = "(prefers-color-scheme: dark)";
  const frames = /** @type {HTMLMetaElement[]} */ ([...document.querySelectorAll("meta[name=theme-color]")]);
  const [sheet] = document.styleSheets; // colours.css, which the page names before this script
  const dark = /** @type {CSSMediaRule} */ ([...(sheet?.cssRules ?? [])].find((rule) => "media" in rule && rule.cssText.includes(ASKED)));
  const media = [dark.media, ...frames];
  const asked = [ASKED, ...frames.map((frame) => frame.media)];

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
    media.forEach((own, index) => {
      const query = asked[index] ?? ASKED;
      const now = fixed ? (query.includes(scheme) ? "all" : "not all") : query;
      if (own instanceof MediaList) {
        own.mediaText = now;
      } else {
        own.media = now;
      }
    });
  }

  apply(chosen());
  document.addEventListener("scheme", (event) => apply(/** @type {CustomEvent<string>} */ (event).detail));
})();
