// Everything that was read or uploaded, to be found again, tagged, taken away and out.

import { failure, get, post } from "./api.js";
import { announce, clock, counted, day, go, h, link, place, within } from "./dom.js";
import { saveCsv } from "./files.js";
import { inline } from "./inline.js";
import { rendered } from "./markdown.js";
import { failed, nothing } from "./outcome.js";
import { busy, chip, field, notice, tally, values } from "./parts.js";

export const title = "Library";
export const lead = "Pages and documents that were read here, searchable in any language. They stay on this server.";
export const isLive = true;

const FILTERS = { kind: "Kind", tag: "Tag", site: "Site", language: "Language", since: "Since", until: "Until" };
const KINDS = ["", "page", "paper", "document", "file"].map((name) => [name, name || "any"]);
const COLUMNS = ["title", "url", "author", "date", "site", "kind", "tags", "language", "readAt"];

export async function render(root, { parameters, about, signal }) {
  if (!about.library)
    return root.append(
      notice("plain", "The library is off", h("p", {}, "Set LIBRARY_ENABLED=true to keep what is read.")),
    );
  if (about.librarySharing)
    root.append(
      notice(
        "plain",
        "This library is shared",
        h("p", {}, "Everybody of your tenant finds what you read here, and you find what they read."),
      ),
    );
  const shown = h("section", { "aria-label": "Entries" }, busy("Looking…"));
  if (!parameters.id) root.append(searchForm(parameters), uploadForm(signal));
  root.append(shown);
  return parameters.id ? one(shown, parameters.id, signal) : find(shown, parameters, signal);
}

function searchForm(parameters) {
  const isNarrowed = Object.keys(FILTERS).some((name) => parameters[name]);
  const filters = Object.entries(FILTERS).map(([name, label]) =>
    field({
      name,
      label,
      value: parameters[name] || "",
      ...(name === "kind" ? { kind: "select", options: KINDS } : {}),
    }),
  );
  const form = h(
    "form",
    { class: "panel", role: "search", submit },
    h(
      "div",
      { class: "row" },
      field({ name: "q", label: "Search what was read", kind: "search", value: parameters.q || "", maxlength: 500 }),
      h("button", { type: "submit", class: "primary" }, "Find"),
    ),
    h("details", { open: isNarrowed }, h("summary", {}, "Filters"), h("div", { class: "grid" }, filters)),
  );
  function submit(event) {
    event.preventDefault();
    go("library", values(form));
  }
  return form;
}

function uploadForm(signal) {
  const state = h("div", { role: "status" });
  const picker = h("input", { type: "file", id: "upload", multiple: true, change: () => send(picker.files) });
  const zone = h(
    "div",
    { class: "drop", dragover: (event) => event.preventDefault(), drop },
    h("label", { for: "upload" }, "Add documents: choose them, or drop them here"),
    picker,
  );
  function drop(event) {
    event.preventDefault();
    send(event.dataTransfer.files);
  }
  async function send(files) {
    const problems = [];
    for (const [number, file] of [...files].entries()) {
      state.replaceChildren(busy(`Reading ${file.name} (${number + 1} of ${files.length})…`));
      await post("/api/library/upload", { name: file.name, content: await base64(file) }, signal).catch((problem) =>
        problems.push(`${file.name}: ${problem.message}`),
      );
    }
    if (signal.aborted) return;
    if (!problems.length) return void go("library", { kind: "file" });
    state.replaceChildren(
      h(
        "div",
        { role: "alert" },
        notice(
          "bad",
          "Not added",
          h(
            "ul",
            {},
            problems.map((text) => h("li", { dir: "auto" }, text)),
          ),
        ),
      ),
    );
  }
  return h("div", {}, zone, state);
}

export function base64(file) {
  return new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.readAsDataURL(file);
  });
}

async function find(shown, parameters, signal) {
  try {
    draw(shown, await get(`/api/library?${new URLSearchParams(parameters)}`, signal), parameters);
  } catch (problem) {
    if (!signal.aborted) shown.replaceChildren(failed(failure(problem)));
  }
}

function draw(shown, { entries, total }, parameters) {
  tally(entries, "entry", "entries");
  const isAsked = Object.values(parameters).some(Boolean);
  if (!entries.length)
    return shown.replaceChildren(
      isAsked
        ? nothing("Nothing in the library matches")
        : notice(
            "plain",
            "Nothing was read yet",
            h("p", {}, within("read", {}, "Read a page"), " and it is kept here."),
          ),
    );
  const name = isAsked
    ? `${counted(entries.length, "entry", "entries")} of ${total.toLocaleString()}`
    : `Read lately (${total.toLocaleString()} in all)`;
  const cells = () =>
    entries.map((entry) => COLUMNS.map((column) => (column === "tags" ? entry.tags.join(", ") : entry[column])));
  const next = Number(parameters.offset || 0) + entries.length;
  const card = (entry) =>
    h(
      "article",
      { class: "card" },
      h("h3", {}, within("library", { id: entry.id }, entry.title, { dir: "auto" })),
      facts(entry),
      entry.passage ? h("p", { dir: "auto" }, inline(entry.passage.replace(/(^|\s)#{1,6}\s/g, "$1"))) : null,
    );
  return shown.replaceChildren(
    h("h2", {}, name),
    h(
      "ul",
      { class: "cards" },
      entries.map((entry) => h("li", {}, card(entry))),
    ),
    h(
      "div",
      { class: "actions" },
      h("button", { type: "button", click: () => saveCsv("library.csv", COLUMNS, cells()) }, "Save as CSV"),
      !parameters.q && next < total && entries.length === 50
        ? h("a", { class: "button", href: place("library", { ...parameters, offset: next }) }, "Older ones")
        : null,
    ),
  );
}

function facts(entry) {
  const told = [entry.author, entry.site, day(entry.date), entry.language, `read ${clock(entry.readAt)}`].filter(
    Boolean,
  );
  const tags = entry.tags.map((tag) => within("library", { tag }, tag, { class: "chip" }));
  return h(
    "p",
    { class: "meta" },
    told.map((fact) => h("span", { dir: "auto" }, fact)),
    chip(entry.kind),
    tags,
  );
}

async function one(shown, id, signal) {
  const path = `/api/library/${encodeURIComponent(id)}`;
  try {
    const entry = await get(path, signal);
    shown.replaceChildren(
      h("p", {}, within("library", {}, "← Back to the library")),
      h("header", { class: "page-head" }, h("h2", {}, link(entry.url, entry.title)), facts(entry)),
      managing(entry, path, signal),
      h("article", { class: "text", lang: entry.language || null, "aria-label": "Text" }, rendered(entry.text)),
    );
  } catch (problem) {
    if (!signal.aborted)
      shown.replaceChildren(failed({ ...failure(problem), ...(problem.status === 404 ? { kind: "not_found" } : {}) }));
  }
}

function managing(entry, path, signal) {
  const state = h("div", { role: "status" });
  const form = h(
    "form",
    { class: "tag-form", submit },
    h("input", {
      name: "tags",
      "aria-label": "Tags",
      value: entry.tags.join(", "),
      placeholder: "tags, separated by commas",
    }),
    h("button", { type: "submit", class: "quiet" }, "Tag"),
  );
  const attempt = (work) =>
    work().catch((problem) => signal.aborted || state.replaceChildren(failed(failure(problem))));
  function submit(event) {
    event.preventDefault();
    const tags = values(form)
      .tags.split(",")
      .map((tag) => tag.trim())
      .filter(Boolean);
    attempt(async () => {
      await post(`${path}/tag`, { tags }, signal);
      announce("Tagged.");
      go("library", { id: entry.id });
    });
  }
  const sure = h(
    "button",
    {
      type: "button",
      class: "danger quiet",
      hidden: true,
      click: () => attempt(async () => go("library", { ...(await post(`${path}/delete`, {}, signal)), deleted: "" })),
    },
    "Delete it for good",
  );
  const first = h("button", { type: "button", class: "quiet", click: ask }, "Delete");
  function ask() {
    sure.hidden = false;
    sure.focus();
    first.remove();
  }
  const again = /^https?:/.test(entry.url)
    ? within("read", { url: entry.url }, "Read anew", { class: "button" })
    : null;
  return h("div", {}, h("div", { class: "actions" }, again, form, first, sure), state);
}
