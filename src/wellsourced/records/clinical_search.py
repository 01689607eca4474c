"""clinical_search: registered clinical trials."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pydantic import Field, model_validator

from wellsourced.tool.base import UNTRUSTED, OutputPart, Tool, ToolInput
from wellsourced.tool.call import Call
from wellsourced.tool.hints import filled, hints
from wellsourced.tool.listing import Listing
from wellsourced.tool.sources import FoundSource
from wellsourced.upstream import Kind
from wellsourced.upstreams.types.records import Trial, TrialQuery

if TYPE_CHECKING:
    from wellsourced.upstream_client.lookup import Lookup


class ClinicalSearchInput(ToolInput):
    query: str | None = Field(None, max_length=500, description="Words anywhere.")
    condition: str | None = Field(None, description="Disease or condition.")
    intervention: str | None = Field(None, description="Drug, device or treatment.")
    sponsor: str | None = Field(None, description="Lead sponsor.")
    status: str | None = Field(None, description="e.g. RECRUITING, COMPLETED, TERMINATED.")
    phase: str | None = Field(None, description="e.g. PHASE3.")
    num_results: int = Field(10, ge=1, le=100, description="How many.")
    provider: str | None = Field(None, description="clinicaltrials.")
    session_id: str | None = Field(None, alias="sessionId", description="Session.")

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


class ClinicalSearchOutput(Listing):
    empty_lifetime: ClassVar[float] = 0
    trials: list[TrialResult]
    provider: str

    def found_sources(self) -> list[FoundSource]:
        return [FoundSource(url=t.url, title=t.title, type="trial", date=t.start_date) for t in self.trials]


async def run(input: ClinicalSearchInput, call: Call, lookup: Lookup) -> ClinicalSearchOutput:
    query = TrialQuery(
        text=input.query or "",
        condition=input.condition,
        intervention=input.intervention,
        sponsor=input.sponsor,
        status=input.status,
        phase=input.phase,
        count=input.num_results,
    )
    looked = await lookup.ask(Kind.TRIALS, query, provider=input.provider, deadline=call.deadline, trace=call.trace)
    trials = [result(trial) for trial in looked.found.items[: input.num_results]]
    filters = filled(input, "condition", "intervention", "sponsor", "status", "phase")
    return ClinicalSearchOutput(
        trials=trials,
        query=input.query or input.condition or input.intervention or input.sponsor or "",
        result_count=len(trials),
        provider=looked.provider,
        notes=list(looked.found.notes) or None,
        hints=None if trials else hints(filters, [looked.provider], []),
        trust=UNTRUSTED,
    )


def result(trial: Trial) -> TrialResult:
    return TrialResult(
        nct_id=trial.nct_id,
        title=trial.title,
        url=trial.url,
        source=trial.source,
        status=trial.status,
        phases=list(trial.phases) or None,
        conditions=list(trial.conditions) or None,
        interventions=list(trial.interventions) or None,
        sponsor=trial.sponsor,
        start_date=trial.start_date,
        completion_date=trial.completion_date,
        enrollment=trial.enrollment,
        has_results=trial.has_results,
    )


TOOL = Tool(
    name="clinical_search",
    title="Clinical trials",
    description=("Search ClinicalTrials.gov: registrations, and whether results are posted. Not medical advice."),
    input=ClinicalSearchInput,
    output=ClinicalSearchOutput,
    run=run,
    toolset="domain",
    order=260,
    label="clinical trial search",
    cache=21600,
)
