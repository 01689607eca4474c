"""GitHub: repositories by their README, files, folders, issues and pull requests with comments, releases, gists.

API: docs.github.com/rest · Key: none needed (60 requests an hour); GITHUB_TOKEN raises that to 5,000. A spent limit is
403 or 429 with `x-ratelimit-remaining: 0` and `x-ratelimit-reset`. Files come from raw.githubusercontent.com, which is
not counted. Follows the documentation, not a recording.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias
from urllib.parse import quote

from wellsourced.errors import KeyRejected, NotFound, RateLimited, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Reply, Request
from wellsourced.pages.page import ForumSignals, Page
from wellsourced.pages.site_page import SitePage, SiteSteps, send_request, send_requests
from wellsourced.settings.setting import Setting
from wellsourced.text.plain_text import as_rendered, one_line, strip_invisible
from wellsourced.text.urls import WebUrl, parse_web_url
from wellsourced.upstream import Access, Provider

DOMAINS = ("github.com",)
SITE = Provider(
    name="github",
    title="GitHub",
    bases={"": "https://api.github.com", "raw": "https://raw.githubusercontent.com"},
    uses=(Setting("GITHUB_TOKEN", "GitHub token; without it 60 requests an hour are allowed.", secret=True),),
    about="Repositories, files, issues, releases and gists.",
)
NOT_OWNERS = {
    "about", "features", "pricing", "topics", "trending", "collections", "marketplace", "settings", "login", "join",
    "search", "explore", "sponsors", "orgs", "notifications", "issues", "pulls", "codespaces", "apps", "enterprise",
    "customer-stories", "security", "readme", "new", "site", "contact",
}  # fmt: skip
DOCUMENTS = (".pdf", ".docx", ".pptx", ".xlsx", ".epub", ".odt", ".rtf", ".html", ".htm", ".ipynb")
PICTURES = (
    ".png",
    ".jpg",
    ".jpeg",
    ".gif",
    ".webp",
    ".svg",
    ".zip",
    ".gz",
    ".mp4",
    ".ico",
    ".woff",
    ".woff2",
    ".exe",
    ".so",
)
PROSE = (".md", ".markdown", ".mdx", ".txt", ".rst", ".adoc", ".org")
PROSE_NAMES = ("readme", "license", "copying", "notice", "authors", "changelog", "changes", "news", "install")
COMMENTS = 30
RELEASES = 10
MOST_ASSETS = 30
LONGEST_FILE = 1_000_000

FORMS = {"json": "application/vnd.github+json", "raw": "application/vnd.github.raw+json"}

Fields: TypeAlias = Mapping[str, Any]
Reader: TypeAlias = Callable[[str, tuple[str, ...], Access], SiteSteps[SitePage | None]]


def matches(address: WebUrl) -> bool:
    return _reader(address) is not None


def read(url: str, access: Access) -> SiteSteps[SitePage | None]:
    address = parse_web_url(url)
    reader = _reader(address) if address else None
    if address is None or reader is None:
        return None
    return (yield from reader(url, address.segments, access))


def _reader(address: WebUrl) -> Reader | None:
    """The function for this kind of page, or None for pages that are read like any other."""
    parts = address.segments
    if address.host == "gist.github.com":
        return _gist if parts and parts[-1].isalnum() and len(parts[-1]) >= 20 and len(parts) < 3 else None
    if address.host != "github.com" or len(parts) < 2 or parts[0].lower() in NOT_OWNERS:
        return None
    kind = parts[2] if len(parts) > 2 else ""
    if kind in {"issues", "pull", "pulls"}:
        return _thread if len(parts) == 4 and parts[3].isascii() and parts[3].isdecimal() else None
    if kind == "releases":
        return _releases if len(parts) == 3 or parts[3] in {"latest", "tag"} else None
    if kind in {"blob", "raw"}:
        return _file if len(parts) > 4 else None
    return _repository if len(parts) == 2 else None


def _repository(url: str, parts: tuple[str, ...], access: Access) -> SiteSteps[SitePage | None]:
    parts = (parts[0], parts[1].removesuffix(".git"))
    where = f"/repos/{_quoted(parts)}"
    about, readme = yield from send_requests([_get(where, access), _get(f"{where}/readme", access, form="raw")])
    facts = _fields(about, "repository", access)
    text = _checked(readme, "README", access).text if readme is not None and readme.status == 200 else ""
    name = one_line(str(facts.get("full_name") or "/".join(parts[:2])))
    head = [f"# {name}", one_line(str(facts.get("description") or "")), " · ".join(_repository_facts(facts))]
    page = Page(
        url=f"https://github.com/{name}",
        markdown="\n\n".join(part for part in [*head, as_rendered(text[:LONGEST_FILE]).strip()] if part),
        title=f"{name}: {facts['description']}" if facts.get("description") else name,
        author=_login(facts.get("owner")),
        date=str(facts.get("pushed_at") or "")[:10],
        site="GitHub",
        content_type="markdown",
        notes=() if text else (_no_readme(readme),),
    )
    return SitePage(page=page, extracted_by="github:api", truncated=len(text) > LONGEST_FILE)


def _no_readme(reply: Reply | None) -> str:
    if reply is not None and reply.status in {200, 404}:
        return "The repository has no README."
    return "GitHub did not hand out the repository's README."


def _repository_facts(facts: Fields) -> Iterator[str]:
    for name, label in (("stargazers_count", "stars"), ("forks_count", "forks"), ("open_issues_count", "open issues")):
        if isinstance(facts.get(name), int):
            yield f"{facts[name]:,} {label}"
    licence = facts.get("license")
    yield from (
        str(value)
        for value in (facts.get("language"), licence.get("spdx_id") if isinstance(licence, dict) else None)
        if value
    )
    if facts.get("archived"):
        yield "archived"


def _file(url: str, parts: tuple[str, ...], access: Access) -> SiteSteps[SitePage | None]:
    name, path = parts[-1], _quoted((*parts[:2], *parts[3:]))
    lowered = name.lower()
    if lowered.endswith(PICTURES):
        return None
    page = Page(
        url=url, markdown="", title=f"{'/'.join(parts[4:])} in {parts[0]}/{parts[1]}", author=parts[0], site="GitHub"
    )
    if lowered.endswith(DOCUMENTS):
        address = f"{SITE.bases['raw']}/{path}"
        return SitePage(page=page, extracted_by="github:raw", continue_at=address)
    reply = yield from send_request(Request.get(f"/{path}", host="raw"))
    body = _checked(reply, "file", access).body
    if b"\x00" in body[:8000]:
        return None
    text = body[:LONGEST_FILE].decode("utf-8", "replace")
    is_prose = lowered.endswith(PROSE) or ("." not in lowered and lowered.startswith(PROSE_NAMES))
    markdown = as_rendered(text) if is_prose else _fenced(text, lowered.rsplit(".", 1)[-1])
    shown = Page(
        url=url, markdown=markdown, title=page.title, author=page.author, site="GitHub", content_type="markdown"
    )
    return SitePage(page=shown, extracted_by="github:raw", truncated=len(body) > LONGEST_FILE)


def _thread(url: str, parts: tuple[str, ...], access: Access) -> SiteSteps[SitePage | None]:
    where = f"/repos/{_quoted(parts[:2])}/issues/{parts[3]}"
    thread, comments = yield from send_requests(
        [_get(where, access), _get(f"{where}/comments", access, per_page=COMMENTS)]
    )
    issue = _fields(thread, "issue", access)
    listed = comments.json() if comments is not None and comments.status == 200 else []
    voices = [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []
    kind = "Pull request" if issue.get("pull_request") else "Issue"
    count = issue["comments"] if isinstance(issue.get("comments"), int) else -1
    title = one_line(str(issue.get("title") or ""))
    states = [f"{kind} #{parts[3]} in {parts[0]}/{parts[1]}", _state(issue), *_labels(issue)]
    said = [_voice(issue), *(["## Comments"] if voices else []), *(_voice(item) for item in voices)]
    page = Page(
        url=str(issue.get("html_url") or url),
        markdown="\n\n".join([f"# {title}", " · ".join(part for part in states if part), *said]),
        title=title,
        author=_login(issue.get("user")),
        date=str(issue.get("created_at") or "")[:10],
        site="GitHub",
        content_type="markdown",
        forum=_signals(issue, count),
    )
    return SitePage(page=page, extracted_by="github:api", truncated=count > len(voices))


def _signals(issue: Fields, comments: int) -> ForumSignals:
    reactions = issue.get("reactions")
    likes = reactions.get("+1") if isinstance(reactions, dict) else None
    return ForumSignals(
        platform="github",
        upvotes=likes if isinstance(likes, int) else -1,
        comments=comments,
        date_published=str(issue.get("created_at") or ""),
        author_name=_login(issue.get("user")),
    )


def _state(issue: Fields) -> str:
    pull = issue.get("pull_request")
    if isinstance(pull, dict) and pull.get("merged_at"):
        return f"merged {str(pull['merged_at'])[:10]}"
    closed = f" {str(issue['closed_at'])[:10]}" if issue.get("closed_at") else ""
    return f"{issue.get('state') or ''}{closed}"


def _labels(issue: Fields) -> Iterator[str]:
    labels = issue.get("labels")
    for label in labels if isinstance(labels, list) else ():
        yield one_line(str(label.get("name") if isinstance(label, dict) else label))


def _voice(item: Fields) -> str:
    body = as_rendered(str(item.get("body") or "")).strip() or "(no text)"
    return f"**{_login(item.get('user')) or 'ghost'}** ({str(item.get('created_at') or '')[:10]}):\n\n{body}"


def _releases(url: str, parts: tuple[str, ...], access: Access) -> SiteSteps[SitePage | None]:
    where = f"/repos/{_quoted(parts[:2])}/releases"
    if len(parts) == 3:
        reply = yield from send_request(_get(where, access, per_page=RELEASES))
    elif parts[3] == "tag":
        reply = yield from send_request(_get(f"{where}/tags/{_quoted(parts[4:])}", access))
    else:
        reply = yield from send_request(_get(f"{where}/latest", access))
    answer = _checked(reply, "release", access).json()
    listed = [item for item in (answer if isinstance(answer, list) else [answer]) if isinstance(item, dict)]
    if not listed:
        return None
    title = f"Releases of {parts[0]}/{parts[1]}" if len(parts) == 3 else _release_name(listed[0])
    page = Page(
        url=url if len(parts) == 3 else str(listed[0].get("html_url") or url),
        markdown="\n\n".join([f"# {title}", *(_release(item) for item in listed)]),
        title=title if len(parts) == 3 else f"{parts[0]}/{parts[1]} {title}",
        author=_login(listed[0].get("author")),
        date=str(listed[0].get("published_at") or "")[:10],
        site="GitHub",
        content_type="markdown",
    )
    return SitePage(page=page, extracted_by="github:api", truncated=len(parts) == 3 and len(listed) == RELEASES)


def _release_name(release: Fields) -> str:
    return one_line(str(release.get("name") or release.get("tag_name") or "Release"))


def _release(release: Fields) -> str:
    early = " (pre-release)" if release.get("prerelease") else ""
    notes = as_rendered(str(release.get("body") or "")).strip()
    heading = f"## {_release_name(release)}{early}, {str(release.get('published_at') or '')[:10]}"
    return "\n\n".join(part for part in (heading, notes, "\n".join(_assets(release))) if part)


def _assets(release: Fields) -> Iterator[str]:
    """The files to download; of many a release they are all there is."""
    listed = release.get("assets")
    for asset in listed[:MOST_ASSETS] if isinstance(listed, list) else ():
        if isinstance(asset, dict) and str(asset.get("browser_download_url")).startswith("https://"):
            yield f"- [{one_line(str(asset.get('name') or 'file'))}]({asset['browser_download_url']})"


def _gist(url: str, parts: tuple[str, ...], access: Access) -> SiteSteps[SitePage | None]:
    reply = yield from send_request(_get(f"/gists/{parts[-1]}", access))
    gist = _fields(reply, "gist", access)
    files = (
        [item for item in gist["files"].values() if isinstance(item, dict)]
        if isinstance(gist.get("files"), dict)
        else []
    )
    title = one_line(str(gist.get("description") or "")) or ", ".join(str(item.get("filename")) for item in files)
    page = Page(
        url=str(gist.get("html_url") or url),
        markdown="\n\n".join([f"# {title}", *(_gist_file(item) for item in files)]),
        title=title,
        author=_login(gist.get("owner")),
        date=str(gist.get("created_at") or "")[:10],
        site="GitHub Gist",
        content_type="markdown",
    )
    return SitePage(page=page, extracted_by="github:api", truncated=any(item.get("truncated") for item in files))


def _gist_file(item: Fields) -> str:
    name, text = one_line(str(item.get("filename") or "")), str(item.get("content") or "")[:LONGEST_FILE]
    is_prose = name.lower().endswith(PROSE)
    return f"## {name}\n\n{as_rendered(text) if is_prose else _fenced(text, name.rsplit('.', 1)[-1])}"


def _get(path: str, access: Access, *, form: str = "json", per_page: int | None = None) -> Request:
    headers = {"Accept": FORMS[form], "X-GitHub-Api-Version": "2022-11-28"}
    if token := access["GITHUB_TOKEN"]:
        headers["Authorization"] = f"Bearer {token}"
    return Request.get(path, {"per_page": per_page}, headers=headers)


def _checked(reply: Reply | None, thing: str, access: Access) -> Reply:
    if reply is None:
        raise UpstreamUnavailable(f"GitHub did not answer for this {thing}.")
    if reply.status == 429 or (reply.status == 403 and _is_limit(reply)):
        wait = reply.retry_after or _seconds_to_reset(reply, access)
        raise RateLimited("GitHub's limit for requests is used up; GITHUB_TOKEN raises it.", retry_after=wait)
    if reply.status == 401:
        raise KeyRejected("GitHub does not accept GITHUB_TOKEN.")
    if reply.status in {404, 410}:
        raise NotFound(f"GitHub has no such {thing}, or it is private.")
    return reply.expect_ok()


def _is_limit(reply: Reply) -> bool:
    """The limit on bursts (`secondary`) may stand in the message alone."""
    is_spent = reply.headers.get("x-ratelimit-remaining") == "0" or reply.retry_after is not None
    return is_spent or "rate limit" in reply.text[:1000].lower()


def _seconds_to_reset(reply: Reply, access: Access) -> float | None:
    reset = reply.headers.get("x-ratelimit-reset", "")
    return max(1.0, int(reset) - access.now.timestamp()) if reset.isdecimal() and len(reset) < 12 else None


def _fields(reply: Reply | None, thing: str, access: Access) -> Fields:
    answer = _checked(reply, thing, access).json()
    if not isinstance(answer, dict):
        raise UpstreamChanged(f"GitHub's answer is not a {thing}.")
    return answer


def _fenced(text: str, language: str) -> str:
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language if language.isalnum() else ''}\n{strip_invisible(text).rstrip()}\n{fence}"


def _quoted(parts: tuple[str, ...]) -> str:
    return "/".join(quote(part, safe="") for part in parts)


def _login(user: object) -> str:
    return one_line(str(user.get("login") or "")) if isinstance(user, dict) else ""
