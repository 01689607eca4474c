// What the page asks the server. Keys are kept for this tab alone and go nowhere but to this server.

const CLIENT = "wellsourced.client-key";
const KEYS = { admin: "wellsourced.admin-key", token: "wellsourced.token" };

export class Refused extends Error {
  constructor(status, body) {
    super(body.error_description || body.error || `The server answered with status ${status}.`);
    this.status = status;
    this.body = body;
  }
}

export function keep(kind, value) {
  if (value) sessionStorage.setItem(KEYS[kind], value);
  else sessionStorage.removeItem(KEYS[kind]);
}

export function hasKey() {
  return Object.values(KEYS).some((name) => sessionStorage.getItem(name));
}

// A server without sign-in that many can reach keeps its callers apart by this; elsewhere it means nothing.
function clientKey() {
  let key = localStorage.getItem(CLIENT);
  if (!key) {
    key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    localStorage.setItem(CLIENT, key);
  }
  return key;
}

function headers(more) {
  const admin = sessionStorage.getItem(KEYS.admin);
  const token = sessionStorage.getItem(KEYS.token);
  return {
    ...more,
    "X-Client-Key": clientKey(),
    ...(admin ? { "X-Admin-Key": admin } : {}),
    ...(token ? { Authorization: `Bearer ${token}` } : {}),
  };
}

async function send(path, options = {}) {
  let reply;
  try {
    reply = await fetch(path, {
      ...options,
      headers: headers(options.headers),
      credentials: "omit",
      cache: "no-store",
    });
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    window.dispatchEvent(new Event("unreachable"));
    throw new Refused(0, { error: "The server could not be reached. Is it still running?" });
  }
  if (reply.ok) return reply;
  const body = await reply.json().catch(() => ({}));
  if (reply.status === 401) window.dispatchEvent(new CustomEvent("locked", { detail: body }));
  throw new Refused(reply.status, body);
}

function posting(body, signal) {
  return { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" }, signal };
}

export async function get(path, signal) {
  return (await send(path, { signal })).json();
}

export async function post(path, body, signal) {
  return (await send(path, posting(body, signal))).json();
}

// The bytes of an image as an address that only this page knows; the server fetches it, not the browser.
export async function image(url, signal) {
  const blob = await (await send("/api/image", posting({ url }, signal))).blob();
  return new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.readAsDataURL(blob);
  });
}

export async function file(path, signal) {
  return (await send(path, { signal })).blob();
}

// A tool's answer: {content} or {error: {kind, sentence, …}}; what the server itself refuses looks the same.
export async function call(tool, given, signal) {
  try {
    return await post("/api/call", { tool, arguments: filled(given) }, signal);
  } catch (problem) {
    return { error: failure(problem) };
  }
}

// The same, telling on the way who is asked, how far it is, and what is known already.
export async function watch(tool, given, signal, onEvent) {
  let answer = null;
  const take = (name, data) => {
    if (name === "answer") answer = data;
    else onEvent(name, data);
  };
  try {
    await stream("/api/stream", { body: { tool, arguments: filled(given) }, signal, onEvent: take });
    return answer || lost();
  } catch (problem) {
    return { error: failure(problem) };
  }
}

export function filled(given) {
  const isGiven = ([, value]) => value !== "" && value !== null && value !== undefined;
  return Object.fromEntries(Object.entries(given).filter(isGiven));
}

// Whoever left the view in the meantime is told so as well, and draws nothing.
export function failure(problem) {
  if (problem.name === "AbortError") return { kind: "left", sentence: "The view was left." };
  if (!(problem instanceof Refused)) throw problem;
  const kind = { 0: "network", 400: "validation", 401: "locked", 429: "rate_limited" }[problem.status] || "refused";
  return { kind, sentence: problem.message, retryAfterSeconds: problem.body.retryAfterSeconds };
}

// Server-sent events over fetch, which can carry a key where EventSource cannot.
export async function stream(path, { body, signal, onEvent }) {
  const reply = await send(path, body === undefined ? { signal } : posting(body, signal));
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch(lost);
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    parts.forEach((part) => tell(part, onEvent));
  }
}

export function lost(problem) {
  if (problem?.name === "AbortError") throw problem;
  throw new Refused(0, { error: "The connection to the server was lost. Is it still running?" });
}

// Only the last question counts: a new one calls off the one before, and so does leaving the view.
export function turns(signal) {
  let running = new AbortController();
  signal.addEventListener("abort", () => running.abort(), { once: true });
  return () => {
    running.abort();
    running = new AbortController();
    return running.signal;
  };
}

function tell(part, onEvent) {
  const fields = part
    .split("\n")
    .map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]);
  const { event, data } = Object.fromEntries(fields);
  if (event) onEvent(event, JSON.parse(data));
}
