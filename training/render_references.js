// Renders records in a random choice of CSL styles, each part between marks that name it:
//   node training/render_references.js ITEMS.json OUT.jsonl STYLES_FOLDER LOCALES_FOLDER [EACH]
// Needs citeproc (npm), at training time only. A part is U+E000 name U+E001 text U+E002. Repeatable.
const fs = require("fs");
const CSL = require("citeproc");

const [, , itemsFile, outFile, stylesFolder, localesFolder, each = "4"] = process.argv;
const items = JSON.parse(fs.readFileSync(itemsFile));
const byId = Object.fromEntries(items.map((item) => [item.id, item]));
let seed = 22;
const random = () => ((seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648);
const locale = (name) => {
  const file = `${localesFolder}/locales-${name}.xml`;
  return fs.readFileSync(fs.existsSync(file) ? file : `${localesFolder}/locales-en-US.xml`, "utf8");
};
const sys = {
  retrieveLocale: locale,
  retrieveItem: (id) => byId[id],
  variableWrapper: (params, before, text, after) => `${before}\uE000${params.variableNames.join("+")}\uE001${text}\uE002${after}`,
};
CSL.Output.Formats.text["@showid/true"] = function (state, text) {
  return this.params && text ? sys.variableWrapper(this.params, "", text, "") : text;
};
const wanted = process.env.STYLES;
const names = wanted ? wanted.split(",") : fs.readdirSync(stylesFolder).filter((name) => name.endsWith(".csl")).map((name) => name.slice(0, -4));
const engines = new Map();
const engineOf = (name) => {
  if (!engines.has(name)) engines.set(name, new CSL.Engine(sys, fs.readFileSync(`${stylesFolder}/${name}.csl`, "utf8"), "en-US", false));
  return engines.get(name);
};
const chosen = wanted ? names : names.filter(() => random() < 0.4);
const out = fs.openSync(outFile, "w");
for (const [place, style] of chosen.entries()) {
  let engine;
  try {
    engine = engineOf(style);
    engine.setOutputFormat("text");
  } catch (problem) {
    continue;
  }
  const count = wanted ? items.length : Math.ceil((items.length * Number(each)) / chosen.length);
  for (let turn = 0; turn < count; turn += 1) {
    const item = items[wanted ? turn : Math.floor(random() * items.length)];
    try {
      engine.updateItems([item.id]);
      const made = engine.makeBibliography();
      const text = made ? made[1].join("").trim() : "";
      if (text.length > 20) fs.writeSync(out, JSON.stringify({ style, id: item.id, text }) + "\n");
    } catch (problem) {
      // A style that stumbles over a record gives no example.
    }
  }
  engines.delete(style);
}
