// What is in a project: added by hand, tagged, narrowed, taken out.

import { post } from "./api.js";
import { clock, counted, day, go, h, link, within } from "./dom.js";
import { base64 } from "./library.js";
import { chip, field, notice, values } from "./parts.js";

const MARKS = {
  retracted: "bad",
  contradicted: "bad",
  gone: "bad",
  dead: "bad",
  changed: "warning",
  corrected: "warning",
  concern: "warning",
  wall: "warning",
};
const STATES = {
  unchanged: ["unchanged", "good"],
  alive: ["alive", "good"],
  changed: ["changed", "bad"],
  gone: ["gone", "bad"],
  dead: ["dead link", "bad"],
  moved: ["moved", "warning"],
  wall: ["behind a wall", "warning"],
  unknown: ["nobody could look", "plain"],
};
const KINDS = { source: "Page", quote: "Quotation", citation: "Citation", file: "File" };

export function projectItems({ project, tag, signal, act, again, pathOf }) {
  const items = project.items || [];
  const tags = [...new Set(items.flatMap((item) => item.tags || []))].sort();
  const shown = tag ? items.filter((item) => item.tags?.includes(tag)) : items;
  const filters = tags.map((name) =>
    h(
      "button",
      {
        type: "button",
        class: "filter",
        "aria-pressed": String(name === tag),
        click: () => go("projects", { id: project.projectId, tag: name === tag ? "" : name }),
      },
      name,
    ),
  );
  const cards = h(
    "ol",
    { class: "cards project-items" },
    shown.map((item) => h("li", {}, itemCard(item, project, { act, again, signal, pathOf }))),
  );
  const words = field({ name: "words", label: "Only items with", kind: "search", input: narrow });
  function narrow(event) {
    const wanted = event.target.value.trim().toLowerCase();
    [...cards.children].forEach((card) => {
      card.hidden = !card.textContent.toLowerCase().includes(wanted);
    });
  }
  return h(
    "section",
    { "aria-labelledby": "items" },
    h("h2", { id: "items" }, counted(items.length, "item")),
    addForm(project, act, again, signal, pathOf),
    tags.length ? h("div", { class: "choices", role: "group", "aria-label": "Only with the tag" }, filters) : "",
    items.length
      ? ""
      : notice(
          "plain",
          "Nothing in it yet",
          h("p", {}, "Add an address, a citation or a file, or quote from a page you read."),
        ),
    items.length > 5 ? h("div", { class: "table-filter" }, words) : "",
    cards,
  );
}

function addForm(project, act, again, signal, pathOf) {
  const picker = h("input", { type: "file", id: "project-file", "aria-label": "A file" });
  const form = h(
    "form",
    { class: "panel", submit },
    h(
      "div",
      { class: "row" },
      field({
        name: "text",
        label: "Add an address, or a citation",
        placeholder: "https://… or Smith J (2020) …",
        maxlength: 4000,
      }),
      h("button", { type: "submit", class: "primary" }, "Add"),
    ),
    h(
      "div",
      { class: "drop", dragover: (event) => event.preventDefault(), drop },
      h("label", { for: "project-file" }, "Or choose a file, or drop it here"),
      picker,
    ),
  );
  picker.addEventListener("change", () => upload(picker.files[0]));
  const add = (body) => act(async () => again(await post(pathOf(project.projectId, "/add"), body, signal)));
  function submit(event) {
    event.preventDefault();
    const { text } = values(form);
    if (text) add(/^https?:\/\//i.test(text) ? { kind: "source", url: text } : { kind: "citation", text });
  }
  function drop(event) {
    event.preventDefault();
    upload(event.dataTransfer.files[0]);
  }
  async function upload(given) {
    if (given) add({ kind: "file", name: given.name, content: await base64(given) });
  }
  return form;
}

function itemCard(item, project, { act, again, signal, pathOf }) {
  const state = item.drift ? STATES[item.drift.state] || [item.drift.state, "plain"] : null;
  const facts = [
    KINDS[item.kind] || item.kind,
    item.author,
    day(item.date),
    `added ${clock(item.addedAt)}`,
    item.capture ? `capture ${item.capture}` : "",
    item.receipt ? `receipt ${item.receipt}` : "",
  ];
  const tagForm = h(
    "form",
    { class: "tag-form", submit: retag },
    h("input", {
      name: "tags",
      "aria-label": `Tags of item ${item.item}`,
      value: (item.tags || []).join(", "),
      placeholder: "tags",
    }),
    h("button", { type: "submit", class: "quiet" }, "Tag"),
  );
  function retag(event) {
    event.preventDefault();
    const tags = values(tagForm)
      .tags.split(",")
      .map((tag) => tag.trim())
      .filter(Boolean);
    act(async () => again(await post(pathOf(project.projectId, "/tag"), { item: item.item, tags }, signal)));
  }
  const takeOut = () =>
    act(async () => again(await post(pathOf(project.projectId, "/remove"), { item: item.item }, signal)));
  return h(
    "article",
    { class: "card" },
    item.quote
      ? h(
          "blockquote",
          { dir: "auto" },
          within("read", { url: item.url, quote: item.quote, at: item.start }, item.quote),
        )
      : null,
    h("h3", {}, titleOf(item)),
    item.claim ? h("p", { class: "faint", dir: "auto" }, "Beside the claim: ", item.claim) : null,
    item.text && item.kind === "citation" ? h("p", { dir: "auto" }, item.text) : null,
    h(
      "p",
      { class: "meta" },
      facts.filter(Boolean).map((fact) => h("span", { dir: "auto" }, fact)),
      state ? chip(...state) : null,
      (item.marks || []).map(({ mark, detail }) => chip(detail ? `${mark}: ${detail}` : mark, MARKS[mark] || "plain")),
      (item.tags || []).map((tag) => chip(tag)),
    ),
    h(
      "div",
      { class: "actions" },
      actionsOf(item),
      tagForm,
      h(
        "button",
        { type: "button", class: "quiet", "aria-label": `Take out item ${item.item}`, click: takeOut },
        "Take out",
      ),
    ),
  );
}

function titleOf(item) {
  const name = item.title || item.url || item.text || `Item ${item.item}`;
  if (item.kind === "session") return within("sessions", { id: item.sessionId }, name, { dir: "auto" });
  return link(item.url || "", name);
}

function actionsOf(item) {
  return [
    item.url ? within("read", { url: item.url }, "Read", { class: "button" }) : null,
    item.doi || item.kind === "citation"
      ? within("verify", { citation: item.doi || item.text }, "Verify", { class: "button" })
      : null,
  ];
}
