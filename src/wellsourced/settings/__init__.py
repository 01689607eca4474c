"""The environment, read in one place.

Every variable is declared: in `variables.py` for the house, in a provider's own file for the provider. A value that
cannot be read is reported by name together with what is accepted; its default stands in until it is mended.
This module is on the fast-start path and imports nothing that costs time.
"""

from __future__ import annotations

import os

from wellsourced.settings.ignored_variables import WITHOUT_EFFECT
from wellsourced.settings.variable import Setting
from wellsourced.settings.variables import HOUSE

TYPE_CHECKING = False  # importing `typing` costs more than this whole module; type checkers know the name
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off", ""}
DURATION_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
LONGEST_DURATION = 36_500 * 86_400.0
LONGEST_SHOWN = 100

ACCEPTS = {
    "flag": "true or false",
    "duration": "a duration such as 30s, 5m or 1h30m",
    "key": "64 hexadecimal digits",
    "url": "an http:// or https:// address",
}


class Settings:
    """Parsed values by variable name, and a list of what could not be read."""

    def __init__(self, environ: Mapping[str, str], declared: Iterable[Setting] = HOUSE) -> None:
        self._values: dict[str, object] = {}
        self._raw: dict[str, str] = {}
        self.problems: list[str] = []
        for setting in declared:
            self._read(setting, environ.get(setting.name, "") or environ.get(setting.former, ""))

    def _read(self, setting: Setting, raw: str) -> None:
        text = plain(raw)
        try:
            value = parse(setting, text or setting.default)
            check_size(setting, value)
        except ValueError:
            shown = "the value given" if setting.secret else repr(text[:LONGEST_SHOWN])
            self.problems.append(f"{setting.name}: {shown} is not understood; it accepts {accepted(setting)}.")
            text, value = "", parse(setting, setting.default)
        self._raw[setting.name] = text
        self._values[setting.name] = value

    def is_set(self, name: str) -> bool:
        return bool(self._raw.get(name))

    def text(self, name: str) -> str:
        return str(self._values[name])

    def flag(self, name: str) -> bool:
        return self._values[name] is True

    def count(self, name: str) -> int:
        value = self._values[name]
        assert isinstance(value, int)
        return value

    def seconds(self, name: str) -> float:
        value = self._values[name]
        assert isinstance(value, float)
        return value

    def names(self, name: str) -> tuple[str, ...]:
        value = self._values[name]
        assert isinstance(value, tuple)
        return value


def from_environment(declared: Iterable[Setting] = HOUSE) -> Settings:
    return Settings(os.environ, declared)


def environment_variable(name: str) -> str:
    """A single raw variable, for the fast start, which cannot wait for the providers' declarations."""
    return plain(os.environ.get(name, ""))


def without_effect() -> list[str]:
    """What is set and nobody reads, so that whoever comes from another server is not left waiting for it."""
    return [f"{name} has no effect: {why}." for name, why in WITHOUT_EFFECT.items() if environment_variable(name)]


def plain(raw: str) -> str:
    """A value without blanks around it, nor quotes, which not every reader of env files takes away."""
    text = raw.strip()
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" and text[0] not in text[1:-1]
    return text[1:-1].strip() if is_quoted else text


def accepted(setting: Setting) -> str:
    if setting.choices:
        return " or ".join(setting.choices)
    if setting.kind != "count":
        return ACCEPTS[setting.kind] + (", more than 0" if setting.positive else "")
    return f"a whole number, {int(setting.positive)} {'or more' if setting.most is None else f'to {setting.most}'}"


def check_size(setting: Setting, value: object) -> None:
    """Raises ValueError for a number that is too small or too large."""
    is_none = setting.positive and not value
    if is_none or (setting.most is not None and isinstance(value, int) and value > setting.most):
        raise ValueError(setting.name)


def is_on(text: str) -> bool:
    """Whether a variable counts as switched on: anything but empty and the words for no."""
    return text.strip().lower() not in FALSE


def parse(setting: Setting, text: str) -> object:
    """The typed value; raises ValueError when the text does not fit the setting's kind."""
    match setting.kind:
        case "flag":
            return parse_flag(text)
        case "count":
            return parse_count(text)
        case "duration":
            return parse_duration(text)
        case "list":
            return tuple(part.strip() for part in text.split(",") if part.strip())
        case "choice":
            return parse_choice(text, setting.choices)
        case "key":
            return parse_key(text)
        case "url":
            return parse_url(text)
        case "path":
            return os.path.expanduser(text)  # noqa: PTH111 - pathlib costs more than this whole module
        case _:
            return text


def parse_flag(text: str) -> bool:
    word = text.lower()
    if word in TRUE or word in FALSE:
        return word in TRUE
    raise ValueError(text)


def parse_count(text: str) -> int:
    if not text.isdecimal():
        raise ValueError(text)
    return int(text)


def parse_duration(text: str) -> float:
    """Go's spelling (`1h30m`, `250ms`), days (`90d`), or plain seconds, as older versions took them."""
    if text.replace(".", "", 1).isdigit():
        return bounded(float(text))
    total, number, rest = 0.0, "", text
    while rest:
        if rest[0].isdigit() or rest[0] == ".":
            number, rest = number + rest[0], rest[1:]
            continue
        unit = "ms" if rest.startswith("ms") else rest[0]
        if unit not in DURATION_UNITS or not number:
            raise ValueError(text)
        total += float(number) * DURATION_UNITS[unit]
        number, rest = "", rest[len(unit) :]
    if number or not text:
        raise ValueError(text)
    return bounded(total)


def bounded(seconds: float) -> float:
    """A century at most: beyond it no clock and no database can count."""
    if seconds > LONGEST_DURATION:
        raise ValueError("too long")
    return seconds


def parse_choice(text: str, choices: tuple[str, ...]) -> str:
    if text.lower() not in choices:
        raise ValueError(text)
    return text.lower()


def parse_key(text: str) -> str:
    if text and (len(text) != 64 or not all(c in "0123456789abcdefABCDEF" for c in text)):
        raise ValueError("not a key")
    return text.lower()


def parse_url(text: str) -> str:
    if text and not text.startswith(("http://", "https://")):
        raise ValueError(text)
    return text.rstrip("/")
