// The filters of a search, made from the JSON schema of its tool: what the server takes is what is offered.

import { field } from "./parts.js";

const LABELS = {
  time_range: "Time",
  date_from: "From",
  date_to: "Until",
  sites: "Only these sites",
  exact_terms: "Exact phrase",
  exclude_terms: "Without the words",
  claim: "Claim to hold against it",
  news_source: "Only this outlet",
  sort_by: "Order",
  year_from: "From year",
  year_to: "To year",
  open_access: "Free to read",
  full_text: "Whole text available",
  pdf_only: "With a free PDF",
  search_type: "Kind of search",
  patent_office: "Office",
  cpc_code: "CPC class",
  form_type: "Form",
  facts: "Reported figures instead of filings",
  concept: "One figure over the years",
  series_id: "Series",
  company_name: "Company",
  color_type: "Colours",
  dominant_color: "Main colour",
  file_type: "File type",
};
const LETTERS = { d: "daily", w: "weekly", m: "monthly", q: "quarterly", a: "yearly" };

// What an address asks for and no list offers stays asked, so that the server can say what is wrong with it.
function choices(names, value) {
  const known = ["", ...names];
  const all = value && !known.includes(value) ? [...known, value] : known;
  return all.map((name) => [name, name ? LETTERS[name] || name.replaceAll("_", " ") : "any"]);
}

export function filterField(name, schema, value, offered) {
  const label = LABELS[name] || name[0].toUpperCase() + name.slice(1).replaceAll("_", " ");
  const hint = schema.description;
  if (offered) return field({ name, label, kind: "select", options: choices(offered, value), value });
  if (schema.enum) return field({ name, label, kind: "select", options: choices(schema.enum, value), value });
  if (schema.type === "boolean") return field({ name, label, kind: "check", value: value === "true" });
  if (["integer", "number"].includes(schema.type))
    return field({
      name,
      label,
      kind: "number",
      value,
      hint,
      min: schema.minimum,
      max: schema.maximum,
      step: schema.type === "number" ? "any" : 1,
    });
  return field({ name, label, value, hint: schema.type === "array" ? `${hint} Separated by commas.` : hint });
}

// The texts of a form as the arguments that the schema asks for; what is empty is left out.
export function argumentsOf(given, properties) {
  const made = {};
  for (const [name, value] of Object.entries(given)) {
    const schema = properties[name];
    if (!schema || value === "" || value === false || value === "false") continue;
    if (schema.type === "array") made[name] = value.split(/[,\s]+/).filter(Boolean);
    else if (["integer", "number"].includes(schema.type)) made[name] = Number(value);
    else made[name] = schema.type === "boolean" ? true : value;
  }
  return made;
}
