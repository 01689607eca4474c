"""image_search: find pictures and the pages they stand on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from wellsourced.text.urls import display_host
from wellsourced.tool.arguments import Country, EngineName, Language, LensName, Query, SessionId
from wellsourced.tool.base import OutputPart, Tool, ToolInput
from wellsourced.tool.call import Call
from wellsourced.tool.search_tool import (
    Hints,
    ResultList,
    build_query,
    describe_rest,
    list_fields,
    make_routed_hints,
    used_filters,
)
from wellsourced.upstream import Kind
from wellsourced.upstreams.types.search import Image, ImageQuery

if TYPE_CHECKING:
    from wellsourced.search.searcher import Searcher
    from wellsourced.upstream_client.provider_choice import ProviderChoice

Size = Literal["huge", "icon", "large", "medium", "small", "xlarge", "xxlarge"]
Type = Literal["clipart", "face", "lineart", "stock", "photo", "animated"]
Colour = Literal[
    "black", "blue", "brown", "gray", "green", "orange", "pink", "purple", "red", "teal", "white", "yellow"
]
FILTERS = ("lens", "size", "type", "color_type", "dominant_color", "file_type", "country", "language")


class ImageSearchInput(ToolInput):
    query: Query
    num_results: int = Field(5, ge=1, le=200, description="How many.")
    size: Size | None = Field(None, description="Image size.")
    type: Type | None = Field(None, description="Kind of image.")
    color_type: Literal["color", "gray", "mono", "trans"] | None = Field(None, description="Colour treatment.")
    dominant_color: Colour | None = Field(None, description="Main colour.")
    file_type: Literal["jpg", "gif", "png", "bmp", "svg", "webp"] | None = Field(None, description="File format.")
    safe: Literal["off", "medium", "high"] = Field("medium", description="Safe search.")
    country: Country | None = Field(None, description="ISO 3166-1.")
    language: Language | None = Field(None, description="ISO 639-1.")
    lens: LensName = None
    provider: EngineName = None
    session_id: SessionId = None


class ImageResult(OutputPart):
    title: str
    link: str
    display_link: str
    thumbnail_link: str | None = None
    context_link: str | None = None
    width: int | None = None
    height: int | None = None
    file_size: str | None = None
    licence: str | None = None
    credit: str | None = None
    engines: list[str] | None = None


class ImageSearchOutput(ResultList):
    images: list[ImageResult]
    filters_not_applied: list[str] | None = None


async def run(input: ImageSearchInput, call: Call, search: Searcher, providers: ProviderChoice) -> ImageSearchOutput:
    outcome = await search.images(
        build_query(ImageQuery, input, text=input.query, count=input.num_results),
        provider=input.provider,
        lens=input.lens,
        trace=call.trace,
        deadline=call.deadline,
    )
    images = [image_result(image) for image in outcome.items]
    return ImageSearchOutput(
        images=images,
        filters_not_applied=list(outcome.filters_not_applied) or None,
        **list_fields(
            input.query,
            images,
            outcome.notes,
            None if images else zero_result_hints(input, call, providers),
            describe_rest(input, len(images), more_available=call.trace.more_available),
        ),
    )


def image_result(image: Image) -> ImageResult:
    return ImageResult.from_record(
        image,
        display_link=display_host(image.context_link or image.link),
        file_size=str(image.file_size) if image.file_size else None,
    )


def zero_result_hints(input: ImageSearchInput, call: Call, providers: ProviderChoice) -> Hints:
    return make_routed_hints(call, providers, Kind.IMAGES, used_filters(input, *FILTERS))


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
