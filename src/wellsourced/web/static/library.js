// Everything that was read, to be found again.

import { get, turns } from "./api.js";
import { clock, counted, day, h, link, place, within } from "./dom.js";
import { busy, chip, field, notice, tally, values } from "./parts.js";
import { inline, rendered } from "./markdown.js";
import { nothing } from "./outcome.js";

export const title = "Library";
export const lead = "Pages and documents that were read here, searchable in any language. They stay on this server.";

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
  const form = h(
    "form",
    { class: "panel", role: "search", submit: ask },
    h(
      "div",
      { class: "row" },
      field({ name: "q", label: "Search what was read", kind: "search", value: parameters.q || "", maxlength: 500 }),
      h("button", { type: "submit", class: "primary" }, "Find"),
    ),
  );
  const turn = turns(signal);
  function ask(event) {
    event.preventDefault();
    history.replaceState(null, "", place("library", values(form)));
    return find(shown, values(form).q, turn());
  }
  root.append(form, shown);
  return parameters.id ? one(shown, parameters.id, turn()) : find(shown, parameters.q || "", turn());
}

async function find(shown, question, signal) {
  shown.replaceChildren(busy("Looking…"));
  try {
    draw(shown, await get(`/api/library?${new URLSearchParams({ q: question })}`, signal), question);
  } catch (problem) {
    if (!signal.aborted) shown.replaceChildren(problemNotice("bad", "That did not work", problem));
  }
}

function draw(shown, { entries, total }, question) {
  tally(entries, "entry", "entries");
  const heading = question
    ? `${counted(entries.length, "entry", "entries")} of ${total.toLocaleString()}`
    : `Read lately (${total.toLocaleString()} in all)`;
  if (!entries.length)
    return shown.replaceChildren(
      question
        ? nothing("Nothing in the library matches")
        : notice(
            "plain",
            "Nothing was read yet",
            h("p", {}, within("read", {}, "Read a page"), " and it is kept here."),
          ),
    );
  return shown.replaceChildren(
    h("h2", {}, heading),
    h(
      "ul",
      { class: "cards" },
      entries.map((entry) =>
        h(
          "li",
          {},
          h(
            "article",
            { class: "card" },
            h("h3", {}, within("library", { id: entry.id }, entry.title, { dir: "auto" })),
            facts(entry),
            entry.passage ? h("p", { dir: "auto" }, inline(entry.passage.replace(/(^|\s)#{1,6}\s/g, "$1"))) : null,
          ),
        ),
      ),
    ),
  );
}

function facts(entry) {
  return h(
    "p",
    { class: "meta" },
    [entry.author, entry.site, day(entry.date), entry.language, `read ${clock(entry.readAt)}`]
      .filter(Boolean)
      .map((fact) => h("span", { dir: "auto" }, fact)),
    chip(entry.kind),
    entry.tags.map((tag) => chip(tag)),
  );
}

async function one(shown, id, signal) {
  try {
    const entry = await get(`/api/library/${encodeURIComponent(id)}`, signal);
    shown.replaceChildren(
      h("p", {}, within("library", {}, "← Back to the library")),
      h("header", { class: "page-head" }, h("h2", {}, link(entry.url, entry.title)), facts(entry)),
      h("div", { class: "actions" }, within("read", { url: entry.url }, "Read anew", { class: "button" })),
      h("article", { class: "text", lang: entry.language || null, "aria-label": "Text" }, rendered(entry.text)),
    );
  } catch (problem) {
    if (signal.aborted) return;
    const isGone = problem.status === 404;
    shown.replaceChildren(problemNotice(isGone ? "plain" : "bad", isGone ? "Not there" : "That did not work", problem));
  }
}

function problemNotice(tone, title, problem) {
  return h("div", { role: "alert" }, notice(tone, title, h("p", {}, problem.message)));
}
