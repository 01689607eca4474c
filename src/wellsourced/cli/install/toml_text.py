"""One table of a TOML file set or removed, the rest left as it is."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from wellsourced.cli.install.json_text import NotEditable

HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)


def parse(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as problem:
        raise NotEditable(f"is not valid TOML ({problem})") from None


def set_entry(text: str, path: Sequence[str], name: str, entry: Mapping[str, Any]) -> str:
    parse(text)
    rest = remove_entry(text, path, name)
    gap = "" if not rest.strip() else "\n" if rest.endswith("\n") else "\n\n"
    return f"{rest}{gap}{table([*path, name], entry)}"


def remove_entry(text: str, path: Sequence[str], name: str) -> str:
    """Without the table and those below it. A blank line before it goes as well."""
    dotted = re.escape(".".join([*path, name]))
    own = re.compile(rf"^[ \t]*\[{dotted}(?:\..*)?\][ \t]*(?:#.*)?$", re.MULTILINE)
    while found := own.search(text):
        following = HEADER.search(text, found.end())
        end = following.start() if following else len(text)
        before = text[: found.start()]
        text = (before[:-1] if before.endswith("\n\n") else before) + text[end:]
    return text


def table(path: Sequence[str], entry: Mapping[str, Any]) -> str:
    """TOML's basic strings and arrays of them are written like JSON's."""
    plain = [f"{key} = {literal(value)}" for key, value in entry.items() if not isinstance(value, dict)]
    lines = [f"[{'.'.join(path)}]", *plain]
    for key, value in entry.items():
        if isinstance(value, dict):
            lines += ["", f"[{'.'.join([*path, key])}]", *(f"{name} = {literal(each)}" for name, each in value.items())]
    return "\n".join(lines) + "\n"


def literal(value: object) -> str:
    # TOML forbids a raw DEL, which JSON allows.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
