"""answer: a provider's written answer with the pages it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from wellsourced.tool.base import UNTRUSTED, OutputPart, Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call
from wellsourced.tool.sources import FoundSource
from wellsourced.upstream import Kind
from wellsourced.upstreams.types.answers import AnswerQuery, WrittenAnswer

if TYPE_CHECKING:
    from wellsourced.upstream_client.lookup import Lookup


class AnswerInput(ToolInput):
    query: str = Field(min_length=1, max_length=2000, description="The question.")
    provider: str | None = Field(None, description="exa.")


class AnswerCitation(OutputPart):
    title: str | None = None
    url: str
    published_date: str | None = None
    author: str | None = None


class AnswerOutput(ToolOutput):
    answer: str
    citations: list[AnswerCitation]
    provider: str
    cost_usd: float | None = None
    trust: str

    @property
    def is_empty(self) -> bool:
        return not self.answer

    def found_sources(self) -> list[FoundSource]:
        return [FoundSource(url=c.url, title=c.title or "", type="web", date=c.published_date) for c in self.citations]


async def run(input: AnswerInput, call: Call, lookup: Lookup) -> AnswerOutput:
    query = AnswerQuery(text=input.query)
    looked = await lookup.ask(Kind.ANSWERS, query, provider=input.provider, deadline=call.deadline, trace=call.trace)
    answered: WrittenAnswer = looked.found
    return AnswerOutput(
        answer=answered.text,
        citations=[AnswerCitation.from_record(page) for page in answered.citations],
        provider=looked.provider,
        cost_usd=answered.cost,
        trust=UNTRUSTED,
    )


TOOL = Tool(
    name="answer",
    title="Answer with citations",
    description=("A written answer (Exa, paid) with the pages it relied on. Not checked here: verify its citations."),
    input=AnswerInput,
    output=AnswerOutput,
    run=run,
    toolset="answers",
    order=150,
    label="answer",
    cache=3600,
    when=("EXA_API_KEY",),
)
