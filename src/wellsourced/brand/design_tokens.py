"""Design tokens in the format of the W3C Design Tokens Community Group (designtokens.org), from a brand's profile."""

from __future__ import annotations

from typing import Any

from wellsourced.brand.types import Font, Profile

COLOURS = {
    "brand": "colors.primary",
    "secondary": "colors.secondary",
    "accent": "colors.accent",
    "background": "colors.background",
    "text": "colors.text",
    "surface": "colors.surface",
}
FONTS = {"heading": "typography.heading", "body": "typography.body", "mono": "typography.mono"}


def design_tokens(profile: Profile) -> dict[str, Any]:
    """Groups `color` and `font`; a token exists only for what was found."""
    values = profile.values
    colours = {token: {"$type": "color", "$value": values[name]} for token, name in COLOURS.items() if name in values}
    fonts = {
        token: {"$type": "fontFamily", "$value": font.family}
        for token, name in FONTS.items()
        if isinstance(font := values.get(name), Font)
    }
    groups = {"color": colours, "font": fonts}
    return {name: group for name, group in groups.items() if group}
