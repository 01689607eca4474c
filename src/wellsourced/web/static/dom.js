// Elements made by hand. Foreign text only ever becomes text; a link only ever leads to the web or within the page.

const SVG = "http://www.w3.org/2000/svg";
const LINK_ATTRIBUTES = new Set(["href", "src", "action", "formaction"]);

export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else if (LINK_ATTRIBUTES.has(name) && !isSafe(String(value))) continue;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

function isSafe(address) {
  return address.startsWith("#") || address.startsWith("/static/") || isWebAddress(address);
}

export function isWebAddress(text) {
  try {
    return /^https?:\/\//i.test(text) && ["http:", "https:"].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}

// A link to elsewhere; what is no web address is shown as the text it is.
export function link(address, text, attributes = {}) {
  const shown = text || address;
  if (!isWebAddress(address)) return h("span", { dir: "auto", ...attributes }, shown);
  return h(
    "a",
    { href: address, rel: "noopener noreferrer nofollow", target: "_blank", dir: "auto", ...attributes },
    shown,
  );
}

export function within(view, parameters, text, attributes = {}) {
  return h("a", { href: place(view, parameters), ...attributes }, text);
}

export function place(view, parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const asked = new URLSearchParams(given).toString();
  return `#/${view}${asked ? `?${asked}` : ""}`;
}

// To another state of the workbench; the one who shows views listens.
export function go(view, parameters) {
  window.dispatchEvent(new CustomEvent("go", { detail: { view, parameters } }));
}

let number = 0;

export function newId(stem) {
  number += 1;
  return `${stem}-${number}`;
}

// Says to those who listen what has changed before those who look.
export function announce(text) {
  document.getElementById("status").textContent = text;
}

export function day(text) {
  const moment = new Date(text);
  if (!text || Number.isNaN(moment.getTime())) return text || "";
  if (/^\d{4}(-\d{2})?$/.test(text)) return text;
  return moment.toLocaleDateString(undefined, { year: "numeric", month: "short", day: "numeric", timeZone: "UTC" });
}

export function clock(text) {
  const moment = new Date(text);
  return Number.isNaN(moment.getTime())
    ? text
    : moment.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

export function counted(number, one, many = `${one}s`) {
  return `${number.toLocaleString()} ${number === 1 ? one : many}`;
}
