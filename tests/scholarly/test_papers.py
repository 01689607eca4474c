"""The services that rest on an identifier, against the loopback internet: found, none, or unknown."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import pytest

from tests.app import with_app
from tests.loopback.run import Internet
from wellsourced.errors import BadInput
from wellsourced.scholarly.papers import Papers
from wellsourced.upstreams.types.paper import PaperId

T = TypeVar("T")

KNOWN, RETRACTED, NOBODYS = "10.1000/solar-panels.3", "10.1000/retracted-panels.1", "10.9999/never"


def asked(environment: dict[str, str], script: Callable[[Papers], Awaitable[T]]) -> T:
    return with_app(environment, lambda app: script(app.services.papers))


def test_a_record_comes_from_the_register_and_names_it(environment: dict[str, str]) -> None:
    found = asked(
        environment, lambda papers: papers.doi_services.find_record(PaperId("doi", f"https://doi.org/{KNOWN.upper()}"))
    )
    assert found.state == "found" and found.sources == ("crossref",)
    assert found.value and found.value.title == "A study of solar panels, part 3"


def test_another_upstream_stands_in_for_a_register_that_is_down(
    environment: dict[str, str], internet: Internet
) -> None:
    internet.control("/crossref", status=503)
    found = asked(environment, lambda papers: papers.doi_services.find_record(PaperId("doi", KNOWN)))
    assert found.state == "found" and found.sources == ("doi_org",)


def test_what_nobody_has_is_none_and_what_nobody_could_tell_is_unknown(
    environment: dict[str, str], internet: Internet
) -> None:
    work = PaperId("doi", NOBODYS)
    assert asked(environment, lambda papers: papers.doi_services.find_record(work)).state == "none"
    internet.control("/openalex", status=500)
    found = asked({**environment, "CACHE_MAX_DISK_MB": "0"}, lambda papers: papers.doi_services.find_record(work))
    assert found.state == "unknown" and "openalex" in (found.why or "")


def test_a_retraction_is_found_with_its_notice_and_those_who_agree(environment: dict[str, str]) -> None:
    found = asked(environment, lambda papers: papers.doi_services.find_notice(RETRACTED))
    assert found.value and found.value.retracted and found.value.notice_doi == "10.1000/notice.1"
    assert found.value.source == "retraction-watch" and found.sources == ("crossref", "openalex")


def test_openalex_flag_counts_where_crossref_cannot_tell(environment: dict[str, str], internet: Internet) -> None:
    internet.control("/crossref", status=500)
    found = asked(environment, lambda papers: papers.doi_services.find_notice(RETRACTED))
    assert found.value and found.value.source == "openalex" and found.sources == ("openalex",)


def test_clean_and_unknown_are_two_things(environment: dict[str, str], internet: Internet) -> None:
    clean = asked(environment, lambda papers: papers.doi_services.find_notice(KNOWN))
    assert clean.state == "none" and clean.sources == ("crossref", "openalex")
    internet.control("/crossref", status=500)
    internet.control("/openalex", status=500)
    unknown = asked(environment, lambda papers: papers.doi_services.find_notice("10.1000/other.2"))
    assert unknown.state == "unknown" and unknown.why


def test_registration_is_yes_no_or_unknown(environment: dict[str, str], internet: Internet) -> None:
    yes = asked(environment, lambda papers: papers.doi_services.find_registration(KNOWN))
    assert yes.state == "found" and yes.value and yes.value.agency == "Crossref"
    no = asked(environment, lambda papers: papers.doi_services.find_registration(NOBODYS))
    assert no.state == "none" and no.value and no.value.registered is False
    internet.control("/doi-org", status=502)
    unknown = asked(environment, lambda papers: papers.doi_services.find_registration("10.1000/other.2"))
    assert unknown.state == "unknown" and unknown.value and unknown.value.registered is None


def test_a_free_copy_comes_from_unpaywall_else_from_openalex(environment: dict[str, str]) -> None:
    named = {**environment, "UNPAYWALL_EMAIL": "reader@example.org"}
    found = asked(named, lambda papers: papers.doi_services.find_open_copy(KNOWN))
    assert found.sources == ("unpaywall",) and found.value and found.value.is_open and found.value.pdf_url
    without = asked(environment, lambda papers: papers.doi_services.find_open_copy("10.1000/solar-panels.5"))
    assert without.sources == ("openalex",) and without.value and without.value.is_open


def test_answers_are_kept_and_failures_are_not(environment: dict[str, str], internet: Internet) -> None:
    async def twice(papers: Papers) -> tuple[Any, Any]:
        return await papers.doi_services.find_record(PaperId("doi", KNOWN)), await papers.doi_services.find_record(
            PaperId("doi", KNOWN)
        )

    first, second = asked(environment, twice)
    assert first == second and internet.requests("/crossref") == 1
    assert asked(environment, lambda papers: papers.doi_services.find_record(PaperId("doi", KNOWN))) == first
    assert internet.requests("/crossref") == 1

    internet.control("/doi-org", status=500, times=3)
    assert asked(environment, lambda papers: papers.doi_services.find_registration(KNOWN)).state == "unknown"
    assert asked(environment, lambda papers: papers.doi_services.find_registration(KNOWN)).state == "found"


def test_what_is_no_doi_is_refused(environment: dict[str, str], internet: Internet) -> None:
    with pytest.raises(BadInput, match=r"is not a DOI"):
        asked(environment, lambda papers: papers.doi_services.find_notice("not a doi"))
    assert internet.requests() == 0
