"""A cited work, as bibliographies and reference lists describe it.

`type` is a CSL 1.0.2 item type, whatever format the work was read from. Fields that a format has and this model
lacks are kept in `extra` under their CSL name where there is one, so that writing and reading again loses nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from wellsourced.late_dataclass import dataclass
from wellsourced.text.partial_dates import PartialDate

# Shared by all references without extra fields, and read-only for that reason.
NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A person in parts, or a `literal`: an organisation, or a name nobody could take apart.

    `particle` belongs to the family name and stands before it ("van", "de la"); a particle that is dropped when the
    family name stands alone is the last word of `given`, as in CSL.
    """

    family: str = ""
    given: str = ""
    particle: str = ""
    suffix: str = ""
    literal: str = ""

    @property
    def surname(self) -> str:
        """The family name with its particle, or the literal."""
        return self.literal or f"{self.particle} {self.family}".strip()

    @property
    def display(self) -> str:
        """The name in reading order."""
        return " ".join(part for part in (self.given, self.surname, self.suffix) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One entry of a bibliography. None means that the entry does not say.

    `year` is the year of `date` whenever there is a date. `pages` has an en dash in ranges; `doi` is in normal
    form. `raw` is the entry as it was written, `key` its citation key; neither says anything about the work.
    """

    type: str = "document"
    title: str | None = None
    authors: tuple[Name, ...] = ()
    editors: tuple[Name, ...] = ()
    year: int | None = None
    date: PartialDate | None = None
    container: str | None = None
    publisher: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    doi: str | None = None
    url: str | None = None
    isbn: str | None = None
    issn: str | None = None
    arxiv: str | None = None
    pmid: str | None = None
    edition: str | None = None
    place: str | None = None
    language: str | None = None
    accessed: PartialDate | None = None
    note: str | None = None
    keywords: tuple[str, ...] = ()
    key: str | None = None
    raw: str | None = None
    et_al: bool = False
    # Read out of running text, where a part may have been misread; says nothing about the work.
    is_from_text: bool = field(default=False, compare=False)
    extra: Mapping[str, str] = field(default_factory=lambda: NOTHING)

    @property
    def identifies_something(self) -> bool:
        """Whether anybody could look for the work."""
        return bool(self.title or self.authors or self.editors or self.doi or self.url or self.arxiv or self.pmid
                    or self.isbn)  # fmt: skip
