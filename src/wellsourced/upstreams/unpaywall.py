"""Unpaywall: where the work of a DOI can be read freely.

API: unpaywall.org/products/api. No key, but an e-mail address is mandatory (HTTP 422 without). DOIs of other agencies
than Crossref are unknown to it (404). An open work need not have a PDF in its best place. Checked 2026-11-15.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wellsourced.errors import Misconfigured, NotFound, UpstreamChanged, UpstreamUnavailable
from wellsourced.http_exchange import Reply, Request, Steps
from wellsourced.settings.setting import Setting
from wellsourced.text.identifiers import doi_path, normalise_doi
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import as_object, as_text, as_web_address, objects_in
from wellsourced.upstreams.types.paper import OpenCopy

PROVIDER = Provider(
    name="unpaywall",
    title="Unpaywall",
    bases={"": "https://api.unpaywall.org"},
    uses=(
        Setting("UNPAYWALL_EMAIL", "Address that Unpaywall asks for; OPENALEX_EMAIL stands in for it."),
        Setting("OPENALEX_EMAIL", "Contact address sent to OpenAlex, and to Unpaywall when it has none of its own."),
    ),
    pace=Pace(10, 1.0),
    timeout=15,
    preference=10,
    about="Free copies of published articles, by DOI.",
)


def open_copy(doi: str, access: Access) -> Steps[OpenCopy]:
    email = access["UNPAYWALL_EMAIL"] or access["OPENALEX_EMAIL"]
    if not email:
        raise Misconfigured("Unpaywall wants an e-mail address: set UNPAYWALL_EMAIL or OPENALEX_EMAIL.")
    reply = yield Request.get(f"/v2/{doi_path(doi)}", {"email": email})
    return _parse_copy(_parse_reply(reply, doi))


def _parse_reply(reply: Reply, doi: str) -> Mapping[str, Any]:
    is_ours = reply.body.lstrip().startswith(b"{")
    message = as_text(as_object(reply.json()).get("message")) if is_ours else ""
    if reply.status == 404 and message:
        raise NotFound(f"Unpaywall does not know the DOI {normalise_doi(doi)}.")
    if reply.status == 422:
        raise Misconfigured(f"Unpaywall does not accept the e-mail address: {message or reply.summary}")
    if reply.status == 404:
        raise UpstreamChanged("Unpaywall's answer was a page of somebody else.", detail=reply.summary)
    body = reply.expect_ok().json()
    if not isinstance(body, dict) or body.get("error"):
        raise UpstreamUnavailable(f"Unpaywall refused the request: {message[:300] or reply.summary}")
    return body


def _parse_copy(body: Mapping[str, Any]) -> OpenCopy:
    doi, is_open = normalise_doi(str(body["doi"])), body["is_oa"]
    if not doi or not isinstance(is_open, bool):
        raise UpstreamChanged("Unpaywall's answer does not say whether the work is open.")
    best = as_object(body["best_oa_location"])
    places = [best, *objects_in(body.get("oa_locations"))]
    pdf = next((url for place in places if (url := as_web_address(place.get("url_for_pdf")))), None)
    return OpenCopy(
        doi=doi,
        is_open=is_open,
        pdf_url=pdf,
        landing_url=as_web_address(best.get("url_for_landing_page")) or as_web_address(best.get("url")),
    )
