"""One environment variable: its declaration (`Setting`), and how its text becomes a typed value (`parse_value`).

Kept free of imports that cost time: the fast start reads settings before anything else is loaded.
"""

from __future__ import annotations

import os

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off", ""}
DURATION_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
# A century: beyond it neither the system's clock nor a database can count.
LONGEST_DURATION = 36_500 * 86_400.0

ACCEPTED_FORMS = {
    "flag": "true or false",
    "duration": "a duration such as 30s, 5m or 1h30m",
    "key": "64 hexadecimal digits",
    "url": "an http:// or https:// address",
}


class Setting:
    """A declared environment variable. `kind` selects its parser in `parse_value`.

    For a number or a duration, `positive` excludes 0 and `most` is the largest value allowed. `former` is an older
    name that is still read.
    """

    # A plain class: importing `dataclasses` alone would double the time this package takes to load.
    __slots__ = ("choices", "default", "former", "help", "kind", "most", "name", "positive", "secret")

    def __init__(
        self,
        name: str,
        help: str,
        *,
        kind: str = "text",
        default: str = "",
        choices: tuple[str, ...] = (),
        secret: bool = False,
        positive: bool = False,
        most: int | None = None,
        former: str = "",
    ) -> None:
        self.name = name
        self.help = help
        self.kind = kind
        self.default = default
        self.choices = choices
        self.secret = secret
        self.positive = positive
        self.most = most
        self.former = former


def flag(name: str, help: str, default: str = "false") -> Setting:
    return Setting(name, help, kind="flag", default=default)


def count(name: str, help: str, default: str, *, positive: bool = False, most: int | None = None) -> Setting:
    return Setting(name, help, kind="count", default=default, positive=positive, most=most)


def duration(name: str, help: str, default: str, *, positive: bool = False) -> Setting:
    return Setting(name, help, kind="duration", default=default, positive=positive)


def describe_accepted(setting: Setting) -> str:
    """What a setting accepts, to complete the sentence "it accepts …"."""
    if setting.choices:
        return " or ".join(setting.choices)
    if setting.kind != "count":
        return ACCEPTED_FORMS[setting.kind] + (", more than 0" if setting.positive else "")
    return f"a whole number, {int(setting.positive)} {'or more' if setting.most is None else f'to {setting.most}'}"


def parse_value(setting: Setting, text: str) -> object:
    """Return the typed value; raise ValueError when the text does not fit the setting's kind or bounds."""
    value = _parse_kind(setting, text)
    is_too_large = setting.most is not None and isinstance(value, int) and value > setting.most
    if is_too_large or (setting.positive and not value):
        raise ValueError(setting.name)
    return value


def _parse_kind(setting: Setting, text: str) -> object:
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
    # int() alone would also take signs, blanks and underscores.
    if not text.isdecimal():
        raise ValueError(text)
    return int(text)


def parse_duration(text: str) -> float:
    """Return seconds from Go's spelling (`1h30m`, `250ms`), from days (`90d`) or from plain seconds.

    Plain seconds are what older versions took.
    """
    seconds = float(text) if text.replace(".", "", 1).isdigit() else _parse_duration_parts(text)
    if seconds > LONGEST_DURATION:
        raise ValueError("too long")
    return seconds


def _parse_duration_parts(text: str) -> float:
    # By hand: importing `re` would cost more than the rest of this package.
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
    return total


def parse_choice(text: str, choices: tuple[str, ...]) -> str:
    if text.lower() not in choices:
        raise ValueError(text)
    return text.lower()


def parse_key(text: str) -> str:
    if text and (len(text) != 64 or not all(c in "0123456789abcdefABCDEF" for c in text)):
        raise ValueError("not a key")  # the text itself is secret
    return text.lower()


def parse_url(text: str) -> str:
    if text and not text.startswith(("http://", "https://")):
        raise ValueError(text)
    return text.rstrip("/")
