"""LaTeX text to plain Unicode, and plain text to LaTeX that prints the same.

Decoding is a fixed number of passes over the text, each linear; nothing is expanded, so there is nothing to blow
up. Formatting is dropped and its content kept; a command nobody knows keeps its name unless it has an argument.
"""

from __future__ import annotations

import json
import re
import unicodedata

from wellsourced.data import read_data
from wellsourced.late_pattern import late_pattern

COMMANDS = json.loads(read_data("latex_commands.json"))
ACCENTS: dict[str, str] = COMMANDS["accents"]
LETTERS: dict[str, str] = COMMANDS["letters"]
SILENT = frozenset(COMMANDS["silent"].split())

SUPERSCRIPTS = dict(zip("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ", strict=True))
SUBSCRIPTS = dict(zip("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎", strict=True))

PRINTED: dict[str, str] = {
    command: sign
    for table in ("text", "greek", "mathematics", "journals", "letters")
    for command, sign in COMMANDS[table].items()
}


OPEN, CLOSE, BACKSLASH, DOLLAR, TILDE = "\ue000", "\ue001", "\ue002", "\ue003", "\ue004"
KEPT = str.maketrans({OPEN: "{", CLOSE: "}", BACKSLASH: "\\", DOLLAR: "$", TILDE: "~"})
NOT_OURS = dict.fromkeys(range(0xE000, 0xE005))
PROTECTED = str.maketrans({"{": OPEN, "}": CLOSE, "\\": BACKSLASH, "$": DOLLAR, "~": TILDE})
DOUBLED_ACCENT = late_pattern(r"""\\\\(?=["'`^~=.](?:[^\W\d_]|\{[^\W\d_]\}|\\[ij]))""")
ARGUMENT = r"(?:\{\s{0,9}(\\[ij](?![A-Za-z])|[^\W\d_])([^{}\\]{0,40})\}|(\\[ij](?![A-Za-z]) ?|[^\W\d_]))"
SIGN_ACCENT = late_pattern(rf"""\\(["'`^~=.])\s{{0,9}}{ARGUMENT}""")
LETTER_ACCENT = late_pattern(
    r"\\([cvuHkrbdt])(?:\s{0,9}\{\s{0,9}(\\[ij](?![A-Za-z])|[^\W\d_])([^{}\\]{0,40})\}|"
    r"\s{1,9}(\\[ij](?![A-Za-z]) ?|[^\W\d_]))"
)
OWN_COMMAND_RING = late_pattern(r"\\ocirc\s{0,9}\{([^\W\d_])\}")
HREF = late_pattern(r"\\href\s{0,9}\{[^{}]{0,2000}\}")
MATHS = late_pattern(r"\$([^$]{1,2000})\$")
SCRIPT = late_pattern(r"([\^_])\s{0,3}(?:\{((?:[^{}]|\{[^{}]{0,100}\}){0,200})\}|(\\[A-Za-z]{1,20}|[^\s{}\\]))")
COMMAND = late_pattern(r"\\(?:([A-Za-z]{1,40})\*?(?:\{\}|\s{0,99})(\{?)|([\s\S]))")
PUNCTUATION_COMMANDS = {"{": OPEN, "}": CLOSE, "\\": " ", "$": DOLLAR, "/": "", "-": "", "!": "", "~": TILDE}
LIGATURES = (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"), ("~", " "))
ESCAPES = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip
ESCAPE = str.maketrans(ESCAPES)
ESCAPE_UNBALANCED = str.maketrans({**ESCAPES, "{": r"\textbraceleft{}", "}": r"\textbraceright{}"})
RUNS = late_pattern(r"(?<=-)-|(?<=`)`|(?<=')'")


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
