"""Names of companies on patents: the same owner is written in many ways, with and without its legal form."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 300  # characters of a name that are compared
LEGAL_WORDS = (
    "inc incorporated llc llp lp ltd limited corp corporation co company gmbh ag kg kgaa mbh se sa sas sarl sl srl spa"
    " plc pty bv nv ab as asa oy oyj aps kk kabushiki kaisha pte sdn bhd ohg ev the"
)
LEGAL_FORMS = frozenset(LEGAL_WORDS.split())
ASIAN_FORMS = re.compile("株式会社|有限会社|有限责任公司|股份有限公司|有限公司|주식회사|\\(株\\)|㈜")
INITIALS = re.compile(r"\b(?:[A-Za-z]\.){2,5}")
WORD = re.compile(r"\w+")
APOSTROPHES = re.compile("['’ʼ]")
SPELLED_OUT = str.maketrans({"ø": "o", "æ": "a", "œ": "o", "ł": "l", "đ": "d", "ı": "i"})
WRITTEN_UMLAUT = re.compile("(?<=[aou])e")
SHORTEST_STUMP, SHORTEST_ACRONYM = 3, 2


def bare_company(name: str) -> str:
    """`Siemens Energy Global GmbH & Co. KG` is `Siemens Energy Global`: without the legal forms at its end."""
    text = ASIAN_FORMS.sub(" ", name[:LONGEST])
    words = INITIALS.sub(lambda match: match[0].replace(".", ""), text).replace(",", " ").split()
    while len(words) > 1 and (words[-1].strip(".").casefold() in LEGAL_FORMS or words[-1] in {"&", "+"}):
        words.pop()
    return " ".join(words).strip(" .,&") or name.strip()


def company_key(name: str) -> str:
    """One spelling for all variants of a name."""
    return " ".join(_name_tokens(bare_company(name)))


def is_same_company(wanted: str, name: str) -> bool:
    """Whether the words of the wanted name stand side by side in the other, which registers cut short (`HUAWEI TECH CO
    LTD`), turn round (`BOSCH GMBH ROBERT`) or spell out where people say `IBM`."""
    tokens, others = _name_tokens(bare_company(wanted)), _name_tokens(name)
    if not tokens:
        return True
    starts = (start for start in range(len(others) - len(tokens) + 1) if others[start] == tokens[0])
    if any(all(map(_matches_token, tokens, others[start : start + len(tokens)])) for start in starts):
        return True
    proper = [token for token in others if token not in LEGAL_FORMS]
    return sorted(proper) == sorted(tokens) or _is_acronym(tokens, others) or _is_acronym(tokens, proper)


def _matches_token(token: str, other: str) -> bool:
    return token == other or (len(other) >= SHORTEST_STUMP and token.startswith(other))


def _is_acronym(tokens: list[str], others: list[str]) -> bool:
    """Whether the one word asked for is made of the first letters of the name."""
    letters = "".join(other[0] for other in others)
    return len(tokens) == 1 and len(letters) > SHORTEST_ACRONYM and tokens[0] == letters


def is_same_person(wanted: str, name: str) -> bool:
    """Whether all words of the wanted name occur in the other, in any order; an initial stands for its name."""
    others = _name_tokens(name)
    return all(any(_matches_name(token, other) for other in others) for token in _name_tokens(wanted))


def _matches_name(token: str, other: str) -> bool:
    if len(token) == 1 or len(other) == 1:
        return token[0] == other[0]
    return token == other


def _name_tokens(name: str) -> list[str]:
    """Words without case and accents; `Müller` and `MUELLER` come to the same."""
    folded = unicodedata.normalize("NFKD", APOSTROPHES.sub("", name[:LONGEST])).casefold().translate(SPELLED_OUT)
    bare = "".join(c for c in folded if not unicodedata.combining(c))
    return WORD.findall(WRITTEN_UMLAUT.sub("", bare))
