"""clinical_search: registered clinical trials."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import Field, model_validator

from wellsourced.records.record_search import RecordList, look_up, record_fields
from wellsourced.tool.arguments import SessionId
from wellsourced.tool.base import OutputPart, Tool, ToolInput
from wellsourced.tool.call import Call
from wellsourced.tool.search_tool import build_query, used_filters
from wellsourced.tool.sources import FoundSource
from wellsourced.upstream import Kind
from wellsourced.upstream_client.entities import MEDICINE, resolution_note
from wellsourced.upstreams.types.records import DrugLabel, Trial, TrialQuery

if TYPE_CHECKING:
    from wellsourced.upstream_client.entities import Entities
    from wellsourced.upstream_client.lookup import Lookup, LookupResult
    from wellsourced.upstreams.types.entity import Entity


class ClinicalSearchInput(ToolInput):
    query: str | None = Field(None, max_length=500, description="Words anywhere.")
    condition: str | None = Field(None, description="Disease or condition.")
    intervention: str | None = Field(None, description="Drug, device or treatment.")
    sponsor: str | None = Field(None, description="Lead sponsor.")
    status: str | None = Field(None, description="e.g. RECRUITING, COMPLETED, TERMINATED.")
    phase: str | None = Field(None, description="e.g. PHASE3.")
    details: bool = Field(False, description="Add outcomes, arms, eligibility, countries.")
    num_results: int = Field(10, ge=1, le=100, description="How many.")
    provider: str | None = Field(None, description="clinicaltrials; openfda: labels and side effects of a medicine.")
    session_id: SessionId = None

    @model_validator(mode="after")
    def asks_something(self) -> ClinicalSearchInput:
        said = (self.query, self.condition, self.intervention, self.sponsor)
        if not any(text and text.strip() for text in said):
            raise ValueError("query, condition, intervention or sponsor is required.")
        return self


class TrialResult(OutputPart):
    nct_id: str
    title: str
    url: str
    source: str
    status: str | None = None
    phases: list[str] | None = None
    conditions: list[str] | None = None
    interventions: list[str] | None = None
    sponsor: str | None = None
    start_date: str | None = None
    completion_date: str | None = None
    enrollment: int | None = None
    has_results: bool | None = None
    primary_outcomes: list[str] | None = None
    secondary_outcomes: list[str] | None = None
    arms: list[str] | None = None
    ages: str | None = None
    sex: str | None = None
    eligibility: str | None = None
    countries: list[str] | None = None
    publications: list[str] | None = None


class LabelResult(OutputPart):
    name: str
    url: str
    source: str
    generic_name: str | None = None
    manufacturer: str | None = None
    effective: str | None = None
    boxed_warning: str | None = None
    indications: str | None = None
    contraindications: str | None = None
    adverse_reactions: str | None = None
    reactions: list[str] | None = None
    approvals: list[str] | None = None


class ClinicalSearchOutput(RecordList):
    trials: list[TrialResult]
    labels: list[LabelResult] | None = None
    total: int | None = None
    provider: str

    def found_sources(self) -> list[FoundSource]:
        trials = [FoundSource(url=t.url, title=t.title, type="trial", date=t.start_date) for t in self.trials]
        return trials + [FoundSource(url=each.url, title=each.name, type="label") for each in self.labels or ()]


async def run(input: ClinicalSearchInput, call: Call, lookup: Lookup, entities: Entities) -> ClinicalSearchOutput:
    query = build_query(TrialQuery, input, text=input.query or "", count=input.num_results)
    looked = await find_trials(query, input.provider, call, lookup, entities)
    items = looked.found.items[: input.num_results]
    trials = [TrialResult.from_record(item) for item in items if isinstance(item, Trial)]
    labels = [LabelResult.from_record(item) for item in items if isinstance(item, DrugLabel)]
    filters = used_filters(input, "condition", "intervention", "sponsor", "status", "phase")
    asked = input.query or input.condition or input.intervention or input.sponsor or ""
    return ClinicalSearchOutput(
        trials=trials,
        labels=labels or None,
        total=looked.found.total,
        **record_fields(asked, items, looked, filters, input),
    )


async def find_trials(
    query: TrialQuery, provider: str | None, call: Call, lookup: Lookup, entities: Entities
) -> LookupResult:
    """What the registry has; a medicine it does not know by this name is asked for by the one Wikidata knows it by."""
    looked = await look_up(Kind.TRIALS, query, provider, call, lookup)
    name = query.intervention or query.text
    medicine = None if looked.found.items or not name else await entities.resolve(name, MEDICINE, call.deadline)
    if medicine is None or medicine.label.casefold() == name.strip().casefold():
        return looked
    renamed = replace(query, intervention=medicine.label) if query.intervention else replace(query, text=medicine.label)
    again = await look_up(Kind.TRIALS, renamed, provider, call, lookup)
    note = resolution_note(name, medicine, f"that name ({_identifiers(medicine)})")
    return replace(again, found=replace(again.found, notes=(note, *again.found.notes)))


def _identifiers(medicine: Entity) -> str:
    known = medicine.identifiers
    return ", ".join(f"{scheme} {known[scheme]}" for scheme in MEDICINE if scheme in known)


TOOL = Tool(
    name="clinical_search",
    title="Clinical trials",
    description=(
        "Search ClinicalTrials.gov: registrations, outcomes, whether results are posted (read them with scrape_page). "
        "Not medical advice."
    ),
    input=ClinicalSearchInput,
    output=ClinicalSearchOutput,
    run=run,
    toolset="domain",
    order=260,
    label="clinical trial search",
    cache=21600,
)
