"""arXiv's answers: an Atom feed, empty for nothing found."""

from __future__ import annotations

import re
from html import escape

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.loopback.literature import TOTAL, Work, works
from tests.loopback.upstream import Upstream, whole_number

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"'
    ' xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom">'
)


def entry(work: Work) -> str:
    number = f"{work.year % 100:02}01.{work.number % 100_000:05}"
    people = "".join(f"<author><name>{' '.join(name)}</name></author>" for name in work.authors)
    return (
        f"<entry><id>http://arxiv.org/abs/{number}v1</id><title>{escape(work.title)}</title>"
        f"<published>{work.date}T00:00:00Z</published><updated>{work.date}T00:00:00Z</updated>"
        f"<summary>{escape(work.abstract)}</summary>{people}"
        f'<link title="pdf" href="https://arxiv.org/pdf/{number}v1" rel="related" type="application/pdf"/></entry>'
    )


async def query(request: Request) -> Response:
    words = " ".join(re.findall(r'all:"?([^"\s]+)', request.query_params.get("search_query", "")))
    found = works(words, TOTAL)
    shown = found[: whole_number(request.query_params.get("max_results"), 10)]
    totals = f"<opensearch:totalResults>{len(found)}</opensearch:totalResults>"
    return Response(f"{HEAD}{totals}{''.join(map(entry, shown))}</feed>", media_type="application/atom+xml")


UPSTREAM = Upstream(
    prefix="/arxiv", environment={"ARXIV_BASE_URL": "{base}/arxiv"}, routes=[Route("/api/query", query)]
)
