"""What a lens makes of a query, and whether it was kept to."""

from __future__ import annotations

import pytest

from wellsourced.search.lenses import Lens
from wellsourced.search.searcher import is_within_lens, split_by_lens
from wellsourced.upstream import Kind
from wellsourced.upstreams.types.search import WebQuery

BOTH = Lens("both", "", domains=("a.example", "b.example"), engine_id="0123:abc")
ENGINE = Lens("engine", "", engine_id="0123:abc")
GOGGLE = Lens("goggle", "", goggle="https://goggles.example/g")


def test_the_domains_are_asked_for_wherever_the_engine_of_the_lens_is_not() -> None:
    query = WebQuery(text="x", sites=("c.example",))
    assert [part.sites for part in split_by_lens(query, BOTH, "google")] == [()]
    assert [part.sites for part in split_by_lens(query, BOTH, None)] == [BOTH.domains]
    assert [part.sites for part in split_by_lens(query, None, None)] == [query.sites]


@pytest.mark.parametrize(
    ("lens", "kind", "used", "kept"),
    [
        (BOTH, Kind.WEB, "searxng", True),
        (ENGINE, Kind.WEB, "google", True),
        (ENGINE, Kind.WEB, "brave", False),
        (GOGGLE, Kind.WEB, "brave", True),
        (GOGGLE, Kind.WEB, "brave+exa", False),
        (GOGGLE, Kind.IMAGES, "brave", False),
        (GOGGLE, Kind.NEWS, None, False),
    ],
)
def test_a_lens_without_domains_holds_only_with_its_own_engine(
    lens: Lens, kind: Kind, used: str | None, kept: bool
) -> None:
    assert is_within_lens(lens, kind, used) is kept
