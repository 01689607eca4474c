"""Pages that stand in the way of content: challenges, logins, consent pages, paywalls, soft 404s, empty shells.

No single word decides. Each kind of wall collects weighed evidence (markup only a wall has, the title, sentences,
where the forms lead, where the request was led) and must outweigh how much text the page really has: a long page is
content, whatever scripts it loads and whatever it is about. Statuses follow the usual map: 401 is a login, 402 a
paywall, 403 and 451 a block, 404 and 410 not found, 429 a limit; other failures are the caller's to name.
"""

from __future__ import annotations

import html as entities
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal
from urllib.parse import urlsplit

from wellsourced.readers import wall_signs as signs
from wellsourced.text.markup import plain

Kind = Literal["blocked", "auth", "consent", "paywall", "not_found", "shell", "rate_limited"]

LONG_PAGE = 450
SHORT_PAGE = 250
TEASER = 120
MARKUP_LENGTH = 48 * 1024
SMALL_MARKUP = 8 * 1024
HEADING_REACH = 256 * 1024
SPEECH_LENGTH = 6000
OPENING_LENGTH = 700
MOST_HEADINGS = 3
STATUS_WALLS: Mapping[int, Kind] = {
    401: "auth",
    402: "paywall",
    403: "blocked",
    404: "not_found",
    410: "not_found",
    429: "rate_limited",
    451: "blocked",
}
SENTENCES: Mapping[Kind, str] = {
    "blocked": "The site answered with a bot check or a refusal instead of the page.",
    "auth": "The site asks for a login before it shows the page.",
    "consent": "The site shows a cookie consent page instead of the content.",
    "paywall": "Only a teaser can be read; the rest of the page is for subscribers.",
    "not_found": "The site says that there is no such page.",
    "shell": "The page is an empty frame that a browser has to fill by running its scripts.",
    "rate_limited": "The site answers that it has been asked too often.",
}

TITLE_PARTS = re.compile(r"\s+[-–—|·•»«‹›/]+\s+|[|•»«]")
FORM_TARGET = re.compile(r"<form\b[^<>]{0,600}?\baction\s*=\s*[\"']?([^\"'\s>]{1,600})")
PASSWORD_FIELD = re.compile(r"<input\b[^<>]{0,600}?\btype\s*=\s*[\"']?password")
NO_INDEX = re.compile(r"<meta\b[^<>]{0,300}?noindex")
NOT_FREE = re.compile(r"isaccessibleforfree[\"']?\s*[:=]\s*[\"']?false")
PLACEHOLDER = re.compile(r"\{\{[^{}]{1,300}\}\}")
SCRIPT_HINT = re.compile(r"<script\b|as=[\"']?script|rel=[\"']?modulepreload")
EMPTY_PART = re.compile(r"<(div|section|main|span)\b[^<>]{0,400}>\s{0,200}</\1>")
UNSHOWN = re.compile(r"<(script|style|svg)\b.*?(?:</\1|\Z)", re.S)
TAG = re.compile(r"<[^<>]{1,2000}>")


@dataclass(frozen=True)
class Fetched:
    """What came back for an address. `text` is the content found in it, `words` how much that is.

    `url` is where the request ended, `requested_url` where it began. Header names are lower-case.
    """

    status: int
    url: str
    html: str
    text: str
    words: int
    requested_url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def markup(self) -> str:
        """The start of the page: walls are small, and what makes them one stands early."""
        return self.html[:MARKUP_LENGTH].lower()

    @cached_property
    def decoded(self) -> str:
        """The same with its entities read: some walls write every dot of an address as `&#46;`."""
        return entities.unescape(self.markup) if len(self.markup) < SMALL_MARKUP else self.markup

    @cached_property
    def title(self) -> str:
        return _inside(self.html, "title", 0)[0]

    @cached_property
    def headings(self) -> tuple[str, ...]:
        """The title, its parts and the first headings, as words alone. The site's own name is one of the parts."""
        found, position = [*TITLE_PARTS.split(self.title), self.title], 0
        for _ in range(MOST_HEADINGS):
            heading, position = _inside(self.html, "h1", position)
            found.append(heading)
        return tuple(dict.fromkeys(said for heading in found if (said := signs.spoken(heading))))

    @cached_property
    def speech(self) -> str:
        """What the page says, as words alone; of a page with little content also what the reader left out."""
        said = signs.spoken(self.text[:SPEECH_LENGTH])
        return said if self.words >= TEASER else f"{said} {self._left_out}"

    @cached_property
    def _left_out(self) -> str:
        return signs.spoken(entities.unescape(TAG.sub(" ", UNSHOWN.sub(" ", self.markup))[:SPEECH_LENGTH]))

    @property
    def has_text_left_out(self) -> bool:
        """Whether the page shows much that the reader did not take, so that it is poor rather than empty."""
        return len(self._left_out.split()) > TEASER and not PLACEHOLDER.search(self.text)

    @cached_property
    def form_targets(self) -> list[str]:
        return [found[1] for found in FORM_TARGET.finditer(self.markup)][:20]

    @cached_property
    def is_unlisted(self) -> bool:
        return "noindex" in self.markup and bool(NO_INDEX.search(self.markup))

    @cached_property
    def describes_itself(self) -> bool:
        """Made to be found: walls hardly ever carry an address of their own, a description or a preview."""
        return sum(sign in self.markup for sign in signs.SELF_DESCRIPTION) > 1

    @property
    def was_led_away(self) -> bool:
        return bool(self.requested_url) and self.requested_url.split("#")[0] != self.url.split("#")[0]


@dataclass(frozen=True)
class Wall:
    kind: Kind
    sentence: str


def wall(page: Fetched) -> Wall | None:
    """The wall that this page is, or None for a page worth reading."""
    kind = _kind(page)
    return Wall(kind, SENTENCES[kind]) if kind else None


def _kind(page: Fetched) -> Kind | None:
    if page.status == 429:
        return "rate_limited"
    if is_mitigated(page.headers):
        return "blocked"
    by_status = STATUS_WALLS.get(page.status)
    if by_status in {"auth", "paywall", "not_found"}:
        return "blocked" if _is_challenge(page) else by_status
    if by_status == "blocked":
        return "auth" if _is_login(page) and not _is_challenge(page) else by_status
    if page.words >= LONG_PAGE:
        return None
    return next((kind for kind, is_wall in JUDGES if is_wall(page)), None)


def is_mitigated(headers: Mapping[str, str]) -> bool:
    """Whether the answer calls itself a challenge."""
    return headers.get("cf-mitigated", "").strip().lower() == "challenge"


def _is_challenge(page: Fetched) -> bool:
    if page.words >= SHORT_PAGE:
        return False
    is_marked = _has(page.decoded, signs.CHALLENGE_MARKUP)
    evidence = 4 * is_marked + 3 * _is_headed(page, signs.CHALLENGE_TITLES)
    evidence += 2 * _says(page, signs.CHALLENGE_SENTENCES) + 2 * _is_bare(page)
    if page.words < 80:
        evidence += min(2, sum(sign in page.decoded for sign in signs.WIDGET_MARKUP))
    evidence += page.is_unlisted + (page.words < 40) + (page.status in {202, 403, 405, 503})
    return evidence >= (4 if is_marked else 7 if page.describes_itself else 5)


def _is_bare(page: Fetched) -> bool:
    """Nothing but a script: no title, no text, no frame to fill."""
    return len(page.html) < 2000 and not page.words and not page.title and _has(page.markup, ("<script",))


def _is_login(page: Fetched) -> bool:
    was_sent = page.was_led_away and _is_login_address(page.url) and not _is_login_address(page.requested_url)
    is_headed, says = _is_headed(page, signs.LOGIN_TITLES), _says(page, signs.LOGIN_SENTENCES)
    if not (was_sent or is_headed or says):
        return False
    asks = bool(PASSWORD_FIELD.search(page.markup))
    leads = any(signs.LOGIN_SEGMENT.search(target) for target in page.form_targets)
    evidence = 3 * was_sent + 3 * asks + 2 * is_headed + 2 * says + leads + page.is_unlisted + (page.words < 60)
    is_plain = page.words < 200 and (asks or was_sent or not page.describes_itself)
    return evidence >= (4 if is_plain else 6)


def _is_login_address(url: str) -> bool:
    host, path = _host_and_path(url)
    return bool(signs.LOGIN_SEGMENT.search(path) or signs.LOGIN_HOST.search(host))


def _is_consent(page: Fetched) -> bool:
    was_sent = page.was_led_away and bool(signs.CONSENT_ADDRESS.search(page.url))
    leads = any(signs.CONSENT_ADDRESS.search(target) for target in page.form_targets)
    is_headed = _is_headed(page, signs.CONSENT_TITLES)
    if not (was_sent or leads or (is_headed and _asks_instead(page))):
        return False
    mentions = sum(page.speech.count(word) for word in signs.COOKIE_WORDS)
    evidence = 3 * was_sent + 3 * leads + 2 * is_headed + min(2, mentions) + page.is_unlisted
    return evidence >= (4 if page.words < 300 else 6)


def _asks_instead(page: Fetched) -> bool:
    """Something to press on a short page that was not itself asked for: a site's own page on cookies is content."""
    wanted = (page.requested_url or page.url).lower()
    is_wanted = any(word in wanted for word in ("cookie", "privacy", "consent", "datenschutz", "confidential"))
    return not is_wanted and page.words < 200 and ("<button" in page.markup or "<form" in page.markup)


def _is_paywall(page: Fetched) -> bool:
    if not 0 < page.words < SHORT_PAGE or not _says(page, signs.PAYWALL_SENTENCES):
        return False
    is_marked = bool(NOT_FREE.search(page.markup)) or _has(page.markup, signs.PAYWALL_MARKUP)
    return is_marked or page.words < TEASER


def _is_not_found(page: Fetched) -> bool:
    hits = sum(_covers(heading, signs.NOT_FOUND_PHRASES) for heading in page.headings)
    was_sent = page.was_led_away and bool(signs.NOT_FOUND_ADDRESS.search(page.url))
    if not hits and not was_sent:
        return False
    names_it = any("404" in heading.split() for heading in page.headings)
    is_about_it = not was_sent and bool(signs.NOT_FOUND_ADDRESS.search(page.requested_url or page.url))
    says = _has(signs.spoken(page.text[:OPENING_LENGTH]), signs.NOT_FOUND_SENTENCES)
    evidence = 3 * was_sent + 2 * min(hits, 2) + names_it + says + page.is_unlisted + (page.words < 60)
    evidence -= 3 * is_about_it + (page.words >= TEASER and page.describes_itself)
    return evidence >= (3 if page.words < 150 else 5)


def _is_shell(page: Fetched) -> bool:
    if not page.markup.strip() or page.words >= 60 or page.has_text_left_out:
        return False
    evidence = 2 * _has(page.markup, signs.APP_ROOTS) + 2 * any(said in page.speech for said in signs.SCRIPT_SENTENCES)
    evidence += 2 * (len(PLACEHOLDER.findall(page.text)) > 2) + 3 * (page.words == 0)
    hints = len(SCRIPT_HINT.findall(page.markup))
    evidence += sum(1 for _ in EMPTY_PART.finditer(page.markup)) > 4
    evidence += (hints > 0) + (hints > 4) + (len(page.html) > 16 * max(len(page.text), 100))
    return evidence >= 3


JUDGES: tuple[tuple[Kind, Callable[[Fetched], bool]], ...] = (
    ("blocked", _is_challenge),
    ("consent", _is_consent),
    ("auth", _is_login),
    ("not_found", _is_not_found),
    ("paywall", _is_paywall),
    ("shell", _is_shell),
)


def _has(markup: str, marks: tuple[str, ...]) -> bool:
    return any(mark in markup for mark in marks)


def _says(page: Fetched, known: tuple[str, ...]) -> bool:
    return _has(page.speech, known)


def _is_headed(page: Fetched, known: tuple[str, ...]) -> bool:
    return any(_covers(heading, known) for heading in page.headings)


def _covers(heading: str, known: tuple[str, ...]) -> bool:
    """Whether a known phrase makes up most of a heading: `Oops! Page not found`, not `Why was my page not found`."""
    shortest = len(heading) * 3
    return any(phrase in heading and len(phrase) * 5 >= shortest for phrase in known)


def _inside(html: str, tag: str, position: int) -> tuple[str, int]:
    """The text of the next such element, and where to look on. Tags are written in small or in capital letters."""
    starts = [found for name in (tag, tag.upper()) if (found := html.find(f"<{name}", position, HEADING_REACH)) >= 0]
    opened = html.find(">", min(starts), min(starts) + 600) if starts else -1
    if opened < 0:
        return "", HEADING_REACH
    content = html[opened + 1 : opened + 1500]
    end = content.lower().find(f"</{tag}")
    return plain(content[: end if end >= 0 else 300])[:300], opened + 1 + max(end, 0)


def _host_and_path(url: str) -> tuple[str, str]:
    """Both empty for an address that cannot be read."""
    try:
        parts = urlsplit(url)
        return parts.hostname or "", parts.path
    except ValueError:
        return "", ""
