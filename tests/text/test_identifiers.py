"""Identifiers in running text, in addresses and as they are handed over."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.errors import BadInput
from wellsourced.text.identifiers import (
    doi_from_url,
    doi_path,
    doi_url,
    find_arxiv_id,
    find_doi,
    find_isbn,
    find_pmid,
    is_isbn,
    normalise_doi,
)

SICI = "10.1002/(sici)1097-4636(199823)43:4<613::aid-jbm2>3.0.co;2-k"
IN_TEXT = {
    "Smith (2013), doi:10.1038/NATURE12373.": "10.1038/nature12373",
    "(see 10.1016/S0140-6736(97)11096-0).": "10.1016/s0140-6736(97)11096-0",
    "[https://doi.org/10.1000/xyz]": "10.1000/xyz",
    "DOI10.1000/xyz; accessed": "10.1000/xyz",
    "参见10.1038/nature12373的研究": "10.1038/nature12373",
    "「10.1038/nature12373」": "10.1038/nature12373",
    "<a href=x>10.1000/abc</a>": "10.1000/abc",
    "10.1002/(SICI)1097-4636(199823)43:4<613::AID-JBM2>3.0.CO;2-K": SICI,
    "10.1002/(SICI)1097-4636(199823)43:4&lt;613::AID-JBM2&gt;3.0.CO;2-K, in": SICI,
    r"10.1162/tacl\_a\_00123": "10.1162/tacl_a_00123",
    "10.1000/abc,10.1000/def": "10.1000/abc",
    "https%3A%2F%2Fdoi.org%2F10.1000%2Fabc%281%29": "10.1000/abc(1)",
    "10.1371/annotation/53374aad-bc04-4c64?": "10.1371/annotation/53374aad-bc04-4c64",
    "10.1000/… and later 10.1000/real": "10.1000/real",
}
NO_DOI = [
    *("", "10.1000", "10.1000/", "10.1000/...", "10.128.0.0/16", "route 10.0.0.0/8", "110.1000/x", "1.10.1000/x"),
    *("v10.1000/abc", "10.0001/x", "10/2024", "price 10.99/unit", "http://example.com/10/abc"),
]


@pytest.mark.parametrize(("text", "doi"), IN_TEXT.items())
def test_found_in_text(text: str, doi: str) -> None:
    assert find_doi(text) == doi


@pytest.mark.parametrize("text", NO_DOI)
def test_garbage_is_no_doi(text: str) -> None:
    assert find_doi(text) is None


@pytest.mark.parametrize(
    ("handed_over", "normal"),
    [
        ("10.1016/J.NEUCOM.2021.03.091", "10.1016/j.neucom.2021.03.091"),
        ("https://doi.org/10.1177/0956797614520714", "10.1177/0956797614520714"),
        ("http://dx.doi.org/10.1103/physrevb.98.104436", "10.1103/physrevb.98.104436"),
        ("doi: 10.1000/a", "10.1000/a"),
        ("DOI:https://www.doi.org/10.1000/a.", "10.1000/a"),
        ("info:doi/10.1000/a", "10.1000/a"),
        ("<10.1000/a>", "10.1000/a"),
        ("10.1000/a [doi]", "10.1000/a"),
        ("10.1000%2Fa%3Cb", "10.1000/a"),
        ("10.1000/été", "10.1000/été"),
        ("10.3969/刊.2020", "10.3969/刊.2020"),
        ("nature12373", ""),
        ("https://example.com/10.1000/a", ""),
        ("", ""),
    ],
)
def test_normal_form(handed_over: str, normal: str) -> None:
    assert normalise_doi(handed_over) == normal
    assert normalise_doi(normal) == normal


@pytest.mark.parametrize(
    ("url", "doi"),
    [
        ("https://doi.org/10.1000%2FABC", "10.1000/abc"),
        ("https://doi.org/10.1000/full", "10.1000/full"),
        ("https://journals.sagepub.com/doi/pdf/10.1177/0956797614520714", "10.1177/0956797614520714"),
        ("https://www.frontiersin.org/articles/10.3389/fpsyg.2020.00001/full", "10.3389/fpsyg.2020.00001"),
        ("https://onlinelibrary.wiley.com/doi/10.1002/abc.123/full-text?x=1#sec", "10.1002/abc.123"),
        ("https://link.springer.com/content/pdf/10.1007/s41095-022-0271-y.pdf", "10.1007/s41095-022-0271-y"),
        ("https://www.biorxiv.org/content/10.1101/2024.04.01.587366v1.full.pdf", "10.1101/2024.04.01.587366"),
        ("https://www.biorxiv.org/content/10.1101/2024.04.01.587366v2", "10.1101/2024.04.01.587366"),
        ("https://www.biorxiv.org/content/10.1101/2024.04.01.587366v2.full.pdf+html", "10.1101/2024.04.01.587366"),
        ("https://www.nature.com/articles/nature14539/figures/2", "10.1038/nature14539"),
        ("https://example.org/doi/10.21203/rs.3.rs-123/v1.pdf", "10.21203/rs.3.rs-123/v1"),
        ("https://academic.oup.com/nar/article/doi/10.1093/nar/gkw1164/2605710", "10.1093/nar/gkw1164"),
        ("https://journals.plos.org/plosone/article?id=10.1371/journal.pone.0033693", "10.1371/journal.pone.0033693"),
        ("https://www.nature.com/articles/s41586-020-2012-7.pdf", "10.1038/s41586-020-2012-7"),
        ("https://arxiv.org/pdf/2312.07559v2", "10.48550/arxiv.2312.07559"),
        ("https://arxiv.org/abs/astro-ph/0601001", "10.48550/arxiv.astro-ph/0601001"),
        ("https://example.com/a?ref=10.1000/abc", None),
        ("https://www.nature.com/subjects/biology", None),
        ("http://[::1", None),
        ("", None),
    ],
)
def test_named_by_an_address(url: str, doi: str | None) -> None:
    assert doi_from_url(url) == doi


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("arXiv:2312.07559v2 [cs.CL]", "2312.07559v2"),
        ("https://arxiv.org/pdf/1605.08386v1.pdf", "1605.08386v1"),
        ("10.48550/arXiv.2312.07559", "2312.07559"),
        ("arxiv:astro-ph/0601001", "astro-ph/0601001"),
        ("math.GT/0309136", "math.GT/0309136"),
        ("2312.07559", "2312.07559"),
        ("in 2312.07559 we", None),
        ("0000.0000", None),
        ("arXiv:1399.12345", None),
        ("abc", None),
        ("path/1234567", None),
    ],
)
def test_arxiv_ids(text: str, number: str | None) -> None:
    assert find_arxiv_id(text) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("PMID: 35649368.", "35649368"),
        ("https://pubmed.ncbi.nlm.nih.gov/24549296/", "24549296"),
        ("https://www.ncbi.nlm.nih.gov/pubmed/24549296", "24549296"),
        ("35649368", None),
        ("PMID 1234567890123", None),
    ],
)
def test_pmids(text: str, number: str | None) -> None:
    assert find_pmid(text) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("ISBN 978-83-7683-181-7", "9788376831817"),
        ("ISBN-13: 9781860163593", "9781860163593"),
        ("ISBN 0-306-40615-2", "0306406152"),
        ("ISBN: 080442957X", "080442957X"),
        ("080442957X", "080442957X"),
        ("call 0306406152 now", None),
        ("9781860163594", None),
        ("ISBN 0-306-40615-3", None),
        ("19781860163593", None),
    ],
)
def test_isbns(text: str, number: str | None) -> None:
    assert find_isbn(text) == number
    assert number is None or is_isbn(number)


def test_in_addresses() -> None:
    assert doi_url(SICI).endswith("43:4%3C613::aid-jbm2%3E3.0.co;2-k")
    assert normalise_doi(doi_url(SICI)) == SICI
    assert doi_path("doi:10.1000/a#b?c") == "10.1000/a%23b%3Fc"
    for bad in ("", "nature", "10.1000/../../admin", "10.1000//x", "10.1000/./x"):
        with pytest.raises(BadInput, match="not a DOI"):
            doi_path(bad)


@given(st.text(max_size=300))
def test_any_text_and_its_normal_form(text: str) -> None:
    for found in (find_doi(text), doi_from_url(text), find_doi(f"10.1000/{text}"), normalise_doi(f"10.1000/{text}")):
        assert not found or (normalise_doi(found) == found and found == found.lower())
    find_arxiv_id(text), find_pmid(text), find_isbn(text)


@pytest.mark.parametrize(
    "piece", ["10.1000/", "10.1000/a", "10.1000/(", "10.", "<", "10.1000/a<b>1", "%2F", "978-", "arxiv:"]
)
def test_time_is_linear(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    start = time.thread_time()
    find_doi(text), normalise_doi(text), doi_from_url(text), find_arxiv_id(text), find_pmid(text), find_isbn(text)
    assert time.thread_time() - start < 2
