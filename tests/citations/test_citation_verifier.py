"""Verification where things go wrong: registries in trouble, other agencies, odd input."""

from __future__ import annotations

import time
from collections.abc import Mapping

import pytest

from tests.app import with_app
from tests.loopback.run import Internet
from tests.trust.judge import environment
from wellsourced.citations.parse.citation import CitationKind, citation_from_reference, first_address, parse_citation
from wellsourced.citations.verification import Verification
from wellsourced.citations.webpage_citation import page_reference
from wellsourced.errors import BadInput


@pytest.fixture
def world(internet: Internet, quiet_environment: Mapping[str, str]) -> dict[str, str]:
    return environment(internet, quiet_environment)


def verify(world: Mapping[str, str], text: str, seconds: float = 30.0) -> Verification:
    return with_app(
        world,
        lambda app: app.services.citation_verifier.verify(parse_citation(text), deadline=time.monotonic() + seconds),
    )


KINDS: list[tuple[str, CitationKind, str | None]] = [
    ("10.1038/nature14539", "doi", "10.1038/nature14539"),
    ("https://doi.org/10.1016/S0140-6736(97)11096-0", "doi", "10.1016/s0140-6736(97)11096-0"),
    ("LeCun et al. Deep learning. doi 10.1038/nature14539.", "doi", "10.1038/nature14539"),
    ("https://www.nature.com/articles/nature14539", "url", None),
    ("https://arxiv.org/abs/1706.03762", "url", "arxiv:1706.03762"),
    ("arXiv:hep-th/9901001", "arxiv", "arxiv:hep-th/9901001"),
    ("PMID: 22745249", "pmid", "pmid:22745249"),
    ("ISBN 978-0-262-03384-8", "isbn", None),
    ("Fire, A. (1998). PMCID: PMC1234567", "pmcid", "pmcid:PMC1234567"),
    ("Roe v. Wade, 410 U.S. 113 (1973)", "case", None),
    ("925 F.3d 1339", "case", None),
    ("Doe, J. (2020). On tides. Journal of Seas, 3, 1–9.", "reference", None),
    ("人工智能在医学中的应用", "reference", None),
]


@pytest.mark.parametrize(("text", "kind", "work"), KINDS)
def test_kinds_of_citations(text: str, kind: CitationKind, work: str | None) -> None:
    citation = parse_citation(text)
    assert (citation.kind, str(citation.work) if citation.work else None) == (kind, work)


def test_the_address_of_an_article_names_it() -> None:
    at_publisher = page_reference("https://www.nature.com/articles/nature14539", "Deep learning")
    elsewhere = page_reference("https://blog.example/10.1038/nature14539", "Deep learning")
    assert str(citation_from_reference(at_publisher).work) == "10.1038/nature14539"
    assert citation_from_reference(at_publisher).url == at_publisher.url
    assert citation_from_reference(elsewhere).work is None


WRITTEN = [
    ("<https://a.org/x>", "https://a.org/x"),
    ("https://a.org/x;v=1; https://b.org/y", "https://a.org/x;v=1"),
    ("https://en.wikipedia.org/wiki/Inc._(b)", "https://en.wikipedia.org/wiki/Inc._(b)"),
    ("https://a.org/x y.pdf (accessed 3 May 2020)", "https://a.org/x y.pdf"),
    ("\\url{https://a.org/x}", "https://a.org/x"),
    ("www.a.org/x", "https://www.a.org/x"),
    ("10.1016/S0140-6736(97)11096-0", "https://doi.org/10.1016/s0140-6736(97)11096-0"),
    ("doi.org/10.1038/nature14539", "https://doi.org/10.1038/nature14539"),
    ("<Go to ISI>://WOS:000355286600030", None),
]


@pytest.mark.parametrize(("field", "address"), WRITTEN)
def test_addresses_as_exports_write_them(field: str, address: str | None) -> None:
    assert first_address(field) == address
    named = citation_from_reference(page_reference(field, "A title")).work
    assert (named is None) == ("10." not in field)


def test_an_entry_pasted_from_a_reference_manager_is_read_as_one() -> None:
    pasted = parse_citation("@article{a, title={Deep {L}earning}, author={LeCun, Yann}, doi={10.1038/nature14539}}")
    assert str(pasted.work) == "10.1038/nature14539" and not pasted.free_text
    assert (pasted.reference.title, pasted.reference.authors[0].family) == ("Deep Learning", "LeCun")


@pytest.mark.parametrize("text", ["", "   ", "—", "\u200b"])
def test_nothing_is_refused_in_words(text: str) -> None:
    with pytest.raises(BadInput, match="DOI"):
        parse_citation(text)


def test_one_registry_in_trouble_is_made_up_for_by_another(world: dict[str, str], internet: Internet) -> None:
    internet.control("/gold/crossref", status=503, body="down")
    found = verify(world, "LeCun, Y. (2015). Deep learning. Nature. 10.1038/nature14539")
    assert (found.exists, found.status) == (True, "confirmed")
    assert found.record is not None and found.record.title == "Deep learning"
    assert found.integrity is not None and found.integrity.is_known


def test_a_retraction_unseen_by_one_is_told_by_the_other(world: dict[str, str], internet: Internet) -> None:
    internet.control("/gold/crossref", status=503, body="down")
    found = verify(world, "10.1177/0956797614520714")
    assert found.retraction is not None and found.retraction.retracted and found.retraction.source == "openalex"


def test_an_unknown_doi_is_unknown_while_the_handle_registry_is_silent(
    world: dict[str, str], internet: Internet
) -> None:
    internet.control("/gold/doi", status=500, body="down")
    found = verify(world, "10.1126/foo Room temperature superconductivity in doped chalk")
    assert (found.exists, found.status) == (None, "uncertain")
    assert any(item.source == "doi.org" for item in found.evidence)
    internet.reset()
    assert verify({**world, "CACHE_DIR": world["CACHE_DIR"] + "2"}, "10.1126/foo").exists is False


def test_garbage_from_a_registry_is_no_answer(world: dict[str, str], internet: Internet) -> None:
    for prefix in ("/gold/crossref", "/gold/doi", "/gold/openalex"):
        internet.control(prefix, status=200, body="<html>Welcome to the hotel network</html>")
    found = verify(world, "10.1038/nature14539")
    assert (found.exists, found.record, found.retraction) == (None, None, None)


def test_a_shifted_doi_leads_to_the_right_one(world: dict[str, str]) -> None:
    found = verify(
        world,
        "Kahneman, D., & Tversky, A. (1979). Prospect theory: An analysis of decision under risk. Econometrica, 47(2), "
        "263–291. doi:10.1037/0033-295X.84.2.191",
    )
    assert found.comparison is not None and found.comparison.title_match == "mismatch"
    assert found.possible is not None and found.possible.doi == "10.2307/1914185"
    assert found.status == "uncertain" and found.confidence == "low"


def test_a_bare_identifier_is_confirmed_with_a_caveat(world: dict[str, str]) -> None:
    found = verify(world, "10.1038/nature14539")
    assert (found.status, found.confidence) == ("confirmed", "high")
    assert found.caveat and found.comparison is not None and found.comparison.title_match == "not_checked"


def test_a_scholarly_page_tells_its_doi(world: dict[str, str], internet: Internet) -> None:
    markup = (
        '<html><head><title>Evil Genius?</title><meta name="citation_doi" content="10.1177/0956797614520714">'
        '<meta name="citation_title" content="Evil Genius? How Dishonesty Can Lead to Greater Creativity"></head><body>'
        "<article><h1>Evil Genius? How Dishonesty Can Lead to Greater Creativity</h1>"
        + "<p>Those who cheat are more creative afterwards, or so it was claimed in five experiments with people.</p>"
        * 30
        + "</article></body></html>"
    )
    internet.control("/site/alpha/evil", status=200, body=markup, headers={"content-type": "text/html; charset=utf-8"})
    found = verify(world, f"{internet.base}/site/alpha/evil")
    assert (found.kind, found.exists, found.detected_doi) == ("url", True, "10.1177/0956797614520714")
    assert found.retraction is not None and found.retraction.date == "2023-07-06"
    plain = verify(world, f"{internet.base}/site/alpha/tides")
    assert (plain.exists, plain.detected_doi, plain.record) == (True, None, None)


@pytest.mark.usefixtures("public_loopback")
def test_a_dead_address_with_a_copy_is_not_called_unfound(world: dict[str, str], internet: Internet) -> None:
    found = verify(world, f"{internet.base}/site/alpha/gone")
    assert (found.exists, found.status) == (False, "uncertain")
    assert found.link is not None and found.link.archived_url


BOOKS: list[tuple[str, str, bool | None, str]] = [
    ("Boyd, S., & Vandenberghe, L. (2004). Convex Optimization. ISBN 9780521833783", "confirmed", True, ""),
    ("ISBN 978-0-521-83378-3", "confirmed", True, "nothing was given to compare"),
    ("Mole, A. (2004). Harbours of the far northern seas. Quay Press. ISBN 9780521833783", "uncertain", None,
     "is that of “Convex Optimization”"),
    ("Boyd, S., & Vandenberghe, L. (2004). Convex Optimization. ISBN 9780521833784", "confirmed", True,
     "its check digit is wrong"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "status", "exists", "said"), BOOKS)
def test_books_by_their_number(world: dict[str, str], text: str, status: str, exists: bool | None, said: str) -> None:
    found = verify(world, text)
    assert (found.exists, found.status) == (exists, status), found
    assert said in (found.caveat or "")


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("Page, L. Method for node ranking. US Patent 6,285,999", "https://patents.google.com/patent/US6285999"),
        ("Smith, J. Widget. EP 1234567 B1, 2005.", "https://patents.google.com/patent/EP1234567B1"),
        ("Fielding, R. (1999). RFC 2616: Hypertext Transfer Protocol.", "https://www.rfc-editor.org/rfc/rfc2616"),
        ("Doe, J. A book of days. hdl:2027/mdp.39015.", "https://hdl.handle.net/2027/mdp.39015"),
        ("Doe, J. (2005). The US 101 highway and its towns. EP, 12, 1–9.", None),
    ],
)
def test_numbers_that_have_an_address(text: str, address: str | None) -> None:
    assert parse_citation(text).url == address
