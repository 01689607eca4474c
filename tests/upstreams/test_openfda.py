"""openFDA: labels, reported reactions and its refusals, on recorded answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.upstreams.conversation import converse, reply
from tests.upstreams.recorded import recorded
from wellsourced.errors import BadInput, KeyRejected, RateLimited, UpstreamChanged, UpstreamUnavailable
from wellsourced.upstream import Access
from wellsourced.upstreams.openfda import NO_APPROVALS, REPORTS, UNREACHED, trials
from wellsourced.upstreams.types.records import TrialQuery

KEYTRUDA = TrialQuery(intervention='Key"truda', phase="3")
ACCESS = Access()


def test_labels_and_reactions(shared: Path) -> None:
    label = recorded(shared, "more/openfda/drug-label-keytruda.json")
    counted = recorded(shared, "more/openfda/drug-event-count-pembrolizumab.json")
    approved = recorded(shared, "more/openfda/drugsfda-semaglutide-page1.json")
    requests, found = converse(trials(KEYTRUDA, ACCESS), label, counted, approved)
    assert dict(requests[0].params)["search"] == 'openfda.generic_name:"Key truda" OR openfda.brand_name:"Key truda"'
    assert [(each.name, each.generic_name) for each in found.items] == [
        ("KEYTRUDA QLEX", "PEMBROLIZUMAB AND BERAHYALURONIDASE ALFA-PMPH"), ("KEYTRUDA", "PEMBROLIZUMAB"),
    ]  # fmt: skip
    assert found.items[0].reactions == ("MALIGNANT NEOPLASM PROGRESSION: 12016",)
    assert found.items[0].approvals == (
        "NDA213051 | RYBELSUS (TABLET) | NOVO | approved 2019-09-20",
        "NDA215256 | WEGOVY (SOLUTION) | NOVO | approved 2021-06-04",
    )
    assert found.total == 2 and found.not_applied == {"phase"} and REPORTS in found.notes


def test_reactions_that_cannot_be_had_cost_no_label(shared: Path) -> None:
    label = recorded(shared, "more/openfda/drug-label-keytruda.json")
    _, found = converse(trials(KEYTRUDA, ACCESS), label, *[reply("busy", 503)] * 2)
    assert len(found.items) == 2 and {UNREACHED, NO_APPROVALS} <= set(found.notes)


@pytest.mark.parametrize("file", ["error-404-no-matches.json", "device-510k.json"])
def test_nothing_found(file: str, shared: Path) -> None:
    _, found = converse(trials(KEYTRUDA, ACCESS), recorded(shared, f"more/openfda/{file}", 404))
    assert (found.items, found.total) == ((), 0)


@pytest.mark.parametrize(
    ("file", "status", "expected"),
    [
        ("error-400-bad-sort.json", 400, UpstreamUnavailable),
        ("error-403-api-key.json", 403, KeyRejected),
        ("error-500-unbalanced-quotes.json", 500, UpstreamUnavailable),
    ],
)
def test_recorded_refusals(file: str, status: int, expected: type[Exception], shared: Path) -> None:
    with pytest.raises(expected):
        converse(trials(KEYTRUDA, ACCESS), recorded(shared, f"more/openfda/{file}", status))


def test_other_refusals() -> None:
    for answer, expected in (
        (reply({"error": {"code": "OVER_RATE_LIMIT"}}, 429), RateLimited),
        (reply("<html>", 404), UpstreamChanged),
        (reply([1]), UpstreamChanged),
        (reply({"results": [{"x": 1}]}), UpstreamChanged),
    ):
        with pytest.raises(expected):
            converse(trials(KEYTRUDA, ACCESS), answer)
    with pytest.raises(BadInput):
        next(trials(TrialQuery(condition="x"), ACCESS))
