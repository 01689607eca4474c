"""Wikidata as the glue between databases: a name in one becomes the identifier that another one knows.

Asked only where a source does not know the name that was given, so that the caller need not be asked back; the answer
says so. It is an extra: where Wikidata cannot be asked, the source's own answer stands.
"""

from __future__ import annotations

from collections.abc import Sequence

from wellsourced.errors import WellsourcedError
from wellsourced.text.index_words import fold_text
from wellsourced.upstream import Kind
from wellsourced.upstream_client.client import UpstreamClient
from wellsourced.upstreams.types.entity import Entity, EntityQuery

WIKIDATA = "wikidata"
COMPANY = ("CIK",)
MEDICINE = ("RxCUI", "DrugBank", "ATC")
PERSON, JOURNAL = ("ORCID",), ("ISSN",)


class Entities:
    def __init__(self, upstreams: UpstreamClient) -> None:
        self._upstreams = upstreams

    async def resolve(self, name: str, holding: Sequence[str], deadline: float) -> Entity | None:
        """The one thing that goes by exactly this name and has such an identifier; None where that is not certain."""
        query = EntityQuery(name=name.strip(), holding=tuple(holding))
        try:
            found: tuple[Entity, ...] = await self._upstreams.ask(WIKIDATA, Kind.ENTITIES, query, deadline=deadline)
        except WellsourcedError:
            return None
        wanted = fold_text(query.name)
        named = [entity for entity in found if wanted in map(fold_text, (entity.label, *entity.aliases))]
        return named[0] if len(named) == 1 else None


def resolution_note(name: str, entity: Entity, used: str) -> str:
    return f"Wikidata ({entity.id}) knows {name.strip()!r} as {entity.label}; asked with {used}."
