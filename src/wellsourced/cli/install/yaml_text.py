"""One entry of a mapping at the top of a YAML file set or removed, the rest left as it is.

An entry is written on one line in YAML's flow style, which is JSON. Files in a layout that cannot be edited by lines
are refused: a whole YAML parser would be too much for one client.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from wellsourced.cli.install.json_text import NotEditable


def set_entry(text: str, path: Sequence[str], name: str, entry: Mapping[str, Any]) -> str:
    lines = remove_entry(text, path, name).splitlines(keepends=True)
    place, indent = holder(lines, path[0])
    own = f"{indent}{name}: {json.dumps(entry, ensure_ascii=False)}\n"
    if place is None:
        if lines and not lines[-1].endswith("\n"):
            lines[-1] += "\n"
        return "".join([*lines, f"{path[0]}:\n", own])
    lines[place] = f"{path[0]}:\n" if lines[place].rstrip().endswith("{}") else lines[place]
    return "".join([*lines[: place + 1], own, *lines[place + 1 :]])


def remove_entry(text: str, path: Sequence[str], name: str) -> str:
    lines = text.splitlines(keepends=True)
    place, indent = holder(lines, path[0])
    if place is None:
        return text
    for number in range(place + 1, len(lines)):
        if is_content(lines[number]) and not lines[number].startswith(indent):
            break
        if re.match(rf"{indent}(?:{name}|\"{name}\"|'{name}'):", lines[number]):
            end = number + 1
            while end < len(lines) and lines[end].startswith(indent + " "):
                end += 1
            return "".join(lines[:number] + lines[end:])
    return text


def holder(lines: Sequence[str], key: str) -> tuple[int | None, str]:
    """The line of the mapping and the indent of its entries."""
    if any("\t" in line[: len(line) - len(line.lstrip())] for line in lines):
        raise NotEditable("is indented with tabs, which YAML does not allow")
    places = [number for number, line in enumerate(lines) if re.match(rf"{key}\s*:", line)]
    if not places:
        if any(line.startswith(("{", "[")) for line in lines):
            raise NotEditable("is written in a form that cannot be edited by lines")
        return None, "  "
    value = lines[places[0]].partition(":")[2].partition(" #")[0].strip()
    if len(places) > 1 or value not in ("", "{}"):
        raise NotEditable(f"has {key} in a form that cannot be edited by lines")
    following = next((line for line in lines[places[0] + 1 :] if is_content(line)), "")
    indent = following[: len(following) - len(following.lstrip())]
    return places[0], indent or "  "


def is_content(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def parse(text: str) -> object:
    """What must stay the same when an entry is added and taken out again: the lines."""
    return [line.rstrip() for line in text.splitlines() if line.strip()]
