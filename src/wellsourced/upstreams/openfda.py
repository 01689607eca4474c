"""openFDA: labels of medicines in the United States, the reactions reported with them, and when they were approved.

API: open.fda.gov/apis, drug/label, drug/event and drug/drugsfda. No key for 1,000 requests a day; OPENFDA_API_KEY for
more. Nothing found is 404 with NOT_FOUND; 500 with token_mgr_error means that our own query is at fault. Label sections
are lists of one text. Counts of reports are no incidence: duplicates are in them, and a report proves no cause. Checked
2026-11-17.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NoReturn

from wellsourced.errors import BadInput, UpstreamChanged, UpstreamUnavailable, WellsourcedError
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.data_gov import raise_data_gov_refusal
from wellsourced.upstreams.helpers.json_fields import as_count, as_object, as_text, first_text, objects_in, parse_rows
from wellsourced.upstreams.helpers.replies import error_object, list_under, parse_object
from wellsourced.upstreams.helpers.search_operators import cut_at_word
from wellsourced.upstreams.types.records import DrugLabel, Origin, TrialQuery
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="openfda",
    title="openFDA",
    bases={"": "https://api.fda.gov"},
    uses=(Setting("OPENFDA_API_KEY", "Key of openFDA; raises the daily limit.", secret=True),),
    pace=Pace(4, 1.0),
    timeout=20.0,
    preference=50,
    automatic=False,
    about="Labels of US medicines and reported side effects.",
)

PAGE = "https://dailymed.nlm.nih.gov/dailymed/drugInfo.cfm?setid="
SECTION_LENGTH = 600
MOST_REACTIONS = 10
MOST_APPROVALS = 10
UNREADABLE = (KeyError, TypeError, AttributeError)
NOT_IN_NAMES = re.compile(r'["\\()\[\]{}^~*?:/+]')
REPORTS = "Reactions are counts of reports, with duplicates; they are no incidence and prove no cause."
DISCLAIMER = "openFDA: do not rely on this to make decisions regarding medical care."
UNREACHED = "The reported reactions could not be asked for."
NO_APPROVALS = "The approvals could not be asked for."


def trials(query: TrialQuery, access: Access) -> Steps[ResultSet[DrugLabel]]:
    """The labels of a medicine; conditions, sponsors, statuses and phases are no facts of a label."""
    name = _medicine(query)
    asked = f'openfda.generic_name:"{name}" OR openfda.brand_name:"{name}"'
    count = max(1, min(query.count, 20))
    reply = yield Request.get("/drug/label.json", _params(asked, access, limit=count, sort="effective_time:desc"))
    not_applied = frozenset(key for key in ("condition", "sponsor", "status", "phase") if getattr(query, key))
    body = _parse_reply(reply)
    if body is None:
        return ResultSet((), not_applied, total=0, notes=(f"openFDA has no label of {name!r}.",))
    labels = parse_rows(list_under(body, "results", "openFDA"), _parse_label)
    total = as_count(as_object(as_object(body.get("meta")).get("results")).get("total"))
    reactions, notes = yield from _reactions(name, access)
    approvals, unreached = yield from _approvals(name, access)
    shown = (replace(labels[0], reactions=reactions, approvals=approvals), *labels[1:]) if labels else ()
    ignored = (f"Not applied to labels: {', '.join(sorted(not_applied))}.",) if not_applied else ()
    return ResultSet(shown, not_applied, total=total, notes=(*notes, *unreached, *ignored, DISCLAIMER))


def _medicine(query: TrialQuery) -> str:
    name = " ".join(NOT_IN_NAMES.sub(" ", query.intervention or query.text).split())
    if not name:
        raise BadInput("openFDA is asked for a medicine: give its name in intervention or query.")
    return name


def _params(asked: str, access: Access, **more: Param) -> dict[str, Param]:
    return {"search": asked, **more, "api_key": access["OPENFDA_API_KEY"] or None}


def _reactions(name: str, access: Access) -> Steps[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The reactions named most often in reports with this medicine; worth having, not worth losing the label for."""
    asked = f'patient.drug.openfda.generic_name:"{name}" OR patient.drug.openfda.brand_name:"{name}"'
    params = _params(asked, access, count="patient.reaction.reactionmeddrapt.exact", limit=MOST_REACTIONS)
    try:
        body = _parse_reply((yield Request.get("/drug/event.json", params)))
        rows = list_under(body, "results", "openFDA") if body else []
    except (WellsourcedError, *UNREADABLE):
        return (), (UNREACHED,)
    named = ((as_text(row.get("term")), as_count(row.get("count"))) for row in objects_in(rows))
    found = tuple(f"{term}: {count}" for term, count in named if term and count is not None)[:MOST_REACTIONS]
    return found, (REPORTS,) if found else ()


def _approvals(name: str, access: Access) -> Steps[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The applications for this medicine with the day of their first approval; worth having, like the reactions."""
    asked = f'openfda.generic_name:"{name}" OR openfda.brand_name:"{name}"'
    try:
        body = _parse_reply((yield Request.get("/drug/drugsfda.json", _params(asked, access, limit=MOST_APPROVALS))))
        rows = list_under(body, "results", "openFDA") if body else []
        return tuple(parse_rows(rows, _parse_application)), ()
    except (WellsourcedError, *UNREADABLE):
        return (), (NO_APPROVALS,)


def _parse_application(row: Mapping[str, Any]) -> str:
    """`NDA213051 | RYBELSUS (TABLET) | NOVO | approved 2019-09-20`."""
    number = as_text(row["application_number"])
    if not number:
        raise UpstreamChanged("openFDA's answer has an application without its number.")
    products = dict.fromkeys(
        f"{name} ({form})" if (form := as_text(each.get("dosage_form"))) else name
        for each in objects_in(row.get("products"))
        if (name := as_text(each.get("brand_name")))
    )
    first = min((day for each in objects_in(row.get("submissions")) if (day := _approval_day(each))), default="")
    approved = f"approved {first}" if first else ""
    return " | ".join(filter(None, (number, ", ".join(products), as_text(row.get("sponsor_name")), approved)))


def _approval_day(submission: Mapping[str, Any]) -> str:
    is_original = submission.get("submission_type") == "ORIG" and submission.get("submission_status") == "AP"
    return _iso_day(submission.get("submission_status_date")) or "" if is_original else ""


def _iso_day(value: Any) -> str | None:
    day = as_text(value)
    return f"{day[:4]}-{day[4:6]}-{day[6:]}" if re.fullmatch(r"[0-9]{8}", day) else None


def _parse_reply(reply: Reply) -> dict[str, Any] | None:
    """The answer, None for nothing found."""
    error = as_object(error_object(reply).get("error")) if reply.status >= 400 else {}
    if reply.status == 404 and as_text(error.get("code")) == "NOT_FOUND":
        return None
    if reply.status >= 400:
        _raise_refusal(reply, as_text(error.get("code")), as_text(error.get("message"))[:200])
    return parse_object(reply, "openFDA")


def _raise_refusal(reply: Reply, code: str, message: str) -> NoReturn:
    if reply.status != 429 and code in {"BAD_REQUEST", "SERVER_ERROR"}:
        raise UpstreamUnavailable(f"openFDA refused the query: {message}", detail=reply.summary)
    if reply.status == 404:
        raise UpstreamChanged("openFDA's search is not where it used to be.", detail=reply.summary)
    raise_data_gov_refusal(reply, PROVIDER.title)


def _parse_label(row: Mapping[str, Any]) -> DrugLabel:
    names = as_object(row.get("openfda"))
    set_id = as_text(row.get("set_id")) or first_text(names.get("spl_set_id"))
    generic = first_text(names.get("generic_name"))
    name = first_text(names.get("brand_name")) or generic
    if not re.fullmatch(r"[0-9a-fA-F-]{8,40}", set_id) or not name:
        raise UpstreamChanged("openFDA's answer has a label without name or id.")
    effective = _iso_day(row.get("effective_time"))
    parts: dict[str, Any] = {
        key: cut_at_word(first_text(row.get(field)), SECTION_LENGTH) or None
        for key, field in (
            ("boxed_warning", "boxed_warning"),
            ("indications", "indications_and_usage"),
            ("contraindications", "contraindications"),
            ("adverse_reactions", "adverse_reactions"),
        )
    }
    return DrugLabel(
        name=name,
        url=PAGE + set_id,
        origin=Origin(url=PAGE + set_id, record=f"set id {set_id}", vintage=effective),
        generic_name=generic or None,
        manufacturer=first_text(names.get("manufacturer_name")) or None,
        effective=effective,
        **parts,
    )
