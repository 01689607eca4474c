// Formulas written in TeX as MathML; what this small reader does not know is shown as it is written.

import { h } from "./dom.js";

const MATHML = "http://www.w3.org/1998/Math/MathML";
const LONGEST = 1500;
const DEEPEST = 20;
const LETTERS = {
  alpha: "α",
  beta: "β",
  gamma: "γ",
  delta: "δ",
  epsilon: "ϵ",
  varepsilon: "ε",
  zeta: "ζ",
  eta: "η",
  theta: "θ",
  iota: "ι",
  kappa: "κ",
  lambda: "λ",
  mu: "μ",
  nu: "ν",
  xi: "ξ",
  pi: "π",
  rho: "ρ",
  sigma: "σ",
  tau: "τ",
  phi: "ϕ",
  varphi: "φ",
  chi: "χ",
  psi: "ψ",
  omega: "ω",
  Gamma: "Γ",
  Delta: "Δ",
  Theta: "Θ",
  Lambda: "Λ",
  Xi: "Ξ",
  Pi: "Π",
  Sigma: "Σ",
  Phi: "Φ",
  Psi: "Ψ",
  Omega: "Ω",
  infty: "∞",
  ell: "ℓ",
  hbar: "ℏ",
  partial: "∂",
  nabla: "∇",
  emptyset: "∅",
  Re: "ℜ",
  Im: "ℑ",
};
const SIGNS = {
  times: "×",
  cdot: "⋅",
  leq: "≤",
  le: "≤",
  geq: "≥",
  ge: "≥",
  neq: "≠",
  ne: "≠",
  approx: "≈",
  equiv: "≡",
  sim: "∼",
  pm: "±",
  mp: "∓",
  to: "→",
  rightarrow: "→",
  leftarrow: "←",
  Rightarrow: "⇒",
  mapsto: "↦",
  in: "∈",
  notin: "∉",
  subset: "⊂",
  subseteq: "⊆",
  cup: "∪",
  cap: "∩",
  forall: "∀",
  exists: "∃",
  sum: "∑",
  prod: "∏",
  int: "∫",
  oint: "∮",
  ldots: "…",
  cdots: "⋯",
  dots: "…",
  mid: "∣",
  propto: "∝",
  perp: "⊥",
  ll: "≪",
  gg: "≫",
  div: "÷",
  circ: "∘",
  wedge: "∧",
  vee: "∨",
  neg: "¬",
  langle: "⟨",
  rangle: "⟩",
  lbrace: "{",
  rbrace: "}",
  "{": "{",
  "}": "}",
  "|": "‖",
  "%": "%",
};
const SPACES = new Set([
  ",",
  ";",
  ":",
  "!",
  " ",
  "quad",
  "qquad",
  "displaystyle",
  "limits",
  "left",
  "right",
  "big",
  "Big",
]);
const WORDS = new Set(["sin", "cos", "tan", "log", "ln", "exp", "min", "max", "lim", "det", "arg", "sup", "inf", "Pr"]);
const STYLED = new Set(["text", "mathrm", "mathbf", "mathit", "mathcal", "mathbb", "operatorname", "textbf", "textit"]);
const OVER = { bar: "¯", overline: "¯", hat: "^", widehat: "^", tilde: "~", vec: "→", dot: "˙" };

export function formula(tex, isBlock = false) {
  const source = tex.trim();
  try {
    if (source.length > LONGEST) throw new Error("long");
    const tokens = source.match(/\\[a-zA-Z]+|\\.|\d+(?:[.,]\d+)?|\s+|[^]/gu) || [];
    const row = sequence(
      tokens.filter((token) => token.trim()),
      0,
    );
    const made = element("math", row);
    made.setAttribute("display", isBlock ? "block" : "inline");
    made.setAttribute("aria-label", source);
    return made;
  } catch {
    return h("code", { class: "formula" }, source);
  }
}

function element(tag, children) {
  const made = document.createElementNS(MATHML, tag);
  made.append(...children);
  return made;
}

// Everything up to the end or to the closing brace; tokens are taken from the front.
function sequence(tokens, depth) {
  if (depth > DEEPEST) throw new Error("deep");
  const parts = [];
  while (tokens.length && tokens[0] !== "}") {
    const mark = tokens[0];
    if (mark === "^" || mark === "_") {
      tokens.shift();
      parts.push(raised(parts.pop() || element("mrow", []), mark, tokens, depth));
    } else {
      const next = atom(tokens, depth);
      if (next) parts.push(next);
    }
  }
  return parts;
}

function raised(base, mark, tokens, depth) {
  const first = argument(tokens, depth);
  const other = mark === "^" ? "_" : "^";
  if (tokens[0] !== other) return element(mark === "^" ? "msup" : "msub", [base, first]);
  tokens.shift();
  const second = argument(tokens, depth);
  return element("msubsup", mark === "^" ? [base, second, first] : [base, first, second]);
}

function argument(tokens, depth) {
  return atom(tokens, depth + 1) || element("mrow", []);
}

function atom(tokens, depth) {
  const token = tokens.shift();
  if (token === undefined || token === "}" || token === "&") throw new Error("unexpected");
  if (token === "{") {
    const inner = sequence(tokens, depth + 1);
    if (tokens.shift() !== "}") throw new Error("open");
    return element("mrow", inner);
  }
  if (token.startsWith("\\")) return command(token.slice(1), tokens, depth);
  if (/^\d/.test(token)) return element("mn", [token]);
  return element(/^\p{L}$/u.test(token) ? "mi" : "mo", [token === "-" ? "−" : token]);
}

function command(name, tokens, depth) {
  if (LETTERS[name]) return element("mi", [LETTERS[name]]);
  if (SIGNS[name]) return element("mo", [SIGNS[name]]);
  if (WORDS.has(name)) return element("mi", [name]);
  if (SPACES.has(name)) return null;
  if (["frac", "dfrac", "tfrac"].includes(name))
    return element("mfrac", [argument(tokens, depth), argument(tokens, depth)]);
  if (name === "sqrt" && tokens[0] !== "[") return element("msqrt", [argument(tokens, depth)]);
  if (OVER[name]) return element("mover", [argument(tokens, depth), element("mo", [OVER[name]])]);
  if (STYLED.has(name)) return element("mtext", [argument(tokens, depth).textContent]);
  throw new Error("unknown");
}
