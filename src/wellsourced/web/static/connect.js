// How a client is connected, what the server can do, and which keys the page knows.

import { h } from "./dom.js";
import { areOn, KEYS, turn } from "./keys.js";
import { field, snippet } from "./parts.js";

export const title = "Connect";
export const heading = "Connect a client";
export const lead =
  "This workbench does by hand what an assistant does over MCP. Any MCP client can use the same tools.";

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

export function render(root, { about }) {
  const tools = about.tools.map((tool) =>
    h("div", {}, h("dt", {}, tool.title || tool.name, " ", h("code", {}, tool.name)), h("dd", {}, tool.description)),
  );
  const keys = Object.entries(KEYS).map(([key, what]) =>
    h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)),
  );
  const wanted = field({
    name: "keys",
    label: "Single keys do something",
    kind: "check",
    value: areOn(),
    change: (event) => turn(event.target.checked),
  });
  root.append(
    h("p", {}, "This server speaks MCP at ", h("code", {}, about.mcp), "."),
    h(
      "div",
      { class: "snippets" },
      clients(about.mcp).map((client) => snippet(...client)),
    ),
    h(
      "section",
      { "aria-labelledby": "keys" },
      h("h2", { id: "keys" }, "Keys"),
      h("dl", { class: "tools" }, keys),
      wanted,
    ),
    h(
      "section",
      { "aria-labelledby": "tools" },
      h("h2", { id: "tools" }, `${about.tools.length} tools`),
      h("dl", { class: "tools" }, tools),
    ),
  );
}
