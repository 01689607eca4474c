"""LaTeX text to plain Unicode, and plain text to LaTeX that prints the same.

Decoding is a fixed number of passes over the text, each linear; nothing is expanded, so there is nothing to blow
up. Formatting is dropped and its content kept; a command nobody knows keeps its name unless it has an argument.
"""

from __future__ import annotations

import re
import unicodedata

ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306", ".": "\u0307",
    '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "d": "\u0323", "c": "\u0327", "k": "\u0328",
    "b": "\u0331", "t": "\u0361",
}  # fmt: skip

LETTERS = {
    "aa": "å", "AA": "Å", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ss": "ß",
    "SS": "ẞ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ", "i": "ı",
    "j": "ȷ",
    "cyrchar": "", "textschwa": "ə", "ij": "ĳ", "IJ": "Ĳ", "ocirc": "",
}  # fmt: skip

TEXT = {
    "textendash": "–", "textemdash": "—", "textquoteleft": "‘", "textquoteright": "’", "textquotedblleft": "“",
    "textquotedblright": "”", "textquotesingle": "'", "textquotedbl": '"', "quotesinglbase": "‚", "quotedblbase": "„",
    "guillemotleft": "«", "guillemotright": "»", "guilsinglleft": "‹", "guilsinglright": "›", "textbackslash": "\\",
    "textasciitilde": "~", "textasciicircum": "^", "textbar": "|", "textless": "<", "textgreater": ">",
    "textbraceleft": "{",
    "textbraceright": "}", "textunderscore": "_", "textdollar": "$", "textsection": "§", "S": "§", "P": "¶",
    "textparagraph": "¶", "pounds": "£", "textsterling": "£", "texteuro": "€", "euro": "€", "textyen": "¥",
    "textcent": "¢",
    "copyright": "©", "textcopyright": "©", "textregistered": "®", "texttrademark": "™", "textdegree": "°",
    "degree": "°",
    "textmu": "µ", "textohm": "Ω", "textbullet": "•", "textperiodcentered": "·", "textellipsis": "…", "dots": "…",
    "ldots": "…", "cdots": "⋯", "textexclamdown": "¡", "textquestiondown": "¿", "textonehalf": "½",
    "textonequarter": "¼",
    "textthreequarters": "¾", "textonesuperior": "¹", "texttwosuperior": "²", "textthreesuperior": "³",
    "textordfeminine": "ª",
    "textordmasculine": "º", "textnumero": "№", "dag": "†", "ddag": "‡", "textpm": "±", "texttimes": "×", "slash": "/",
    "LaTeX": "LaTeX", "TeX": "TeX", "BibTeX": "BibTeX", "space": " ", "quad": " ", "qquad": " ", "newline": " ",
    "par": " ",
    "enspace": " ", "thinspace": " ", "nobreakspace": " ", "nobreakdash": "-", "textsubscript": "",
    "textsuperscript": "",
    "lq": "‘", "rq": "’", "ldq": "“", "rdq": "”", "lbrace": "{", "rbrace": "}", "backslash": "\\", "textcommabelow": "",
}  # fmt: skip

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "varepsilon": "ε", "zeta": "ζ", "eta": "η",
    "theta": "θ", "vartheta": "ϑ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ",
    "omicron": "ο",
    "pi": "π", "varpi": "ϖ", "rho": "ρ", "varrho": "ϱ", "sigma": "σ", "varsigma": "ς", "tau": "τ", "upsilon": "υ",
    "phi": "ϕ",
    "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ",
    "Xi": "Ξ",
    "Pi": "Π", "Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip

MATHEMATICS = {
    "pm": "±", "mp": "∓", "times": "×", "div": "÷", "cdot": "⋅", "ast": "∗", "star": "⋆", "circ": "∘", "bullet": "•",
    "le": "≤", "leq": "≤", "leqslant": "≤", "ge": "≥", "geq": "≥", "geqslant": "≥", "ne": "≠", "neq": "≠", "ll": "≪",
    "gg": "≫", "approx": "≈", "simeq": "≃", "sim": "∼", "cong": "≅", "equiv": "≡", "propto": "∝", "infty": "∞",
    "partial": "∂", "nabla": "∇", "sum": "∑", "prod": "∏", "int": "∫", "sqrt": "√", "forall": "∀", "exists": "∃",
    "in": "∈", "notin": "∉", "ni": "∋", "subset": "⊂", "supset": "⊃", "subseteq": "⊆", "supseteq": "⊇", "cup": "∪",
    "cap": "∩", "emptyset": "∅", "setminus": "∖", "to": "→", "rightarrow": "→", "leftarrow": "←", "leftrightarrow": "↔",
    "Rightarrow": "⇒", "Leftarrow": "⇐", "Leftrightarrow": "⇔", "longrightarrow": "⟶", "mapsto": "↦", "uparrow": "↑",
    "downarrow": "↓", "langle": "⟨", "rangle": "⟩", "perp": "⊥", "parallel": "∥", "angle": "∠", "triangle": "△",
    "oplus": "⊕", "otimes": "⊗", "wedge": "∧", "vee": "∨", "neg": "¬", "lnot": "¬", "ell": "ℓ", "hbar": "ℏ", "Re": "ℜ",
    "Im": "ℑ", "aleph": "ℵ", "prime": "′", "dagger": "†", "ddagger": "‡", "odot": "⊙", "sun": "☉", "AND": "&",
    "mid": "|",
    "vert": "|", "Vert": "‖", "lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "checkmark": "✓", "square": "□",
    "log": "log", "ln": "ln", "sin": "sin", "cos": "cos", "tan": "tan", "exp": "exp", "min": "min", "max": "max",
    "lim": "lim",
}  # fmt: skip

JOURNALS = {
    "aj": "The Astronomical Journal", "apj": "The Astrophysical Journal", "apjl": "The Astrophysical Journal Letters",
    "apjs": "The Astrophysical Journal Supplement Series", "aap": "Astronomy & Astrophysics",
    "aaps": "Astronomy & Astrophysics Supplement Series", "aapr": "The Astronomy and Astrophysics Review",
    "araa": "Annual Review of Astronomy and Astrophysics", "mnras": "Monthly Notices of the Royal Astronomical Society",
    "pasp": "Publications of the Astronomical Society of the Pacific",
    "pasj": "Publications of the Astronomical Society of Japan",
    "nat": "Nature", "prl": "Physical Review Letters", "pra": "Physical Review A", "prb": "Physical Review B",
    "prc": "Physical Review C", "prd": "Physical Review D", "pre": "Physical Review E", "physrep": "Physics Reports",
    "ssr": "Space Science Reviews", "solphys": "Solar Physics", "icarus": "Icarus",
    "jcap": "Journal of Cosmology and Astroparticle Physics",
    "apss": "Astrophysics and Space Science", "nar": "New Astronomy Reviews", "planss": "Planetary and Space Science",
    "jgr": "Journal of Geophysical Research", "grl": "Geophysical Research Letters",
    "memras": "Memoirs of the Royal Astronomical Society",
}  # fmt: skip

SILENT_TEXT = """
    text textit textbf textsl textsc textrm textsf texttt textup textmd textnormal textlf emph em it bf sc sl
    rm sf tt itshape bfseries scshape slshape rmfamily sffamily ttfamily upshape mdseries normalfont mathrm
    mathbf mathit mathsf mathtt mathcal mathbb mathfrak mathscr boldsymbol bm mbox hbox fbox ensuremath
    uppercase lowercase MakeUppercase MakeLowercase underline uline noopsort relax protect left right big Big
    bigg Bigg displaystyle textstyle scriptstyle scriptscriptstyle limits nolimits mathop operatorname
    mkbibquote enquote mkbibemph bibstring natexlab NoCaseChange url path nolinkurl small large Large
    footnotesize scriptsize tiny normalsize acute hat bar tilde vec dot ddot sp sb cyr bibcyr selectlanguage
    foreignlanguage unskip ignorespaces bibinfo bibfield nocase
"""
SILENT = frozenset(SILENT_TEXT.split())

SUPERSCRIPTS = dict(zip("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ", strict=True))
SUBSCRIPTS = dict(zip("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎", strict=True))

PRINTED = {**TEXT, **GREEK, **MATHEMATICS, **JOURNALS, **LETTERS}


OPEN, CLOSE, BACKSLASH, DOLLAR, TILDE = "\ue000", "\ue001", "\ue002", "\ue003", "\ue004"
KEPT = str.maketrans({OPEN: "{", CLOSE: "}", BACKSLASH: "\\", DOLLAR: "$", TILDE: "~"})
NOT_OURS = dict.fromkeys(range(0xE000, 0xE005))
PROTECTED = str.maketrans({"{": OPEN, "}": CLOSE, "\\": BACKSLASH, "$": DOLLAR, "~": TILDE})
DOUBLED_ACCENT = re.compile(r"""\\\\(?=["'`^~=.](?:[^\W\d_]|\{[^\W\d_]\}|\\[ij]))""")
ARGUMENT = r"(?:\{\s{0,9}(\\[ij](?![A-Za-z])|[^\W\d_])([^{}\\]{0,40})\}|(\\[ij](?![A-Za-z]) ?|[^\W\d_]))"
SIGN_ACCENT = re.compile(rf"""\\(["'`^~=.])\s{{0,9}}{ARGUMENT}""")
LETTER_ACCENT = re.compile(
    r"\\([cvuHkrbdt])(?:\s{0,9}\{\s{0,9}(\\[ij](?![A-Za-z])|[^\W\d_])([^{}\\]{0,40})\}|"
    r"\s{1,9}(\\[ij](?![A-Za-z]) ?|[^\W\d_]))"
)
OWN_COMMAND_RING = re.compile(r"\\ocirc\s{0,9}\{([^\W\d_])\}")
HREF = re.compile(r"\\href\s{0,9}\{[^{}]{0,2000}\}")
MATHS = re.compile(r"\$([^$]{1,2000})\$")
SCRIPT = re.compile(r"([\^_])\s{0,3}(?:\{((?:[^{}]|\{[^{}]{0,100}\}){0,200})\}|(\\[A-Za-z]{1,20}|[^\s{}\\]))")
COMMAND = re.compile(r"\\(?:([A-Za-z]{1,40})\*?(?:\{\}|\s{0,99})(\{?)|([\s\S]))")
PUNCTUATION_COMMANDS = {"{": OPEN, "}": CLOSE, "\\": " ", "$": DOLLAR, "/": "", "-": "", "!": "", "~": TILDE}
LIGATURES = (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"), ("~", " "))
ESCAPES = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip
ESCAPE = str.maketrans(ESCAPES)
ESCAPE_UNBALANCED = str.maketrans({**ESCAPES, "{": r"\textbraceleft{}", "}": r"\textbraceright{}"})
RUNS = re.compile(r"(?<=-)-|(?<=`)`|(?<=')'")


def decode_latex(text: str) -> str:
    """What LaTeX would print, as plain text; braces and formatting are gone."""
    if not any(mark in text for mark in "\\{}$~`'-"):
        return text
    text = text.translate(NOT_OURS)
    if "\\" in text:
        text = HREF.sub("", OWN_COMMAND_RING.sub(r"\\r{\1}", text)).replace(r"\$", DOLLAR)
        text = DOUBLED_ACCENT.sub(r"\\", text)
        text = LETTER_ACCENT.sub(_accented, SIGN_ACCENT.sub(_accented, text))
    if "$" in text:
        text = MATHS.sub(_formula, text)
    if "\\" in text:
        text = COMMAND.sub(_printed, text)
    text = text.replace("{}", "\u2063").replace("{", "").replace("}", "")
    for written, printed in LIGATURES:
        text = text.replace(written, printed)
    return text.replace("\u2063", "").translate(KEPT)


def encode_latex(text: str) -> str:
    """Plain text that decodes to itself."""
    escapes = ESCAPE if _is_balanced(text) else ESCAPE_UNBALANCED
    return RUNS.sub(lambda found: "{}" + found[0], text.translate(escapes))


def _is_balanced(text: str) -> bool:
    """BibTeX counts escaped braces too, so that only pairs of them may be written as such."""
    depth = 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return depth == 0


def _accented(found: re.Match[str]) -> str:
    base = (found[2] or found[4] or "").strip()
    base = base[1:] if base.startswith("\\") else base
    return unicodedata.normalize("NFC", base + ACCENTS[found[1]]) + (found[3] or "")


def _formula(found: re.Match[str]) -> str:
    return SCRIPT.sub(_raised, found[1]).replace("-", "-\u2063")


def _raised(found: re.Match[str]) -> str:
    """Superscript and subscript characters where Unicode has them all, else the plain ones."""
    inside = _decode_commands(found[2] if found[2] is not None else found[3])
    table = SUPERSCRIPTS if found[1] == "^" else SUBSCRIPTS
    return "".join(table[c] for c in inside) if inside and all(c in table for c in inside) else inside


def _decode_commands(text: str) -> str:
    return COMMAND.sub(_printed, text).replace("{", "").replace("}", "").strip()


def _printed(found: re.Match[str]) -> str:
    name, opening, sign = found.groups()
    if name is None:
        return PUNCTUATION_COMMANDS.get(sign, " " if sign in ",;: \t\r\n" else sign)
    if name in PRINTED:
        return PRINTED[name].translate(PROTECTED) + opening
    return opening if name in SILENT or opening else name
