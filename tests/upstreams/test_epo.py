"""EPO Open Patent Services: the token, the query, and recorded answers."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from tests.upstreams.conversation import converse, first_request, form, reply
from tests.upstreams.recorded import recorded
from wellsourced.errors import (
    BadInput,
    Blocked,
    KeyRejected,
    RateLimited,
    UpstreamChanged,
    UpstreamUnavailable,
    WellsourcedError,
)
from wellsourced.http_exchange import Reply, Request
from wellsourced.upstream import Access
from wellsourced.upstreams.epo import patents
from wellsourced.upstreams.types.patent import Patent, PatentQuery

ACCESS = Access({"EPO_OPS_CONSUMER_KEY": "key", "EPO_OPS_CONSUMER_SECRET": "secret"})
TOKEN = reply({"access_token": "abc", "expires_in": "1199"})
NOTHING = (
    "<fault xmlns='http://ops.epo.org'><code>SERVER.EntityNotFound</code><message>No results found</message></fault>"
)


def asked(query: PatentQuery) -> Request:
    nothing = [reply(NOTHING, 404)] * (2 if query.number else 1)
    requests, _ = converse(patents(query, ACCESS), TOKEN, *nothing)
    return requests[1]


def found(answer: Reply, count: int = 10) -> list[Patent]:
    return list(converse(patents(PatentQuery(text="x", count=count), ACCESS), TOKEN, answer)[1].items)


def test_a_token_is_bought_first_and_sent_with_the_search() -> None:
    opening = first_request(patents(PatentQuery(text="battery"), ACCESS))
    assert opening.method == "POST" and form(opening) == {"grant_type": "client_credentials"}
    assert opening.headers["Authorization"] == f"Basic {base64.b64encode(b'key:secret').decode()}"
    assert asked(PatentQuery(text="battery")).headers["Authorization"] == "Bearer abc"


QUERIES = [
    (PatentQuery(text="wind turbine for boats"), 'ta="wind" and ta="turbine" and ta="boats"'),
    (PatentQuery(text='"wind turbine" blade'), 'ta="wind turbine" and ta="blade"'),
    (PatentQuery(text='a" or pa=x'), 'ta="pa x"'),
    (PatentQuery(assignee="Siemens AG", inventor="Ada Lovelace"), 'pa="Siemens" and in="Ada" and in="Lovelace"'),
    (PatentQuery(text="x", cpc="g06f 3/01", office="EP"), 'ta="x" and cpc=G06F3/01 and pn=EP'),
    (PatentQuery(text="x", year_from=2015, year_to=2016), 'ta="x" and pd within "20150101 20181231"'),
    (
        PatentQuery(text='laser OR maser -"ion trap" -gas', office="EP"),
        '(ta="laser" or ta="maser") and pn=EP not ta="ion trap" not ta="gas"',
    ),
    (PatentQuery(number="EP1000000A1"), "pn=EP1000000"),
]


@pytest.mark.parametrize(("query", "cql"), QUERIES)
def test_the_query_is_cql_and_cannot_be_broken_out_of(query: PatentQuery, cql: str) -> None:
    assert dict(asked(query).params)["q"] == cql


@pytest.mark.parametrize("query", [PatentQuery(), PatentQuery(text="x", cpc="nonsense and pa=y")])
def test_a_query_that_is_none_is_told_so(query: PatentQuery) -> None:
    with pytest.raises(BadInput):
        next(patents(query, ACCESS))


def test_a_number_without_a_publication_is_that_of_an_application(shared: Path) -> None:
    service = recorded(shared, "more/epo-ops/number-service-original-to-docdb.xml")
    biblio = recorded(shared, "epo-ops/biblio-EP1000000.xml")
    steps = patents(PatentQuery(number="JP2006147056A"), ACCESS)
    requests, answer = converse(steps, TOKEN, reply(NOTHING, 404), service, biblio, reply("busy", 429))
    assert requests[2].path.endswith("/number-service/application/original/JP.(2006147056).A/docdb")
    assert dict(requests[3].params)["q"] == "ap=JP2006147056" and "an application, JP2006147056" in answer.notes[0]


def test_recorded_search(shared: Path) -> None:
    first, second, third = found(recorded(shared, "epo-ops/search-biblio-siemens-1-3.xml"))
    assert (first.number, first.filed, first.published, first.granted) == (
        "AU2024270787A1",
        "2024-05-16",
        "2025-10-23",
        None,
    )
    assert first.title == "MONITORING THE OPERATION OF A WIND TURBINE"
    assert first.inventors == ("NADERHOFF, Thorsten", "SANDEL, Klaus")
    assert second.assignees == ("SIEMENS ENERGY GLOBAL GMBH & CO. KG",) and second.abstract
    assert third.number == "DK3740998T3" and third.granted is None


def test_recorded_documents_tell_application_from_grant(shared: Path) -> None:
    by_number = {patent.number: patent for patent in found(recorded(shared, "epo-ops/biblio-two-documents.xml"))}
    assert by_number["EP2533477A1"].granted is None
    assert by_number["EP2533477B1"].granted == "2014-03-05"
    assert by_number["EP2533477B1"].filed == by_number["EP2533477A1"].filed == "2011-06-09"
    (brick,) = found(recorded(shared, "epo-ops/biblio-EP1000000.xml"))
    assert brick.title.startswith("Apparatus for manufacturing green bricks")
    assert (brick.priority, brick.filed, brick.published, brick.granted) == (
        "1998-11-12",
        "1999-11-08",
        "2000-05-17",
        None,
    )
    assert "B28B1/29" in brick.cpc and "<IMAGE>" not in (brick.abstract or "")


def test_recorded_nothing_is_nothing(shared: Path) -> None:
    assert found(recorded(shared, "epo-ops/documented-fault-no-results-404.xml", 404)) == []


@pytest.mark.parametrize(
    "file", ["search-one-result.xml", "search-ti-battery-1-5.xml", "family.xml", "claims-EP1000000.xml"]
)
def test_recorded_answers_of_another_kind_are_not_nothing(shared: Path, file: str) -> None:
    with pytest.raises(UpstreamChanged):
        found(recorded(shared, f"epo-ops/{file}"))


REFUSALS: list[tuple[Reply, type[WellsourcedError]]] = [
    (reply("<error><message>invalid_access_token</message></error>", 400), UpstreamUnavailable),
    (reply("<fault><message>quota</message></fault>", 403, x_rejection_reason="RegisteredQuotaPerWeek"), RateLimited),
    (reply("<fault><code>CLIENT.InvalidQuery</code><message>bad</message></fault>", 413), UpstreamUnavailable),
    (reply("This request has been rejected due to the violation of Fair Use policy", 403), RateLimited),
    (reply("<html>wall</html>", 403), Blocked),
    (reply("<html>not here</html>", 404), UpstreamChanged),
    (reply("not xml", 200), UpstreamChanged),
    (reply("busy", 503), UpstreamUnavailable),
]


@pytest.mark.parametrize(("answer", "error"), REFUSALS)
def test_refusals_are_told_apart(answer: Reply, error: type[WellsourcedError]) -> None:
    with pytest.raises(error):
        found(answer)


def test_a_spent_week_waits_a_week_and_a_bad_key_is_named() -> None:
    with pytest.raises(RateLimited) as spent:
        found(reply("", 403, x_rejection_reason="RegisteredQuotaPerWeek"))
    assert spent.value.retry_after == 7 * 86_400
    with pytest.raises(KeyRejected):
        converse(patents(PatentQuery(text="x"), ACCESS), reply({"error": "invalid_client"}, 401))
