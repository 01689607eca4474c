"""The `search` and `fetch` tools of the connector contract: the library and the web at once, and stable ids.

An id is the library's: sixteen letters and digits that follow from the address. The addresses behind the ids of web
results are kept, so that an id still opens its page after a restart; those of documents only in the library are not,
since they may be private.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from wellsourced.errors import BadInput, NotFound, Refused, WellsourcedError
from wellsourced.evidence.source_type import classify_source
from wellsourced.identity import Identity
from wellsourced.library.library import PROVIDER_NAME, Library
from wellsourced.pages.artifact_page import is_own_address, open_artifact
from wellsourced.pages.page import Page, declared_doi
from wellsourced.search.fusion import fuse
from wellsourced.storage.library.store import DocumentWithText, document_id
from wellsourced.text.urls import host_of
from wellsourced.tool.call import Call
from wellsourced.upstream import Kind
from wellsourced.upstreams.types.search import Hit, ResultSet, WebQuery

if TYPE_CHECKING:
    from wellsourced.evidence.reputation import ReputationTable
    from wellsourced.pages.reader import Reader
    from wellsourced.search.searcher import Searcher
    from wellsourced.storage.artifacts import Artifacts
    from wellsourced.upstream_client.client import UpstreamClient

RESULTS = 10
WEB = "web"
FRESH_SECONDS = 86_400.0
INTEGRITY_SECONDS = 5.0
REGISTER = "crossref"
SCHOLARLY = "peer_reviewed"


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedDocument:
    """The document that an id stands for."""

    id: str
    title: str
    text: str
    url: str
    metadata: dict[str, str] = field(default_factory=dict)


class Connector:
    """The pair of calls that connectors make."""

    def __init__(
        self,
        *,
        library: Library,
        search: Searcher,
        reader: Reader,
        reputation: ReputationTable,
        upstreams: UpstreamClient,
        artifacts: Artifacts,
    ) -> None:
        self._library = library
        self._search = search
        self._reader = reader
        self._reputation = reputation
        self._upstreams = upstreams
        self._artifacts = artifacts

    async def find(self, query: str, call: Call) -> list[tuple[str, Hit]]:
        """Hits with their ids. Where one side fails, the other's hits are the answer; none at all is an error."""
        library = self._library
        asked = {WEB: self._web(query, call)}
        if library.is_open:
            asked[PROVIDER_NAME] = library.ask(WebQuery(text=query, count=RESULTS), call.identity)
        outcomes = dict(zip(asked, await asyncio.gather(*asked.values(), return_exceptions=True), strict=True))
        answers = {name: found for name, found in outcomes.items() if isinstance(found, ResultSet)}
        failures = [outcome for outcome in outcomes.values() if isinstance(outcome, BaseException)]
        for failure in failures:
            if not isinstance(failure, WellsourcedError) or not any(found.items for found in answers.values()):
                raise failure
        hits: list[Hit] = list(fuse(answers).items[:RESULTS])
        if not call.identity.is_recognised:  # nothing is kept that would lead from an id back to its address
            return [(hit.url, hit) for hit in hits]
        await library.remember_addresses([hit.url for hit in hits if WEB in hit.engines], call.identity)
        return [(document_id(hit.url), hit) for hit in hits]

    async def _web(self, query: str, call: Call) -> ResultSet[Hit]:
        outcome = await self._search.web(
            WebQuery(text=query, count=RESULTS), provider=None, lens=None, trace=call.trace, deadline=call.deadline
        )
        return ResultSet(outcome.items, notes=outcome.notes)

    async def fetch(self, id: str, call: Call) -> FetchedDocument:
        """The whole document: the library's copy while it is fresh, else the page, else what the library has."""
        library = self._library
        id = id.strip()
        if is_own_address(id):
            page = await open_artifact(self._artifacts, id, call.identity.owner)
            return FetchedDocument(id=id, title=page.title or id, text=page.markdown, url=id)
        is_address = id.lower().startswith(("http://", "https://"))
        kept = await _kept_copy(document_id(id) if is_address else id, call.identity, library)
        if kept and (_is_fresh(kept) or kept.about.kind == "file"):
            return self._from_library(kept, call)
        url = id if is_address else (kept.about.url if kept else await library.address_of(id, call.identity))
        if url is None:
            raise _unknown(id)
        try:
            reading = await self._reader.read(url, tenant=call.identity.tenant, deadline=call.deadline)
        except WellsourcedError as problem:
            if kept is None or isinstance(problem, Refused):
                raise
            return self._from_library(kept, call)
        call.not_kept = await library.remember(call.identity, reading)
        return await self._from_page(document_id(url), reading.page, call)

    def _from_library(self, kept: DocumentWithText, call: Call) -> FetchedDocument:
        about = kept.about
        metadata = {
            "site": about.site or host_of(about.url),
            "author": about.author,
            "date": about.date,
            "language": about.language,
            "kind": about.kind,
            "sourceType": classify_source(about.url, reputation=self._reputation).source_type,
            "retrievedAt": datetime.fromtimestamp(about.added, UTC)
            .isoformat(timespec="seconds")
            .replace("+00:00", "Z"),
        }
        return FetchedDocument(
            id=about.id, title=about.title or about.url, text=kept.text, url=about.url, metadata=_non_empty(metadata)
        )

    async def _from_page(self, id: str, page: Page, call: Call) -> FetchedDocument:
        source_type = classify_source(page.url, page.structured, reputation=self._reputation).source_type
        doi = declared_doi(page) if source_type == SCHOLARLY else None
        metadata = {
            "site": page.site or host_of(page.url),
            "author": page.author,
            "date": page.date,
            "language": page.language,
            "contentType": page.content_type,
            "sourceType": source_type,
            "doi": doi or "",
            "retraction": await self._retraction(doi, call) if doi else "",
        }
        return FetchedDocument(
            id=id, title=page.title or page.url, text=page.markdown, url=page.url, metadata=_non_empty(metadata)
        )

    async def _retraction(self, doi: str, call: Call) -> str:
        """What Crossref knows against the work, where it can be asked in a moment."""
        upstreams = self._upstreams
        if not upstreams.is_configured(REGISTER) or not upstreams.is_healthy(REGISTER):
            return ""
        limit = min(call.deadline, time.monotonic() + INTEGRITY_SECONDS)
        with contextlib.suppress(WellsourcedError):
            known = await upstreams.ask(REGISTER, Kind.INTEGRITY, doi, deadline=limit)
            if known:
                return f"{known.kind}{f' ({known.date})' if known.date else ''}"
        return ""


async def _kept_copy(id: str, identity: Identity, library: Library) -> DocumentWithText | None:
    """What the library has; a library that cannot be read is no reason not to read the page."""
    try:
        return await library.fetch(id, identity)
    except WellsourcedError:
        return None


def _is_fresh(kept: DocumentWithText) -> bool:
    return time.time() - kept.about.added < FRESH_SECONDS


def _unknown(id: str) -> WellsourcedError:
    if not id:
        return BadInput("id is required: an id from search, or an address such as https://example.org/page.")
    return NotFound(
        f"No document has the id {id[:80]!r}. Give an id that search returned, or an address such as "
        "https://example.org/page."
    )


def _non_empty(fields: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in fields.items() if value}
