"""Parties of cases as lawyers write them, and as nobody ever met them."""

from __future__ import annotations

import pytest

from wellsourced.citations.court_cases import best_case, reporter_place, shared_parties
from wellsourced.citations.parse.references import parse_reference
from wellsourced.upstreams.types.records import Case, Origin

PARTIES = [
    ("Brown v. Bd. of Educ.", "Brown v. Board of Education", 1.0),
    ("Brown v. Board of Education of Topeka", "BROWN v. BOARD OF EDUCATION", 1.0),
    ("Roe v. Wade", "Jane ROE, et al., Appellants, v. Henry WADE", 1.0),
    ("In re Gault", "In re Gault", 1.0),
    ("Natl. Fed'n of Indep. Bus. v. Sebelius", "National Federation of Independent Business v. Sebelius", 1.0),
    ("United States v. Nixon", "United States v. Nixon", 1.0),
    ("United States v. Fabricant", "United States v. Nixon", 0.0),
    ("Varghese v. China Southern Airlines Co.", "J.D. Smith Logistics, Inc. v. Harbor Freight Carriers", 0.0),
    ("Martinez v. Delta Air Lines, Inc.", "Martinez v. Office of the Attorney General", 0.5),
    (None, "Anybody v. Anyone", 1.0),
]


@pytest.mark.parametrize(("cited", "recorded", "share"), PARTIES)
def test_parties(cited: str | None, recorded: str, share: float) -> None:
    assert shared_parties(cited, recorded) == share


def case(name: str, *citations: str, filed: str = "1954-05-17") -> Case:
    url = f"https://courts.example/{name.replace(' ', '-')}"
    return Case(case_name=name, url=url, origin=Origin(url=url, record=name), citations=citations, date_filed=filed)


def test_the_place_counts_before_the_name() -> None:
    cited = parse_reference("Brown v. Bd. of Educ., 347 U.S. 483 (1954)")
    cases = (
        case("Brown v. Allen", "344 U.S. 443"),
        case("Brown v. Board of Education", "347 U. S. 483", "74 S. Ct. 686"),
    )
    found = best_case(cited, reporter_place(cited), cases)
    assert found is not None and found.at_place and found.case == cases[1] and not found.differences
    other = best_case(cited, reporter_place(cited), (case("Smith v. Jones", "347 U.S. 483"),))
    assert other is not None and other.is_other and other.differences
    wrong_year = best_case(
        cited, reporter_place(cited), (case("Brown v. Board of Education", "347 U.S. 483", filed="1971-01-01"),)
    )
    assert wrong_year is not None and len(wrong_year.differences) == 1 and not wrong_year.is_other
