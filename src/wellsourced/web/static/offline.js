// A banner while the browser has no network or the server does not answer.

import { h } from "./dom.js";

const AGAIN_MS = 5000;
const WORDS = {
  offline: "This browser is offline. What is on the page stays; nothing new can be asked.",
  away: "The server does not answer. What is on the page stays; it is tried again every few seconds.",
};

export function watchConnection(place) {
  let timer = null;
  function tell(state) {
    place.replaceChildren(...(state ? [h("p", { class: "banner" }, WORDS[state])] : []));
  }
  async function look() {
    clearTimeout(timer);
    if (!navigator.onLine) return tell("offline");
    const isThere = await fetch("/health/live", { cache: "no-store" }).then(
      () => true,
      () => false,
    );
    tell(isThere ? null : "away");
    if (!isThere) timer = setTimeout(look, AGAIN_MS);
    return null;
  }
  window.addEventListener("online", look);
  window.addEventListener("offline", look);
  window.addEventListener("unreachable", look);
}
