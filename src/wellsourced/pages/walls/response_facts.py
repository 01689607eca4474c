"""What came back for an address, and what can be seen of it at a glance: title, headings, words, forms."""

from __future__ import annotations

import html as entities
import re
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern
from wellsourced.pages.walls import signs
from wellsourced.text.plain_text import strip_markup

TEASER = 120
NOTE = 25
FEWEST_OWN = 12
MARKUP_LENGTH = 48 * 1024
SMALL_MARKUP = 8 * 1024
HEADING_REACH = 256 * 1024
SPEECH_LENGTH = 6000
OPENING_LENGTH = 700
MOST_HEADINGS = 3

TITLE_PARTS = late_pattern(r"(?<!\s)\s+[-–—|·•»«‹›/]+\s+|[|｜•»«]")
FORM_TARGET = late_pattern(r"<form\b[^<>]{0,600}?\baction\s*=\s*[\"']?([^\"'\s>]{1,600})")
SENTENCE_END = late_pattern(r"[.!?。！？…\n]+")
NO_INDEX = late_pattern(r"<meta\b[^<>]{0,300}?noindex")
PLACEHOLDER = late_pattern(r"\{\{[^{}]{1,300}\}\}")
UNSHOWN = late_pattern(r"<(script|style|svg)\b.*?(?:</\1|\Z)", re.S)
MACHINERY = late_pattern(r"<script\b.*?(?:</script|\Z)|<[^<>]{1,2000}>", re.S)
HIDDEN_PART = late_pattern(
    r"<(div|section|aside|dialog|form)\b(?=[^<>]{0,600}?(?:\shidden[\s>=]|display\s*:\s*none))[^<>]{0,1200}>"
)
TAG = late_pattern(r"<[^<>]{1,2000}>")


@dataclass(frozen=True)
class FetchedResponse:
    """What came back for an address. `text` is the content found in it, `words` how much that is.

    `url` is where the request ended, `requested_url` where it began. Header names are lower-case. `is_rendered` says
    that the page's scripts have run: it still has the frame they filled.
    """

    status: int
    url: str
    html: str
    text: str
    words: int
    requested_url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    is_rendered: bool = False

    @cached_property
    def markup(self) -> str:
        """The start of the page: walls are small, and what makes them one stands early."""
        return self.html[:MARKUP_LENGTH].lower()

    @cached_property
    def seen(self) -> str:
        """The same without the parts that wait hidden until they are called for: on a page that shows something of
        its own, a sign-in form in a pop-up is not a login."""
        return without_hidden(self.markup) if self.words >= FEWEST_OWN else self.markup

    @cached_property
    def decoded(self) -> str:
        """The same with its entities read: some walls write every dot of an address as `&#46;`."""
        return entities.unescape(self.markup) if len(self.markup) < SMALL_MARKUP else self.markup

    @cached_property
    def machinery(self) -> str:
        """The tags and scripts without the text between them: a page may speak of a captcha and have none."""
        return " ".join(match[0] for match in MACHINERY.finditer(self.markup))

    @cached_property
    def title(self) -> str:
        return _first(self.html, "title")

    @cached_property
    def title_parts(self) -> tuple[str, ...]:
        """The title and its parts, as words alone. The site's own name is one of the parts."""
        return distinct(*TITLE_PARTS.split(self.title), self.title)

    @cached_property
    def heading(self) -> str:
        """The first heading; on a page without any of the first rank, of the second."""
        shown = [_first(markup, tag) for tag in ("h1", "h2") for markup in (self.seen, self.html[MARKUP_LENGTH:])]
        return signs.normalise_speech(next((heading for heading in shown if heading), ""))

    @property
    def headings(self) -> tuple[str, ...]:
        return distinct(*self.title_parts, self.heading)

    @cached_property
    def speech(self) -> str:
        """What the page says, as words alone; of a page with little content also what the reader left out."""
        said = signs.normalise_speech(self.text[:SPEECH_LENGTH])
        return said if self.words >= TEASER else f"{said} {self.left_out}"

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """The lines of a few words: where a page speaks for itself rather than of something."""
        lines = [*self.text[:SPEECH_LENGTH].splitlines(), *(self._shown.splitlines() if self.words < TEASER else ())]
        return tuple(said for said in distinct(*lines) if len(said.split()) <= NOTE)

    @cached_property
    def _shown(self) -> str:
        return entities.unescape(TAG.sub("\n", UNSHOWN.sub(" ", self.seen))[:SPEECH_LENGTH])

    @cached_property
    def left_out(self) -> str:
        """Everything that the page shows, also what the reader did not take."""
        return signs.normalise_speech(self._shown)

    @property
    def has_text_left_out(self) -> bool:
        """Whether the page shows much that the reader did not take, so that it is poor rather than empty."""
        return len(self.left_out.split()) > TEASER and not PLACEHOLDER.search(self.text)

    @cached_property
    def form_targets(self) -> list[str]:
        return [match[1] for match in FORM_TARGET.finditer(self.markup)][:20]

    @cached_property
    def is_unlisted(self) -> bool:
        return "noindex" in self.markup and bool(NO_INDEX.search(self.markup))

    @cached_property
    def describes_itself(self) -> bool:
        """Made to be found: walls hardly ever carry an address of their own, a description or a preview."""
        return sum(sign in self.markup for sign in signs.SELF_DESCRIPTION) > 1

    @cached_property
    def is_article_on_it(self) -> bool:
        """Whether the text says what the heading means, as a page on error 404 does and an error page does not."""
        named = [heading for heading in self.headings if heading not in signs.APOLOGIES]
        defined = [re.compile(re.escape(heading[:80]) + signs.DEFINES) for heading in named]
        return any(pattern.search(f"{sentence} ") for pattern in defined for sentence in self.opening)

    @cached_property
    def opening(self) -> tuple[str, ...]:
        """The first sentences of the text."""
        return distinct(*SENTENCE_END.split(self.text[:OPENING_LENGTH]))

    @property
    def was_led_away(self) -> bool:
        return bool(self.requested_url) and self.requested_url.split("#")[0] != self.url.split("#")[0]


def distinct(*texts: str) -> tuple[str, ...]:
    """As words alone, without repeats and without what says nothing."""
    return tuple(dict.fromkeys(said for text in texts if (said := signs.normalise_speech(text))))


def without_hidden(markup: str) -> str:
    """Lower-case markup without its hidden parts, as far as they are closed again."""
    kept, position = [], 0
    while match := HIDDEN_PART.search(markup, position):
        end = _end_of(markup, match[1], match.end())
        if not end:
            break
        kept.append(markup[position : match.start()])
        position = end
    return "".join([*kept, markup[position:]])


def _end_of(markup: str, tag: str, position: int) -> int:
    """Where an element ends that was opened just before; 0 for one that is never closed."""
    depth = 1
    for edge in re.compile(rf"<(/?){tag}\b").finditer(markup, position):
        depth += -1 if edge[1] else 1
        if not depth:
            return edge.end()
    return 0


def _first(html: str, tag: str) -> str:
    """The text of the first such element that has any; a heading may be nothing but a picture."""
    text, position = "", 0
    for _ in range(MOST_HEADINGS):
        text, position = _inside(html, tag, position)
        if text:
            break
    return text


def _inside(html: str, tag: str, position: int) -> tuple[str, int]:
    """The text of the next such element, and where to look on. Tags are written in small or in capital letters."""
    starts = [place for name in (tag, tag.upper()) if (place := html.find(f"<{name}", position, HEADING_REACH)) >= 0]
    opened = html.find(">", min(starts), min(starts) + 600) if starts else -1
    if opened < 0:
        return "", HEADING_REACH
    content = html[opened + 1 : opened + 1500]
    end = content.lower().find(f"</{tag}")
    return strip_markup(content[: end if end >= 0 else 300])[:300], opened + 1 + max(end, 0)
