// What a brand shows of itself: who it is, its colours, logos, type and tone, and where each was found.

import { h, link } from "./dom.js";
import { imageOnRequest } from "./image.js";
import { palette } from "./palette.js";
import { chip, table } from "./parts.js";

export function brandSheet(brand, signal) {
  const { identity, colors, logos, typography, toneOfVoice: tone, social } = camel(brand);
  const who = ["industry", "founded", "location"].map((name) => identity[name]).filter(Boolean);
  return h(
    "div",
    { class: "brand-sheet" },
    h("h2", {}, link(`https://${identity.domain}`, identity.name || identity.domain)),
    identity.tagline ? h("p", { class: "lead", dir: "auto" }, identity.tagline) : "",
    identity.description ? h("p", { dir: "auto" }, identity.description) : "",
    who.length
      ? h(
          "p",
          { class: "meta" },
          who.map((fact) => h("span", { dir: "auto" }, fact)),
        )
      : "",
    palette(coloursOf(colors)) || h("p", { class: "faint" }, "No colours were found."),
    section(
      "Logos",
      Object.entries(logos)
        .map(([name, logo]) => logoOf(name, logo, signal))
        .filter(Boolean),
      "gallery",
    ),
    section(
      "Type",
      Object.entries(typography)
        .filter(([, font]) => font?.family)
        .map(([use, font]) => fontOf(use, font)),
    ),
    tone.summary || tone.attributes?.length
      ? section("Tone", [
          tone.summary ? h("p", { dir: "auto" }, tone.summary) : "",
          h(
            "p",
            { class: "chips" },
            (tone.attributes || []).map((word) => chip(word)),
          ),
        ])
      : "",
    section(
      "Elsewhere",
      Object.entries(social)
        .filter(([, url]) => url)
        .map(([name, url]) => h("p", {}, link(url, name))),
    ),
    brand.sources?.length
      ? table(
          "Where it was found",
          ["Source", "Address", "Fields"],
          brand.sources.map(({ name, url, fields }) => [name, link(url, url), fields.join(", ")]),
        )
      : "",
    brand.suggestion ? h("p", { class: "faint", dir: "auto" }, brand.suggestion) : "",
  );
}

function camel(brand) {
  return {
    ...brand,
    toneOfVoice: brand.toneOfVoice || brand.tone_of_voice || {},
    logos: brand.logos || {},
    typography: brand.typography || {},
    social: brand.social || {},
  };
}

function coloursOf(colors) {
  const roles = Object.entries(colors || {})
    .filter(([, value]) => typeof value === "string")
    .map(([role, hex]) => ({ role: role.replaceAll("_", " "), hex }));
  const known = new Set(roles.map(({ hex }) => hex.toLowerCase()));
  return [...roles, ...(colors?.palette || []).filter(({ hex }) => !known.has(hex.toLowerCase()))];
}

function section(title, content, kind = null) {
  return content.length ? h("section", {}, h("h2", {}, title), h("div", { class: kind }, content)) : "";
}

function logoOf(name, logo, signal) {
  const url = typeof logo === "string" ? logo : logo?.url;
  return url ? imageOnRequest(url, name.replaceAll("_", " "), signal) : null;
}

function fontOf(use, font) {
  const weights = font.weights?.length ? ` · ${font.weights.join(", ")}` : "";
  return h(
    "p",
    { dir: "auto" },
    h("strong", {}, font.family),
    h("span", { class: "faint" }, ` ${use}${weights}${font.origin ? ` · ${font.origin}` : ""}`),
  );
}
