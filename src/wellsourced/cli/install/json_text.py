"""One member of a JSON file set or removed, comments and layout left as they are.

Editors allow comments and commas before a closing bracket in their settings; Python's own parser does not, and writing
a parsed file again would lose them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

GAP = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
TOKEN = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null')
DEEPEST = 100
INDENT = "  "
LONGEST_INDENT = 8


class NotEditable(Exception):
    """The file is not what its name says, so nothing in it is touched. The text completes "it …"."""


@dataclass(slots=True)
class Value:
    """A value and where it stands; `members` are an object's, by key, the last of equal ones."""

    start: int
    end: int
    data: Any
    members: dict[str, Member] | None = None


@dataclass(slots=True)
class Member:
    start: int
    value: Value


@dataclass(slots=True)
class JsonText:
    """Reads a text with the position of every value."""

    text: str
    place: int = field(default=0)

    def read(self) -> Value:
        self._skip()
        value = self._value(0)
        self._skip()
        if self.place != len(self.text):
            raise self._wrong()
        return value

    def _skip(self) -> None:
        gap = GAP.match(self.text, self.place)
        self.place = gap.end() if gap else self.place

    def _wrong(self) -> NotEditable:
        line = self.text.count("\n", 0, self.place) + 1
        return NotEditable(f"is not valid JSON (line {line})")

    def _take(self, sign: str) -> bool:
        self._skip()
        if not self.text.startswith(sign, self.place):
            return False
        self.place += len(sign)
        self._skip()
        return True

    def _value(self, depth: int) -> Value:
        if depth > DEEPEST:
            raise NotEditable("is nested too deeply")
        start = self.place
        if self._take("{"):
            members = self._members(depth)
            return Value(start, self.place, {key: each.value.data for key, each in members.items()}, members)
        if self._take("["):
            return self._list(start, depth)
        token = TOKEN.match(self.text, start)
        if token is None:
            raise self._wrong()
        self.place = token.end()
        return Value(start, self.place, json.loads(token.group()))

    def _list(self, start: int, depth: int) -> Value:
        items: list[Any] = []
        while not self._take_end("]"):
            items.append(self._value(depth + 1).data)
            if not self._take(",") and not self.text.startswith("]", self.place):
                raise self._wrong()
        return Value(start, self.place, items)

    def _members(self, depth: int) -> dict[str, Member]:
        members: dict[str, Member] = {}
        while not self._take_end("}"):
            start = self.place
            key = self._value(DEEPEST)
            if not isinstance(key.data, str) or not self._take(":"):
                raise self._wrong()
            members[key.data] = Member(start, self._value(depth + 1))
            if not self._take(",") and not self.text.startswith("}", self.place):
                raise self._wrong()
        return members

    def _take_end(self, sign: str) -> bool:
        """The closing bracket; the position is right behind it, not behind the gap that follows."""
        self._skip()
        if not self.text.startswith(sign, self.place):
            return False
        self.place += len(sign)
        return True


def set_entry(text: str, path: Sequence[str], name: str, entry: dict[str, Any]) -> str:
    """The text with this entry in the object at `path`, which is made where it is missing."""
    if not text.strip("\ufeff \t\r\n"):
        return json.dumps(nested([*path, name], entry), indent=INDENT, ensure_ascii=False) + "\n"
    holder, missing = holder_of(text, path)
    if not missing and (known := (holder.members or {}).get(name)):
        new = written(entry, text, line_indent(text, known.start))
        return replaced(text, known.value.start, known.value.end, new)
    key, *below = [*missing, name]
    return with_member(text, holder, key, nested(below, entry))


def remove_entry(text: str, path: Sequence[str], name: str) -> str:
    """The text without this entry, and without the line and the comma that were there for it."""
    if not text.strip("\ufeff \t\r\n"):
        return text
    holder, missing = holder_of(text, path)
    members = holder.members or {}
    if missing or name not in members:
        return text
    member = members[name]
    before = [each.value.end for key, each in members.items() if each.start < member.start]
    after = GAP.match(text, member.value.end)
    end = after.end() if after else member.value.end
    if text.startswith(",", end) and not before:
        return replaced(text, end_of_gap(text, holder.start + 1), end_of_gap(text, end + 1), "")
    if before:
        return replaced(text, max(before), member.value.end, "")
    return replaced(text, holder.start + 1, holder.end - 1, "")


def read_entry(text: str, path: Sequence[str], name: str) -> Any:
    holder, missing = holder_of(text, path)
    found = (holder.members or {}).get(name)
    return None if missing or found is None else found.value.data


def parse(text: str) -> Any:
    return JsonText(text.removeprefix("\ufeff")).read().data


def holder_of(text: str, path: Sequence[str]) -> tuple[Value, list[str]]:
    """The innermost object of the path that exists, and the keys that do not."""
    reader = JsonText(text)
    reader.place = 1 if text.startswith("\ufeff") else 0
    value = reader.read()
    if value.members is None:
        raise NotEditable("holds no JSON object")
    for number, key in enumerate(path):
        member = (value.members or {}).get(key)
        if member is None:
            return value, list(path[number:])
        if member.value.members is None:
            raise NotEditable(f"has something else than an object in {key!r}")
        value = member.value
    return value, []


def with_member(text: str, holder: Value, key: str, data: Any) -> str:
    newline = newline_of(text)
    outer = line_indent(text, holder.start)
    inner = outer + indent_of(text)
    members = list((holder.members or {}).values())
    if members:
        own = line_indent(text, members[0].start)
        inner = own if len(own) > len(outer) else inner
    member = f"{json.dumps(key)}: {written(data, text, inner)}"
    if not members:
        return replaced(text, holder.start + 1, holder.end - 1, f"{newline}{inner}{member}{newline}{outer}")
    end = max(each.value.end for each in members)
    return replaced(text, end, end, f",{newline}{inner}{member}")


def written(data: Any, text: str, indent: str) -> str:
    """The data as it is laid out in this text, from a line with this indent on."""
    lines = json.dumps(data, indent=indent_of(text), ensure_ascii=False)
    return lines.replace("\n", newline_of(text) + indent)


def newline_of(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def indent_of(text: str) -> str:
    """What one level is indented by: as the first indented line is."""
    found = re.search(r"^[ \t]+(?=\S)", text, re.MULTILINE)
    return found.group() if found and len(found.group()) <= LONGEST_INDENT else INDENT


def line_indent(text: str, place: int) -> str:
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip())]


def nested(keys: Sequence[str], data: Any) -> Any:
    for key in reversed(keys):
        data = {key: data}
    return data


def end_of_gap(text: str, start: int) -> int:
    """Behind the blanks from here on; comments stay."""
    return start + len(text[start:]) - len(text[start:].lstrip())


def replaced(text: str, start: int, end: int, new: str) -> str:
    return text[:start] + new + text[end:]
