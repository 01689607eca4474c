"""arXiv's abstract pages: what the paper is, and where its full text stands: the HTML version, or else the PDF.

Facts: abstract pages carry Highwire tags (`citation_title`, `citation_author`, `citation_date`, `citation_arxiv_id`,
`citation_abstract`), and link to `/html/<id>` only where that version exists. Recorded as a page, 2026.
"""

from __future__ import annotations

import re
from html import unescape

from wellsourced.errors import NotFound, UpstreamChanged
from wellsourced.http_exchange import Reply, Request
from wellsourced.pages.page import Page, StructuredData
from wellsourced.pages.site_page import SitePage, SiteSteps, send_request
from wellsourced.text.plain_text import one_line, strip_markup
from wellsourced.text.urls import WebUrl, parse_web_url
from wellsourced.upstream import Access, Provider

SITE = Provider(
    name="arxiv-pages",
    title="arXiv pages",
    bases={"": "https://arxiv.org"},
    about="Abstract pages of arXiv.",
)
DOMAINS = ("arxiv.org", "xxx.lanl.gov")
HOSTS = frozenset({*DOMAINS, "export.arxiv.org", "de.arxiv.org", "cn.arxiv.org"})
PAPER = re.compile(r"(?:\d{4}\.\d{4,5}|[a-z-]{2,12}(?:\.[A-Z]{2})?/\d{7})(?:v\d{1,3})?")
META = re.compile(r"<meta\b([^<>]{1,12000})>", re.I)
ATTRIBUTE = re.compile(r"""(name|property|content)\s*=\s*(?:"([^"]{0,10000})"|'([^']{0,10000})')""", re.I)
HTML_LINK = re.compile(r'href="(?:https?://(?:www\.)?arxiv\.org)?/html/([^"#?]{5,40})"')
DATE = re.compile(r"(\d{4})[/-](\d{2})[/-](\d{2})")
ABSTRACT = ('<blockquote class="abstract', "</blockquote")


def matches(address: WebUrl) -> bool:
    return bool(paper_number(address))


def paper_number(address: WebUrl) -> str:
    """The paper whose abstract page this is, or ""."""
    if address.host not in HOSTS or address.segments[:1] != ("abs",):
        return ""
    number = "/".join(address.segments[1:])
    return number if PAPER.fullmatch(number) else ""


def read(url: str, access: Access) -> SiteSteps[SitePage | None]:
    address = parse_web_url(url)
    number = paper_number(address) if address else ""
    if not number:
        return None
    reply = yield from send_request(Request.get(f"/abs/{number}"))
    if reply.status in {400, 404, 410}:
        raise NotFound(f"arXiv has no paper {number}.")
    tags = _tags(reply.expect_ok().text)
    if not tags.get("citation_title"):
        raise UpstreamChanged("arXiv's abstract page does not name its paper.", detail=reply.summary)
    link = HTML_LINK.search(reply.text)
    full_text = (
        f"https://arxiv.org/html/{link[1]}" if link and PAPER.fullmatch(link[1]) else f"https://arxiv.org/pdf/{number}"
    )
    return SitePage(page=_page(number, tags, reply), extracted_by="arxiv:abs", continue_at=full_text)


def _tags(markup: str) -> dict[str, list[str]]:
    tags: dict[str, list[str]] = {}
    for match in META.finditer(markup):
        attributes = {name.lower(): unescape(double or single) for name, double, single in ATTRIBUTE.findall(match[1])}
        name = attributes.get("name") or attributes.get("property") or ""
        if name.startswith("citation_"):
            tags.setdefault(name, []).append(one_line(attributes.get("content", "")))
    return tags


def _page(number: str, tags: dict[str, list[str]], reply: Reply) -> Page:
    title, authors = tags["citation_title"][0], tags.get("citation_author", [])
    abstract = (tags.get("citation_abstract") or [_abstract(reply.text)])[0]
    date = DATE.search((tags.get("citation_online_date") or tags.get("citation_date") or [""])[0])
    names = "; ".join(authors)
    return Page(
        url=f"https://arxiv.org/abs/{number}",
        markdown="\n\n".join(
            part for part in (f"# {title}", names, f"## Abstract\n\n{abstract}" if abstract else "") if part
        ),
        title=title,
        author=names,
        date="-".join(date.groups()) if date else "",
        site="arXiv.org",
        quality="partial",
        structured=StructuredData(citation={name: "; ".join(values) for name, values in tags.items()}),
    )


def _abstract(markup: str) -> str:
    start = markup.find(ABSTRACT[0])
    end = markup.find(ABSTRACT[1], start) if start >= 0 else -1
    return strip_markup(markup[start:end][:20_000]).removeprefix("Abstract:").strip() if end >= 0 else ""
