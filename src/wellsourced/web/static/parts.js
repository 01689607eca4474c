// The pieces that several views are put together from: fields, buttons, notices, cards.

import { announce, counted, h, newId } from "./dom.js";

// A labelled field: {name, label, kind: text|area|select|check|number, options, value, hint, …attributes}
export function field({ name, label, kind = "text", options = [], value = "", hint, ...more }) {
  const id = newId(name);
  const hintId = hint ? `${id}-hint` : null;
  const given = { id, name, "aria-describedby": hintId, ...more };
  const control = made(kind, given, options, value);
  const hintElement = hint ? h("span", { class: "hint", id: hintId }, hint) : null;
  if (kind === "check") return h("div", { class: "field check" }, control, h("label", { for: id }, label), hintElement);
  return h("div", { class: "field" }, h("label", { for: id }, label), control, hintElement);
}

function made(kind, given, options, value) {
  if (kind === "select")
    return h(
      "select",
      given,
      options.map(([key, text]) => h("option", { value: key, selected: key === value }, text)),
    );
  if (kind === "check") return h("input", { ...given, type: "checkbox", checked: Boolean(value) });
  const control =
    kind === "area" ? h("textarea", { rows: 4, ...given }) : h("input", { type: kind, autocomplete: "off", ...given });
  control.value = value;
  return control;
}

export function values(form) {
  const found = {};
  for (const control of form.elements) {
    if (!control.name) continue;
    found[control.name] = control.type === "checkbox" ? control.checked : control.value.trim();
  }
  return found;
}

export function copyButton(text, what) {
  const button = h("button", { type: "button", class: "quiet", "aria-label": `Copy ${what}`, click: copy }, "Copy");
  async function copy() {
    const copied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    button.textContent = copied ? "Copied" : "Select and copy";
    announce(copied ? `${what} copied.` : "Copying is not allowed here; select the text.");
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2000);
  }
  return button;
}

export function snippet(title, text, note) {
  return h(
    "figure",
    { class: "snippet" },
    h(
      "figcaption",
      {},
      h("span", {}, h("strong", {}, title), note ? [" ", h("span", { class: "faint" }, note)] : null),
      copyButton(text, title),
    ),
    h("pre", { tabindex: 0, role: "group", "aria-label": title }, text),
  );
}

export function download(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  announce(`${name} was saved.`);
}

export function chip(text, tone = "plain") {
  return h("span", { class: `chip ${tone}`, dir: "auto" }, text);
}

export function notice(tone, title, ...content) {
  return h("div", { class: `notice ${tone}` }, title ? h("strong", {}, title) : null, ...content);
}

export function list(items, attributes = {}) {
  return h(
    "ul",
    attributes,
    items.map((item) => h("li", { dir: "auto" }, item)),
  );
}

export function busy(text) {
  announce(text);
  return h("p", { class: "busy" }, h("span", { class: "spinner", "aria-hidden": "true" }), text);
}

export function skeleton(title, lead) {
  return [h("h1", { tabindex: -1, id: "heading" }, title), lead ? h("p", { class: "lead" }, lead) : null];
}

export function tally(items, one, many) {
  announce(`${counted(items.length, one, many)}.`);
}

// A table that scrolls by itself where it is too wide; the first cell of a row names it.
export function table(name, headings, rows, kind) {
  const head = h(
    "tr",
    {},
    headings.map((heading) => h("th", { scope: "col" }, heading)),
  );
  const body = rows.map(([first, ...cells]) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, first),
      cells.map((cell) => h("td", { dir: "auto" }, cell)),
    ),
  );
  const made = h("table", { class: kind }, h("thead", {}, head), h("tbody", {}, body));
  return h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": name }, made);
}
