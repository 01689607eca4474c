// A citation laid beside its record, field by field: the difference in colour and in words.

import { h } from "./dom.js";
import { chip, table } from "./parts.js";

const RESULTS = { match: ["the same", "good"], differs: ["differs", "bad"], not_compared: ["not compared", "plain"] };
const LONGEST = 400;

// checks: [{field, cited, recorded, result, grade, note}]
export function fieldTable(checks) {
  const rows = checks.map((check) => {
    const [words, tone] =
      check.grade === "variant"
        ? ["a variant", "warning"]
        : RESULTS[check.result] || [check.result.replaceAll("_", " "), "plain"];
    const [cited, recorded] =
      check.result === "differs" ? marked(check.cited, check.recorded ?? "") : [check.cited, check.recorded ?? "–"];
    const name = check.field[0].toUpperCase() + check.field.slice(1).replaceAll("_", " ");
    return [
      name,
      cited,
      recorded,
      [chip(words, tone), check.note && check.result !== "differs" ? h("p", { class: "faint" }, check.note) : ""],
    ];
  });
  return table("As cited, beside as recorded", ["Field", "As cited", "As recorded", "Result"], rows, "compared");
}

// The words that only one side has are marked: struck out on the left, inserted on the right.
export function marked(cited, recorded) {
  if (cited.length > LONGEST || recorded.length > LONGEST) return [cited, recorded];
  const [one, other] = [cited, recorded].map((text) => text.split(/(\s+)/));
  const common = shared(one.map(plain), other.map(plain));
  return [
    shown(
      one,
      common.map(([left]) => left),
      "del",
    ),
    shown(
      other,
      common.map(([, right]) => right),
      "ins",
    ),
  ];
}

function plain(word) {
  return word.toLowerCase().replace(/[^\p{L}\p{N}\s]/gu, "") || word;
}

// The longest common run of words, as pairs of places.
function shared(one, other) {
  const rows = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let i = one.length - 1; i >= 0; i -= 1)
    for (let j = other.length - 1; j >= 0; j -= 1)
      rows[i][j] = one[i] === other[j] ? rows[i + 1][j + 1] + 1 : Math.max(rows[i + 1][j], rows[i][j + 1]);
  const pairs = [];
  for (let [i, j] = [0, 0]; i < one.length && j < other.length;) {
    if (one[i] === other[j]) pairs.push([i++, j++]);
    else if (rows[i + 1][j] >= rows[i][j + 1]) i += 1;
    else j += 1;
  }
  return pairs;
}

// Words beside each other that differ are marked as one.
function shown(words, kept, tag) {
  const same = new Set(kept);
  const parts = [];
  words.forEach((word, index) => {
    const isSame = same.has(index) && !(isBlank(word) && index && !same.has(index - 1) && !same.has(index + 1));
    if (parts.length && parts.at(-1).isSame === isSame) parts.at(-1).text += word;
    else parts.push({ isSame, text: word });
  });
  return parts.map(({ isSame, text }) => (isSame || isBlank(text) ? text : h(tag, {}, text)));
}

function isBlank(text) {
  return !text.trim();
}
