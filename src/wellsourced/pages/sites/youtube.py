"""YouTube videos as their transcript with times, and the description.

The watch page describes the video; its caption addresses mostly need a token by now (`exp=xpe` answers an empty 200),
so captions are taken from the player interface, asked as the Android app. Recorded 2025-06.
States: LOGIN_REQUIRED is either a bot check or a limit of age or privacy; ERROR is a video that does not exist;
UNPLAYABLE is one that is not shown here. Reasons are in the language of the page, so the form of the answer counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from wellsourced.errors import (
    AuthRequired,
    Blocked,
    NetworkFailed,
    NotFound,
    RateLimited,
    UpstreamChanged,
    WellsourcedError,
)
from wellsourced.http_exchange import Reply, Request
from wellsourced.pages.page import Page
from wellsourced.pages.site_page import SitePage, SiteSteps, send_request
from wellsourced.pages.sites.youtube_captions import CaptionLine, caption_lines, format_clock, write_timed_lines
from wellsourced.text.plain_text import one_line, strip_invisible
from wellsourced.text.urls import WebUrl, parse_web_url
from wellsourced.upstream import Access, Provider

DOMAINS = ("youtube.com", "youtube-nocookie.com", "youtu.be")
SITE = Provider(
    name="youtube",
    title="YouTube",
    bases={"": "https://www.youtube.com"},
    about="Transcripts and descriptions of videos.",
)
VIDEO = re.compile(r"[A-Za-z0-9_-]{11}")
VIDEO_PATHS = frozenset({"shorts", "embed", "live", "v", "e"})
PLAYER_MARK = re.compile(r"ytInitialPlayerResponse\"?\]?\s*=\s*(?=\{)")
API_KEY = re.compile(r'"INNERTUBE_API_KEY"\s*:\s*"([A-Za-z0-9_-]{10,80})"')
CONSENT_FORM = re.compile(r'action="https://consent\.(?:youtube|google)\.[a-z.]{2,10}/')
CONSENT_VALUE = re.compile(r'name="v"\s+value="([^"]{1,100})"')
APP = {"client": {"clientName": "ANDROID", "clientVersion": "20.10.38", "hl": "en", "gl": "US"}}
ENGLISH = {"Accept-Language": "en"}
SIGN_IN_STATES = frozenset({"LOGIN_REQUIRED", "AGE_CHECK_REQUIRED", "AGE_VERIFICATION_REQUIRED"})
BOT_HELP = "answer/3037019"

Fields = Mapping[str, Any]


def matches(address: WebUrl) -> bool:
    return bool(video_number(address))


def video_number(address: WebUrl) -> str:
    """The video an address shows, or ""."""
    parts = address.segments
    if address.host == "youtu.be":
        video = parts[0] if parts else ""
    elif not address.is_under("youtube.com", "youtube-nocookie.com"):
        return ""
    elif parts == ("watch",):
        video = address.query.get("v", "")
    else:
        video = parts[1] if len(parts) > 1 and parts[0] in VIDEO_PATHS else ""
    return video if VIDEO.fullmatch(video) else ""


def read(url: str, access: Access) -> SiteSteps[SitePage | None]:
    address = parse_web_url(url)
    video = video_number(address) if address else ""
    if not address or not video:
        return None
    page = yield from _watch_page(video)
    shown = _player_of_page(page)
    app, refusal = yield from _app_player(video, page)
    player = _first_playable(app, shown) or _best_refusal(page, refusal, app, shown)
    wished = [word for name in ("hl", "cc_lang_pref") if (word := address.query.get(name))]
    track = _choose_track([*_tracks(app), *_tracks(shown)], [*wished, "en"])
    lines = (yield from _captions(track)) if track else []
    return _site_page(video, player, shown or player, track, lines)


def _watch_page(video: str) -> SiteSteps[Reply]:
    """The watch page; from Europe a consent form may come first, which a cookie answers."""
    reply = yield from send_request(Request.get("/watch", {"v": video, "hl": "en"}, headers=ENGLISH))
    if CONSENT_FORM.search(reply.text) or reply.headers.get("location", "").startswith("https://consent."):
        value = CONSENT_VALUE.search(reply.text)
        cookie = {"Cookie": f"CONSENT=YES+{value[1] if value else 'cb'}", **ENGLISH}
        reply = yield from send_request(Request.get("/watch", {"v": video, "hl": "en"}, headers=cookie))
    return reply


def _app_player(video: str, page: Reply) -> SiteSteps[tuple[Fields, WellsourcedError | None]]:
    """What the app gets to know of the video, and why it gets nothing where the interface refuses."""
    key = API_KEY.search(page.text)
    body = {"context": APP, "videoId": video}
    try:
        reply = yield from send_request(
            Request.post_json("/youtubei/v1/player", body, {"key": key[1] if key else None})
        )
        answer = reply.expect_ok().json()
    except WellsourcedError as refusal:
        return {}, refusal
    return (answer if isinstance(answer, dict) and "playabilityStatus" in answer else {}), None


def _player_of_page(reply: Reply) -> Fields:
    """The first JSON value after the mark; what follows it in the script does not matter."""
    text = reply.text
    for mark in PLAYER_MARK.finditer(text):
        try:
            value, _ = json.JSONDecoder().raw_decode(text, mark.end())
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and value:
            return value
    return {}


def _state(player: Fields) -> str:
    return str(_part(player, "playabilityStatus").get("status") or "")


def _first_playable(*players: Fields) -> Fields | None:
    return next((player for player in players if _state(player) == "OK" and _details(player)), None)


def _best_refusal(page: Reply, refusal: WellsourcedError | None, *players: Fields) -> Fields:
    """No answer plays. One that still describes the video is worth something; otherwise the reason is raised."""
    refusals = [player for player in players if _state(player)]
    for player in refusals:
        _raise_refusal(player)
    described = next((player for player in refusals if _details(player)), None)
    if described:
        return described
    if refusals:
        raise Blocked(f"YouTube does not show this video here: {_reason(refusals[0]) or _state(refusals[0])}")
    if page.status == 429 or "g-recaptcha" in page.text:
        raise RateLimited(
            "YouTube asks this address to solve a puzzle before it answers again.", retry_after=page.retry_after
        )
    if CONSENT_FORM.search(page.text):
        raise Blocked("YouTube shows its cookie consent page instead of the video.")
    page.expect_ok()
    if isinstance(refusal, Blocked | RateLimited):
        raise refusal
    raise UpstreamChanged("YouTube's watch page holds no description of the video.", detail=page.summary)


def _raise_refusal(player: Fields) -> None:
    status, reason = _part(player, "playabilityStatus"), _reason(player)
    if status.get("status") == "ERROR":
        raise NotFound(f"YouTube says: {reason or 'this video is unavailable'}")
    if status.get("status") not in SIGN_IN_STATES:
        return
    if BOT_HELP in json.dumps(status) or re.search(r"\bbot\b", reason):
        raise Blocked("YouTube asks this address to sign in to show that it is not a bot.", detail=reason)
    raise AuthRequired(f"YouTube shows this video only to people who are signed in: {reason or 'no reason given'}")


def _reason(player: Fields) -> str:
    return one_line(str(_part(player, "playabilityStatus").get("reason") or ""))[:300]


def _tracks(player: Fields) -> list[Fields]:
    listed = _part(_part(player, "captions"), "playerCaptionsTracklistRenderer").get("captionTracks")
    return [track for track in listed if isinstance(track, dict)] if isinstance(listed, list) else []


def _choose_track(tracks: list[Fields], wished: list[str]) -> Fields | None:
    """By language wished for, then any; those written by people before those made by machine."""

    def rank(track: Fields) -> tuple[bool, int, bool]:
        code = str(track.get("languageCode") or "").lower()
        liking = [place for place, word in enumerate(wished) if code.split("-")[0] == word.lower().split("-")[0]]
        needs_token = "exp=xpe" in str(track.get("baseUrl"))
        return needs_token, min(liking, default=len(wished)), track.get("kind") == "asr"

    usable = [track for track in tracks if _caption_address(track)]
    return min(usable, key=rank, default=None)


def _caption_address(track: Fields) -> str:
    """The address without the host (captions lie with the site itself) and without a form of its own choosing."""
    parts = urlsplit(str(track.get("baseUrl") or "")[:4000])
    return f"{parts.path}?{parts.query}" if parts.path.startswith("/api/timedtext") and parts.query else ""


def _captions(track: Fields) -> SiteSteps[list[CaptionLine]]:
    path, _, query = _caption_address(track).partition("?")
    params = {name: value for name, value in parse_qsl(query, keep_blank_values=True) if name != "fmt"}
    for form in ({"fmt": "json3"}, {}):
        try:
            reply = yield from send_request(Request.get(path, {**params, **form}))
        except NetworkFailed:
            continue
        lines = caption_lines(reply.text) if reply.status == 200 else []
        if lines:
            return lines
    return []


def _site_page(video: str, player: Fields, shown: Fields, track: Fields | None, lines: list[CaptionLine]) -> SitePage:
    details = _details(player)
    date = _published(player) or _published(shown)
    page = Page(
        url=f"https://www.youtube.com/watch?v={video}",
        markdown="\n\n".join(part for part in _parts(details, date, track, lines) if part),
        title=one_line(str(details.get("title") or "")),
        author=one_line(str(details.get("author") or "")),
        date=date,
        site="YouTube",
        language=str(track.get("languageCode") or "") if track and lines else "",
        content_type="youtube",
        quality="complete" if lines else "partial",
        notes=tuple(_notes(player, track, lines)),
    )
    return SitePage(page=page, extracted_by="youtube:transcript" if lines else "youtube:description")


def _parts(details: Fields, date: str, track: Fields | None, lines: list[CaptionLine]) -> Iterator[str]:
    yield f"# {one_line(str(details.get('title') or ''))}"
    seconds, views = str(details.get("lengthSeconds") or ""), str(details.get("viewCount") or "")
    facts = [
        one_line(str(details.get("author") or "")),
        format_clock(int(seconds)) if seconds.isdecimal() and seconds != "0" else "",
        date,
        f"{int(views):,} views" if views.isdecimal() else "",
    ]
    yield " · ".join(fact for fact in facts if fact)
    if lines and track:
        yield f"## Transcript ({_track_name(track)})"
        yield write_timed_lines(lines)
    if description := strip_invisible(str(details.get("shortDescription") or "")).strip():
        yield f"## Description\n\n{description}"


def _notes(player: Fields, track: Fields | None, lines: list[CaptionLine]) -> Iterator[str]:
    if _state(player) != "OK":
        yield f"YouTube does not play this video here: {_reason(player) or _state(player)}"
    if lines and track and track.get("kind") == "asr":
        yield "The transcript was made by machine."
    if track and not lines:
        yield "The video has captions, but YouTube did not hand them out."
    if not track and _state(player) == "OK":
        yield "The video has no captions."


def _track_name(track: Fields) -> str:
    """`{simpleText}` on the page, `{runs}` from the app."""
    name = _part(track, "name")
    runs = name.get("runs")
    said = "".join(str(run.get("text", "")) for run in runs if isinstance(run, dict)) if isinstance(runs, list) else ""
    return one_line(str(name.get("simpleText") or said)) or str(track.get("languageCode") or "captions")


def _published(player: Fields) -> str:
    facts = _part(_part(player, "microformat"), "playerMicroformatRenderer")
    date = str(facts.get("publishDate") or facts.get("uploadDate") or "")[:10]
    return date if re.fullmatch(r"\d{4}-\d{2}-\d{2}", date) else ""


def _details(player: Fields) -> Fields:
    details = _part(player, "videoDetails")
    return details if details.get("title") else {}


def _part(fields: Fields, name: str) -> Fields:
    value = fields.get(name)
    return value if isinstance(value, dict) else {}
