"""What each tool can do with what is configured: who is asked, and who stands in where those cannot look.

`docs/providers.md` shows it for no key at all, `wellsourced doctor` for the settings as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from wellsourced import upstreams
from wellsourced.upstream import Kind, Provider

TOOL_KINDS: dict[str, tuple[Kind, ...]] = {
    "web_search": (Kind.WEB,),
    "image_search": (Kind.IMAGES,),
    "news_search": (Kind.NEWS,),
    "academic_search": (Kind.PAPERS,),
    "citation_graph": (Kind.CITATIONS,),
    "paper_fulltext": (Kind.OPEN_COPY, Kind.RECORD),
    "verify_citation": (Kind.RECORD, Kind.REGISTRATION, Kind.INTEGRITY, Kind.CASES_AT),
    "patent_search": (Kind.PATENTS,),
    "filing_search": (Kind.FILINGS,),
    "legal_search": (Kind.CASES,),
    "econ_search": (Kind.SERIES,),
    "clinical_search": (Kind.TRIALS,),
    "local_search": (Kind.PLACES,),
    "archive_source": (Kind.ARCHIVE,),
    "answer": (Kind.ANSWERS,),
    "structured_search": (Kind.STRUCTURED,),
}


@dataclass(frozen=True, slots=True)
class ToolSources:
    """`asked` are the titles of those asked first, `stand_ins` of those for special questions; `more` need settings."""

    tool: str
    asked: tuple[str, ...]
    stand_ins: tuple[str, ...]
    more: tuple[str, ...]

    @property
    def sentence(self) -> str:
        if not self.asked and not self.stand_ins:
            return f"nobody; set up {' or '.join(self.more)}"
        parts = [", ".join(self.asked), f"by kind of question: {', '.join(self.stand_ins)}" if self.stand_ins else ""]
        return "; ".join(filter(None, parts))


def needs_nothing(provider: Provider) -> bool:
    """Whether a provider can be asked with no setting at all."""
    return not provider.needs and not provider.needs_one_of and bool(provider.bases[""])


def tool_sources(is_ready: Callable[[Provider], bool]) -> Iterator[ToolSources]:
    for tool, kinds in TOOL_KINDS.items():
        names = dict.fromkeys(name for kind in kinds for name in upstreams.providers_offering(kind))
        providers = [upstreams.all_upstreams()[name].provider for name in names]
        ready = [provider for provider in providers if is_ready(provider)]
        yield ToolSources(
            tool,
            tuple(dict.fromkeys(provider.title for provider in ready if provider.automatic)),
            tuple(dict.fromkeys(provider.title for provider in ready if not provider.automatic)),
            tuple(dict.fromkeys(provider.title for provider in providers if provider not in ready)),
        )
