"""Google Patents: a recorded page, numbers without kind codes, and being sent away."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.loopback.upstreams.google_patents import page
from tests.upstreams.conversation import converse, reply
from tests.upstreams.recorded import recorded
from wellsourced.errors import BadInput, Blocked, RateLimited, UpstreamChanged
from wellsourced.upstream import Access
from wellsourced.upstreams.google_patents import patents
from wellsourced.upstreams.types.patent import PatentQuery

ACCESS = Access({})
MISSING = reply("<title>Error 404 (Not Found)</title>", 404)


def test_recorded_page(shared: Path) -> None:
    answer = recorded(shared, "google-patents/patent-page-US20230418876A1.html")
    requests, found = converse(patents(PatentQuery(number="US20230418876A1"), ACCESS), answer)
    (patent,) = found.items
    assert requests[0].path == "/patent/US20230418876A1/en"
    assert patent.title.startswith("System and method for modeling, fuzzy concept mapping")
    assert (patent.priority, patent.filed, patent.published) == ("2012-08-29", "2023-09-08", "2023-12-28")
    assert patent.granted is None and patent.status == "Pending"
    assert patent.assignees == ("Individual",) and patent.inventors == ("Dennis Alan Van Dusen",)
    assert patent.abstract and patent.abstract.startswith("The invention provides a system")
    assert patent.pdf and patent.pdf.endswith("/US20230418876A1.pdf")


def test_a_grant_has_its_day_and_no_facts_of_documents_it_cites() -> None:
    answer = reply(page("US10165245B2"))
    (patent,) = converse(patents(PatentQuery(number="US10165245B2"), ACCESS), answer)[1].items
    assert patent.granted and patent.granted > (patent.filed or "")
    assert "Somebody Else" not in patent.assignees and patent.cpc == ("G06F3/01",)


def test_a_number_without_kind_code_is_tried_with_the_usual_ones() -> None:
    requests, found = converse(
        patents(PatentQuery(number="US10165245"), ACCESS), MISSING, MISSING, reply(page("US10165245B1"))
    )
    assert [request.path.split("/")[2] for request in requests] == ["US10165245", "US10165245B2", "US10165245B1"]
    assert found.items[0].number == "US10165245B1"


def test_a_number_that_nobody_has_is_nothing() -> None:
    _, found = converse(patents(PatentQuery(number="US10165245B2"), ACCESS), MISSING)
    assert found.items == ()


def test_one_redirect_to_another_patent_page_is_followed() -> None:
    sent_on = reply("", 302, location="https://patents.google.com/patent/US10165245B2/en")
    requests, found = converse(patents(PatentQuery(number="US10165245"), ACCESS), sent_on, reply(page("US10165245B2")))
    assert requests[1].path == "/patent/US10165245B2/en" and found.items[0].number == "US10165245B2"


def test_what_is_no_answer_is_told_apart() -> None:
    number = PatentQuery(number="US10165245B2")
    with pytest.raises(Blocked):
        converse(patents(number, ACCESS), reply("", 302, location="https://www.google.com/sorry/index"))
    with pytest.raises(RateLimited):
        converse(patents(number, ACCESS), reply("slow down", 429))
    with pytest.raises(UpstreamChanged):
        converse(patents(number, ACCESS), reply("<html><body>Welcome</body></html>"))
    with pytest.raises(UpstreamChanged):
        converse(patents(number, ACCESS), reply(page("US7000000B2")))
    with pytest.raises(BadInput):
        next(patents(PatentQuery(text="solar panels"), ACCESS))
