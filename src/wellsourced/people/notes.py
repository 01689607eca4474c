"""Checks notes that callers send, and limits how many of them one answer holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from wellsourced.errors import BadInput
from wellsourced.people.types import Contribution, Memory
from wellsourced.text.urls import is_web_url

T = TypeVar("T", Memory, Contribution)

LONGEST_NOTE = 64 * 1024
LONGEST_NAME = 200
LONGEST_URL = 4096
LONGEST_TAG = 100
MOST_TAGS = 50
MOST_ANSWERED = 1024 * 1024


@dataclass(frozen=True, slots=True)
class CheckedNote:
    note: str
    url: str | None = None
    tags: list[str] | None = None


def check_note(note: str, url: str | None, tags: Sequence[str] | None) -> CheckedNote:
    note, url = note.strip(), (url or "").strip()
    size = len(note.encode())
    if not note:
        raise BadInput("note is required and must not be blank.")
    if size > LONGEST_NOTE:
        raise BadInput(f"note must be {LONGEST_NOTE} bytes of UTF-8 (64 KB) or less; this one has {size}.")
    if len(url) > LONGEST_URL:
        raise BadInput(f"url must be {LONGEST_URL} characters or less.")
    if url and not is_web_url(url):
        raise BadInput(f"url must be a web address such as https://example.org/page; got {url[:40]!r}.")
    kept = list(dict.fromkeys(tag.strip() for tag in tags or () if tag.strip()))
    if len(kept) > MOST_TAGS or any(len(tag) > LONGEST_TAG for tag in kept):
        raise BadInput(f"tags must be {MOST_TAGS} or fewer, each of {LONGEST_TAG} characters or less.")
    return CheckedNote(note, url or None, kept or None)


def normalize_name(what: str, given: str | None) -> str:
    """The name of a topic or a workspace in one spelling."""
    text = " ".join((given or "").split())
    if len(text) > LONGEST_NAME:
        raise BadInput(f"{what} must be {LONGEST_NAME} characters or less.")
    return text


@dataclass(slots=True)
class BoundedNotes(Generic[T]):
    """Entries until the answer would be too large; `is_full` says that some were left out."""

    entries: list[T] = field(default_factory=list)
    bytes_left: int = MOST_ANSWERED
    is_full: bool = False

    def take(self, entry: T) -> bool:
        self.bytes_left -= len(entry.note.encode())
        self.is_full = self.is_full or self.bytes_left < 0
        if not self.is_full:
            self.entries.append(entry)
        return not self.is_full

    @property
    def reason(self) -> str | None:
        if not self.is_full:
            return None
        return f"Only the first {len(self.entries)} are shown: with more the answer would be larger than 1 MB."
