"""The Lens: the query, the provider's own sample, refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.upstreams.conversation import converse, first_request, reply
from tests.upstreams.recorded import recorded
from wellsourced.errors import BadInput, Blocked, KeyRejected, RateLimited, UpstreamChanged, WellsourcedError
from wellsourced.http_exchange import Reply
from wellsourced.upstream import Access
from wellsourced.upstreams.lens_org import patents
from wellsourced.upstreams.types.patent import Patent, PatentQuery

ACCESS = Access({"LENS_API_TOKEN": "token"})


def found(answer: Reply) -> list[Patent]:
    return list(converse(patents(PatentQuery(text="x", count=10), ACCESS), answer)[1].items)


def conditions(query: PatentQuery) -> list[dict[str, Any]]:
    request = first_request(patents(query, ACCESS))
    assert request.headers["Authorization"] == "Bearer token"
    must: list[dict[str, Any]] = json.loads(request.body or b"")["query"]["bool"]["must"]
    return must


def test_every_filter_is_a_condition_and_years_are_years_of_filing() -> None:
    query = PatentQuery(
        text='wind "turbine" AND (x:y) OR z NOT (boat OR "a ship") -sail',
        assignee="Siemens AG",
        inventor="Crosby",
        cpc="F03D 17/02",
        office="EP",
        year_from=2015,
    )
    text, owner, inventor, cpc, office, years = conditions(query)
    assert text["query_string"]["query"] == 'wind "turbine" ("x y" OR z) NOT boat NOT "a ship" NOT sail'
    assert owner == {"match_phrase": {"applicant.name": "Siemens"}}
    assert inventor["query_string"] == {"query": "Crosby", "fields": ["inventor.name"], "default_operator": "and"}
    assert cpc == {"query_string": {"query": r"class_cpc.symbol:F03D17\/02*"}}
    assert office == {"term": {"jurisdiction": "EP"}}
    assert years == {"range": {"application_reference.date": {"gte": "2015-01-01"}}}
    with pytest.raises(BadInput):
        conditions(PatentQuery())


def test_documented_sample(shared: Path) -> None:
    (patent,) = found(recorded(shared, "lens/documented-search-one-record.json"))
    assert patent.number == "EP2471949A1" and patent.title.startswith("Method for the identification")
    assert (patent.filed, patent.published, patent.granted) == ("2010-12-31", "2012-07-04", "2013-12-25")
    assert patent.assignees[0] == "PROGENIKA BIOPHARMA, S.A." and patent.inventors[0] == "OCHOA JORGE"
    assert patent.cpc[0] == "C12Q1/6881" and patent.status == "Active"


@pytest.mark.parametrize("answer", [reply({"total": 0, "data": [], "results": 0}), reply({"message": "none"}, 404)])
def test_nothing_found_is_nothing(answer: Reply) -> None:
    assert found(answer) == []


REFUSALS: list[tuple[Reply, type[WellsourcedError]]] = [
    (reply({"message": "bad token"}, 401), KeyRejected),
    (reply({}, 429, x_rate_limit_retry_after_seconds="42"), RateLimited),
    (reply("<html>Just a moment...</html>", 403), Blocked),
    (reply("<html>elsewhere</html>", 404), UpstreamChanged),
    (reply({"total": 9, "data": []}), UpstreamChanged),
    (reply("nonsense"), UpstreamChanged),
]


@pytest.mark.parametrize(("answer", "error"), REFUSALS)
def test_refusals_are_told_apart(answer: Reply, error: type[WellsourcedError]) -> None:
    with pytest.raises(error):
        found(answer)
