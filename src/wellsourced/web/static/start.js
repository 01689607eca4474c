// The first view: what this is, how a client is connected, what it can do.

import { stream } from "./api.js";
import { announce, h, link, place } from "./dom.js";
import { busy, notice, snippet } from "./parts.js";

export const title = "Start";
export const heading = "Real sources, within reach";
export const lead =
  "Wellsourced searches, reads and checks sources for AI assistants, and keeps the trail of every finding. This workbench does by hand what an assistant does over MCP.";

const FIRST_STEPS = [
  ["search", "Search", "the web, the news, the literature"],
  ["read", "Read", "a page or document as clean text"],
  ["verify", "Verify", "one citation against the record"],
  ["audit", "Audit", "a whole bibliography, entry by entry"],
];

function clients(address) {
  const shown = (value) => JSON.stringify(value, null, 2);
  const server = { url: address };
  return [
    ["Claude Code", `claude mcp add --transport http wellsourced ${address}`, "run in a terminal"],
    [
      "Claude Desktop",
      shown({ mcpServers: { wellsourced: { command: "uvx", args: ["wellsourced"] } } }),
      "claude_desktop_config.json; it starts its own copy",
    ],
    ["Cursor", shown({ mcpServers: { wellsourced: server } }), "~/.cursor/mcp.json"],
    ["VS Code", shown({ servers: { wellsourced: { type: "http", ...server } } }), ".vscode/mcp.json"],
    ["Codex", `codex mcp add wellsourced --url ${address}`, "run in a terminal"],
    ["Any other client", shown({ mcpServers: { wellsourced: { type: "http", ...server } } }), "the usual JSON"],
  ];
}

export function render(root, { about, signal }) {
  root.append(
    h(
      "ul",
      { class: "doors" },
      FIRST_STEPS.map(([view, name, what]) =>
        h("li", {}, h("a", { href: place(view) }, h("strong", {}, name), h("span", {}, what))),
      ),
    ),
    about.demo ? demonstration(signal) : "",
    h(
      "section",
      { "aria-labelledby": "connect" },
      h("h2", { id: "connect" }, "Connect a client"),
      h("p", {}, "This server speaks MCP at ", h("code", {}, about.mcp), "."),
      h(
        "div",
        { class: "snippets" },
        clients(about.mcp).map((client) => snippet(...client)),
      ),
    ),
    h(
      "section",
      { "aria-labelledby": "tools" },
      h("h2", { id: "tools" }, `${about.tools.length} tools`),
      h(
        "dl",
        { class: "tools" },
        about.tools.map((tool) =>
          h(
            "div",
            {},
            h("dt", {}, tool.title || tool.name, " ", h("code", {}, tool.name)),
            h("dd", {}, tool.description),
          ),
        ),
      ),
    ),
  );
}

function demonstration(signal) {
  const steps = h("ol", { class: "demo-steps" });
  const state = h("div", {});
  const button = h("button", { type: "button", class: "primary", click: run }, "Run the demo");
  const take = (name, data) => (name === "step" ? steps.append(step(data)) : state.replaceChildren(refusal(data.error)));
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
    h(
      "p",
      {},
      "A whole research job, from question to checked sources, on an invented web of its own. No key is needed, and nothing leaves this machine.",
    ),
    button,
    steps,
    state,
  );
}

function step({ title: name, text, address }) {
  announce(name);
  return h(
    "li",
    {},
    h("strong", {}, name),
    h("p", { class: "pre-line" }, text),
    address ? link(address, "Open the result", { class: "button" }) : null,
  );
}

function refusal(sentence) {
  return h("div", { role: "alert" }, notice("bad", "That did not work", h("p", {}, sentence)));
}
