"""JSON by the parts of the standard library that are written in C, without its `json` package.

That package compiles regular expressions when it is imported, a fifth of the time from the start of this process to its
list of tools. Whatever these parts do not take, it is asked itself, so that results and errors are its own. On the
fast-start path: imports nothing that costs time.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

BLANKS = " \t\n\r"


def refuse_constant(word: str) -> None:
    """Python reads NaN and Infinity, which are not JSON; sent back, they would make our response unreadable."""
    raise ValueError(word)


class StrictJson:
    """How the scanner reads: as `json.loads` does, but for constants."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int = float, int
    parse_constant = staticmethod(refuse_constant)


try:
    from _json import encode_basestring, make_encoder, make_scanner

    scan: Callable[[str, int], tuple[Any, int]] | None = make_scanner(StrictJson)  # type: ignore[arg-type]
except (ImportError, AttributeError, TypeError):  # another Python
    scan = None


def loads(text: bytes) -> Any:
    """Strict JSON as data; ValueError or RecursionError where it is none."""
    if scan is not None:
        try:
            plain = text.decode().strip(BLANKS)
            value, end = scan(plain, 0)
            if end == len(plain):
                return value
        except (ValueError, StopIteration):
            pass
    import json

    return json.loads(text, parse_constant=refuse_constant)


def dumps(value: object) -> str:
    """Compact JSON with all characters as they are."""
    if scan is not None:
        try:
            return "".join(make_encoder({}, _refuse, encode_basestring, None, ":", ",", False, False, True)(value, 0))
        except TypeError:
            pass
    import json

    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _refuse(value: object) -> None:
    raise TypeError(type(value).__name__)
