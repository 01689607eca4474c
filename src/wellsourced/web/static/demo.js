// The demonstration: a whole research job told in steps, with its own table of evidence filling.

import { stream } from "./api.js";
import { announce, h, link } from "./dom.js";
import { EvidenceBoard } from "./evidence_board.js";
import { rowOfFailure, rowOfSource } from "./evidence_rows.js";
import { busy, notice } from "./parts.js";

const ABOUT =
  "A whole research job, from question to checked sources, on an invented web of its own. No key is needed, and nothing leaves this machine.";

export function demonstration(signal) {
  const steps = h("ol", { class: "demo-steps" });
  const state = h("div", {});
  const button = h("button", { type: "button", class: "primary", click: run }, "Run the demo");
  let board = null;
  function take(name, data) {
    if (name !== "step") return void state.replaceChildren(refusal(data.error));
    const evidence = data.evidence ? fill(data.evidence) : null;
    steps.append(step(data, evidence));
  }
  function fill({ claim, sources, failures }) {
    board = new EvidenceBoard({ claim, name: "Evidence of the demo", cancel: () => null, opens: false });
    [...sources.map(rowOfSource), ...failures.map(rowOfFailure)].forEach((row) => board.put(row));
    board.end(false);
    return board.element;
  }
  async function run() {
    button.disabled = true;
    steps.replaceChildren();
    state.replaceChildren(busy("The demonstration is running…"));
    try {
      await stream("/api/demo", { body: {}, signal, onEvent: take });
      state.querySelector(".busy")?.remove();
      announce("The demonstration has ended.");
    } catch (problem) {
      if (!signal.aborted) state.replaceChildren(refusal(problem.message));
    }
    button.disabled = false;
  }
  return h(
    "section",
    { class: "panel", "aria-labelledby": "demo" },
    h("h2", { id: "demo" }, "See it at work"),
    h("p", {}, ABOUT),
    button,
    steps,
    state,
  );
}

// The result is on a server of the demo's own, so that it opens in a tab of its own.
function step({ title: name, text, address }, evidence) {
  announce(name);
  const open = address ? link(address, "Open the result", { class: "button" }) : null;
  return h("li", {}, h("strong", {}, name), h("p", { class: "pre-line" }, text), evidence, open);
}

function refusal(sentence) {
  return h("div", { role: "alert" }, notice("bad", "That did not work", h("p", {}, sentence)));
}
