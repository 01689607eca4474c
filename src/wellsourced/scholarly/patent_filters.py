"""Patents held against the question: what is known of each is checked, whatever the provider made of the filters."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from wellsourced.upstreams.helpers.assignees import bare_company, company_key, is_same_company, is_same_person
from wellsourced.upstreams.helpers.patent_numbers import is_grant, number_parts
from wellsourced.upstreams.types.patent import Patent, PatentQuery

# Providers whose records name one inventor of several.
FIRST_INVENTOR_ONLY = frozenset({"searchapi"})


@dataclass(frozen=True, slots=True)
class OwnerCluster:
    """Patents of one owner, under the shortest way its name is written."""

    assignee: str
    numbers: tuple[str, ...]

    @property
    def count(self) -> int:
        return len(self.numbers)


def filter_patents(patents: Iterable[Patent], query: PatentQuery) -> list[Patent]:
    """What is not known is no reason to drop a patent; what is known and does not fit is."""
    return [
        patent
        for patent in merge_documents(patents)
        if (not query.office or patent.office == query.office)
        and in_years(patent, query)
        and (not query.assignee or not patent.assignees or is_owned_by(patent, query.assignee))
        and (not query.inventor or not tells_inventors(patent) or is_invented_by(patent, query.inventor))
        and (not query.cpc or not patent.cpc or is_in_class(patent, query.cpc))
    ]


def merge_documents(patents: Iterable[Patent]) -> list[Patent]:
    """One entry for each office and number; of application and grant the grant, with what the application adds."""
    kept: dict[tuple[str, str], Patent] = {}
    for patent in patents:
        key = number_parts(patent.number)[:2]
        known = kept.get(key)
        kept[key] = patent if known is None else merge_two(known, patent)
    return list(kept.values())


def merge_two(one: Patent, other: Patent) -> Patent:
    first, second = (other, one) if is_grant(other.number) and not is_grant(one.number) else (one, other)
    names = ("abstract", "assignees", "inventors", "priority", "filed", "granted", "cpc", "pdf", "status")
    return replace(first, **{name: getattr(first, name) or getattr(second, name) for name in names})


def in_years(patent: Patent, query: PatentQuery) -> bool:
    """By the year of filing. Where that is not known, a document that came out too early was filed too early."""
    if patent.filed:
        year = int(patent.filed[:4])
        return (query.year_from or year) <= year <= (query.year_to or year)
    out = patent.published or patent.granted
    return not (out and query.year_from and int(out[:4]) < query.year_from)


def is_owned_by(patent: Patent, wanted: str) -> bool:
    return any(is_same_company(wanted, name) for name in patent.assignees)


def tells_inventors(patent: Patent) -> bool:
    """Where only the first is named, the one asked for may be among the others."""
    return bool(patent.inventors) and patent.source not in FIRST_INVENTOR_ONLY


def is_invented_by(patent: Patent, wanted: str) -> bool:
    return any(is_same_person(wanted, name) for name in patent.inventors)


def is_in_class(patent: Patent, wanted: str) -> bool:
    code = "".join(wanted.split()).upper()
    return any("".join(symbol.split()).upper().startswith(code) for symbol in patent.cpc)


def cluster_by_owner(patents: Iterable[Patent]) -> list[OwnerCluster]:
    """Patents by owner, the largest owner first; names that differ in case or legal form are one."""
    names: dict[str, str] = {}
    numbers: dict[str, list[str]] = {}
    for patent in patents:
        if not patent.assignees:
            continue
        owner = bare_company(patent.assignees[0])
        key = company_key(owner)
        names[key] = min(names.get(key, owner), owner, key=lambda name: (name.isupper(), len(name)))
        numbers.setdefault(key, []).append(patent.number)
    ordered = sorted(numbers, key=lambda key: (-len(numbers[key]), key))
    return [OwnerCluster(names[key], tuple(numbers[key])) for key in ordered]
