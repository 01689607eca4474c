"""arXiv: the recorded abstract page, and where the full text is to be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages.sites.conversation import hold, page_of
from tests.upstreams.conversation import reply
from wellsourced.errors import NotFound, UpstreamChanged

PAPER = "https://arxiv.org/abs/1706.03762"


def test_the_recorded_abstract_page(shared: Path) -> None:
    body = (shared / "pages/scholarly/arxiv-abs-1706.03762.html").read_bytes()
    asked, found = hold(PAPER, lambda _: reply(body))
    assert found is not None
    page = found.page
    assert [request.path for request in asked] == ["/abs/1706.03762"]
    assert (page.title, page.site) == ("Attention Is All You Need", "arXiv.org")
    assert page.author.startswith("Vaswani, Ashish; Shazeer, Noam")
    assert page.date.startswith("2023-08-02")
    assert "The dominant sequence transduction models" in page.markdown
    assert page.structured.citation["citation_arxiv_id"] == "1706.03762"
    assert found.continue_at == "https://arxiv.org/html/1706.03762v7"


def test_without_an_html_version_the_pdf_is_read() -> None:
    body = (
        '<meta name="citation_title" content="On 港 &amp; x &gt; y"/><meta name="citation_author" content="Ö, Ada"/>'
        '<meta name="citation_date" content="2003/09/07"/><a href="/html/other">no</a>'
    )
    found = page_of("https://arxiv.org/abs/math.GT/0309136v2", lambda _: reply(body))
    assert found.continue_at == "https://arxiv.org/pdf/math.GT/0309136v2"
    assert (found.page.title, found.page.author, found.page.date) == ("On 港 & x > y", "Ö, Ada", "2003-09-07")


def test_unknown_papers_and_other_pages() -> None:
    for status in (400, 404):
        with pytest.raises(NotFound):
            hold(PAPER, lambda _, status=status: reply("Article not found", status))  # type: ignore[misc]
    with pytest.raises(UpstreamChanged):
        hold(PAPER, lambda _: reply("<html>maintenance</html>"))
