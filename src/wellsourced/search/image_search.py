"""image_search: find pictures and the pages they stand on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from wellsourced.text.urls import display_host
from wellsourced.tool.arguments import Country, Language, Words
from wellsourced.tool.base import UNTRUSTED, OutputPart, Tool, ToolInput
from wellsourced.tool.call import Call
from wellsourced.tool.hints import Hints, filled, routed_hints
from wellsourced.tool.listing import Listing
from wellsourced.upstream import Kind
from wellsourced.upstreams.types.search import Image, ImageQuery

if TYPE_CHECKING:
    from wellsourced.search.searcher import Search
    from wellsourced.upstream_client.provider_choice import ProviderChoice

Size = Literal["huge", "icon", "large", "medium", "small", "xlarge", "xxlarge"]
Type = Literal["clipart", "face", "lineart", "stock", "photo", "animated"]
Colour = Literal[
    "black", "blue", "brown", "gray", "green", "orange", "pink", "purple", "red", "teal", "white", "yellow"
]


class ImageSearchInput(ToolInput):
    query: Words = Field(description="Words.")
    num_results: int = Field(5, ge=1, le=200, description="How many.")
    size: Size | None = Field(None, description="Image size.")
    type: Type | None = Field(None, description="Kind of image.")
    color_type: Literal["color", "gray", "mono", "trans"] | None = Field(None, description="Colour treatment.")
    dominant_color: Colour | None = Field(None, description="Main colour.")
    file_type: Literal["jpg", "gif", "png", "bmp", "svg", "webp"] | None = Field(None, description="File format.")
    safe: Literal["off", "medium", "high"] = Field("medium", description="Safe search.")
    country: Country | None = Field(None, description="ISO 3166-1.")
    language: Language | None = Field(None, description="ISO 639-1.")
    lens: str | None = Field(None, description="Named domain set.")
    provider: str | None = Field(None, description="One engine; 'all' merges.")
    session_id: str | None = Field(None, alias="sessionId", description="Session.")


class ImageResult(OutputPart):
    title: str
    link: str
    display_link: str
    thumbnail_link: str | None = None
    context_link: str | None = None
    width: int | None = None
    height: int | None = None
    file_size: str | None = None
    engines: list[str] | None = None


class ImageSearchOutput(Listing):
    images: list[ImageResult]
    filters_not_applied: list[str] | None = None


async def run(input: ImageSearchInput, call: Call, search: Search, providers: ProviderChoice) -> ImageSearchOutput:
    outcome = await search.images(
        image_query(input), provider=input.provider, lens=input.lens, trace=call.trace, deadline=call.deadline
    )
    images = [result(image) for image in outcome.items]
    return ImageSearchOutput(
        images=images,
        query=input.query,
        result_count=len(images),
        filters_not_applied=list(outcome.filters_not_applied) or None,
        notes=list(outcome.notes) or None,
        hints=None if images else zero_result_hints(input, call, providers),
        trust=UNTRUSTED,
    )


def image_query(input: ImageSearchInput) -> ImageQuery:
    return ImageQuery(
        text=input.query,
        count=input.num_results,
        safe=input.safe,
        language=input.language,
        country=input.country,
        size=input.size,
        type=input.type,
        color_type=input.color_type,
        dominant_color=input.dominant_color,
        file_type=input.file_type,
    )


def result(image: Image) -> ImageResult:
    return ImageResult(
        title=image.title,
        link=image.link,
        display_link=display_host(image.context_link or image.link),
        thumbnail_link=image.thumbnail_link,
        context_link=image.context_link,
        width=image.width,
        height=image.height,
        file_size=str(image.file_size) if image.file_size else None,
        engines=list(image.engines) or None,
    )


def zero_result_hints(input: ImageSearchInput, call: Call, providers: ProviderChoice) -> Hints:
    filters = filled(input, "lens", "size", "type", "color_type", "dominant_color", "file_type", "country", "language")
    return routed_hints(call, providers, Kind.IMAGES, filters)


TOOL = Tool(
    name="image_search",
    title="Image search",
    description=("Search for images, with size and page. Check the page before reusing one."),
    input=ImageSearchInput,
    output=ImageSearchOutput,
    run=run,
    toolset="core",
    order=40,
    label="image search",
    cache=1800,
    routed=True,
)
