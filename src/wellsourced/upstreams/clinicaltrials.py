"""ClinicalTrials.gov: the registry of clinical studies of the US National Library of Medicine.

API: clinicaltrials.gov/data-api, v2 · Key: none, about one request a second. Errors are plain text. A page has up to
1,000 studies and a token for the next one; the last page has none. There is no filter by phase, only the aggregate
filter `phase:`. Modules and fields may be missing. Checked 2026-11-15.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from wellsourced.errors import BadInput, UpstreamChanged
from wellsourced.http_exchange import Param, Reply, Request, Steps
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import as_boolean, as_count, as_object, as_text, objects_in, parse_rows
from wellsourced.upstreams.helpers.search_operators import cut_at_word
from wellsourced.upstreams.types.records import Origin, Trial, TrialQuery
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="clinicaltrials",
    title="ClinicalTrials.gov",
    bases={"": "https://clinicaltrials.gov"},
    pace=Pace(1, 1.0),
    timeout=20.0,
    preference=10,
    about="Registered clinical studies: status, phase, sponsor, results.",
)

PAGE = "https://clinicaltrials.gov/study/"
PAGE_SIZE, MOST_PAGES = 100, 10  # at most this many pages are fetched for one query
FIELDS = (
    "NCTId|BriefTitle|OverallStatus|Phase|Condition|InterventionName|LeadSponsorName|StartDate|CompletionDate"
    "|StudyType|EnrollmentCount|LastUpdatePostDate|HasResults"
)
DETAILS = (
    "|PrimaryOutcomeMeasure|PrimaryOutcomeTimeFrame|SecondaryOutcomeMeasure|SecondaryOutcomeTimeFrame|ArmGroupLabel"
    "|ArmGroupType|MinimumAge|MaximumAge|Sex|EligibilityCriteria|LocationCountry|ReferencePMID|ReferenceCitation"
)
CRITERIA_LENGTH = 1500
MOST_OUTCOMES = 5
STATUS_NAMES = (
    "ACTIVE_NOT_RECRUITING COMPLETED ENROLLING_BY_INVITATION NOT_YET_RECRUITING RECRUITING SUSPENDED TERMINATED"
    " WITHDRAWN AVAILABLE NO_LONGER_AVAILABLE TEMPORARILY_NOT_AVAILABLE APPROVED_FOR_MARKETING WITHHELD UNKNOWN"
)
STATUSES = STATUS_NAMES.split()
OTHER_STATUSES = {"UNKNOWN_STATUS": "UNKNOWN", "ACTIVE_BUT_NOT_RECRUITING": "ACTIVE_NOT_RECRUITING"}
PHASES = {"EARLY_PHASE1": "0", "PHASE1": "1", "PHASE2": "2", "PHASE3": "3", "PHASE4": "4", "NA": "na"}
ROMAN = {"I": "1", "II": "2", "III": "3", "IV": "4"}
SEVERAL_PHASES = re.compile(r"(?:(?<!\s)\s+)?(?:[|,&]|/(?=\s*(?:phase|[1-4I])))\s*", re.IGNORECASE)
NCT_NUMBER = re.compile(r"NCT[0-9]{8}", re.IGNORECASE)


def trials(query: TrialQuery, access: Access) -> Steps[ResultSet[Trial]]:
    asked = _search_params(query)
    count = max(1, query.count)
    trials_found: list[Trial] = []
    token: str | None = None
    total: int | None = None
    for page in range(MOST_PAGES):
        size = min(PAGE_SIZE, count - len(trials_found))
        first: dict[str, Param] = {"countTotal": True} if page == 0 else {}
        reply = yield Request.get("/api/v2/studies", {**asked, "pageSize": size, **first, "pageToken": token})
        if reply.status == 404 and not _is_foreign_page(reply) and "not found" in reply.summary.lower():
            return ResultSet(tuple(trials_found), notes=(f"ClinicalTrials.gov: {reply.summary}.",))
        body = _parse_reply(reply)
        rows = body["studies"]
        total = as_count(body.get("totalCount")) if page == 0 else total
        trials_found += parse_rows(rows, _parse_trial)
        token = as_text(body.get("nextPageToken")) or None
        if not token or not rows or len(trials_found) >= count:
            break
    more = token is not None or len(trials_found) > count
    return ResultSet(tuple(trials_found[:count]), more_available=more, total=total)


def _search_params(query: TrialQuery) -> dict[str, Param]:
    text = query.text.strip()
    number = NCT_NUMBER.fullmatch(text)
    facets: dict[str, Param] = {
        "filter.ids": text.upper() if number else None,
        "query.term": None if number else text or None,
        "query.cond": (query.condition or "").strip() or None,
        "query.intr": (query.intervention or "").strip() or None,
        "query.spons": (query.sponsor or "").strip() or None,
    }
    if not any(facets.values()):
        raise BadInput("Give at least one of query, condition, intervention and sponsor.")
    return {
        "format": "json",
        **facets,
        "filter.overallStatus": _statuses(query.status),
        "aggFilters": _phase_filter(query.phase),
        "fields": FIELDS + (DETAILS if query.details else ""),
    }


def _statuses(status: str | None) -> str | None:
    """One status or several with `|`, in the registry's spelling or in its display form."""
    if not status or not status.strip():
        return None
    names = [_normalise_code(name) for name in status.split("|")]
    known = [OTHER_STATUSES.get(name, name) for name in names]
    for name in known:
        if name not in STATUSES:
            raise BadInput(f"status is {status[:60]!r}; it must be one of {', '.join(STATUSES)}.")
    return "|".join(known)


def _phase_filter(phase: str | None) -> str | None:
    """One phase or several, which the registry shows as `Phase 2/Phase 3`."""
    if not phase or not phase.strip():
        return None
    codes = [_phase_code(part, phase) for part in SEVERAL_PHASES.split(phase)]
    return f"phase:{' '.join(dict.fromkeys(codes))}"


def _phase_code(part: str, phase: str) -> str:
    name = _normalise_code(part).replace("PHASE_", "PHASE")
    number = name.removeprefix("PHASE")
    name = f"PHASE{ROMAN.get(number, number)}" if "EARLY" not in name and number not in {"NA", "N_A"} else name
    name = {"N_A": "NA", "PHASENA": "NA", "PHASE0": "EARLY_PHASE1"}.get(name, name)
    if name not in PHASES:
        raise BadInput(f"phase is {phase[:40]!r}; it must be one of {', '.join(PHASES)}.")
    return PHASES[name]


def _normalise_code(name: str) -> str:
    return re.sub(r"[^A-Z0-9]+", "_", name.strip().upper()).strip("_")


def _parse_trial(row: Mapping[str, Any]) -> Trial:
    section = row["protocolSection"]
    about, status = section["identificationModule"], as_object(section.get("statusModule"))
    design = as_object(section.get("designModule"))
    number = about["nctId"]
    if not isinstance(number, str) or not NCT_NUMBER.fullmatch(number):
        raise UpstreamChanged("ClinicalTrials.gov's answer has a study without a number.")
    sponsor = as_object(as_object(section.get("sponsorCollaboratorsModule")).get("leadSponsor"))
    arms = as_object(section.get("armsInterventionsModule")).get("interventions")
    updated = _parse_day(status.get("lastUpdatePostDateStruct"))
    return Trial(
        nct_id=number,
        title=as_text(about.get("briefTitle")) or as_text(about.get("officialTitle")) or number,
        url=PAGE + number,
        origin=Origin(url=PAGE + number, record=number, vintage=updated),
        status=as_text(status.get("overallStatus")) or None,
        phases=_text_list(design.get("phases")),
        conditions=_text_list(as_object(section.get("conditionsModule")).get("conditions")),
        interventions=_text_list([arm.get("name") for arm in objects_in(arms)]),
        sponsor=as_text(sponsor.get("name")) or None,
        start_date=_parse_day(status.get("startDateStruct")),
        completion_date=_parse_day(status.get("completionDateStruct")),
        enrollment=as_count(as_object(design.get("enrollmentInfo")).get("count")),
        has_results=as_boolean(row.get("hasResults")),
        **_parse_details(section),
    )


def _parse_details(section: Mapping[str, Any]) -> dict[str, Any]:
    """What is only there where it was asked for."""
    outcomes, who = as_object(section.get("outcomesModule")), as_object(section.get("eligibilityModule"))
    arms = as_object(section.get("armsInterventionsModule"))
    places = objects_in(as_object(section.get("contactsLocationsModule")).get("locations"))
    works = objects_in(as_object(section.get("referencesModule")).get("references"))
    ages = " to ".join(filter(None, (as_text(who.get("minimumAge")), as_text(who.get("maximumAge")))))
    return {
        "primary_outcomes": _pairs(outcomes.get("primaryOutcomes"), "measure", "timeFrame"),
        "secondary_outcomes": _pairs(outcomes.get("secondaryOutcomes"), "measure", "timeFrame"),
        "arms": _pairs(arms.get("armGroups"), "label", "type"),
        "ages": ages or None,
        "sex": as_text(who.get("sex")) or None,
        "eligibility": cut_at_word(as_text(who.get("eligibilityCriteria")), CRITERIA_LENGTH) or None,
        "countries": tuple(dict.fromkeys(text for place in places if (text := as_text(place.get("country"))))),
        "publications": tuple(text for work in works if (text := as_text(work.get("citation"))))[:MOST_OUTCOMES],
    }


def _pairs(rows: Any, name: str, more: str) -> tuple[str, ...]:
    named = ((as_text(row.get(name)), as_text(row.get(more))) for row in objects_in(rows))
    return tuple(f"{first} ({second})" if second else first for first, second in named if first)[:MOST_OUTCOMES]


def _parse_day(value: Any) -> str | None:
    return as_text(as_object(value).get("date")) or None


def _text_list(values: Any) -> tuple[str, ...]:
    return tuple(text for value in (values if isinstance(values, list) else ()) if (text := as_text(value)))


def _is_foreign_page(reply: Reply) -> bool:
    """Whether somebody else answered: the registry's own words are plain text."""
    return reply.body.lstrip()[:1] == b"<"


def _parse_reply(reply: Reply) -> dict[str, Any]:
    if reply.status == 400 and not _is_foreign_page(reply):
        raise BadInput(f"ClinicalTrials.gov does not understand the request: {reply.summary}")
    body = reply.expect_ok().json()
    if not isinstance(body, dict) or not isinstance(body.get("studies"), list):
        raise UpstreamChanged("ClinicalTrials.gov's answer has no list of studies.")
    return body
