"""LaTeX commands and the characters they print: the text symbols, Greek and mathematics met in bibliographies."""

from __future__ import annotations

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
