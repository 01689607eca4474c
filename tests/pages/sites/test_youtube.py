"""YouTube: every recorded answer to the right page or the right error."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages.sites.conversation import Answers, hold, page_of
from tests.upstreams.conversation import reply
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
from wellsourced.pages.sites import site_for
from wellsourced.upstream import Access

VIDEO = "https://youtu.be/GJLlxj_dtq8"


def site(watch: Reply, player: Reply, *captions: Reply) -> Answers:
    left = list(captions)

    def answer(request: Request) -> Reply:
        if request.path == "/watch":
            return watch
        if request.path == "/youtubei/v1/player":
            return player
        assert request.path == "/api/timedtext"
        return left.pop(0) if left else reply("")

    return answer


def recorded(shared: Path, name: str, status: int = 200) -> Reply:
    return reply((shared / "wire/youtube" / name).read_bytes(), status)


NONE = reply({})


def test_transcript_with_times_before_the_description(shared: Path) -> None:
    answers = site(
        recorded(shared, "watch_page_nine_caption_tracks.html"),
        recorded(shared, "player_ok_nine_caption_tracks.json"),
        recorded(shared, "timedtext_json3_manual.json"),
    )
    asked, found = hold(VIDEO, answers)
    assert found is not None
    page = found.page
    assert (page.title, page.author, page.date, page.site) == (
        "Surface Go Review - It’s Awesome",
        "Dave2D",
        "2018-08-02",
        "YouTube",
    )
    assert page.content_type == "youtube"
    assert found.extracted_by == "youtube:transcript"
    assert page.markdown.index("[0:04] One little finger") < page.markdown.index("[0:09] Tap tap tap")
    assert page.markdown.index("[0:09] Tap tap tap") < page.markdown.index("## Description")
    captions = dict(asked[-1].params)
    assert (captions["lang"], captions["fmt"]) == ("en", "json3")
    assert "kind" not in captions, "captions written by people are preferred"
    assert page.notes == ()


def test_a_transcript_made_by_machine_says_so(shared: Path) -> None:
    player = recorded(shared, "player_ok_nine_caption_tracks.json").json()
    held = player["captions"]["playerCaptionsTracklistRenderer"]
    held["captionTracks"] = [track for track in held["captionTracks"] if track.get("kind") == "asr"]
    found = page_of(VIDEO, site(NONE, reply(player), recorded(shared, "timedtext_json3_manual.json")))
    assert found.page.notes == ("The transcript was made by machine.",)


def test_a_wished_language_is_taken(shared: Path) -> None:
    answers = site(
        NONE, recorded(shared, "player_ok_nine_caption_tracks.json"), recorded(shared, "timedtext_json3_manual.json")
    )
    asked, _ = hold("https://www.youtube.com/watch?v=GJLlxj_dtq8&hl=de-CH", answers)
    assert dict(asked[-1].params)["lang"] == "de"


def test_the_older_caption_form_is_read_when_the_first_is_empty(shared: Path) -> None:
    player = recorded(shared, "player_ok_nine_caption_tracks.json")
    answers = site(NONE, player, reply(""), recorded(shared, "timedtext_srv1_constructed.xml"))
    markdown = page_of(VIDEO, answers).page.markdown
    assert "[0:01] this is not the original transcript\n[0:05] just something shorter" in markdown


@pytest.mark.parametrize(
    ("watch", "player", "expected"),
    [
        ("consent_page.html", "player_request_blocked.json", Blocked),
        ("consent_page.html", "player_age_restricted.json", AuthRequired),
        ("watch_page_unplayable_es.html", "player_video_unavailable.json", NotFound),
        ("consent_page.html", None, Blocked),
        ("too_many_requests.html", None, RateLimited),
    ],
)
def test_refusals(shared: Path, watch: str, player: str | None, expected: type[WellsourcedError]) -> None:
    with pytest.raises(expected):
        hold(VIDEO, site(recorded(shared, watch), recorded(shared, player) if player else NONE))


def test_an_age_check_is_a_sign_in() -> None:
    status = {"playabilityStatus": {"status": "AGE_VERIFICATION_REQUIRED", "reason": "Para mayores de 18"}}
    with pytest.raises(AuthRequired, match="mayores"):
        hold(VIDEO, site(reply("<html></html>"), reply(status)))


def test_without_captions_the_description_is_told(shared: Path) -> None:
    found = page_of(VIDEO, site(NONE, recorded(shared, "player_ok_no_captions.json")))
    assert found.extracted_by == "youtube:description"
    assert found.page.notes == ("The video has no captions.",)
    assert "## Description" in found.page.markdown
    assert found.page.quality == "partial"


def test_captions_that_need_a_token_are_not_taken_for_none(shared: Path) -> None:
    found = page_of(VIDEO, site(NONE, recorded(shared, "player_po_token_required.json")))
    assert found.page.notes == ("The video has captions, but YouTube did not hand them out.",)


def test_an_unplayable_video_is_described_with_its_reason(shared: Path) -> None:
    found = page_of(VIDEO, site(recorded(shared, "watch_page_unplayable_es.html"), NONE))
    assert found.page.title == "GBAF 2024 – Highlights"
    assert "El vídeo no está disponible" in found.page.notes[0]


def test_the_watch_page_alone_is_enough(shared: Path) -> None:
    found = page_of(VIDEO, site(recorded(shared, "watch_page_trailer.html"), reply("", 500)))
    assert found.page.title.startswith("Star Wars 8 THE LAST JEDI")
    assert found.page.date == "2017-04-14"


def test_consent_is_answered_once_with_a_cookie(shared: Path) -> None:
    asked, _ = hold(VIDEO, site(recorded(shared, "consent_page.html"), recorded(shared, "player_ok_no_captions.json")))
    cookies = [request.headers.get("Cookie", "") for request in asked if request.path == "/watch"]
    assert len(cookies) == 2
    assert cookies[1].startswith("CONSENT=YES+cb.")
    sent_on = reply("", 302, location="https://consent.youtube.com/m?continue=x")
    asked, _ = hold(VIDEO, site(sent_on, recorded(shared, "player_ok_no_captions.json")))
    assert [request.headers.get("Cookie") for request in asked[:2]] == [None, "CONSENT=YES+cb"]


def test_a_page_that_says_nothing_is_a_change_and_text_after_the_value_does_not_matter() -> None:
    with pytest.raises(UpstreamChanged):
        hold(VIDEO, site(reply("<html>nothing</html>"), NONE))
    value = '{"playabilityStatus":{"status":"OK"},"videoDetails":{"title":"A; }; b","author":"ö"}}'
    page = page_of(
        VIDEO, site(reply(f"<script>var ytInitialPlayerResponse = {value};var x = {{}};</script>"), NONE)
    ).page
    assert (page.title, page.author) == ("A; }; b", "ö")


def test_a_player_that_cannot_be_reached_does_no_harm(shared: Path) -> None:
    steps = site_for(VIDEO).read(VIDEO, Access())  # type: ignore[union-attr]
    next(steps)
    steps.send(recorded(shared, "watch_page_trailer.html"))
    steps.throw(NetworkFailed("no route"))
    steps.throw(NetworkFailed("no route"))
    with pytest.raises(StopIteration) as done:
        steps.throw(NetworkFailed("no route"))
    assert done.value.value.page.title.startswith("Star Wars 8")


@pytest.mark.parametrize(("status", "kind"), [(403, Blocked), (429, RateLimited)])
def test_a_refused_player_beside_an_empty_page_is_a_refusal(status: int, kind: type[WellsourcedError]) -> None:
    with pytest.raises(kind):
        hold("https://youtu.be/dQw4w9WgXcQ", site(reply("<html></html>"), reply("", status)))
