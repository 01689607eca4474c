"""Google Patents' pages: the patent's facts in `itemprop`, before those of the documents it cites."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from tests.loopback.content import stable_number
from tests.loopback.upstream import Upstream

OWNERS = ("Example, Inc.", "EXAMPLE INC", "Beispiel GmbH & Co. KG", "株式会社例")


def page(number: str) -> str:
    seed = stable_number(number.rstrip("AB12"))
    owner, year = OWNERS[seed % len(OWNERS)], 2012 + seed % 8
    grant = ""
    if re.search(r"B[12]?$", number):
        grant = (
            f'<dd itemprop="events" itemscope repeat><time itemprop="date" datetime="{year + 3}-05-06">{year + 3}-05-06'
            '</time><span itemprop="title">Application granted</span><span itemprop="type">granted</span></dd>'
        )
    return f"""<!doctype html><html lang="en"><head><title>{number} - Device {seed % 90} - Google Patents</title></head>
<body><search-app><article class="result" itemscope><h1 itemprop="pageTitle">{number} - Device</h1>
<span itemprop="title">Device {seed % 90} for testing</span><meta itemprop="type" content="patent">
<a href="https://patentimages.storage.googleapis.com/{number}.pdf" itemprop="pdfLink">Download PDF</a>
<dl><dd itemprop="publicationNumber">{number}</dd><meta itemprop="kindCode" content="B2">
<dd itemprop="legalStatusIfi" itemscope><span itemprop="status">Active</span></dd></dl>
<dd itemprop="inventor" repeat>Ada Lovelace</dd><dd itemprop="inventor" repeat>Émilie du Châtelet</dd>
<dd itemprop="assigneeCurrent" repeat>{owner}</dd><dd itemprop="assigneeOriginal" repeat>{owner}</dd>
<dd><time itemprop="priorityDate" datetime="{year - 1}-02-03">{year - 1}-02-03</time></dd>
<dd><time itemprop="filingDate" datetime="{year}-02-03">{year}-02-03</time></dd>
<dd><time itemprop="publicationDate" datetime="{year + 3}-05-06">{year + 3}-05-06</time></dd>{grant}
<section itemprop="abstract" itemscope><h2>Abstract</h2><div itemprop="content">A device that is tested.</div></section>
<section itemprop="claims" itemscope><h2>Claims (2)</h2><div itemprop="content"><div class="claim" num="00001">1. A
device comprising a turbine.</div><div class="claim" num="00002">2. The device of claim 1.</div></div></section>
<ul itemprop="classifications"><li><span itemprop="Code">G06F3/01</span></li></ul>
<table><tr itemprop="backwardReferences" itemscope><td><span itemprop="publicationNumber">US1234567A</span></td>
<td itemprop="priorityDate">1999-01-01</td><td><span itemprop="assigneeOriginal">Somebody Else</span></td></tr></table>
</article></search-app></body></html>"""


async def patent(request: Request) -> Response:
    """Numbers that begin with 99 do not exist, and a number needs its kind code."""
    number = request.path_params["number"]
    if not re.fullmatch(r"[A-Z]{2}\d+[A-Z]\d?", number) or number[2:4] == "99":
        return HTMLResponse("<!doctype html><title>Error 404 (Not Found)</title>", 404)
    return HTMLResponse(page(number))


UPSTREAM = Upstream(
    prefix="/google-patents",
    environment={"GOOGLE_PATENTS_BASE_URL": "{base}/google-patents"},
    routes=[Route("/patent/{number}/en", patent)],
)
