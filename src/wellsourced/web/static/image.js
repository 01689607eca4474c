// An image is fetched when somebody asks for it, by the server and through its guard, never by the browser.

import { image } from "./api.js";
import { announce, h } from "./dom.js";

export function imageOnRequest(url, words, signal) {
  const name = words || "no description";
  const button = h("button", { type: "button", class: "quiet", click: load }, "Show the image");
  const state = h("span", { class: "faint" });
  const figure = h(
    "figure",
    { class: "image" },
    h("div", { class: "frame" }, button, state),
    h("figcaption", { dir: "auto" }, name),
  );
  async function load() {
    button.disabled = true;
    state.textContent = " fetching…";
    try {
      const shown = document.createElement("img");
      shown.alt = name;
      shown.src = await image(url, signal);
      figure.firstChild.replaceChildren(shown);
      announce("The image is shown.");
    } catch (problem) {
      if (problem.name === "AbortError") return;
      button.disabled = false;
      state.textContent = ` ${problem.message}`;
    }
  }
  return figure;
}
