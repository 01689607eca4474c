"""ClinicalTrials.gov: one study's whole record in sections: design, arms, outcomes, eligibility, results, locations.

API: clinicaltrials.gov/data-api, v2, `studies/{NCT}`. No key. Values of results are texts and stay as posted. Modules
may be missing. Checked 2026-11-17 on recorded studies; results follow the documentation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from wellsourced.errors import NotFound, UpstreamChanged
from wellsourced.http_exchange import Request
from wellsourced.pages.page import Page
from wellsourced.pages.site_page import SitePage, SiteSteps, send_request
from wellsourced.text.urls import WebUrl, parse_web_url
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import as_object, as_text, number_or_text, objects_in, texts_in

DOMAINS = ("clinicaltrials.gov",)
SITE = Provider(
    name="clinicaltrials-pages",
    title="ClinicalTrials.gov",
    bases={"": "https://clinicaltrials.gov"},
    pace=Pace(1, 1.0),
    timeout=20.0,
    about="A study's record: design, eligibility, outcomes, results.",
)
NUMBER = re.compile(r"NCT[0-9]{8}", re.I)
MOST_LOCATIONS = 300
MOST_EVENTS = 200

Fields = Mapping[str, Any]


def matches(address: WebUrl) -> bool:
    return address.is_under(*DOMAINS) and bool(_number(address))


def read(url: str, access: Access) -> SiteSteps[SitePage | None]:
    address = parse_web_url(url)
    number = _number(address) if address else ""
    if not number:
        return None
    reply = yield from send_request(Request.get(f"/api/v2/studies/{number}", {"format": "json"}))
    if reply.status == 404:
        raise NotFound(f"ClinicalTrials.gov has no study {number}.")
    study = reply.expect_ok().json()
    protocol = as_object(as_object(study).get("protocolSection"))
    if not as_object(protocol.get("identificationModule")):
        raise UpstreamChanged("ClinicalTrials.gov's answer describes no study.", detail=reply.summary)
    return SitePage(page=study_page(number, as_object(study), protocol), extracted_by="clinicaltrials:api")


def _number(address: WebUrl) -> str:
    named = next((part for part in reversed(address.segments) if NUMBER.fullmatch(part)), "")
    return named.upper()


def study_page(number: str, study: Fields, protocol: Fields) -> Page:
    about = _module(protocol, "identificationModule")
    title = as_text(about.get("briefTitle")) or as_text(about.get("officialTitle")) or number
    sponsor = as_text(as_object(_module(protocol, "sponsorCollaboratorsModule").get("leadSponsor")).get("name"))
    results = as_object(study.get("resultsSection"))
    parts = [f"# {title}", *sections(number, protocol), *result_sections(results)]
    status = _module(protocol, "statusModule")
    posted = "Results are posted." if results else "No results are posted." if study.get("hasResults") is False else ""
    return Page(
        url=f"https://clinicaltrials.gov/study/{number}",
        markdown="\n\n".join(part for part in parts if part),
        title=title,
        author=sponsor,
        date=_day(status, "lastUpdatePostDateStruct") or _day(status, "startDateStruct"),
        site="ClinicalTrials.gov",
        notes=tuple(filter(None, (posted, "The sponsor registers and is responsible for this record."))),
    )


def _module(protocol: Fields, name: str) -> Fields:
    return as_object(protocol.get(name))


def _day(module: Fields, name: str) -> str:
    return as_text(as_object(module.get(name)).get("date"))


def sections(number: str, protocol: Fields) -> Iterator[str]:
    status, design = _module(protocol, "statusModule"), _module(protocol, "designModule")
    described, arms = _module(protocol, "descriptionModule"), _module(protocol, "armsInterventionsModule")
    enrolled = as_object(design.get("enrollmentInfo"))
    sponsor = as_object(_module(protocol, "sponsorCollaboratorsModule").get("leadSponsor"))
    yield _section("Status", _lines({
        "Number": number, "Official title": as_text(_module(protocol, "identificationModule").get("officialTitle")),
        "Status": as_text(status.get("overallStatus")), "Why stopped": as_text(status.get("whyStopped")),
        "Start": _dated(status, "startDateStruct"), "Primary completion": _dated(status, "primaryCompletionDateStruct"),
        "Completion": _dated(status, "completionDateStruct"),
        "Last update": _day(status, "lastUpdatePostDateStruct"), "Sponsor": as_text(sponsor.get("name")),
    }))  # fmt: skip
    yield _section("Summary", _raw(described.get("briefSummary")))
    yield _section("Description", _raw(described.get("detailedDescription")))
    conditions = texts_in(_module(protocol, "conditionsModule").get("conditions"))
    yield _section("Conditions", "\n".join(f"- {each}" for each in conditions))
    how = as_object(design.get("designInfo"))
    enrolment = " ".join(filter(None, (number_or_text(enrolled.get("count")) or "", as_text(enrolled.get("type")))))
    yield _section("Design", _lines({
        "Study type": as_text(design.get("studyType")), "Phases": ", ".join(texts_in(design.get("phases"))),
        "Allocation": as_text(how.get("allocation")), "Model": as_text(how.get("interventionModel")),
        "Purpose": as_text(how.get("primaryPurpose")),
        "Masking": as_text(as_object(how.get("maskingInfo")).get("masking")), "Enrolment": enrolment,
    }))  # fmt: skip
    yield _section("Arms", "\n".join(_named(arms.get("armGroups"), "label", "type", "description")))
    yield _section("Interventions", "\n".join(_named(arms.get("interventions"), "name", "type", "description")))
    outcomes = _module(protocol, "outcomesModule")
    for heading, key in (("Primary outcomes", "primaryOutcomes"), ("Secondary outcomes", "secondaryOutcomes"),
                         ("Other outcomes", "otherOutcomes")):  # fmt: skip
        yield _section(heading, "\n".join(_named(outcomes.get(key), "measure", "timeFrame", "description")))
    yield _eligibility(_module(protocol, "eligibilityModule"))
    yield _locations(_module(protocol, "contactsLocationsModule"))
    references = objects_in(_module(protocol, "referencesModule").get("references"))
    cited = (" ".join(filter(None, (as_text(each.get("citation")), _pmid(each)))) for each in references)
    yield _section("Publications", "\n".join(f"- {each}" for each in cited if each))


def _section(heading: str, body: str) -> str:
    return f"## {heading}\n\n{body}" if body else ""


def _lines(facts: Mapping[str, str]) -> str:
    return "\n".join(f"- {name}: {value}" for name, value in facts.items() if value)


def _raw(value: Any) -> str:
    """A text with its paragraphs; the registry writes markdown, with its brackets escaped."""
    return value.strip().replace("\\", "") if isinstance(value, str) else ""


def _dated(module: Fields, name: str) -> str:
    kind = as_text(as_object(module.get(name)).get("type")).lower()
    return " ".join(filter(None, (_day(module, name), f"({kind})" if kind else "")))


def _named(rows: Any, name: str, kind: str, text: str) -> Iterator[str]:
    for row in objects_in(rows):
        first, second, rest = (as_text(row.get(key)) for key in (name, kind, text))
        head = f"**{first}**{f' ({second})' if second else ''}" if first else second
        if head or rest:
            yield "- " + ": ".join(filter(None, (head, rest)))


def _eligibility(module: Fields) -> str:
    healthy = module.get("healthyVolunteers")
    facts = _lines({
        "Sex": as_text(module.get("sex")), "Minimum age": as_text(module.get("minimumAge")),
        "Maximum age": as_text(module.get("maximumAge")),
        "Healthy volunteers": {True: "yes", False: "no"}.get(healthy, "") if isinstance(healthy, bool) else "",
    })  # fmt: skip
    return _section("Eligibility", "\n\n".join(filter(None, (facts, _raw(module.get("eligibilityCriteria"))))))


def _locations(module: Fields) -> str:
    places = list(objects_in(module.get("locations")))
    lines = [
        "- " + ", ".join(filter(None, (as_text(place.get(key)) for key in ("facility", "city", "state", "country"))))
        + (f" ({status})" if (status := as_text(place.get("status"))) else "")
        for place in places[:MOST_LOCATIONS]
    ]  # fmt: skip
    more = [f"({len(places) - MOST_LOCATIONS} more)"] if len(places) > MOST_LOCATIONS else []
    return _section(f"Locations ({len(places)})", "\n".join([*lines, *more])) if lines else ""


def _pmid(reference: Fields) -> str:
    number = number_or_text(reference.get("pmid"))
    kind = as_text(reference.get("type")).lower()
    return f"(PMID {number}{f', {kind}' if kind else ''})" if number else ""


def result_sections(results: Fields) -> Iterator[str]:
    """What was measured in each group, value for value as posted."""
    measures = list(objects_in(_module(results, "outcomeMeasuresModule").get("outcomeMeasures")))
    if measures:
        yield "## Results"
    for measure in measures:
        yield _outcome(measure)
    yield _adverse_events(_module(results, "adverseEventsModule"))


def _outcome(measure: Fields) -> str:
    groups = {as_text(each.get("id")): as_text(each.get("title")) for each in objects_in(measure.get("groups"))}
    unit = as_text(measure.get("unitOfMeasure")) or as_text(measure.get("units"))
    facts = _lines({
        "Type": as_text(measure.get("type")), "Time frame": as_text(measure.get("timeFrame")),
        "Statistic": " ± ".join(filter(None, (as_text(measure.get("paramType")),
                                              as_text(measure.get("dispersionType"))))), "Unit": unit,
    })  # fmt: skip
    values = "\n".join(_values(measure, groups, unit))
    tests = "\n".join(_analyses(measure))
    heading = f"### {as_text(measure.get('title')) or 'Outcome'}"
    return "\n\n".join(filter(None, (heading, as_text(measure.get("description")), facts, values, tests)))


def _values(measure: Fields, groups: Mapping[str, str], unit: str) -> Iterator[str]:
    for row in objects_in(measure.get("classes")):
        for category in objects_in(row.get("categories")):
            label = ", ".join(filter(None, (as_text(row.get("title")), as_text(category.get("title")))))
            for found in objects_in(category.get("measurements")):
                value = " ".join(filter(None, (as_text(found.get("value")), _spread(found), unit)))
                group = groups.get(as_text(found.get("groupId")), as_text(found.get("groupId")))
                yield f"- {group}{f' — {label}' if label else ''}: {value}"


def _spread(found: Fields) -> str:
    spread, low, high = (as_text(found.get(key)) for key in ("spread", "lowerLimit", "upperLimit"))
    return f"(± {spread})" if spread else f"({low} to {high})" if low and high else ""


def _analyses(measure: Fields) -> Iterator[str]:
    for test in objects_in(measure.get("analyses")):
        value, name = as_text(test.get("pValue")), as_text(test.get("statisticalMethod"))
        effect = " ".join(filter(None, (as_text(test.get("paramType")), as_text(test.get("paramValue")))))
        if value or effect:
            yield "- Analysis: " + ", ".join(filter(None, (name, f"p {value}" if value else "", effect)))


def _adverse_events(module: Fields) -> str:
    serious = list(objects_in(module.get("seriousEvents")))
    lines = [
        f"- {as_text(event.get('term'))}: " + ", ".join(
            f"{number_or_text(each.get('numAffected')) or '?'} of {number_or_text(each.get('numAtRisk')) or '?'}"
            for each in objects_in(event.get("stats"))
        )
        for event in serious[:MOST_EVENTS]
    ]  # fmt: skip
    groups = ", ".join(as_text(group.get("title")) for group in objects_in(module.get("eventGroups")))
    return _section("Serious adverse events", "\n".join([f"Groups in order: {groups}", *lines])) if lines else ""
