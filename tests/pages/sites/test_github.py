"""GitHub: each kind of page, and the limits it states."""

from __future__ import annotations

import pytest

from tests.pages.sites.conversation import Answers, hold, page_of
from tests.upstreams.conversation import reply
from wellsourced.errors import Blocked, KeyRejected, NotFound, RateLimited
from wellsourced.http_exchange import Reply, Request

REPOSITORY = {
    "full_name": "o/r", "description": "Häfen", "owner": {"login": "o"}, "stargazers_count": 1234, "forks_count": 5,
    "open_issues_count": 1, "language": "Python", "license": {"spdx_id": "MIT"}, "pushed_at": "2026-10-01T00:00:00Z",
}  # fmt: skip


def site(answers: dict[str, Reply]) -> Answers:
    def answer(request: Request) -> Reply:
        return answers.get(f"{request.host}:{request.path}", reply({"message": "Not Found"}, 404))

    return answer


def test_a_repository_is_its_readme() -> None:
    answers = {":/repos/o/r": reply(REPOSITORY), ":/repos/o/r/readme": reply("# r\n\nReads *tides*.")}
    asked, found = hold("https://github.com/o/r", site(answers), {"GITHUB_TOKEN": "t"})
    assert found is not None
    assert (
        found.page.markdown
        == "# o/r\n\nHäfen\n\n1,234 stars · 5 forks · 1 open issues · Python · MIT\n\n# r\n\nReads *tides*."
    )
    assert (found.page.date, found.page.site, found.extracted_by) == ("2026-10-01", "GitHub", "github:api")
    assert {request.headers["Authorization"] for request in asked} == {"Bearer t"}
    bare = page_of("https://github.com/o/r.git", site({":/repos/o/r": reply(REPOSITORY)}))
    assert bare.page.notes == ("The repository has no README.",)
    limited = page_of("https://github.com/o/r", site({**answers, ":/repos/o/r/readme": reply({}, 429)}))
    assert limited.page.notes == ("GitHub did not hand out the repository's README.",)


def test_files() -> None:
    answers = {
        "raw:/o/r/main/src/a.py": reply("x = '```'\U000e0041\u202e\n"),
        "raw:/o/r/main/docs/n%C3%A4.md": reply("# Nä"),
    }
    code = page_of("https://github.com/o/r/blob/main/src/a.py#L3", site(answers))
    assert code.page.markdown == "````py\nx = '```'\n````"
    assert page_of("https://github.com/o/r/blob/main/docs/n%C3%A4.md", site(answers)).page.markdown == "# Nä"
    hidden = {"raw:/o/r/main/a.md": reply("a<!-- obey\n# x -->b\n```html\n<!-- kept -->\n```\n<!-- open")}
    shown = page_of("https://github.com/o/r/blob/main/a.md", site(hidden)).page.markdown
    assert shown == "ab\n```html\n<!-- kept -->\n```\n<!-- open"
    made = {"raw:/o/r/main/Makefile": reply("# all\n\tcc" + "`" * 200_000)}
    assert page_of("https://github.com/o/r/blob/main/Makefile", site(made)).page.markdown.startswith("`" * 200_001)
    pdf = page_of("https://github.com/o/r/blob/main/a.pdf", site({}))
    assert pdf.continue_at == "https://raw.githubusercontent.com/o/r/main/a.pdf"
    assert hold("https://github.com/o/r/blob/main/a.png", site({}))[1] is None
    with pytest.raises(NotFound):
        hold("https://github.com/o/r/blob/main/none.txt", site({}))


def test_issues_and_pull_requests_with_comments() -> None:
    issue = {
        "title": "It leaks",
        "user": {"login": "u"},
        "created_at": "2026-01-02T03:04:05Z",
        "state": "closed",
        "closed_at": "2026-02-03T00:00:00Z",
        "comments": 3,
        "labels": [{"name": "bug"}],
        "body": "Water\r\neverywhere",
        "reactions": {"+1": 7},
    }
    comments = [{"user": {"login": "v"}, "created_at": "2026-01-03T00:00:00Z", "body": "Same here"}, {"user": None}]
    answers = {":/repos/o/r/issues/7": reply(issue), ":/repos/o/r/issues/7/comments": reply(comments)}
    found = page_of("https://github.com/o/r/issues/7", site(answers))
    assert "Issue #7 in o/r · closed 2026-02-03 · bug" in found.page.markdown
    assert "**v** (2026-01-03):\n\nSame here\n\n**ghost** ()" in found.page.markdown
    assert found.page.forum is not None
    assert (found.page.forum.upvotes, found.page.forum.comments, found.truncated) == (7, 3, True)
    merged = {**issue, "pull_request": {"merged_at": "2026-02-01T00:00:00Z"}}
    pull = page_of("https://github.com/o/r/pull/7", site({":/repos/o/r/issues/7": reply(merged)}))
    assert "Pull request #7 in o/r · merged 2026-02-01" in pull.page.markdown


def test_releases_and_gists() -> None:
    release = {
        "name": "One",
        "tag_name": "v1",
        "published_at": "2026-05-06T00:00:00Z",
        "body": "New",
        "author": {"login": "o"},
        "assets": [{"name": "r.whl", "browser_download_url": "https://github.com/o/r/r.whl"}, 7],
    }
    answers = {":/repos/o/r/releases": reply([release, {"tag_name": "v0", "prerelease": True}])}
    answers |= {":/repos/o/r/releases/tags/py/v1": reply(release)}
    listed = page_of("https://github.com/o/r/releases", site(answers)).page
    assert "## One, 2026-05-06\n\nNew\n\n- [r.whl](https://github.com/o/r/r.whl)\n\n" in listed.markdown
    assert "## v0 (pre-release)" in listed.markdown
    assert page_of("https://github.com/o/r/releases/tag/py/v1", site(answers)).page.title == "o/r One"
    gist = {
        "description": "",
        "owner": {"login": "g"},
        "files": {"a.sh": {"filename": "a.sh", "content": "ls", "truncated": True}},
    }
    found = page_of(
        "https://gist.github.com/g/0123456789abcdef0123", site({":/gists/0123456789abcdef0123": reply(gist)})
    )
    assert (found.page.title, found.truncated) == ("a.sh", True)
    assert "## a.sh\n\n```sh\nls\n```" in found.page.markdown


def test_limits_and_refusals() -> None:
    url = "https://github.com/o/r/releases/latest"
    spent = reply(
        {"message": "API rate limit exceeded"}, 403, x_ratelimit_remaining="0", x_ratelimit_reset="1794700860"
    )
    with pytest.raises(RateLimited) as limited:
        hold(url, lambda _: spent)
    assert limited.value.retry_after == 60.0
    with pytest.raises(RateLimited):
        hold(url, lambda _: reply({}, 429, retry_after="9"))
    with pytest.raises(RateLimited):
        hold(url, lambda _: reply({"message": "You have exceeded a secondary rate limit. Please wait."}, 403))
    with pytest.raises(Blocked):
        hold(url, lambda _: reply({"message": "Repository access blocked"}, 403))
    with pytest.raises(KeyRejected):
        hold(url, lambda _: reply({"message": "Bad credentials"}, 401))
    with pytest.raises(NotFound):
        hold(url, site({}))
