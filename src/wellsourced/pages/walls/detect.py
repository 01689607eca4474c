"""Pages that stand in the way of content: challenges, logins, consent, paywalls, soft 404s, empty shells, signs.

No single word decides. Each kind of wall collects weighed evidence (markup only a wall has, the title, sentences,
where the forms lead, where the request was led) and must outweigh how much text the page really has: a long page is
content, whatever scripts it loads and whatever it is about. Statuses follow the usual map: 401 is a login, 402 a
paywall, 403, 451 and LinkedIn's 999 a block, 404 and 410 not found, 429 a limit; other failures are the caller's to
name.
"""

from __future__ import annotations

import html as entities
from collections.abc import Callable, Mapping
from typing import Literal
from urllib.parse import urlsplit

from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import late_pattern
from wellsourced.pages.walls import LONG_PAGE, is_mitigated, signs
from wellsourced.pages.walls.response_facts import (
    FEWEST_OWN,
    NOTE,
    OPENING_LENGTH,
    PLACEHOLDER,
    SPEECH_LENGTH,
    TEASER,
    FetchedResponse,
)

Kind = Literal["blocked", "auth", "consent", "age", "paywall", "not_found", "shell", "rate_limited", "out_of_order"]

SHORT_PAGE = 250
FEW_LINES = 60
MOST = 0.6
STATUS_WALLS: Mapping[int, Kind] = {
    401: "auth",
    402: "paywall",
    403: "blocked",
    404: "not_found",
    410: "not_found",
    429: "rate_limited",
    451: "blocked",
    999: "blocked",
}
# Other failures that come with a challenge; the others mean that the site is in trouble.
REFUSING = frozenset({*range(400, 500), 503})
SENTENCES: Mapping[Kind, str] = {
    "blocked": "The site answered with a bot check or a refusal instead of the page.",
    "auth": "The site asks for a login before it shows the page.",
    "consent": "The site shows a cookie consent page instead of the content.",
    "age": "The site asks for the reader's age before it shows the page.",
    "paywall": "Only a teaser can be read; the rest of the page is for subscribers.",
    "not_found": "The site says that there is no such page.",
    "shell": "The page is an empty frame that a browser has to fill by running its scripts.",
    "rate_limited": "The site answers that it has been asked too often.",
    "out_of_order": "The site says that it is out of order or being worked on.",
}

PASSWORD_FIELD = late_pattern(r"<input\b[^<>]{0,600}?\btype\s*=\s*[\"']?password")
WRITING_FIELD = late_pattern(r"type\s*=\s*[\"']?email|<textarea\b(?![^<>]{0,300}response)")
AGE_FIELD = late_pattern(r"<(?:button|form|select|input)\b")
BUTTON = late_pattern(r"<(?:button|a|input)\b([^<>]{0,400})>([^<>]{0,80})")
NOT_FREE = late_pattern(r"isaccessibleforfree[\"']?\s*[:=]\s*[\"']?false")
SCRIPT_HINT = late_pattern(r"<script\b|as=[\"']?script|rel=[\"']?modulepreload")
EMPTY_PART = late_pattern(r"<(div|section|main|span)\b[^<>]{0,400}>\s{0,200}</\1>")


@dataclass(frozen=True)
class Wall:
    kind: Kind
    sentence: str


def detect_wall(page: FetchedResponse) -> Wall | None:
    """The wall that this page is, or None for a page worth reading."""
    kind = _kind(page)
    return Wall(kind, SENTENCES[kind]) if kind else None


def _kind(page: FetchedResponse) -> Kind | None:
    if is_mitigated(page.headers):
        return "blocked"
    if page.status == 429:
        return "rate_limited"
    by_status = STATUS_WALLS.get(page.status)
    if by_status in {"auth", "paywall", "not_found"}:
        return "blocked" if _is_challenge(page) else by_status
    if by_status == "blocked":
        asks = _is_login(page) or (page.words < FEW_LINES and _says(page, signs.LOGIN_SENTENCES))
        return "auth" if asks and not _is_challenge(page) else by_status
    if page.words >= LONG_PAGE:
        return None
    if page.status >= 400:
        return "blocked" if page.status in REFUSING and _is_challenge(page) else None
    return next((kind for kind, is_wall in JUDGES if is_wall(page)), None)


def _is_challenge(page: FetchedResponse) -> bool:
    if page.words >= SHORT_PAGE:
        return False
    is_marked = _has(page.decoded, signs.CHALLENGE_MARKUP)
    is_marked |= page.status < 500 and signs.REFUSAL_MARKUP in page.decoded
    if not is_marked and page.is_article_on_it:
        return False
    sentences = sum(sentence in page.speech for sentence in signs.CHALLENGE_SENTENCES)
    voices = sentences + _asks_who(page)
    is_headed = _is_headed(page, signs.CHALLENGE_TITLES)
    evidence = 4 * is_marked + 3 * is_headed + 3 * _was_sent_to_challenge(page) + min(3, voices + (voices > 0))
    if page.words < FEW_LINES:
        evidence += 2 * any(_has(said, signs.CHALLENGE_SENTENCES) or _is_bot_question(said) for said in page.headings)
    if page.words < 80:
        evidence += min(2, sum(sign in page.machinery for sign in signs.WIDGET_MARKUP))
    evidence += _bareness(page) + page.is_unlisted + (page.words < 40) + (page.status in {202, 403, 405, 503})
    evidence += (0 < page.words < 15 and (is_headed or sentences > 0)) - 3 * bool(WRITING_FIELD.search(page.markup))
    return evidence >= (4 if is_marked and page.words < TEASER else 7 if page.describes_itself else 5)


def _was_sent_to_challenge(page: FetchedResponse) -> bool:
    there, asked = (bool(signs.CHALLENGE_ADDRESS.search(url)) for url in (page.url, page.requested_url))
    return page.was_led_away and there and not asked


def _asks_who(page: FetchedResponse) -> bool:
    """A few lines that want to know whether a person reads them."""
    if page.words >= FEW_LINES:
        return False
    said = signs.normalise_speech(page.text[:SPEECH_LENGTH]) if page.has_text_left_out else page.speech
    return _is_bot_question(said)


def _is_bot_question(said: str) -> bool:
    return bool(signs.VISITOR_WORDS.search(said) and signs.PROOF_WORDS.search(said))


def _bareness(page: FetchedResponse) -> int:
    """Nothing but a script: no title, no text, no frame to fill."""
    is_bare = len(page.html) < 2000 and not page.words and not page.title and _has(page.markup, ("<script",))
    return 2 * is_bare + 2 * (is_bare and _has(page.markup, signs.BEACON_MARKUP))


def _is_login(page: FetchedResponse) -> bool:
    was_sent = page.was_led_away and _is_login_address(page.url) and not _is_login_address(page.requested_url)
    asks, says = bool(PASSWORD_FIELD.search(page.seen)), _says(page, signs.LOGIN_SENTENCES)
    is_short = page.words < FEW_LINES and (asks or was_sent)
    is_headed = _is_headed(page, signs.LOGIN_TITLES) or (is_short and _names_login(page))
    if not (was_sent or is_headed or says):
        return False
    leads = any(signs.LOGIN_SEGMENT.search(target) for target in page.form_targets)
    if page.describes_itself and not (asks or leads or is_headed or says):
        return False
    if not (was_sent or asks or leads or page.is_unlisted) and (page.words > NOTE or page.is_article_on_it):
        return False
    evidence = 3 * was_sent + 3 * asks + 2 * is_headed + 2 * says + leads + page.is_unlisted + (page.words < 60)
    is_plain = page.words < 200 and (asks or was_sent or not page.describes_itself)
    return evidence >= (4 if is_plain else 6)


def _names_login(page: FetchedResponse) -> bool:
    """`Log in to the Harbour Club` or `Harbour Club Login`: above a password field it is the name of the page."""
    return any(
        f"{said} ".startswith(f"{word} ") or f" {said}".endswith(f" {word}")
        for said in page.headings
        for word in signs.LOGIN_TITLES
    )


def _is_login_address(url: str) -> bool:
    host, path = _host_and_path(url)
    return bool(signs.LOGIN_SEGMENT.search(path) or signs.LOGIN_HOST.search(host))


def _is_consent(page: FetchedResponse) -> bool:
    there, asked = (bool(signs.CONSENT_ADDRESS.search(url)) for url in (page.url, page.requested_url))
    was_sent = page.was_led_away and there and not asked and ("cookie" in page.speech or _has_accept(page))
    here = _host_and_path(page.url)[0]
    targets = [target for target in page.form_targets if _host_and_path(target)[0] != here]
    leads = any(signs.CONSENT_ADDRESS.search(target) for target in targets)
    is_headed = _is_headed(page, signs.CONSENT_TITLES)
    if not (was_sent or leads or (is_headed and _asks_instead(page, 0.5))):
        return not page.describes_itself and _offers_consent(page)
    mentions = sum(page.speech.count(word) for word in signs.COOKIE_WORDS)
    evidence = 3 * was_sent + 3 * leads + 2 * is_headed + min(2, mentions) + page.is_unlisted
    return evidence >= (4 if page.words < 300 else 6)


def _asks_instead(page: FetchedResponse, least_share: float) -> bool:
    """Something to press, and little besides talk of cookies: a banner above a short page leaves the page readable.

    A site's own page on cookies is content for whoever asked for it.
    """
    wanted = (page.requested_url or page.url).lower()
    is_wanted = any(word in wanted for word in ("cookie", "privacy", "consent", "datenschutz", "confidential"))
    if is_wanted or page.words >= 200 or not ("<button" in page.markup or "<form" in page.markup):
        return False
    lines = [line.lower() for line in page.text.splitlines()]
    on_it = sum(len(line) for line in lines if _has(line, signs.COOKIE_WORDS))
    return on_it > least_share * sum(len(line) for line in lines)


def _offers_consent(page: FetchedResponse) -> bool:
    said = page.text.lower()
    mentions = sum(said.count(word) for word in signs.COOKIE_WORDS)
    return mentions > 1 and _has_accept(page) and _asks_instead(page, 0.75)


def _has_accept(page: FetchedResponse) -> bool:
    pressed = (entities.unescape(match[2]) for match in BUTTON.finditer(page.markup))
    return any(signs.ACCEPT_WORDS.search(label) for label in pressed)


def _is_paywall(page: FetchedResponse) -> bool:
    if not 0 < page.words < SHORT_PAGE:
        return False
    is_not_free = bool(NOT_FREE.search(page.markup))
    if is_not_free and (_has(page.left_out, signs.PAYWALL_SENTENCES) or (page.words < TEASER and _offers_more(page))):
        return True
    if is_not_free or _has(page.machinery, signs.PAYWALL_MARKUP):
        return _says(page, signs.PAYWALL_SENTENCES)
    return page.words < TEASER and any(_covers(note, signs.PAYWALL_SENTENCES, 0.2) for note in page.notes)


def _offers_more(page: FetchedResponse) -> bool:
    return any(signs.OFFER_WORDS.search(note) for note in page.notes)


def _is_not_found(page: FetchedResponse) -> bool:
    is_brief = page.words < FEW_LINES and not page.describes_itself
    is_titled = any(_covers(part, signs.NOT_FOUND_PHRASES) for part in page.title_parts)
    hits = is_titled + _covers(page.heading, signs.NOT_FOUND_PHRASES)
    hits += is_brief and any(_covers(said, signs.NOT_FOUND_NAMED, 0.45) for said in (*page.headings, *page.opening))
    says = _has(signs.normalise_speech(page.text[:OPENING_LENGTH]), signs.NOT_FOUND_SENTENCES)
    was_sent = page.was_led_away and bool(signs.NOT_FOUND_ADDRESS.search(page.url))
    is_notice = says and page.is_unlisted and page.words < 40
    if not was_sent and (not (hits or is_notice) or page.is_article_on_it):
        return False
    names_it = any("404" in heading.split() for heading in page.headings)
    is_about_it = not was_sent and bool(signs.NOT_FOUND_ADDRESS.search(page.requested_url or page.url))
    evidence = 3 * was_sent + 2 * hits + names_it + says + page.is_unlisted + (page.words < 60)
    evidence -= 5 * is_about_it + (page.words >= TEASER and page.describes_itself)
    return evidence >= (3 if page.words < 150 else 5)


def _is_parked(page: FetchedResponse) -> bool:
    """A name for sale, or without a site: what is asked for is not there."""
    if page.words >= TEASER or page.is_article_on_it:
        return False
    if _has(page.url + page.machinery, signs.PARKED_MARKUP):
        return True
    host = signs.normalise_speech(_host_and_path(page.url)[0].removeprefix("www.")) + " "
    is_headed = any(_covers(heading.replace(host, ""), signs.PARKED_SENTENCES) for heading in page.headings)
    notes = [note.replace(host, "") for note in page.notes if note not in page.headings]
    return is_headed or any(_has(note, signs.PARKED_SENTENCES) for note in notes)


def _notifies(page: FetchedResponse, known: tuple[str, ...]) -> bool:
    """A few lines that begin with such a notice, and are not made to be found."""
    if page.words >= FEW_LINES or page.describes_itself or page.is_article_on_it:
        return False
    return any(_covers(said, known, 0.65) for said in (*page.headings, *page.opening[:3]))


def _asks_age(page: FetchedResponse) -> bool:
    return bool(AGE_FIELD.search(page.markup)) and _notifies(page, signs.AGE)


def _is_shell(page: FetchedResponse) -> bool:
    if not page.markup.strip() or page.words >= 60 or page.has_text_left_out:
        return False
    says = _has(signs.normalise_speech(page.text[:SPEECH_LENGTH]), signs.SCRIPT_SENTENCES)
    if page.is_rendered:
        return page.words == 0 or says
    evidence = 2 * (len(PLACEHOLDER.findall(page.text)) > 2) + 3 * (page.words == 0)
    if page.words < FEWEST_OWN or says:
        evidence += 2 * _has(page.markup, signs.APP_ROOTS) + 2 * _has(page.speech, signs.SCRIPT_SENTENCES)
    hints = len(SCRIPT_HINT.findall(page.markup))
    evidence += sum(1 for _ in EMPTY_PART.finditer(page.markup)) > 4
    evidence += (hints > 0) + (hints > 4) + (len(page.html) > 16 * max(len(page.text), 100))
    return evidence >= 3


JUDGES: tuple[tuple[Kind, Callable[[FetchedResponse], bool]], ...] = (
    ("blocked", _is_challenge),
    ("rate_limited", lambda page: _notifies(page, signs.TOO_OFTEN)),
    ("blocked", lambda page: _notifies(page, signs.ELSEWHERE)),
    ("consent", _is_consent),
    ("age", _asks_age),
    ("auth", _is_login),
    ("out_of_order", lambda page: _notifies(page, signs.OUT_OF_ORDER)),
    ("not_found", _is_not_found),
    ("not_found", _is_parked),
    ("paywall", _is_paywall),
    ("shell", _is_shell),
)


def _has(markup: str, marks: tuple[str, ...]) -> bool:
    return any(mark in markup for mark in marks)


def _says(page: FetchedResponse, known: tuple[str, ...]) -> bool:
    return _has(page.speech, known)


def _is_headed(page: FetchedResponse, known: tuple[str, ...]) -> bool:
    return any(_covers(heading, known) for heading in page.headings)


def _covers(heading: str, known: tuple[str, ...], share: float = MOST) -> bool:
    """Whether a known phrase makes up most of a heading: `Oops! Page not found`, not `Why was my page not found`."""
    shortest = len(heading) * share
    return any(phrase in heading and len(phrase) >= shortest for phrase in known)


def _host_and_path(url: str) -> tuple[str, str]:
    """Both empty for an address that cannot be read."""
    try:
        parts = urlsplit(url)
        return parts.hostname or "", parts.path
    except ValueError:
        return "", ""
