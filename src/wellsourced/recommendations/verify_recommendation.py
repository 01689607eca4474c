"""verify_recommendation: what stands behind a list of recommendations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import Field

from wellsourced.citations.link_checker import link_fields
from wellsourced.recommendations.recommendation_checker import (
    CheckedRecommendation,
    CorroborationSearch,
    RecommendedItem,
)
from wellsourced.tool.base import UNTRUSTED, OutputPart, Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call

if TYPE_CHECKING:
    from wellsourced.recommendations.recommendation_checker import RecommendationChecker

MOST = 100


class RecommendationInput(ToolInput):
    title: str = Field(min_length=1, max_length=1000, description="The recommendation.")
    url: str | None = Field(None, max_length=4000, description="Where it is recommended or sold.")
    author: str | None = Field(None, max_length=500, description="Who recommends it.")
    author_bio: str | None = Field(None, alias="authorBio", max_length=4000, description="What is said of the author.")


class VerifyRecommendationInput(ToolInput):
    recommendations: list[RecommendationInput] = Field(min_length=1, max_length=MOST, description="The list.")
    claim: str | None = Field(None, max_length=300, description="What it claims; adds searches of independent press.")
    num_corroboration_results: int = Field(
        5, alias="numCorroborationResults", ge=1, le=10, description="Results for each of these searches."
    )


class CorroborationHit(OutputPart):
    title: str
    url: str
    snippet: str


class CorroborationPart(OutputPart):
    lens: str
    query: str
    result_count: int
    agree_count: int
    disagree_count: int
    silent_count: int
    top_results: list[CorroborationHit]


class RecommendationPart(OutputPart):
    title: str
    url: str | None = None
    author: str | None = None
    self_promotion_signal: dict[str, Any] | None = None
    conflict_of_interest: dict[str, Any] | None = None
    domain_reputation: dict[str, Any] | None = None
    link_live: bool | None = None
    http_status: int | None = None
    archived_url: str | None = None
    moved_to: str | None = None
    corroboration_searches: list[CorroborationPart] | None = None
    flags: list[str]
    reasons: list[str] | None = None


class VerifyRecommendationOutput(ToolOutput):
    item_count: int
    recommendations: list[RecommendationPart]
    aggregate_flags: list[str] | None = None
    trust: str


async def run(
    input: VerifyRecommendationInput, call: Call, recommendation_checker: RecommendationChecker
) -> VerifyRecommendationOutput:
    checked_list = await recommendation_checker.audit(
        [recommended_item(item) for item in input.recommendations],
        claim=input.claim.strip() or None if input.claim else None,
        count=input.num_corroboration_results,
        deadline=call.deadline - 1,
    )
    return VerifyRecommendationOutput(
        item_count=len(checked_list.items),
        recommendations=[recommendation_part(checked) for checked in checked_list.items],
        aggregate_flags=list(checked_list.flags) or None,
        trust=UNTRUSTED,
    )


def recommended_item(item: RecommendationInput) -> RecommendedItem:
    return RecommendedItem(title=item.title, url=item.url or None, author=item.author, author_bio=item.author_bio)


def recommendation_part(checked: CheckedRecommendation) -> RecommendationPart:
    stake, promotion, known, link = checked.conflict, checked.promotion, checked.standing, checked.link
    return RecommendationPart(
        title=checked.item.title,
        url=checked.item.url,
        author=checked.item.author,
        self_promotion_signal={
            "detected": True,
            "brandDomain": promotion.brand_domain,
            "brandToken": promotion.brand_token,
            "rankPosition": promotion.rank_position,
            "confidence": promotion.confidence,
        }
        if promotion
        else None,
        conflict_of_interest={
            "detected": True,
            "conflictType": stake.stake,
            "citedEntityName": stake.entity,
            "authorAffiliation": stake.entity,
            "evidence": stake.words,
        }
        if stake
        else None,
        domain_reputation={"tier": known.tier, "note": known.note, "domain": known.domain} if known else None,
        **link_fields(link),
        corroboration_searches=[corroboration_part(search) for search in checked.searches] or None,
        flags=list(checked.flags),
        reasons=list(checked.reasons) or None,
    )


def corroboration_part(search: CorroborationSearch) -> CorroborationPart:
    return CorroborationPart(
        lens=search.lens,
        query=search.query,
        result_count=search.agreeing + search.disagreeing + search.silent,
        agree_count=search.agreeing,
        disagree_count=search.disagreeing,
        silent_count=search.silent,
        top_results=[CorroborationHit.from_record(hit) for hit in search.hits],
    )


TOOL = Tool(
    name="verify_recommendation",
    title="Verify recommendations",
    description=(
        "Look behind a ranking or listicle: authors with a stake, brands that put themselves first, standing of "
        "the sites, dead links and, with claim, what independent press says. Evidence, no verdict."
    ),
    input=VerifyRecommendationInput,
    output=VerifyRecommendationOutput,
    run=run,
    toolset="trust",
    order=250,
    label="recommendation check",
)
