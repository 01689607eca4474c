"""A chart as the table behind it (ECMA-376 part 1, section 21.2): categories down, series across."""

from __future__ import annotations

from wellsourced.documents.number_formats import shorten_number
from wellsourced.documents.xml import Element, attribute, find_child, local_name, text_of
from wellsourced.text.markdown_table import pipe_table

MOST_POINTS = 500
MOST_SERIES = 50


def chart_table(root: Element | None) -> str:
    """The cached values, which is what the chart shows; the workbook behind it is not opened."""
    if root is None:
        return ""
    series = [item for item in root.iter() if local_name(item) == "ser"][:MOST_SERIES]
    title = text_of(find_child(root, "chart", "title", "tx", "rich"))
    names = [_name(item) for item in series]
    labels = _points(find_child(series[0], "cat")) or _points(find_child(series[0], "xVal")) if series else {}
    values = [_points(find_child(item, "val")) or _points(find_child(item, "yVal")) for item in series]
    indexes = sorted({index for points in (labels, *values) for index in points})[:MOST_POINTS]
    rows = [[labels.get(index, ""), *(points.get(index, "") for points in values)] for index in indexes]
    heading = f"**Chart: {title}**" if title else "**Chart**"
    return f"{heading}\n\n{pipe_table([['', *names], *rows])}" if rows else (heading if title else "")


def _name(series: Element) -> str:
    name_element = find_child(series, "tx")
    values = [
        text_of(item) for item in (name_element.iter() if name_element is not None else ()) if local_name(item) == "v"
    ]
    return values[0] if values else ""


def _points(parent: Element | None) -> dict[int, str]:
    points: dict[int, str] = {}
    for item in parent.iter() if parent is not None else ():
        index = attribute(item, "idx") or ""
        if local_name(item) == "pt" and index.isdigit():
            points.setdefault(int(index), shorten_number(text_of(find_child(item, "v"))))
    return points
