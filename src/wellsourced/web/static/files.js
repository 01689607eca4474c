// Files: tables saved as CSV, pictures as SVG; texts read in the encoding they are in.

import { download } from "./parts.js";

// A cell that begins like a formula would be run by a spreadsheet; an apostrophe keeps it text.
function cell(value) {
  const text = value === null || value === undefined ? "" : String(value);
  const harmless = /^[=+\-@\t\r]/.test(text) && !/^-?\d+([.,]\d+)*$/.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}

export function csvOf(columns, rows) {
  const lines = [columns, ...rows].map((row) => row.map(cell).join(","));
  return `\ufeff${lines.join("\r\n")}\r\n`;
}

export function saveCsv(name, columns, rows) {
  download(name, "text/csv", csvOf(columns, rows));
}

const KEPT = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "font-size",
  "font-family",
  "font-weight",
  "text-anchor",
  "opacity",
];

// A picture by itself: what the style sheet gave each element is written onto it.
export function saveSvg(name, drawn) {
  const copy = drawn.cloneNode(true);
  const originals = [drawn, ...drawn.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, index) => {
    const style = getComputedStyle(originals[index]);
    KEPT.forEach((property) => element.setAttribute(property, style.getPropertyValue(property)));
    ["class", "tabindex", "role", "aria-label"].forEach((attribute) => element.removeAttribute(attribute));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  download(name, "image/svg+xml", new XMLSerializer().serializeToString(copy));
}

// Reference managers of old write Windows-1252; what is neither UTF-16 by its mark nor UTF-8 is taken for that.
export function decoded(bytes) {
  const mark = new Uint8Array(bytes.slice(0, 2)).join(" ");
  if (mark === "255 254") return new TextDecoder("utf-16le").decode(bytes);
  if (mark === "254 255") return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
