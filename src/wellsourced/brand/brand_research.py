"""brand_research: a company's brand as its own pages show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeVar

from pydantic import ConfigDict, Field, model_validator

from wellsourced.brand.colour_values import brightness
from wellsourced.brand.profile import design_tokens
from wellsourced.brand.types import BrandProfile, BrandQuestion, BrandStudy, Font, Logo, Voice
from wellsourced.text.budget import truncate_text
from wellsourced.tool.arguments import SessionId
from wellsourced.tool.base import UNTRUSTED, OutputPart, Tool, ToolInput, ToolOutput
from wellsourced.tool.call import Call
from wellsourced.tool.sources import FoundSource

if TYPE_CHECKING:
    from wellsourced.brand.research import BrandResearcher

PORTAL_BYTES = 12_000  # of the brand pages in the answer; scrape_page reads the resource from there on
SNAKE = ConfigDict(alias_generator=None)
P = TypeVar("P", bound="Part")


class BrandResearchInput(ToolInput):
    url: str | None = Field(None, max_length=2000, description="Domain or address.")
    company_name: str | None = Field(None, max_length=200, description="Finds the domain without url.")
    depth: Literal["quick", "standard", "full"] = Field(
        "standard", description="quick: homepage; standard: and brand pages; full: and web search."
    )
    include_design_tokens: bool = Field(False, description="Add design_tokens (W3C DTCG).")
    session_id: SessionId = None

    @model_validator(mode="after")
    def somebody_is_named(self) -> BrandResearchInput:
        if not (self.url or "").strip() and not (self.company_name or "").strip():
            raise ValueError("give url (a domain such as kaltura.com) or company_name.")
        return self

    @property
    def is_personal(self) -> bool:
        """The portal's text is kept for its owner, so the answer that points at it is too."""
        return True


class Part(OutputPart):
    model_config = SNAKE


class IdentityPart(Part):
    name: str | None = None
    domain: str
    tagline: str | None = None
    description: str | None = None
    industry: str | None = None
    founded: str | None = None
    location: str | None = None


class PaletteEntry(Part):
    hex: str
    name: str | None = None
    role: str | None = None
    brightness: float


class ColorsPart(Part):
    primary: str | None = None
    secondary: str | None = None
    accent: str | None = None
    background: str | None = None
    text: str | None = None
    surface: str | None = None
    text_secondary: str | None = None
    palette: list[PaletteEntry]


class LogoPart(Part):
    url: str
    format: str | None = None
    width: int | None = None
    height: int | None = None


class LogosPart(Part):
    primary: LogoPart | None = None
    dark: LogoPart | None = None
    icon: LogoPart | None = None
    favicon: str | None = None
    og_image: str | None = None


class FontPart(Part):
    family: str
    weights: list[int] | None = None
    origin: str | None = None
    origin_id: str | None = None


class TypographyPart(Part):
    heading: FontPart | None = None
    body: FontPart | None = None
    mono: FontPart | None = None
    google_fonts_url: str | None = None
    scale: dict[str, str] | None = None


class DosAndDonts(Part):
    dos: list[str]
    donts: list[str]


class TonePart(Part):
    summary: str | None = None
    attributes: list[str] | None = None
    dos_and_donts: DosAndDonts | None = None


class SocialPart(Part):
    twitter: str | None = None
    linkedin: str | None = None
    github: str | None = None
    youtube: str | None = None
    facebook: str | None = None
    instagram: str | None = None


class SourcePart(Part):
    name: str
    url: str
    fields: list[str]


class CoveragePart(Part):
    colors: str
    logos: str
    typography: str
    tone_of_voice: str


class BrandResearchOutput(ToolOutput):
    model_config = SNAKE
    identity: IdentityPart
    colors: ColorsPart
    logos: LogosPart
    typography: TypographyPart
    tone_of_voice: TonePart
    social: SocialPart
    sources: list[SourcePart]
    guidelines_url: str | None = None
    brand_portal_text: str | None = None
    brand_portal_characters: int | None = None
    brand_portal_resource: str | None = None
    suggestion: str | None = None
    design_tokens: dict[str, Any] | None = None
    coverage: CoveragePart
    cache_age: int
    trust: str

    @property
    def is_empty(self) -> bool:
        return not self.sources

    def found_sources(self) -> list[FoundSource]:
        return [
            FoundSource(url=each.url, title=self.identity.name or self.identity.domain, type="brand")
            for each in self.sources
        ]


async def run(input: BrandResearchInput, call: Call, brand_researcher: BrandResearcher) -> BrandResearchOutput:
    study = await brand_researcher.study(
        BrandQuestion(url=input.url or "", company_name=input.company_name or "", depth=input.depth),
        tenant=call.identity.tenant,
        owner=call.identity.owner,
        trace=call.trace,
        deadline=call.deadline,
    )
    return output(study, with_tokens=input.include_design_tokens)


def output(study: BrandStudy, *, with_tokens: bool) -> BrandResearchOutput:
    profile = study.profile
    return BrandResearchOutput(
        identity=IdentityPart(domain=profile.domain, **texts(profile, "identity")),
        colors=ColorsPart(
            palette=[part(PaletteEntry, each, brightness=brightness(each.hex)) for each in profile.palette],
            **texts(profile, "colors"),
        ),
        logos=logos(profile),
        typography=typography(profile),
        tone_of_voice=tone(profile),
        social=SocialPart(**texts(profile, "social")),
        sources=[SourcePart(name=each.tier, url=each.url, fields=list(each.fields)) for each in profile.contributions],
        guidelines_url=study.guidelines_url or None,
        brand_portal_text=truncate_text(study.portal_text, max_bytes=PORTAL_BYTES)[0] or None,
        brand_portal_characters=len(study.portal_text) or None,
        brand_portal_resource=study.portal_resource or None,
        suggestion=study.suggestion or None,
        design_tokens=design_tokens(profile) if with_tokens else None,
        coverage=CoveragePart(**profile.coverage),
        cache_age=0,
        trust=UNTRUSTED,
    )


def texts(profile: BrandProfile, group: str) -> dict[str, str]:
    """The plain values of a group by their own names."""
    start = f"{group}."
    named = {name.removeprefix(start): value for name, value in profile.values.items() if name.startswith(start)}
    return {name: value for name, value in named.items() if isinstance(value, str)}


def part(kind: type[P], record: object, **more: Any) -> P:
    """The fields of the same name; what is empty is unknown."""
    names = [name for name in kind.model_fields if name not in more]
    return kind(**{name: getattr(record, name) or None for name in names}, **more)


def logos(profile: BrandProfile) -> LogosPart:
    found = {name: profile.values.get(f"logos.{name}") for name in ("primary", "dark", "icon")}
    pictures: dict[str, Any] = {name: part(LogoPart, logo) for name, logo in found.items() if isinstance(logo, Logo)}
    return LogosPart(**(pictures | texts(profile, "logos")))


def typography(profile: BrandProfile) -> TypographyPart:
    found = {name: profile.values.get(f"typography.{name}") for name in ("heading", "body", "mono")}
    fonts: dict[str, Any] = {name: part(FontPart, font) for name, font in found.items() if isinstance(font, Font)}
    scale = profile.values.get("typography.scale")
    return TypographyPart(
        **(fonts | texts(profile, "typography")), scale=dict(scale) if isinstance(scale, dict) else None
    )


def tone(profile: BrandProfile) -> TonePart:
    found = profile.values.get("tone_of_voice")
    if not isinstance(found, Voice):
        return TonePart()
    rules = DosAndDonts(dos=list(found.dos), donts=list(found.donts)) if found.dos or found.donts else None
    return part(TonePart, found, dos_and_donts=rules)


TOOL = Tool(
    name="brand_research",
    title="Brand research",
    description=(
        "A company's brand from its own pages: colours, logos, fonts, voice, profiles, design tokens, each with "
        "its page."
    ),
    input=BrandResearchInput,
    output=BrandResearchOutput,
    run=run,
    toolset="brand",
    order=300,
    cache=86400,
)
