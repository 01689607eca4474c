"""Questions for search engines and what they find."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from datetime import date, datetime
from itertools import islice
from typing import Generic, Literal, TypeVar, overload

from wellsourced.late_dataclass import dataclass

T = TypeVar("T")

TimeRange = Literal["hour", "day", "week", "month", "year"]
SafeSearch = Literal["off", "medium", "high"]
NOTHING = frozenset[str]()
BEGINNING = date(1990, 1, 1)  # of the web; engines want both ends of a window


@dataclass(frozen=True, slots=True, kw_only=True)
class WebQuery:
    """`sites` holds hosts, each with an optional path; several mean any of them. The days are both included."""

    text: str
    count: int = 5
    time_range: TimeRange | None = None
    date_from: date | None = None
    date_to: date | None = None
    safe: SafeSearch = "medium"
    language: str | None = None
    country: str | None = None
    sites: tuple[str, ...] = ()
    exact_terms: str | None = None
    exclude_terms: str | None = None
    goggle: str | None = None
    engine_id: str | None = None

    @property
    def hour_unsent(self) -> frozenset[str]:
        """The filter that an engine whose shortest range is a day leaves to whoever looks at the dates."""
        return frozenset({"time_range"}) if self.time_range == "hour" else NOTHING

    @property
    def days_unsent(self) -> frozenset[str]:
        """The days, for an engine that knows no such window."""
        if not self.date_from and not self.date_to:
            return NOTHING
        return frozenset(name for name in ("date_from", "date_to") if getattr(self, name))

    def days(self, today: date) -> tuple[date, date] | None:
        """Both ends where one was given; an open end is the beginning of the web, or today."""
        if not self.date_from and not self.date_to:
            return None
        return self.date_from or BEGINNING, self.date_to or max(today, self.date_from or today)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsQuery(WebQuery):
    sort_by: Literal["relevance", "date"] = "relevance"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageQuery(WebQuery):
    size: str | None = None
    type: str | None = None
    color_type: str | None = None
    dominant_color: str | None = None
    file_type: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One web result. `published_at` is aware and in UTC, or None when the engine did not say."""

    title: str
    url: str
    snippet: str = ""
    published_at: datetime | None = None
    extra_snippets: tuple[str, ...] = ()
    engagement: dict[str, int] | None = None
    engines: tuple[str, ...] = ()

    def as_article(self, source: str) -> Article:
        """The same result as an article of the outlet `source`."""
        return Article(
            title=self.title,
            url=self.url,
            source=source,
            snippet=self.snippet,
            published_at=self.published_at,
            extra_snippets=self.extra_snippets,
            engines=self.engines,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """One result of a news search; `source` names the outlet."""

    title: str
    url: str
    source: str
    snippet: str = ""
    published_at: datetime | None = None
    extra_snippets: tuple[str, ...] = ()
    engines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """`link` is the picture itself, `context_link` the page it stands on; `credit` is whom its licence wants named."""

    title: str
    link: str
    thumbnail_link: str | None = None
    context_link: str | None = None
    width: int | None = None
    height: int | None = None
    file_size: int | None = None
    licence: str | None = None
    credit: str | None = None
    engines: tuple[str, ...] = ()


class LateItems(Sequence[T]):
    """Items that are read when somebody looks at them: some engines send many times what is wanted of them."""

    def __init__(self, items: Iterator[T]) -> None:
        self._unread = items
        self._read: list[T] = []

    def __iter__(self) -> Iterator[T]:
        place = 0
        while place < len(self._read) or self._read_next():
            yield self._read[place]
            place += 1

    def _read_next(self) -> bool:
        for item in self._unread:
            self._read.append(item)
            return True
        return False

    def __bool__(self) -> bool:
        return bool(self._read) or self._read_next()

    def __len__(self) -> int:
        self._read.extend(self._unread)
        return len(self._read)

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...
    def __getitem__(self, place: int | slice) -> T | Sequence[T]:
        return tuple(self)[place]


def has_more_than(number: int, items: Sequence[object]) -> bool:
    """Without reading more of them than that takes."""
    return any(True for _ in islice(items, number, None))


@dataclass(frozen=True, slots=True)
class ResultSet(Generic[T]):
    """What a conversation with an upstream returns.

    `not_applied` names the filters (by their input names) that the upstream has no control for and that
    were therefore not sent. `notes` are facts about the answer worth mentioning, such as engines that were down.
    `total` is how many there are of what was asked for, where the upstream says or all of it was seen.
    `pause` is how many seconds the upstream wants to be left alone from now on.
    """

    items: Sequence[T]
    not_applied: frozenset[str] = frozenset()
    more_available: bool | None = None
    notes: tuple[str, ...] = field(default=())
    total: int | None = None
    pause: float = 0.0
