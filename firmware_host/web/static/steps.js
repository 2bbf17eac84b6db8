// Steps that the browser's Back leaves: each thing that opens is a step of the browser's history, and going
// back closes the newest. Closing it on the page goes back as well, so that Back never does nothing.

/** @type {(() => void)[]} */
const closers = []; // of what is open, the newest last
let returning = 0; // steps back that this module asked the browser for, and that have not happened yet
let due = 0; // steps that wait for those

/**
 * Begin a step: `close()` is called when somebody goes back.
 * @param {() => void} close
 */
export function enter(close) {
  closers.push(close);
  if (returning) {
    due++;
  } else {
    history.pushState(null, "");
  }
}

/**
 * End the step that `close` began, with all that was opened from there; nothing if it is over.
 * @param {() => void} close
 */
export function leave(close) {
  const at = closers.lastIndexOf(close);
  if (at < 0) {
    return;
  }
  const above = closers.splice(at).slice(1);
  above.reverse().forEach((end) => end());
  const unborn = Math.min(due, above.length + 1);
  due -= unborn;
  if (above.length + 1 > unborn) {
    returning++;
    history.go(unborn - above.length - 1);
  }
}

addEventListener("popstate", () => {
  if (!returning) {
    closers.pop()?.();
    return;
  }
  returning--;
  while (!returning && due) {
    due--;
    history.pushState(null, "");
  }
});
