"""Unpaywall: free copies by DOI."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from tests.upstreams.recorded import recorded
from wellsourced import errors
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams import unpaywall
from wellsourced.upstreams.types.paper import OpenCopy

ACCESS = Access({"UNPAYWALL_EMAIL": "me@a.example"})
PLACE = {"url_for_pdf": None, "url_for_landing_page": None, "url": "https://a.example/"}


def test_either_address_will_do_and_one_must_be_there() -> None:
    request = first_request(unpaywall.open_copy("doi:10.1000/A(1)#2", ACCESS))
    assert (request.path, dict(request.params)) == ("/v2/10.1000/a(1)%232", {"email": "me@a.example"})
    request = first_request(unpaywall.open_copy("10.1000/a", Access({"OPENALEX_EMAIL": "o@a.example"})))
    assert dict(request.params) == {"email": "o@a.example"}
    with pytest.raises(errors.Misconfigured, match="UNPAYWALL_EMAIL or OPENALEX_EMAIL"):
        first_request(unpaywall.open_copy("10.1000/a", Access({})))


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("doi-closed", OpenCopy(doi="10.1007/s40278-023-41815-2", is_open=False)),
        (
            "doi-gold-xgen",
            OpenCopy(
                doi="10.1016/j.xgen.2025.100814",
                is_open=True,
                landing_url="https://doi.org/10.1016/j.xgen.2025.100814",
            ),
        ),
        *(
            (
                file,
                OpenCopy(
                    doi="10.1016/j.addr.2015.01.008",
                    is_open=True,
                    landing_url="https://doi.org/10.1016/j.addr.2015.01.008",
                ),
            )
            for file in ("doi-hybrid-addr", "doi-green-addr")
        ),
    ],
)
def test_recorded_copies(shared: Path, file: str, expected: OpenCopy) -> None:
    _, copy = converse(unpaywall.open_copy(expected.doi, ACCESS), recorded(shared, f"unpaywall/{file}.json"))
    assert copy == expected


def test_a_pdf_elsewhere_is_found() -> None:
    elsewhere = {**PLACE, "url_for_pdf": "https://b.example/x.pdf"}
    body = {"doi": "10.1000/A", "is_oa": True, "best_oa_location": PLACE, "oa_locations": [PLACE, elsewhere]}
    _, copy = converse(unpaywall.open_copy("10.1000/a", ACCESS), reply(body))
    assert (copy.pdf_url, copy.landing_url) == ("https://b.example/x.pdf", "https://a.example/")


@pytest.mark.parametrize(
    ("file", "status", "kind"),
    [("documented-error-404", 404, errors.NotFound), ("documented-error-422", 422, errors.Misconfigured)],
)
def test_documented_failures(shared: Path, file: str, status: int, kind: type[errors.WellsourcedError]) -> None:
    with pytest.raises(kind):
        converse(unpaywall.open_copy("10.1000/a", ACCESS), recorded(shared, f"unpaywall/{file}.json", status))


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (reply("<html>", 404), errors.UpstreamChanged),
        (reply("", 429), errors.RateLimited),
        (reply("<html>"), errors.UpstreamChanged),
        (reply({"error": True, "message": "broken"}), errors.UpstreamUnavailable),
        (reply({"doi": "10.1000/a", "is_oa": None, "best_oa_location": None}), errors.UpstreamChanged),
        (reply({"doi": "x", "is_oa": True, "best_oa_location": None}), errors.UpstreamChanged),
    ],
)
def test_failures_are_told_apart(failure: Reply, kind: type[errors.WellsourcedError]) -> None:
    with pytest.raises(kind) as caught:
        converse(unpaywall.open_copy("10.1000/a", ACCESS), failure)
    assert type(caught.value) is kind
