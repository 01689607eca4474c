"""A name that a database does not know is asked for by the identifier that Wikidata knows, and the answer says so."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import cast
from urllib.parse import unquote

import pytest

from tests.app import call, content, error
from tests.loopback.run import Internet
from wellsourced.errors import BadInput
from wellsourced.records.legal_search import LegalSearchInput, known_court
from wellsourced.tool.call import Call
from wellsourced.upstream import Access
from wellsourced.upstream_client.entities import Entities
from wellsourced.upstreams import courtlistener
from wellsourced.upstreams.types.entity import Entity
from wellsourced.upstreams.types.records import CaseQuery


def test_a_company_by_its_other_name(keyed_environment: dict[str, str]) -> None:
    found = content(call(keyed_environment, "filing_search", query="Parasol", facts=True))
    assert found["filings"][0]["company"] == "Quarry Pumps Inc."
    assert found["notes"][0] == "Wikidata (Q42) knows 'Parasol' as Umbrella Works; asked with CIK 0001900001."


def test_a_medicine_by_its_other_name(keyed_environment: dict[str, str]) -> None:
    """The registry has nothing under the one name, and studies under the one that Wikidata knows it by."""
    found = content(call(keyed_environment, "clinical_search", intervention="nothing else"))
    assert found["trials"]
    assert "asked with that name (RxCUI 1547545)" in found["notes"][0]


def test_a_person_and_a_journal_by_their_identifiers(keyed_environment: dict[str, str], internet: Internet) -> None:
    """Works by a person or in a journal are asked for by ORCID or ISSN; by words where no single one is known."""
    asked = {
        "author: Parasol; tides": "authorships.author.orcid:https://orcid.org/0000-0002-1825-0097",
        'journal: "Parasol" tides': "primary_location.source.issn:1545-7885",
    }
    for query, expected in asked.items():
        found = content(call(keyed_environment, "academic_search", query=query))
        assert "Wikidata (Q42) knows 'Parasol' as Umbrella Works; asked with " in found["notes"][0]
        sent = [seen for seen in internet.stats()["seen"] if "/openalex" in seen["path"]][-1]
        assert expected in unquote(sent["query"]) and "search=tides" in sent["query"]
    unknown = content(call(keyed_environment, "academic_search", query="author: Nobody Known; tides"))
    assert unknown["papers"] and "searched by words" in unknown["notes"][0]


def test_without_wikidata_the_sources_own_answer_stands(keyed_environment: dict[str, str], internet: Internet) -> None:
    internet.control("/open", status=403)
    assert error(call(keyed_environment, "filing_search", query="Parasol", facts=True))["kind"] == "validation"
    assert content(call(keyed_environment, "clinical_search", intervention="nothing else"))["trials"] == []


def test_a_court_that_only_wikidata_knows_by_that_name() -> None:
    class Known:
        async def resolve(self, name: str, holding: tuple[str, ...], deadline: float) -> Entity | None:
            label = "United States District Court for the Southern District of New York"
            return Entity(id="Q1", label=label, url="u", aliases=(name,)) if name == "Mother Court" else None

    def asked(**given: str) -> tuple[str | None, tuple[str, ...]]:
        call = cast("Call", SimpleNamespace(deadline=0.0))
        return asyncio.run(known_court(LegalSearchInput(query="x", **given), call, cast("Entities", Known())))  # type: ignore[arg-type]

    court, notes = asked(jurisdiction="Mother Court")
    assert court == "nysd" and notes[0].startswith("Wikidata (Q1) knows 'Mother Court' as United States District")
    assert asked(jurisdiction="Court of Nowhere") == ("Court of Nowhere", ())
    assert asked(jurisdiction="Supreme Court of California")[1] == () == asked(jurisdiction="ca9")[1]
    assert asked(jurisdiction="Mother Court", provider="find_case_law") == ("Mother Court", ())
    with pytest.raises(BadInput, match="give a federal court by name"):
        next(courtlistener.cases(CaseQuery(text="tides", court="Court of Nowhere"), Access()))
