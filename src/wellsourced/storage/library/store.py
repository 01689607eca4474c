"""The library: what was read, kept and searchable in any language. One interface, two stores.

A document has an address and belongs to a tenant; a private one to one user of it. A shared one is kept without the
secrets in its addresses. Documents with the same title and text share it, within a tenant and never across. The id of a
document follows from its address alone, so that it is the same after a restart, on another machine and for another
user.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeVar

from wellsourced.identity import ANONYMOUS, DEFAULT_TENANT, Identity
from wellsourced.late_dataclass import dataclass
from wellsourced.text.address_secrets import cut_address_secrets, cut_secrets_of_addresses
from wellsourced.text.urls import canonical_url

if TYPE_CHECKING:
    from wellsourced.storage.library.index_reader import IndexReader
    from wellsourced.storage.library.segments import Conversation

T = TypeVar("T")
DocumentKind = Literal["page", "paper", "document", "file"]
RunBeside: TypeAlias = Callable[..., Awaitable[Any]]
"""Has a function of texts done outside the event loop: called with the function and its arguments."""

LONGEST_TEXT = 2_000_000
LONGEST_FIELD = 1000
LONGEST_URL = 4096
MOST_TAGS = 50
ID_BYTES = 10
SHARED = ""
"""The owner of what everybody of the tenant may see."""
UNOWNED = "\x01"
"""The owner of what was read before readers were kept: nobody sees it until it is assigned. No user has such a name."""


def document_id(url: str) -> str:
    """Sixteen letters and digits that stand for an address."""
    digest = hashlib.sha256(canonical_url(url).encode("utf-8", "replace")).digest()
    return base64.b32encode(digest[:ID_BYTES]).decode().lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDocument:
    """A document on its way in. `date` is an ISO date or ""; `url` may be a file: address."""

    url: str
    text: str
    title: str = ""
    author: str = ""
    date: str = ""
    site: str = ""
    kind: DocumentKind = "page"
    tags: tuple[str, ...] = ()
    language: str = ""
    tenant: str = DEFAULT_TENANT
    user: str = ANONYMOUS
    private: bool = False

    @property
    def id(self) -> str:
        return document_id(self.url)

    @property
    def owner(self) -> str:
        """Who alone may see it; "" for everybody of the tenant."""
        return self.user if self.private else SHARED

    def storable(self) -> NewDocument:
        """The same within bounds and without characters that no database takes; what is shared, without secrets."""
        url, text, title = (
            _clean(self.url, LONGEST_URL),
            _clean(self.text, LONGEST_TEXT),
            _clean(self.title, LONGEST_FIELD),
        )
        if not self.private:
            url, text, title = cut_address_secrets(url), cut_secrets_of_addresses(text), cut_secrets_of_addresses(title)
        return replace(
            self,
            url=canonical_url(url),
            text=text,
            title=title,
            author=_clean(self.author, LONGEST_FIELD),
            site=_clean(self.site, LONGEST_FIELD),
            date=_clean(self.date, 10),
            language=_clean(self.language, 35).lower(),
            tags=tuple(dict.fromkeys(tag for raw in self.tags[:MOST_TAGS] if (tag := normal_tag(raw)))),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryDocument:
    """A document as the library knows it, less its text. `added` is in seconds since 1970."""

    id: str
    url: str
    title: str
    author: str
    date: str
    site: str
    kind: DocumentKind
    tags: tuple[str, ...]
    language: str
    private: bool
    added: float
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentWithText:
    about: LibraryDocument
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryFilters:
    """`site` is a host, with its subdomains, and may have a path. Dates are ISO; an undated document passes none."""

    site: str = ""
    since: str = ""
    until: str = ""
    kind: str = ""
    tag: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedDocument:
    """A document that matches, best first by `score`; `sketch` tells near-copies, `packed` begins its text."""

    about: LibraryDocument
    body: int
    sketch: bytes
    score: float
    packed: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryTotals:
    """`texts` counts what is indexed: documents with the same title and text count once. `size` is bytes on disk."""

    documents: int
    texts: int
    characters: int
    size: int


class LibraryStore(Protocol):
    """What both stores do. A reader sees the documents of the tenant that are shared, and the reader's own."""

    async def add(self, entries: Sequence[NewDocument], *, durable: bool = True) -> int:
        """Add or replace; how many texts had to be indexed. With `durable`, it is on the disk on return."""

    async def hold(self, entries: Sequence[NewDocument]) -> bool:
        """Keep them so that the end of this process does not lose them; whether `index_held` has to add them yet."""

    async def index_held(self, limit: int) -> int:
        """Add some of those held, by whichever process; how many."""

    async def converse(self, ask: Callable[[IndexReader], Conversation[T]]) -> T:
        """Hold a conversation that only reads; each statement may see another moment of the store."""

    async def fetch(self, id: str, reader: Identity) -> DocumentWithText | None: ...

    async def list_documents(
        self, reader: Identity, filters: LibraryFilters, limit: int, offset: int = 0
    ) -> list[LibraryDocument]:
        """The newest first."""

    async def remove(self, id: str, reader: Identity) -> int:
        """Shared and own documents with this id."""

    async def owners(self, tenant: str) -> list[str]:
        """Who has private documents."""

    async def erase_user(self, tenant: str, user: str) -> int:
        """The user's private documents and addresses go; the shared ones stay: who added them was never kept."""

    async def erase_tenant(self, tenant: str) -> int: ...

    async def purge(self, before: float, tenant: str = "", owners: str = "") -> int:
        """Documents added before a moment; with `owners` only of a tenant's users whose names begin so."""

    async def totals(self, reader: Identity) -> LibraryTotals: ...

    async def assign_unowned(self, tenant: str | None, owner: str) -> int:
        """Give what was read before readers were kept to an owner, or share it; of one tenant, or of all."""

    async def note_addresses(self, reader: Identity, urls: Sequence[str]) -> None:
        """Keep the addresses behind ids that were handed out to a person."""

    async def address_of(self, reader: Identity, id: str) -> str | None: ...

    async def close(self) -> None: ...


def normal_tag(tag: str) -> str:
    return " ".join(_clean(tag, 100).casefold().split())


def _clean(text: str, longest: int) -> str:
    """Without what no database takes: NUL and halves of surrogate pairs."""
    kept = text[:longest].replace("\0", "")
    try:
        kept.encode()
    except UnicodeEncodeError:
        return kept.encode("utf-8", "ignore").decode()
    return kept
