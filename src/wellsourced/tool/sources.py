"""The sources that a tool's answer names, as a research session records them."""

from __future__ import annotations

from dataclasses import replace

from wellsourced.late_dataclass import dataclass

LEAST_SPECIFIC = (None, "web", "news", "scraped")
"""Types that say how a source came here; any other says what it is, and wins when two records are merged."""
LESS_THAN_RETRACTED = ("correction", "expression_of_concern")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceEvidence:
    """Words of a source that bear on a claim; `link` leads to the very passage.

    `stance` is what they say of it: states it, differs from it (`differs` names how) or only comes near it; "" where
    that was not looked at.
    """

    quote: str
    claim: str = ""
    link: str = ""
    stance: str = ""
    differs: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkDetails:
    """What a citation needs besides title, people, date and DOI, as the search answer had it.

    `kind` is the CSL type where it is known; `container` is the journal, the book or the outlet; `reporter` cites a
    case by volume, reporter and page.
    """

    kind: str | None = None
    container: str | None = None
    site: str | None = None
    publisher: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    isbn: str | None = None
    number: str | None = None
    court: str | None = None
    reporter: str | None = None

    def merge_with(self, newer: WorkDetails) -> WorkDetails:
        return replace(self, **newer.known())

    def known(self) -> dict[str, str]:
        return {name: value for name in self.__slots__ if (value := getattr(self, name))}


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSource:
    """`type` is academic, patent, scraped, filing, local place, web, news and the like.

    `found_in_step` is the step whose own search found it; `after_step` the last step when another tool recorded it.
    `retraction` is the kind of the gravest notice against it, with its date where that is known.
    `standing` are sentences on how it stands beside other sources and beside its record.
    `verified` is None until its link was checked. A source with `rejected` is one that was set aside, for that reason.
    """

    url: str
    title: str = ""
    type: str | None = None
    author: str | None = None
    date: str | None = None
    doi: str | None = None
    found_in_step: int | None = None
    after_step: int | None = None
    http_status: int | None = None
    verified: bool | None = None
    archived_url: str | None = None
    verified_at: str | None = None
    retraction: str | None = None
    rejected: str | None = None
    evidence: tuple[SourceEvidence, ...] = ()
    standing: tuple[str, ...] = ()
    work: WorkDetails = WorkDetails()

    def merge_with(self, newer: FoundSource) -> FoundSource:
        """What both know: the place of finding stays, anything else that the newer one knows counts."""
        names = ("author", "date", "doi", "http_status", "verified", "archived_url", "verified_at")
        known = {name: value for name in names if (value := getattr(newer, name)) is not None}
        return replace(
            self,
            **known,
            type=max(self.type, newer.type, key=_specificity),
            title=self.title or newer.title,
            found_in_step=self.found_in_step or newer.found_in_step,
            retraction=max(newer.retraction, self.retraction, key=_gravity),
            rejected=newer.rejected or self.rejected,
            work=self.work.merge_with(newer.work),
            evidence=_latest_evidence((*self.evidence, *newer.evidence)),
            standing=tuple(dict.fromkeys((*self.standing, *newer.standing))),
        )


def _latest_evidence(every: tuple[SourceEvidence, ...]) -> tuple[SourceEvidence, ...]:
    """Each quotation once for each claim, with what was said of it last."""
    return tuple({(item.quote, item.claim): item for item in every}.values())


def _specificity(type: str | None) -> int:
    """How specific a type is: that a page was found by a search, or read, is less than what it is."""
    return LEAST_SPECIFIC.index(type) if type in LEAST_SPECIFIC else len(LEAST_SPECIFIC)


def _gravity(notice: str | None) -> int:
    """How much a notice says against a work; a retraction is not undone by a correction that is found later."""
    kind = (notice or "").partition(" ")[0]
    if kind in LESS_THAN_RETRACTED:
        return 1 + LESS_THAN_RETRACTED.index(kind)
    return 1 + len(LESS_THAN_RETRACTED) if kind else 0
