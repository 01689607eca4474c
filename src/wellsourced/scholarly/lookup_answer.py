"""What is known of a question that may have no answer: found, none, or unknown, and who said so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

T = TypeVar("T")

LookupState = Literal["found", "none", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LookupAnswer(Generic[T]):
    """`sources` are the upstreams the answer rests on; `why` says what kept an unknown from being known.

    "none" is somebody's word that there is nothing. "unknown" means that nobody who could tell was reached, and proves
    nothing either way.
    """

    state: LookupState
    value: T | None = None
    sources: tuple[str, ...] = ()
    why: str | None = None

    @property
    def is_found(self) -> bool:
        return self.state == "found"

    @property
    def is_known(self) -> bool:
        return self.state != "unknown"
