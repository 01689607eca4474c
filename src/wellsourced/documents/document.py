"""A document that is not a web page, read into markdown."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

ContentType: TypeAlias = Literal["pdf", "docx", "pptx", "xlsx", "epub", "odt", "csv", "json", "feed", "text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """`text` is markdown. `pages` counts pages, slides or sheets where the format has them.

    `date` is aware and in UTC. `notes` are sentences about what was left out or may be wrong. `truncated`
    says that the text was cut at a limit, so that more of it exists.
    """

    text: str
    content_type: ContentType
    title: str | None = None
    author: str | None = None
    date: datetime | None = None
    pages: int | None = None
    notes: tuple[str, ...] = ()
    truncated: bool = False
