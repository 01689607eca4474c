"""Reads the environment; no other package does.

Every variable is declared: in `variables.py` for the application, in a provider's own file for the provider. A value
that cannot be read is reported by name together with what is accepted; its default is used until it is corrected.
This package is on the fast-start path and imports nothing that costs time.
"""

from __future__ import annotations

import os

from wellsourced.settings.setting import FALSE, Setting, describe_accepted, parse_value
from wellsourced.settings.variables import IGNORED_VARIABLES, VARIABLES

TYPE_CHECKING = False  # importing `typing` costs more than this whole package; type checkers know the name
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LONGEST_SHOWN = 100


class Settings:
    """Parsed values by variable name, and sentences on those that could not be parsed."""

    def __init__(self, environ: Mapping[str, str], declared: Iterable[Setting] = VARIABLES) -> None:
        self._values: dict[str, object] = {}
        self._raw: dict[str, str] = {}
        self.problems: list[str] = []
        for setting in declared:
            self._read(setting, environ.get(setting.name, "") or environ.get(setting.former, ""))

    def _read(self, setting: Setting, raw: str) -> None:
        text = strip_quotes(raw)
        try:
            value = parse_value(setting, text or setting.default)
        except ValueError:
            shown = "the value given" if setting.secret else repr(text[:LONGEST_SHOWN])
            self.problems.append(f"{setting.name}: {shown} is not understood; it accepts {describe_accepted(setting)}.")
            text, value = "", parse_value(setting, setting.default)
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


def from_environment(declared: Iterable[Setting] = VARIABLES) -> Settings:
    found, problem = with_env_file(os.environ)
    declared = tuple(declared)
    found, problems = with_keyring(found, [setting.name for setting in declared])
    settings = Settings(found, declared)
    settings.problems += [*([problem] if problem else []), *problems]
    return settings


def with_keyring(environ: Mapping[str, str], wanted: Iterable[str]) -> tuple[Mapping[str, str], list[str]]:
    """The environment, filled up from the system's keyring with those wanted that KEYRING names; and what is wrong."""
    listed = keyring_names(environ)
    names = [name for name in wanted if name in listed and not environ.get(name, "").strip()]
    if not names:
        return environ, []
    from wellsourced.settings.keyring_keys import read_keys

    found, problems = read_keys(names)
    return {**environ, **found}, problems


def keyring_names(environ: Mapping[str, str]) -> list[str]:
    return [name.strip() for name in strip_quotes(environ.get("KEYRING", "")).split(",") if name.strip()]


def with_env_file(environ: Mapping[str, str]) -> tuple[Mapping[str, str], str]:
    """The environment, filled up from the file that ENV_FILE names; and a sentence where it cannot be read."""
    name = strip_quotes(environ.get("ENV_FILE", ""))
    if not name:
        return environ, ""
    try:
        with open(os.path.expanduser(name), encoding="utf-8") as file:
            lines = [line.strip().removeprefix("export ") for line in file]
    except (OSError, UnicodeDecodeError):
        return environ, f"ENV_FILE: {name[:LONGEST_SHOWN]!r} cannot be read; it is to hold lines such as NAME=value."
    pairs = [line.partition("=") for line in lines if not line.startswith("#") and "=" in line]
    given = {key.strip(): value for key, _, value in pairs}
    return {**given, **{key: value for key, value in environ.items() if value.strip()}}, ""


def environment_variable(name: str) -> str:
    """Return one raw variable, for the fast start, which cannot wait for the providers' declarations."""
    found, _ = with_keyring(with_env_file(os.environ)[0], [name])
    return strip_quotes(found.get(name, ""))


def is_variable_on(name: str) -> bool:
    """Whether a variable is switched on; one in the keyring is, without it being looked up."""
    environ, _ = with_env_file(os.environ)
    return is_on(strip_quotes(environ.get(name, ""))) or name in keyring_names(environ)


def ignored_variables() -> list[str]:
    """Say which variables are set without effect, for people who bring them along from another server."""
    return [f"{name} has no effect: {why}." for name, why in IGNORED_VARIABLES.items() if environment_variable(name)]


def strip_quotes(raw: str) -> str:
    """Remove blanks and a pair of quotes around a value: not every reader of env files takes the quotes away."""
    text = raw.strip()
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" and text[0] not in text[1:-1]
    return text[1:-1].strip() if is_quoted else text


def is_on(text: str) -> bool:
    """Whether a variable counts as switched on: anything but empty and the words for no."""
    return text.strip().lower() not in FALSE
