"""Filters in Google's `tbs` notation, which the services that resell Google's result pages pass on."""

from __future__ import annotations

from datetime import date

from wellsourced.upstreams.types.search import ImageQuery, WebQuery

STEP, MOST = 10, 100  # Google's result pages come in tens, up to a hundred results
SIZES = {
    "icon": "isz:i",
    "small": "isz:s",
    "medium": "isz:m",
    "large": "isz:l",
    "xlarge": "isz:lt,islt:2mp",
    "xxlarge": "isz:lt,islt:4mp",
    "huge": "isz:lt,islt:8mp",
}
TYPES = {name: f"itp:{name}" for name in ("clipart", "face", "lineart", "photo", "animated")}
COLOR_TYPES = {"color": "ic:color", "gray": "ic:gray", "mono": "ic:gray", "trans": "ic:trans"}


def rows_to_request(count: int) -> int:
    """The count, rounded up to whole result pages."""
    return max(STEP, min(-(-count // STEP) * STEP, MOST))


def age_filter(query: WebQuery, today: date) -> list[str]:
    """`qdr:w` for results of the last week; days are written as in the United States."""
    if days := query.days(today):
        return ["cdr:1", *(f"cd_{end}:{us_date(day)}" for end, day in zip(("min", "max"), days, strict=True))]
    return [f"qdr:{query.time_range[0]}"] if query.time_range else []


def us_date(day: date) -> str:
    return f"{day.month}/{day.day}/{day.year}"


def image_filters(query: ImageQuery) -> tuple[list[str], frozenset[str]]:
    """Google's notation for each filter, and the names of those it has no word for.

    A dominant colour takes the place of the colour type, which it implies unless grey or transparent was asked for.
    """
    color = f"ic:specific,isc:{query.dominant_color}" if query.dominant_color else None
    filters = {
        "size": SIZES.get(query.size or ""),
        "type": TYPES.get(query.type or ""),
        "color_type": None if color else COLOR_TYPES.get(query.color_type or ""),
        "dominant_color": color,
        "file_type": f"ift:{query.file_type}" if query.file_type else None,
    }
    implied = {"color_type"} if color and query.color_type == "color" else set()
    missing = {name for name, value in filters.items() if getattr(query, name) and not value} - implied
    return [value for value in filters.values() if value], frozenset(missing)
