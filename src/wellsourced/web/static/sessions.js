// Research sessions: the list, and one of them as a tree of steps with sources, evidence and open questions.

import { call, get } from "./api.js";
import { clock, counted, h, within } from "./dom.js";
import { busy, chip, download, notice, tally } from "./parts.js";
import { failed } from "./outcome.js";
import { keeping } from "./keep.js";
import { timeline } from "./timeline.js";
import { questions, sourceList, stepTree } from "./trail.js";

export const title = "Sessions";
export const heading = "Research sessions";
export const isLive = true;
export const lead = "The trails assistants keep with sequential_search: what was asked, found, dropped and left open.";

const FORMATS = {
  markdown: ["Markdown", "md", "text/markdown"],
  html: ["HTML", "html", "text/html"],
  json: ["JSON", "json", "application/json"],
};

export async function render(root, { parameters, signal }) {
  const shown = h("section", { "aria-label": "Sessions" }, busy("Looking…"));
  root.append(shown);
  if (parameters.id) return one(shown, parameters.id, signal);
  const { sessions } = await get("/api/sessions", signal);
  tally(sessions, "session");
  if (!sessions.length)
    return shown.replaceChildren(
      notice(
        "plain",
        "No session yet",
        h("p", {}, "An assistant begins one with sequential_search; it then appears here for as long as it is in use."),
      ),
    );
  return shown.replaceChildren(
    h(
      "ul",
      { class: "cards" },
      sessions.map((session) =>
        h(
          "li",
          {},
          h(
            "article",
            { class: "card" },
            h(
              "h2",
              { class: "small" },
              within("sessions", { id: session.sessionId }, session.researchGoal, { dir: "auto" }),
            ),
            h(
              "p",
              { class: "meta" },
              [
                counted(session.stepCount, "step"),
                counted(session.sourceCount, "source"),
                `last used ${clock(session.lastUsed)}`,
              ].map((fact) => h("span", {}, fact)),
              session.isComplete ? chip("complete", "good") : chip("under way"),
            ),
          ),
        ),
      ),
    ),
  );
}

async function one(shown, id, signal) {
  const answer = await call("research_export", { sessionId: id, format: "json" }, signal);
  if (signal.aborted) return;
  const back = h("p", {}, within("sessions", {}, "← All sessions"));
  shown.parentElement?.querySelector(".lead")?.remove();
  if (answer.error) return void shown.replaceChildren(back, failed(answer.error));
  const session = answer.content.document;
  shown.replaceChildren(
    back,
    h("h2", { dir: "auto" }, session.researchGoal),
    h(
      "p",
      { class: "meta" },
      [
        counted(session.steps.length, "step"),
        counted(session.sources.length, "source"),
        `begun ${clock(session.createdAt)}`,
      ].map((fact) => h("span", {}, fact)),
      session.completedAt ? chip("complete", "good") : chip("under way"),
    ),
    session.summary ? h("p", { class: "lead", dir: "auto" }, session.summary) : "",
    h(
      "div",
      { class: "actions", role: "group", "aria-label": "Export" },
      Object.keys(FORMATS).map((format) => exporting(id, format, shown, signal)),
    ),
    keeping({
      label: "Keep in a project",
      suggestion: session.researchGoal,
      items: () => [{ kind: "session", sessionId: id }],
      signal,
    }),
    h("h2", {}, "Steps"),
    stepTree(session),
    questions(session.gaps),
    sourceList(session.sources),
    timeline("Sources by date", session.sources) || "",
  );
}

function exporting(id, format, shown, signal) {
  const [name, ending, type] = FORMATS[format];
  const button = h("button", { type: "button", click: save }, `Save as ${name}`);
  async function save() {
    button.disabled = true;
    const answer = await call("research_export", { sessionId: id, format }, signal);
    button.disabled = false;
    if (answer.error) return void shown.prepend(failed(answer.error));
    const { document: made } = answer.content;
    download(
      `research-${id.slice(0, 8)}.${ending}`,
      type,
      typeof made === "string" ? made : JSON.stringify(made, null, 2),
    );
  }
  return button;
}
