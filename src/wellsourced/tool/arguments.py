"""Arguments that several tools take, in one form: words, a country, a language, a site, a number that may be absent."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from wellsourced.tool.schema import STATE_LIMITS

COUNTRY = re.compile(r"[A-Za-z]{2}")
LANGUAGE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}")
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
SHOWN_LENGTH = 60


def check_country(text: str) -> str:
    if not COUNTRY.fullmatch(text):
        raise ValueError(f"it must be a country's two letters, such as CH; got {text[:SHOWN_LENGTH]!r}.")
    return text


def check_language(text: str) -> str:
    if not LANGUAGE.fullmatch(text):
        raise ValueError(f"it must be a language's code, such as de or pt-BR; got {text[:SHOWN_LENGTH]!r}.")
    return text


def check_site(text: str) -> str:
    if any(character.isspace() for character in text):
        raise ValueError(f"it must be one domain, such as example.org; got {text[:SHOWN_LENGTH]!r}.")
    return text


def check_day(text: str) -> str:
    if not is_day(text):
        raise ValueError(f"it must be a day as YYYY-MM-DD, e.g. 2024-07-31; got {text[:SHOWN_LENGTH]!r}.")
    return text


def is_day(text: str) -> bool:
    try:
        return bool(DAY.fullmatch(text)) and date.fromisoformat(text) is not None
    except ValueError:
        return False


def check_window(first: str | None, last: str | None) -> None:
    if first and last and first > last:
        raise ValueError(f"date_from ({first}) is after date_to ({last}); swap them.")


def day_or_none(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def none_for_zero(value: object) -> object:
    """There is neither a year nor a step 0: many clients send it for a number they leave out."""
    return None if value == 0 and not isinstance(value, bool) else value


Trimmed = Annotated[str, StringConstraints(strip_whitespace=True)]
Words = Annotated[Trimmed, Field(min_length=1, max_length=500, json_schema_extra={STATE_LIMITS: True})]
Country = Annotated[Trimmed, AfterValidator(check_country)]
Language = Annotated[Trimmed, AfterValidator(check_language)]
Day = Annotated[Trimmed, AfterValidator(check_day)]
Site = Annotated[Trimmed, AfterValidator(check_site)]

# Arguments with their description: they mean the same in every tool that takes them.
Query = Annotated[Words, Field(description="Words.")]
LensName = Annotated[str | None, Field(description="Named domain set.")]
EngineName = Annotated[str | None, Field(description="One engine; 'all' merges.")]
SessionId = Annotated[str | None, Field(alias="sessionId", description="Session.")]
