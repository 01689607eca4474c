"""Formulas as LaTeX: from MathML (also that of KaTeX and MathJax 3), and those that MathJax 2 keeps in scripts.

Only what a reader sees is written, not the source beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from wellsourced.late_pattern import late_pattern
from wellsourced.pages.html.blocks import FORMULA_TAG, Branch, Child
from wellsourced.pages.html.dom import Document, Element, Node, Text, attribute, remove, select

# Signs and letters in LaTeX's words; what is not here is written as it is.
_SIGNS = (
    "α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ "
    "lambda μ mu ν nu ξ xi π pi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω "
    "omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega ∑ sum ∏ prod ∐ coprod "
    "∫ int ∬ iint ∭ iiint ∮ oint ∞ infty ∂ partial ∇ nabla ≤ leq ≥ geq ≠ neq ≈ approx ≡ equiv ∼ sim ≃ simeq ≅ "
    "cong ∝ propto ± pm ∓ mp × times ÷ div ⋅ cdot · cdot ∘ circ ∙ bullet ∗ ast ⊕ oplus ⊗ otimes ∈ in ∉ notin ∋ ni "
    "⊂ subset ⊆ subseteq ⊃ supset ⊇ supseteq ∪ cup ∩ cap ∅ emptyset ∖ setminus ∀ forall ∃ exists ¬ neg ∧ wedge ∨ "
    "vee → to ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ↦ mapsto ⟶ longrightarrow … "
    "ldots ⋯ cdots ⋮ vdots ⋱ ddots ∥ parallel ⊥ perp ∠ angle ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil ⟨ langle ⟩ rangle "
    "ℏ hbar ℓ ell ℜ Re ℑ Im ℵ aleph ≪ ll ≫ gg † dagger"
)
SIGNS = {sign: f"\\{word}" for sign, word in zip(_SIGNS.split()[::2], _SIGNS.split()[1::2], strict=True)}
SIGNS |= {sign: f"\\mathbb{{{letter}}}" for sign, letter in zip("ℕℤℚℝℂℙℍ", "NZQRCPH", strict=True)}
SIGNS |= {"−": "-", "{": r"\{", "}": r"\}", "%": r"\%", "#": r"\#", "&": r"\&", "$": "", "`": "", "\\": r"\backslash"}
ACCENTS = {"¯": "bar", "‾": "overline", "^": "hat", "ˆ": "hat", "→": "vec", "⃗": "vec", "˙": "dot", "¨": "ddot",
           "~": "tilde", "˜": "tilde", "⏞": "overbrace"}  # fmt: skip
LOWER_WORDS = {"_": "underline", "̲": "underline", "⏟": "underbrace"}
ALPHABETS = {"double-struck": "mathbb", "bold": "mathbf", "script": "mathcal", "fraktur": "mathfrak"}
_FUNCTIONS = (
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max "
    "min sec sin sinh sup tan tanh Pr"
)
FUNCTIONS = frozenset(_FUNCTIONS.split())
INVISIBLE_SIGNS = dict.fromkeys(range(0x2061, 0x2065))
SCRIPTS = {
    "msup": "^", "msub": "_", "msubsup": "_^", "munder": "_", "mover": "^", "munderover": "_^",
}  # fmt: skip
MATRICES = {("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("|", "|"): "vmatrix", (r"\{", ""): "cases"}
COMMAND_END = late_pattern(r"\\[A-Za-z]+$")
RENDERED = late_pattern(r"(?:^|\s)(?:MathJax|MJXc|mjx-)")
KRAMDOWN_FRAME = late_pattern(r"%\s*+<!\[CDATA\[|(?:%?(?<!\s)\s+|%)?\]\]>")
MOST_MADE = 4


def formula_text(branch: Branch, text: Callable[[Sequence[Child]], str]) -> str:
    """A formula as LaTeX; `text` gives that of its leaves."""
    inner = [child for child in branch.children if isinstance(child, Branch)]
    if not inner:
        written = _leaf(branch.tag, " ".join(text(branch.children).split()))
        alphabet = ALPHABETS.get(branch.attr("mathvariant"), "")
        return f"\\{alphabet}{{{written}}}" if alphabet and written else written
    parts = [formula_text(child, text) for child in inner]
    if branch.tag == "mfrac" and len(parts) == 2:
        thin = branch.attr("linethickness").rstrip("ptxem") in {"0", "0."}
        return f"\\{'binom' if thin else 'frac'}{{{parts[0]}}}{{{parts[1]}}}"
    if branch.tag == "mmultiscripts":
        return _with_scripts(inner, parts)
    if branch.tag == "mfenced":
        opening, closing = (branch.element.attr(name, sign) or "" for name, sign in (("open", "("), ("close", ")")))
        return _line([_sign(opening), ", ".join(parts), _sign(closing)])
    return join_formula(branch.tag, parts)


def _with_scripts(inner: Sequence[Branch], parts: list[str]) -> str:
    """A letter with indices after it and, behind a mark, before it: pairs of a lower and an upper one."""
    cut = next((place for place, child in enumerate(inner) if child.tag == "mprescripts"), len(parts))
    return (_pairs(parts[cut + 1 :], "{}") if cut + 1 < len(parts) else "") + parts[0] + _pairs(parts[1:cut], "")


def _pairs(parts: list[str], empty: str) -> str:
    marks = ("_", "^")
    return empty + "".join(f"{marks[place % 2]}{_grouped(part)}" for place, part in enumerate(parts) if part)


def join_formula(tag: str, parts: list[str]) -> str:
    """An element of MathML from what its parts came to."""
    scripts = SCRIPTS.get(tag, "")
    if tag == "mover" and len(parts) == 2 and parts[1] in ACCENT_WORDS:
        return f"\\{ACCENT_WORDS[parts[1]]}{{{parts[0]}}}"
    if tag == "munder" and len(parts) == 2 and parts[1] in LOWER_WORDS:
        return f"\\{LOWER_WORDS[parts[1]]}{{{parts[0]}}}"
    if scripts and len(parts) == len(scripts) + 1:
        marks = "".join(f"{mark}{_grouped(part)}" for mark, part in zip(scripts, parts[1:], strict=True) if part)
        return parts[0] + marks
    if tag == "mroot" and len(parts) == 2:
        return f"\\sqrt[{parts[1]}]{{{parts[0]}}}"
    if tag == "mtable":
        rows = r" \\ ".join(parts)
        return f"\\begin{{matrix}} {rows} \\end{{matrix}}"
    line = " & ".join(parts) if tag in {"mtr", "mlabeledtr"} else _line(parts)
    return f"\\sqrt{{{line}}}" if tag == "msqrt" else line


def _leaf(tag: str, text: str) -> str:
    text = text.translate(INVISIBLE_SIGNS)
    if tag in {"mtext", "ms"}:
        return f"\\text{{{text.translate(TEXT_SIGNS)}}}" if text else ""
    if text in FUNCTIONS:
        return f"\\{text}"
    written = _line([_sign(sign) for sign in text]) if not text.isalnum() or not text.isascii() else text
    return f"\\mathrm{{{written}}}" if tag == "mi" and len(text) > 1 and text.isalpha() else written


def _sign(text: str) -> str:
    return SIGNS.get(text, text)


def _grouped(text: str) -> str:
    return text if len(text) == 1 else f"{{{text}}}"


def _line(parts: list[str]) -> str:
    """Parts side by side: a command keeps its distance from a letter, and brackets around a matrix are its own."""
    line = ""
    for part in _with_brackets([part for part in parts if part]):
        line += f" {part}" if part[:1].isalpha() and COMMAND_END.search(line) else part
    return line


def _with_brackets(parts: list[str]) -> list[str]:
    joined: list[str] = []
    for place, part in enumerate(parts):
        before, after = joined[-1] if joined else "", parts[place + 1] if place + 1 < len(parts) else ""
        if part.startswith("\\begin{matrix}"):
            kind = MATRICES.get((before, after)) or MATRICES.get((before, ""))
            if kind:
                joined[-1] = part.replace("{matrix}", f"{{{kind}}}")
                parts[place + 1 : place + 2] = [""] if kind != "cases" else parts[place + 1 : place + 2]
                continue
        if part.startswith("\\binom") and (before, after) == ("(", ")"):
            joined[-1] = part
            parts[place + 1] = ""
            continue
        joined.append(part)
    return joined


NAMED_TAGS, NAMED_FORMULAS = ("math-renderer",), "span.math-container"
ACCENT_WORDS = {SIGNS.get(sign, sign): word for sign, word in ACCENTS.items()}
TEXT_SIGNS = str.maketrans(dict.fromkeys("$`{}\\", ""))


def write_mathjax_formulas(document: Document) -> None:
    """Put the formula of each MathJax script in its place, as TeX between dollar signs.

    The script is what the author wrote; the elements before it that MathJax made of it are taken out, so that the
    formula does not appear twice.
    """
    for script in select(document, "script[type^='math/tex' i]"):
        tex = " ".join(KRAMDOWN_FRAME.sub(" ", script.text).split())
        if not tex:
            continue
        for made in _made_of(script):
            remove(made)
        sign = "$$" if "mode=display" in attribute(script, "type").replace(" ", "").lower() else "$"
        script.replace_with(Element(FORMULA_TAG, None, [Text(f"{sign}{tex}{sign}")]))


def write_named_formulas(document: Document, named: Iterable[Element]) -> None:
    """Formulas between dollar signs in elements that some sites have for nothing else; `named` are those by their tag,
    which the parser does not know and would look for in all of the page."""
    for element in (*select(document, NAMED_FORMULAS), *named):
        tex = " ".join(element.text.split())
        if tex.startswith("$") and tex.endswith("$"):
            element.replace_with(Element(FORMULA_TAG, None, [Text(tex)]))


def _made_of(script: Element) -> list[Element]:
    """The preview and the rendered formula, which stand right before their script."""
    results: list[Element] = []
    before: Node | None = script.previous_sibling
    while before is not None and len(results) < MOST_MADE:
        if isinstance(before, Element):
            if not RENDERED.search(attribute(before, "class")):
                break
            results.append(before)
        elif before.text.strip():
            break
        before = before.previous_sibling
    return results
