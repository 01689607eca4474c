"""verify_citation through all layers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.app import call, content
from tests.loopback.run import Internet
from tests.trust.judge import environment

ARTICLE = "<html><head><title>On moss</title></head><body><article><h1>On moss</h1>{}</article></body></html>".format(
    "<p>Moss grows on the north side of most roofs in the old town, as a count of four hundred roofs showed. The count "
    "was made in spring. No evidence was found that moss harms the tiles of these roofs.</p>" * 12
)


@pytest.fixture
def world(internet: Internet, quiet_environment: Mapping[str, str]) -> dict[str, str]:
    return environment(internet, quiet_environment)


def verify(world: Mapping[str, str], citation: str, **more: Any) -> dict[str, Any]:
    return content(call(world, "verify_citation", citation=citation, **more))


def test_a_right_reference(world: dict[str, str]) -> None:
    given = "LeCun, Y., Bengio, Y., & Hinton, G. (2015). Deep learning. Nature, 521, 436–444. doi:10.1038/nature14539"
    found = verify(world, given)
    assert (found["input"], found["inputType"], found["exists"]) == (given, "doi", True)
    assert (found["verificationStatus"], found["matchConfidence"], found["titleMatch"]) == (
        "confirmed",
        "high",
        "match",
    )
    assert found["matchedRecord"]["doi"] == "10.1038/nature14539"
    matches = found["fieldMatches"]
    assert [matches[name] for name in ("title", "authors", "year", "venue", "volume", "pages")] == ["match"] * 6
    assert found["retractionChecked"] is True and "retractionStatus" not in found
    assert {"differences", "possibleMatch", "authenticityCaveat", "claim"}.isdisjoint(found)
    assert found["trust"] == "untrusted-external-content" and found["provenance"][0].startswith("crossref: ")


def test_an_invented_title_on_a_real_doi(world: dict[str, str]) -> None:
    found = verify(world, "Transformers for grading school essays in rural districts. doi:10.1038/nature14539")
    assert (found["exists"], found["verificationStatus"], found["titleMatch"]) == (True, "uncertain", "mismatch")
    assert "Deep learning" in found["differences"][0]


def test_a_retraction_is_told_with_its_notice(world: dict[str, str]) -> None:
    status = verify(world, "10.1016/S0140-6736(97)11096-0")["retractionStatus"]
    assert status == {
        "retracted": True,
        "kind": "retraction",
        "date": "2010-02-06",
        "noticeDoi": "10.1016/s0140-6736(10)60175-4",
        "source": "publisher",
    }


def test_existence_has_three_values(world: dict[str, str], internet: Internet) -> None:
    assert verify(world, "10.1126/foo")["exists"] is False
    unknown = verify(world, "Huber, J. (1952). Chronik der Gemeinde Oberwiesen.")
    assert "exists" in unknown and unknown["exists"] is None
    assert unknown["verificationStatus"] == "not_found"


@pytest.mark.usefixtures("public_loopback")
def test_an_address(world: dict[str, str], internet: Internet) -> None:
    refused = verify(world, f"{internet.base}/site/alpha/forbidden")
    assert (refused["exists"], refused["httpStatus"], refused["linkLive"]) == (True, 403, True)
    gone = verify(world, f"{internet.base}/site/alpha/gone")
    assert (gone["exists"], gone["httpStatus"]) == (False, 410)
    assert gone["archivedUrl"].startswith("https://web.archive.org/web/")


CLAIMS = [
    ("Moss grows on the north side of most roofs", "addressed", False),
    ("Moss harms the tiles of roofs in the old town", "partially_addressed", True),
    ("Penguins hibernate beneath Antarctic glaciers every winter", "not_addressed", False),
]


@pytest.mark.parametrize(("claim", "support", "contrast"), CLAIMS)
def test_a_claim_is_held_against_the_page(
    world: dict[str, str], internet: Internet, claim: str, support: str, contrast: bool
) -> None:
    internet.control("/site/alpha/moss", status=200, body=ARTICLE, headers={"content-type": "text/html; charset=utf-8"})
    found = verify(world, f"{internet.base}/site/alpha/moss", claim=claim)
    assert (found["claim"], found["claimSupport"]) == (claim, support)
    assert found.get("contrastSignal", False) is contrast
    assert found["claimSourceUrl"] == f"{internet.base}/site/alpha/moss"
    assert bool(found.get("claimEvidence")) is (support != "not_addressed")
    assert ("differs" in found.get("claimStances", ())) is contrast


def test_a_quotation_is_held_against_the_page(world: dict[str, str], internet: Internet) -> None:
    internet.control("/site/alpha/moss", status=200, body=ARTICLE, headers={"content-type": "text/html; charset=utf-8"})
    address = f"{internet.base}/site/alpha/moss"
    words = "Moss grows on the north side of most roofs"
    assert verify(world, address, quote=words)["quotation"] in {"word_for_word", "marked_changes"}
    altered = verify(world, address, quote=words.replace("north", "south"))
    assert altered["quotation"] == "altered"
    assert [(part["claim"], part["source"]) for part in altered["claimDifferences"]] == [("south", "north")]


def test_an_abstract_can_support_a_claim_but_not_deny_it(world: dict[str, str], internet: Internet) -> None:
    world = {**world, "ALLOW_PRIVATE_IPS": "false"}
    said = verify(world, "arXiv:1706.03762", claim="The Transformer is based solely on attention mechanisms")
    assert (said["claimSupport"], said["claimSourceUrl"]) == ("addressed", said["matchedRecord"]["url"])
    unsaid = verify(world, "arXiv:1706.03762", claim="Penguins hibernate beneath Antarctic glaciers every winter")
    assert unsaid["claimSupport"] == "source_unavailable" and unsaid["claimNote"]


def test_an_empty_citation_is_refused_in_words(world: dict[str, str]) -> None:
    answer = call(world, "verify_citation", citation="  ")
    assert answer.is_error and "DOI" in answer.text
