// Single keys that work from anywhere. They can be turned off, since speech input types them by accident.

import { go } from "./dom.js";

const OFF = "wellsourced.keys-off";
export const KEYS = { "/": "to the question box", q: "while reading: quote the selected words" };

export function areOn() {
  return !localStorage.getItem(OFF);
}

export function turn(isOn) {
  if (isOn) localStorage.removeItem(OFF);
  else localStorage.setItem(OFF, "1");
}

export function isFree(event) {
  const isTyping = event.target.closest?.("input, textarea, select, [contenteditable]");
  return areOn() && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
}

export function listenForKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || !isFree(event)) return;
    event.preventDefault();
    const box = document.querySelector("[data-box]");
    if (box) box.focus();
    else {
      window.addEventListener("ask-ready", () => document.querySelector("[data-box]")?.focus(), { once: true });
      go("", {});
    }
  });
}
