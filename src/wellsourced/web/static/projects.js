// Projects: what belongs together, with its captures, receipts and what has changed since.

import { failure, file, get, post } from "./api.js";
import { announce, clock, counted, go, h, within } from "./dom.js";
import { busy, chip, download, field, notice, values } from "./parts.js";
import { failed } from "./outcome.js";
import { projectItems } from "./project_items.js";
import { capturesOf, captureView, driftOf, receiptsOf } from "./project_proof.js";
import { timeline } from "./timeline.js";

export const title = "Projects";
export const lead =
  "Sources, quotations with receipts, citations and files of one piece of work. Pages are captured as they were, and watched for changes.";
export const isLive = true;

const FORMATS = { html: "HTML", markdown: "Markdown", json: "JSON", wacz: "WACZ (captures)" };

export async function render(root, { parameters, signal }) {
  const shown = h("div", {}, busy("Looking…"));
  root.append(shown);
  if (parameters.capture) return captureView(shown, parameters, pathOf, signal);
  return parameters.id ? one(shown, parameters, signal) : all(shown, parameters, signal);
}

const pathOf = (id, rest = "") => `/api/projects/${encodeURIComponent(id)}${rest}`;

async function all(shown, parameters, signal) {
  const isAll = parameters.archived === "true";
  const { projects, quota } = await get(`/api/projects${isAll ? "?archived=true" : ""}`, signal);
  const wanted = (parameters.q || "").toLowerCase();
  const matching = projects.filter(({ name, question, tags }) =>
    `${name} ${question || ""} ${tags.join(" ")}`.toLowerCase().includes(wanted),
  );
  shown.replaceChildren(
    newProject(signal),
    projects.length > 3 || wanted ? narrowing(parameters) : "",
    matching.length ? h("h2", {}, counted(matching.length, "project")) : emptyNotice(wanted),
    h(
      "ul",
      { class: "cards" },
      matching.map((project) => h("li", {}, head(project))),
    ),
    h(
      "p",
      { class: "meta" },
      h("span", {}, `${size(quota.used)} of ${size(quota.bytes)} used`),
      within("projects", { archived: isAll ? "" : "true" }, isAll ? "Without archived ones" : "Archived ones too"),
    ),
  );
  announce(`${counted(matching.length, "project")}.`);
}

function emptyNotice(wanted) {
  const text = wanted ? "No project has these words." : "Start one above, or ask a question and keep what was found.";
  return notice("plain", wanted ? "Nothing matches" : "No project yet", h("p", {}, text));
}

function newProject(signal) {
  const form = h(
    "form",
    { class: "panel", submit },
    h(
      "div",
      { class: "row" },
      field({ name: "name", label: "New project", required: true, maxlength: 200 }),
      field({ name: "question", label: "Its question (optional)", maxlength: 2000 }),
    ),
    field({ name: "tags", label: "Tags (optional)", hint: "Separated by commas." }),
    h("button", { type: "submit", class: "primary" }, "Start"),
  );
  const state = h("div", {});
  async function submit(event) {
    event.preventDefault();
    const { name, question, tags } = values(form);
    await attempt(state, signal, async () =>
      go("projects", { id: (await post("/api/projects", { name, question, tags: split(tags) }, signal)).projectId }),
    );
  }
  return h("div", {}, form, state);
}

function narrowing(parameters) {
  const form = h(
    "form",
    { class: "row", role: "search", submit },
    field({ name: "q", label: "Only projects with", kind: "search", value: parameters.q || "" }),
    h("button", { type: "submit" }, "Find"),
  );
  function submit(event) {
    event.preventDefault();
    go("projects", { ...values(form), archived: parameters.archived });
  }
  return form;
}

function head(project) {
  const counts = Object.entries(project.counts || {})
    .filter(([, count]) => count)
    .map(([kind, count]) => counted(count, kind));
  return h(
    "article",
    { class: "card" },
    h("h3", {}, within("projects", { id: project.projectId }, project.name, { dir: "auto" })),
    project.question ? h("p", { dir: "auto" }, project.question) : null,
    h(
      "p",
      { class: "meta" },
      [...counts, `changed ${clock(project.changedAt)}`].map((fact) => h("span", {}, fact)),
      states(project),
    ),
  );
}

function states(project) {
  const drift = Object.entries(project.drift || {}).map(([state, count]) =>
    chip(`${count} ${state}`, ["unchanged", "alive"].includes(state) ? "good" : "warning"),
  );
  return [project.archived ? chip("archived") : null, ...(project.tags || []).map((tag) => chip(tag)), ...drift].filter(
    Boolean,
  );
}

async function one(shown, { id, tag }, signal) {
  const project = await get(pathOf(id), signal);
  shown.parentElement?.querySelector(".lead")?.remove();
  const again = () => go("projects", { id });
  const state = h("div", { role: "status" });
  const act = (work) => attempt(state, signal, work);
  shown.replaceChildren(
    h("p", {}, within("projects", {}, "← All projects")),
    h(
      "header",
      { class: "page-head" },
      h("h2", { dir: "auto" }, project.name),
      project.question ? h("p", { class: "lead", dir: "auto" }, project.question) : "",
      h(
        "p",
        { class: "meta" },
        [
          counted(project.captures || 0, "capture"),
          size(project.captureBytes || 0),
          counted(project.receipts || 0, "receipt"),
        ].map((fact) => h("span", {}, fact)),
        states(project),
      ),
    ),
    h(
      "div",
      { class: "actions" },
      h("button", { type: "button", click: () => act(() => watchAgain(id, state, signal, again)) }, "Look for changes"),
      Object.entries(FORMATS).map(([format, name]) =>
        h(
          "button",
          { type: "button", click: () => act(() => save(id, project.name, format, signal)) },
          `Save as ${name}`,
        ),
      ),
      h(
        "button",
        {
          type: "button",
          click: () =>
            act(async () => again(await post(pathOf(id, "/archive"), { archived: !project.archived }, signal))),
        },
        project.archived ? "Bring back" : "Archive",
      ),
      remove(id, act, signal),
    ),
    state,
    projectItems({ project, tag, signal, act, again, pathOf }),
    timeline(
      "By date",
      (project.items || [])
        .filter(({ date }) => date)
        .map((item) => ({ ...item, marks: (item.marks || []).map(({ mark }) => ({ words: mark, tone: "bad" })) })),
    ) || "",
    driftOf(project),
    capturesOf(project, pathOf, signal),
    receiptsOf(project, pathOf, signal),
  );
}

async function watchAgain(id, state, signal, again) {
  state.replaceChildren(busy("Reading the cited pages again…"));
  await post(pathOf(id, "/watch"), {}, signal);
  announce("The pages were read again.");
  again();
}

async function save(id, name, format, signal) {
  const made = await file(`${pathOf(id, "/export")}?format=${format}`, signal);
  download(
    `${name.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60) || "project"}.${format === "markdown" ? "md" : format}`,
    made.type,
    made,
  );
}

// Deleting is asked twice: what is captured is gone for good.
function remove(id, act, signal) {
  const sure = h(
    "button",
    {
      type: "button",
      class: "danger",
      hidden: true,
      click: () => act(async () => go("projects", { gone: (await post(pathOf(id, "/delete"), {}, signal)).captures })),
    },
    "Delete it with all captures",
  );
  const first = h("button", { type: "button", click: ask }, "Delete");
  function ask() {
    sure.hidden = false;
    sure.focus();
    first.remove();
  }
  return [first, sure];
}

async function attempt(state, signal, work) {
  try {
    await work();
  } catch (problem) {
    if (!signal.aborted) state.replaceChildren(failed(failure(problem)));
  }
}

function split(text) {
  return text
    .split(",")
    .map((tag) => tag.trim())
    .filter(Boolean);
}

export function size(bytes) {
  const units = ["bytes", "KB", "MB", "GB"];
  const power = bytes ? Math.min(3, Math.floor(Math.log10(bytes) / 3)) : 0;
  return `${(bytes / 1000 ** power).toLocaleString(undefined, { maximumFractionDigits: power ? 1 : 0 })} ${units[power]}`;
}
