"""A document that is not a web page, read into markdown, and what a format declares about itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from wellsourced.errors import ContentEmpty
from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern

HTML_START = late_pattern(
    r"(?i)(?:\s|(?><!--.{0,400}?-->)|(?><\?xml.{0,200}?\?>))*+<(?:!doctype\s+html|html|head|body)\b", re.S
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """`text` is markdown. `pages` counts pages, slides or sheets where the format has them.

    `date` is aware and in UTC. `notes` are sentences about what was left out or may be wrong. `truncated`
    says that the text was cut at a limit, so that more of it exists. `word_count` is -1 until they are counted.
    """

    text: str
    content_type: str
    title: str | None = None
    author: str | None = None
    date: datetime | None = None
    pages: int | None = None
    notes: tuple[str, ...] = ()
    truncated: bool = False
    word_count: int = -1


class Unreadable(ContentEmpty):
    """The failure of a document that arrived whole and cannot be turned into text.

    Fetching the same bytes again would end the same way, so there is nothing to retry.
    """

    retryable = False
    action = "inform_user"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How much of a document is read, and which character set its response declared."""

    max_chars: int
    seconds: float = 20.0
    charset: str = ""


class TextStart(NamedTuple):
    """The beginning of a textual body, decoded, with the declared media type and the extension of its address."""

    text: str
    media_type: str
    extension: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFormat:
    """How bodies of a format are recognised; `kind` is also the name of its module.

    A zip container belongs to a format by all of its `zip_members`, by the most members in its `zip_folder`, or by
    one of its `media_types` in the container's `mimetype` member. Where the bytes say nothing, `extensions` and
    `media_types` (parts of the declared type) decide. `is_binary` means that a textual body under such an extension
    is a mistake. `is_markup` formats are asked before a body is taken for HTML; of one that begins as HTML, only
    those with `is_page`, by its bytes.
    """

    kind: str
    extensions: tuple[str, ...] = ()
    media_types: tuple[str, ...] = ()
    is_binary: bool = False
    is_markup: bool = False
    is_page: bool = False
    zip_folder: bytes = b""
    zip_members: tuple[bytes, ...] = ()
    matches_bytes: Callable[[bytes], bool] | None = None
    matches_text: Callable[[TextStart], bool] | None = None

    @property
    def is_zip(self) -> bool:
        return bool(self.zip_folder or self.zip_members)

    def is_named_by(self, media_type: str, extension: str) -> bool:
        return extension in self.extensions or any(part in media_type for part in self.media_types)
