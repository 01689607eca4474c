// Keeping what was found: which project, and what goes into it.

import { get, post } from "./api.js";
import { announce, counted, h, within } from "./dom.js";
import { busy, field, list, notice } from "./parts.js";

const NEW = "new";

// A choice among the projects there are, and a name for a new one.
export async function projectPicker(signal, suggestion = "") {
  const { projects } = await get("/api/projects", signal);
  const options = [...projects.map(({ projectId, name }) => [projectId, name]), [NEW, "A new project"]];
  const chosen = field({ name: "project", label: "Project", kind: "select", options, value: options[0][0] });
  const named = field({ name: "name", label: "Its name", value: suggestion.slice(0, 100), maxlength: 200 });
  const select = chosen.querySelector("select");
  const toggle = () => {
    named.hidden = select.value !== NEW;
  };
  select.addEventListener("change", toggle);
  toggle();
  async function project() {
    if (select.value !== NEW) return { projectId: select.value };
    const made = await post(
      "/api/projects",
      { name: named.querySelector("input").value.trim() || "Research", question: suggestion },
      signal,
    );
    select.prepend(h("option", { value: made.projectId, selected: true }, made.name));
    toggle();
    return made;
  }
  return { element: h("div", { class: "row" }, chosen, named), project };
}

// A button that opens a small form; `items` makes the bodies of what is added.
export function keeping({ label, suggestion, items, signal }) {
  const panel = h("div", { class: "cite keep-panel", hidden: true });
  const button = h("button", { type: "button", "aria-expanded": "false", click: toggle }, label);
  async function toggle() {
    panel.hidden = !panel.hidden;
    button.setAttribute("aria-expanded", String(!panel.hidden));
    if (panel.hidden || panel.childElementCount) return;
    panel.append(busy("Looking for projects…"));
    try {
      const picker = await projectPicker(signal, suggestion);
      const state = h("div", { role: "status" });
      const add = h("button", { type: "button", class: "primary", click: () => run(picker, add, state) }, "Keep");
      panel.replaceChildren(picker.element, add, state);
      panel.querySelector("select").focus();
    } catch (problem) {
      if (problem.name !== "AbortError") panel.replaceChildren(refused([problem.message]));
    }
  }
  async function run(picker, add, state) {
    add.disabled = true;
    state.replaceChildren(busy("Reading and capturing…"));
    try {
      state.replaceChildren(...(await addAll(await picker.project(), items(), signal, state)));
    } catch (problem) {
      if (problem.name !== "AbortError") state.replaceChildren(refused([problem.message]));
    }
    add.disabled = false;
  }
  return h("div", { class: "keep" }, button, panel);
}

// One after the other, since each is read and captured; what could not be kept is said in the server's words.
async function addAll({ projectId }, items, signal, state) {
  const problems = [];
  let kept = 0;
  for (const item of items) {
    state.querySelector(".busy")?.lastChild.replaceWith(`${kept + problems.length + 1} of ${items.length}…`);
    try {
      await post(`/api/projects/${encodeURIComponent(projectId)}/add`, item, signal);
      kept += 1;
    } catch (problem) {
      if (problem.name === "AbortError") throw problem;
      problems.push(`${item.title || item.url || item.name || item.text}: ${problem.message}`);
    }
  }
  announce(`${counted(kept, "item")} kept.`);
  const open = within("projects", { id: projectId }, "Open the project");
  return [h("p", {}, `${counted(kept, "item")} kept. `, open), ...(problems.length ? [refused(problems)] : [])];
}

function refused(sentences) {
  return h("div", { role: "alert" }, notice("warning", "Not kept", list(sentences)));
}

// What was found for a question: a quotation where a sentence of the page was found, else the source.
export function keepButton(rows, { question, claim }, signal) {
  const items = () =>
    rows
      .filter(({ state }) => state === "read")
      .map((row) =>
        row.quote && !row.from
          ? { kind: "quote", url: row.url, quote: row.quote, claim: claim || "" }
          : { kind: "source", url: row.url },
      );
  return keeping({ label: "Keep in a project", suggestion: question, items, signal });
}
