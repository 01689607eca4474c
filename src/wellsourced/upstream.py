"""What the application needs to know of an upstream, declared in the upstream's own file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, field, fields
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from wellsourced.late_dataclass import dataclass
from wellsourced.settings.setting import Setting


class Kind(StrEnum):
    """What a provider can be asked for. The value is the name of the function that asks."""

    WEB = "web"
    IMAGES = "images"
    NEWS = "news"
    PAPERS = "papers"
    CITATIONS = "citations"
    PATENTS = "patents"
    FILINGS = "filings"
    CASES = "cases"
    CASES_AT = "cases_at"
    SERIES = "series"
    TRIALS = "trials"
    PLACES = "places"
    ANSWERS = "answers"
    STRUCTURED = "structured"
    CONTENTS = "contents"
    ARCHIVE = "archive"
    RECORD = "record"
    RECORDS = "records"
    INTEGRITY = "integrity"
    OPEN_COPY = "open_copy"
    REGISTRATION = "registration"
    ENTITIES = "entities"

    @property
    def in_words(self) -> str:
        """What people call it."""
        return IN_WORDS.get(self, self.value)


IN_WORDS = {
    Kind.WEB: "web pages",
    Kind.FILINGS: "company filings",
    Kind.CASES: "court opinions",
    Kind.CASES_AT: "court opinions by their citations",
    Kind.SERIES: "economic data",
    Kind.TRIALS: "clinical trials",
    Kind.STRUCTURED: "fields out of pages",
    Kind.CONTENTS: "texts of pages",
    Kind.ARCHIVE: "archived pages",
    Kind.RECORD: "works by their ids",
    Kind.RECORDS: "works by their ids",
    Kind.INTEGRITY: "retractions",
    Kind.OPEN_COPY: "free copies",
    Kind.REGISTRATION: "registered DOIs",
    Kind.ENTITIES: "identifiers of people, companies and things",
}
"""Names of kinds that are not plain words already."""


@dataclass(frozen=True, slots=True)
class Pace:
    """At most `requests` in `seconds`; waiting calls queue."""

    requests: int
    seconds: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """One upstream API.

    `needs` must all be set for the provider to be configured, and one of `needs_one_of`; `uses` are optional extras.
    `bases` are its addresses: the one named "" is the usual one and is overridden by NAME_BASE_URL, others by
    NAME_<HOST>_BASE_URL. `base_setting` names another variable for the usual one (SEARXNG_URL).
    `preference` orders automatic choice, lowest first; keyless engines are last. One that is not `automatic` is asked
    by name, and where the general ones could not look: then for questions of the kinds in `good_at`
    (`search/question_kinds.py`). `attribution` is what its terms ask to be said beside its data.
    """

    name: str
    title: str
    bases: Mapping[str, str]
    needs: tuple[Setting, ...] = ()
    uses: tuple[Setting, ...] = ()
    needs_one_of: tuple[str, ...] = ()
    base_setting: str | None = None
    pace: Pace | None = None
    timeout: float = 10.0
    preference: int = 50
    automatic: bool = True
    about: str = ""
    known_as: str = ""
    good_at: tuple[str, ...] = ()
    attribution: str = ""

    @property
    def public_name(self) -> str:
        """The name callers use: an upstream with two interfaces is two providers to us and one to them."""
        return self.known_as or self.name

    def base_variable(self, host: str = "") -> str:
        """The environment variable that overrides one of the base addresses."""
        if not host and self.base_setting:
            return self.base_setting
        stem = f"{self.name}_{host}" if host else self.name
        return f"{stem.upper().replace('-', '_')}_BASE_URL"


SETTINGS = ("needs", "uses")


def write_declarations(declared: Iterable[tuple[str, Provider, Sequence[str]]]) -> str:
    """Modules by name with what they declare and offer, for processes that need not import them all."""
    entries = ([module, _to_json(provider), list(offers)] for module, provider, offers in declared)
    return "[\n" + ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries) + "\n]\n"


def read_declarations(path: Path) -> Iterator[tuple[str, Provider, Sequence[str]]]:
    for module, provider, offers in json.loads(path.read_bytes()):
        yield module, _from_json(provider), offers


def _to_json(provider: Provider) -> dict[str, Any]:
    declared = {each.name: getattr(provider, each.name) for each in fields(Provider)}
    for name in SETTINGS:
        declared[name] = [{slot: getattr(each, slot) for slot in Setting.__slots__} for each in declared[name]]
    return {**declared, "bases": dict(provider.bases), "pace": provider.pace and asdict(provider.pace)}


def _from_json(declared: Mapping[str, Any]) -> Provider:
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in declared.items()
    }
    for name in SETTINGS:
        values[name] = tuple(Setting(**{**each, "choices": tuple(each["choices"])}) for each in values[name])
    return Provider(**{**values, "pace": Pace(**values["pace"]) if values["pace"] else None})


@dataclass(frozen=True, slots=True)
class Access:
    """What a conversation may know of the outside: its own settings and the time."""

    values: Mapping[str, str] = field(default_factory=dict)
    now: datetime = field(default_factory=lambda: datetime.now().astimezone())

    def __getitem__(self, name: str) -> str:
        return self.values.get(name, "")

    def is_on(self, name: str) -> bool:
        return self[name].strip().lower() in {"1", "true", "yes", "on"}
