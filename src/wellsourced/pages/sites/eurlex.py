"""EUR-Lex: acts and judgments of the European Union, read from CELLAR, since EUR-Lex itself turns programs away.

API: publications.europa.eu/resource/celex/{number} with `Accept: application/xhtml+xml` and a language; 404 unknown,
300 or 406 where there is no text in that form. No key; CC BY 4.0. Consolidated texts have no legal effect. Checked
2026-11-17.
"""

from __future__ import annotations

import re

from wellsourced.errors import NotFound, UpstreamUnavailable
from wellsourced.http_exchange import Request
from wellsourced.pages.page import Page
from wellsourced.pages.site_page import SitePage, SiteSteps, send_request
from wellsourced.text.urls import WebUrl, parse_web_url
from wellsourced.upstream import Access, Pace, Provider

DOMAINS = ("eur-lex.europa.eu",)
SITE = Provider(
    name="eurlex",
    title="EUR-Lex (CELLAR)",
    bases={"": "https://publications.europa.eu"},
    pace=Pace(3, 1.0),
    timeout=30.0,
    about="Acts and judgments of the EU by article.",
)
CELEX = re.compile(r"(?:CELEX:)?([0-9CE][0-9]{4}[A-Z]{1,2}[0-9]{4}(?:\([0-9]{2}\))?(?:-[0-9]{8})?)", re.I)
ELI = {"reg": "R", "dir": "L", "dec": "D", "reg_impl": "R", "reg_del": "R", "dir_del": "L", "dec_impl": "D"}
LANGUAGES = {
    "BG": "bul", "CS": "ces", "DA": "dan", "DE": "deu", "EL": "ell", "EN": "eng", "ES": "spa", "ET": "est",
    "FI": "fin", "FR": "fra", "GA": "gle", "HR": "hrv", "HU": "hun", "IT": "ita", "LT": "lit", "LV": "lav",
    "MT": "mlt", "NL": "nld", "PL": "pol", "PT": "por", "RO": "ron", "SK": "slk", "SL": "slv", "SV": "swe",
}  # fmt: skip
REDIRECTS = frozenset({301, 302, 303, 307, 308})
MOST_HOPS = 4
CONSOLIDATED = "This is a consolidated text, which has no legal effect; the acts in the Official Journal do."


def matches(address: WebUrl) -> bool:
    return address.is_under(*DOMAINS) and bool(_celex(address))


def read(url: str, access: Access) -> SiteSteps[SitePage | None]:
    address = parse_web_url(url)
    celex = _celex(address) if address else ""
    if address is None or not celex:
        return None
    language = next((part.upper() for part in address.segments if part.upper() in LANGUAGES), "EN")
    headers = {"Accept": "application/xhtml+xml, text/html;q=0.9", "Accept-Language": LANGUAGES[language]}
    path = f"/resource/celex/{celex}"
    for _ in range(MOST_HOPS):
        reply = yield from send_request(Request.get(path, headers=headers))
        if reply.status not in REDIRECTS or not reply.headers.get("location"):
            break
        path = reply.headers["location"].replace("http://publications", "https://publications", 1)
    if reply.status == 404:
        raise NotFound(f"CELLAR has no document {celex}.")
    if reply.status in {300, 400, 406}:
        raise UpstreamUnavailable(f"CELLAR has no text of {celex} as a page in {language}.", detail=reply.summary)
    notes = (CONSOLIDATED,) if celex.startswith("0") else ()
    page = Page(url=url, markdown="", site="EUR-Lex", language=language.lower(), notes=notes)
    return SitePage(page=page, extracted_by="cellar:xhtml", reply=reply.expect_ok(), kind="whole_html")


def _celex(address: WebUrl) -> str:
    """From `?uri=CELEX:32016R0679`, or from the parts of an ELI such as /eli/reg/2016/679/oj."""
    if match := CELEX.fullmatch(address.query.get("uri", "").strip()):
        return match[1].upper()
    parts = address.segments
    if parts[:1] != ("eli",) or len(parts) < 4 or parts[1] not in ELI:
        return ""
    year, number = parts[2], parts[3]
    if not re.fullmatch(r"[0-9]{4}", year) or not re.fullmatch(r"[0-9]{1,4}", number):
        return ""
    return f"3{year}{ELI[parts[1]]}{number.zfill(4)}"
