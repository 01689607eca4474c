"""Names of companies on patents: the same owner is written in many ways, with and without its legal form."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 300
LEGAL_WORDS = (
    "inc incorporated llc llp lp ltd limited corp corporation co company gmbh ag kg kgaa mbh se sa sas sarl sl srl spa"
    " plc pty bv nv ab as asa oy oyj aps kk kabushiki kaisha pte sdn bhd ohg ev the"
)
LEGAL_FORMS = frozenset(LEGAL_WORDS.split())
ASIAN_FORMS = re.compile("株式会社|有限会社|有限责任公司|股份有限公司|有限公司|주식회사|\\(株\\)|㈜")
INITIALS = re.compile(r"\b(?:[A-Za-z]\.){2,5}")
WORD = re.compile(r"\w+")


def bare_company(name: str) -> str:
    """`Siemens Energy Global GmbH & Co. KG` is `Siemens Energy Global`: without the legal forms at its end."""
    text = ASIAN_FORMS.sub(" ", name[:LONGEST])
    words = INITIALS.sub(lambda found: found[0].replace(".", ""), text).replace(",", " ").split()
    while len(words) > 1 and (words[-1].strip(".").casefold() in LEGAL_FORMS or words[-1] in {"&", "+"}):
        words.pop()
    return " ".join(words).strip(" .,&") or name.strip()


def company_key(name: str) -> str:
    """One spelling for all variants of a name."""
    return " ".join(_tokens(bare_company(name)))


def same_company(wanted: str, name: str) -> bool:
    """Whether the words of the wanted name stand side by side in the other."""
    tokens, others = _tokens(bare_company(wanted)), _tokens(name)
    if not tokens:
        return True
    return any(others[start : start + len(tokens)] == tokens for start in range(len(others) - len(tokens) + 1))


def same_person(wanted: str, name: str) -> bool:
    """Whether all words of the wanted name occur in the other, in any order; an initial stands for its name."""
    others = _tokens(name)
    return all(any(_fits(token, other) for other in others) for token in _tokens(wanted))


def _fits(token: str, other: str) -> bool:
    if len(token) == 1 or len(other) == 1:
        return token[0] == other[0]
    return token == other


def _tokens(name: str) -> list[str]:
    folded = unicodedata.normalize("NFKD", name[:LONGEST]).casefold()
    return WORD.findall("".join(c for c in folded if not unicodedata.combining(c)))
