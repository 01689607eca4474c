"""EPO Open Patent Services: a token first, then XML; nothing found is a fault with HTTP 404."""

from __future__ import annotations

import re
from html import escape

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.loopback.content import stable_number
from tests.loopback.upstream import Upstream

FAULT = (
    '<?xml version="1.0" encoding="UTF-8"?><fault xmlns="http://ops.epo.org"><code>SERVER.EntityNotFound</code>'
    "<message>No results found</message></fault>"
)
BAD_TOKEN = "<error><code>400</code><message>invalid_access_token</message></error>"
TOKEN = "loopback-token"


async def token(request: Request) -> Response:
    if not request.headers.get("authorization", "").startswith("Basic "):
        return JSONResponse({"ErrorCode": "invalid_client"}, 401)
    return JSONResponse({"access_token": TOKEN, "token_type": "BearerToken", "expires_in": "1199"})


def document(words: str, rank: int) -> str:
    office, kind = (("EP", "B1"), ("US", "A1"), ("WO", "A1"))[rank % 3]
    digits = f"2020{100_000 + stable_number(words) % 800_000 + rank}" if office != "EP" else f"{3_000_000 + rank}"
    owner = "SIEMENS ENERGY GLOBAL GMBH &amp; CO. KG" if rank % 2 else "Siemens AG"
    return f"""<exchange-documents><exchange-document country="{office}" doc-number="{digits}" kind="{kind}">
<bibliographic-data><publication-reference><document-id document-id-type="docdb"><date>{2019 + rank % 3}0506</date>
</document-id></publication-reference><application-reference><document-id document-id-type="epodoc">
<date>{2017 + rank % 3}0203</date></document-id></application-reference><parties><applicants>
<applicant data-format="original"><applicant-name><name>{owner}</name></applicant-name></applicant></applicants>
<inventors><inventor data-format="original"><inventor-name><name>CROSBY, Andrew</name></inventor-name></inventor>
</inventors></parties><invention-title lang="de">Gerät {rank}</invention-title>
<invention-title lang="en">{escape(words)} device {rank}</invention-title></bibliographic-data>
<abstract lang="en"><p>What it does, {rank} times.</p></abstract></exchange-document></exchange-documents>"""


async def search(request: Request) -> Response:
    if request.headers.get("authorization") != f"Bearer {TOKEN}":
        return Response(BAD_TOKEN, 400, media_type="text/xml")
    words = " ".join(re.findall(r'(?:ta|pa)="([^"]+)"', request.query_params.get("q", "")))
    if "nothing" in words or not words:
        return Response(FAULT, 404, media_type="application/xml")
    last = int(request.query_params.get("Range", "1-25").partition("-")[2])
    found = "".join(document(words, rank) for rank in range(1, min(last, 12) + 1))
    return Response(
        '<ops:world-patent-data xmlns="http://www.epo.org/exchange" xmlns:ops="http://ops.epo.org">'
        f'<ops:biblio-search total-result-count="12"><ops:search-result>{found}</ops:search-result>'
        "</ops:biblio-search></ops:world-patent-data>",
        media_type="application/xml",
    )


UPSTREAM = Upstream(
    prefix="/epo",
    environment={"EPO_BASE_URL": "{base}/epo"},
    routes=[
        Route("/3.2/auth/accesstoken", token, methods=["POST"]),
        Route("/3.2/rest-services/published-data/search/biblio", search),
    ],
)
