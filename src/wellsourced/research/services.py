"""The use-cases a tool can call, put together by the desk."""

from __future__ import annotations

from dataclasses import dataclass

from wellsourced.research.driver import Driver
from wellsourced.research.lenses import Lenses
from wellsourced.research.router import Router
from wellsourced.research.search import Search
from wellsourced.text.reputation import Reputation


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    driver: Driver
    router: Router
    search: Search
    lenses: Lenses
    reputation: Reputation
