"""Reading a query about filings: which company is meant, and which form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from wellsourced.upstreams.helpers.name_search import words_in

CIK = re.compile(r"(?:CIK[\s:#]*)?0*([0-9]{1,10})", re.IGNORECASE)
# Only what nobody writes by accident; "4" or "D" alone would turn half of all queries into forms.
FORM = re.compile(
    r"(?<![\w-])(10-?[KQ](?:T|SB)?|8-?K|6-?K|11-?K|20-?F|40-?F|[SF]-(?:1|3|4|8|11)(?:MEF|ASR)?"
    r"|DEFA?\s?14[AC]|DEFM14A|PRE\s?14A|13F(?:-HR)?|(?:SC|SCHEDULE)\s?13[DG]|424B[1-8]|N-CSR|N-PORT|ARS)(/A)?(?![\w-])",
    re.IGNORECASE,
)
LEGAL_WORDS = "inc corp corporation co company ltd limited plc llc lp nv sa ag se the holdings group"
LEGAL_FORMS = frozenset(LEGAL_WORDS.split())


@dataclass(frozen=True, slots=True)
class Company:
    cik: str
    name: str
    ticker: str = ""


def cik_in(text: str) -> str | None:
    """Ten digits, when the whole text is a CIK."""
    match = CIK.fullmatch(text.strip())
    return match[1].zfill(10) if match else None


def form_in(text: str) -> tuple[str | None, str]:
    """The form named in a query, as EDGAR spells it, and the query without it."""
    match = FORM.search(text)
    if not match:
        return None, text.strip()
    rest = " ".join(f"{text[: match.start()]} {text[match.end() :]}".split())
    return form_name(match[0]), rest


def form_name(text: str) -> str:
    """`10k` becomes `10-K`, `def14a` `DEF 14A`, `schedule 13d` `SC 13D`."""
    name = " ".join(text.upper().split()).removeprefix("FORM ").replace("SCHEDULE", "SC")
    name = re.sub(r"^(10|11|8|6|20|40)-?([KQF])", r"\1-\2", name)
    name = re.sub(r"^(DEF|DEFA|PRE|SC) ?(14[AC]|13[DG])", _space_form, name)
    return "13F-HR" if name == "13F" else name


def spellings(form: str) -> tuple[str, ...]:
    """Since December 2024 what was `SC 13D` is filed as `SCHEDULE 13D`."""
    return (form, form.replace("SC ", "SCHEDULE ", 1)) if form.startswith(("SC 13D", "SC 13G")) else (form,)


def _space_form(match: re.Match[str]) -> str:
    """`DEFA14A` is one word, the others are two."""
    return f"{match[1]}{match[2]}" if match[1] == "DEFA" else f"{match[1]} {match[2]}"


def find_by_ticker(ticker: str, companies: Sequence[Company]) -> Company | None:
    """EDGAR writes BRK-B where others write BRK.B."""
    wanted = ticker.strip().removeprefix("$").upper().replace(".", "-").replace("/", "-")
    return next((company for company in companies if company.ticker.upper() == wanted), None) if wanted else None


def find_by_name(text: str, companies: Sequence[Company]) -> Company | None:
    """The company with this name, however its legal form is written, or the shortest that begins with these words."""
    wanted = words_in(text)
    if not wanted:
        return None
    bare = without_legal_forms(wanted)
    best: tuple[int, int, Company] | None = None
    for position, company in enumerate(companies):
        name = words_in(company.name)
        is_same = without_legal_forms(name) == bare
        if not is_same and name[: len(wanted)] != wanted:
            continue
        distance = 0 if is_same else len(company.name)
        if best is None or (distance, position) < best[:2]:
            best = (distance, position, company)
    return best[2] if best else None


def without_legal_forms(words: list[str]) -> list[str]:
    return [word for word in words if word not in LEGAL_FORMS] or words
