// The workbench: which view is shown, who may see it, and where focus and scroll go.

import { failure, get, hasKey, keep } from "./api.js";
import { announce, h, newId, place } from "./dom.js";
import { failed } from "./outcome.js";
import { field, notice, skeleton, values } from "./parts.js";
import { watchConnection } from "./offline.js";
import { listenForKeys } from "./keys.js";
import * as ask from "./ask.js";
import * as search from "./search.js";
import * as graph from "./graph.js";
import * as read from "./read.js";
import * as verify from "./verify.js";
import * as audit from "./audit.js";
import * as projects from "./projects.js";
import * as sessions from "./sessions.js";
import * as library from "./library.js";
import * as health from "./health.js";
import * as connect from "./connect.js";

const GROUPS = { Find: { "": ask, search, graph }, Check: { read, verify, audit } };
GROUPS.Keep = { projects, sessions, library };
GROUPS.Server = { health, connect };
const VIEWS = Object.assign({}, ...Object.values(GROUPS));
const MOST_KEPT = 12;
const main = document.getElementById("main");

let about = null;
let current = null; // the view on screen: {id, name, hash, root, leaving, isDone}
const left = new Map(); // views gone from, by history entry, to be brought back as they were

function wanted() {
  const [path, ...rest] = location.hash.replace(/^#\/?/, "").split("?");
  const asked = rest.join("?");
  return { name: Object.hasOwn(VIEWS, path) ? path : "", parameters: Object.fromEntries(new URLSearchParams(asked)) };
}

function drawNavigation(name) {
  const entry = ([key, view]) =>
    h("li", {}, h("a", { href: `#/${key}`, "aria-current": key === name ? "page" : null }, view.title));
  const nav = document.getElementById("nav");
  const groups = Object.entries(GROUPS).map(([title, views]) => {
    const id = newId("group");
    return [
      h("p", { class: "group", id }, title),
      h("ul", { "aria-labelledby": id }, Object.entries(views).map(entry)),
    ];
  });
  nav.replaceChildren(...groups.flat());
  const chosen = nav.querySelector("[aria-current]");
  nav.scrollLeft = chosen.offsetLeft - nav.offsetLeft - 16;
}

function entryId() {
  if (!history.state?.id) history.replaceState({ id: `${Date.now()}-${newId("entry")}` }, "");
  return history.state.id;
}

// A view that is done is kept as it stands; one that is still at work, or shows what changes, is given up.
function leave() {
  if (!current) return;
  const { id, isDone, leaving, view } = current;
  left.delete(id);
  if (isDone && !view.isLive) left.set(id, { ...current, scroll: window.scrollY });
  else leaving.abort();
  for (const [old, { leaving: its }] of left) {
    if (left.size <= MOST_KEPT) break;
    its.abort();
    left.delete(old);
  }
}

function show() {
  const { name, parameters } = wanted();
  const before = { name: current?.name, control: document.activeElement };
  leave();
  drawNavigation(name);
  announce("");
  const id = entryId();
  const kept = left.get(id);
  const view = VIEWS[name];
  document.title = `${view.title} · Wellsourced`;
  if (kept && kept.hash === location.hash) return bringBack(kept);
  const root = h("div", { class: `view ${name || "ask"}` });
  root.append(...skeleton(view.heading || view.title, view.lead).filter(Boolean));
  current = { id, name, view, hash: location.hash, root, leaving: new AbortController(), isDone: false };
  main.replaceChildren(root);
  return fill(current, parameters, before);
}

function bringBack(kept) {
  current = kept;
  main.replaceChildren(kept.root);
  window.scrollTo(0, kept.scroll);
  document.getElementById("heading").focus({ preventScroll: true });
}

async function fill(shown, parameters, before) {
  const { signal } = shown.leaving;
  window.scrollTo(0, 0);
  if (before.name !== undefined) document.getElementById("heading").focus({ preventScroll: true });
  try {
    about = about || (await get("/api/about", signal));
    document.getElementById("version").textContent = `Version ${about.version}`;
    if (signal.aborted) return;
    const work = shown.view.render(shown.root, { parameters, about, signal });
    arrive(shown, before);
    await work;
    shown.isDone = true;
  } catch (problem) {
    if (signal.aborted || problem.status === 401) return;
    shown.root.querySelectorAll(".busy").forEach((waiting) => waiting.remove());
    shown.root.append(failed(failure(problem)));
  }
}

// A form that was sent off keeps the focus where it was; a new view begins at its heading, the first page in its box.
function arrive({ name, root }, before) {
  const again = before.name === name && before.control?.name ? before.control.name : null;
  const same = again ? root.querySelector(`form [name="${CSS.escape(again)}"]`) : null;
  const box =
    before.name === undefined || before.name === "" ? root.querySelector("[data-box]:placeholder-shown") : null;
  (same || (name === "" ? box : null))?.focus({ preventScroll: true });
}

// To another state of the workbench, as a step that Back undoes; the same state again is worked out anew.
export function go(view, parameters) {
  const hash = place(view, parameters);
  if (hash !== location.hash) location.hash = hash;
  else {
    left.delete(current?.id);
    current.isDone = false;
    show();
  }
}

function askForKey(body) {
  const wasWrong = hasKey();
  const token = { name: "token", label: "Bearer token", kind: "password" };
  const admin = { name: "admin", label: "Admin key", kind: "password" };
  const form = h(
    "form",
    { class: "panel narrow", submit: unlock },
    (body.signIn ?? true) ? field({ ...token, hint: "A token of the sign-in service this server trusts." }) : null,
    field({ ...admin, hint: "The server's ADMIN_API_KEY. It is kept for this tab only." }),
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
history.scrollRestoration = "manual";
window.addEventListener("go", (event) => go(event.detail.view, event.detail.parameters));
window.addEventListener("locked", (event) => askForKey(event.detail));
window.addEventListener("hashchange", show);
listenForKeys();
watchConnection(document.getElementById("connection"));
show();
