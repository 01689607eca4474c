"""Regular expressions that are compiled when they are first used, for modules that the first call waits for.

A class of letters of many scripts takes milliseconds to compile, and most expressions are not used by a first call.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

METHODS = ("search", "match", "fullmatch", "sub", "subn", "findall", "finditer", "split")
KEPT = (*METHODS, "pattern", "flags", "groups", "groupindex")


class UsedPattern:
    """What a late pattern becomes: it holds the methods of the compiled one and is as fast."""


class LatePattern(UsedPattern):
    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._source: tuple[Any, int] = pattern, flags
        self.pattern = pattern

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(*self._source)
        self.__dict__.update({each: getattr(compiled, each) for each in KEPT})
        self.__class__ = UsedPattern  # type: ignore[assignment]
        return getattr(compiled, name)


def late_pattern(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    return cast("re.Pattern[AnyStr]", LatePattern(pattern, flags))
