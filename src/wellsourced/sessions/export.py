"""A research session as a document: markdown, JSON, or one HTML page that needs nothing else.

The same session gives the same document but for the stamp of its making. Checking the links is somebody else's work,
handed in as a function; what it finds is shown in the document and changes nothing in the session.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal, TypeAlias

from wellsourced.errors import WellsourcedError
from wellsourced.sessions.export_html import html_page
from wellsourced.sessions.export_markdown import markdown_report
from wellsourced.sessions.session import Session
from wellsourced.sessions.session_json import moment_text, session_json
from wellsourced.tool.sources import FoundSource

Format = Literal["markdown", "json", "html"]

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkState:
    """`alive` is None when nobody could tell."""

    alive: bool | None
    http_status: int | None = None
    archived_url: str | None = None
    checked_at: datetime | None = None


LinkCheck: TypeAlias = Callable[[Sequence[str]], Awaitable[Mapping[str, LinkState]]]
"""Looks at addresses side by side; one that is missing from the answer could not be checked."""


@dataclass(frozen=True, slots=True)
class Exported:
    document: str | dict[str, Any]
    at: datetime


async def export(
    session: Session, format: Format, check_links: LinkCheck | None = None, now: datetime | None = None
) -> Exported:
    at = now or datetime.now(UTC).replace(microsecond=0)
    if check_links is not None:
        session = await _checked(session, check_links)
    match format:
        case "json":
            return Exported(session_json(session), at)
        case "html":
            return Exported(html_page(session, at), at)
        case _:
            return Exported(markdown_report(session, at), at)


async def _checked(session: Session, check_links: LinkCheck) -> Session:
    """Sources with what the check found; where it fails as a whole they stay unchecked."""
    try:
        states = await check_links(list(dict.fromkeys(source.url for source in session.sources)))
    except WellsourcedError as problem:
        logger.warning("Links could not be checked: %s", problem)
        return session
    return replace(session, sources=tuple(_with_state(source, states.get(source.url)) for source in session.sources))


def _with_state(source: FoundSource, state: LinkState | None) -> FoundSource:
    if state is None:
        return source
    return replace(
        source,
        verified=state.alive if state.alive is not None else source.verified,
        http_status=state.http_status or source.http_status,
        archived_url=state.archived_url or source.archived_url,
        verified_at=moment_text(state.checked_at) if state.checked_at else source.verified_at,
    )
