"""Office Math (ECMA-376 part 1, section 22.1) as LaTeX, which is how markdown writes formulas."""

from __future__ import annotations

from wellsourced.documents.xml import Element, attribute, find_child, local_name

DEEPEST = 40
FUNCTION_SIGN = "\u2061"
LARGE_OPERATORS = {"∑": r"\sum", "∏": r"\prod", "∫": r"\int", "∮": r"\oint", "⋃": r"\bigcup", "⋂": r"\bigcap"}
ACCENTS = {"̂": r"\hat", "̃": r"\tilde", "̅": r"\bar", "⃗": r"\vec", "̇": r"\dot", "̈": r"\ddot"}


def formula_latex(item: Element, depth: int = 0) -> str:
    """The formula inside an element; unknown constructs give their parts in order."""
    if depth > DEEPEST:
        return ""
    name = local_name(item)
    if name in {"t", "delText"}:
        return (item.text or "").replace(FUNCTION_SIGN, "") if name == "t" else ""
    if name.endswith("Pr") or name in {"rPr", "ctrlPr", "del", "moveFrom"}:
        return ""
    write = WRITERS.get(name)
    return write(item, depth + 1) if write else "".join(formula_latex(inner, depth + 1) for inner in item)


def _part(item: Element, name: str, depth: int) -> str:
    inner = find_child(item, name)
    return formula_latex(inner, depth) if inner is not None else ""


def _setting(item: Element, holder: str, name: str, default: str) -> str:
    inner = find_child(item, holder, name)
    return (attribute(inner, "val") or "") if inner is not None else default


def _fraction(item: Element, depth: int) -> str:
    return rf"\frac{{{_part(item, 'num', depth)}}}{{{_part(item, 'den', depth)}}}"


def _scripts(item: Element, depth: int) -> str:
    raised, lowered = _part(item, "sup", depth), _part(item, "sub", depth)
    below = f"_{{{lowered}}}" if lowered else ""
    above = f"^{{{raised}}}" if raised else ""
    return f"{_part(item, 'e', depth)}{below}{above}"


def _root(item: Element, depth: int) -> str:
    degree = _part(item, "deg", depth)
    return rf"\sqrt{f'[{degree}]' if degree else ''}{{{_part(item, 'e', depth)}}}"


def _large_operator(item: Element, depth: int) -> str:
    sign = _setting(item, "naryPr", "chr", "∫")
    lower, upper = _part(item, "sub", depth), _part(item, "sup", depth)
    below = f"_{{{lower}}}" if lower else ""
    above = f"^{{{upper}}}" if upper else ""
    return f"{LARGE_OPERATORS.get(sign, sign)}{below}{above} {_part(item, 'e', depth)}"


def _delimiters(item: Element, depth: int) -> str:
    opening, closing = _setting(item, "dPr", "begChr", "("), _setting(item, "dPr", "endChr", ")")
    between = _setting(item, "dPr", "sepChr", "|")
    inner = between.join(formula_latex(part, depth) for part in item if local_name(part) == "e")
    return rf"\left{opening or '.'}{inner}\right{closing or '.'}"


def _accent(item: Element, depth: int) -> str:
    sign = ACCENTS.get(_setting(item, "accPr", "chr", "̂"), r"\hat")
    return f"{sign}{{{_part(item, 'e', depth)}}}"


def _function(item: Element, depth: int) -> str:
    return f"{_part(item, 'fName', depth)} {_part(item, 'e', depth)}"


def _limit(item: Element, depth: int) -> str:
    sign = "_" if local_name(item) == "limLow" else "^"
    return f"{_part(item, 'e', depth)}{sign}{{{_part(item, 'lim', depth)}}}"


def _matrix(item: Element, depth: int) -> str:
    rows = [row for row in item if local_name(row) == "mr"]
    lines = [" & ".join(formula_latex(cell, depth) for cell in row if local_name(cell) == "e") for row in rows]
    return r"\begin{matrix}" + r" \\ ".join(lines) + r"\end{matrix}"


def _equations(item: Element, depth: int) -> str:
    return r" \\ ".join(formula_latex(part, depth) for part in item if local_name(part) == "e")


WRITERS = {
    "f": _fraction,
    "sSup": _scripts,
    "sSub": _scripts,
    "sSubSup": _scripts,
    "sPre": _scripts,
    "rad": _root,
    "nary": _large_operator,
    "d": _delimiters,
    "acc": _accent,
    "func": _function,
    "limLow": _limit,
    "limUpp": _limit,
    "m": _matrix,
    "eqArr": _equations,
}
