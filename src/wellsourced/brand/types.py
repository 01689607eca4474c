"""What a brand shows of itself, and where each part of it was found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Depth = Literal["quick", "standard", "full"]
Tier = Literal["homepage_meta", "brand_page", "web_search"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Colour:
    """`hex` is #RRGGBB in capitals; `name` and `role` are "" where the page gives none."""

    hex: str
    name: str = ""
    role: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Logo:
    """Width and height are 0 where they are not known, and the format is ""."""

    url: str
    format: str = ""
    width: int = 0
    height: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Font:
    """`origin` is who serves the font: google_fonts, adobe_fonts, self_hosted, or "" when the page only names it."""

    family: str
    weights: tuple[int, ...] = ()
    origin: str = ""
    origin_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    summary: str = ""
    attributes: tuple[str, ...] = ()
    dos: tuple[str, ...] = ()
    donts: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.summary or self.attributes or self.dos or self.donts)


Value: TypeAlias = str | Logo | Font | Voice | Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What one page or file holds: values under the dotted names of the answer, and the colours it shows."""

    tier: Tier
    url: str
    values: Mapping[str, Value] = field(default_factory=dict)
    palette: tuple[Colour, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.values or self.palette)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageContribution:
    """The fields of an answer that come from one page."""

    tier: Tier
    url: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandProfile:
    """All findings put together: for every field the most authoritative page that has it."""

    domain: str
    values: Mapping[str, Value]
    palette: tuple[Colour, ...]
    contributions: tuple[PageContribution, ...]
    coverage: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandQuestion:
    url: str = ""
    company_name: str = ""
    depth: Depth = "standard"


@dataclass(frozen=True, slots=True, kw_only=True)
class BrandStudy:
    """`portal_text` is that of the brand pages and `portal_resource` where it is kept.

    `suggestion` is what to do about what is missing.
    """

    profile: BrandProfile
    guidelines_url: str = ""
    portal_resource: str = ""
    portal_text: str = ""
    suggestion: str = ""
