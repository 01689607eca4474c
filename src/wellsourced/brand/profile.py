"""Merges all findings into one profile: for each field the most authoritative page that has it, and which it was.

Colours, fonts and voice are what guidelines are for, so a brand page comes first for them; who a brand is and
where its profiles are, its homepage knows best. Nothing is averaged and nothing is made up to fill a gap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wellsourced.brand.types import BrandProfile, Colour, Findings, Font, PageContribution, Tier, Value

MOST_COLOURS = 20
FULL_PALETTE = 3
ROLES = ("primary", "secondary", "accent", "background", "text", "surface", "text_secondary")
GUIDELINES_FIRST = ("colors.", "typography.", "tone_of_voice")
TIERS = {"homepage_meta": 0, "brand_page": 1, "web_search": 2}
COLOUR_TOKENS = {
    "brand": "colors.primary",
    "secondary": "colors.secondary",
    "accent": "colors.accent",
    "background": "colors.background",
    "text": "colors.text",
    "surface": "colors.surface",
}
FONT_TOKENS = {"heading": "typography.heading", "body": "typography.body", "mono": "typography.mono"}


def merge_findings(domain: str, findings: Sequence[Findings], *, was_blocked: bool) -> BrandProfile:
    """`was_blocked` says that a page which exists could not be read, so that what is missing may be there."""
    present = [_with_roles(each) for each in findings if each]
    chosen: dict[str, tuple[Value, Findings]] = {}
    for each in sorted(present, key=lambda one: TIERS[one.tier]):
        for name, value in each.values.items():
            if not name.startswith(GUIDELINES_FIRST):
                chosen.setdefault(name, (value, each))
    by_guidelines = sorted(present, key=lambda one: TIERS[one.tier] or 3)
    for each in by_guidelines:
        for name, value in each.values.items():
            if name.startswith(GUIDELINES_FIRST):
                chosen.setdefault(name, (value, each))
    palette = _palette(by_guidelines)
    values = {name: value for name, (value, _) in chosen.items()}
    return BrandProfile(
        domain=domain,
        values=values,
        palette=tuple(colour for colour, _ in palette),
        contributions=_contributions(present, chosen, palette),
        coverage=_coverage(values, len(palette), was_blocked),
    )


def _with_roles(findings: Findings) -> Findings:
    """The same with the first colour of each role as the value of that role."""
    roles: dict[str, Value] = {}
    for colour in findings.palette:
        if colour.role in ROLES:
            roles.setdefault(f"colors.{colour.role}", colour.hex)
    return Findings(tier=findings.tier, url=findings.url, values={**roles, **findings.values}, palette=findings.palette)


def _palette(findings: Sequence[Findings]) -> list[tuple[Colour, Findings]]:
    """Each colour once, under the first name and role it is given."""
    found: dict[str, tuple[Colour, Findings]] = {}
    for each in findings:
        for colour in each.palette:
            known, source = found.get(colour.hex, (colour, each))
            merged = Colour(hex=known.hex, name=known.name or colour.name, role=known.role or colour.role)
            found[colour.hex] = (merged, source)
    return list(found.values())[:MOST_COLOURS]


def _contributions(
    present: Sequence[Findings],
    chosen: Mapping[str, tuple[Value, Findings]],
    palette: Sequence[tuple[Colour, Findings]],
) -> tuple[PageContribution, ...]:
    fields: dict[tuple[Tier, str], list[str]] = {(each.tier, each.url): [] for each in present}
    for name, (_, source) in chosen.items():
        fields[source.tier, source.url].append(name)
    for _, source in palette:
        fields[source.tier, source.url].append("colors.palette")
    return tuple(
        PageContribution(tier=tier, url=url, fields=tuple(sorted(set(names))))
        for (tier, url), names in fields.items()
        if names
    )


def _coverage(values: Mapping[str, Value], colours: int, was_blocked: bool) -> dict[str, str]:
    nothing = "extraction_blocked" if was_blocked else "none"

    def level(full: bool, some: bool) -> str:
        return "full" if full else "partial" if some else nothing

    logos = [name for name in values if name.startswith("logos.")]
    fonts = [name for name in values if name.startswith("typography.")]
    return {
        "colors": level(colours >= FULL_PALETTE, colours > 0),
        "logos": level({"logos.primary", "logos.icon"} <= set(logos), bool(logos)),
        "typography": level({"typography.heading", "typography.body"} <= set(fonts), bool(fonts)),
        "tone_of_voice": "found" if "tone_of_voice" in values else "none",
    }


def design_tokens(profile: BrandProfile) -> dict[str, Any]:
    """The profile in the format of the W3C Design Tokens Community Group (designtokens.org).

    Groups `color` and `font`; a token exists only for what was found.
    """
    values = profile.values
    colours = {
        token: {"$type": "color", "$value": values[name]} for token, name in COLOUR_TOKENS.items() if name in values
    }
    fonts = {
        token: {"$type": "fontFamily", "$value": font.family}
        for token, name in FONT_TOKENS.items()
        if isinstance(font := values.get(name), Font)
    }
    groups = {"color": colours, "font": fonts}
    return {name: group for name, group in groups.items() if group}
