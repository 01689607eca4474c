"""A thing in the world with the identifiers that other databases know it by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityQuery:
    """`holding` are the schemes of which one must be there, such as `CIK` for a company that files with SEC."""

    name: str
    language: str = "en"
    count: int = 5
    holding: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """`identifiers` by scheme (ORCID, LEI, CIK, ISSN, RxCUI …); `aliases` are its other names."""

    id: str
    label: str
    url: str
    description: str = ""
    aliases: tuple[str, ...] = ()
    identifiers: Mapping[str, str] = field(default_factory=dict)
    website: str | None = None
