// The workbench: which view is shown, who may see it, and where the focus goes.

import { failure, get, hasKey, keep } from "./api.js";
import { announce, h } from "./dom.js";
import { failed } from "./outcome.js";
import { field, notice, skeleton, values } from "./parts.js";
import * as start from "./start.js";
import * as search from "./search.js";
import * as read from "./read.js";
import * as verify from "./verify.js";
import * as audit from "./audit.js";
import * as sessions from "./sessions.js";
import * as library from "./library.js";
import * as health from "./health.js";

const VIEWS = { "": start, search, read, verify, audit, sessions, library, health };
const main = document.getElementById("main");

let about = null;
let leaving = new AbortController();
let isFirst = true;

function wanted() {
  const [path, ...rest] = location.hash.replace(/^#\/?/, "").split("?");
  const asked = rest.join("?");
  return { name: Object.hasOwn(VIEWS, path) ? path : "", parameters: Object.fromEntries(new URLSearchParams(asked)) };
}

function drawNavigation(name) {
  const links = Object.entries(VIEWS).map(([key, view]) =>
    h("li", {}, h("a", { href: `#/${key}`, "aria-current": key === name ? "page" : null }, view.title)),
  );
  const list = h("ul", {}, links);
  document.getElementById("nav").replaceChildren(list);
  const chosen = list.querySelector("[aria-current]");
  list.scrollLeft = chosen.offsetLeft - list.offsetLeft - 16;
}

async function show() {
  const { name, parameters } = wanted();
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  drawNavigation(name);
  announce("");
  const view = VIEWS[name];
  const root = h("div", { class: `view ${name || "start"}` });
  root.append(...skeleton(view.heading || view.title, view.lead).filter(Boolean));
  main.replaceChildren(root);
  document.title = `${view.title} · Wellsourced`;
  arrive();
  try {
    about = about || (await get("/api/about", signal));
    document.getElementById("version").textContent = `Version ${about.version}`;
    if (!signal.aborted) await view.render(root, { parameters, about, signal });
  } catch (problem) {
    if (signal.aborted || problem.status === 401) return;
    root.querySelectorAll(".busy").forEach((waiting) => waiting.remove());
    root.append(failed(failure(problem)));
  }
}

// The first page load leaves the focus alone; afterwards a new view begins at its heading.
function arrive() {
  window.scrollTo(0, 0);
  if (!isFirst) document.getElementById("heading").focus({ preventScroll: true });
  isFirst = false;
}

function askForKey(body) {
  const wasWrong = hasKey();
  const form = h(
    "form",
    { class: "panel narrow", submit: unlock },
    (body.signIn ?? true)
      ? field({
          name: "token",
          label: "Bearer token",
          kind: "password",
          hint: "A token of the sign-in service this server trusts.",
        })
      : null,
    field({
      name: "admin",
      label: "Admin key",
      kind: "password",
      hint: "The server's ADMIN_API_KEY. It is kept for this tab only.",
    }),
    h("button", { type: "submit", class: "primary" }, "Unlock"),
  );
  const root = h(
    "div",
    { class: "view locked" },
    ...skeleton("This workbench is locked", body.error_description || body.error).filter(Boolean),
    wasWrong ? h("div", { role: "alert" }, notice("bad", "That was not accepted.")) : null,
    form,
  );
  function unlock(event) {
    event.preventDefault();
    const given = values(form);
    keep("admin", given.admin);
    keep("token", given.token);
    about = null;
    show();
  }
  keep("admin", "");
  keep("token", "");
  main.replaceChildren(root);
  form.querySelector("input").focus();
}

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
window.addEventListener("locked", (event) => askForKey(event.detail));
window.addEventListener("hashchange", show);
show();
