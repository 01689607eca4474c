"""List labels as Word counts them (ECMA-376 part 1, section 17.9)."""

from __future__ import annotations

from dataclasses import field, replace

from wellsourced.documents.xml import Element, attribute, find_child, local_name
from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern

PLACEHOLDER = late_pattern(r"%([1-9])")
ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"))
ROMAN_SMALL = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


@dataclass(frozen=True)
class ListLevel:
    """One level of a list: how it counts and how the count is shown."""

    form: str = "bullet"
    pattern: str = ""
    start: int = 1


@dataclass()
class Numbering:
    """The lists of a document and how far each has counted."""

    lists: dict[str, dict[int, ListLevel]] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)
    _counts: dict[str, dict[int, int]] = field(default_factory=dict)

    def label(self, number: str, depth: int) -> str | None:
        """Count one item and give its label: None when there is no such list, "" for a bullet."""
        levels = self.lists.get(number)
        if levels is None:
            return None
        level = levels.get(depth, ListLevel())
        counts = self._counts.setdefault(self.sources.get(number, number), {})
        counts[depth] = counts.get(depth, level.start - 1) + 1
        for deeper in [key for key in counts if key > depth]:
            del counts[deeper]
        if level.form in {"bullet", "none"}:
            return ""
        return PLACEHOLDER.sub(lambda match: self._shown(levels, counts, int(match.group(1)) - 1), level.pattern)

    def _shown(self, levels: dict[int, ListLevel], counts: dict[int, int], depth: int) -> str:
        level = levels.get(depth, ListLevel("decimal"))
        return spell_number(counts.get(depth, level.start), level.form)


def read_numbering(root: Element | None) -> Numbering:
    """Read numbering.xml; `num` items point at abstract lists and may override single levels."""
    numbering = Numbering()
    abstract = _abstract_lists(
        [item for item in (root if root is not None else ()) if local_name(item) == "abstractNum"]
    )
    for item in root if root is not None else ():
        if local_name(item) == "num":
            key, source = attribute(item, "numId") or "", _value(find_child(item, "abstractNumId"), "")
            overrides = [part for part in item if local_name(part) == "lvlOverride"]
            levels = dict(abstract.get(source, {}))
            for part in overrides:
                levels |= _levels(part) | _restarted(part, levels)
            numbering.lists[key] = levels
            numbering.sources[key] = key if overrides else f"abstract {source}"
    return numbering


def _abstract_lists(items: list[Element]) -> dict[str, dict[int, ListLevel]]:
    """Levels by id. Those of a list style stand in one list, to which others point by the style's name."""
    styled = {_value(find_child(item, "styleLink"), ""): _levels(item) for item in items}
    return {
        attribute(item, "abstractNumId") or "": _levels(item)
        or styled.get(_value(find_child(item, "numStyleLink"), ""), {})
        for item in items
    }


def _restarted(override: Element, levels: dict[int, ListLevel]) -> dict[int, ListLevel]:
    depth, start = attribute(override, "ilvl") or "", _value(find_child(override, "startOverride"), "")
    if not (depth.isdecimal() and start.isdecimal()) or find_child(override, "lvl") is not None:
        return {}
    return {int(depth): replace(levels.get(int(depth), ListLevel()), start=int(start))}


def _levels(parent: Element) -> dict[int, ListLevel]:
    levels = {}
    for item in parent:
        depth = attribute(item, "ilvl") or "0"
        if local_name(item) == "lvl" and depth.isdigit():
            start = _value(find_child(item, "start"), "1")
            form, pattern = _value(find_child(item, "numFmt"), "decimal"), _value(find_child(item, "lvlText"), "")
            levels[int(depth)] = ListLevel(form, pattern, int(start) if start.isdigit() else 1)
    return levels


def _value(item: Element | None, default: str) -> str:
    return default if item is None else attribute(item, "val") or default


def spell_number(count: int, form: str) -> str:
    if form in {"lowerLetter", "upperLetter"} and 0 < count < 1000:
        letter = chr(ord("a") + (count - 1) % 26) * ((count - 1) // 26 + 1)
        return letter.upper() if form == "upperLetter" else letter
    if form in {"lowerRoman", "upperRoman"} and 0 < count < 4000:
        return _roman(count).upper() if form == "upperRoman" else _roman(count)
    return f"{count:02d}" if form == "decimalZero" else str(count)


def _roman(count: int) -> str:
    letters = ""
    for value, sign in (*ROMAN, *ROMAN_SMALL):
        letters += sign * (count // value)
        count %= value
    return letters
