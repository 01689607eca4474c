"""SEC EDGAR on its three hosts: the list of tickers, filings and figures of one company, full-text search.

Whoever does not give a contact address in the User-Agent is taken for a robot. The figures hold the usual trap: a year
and a quarter under one name, with the same last day, in the same annual report; or a later quarter than any year.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from tests.loopback.content import has_word
from tests.loopback.upstream import Upstream

QUARRY, HARBOR = "0001900001", "0001900002"
TICKERS = {
    "0": {"cik_str": 1900001, "ticker": "QRRY", "title": "Quarry Pumps Inc."},
    "1": {"cik_str": 1900002, "ticker": "HKT-B", "title": "HARBOR KITES CORP /DE/"},
}
ROWS = [
    ("0001900001-25-000031", "10-Q", "2025-05-02", "2025-03-31", "qrry-20250331.htm", "10-Q"),
    ("0001900001-25-000011", "10-K", "2025-02-14", "2024-12-31", "qrry-20241231.htm", "10-K"),
    ("0001900001-24-000077", "8-K", "2024-11-04", "2024-11-01", "", ""),
    ("0001900001-24-000012", "10-K", "2024-02-16", "2023-12-31", "qrry-20231231.htm", "10-K"),
]
COLUMNS = ("accessionNumber", "form", "filingDate", "reportDate", "primaryDocument", "primaryDocDescription")
ANNUAL = '"accn":"0001900001-25-000011","fy":2024,"fp":"FY","form":"10-K","filed":"2025-02-14"'
YEAR_BEFORE = '"accn":"0001900001-24-000012","fy":2023,"fp":"FY","form":"10-K","filed":"2024-02-16"'
QUARTERLY = '"accn":"0001900001-25-000031","fy":2025,"fp":"Q1","form":"10-Q","filed":"2025-05-02"'
FACTS = f"""{{"cik":1900001,"entityName":"Quarry Pumps Inc.","facts":{{"us-gaap":{{
"Revenues":{{"label":"Revenues","description":"Amount of revenue.","units":{{"USD":[
{{"start":"2024-01-01","end":"2024-12-31","val":4812345678,{ANNUAL},"frame":"CY2024"}},
{{"start":"2024-10-01","end":"2024-12-31","val":1301000000,{ANNUAL},"frame":"CY2024Q4"}},
{{"start":"2025-01-01","end":"2025-03-31","val":1150000000,{QUARTERLY},"frame":"CY2025Q1"}}]}}}},
"Assets":{{"label":"Assets","description":null,"units":{{"USD":[
{{"end":"2024-12-31","val":9000000001,{ANNUAL},"frame":"CY2024Q4I"}}]}}}},
"EarningsPerShareBasic":{{"label":"Earnings Per Share, Basic","description":null,"units":{{"USD/shares":[
{{"start":"2024-01-01","end":"2024-12-31","val":3.10,{ANNUAL},"frame":"CY2024"}},
{{"start":"2025-01-01","end":"2025-03-31","val":0.70,{QUARTERLY}}}]}}}},
"OperatingIncomeLoss":{{"label":"Operating Income (Loss)","description":null,"units":{{"USD":[
{{"start":"2023-01-01","end":"2023-12-31","val":700000000,{YEAR_BEFORE},"frame":"CY2023"}},
{{"start":"2024-10-01","end":"2024-12-31","val":210000000,{ANNUAL},"frame":"CY2024Q4"}}]}}}}}}}}}}"""
NO_SUCH_KEY = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>NoSuchKey</Code>'
    "<Message>The specified key does not exist.</Message></Error>"
)
ROBOT = "<html><head><title>SEC.gov | Your Request Originates from an Undeclared Automated Tool</title></head></html>"


def is_declared(request: Request) -> bool:
    return "@" in request.headers.get("user-agent", "")


async def tickers(request: Request) -> Response:
    return JSONResponse(TICKERS) if is_declared(request) else HTMLResponse(ROBOT, 403)


async def submissions(request: Request) -> Response:
    names = {f"CIK{QUARRY}.json": "Quarry Pumps Inc.", f"CIK{HARBOR}.json": "HARBOR KITES CORP /DE/"}
    file = request.path_params["file"]
    if file not in names:
        return Response(NO_SUCH_KEY, 404, media_type="application/xml")
    rows = ROWS if QUARRY in file else []
    recent = {name: [row[place] for row in rows] for place, name in enumerate(COLUMNS)}
    return JSONResponse({"cik": file[3:13], "name": names[file], "filings": {"recent": recent, "files": []}})


async def facts(request: Request) -> Response:
    if request.path_params["file"] != f"CIK{QUARRY}.json":
        return Response(NO_SUCH_KEY, 404, media_type="application/xml")
    return Response(FACTS, media_type="application/json")


def hit(place: int, query: str) -> dict[str, Any]:
    accession = f"0001900002-24-0000{place:02}"
    about = {
        "ciks": [HARBOR],
        "period_ending": "2024-06-30",
        "display_names": [f"HARBOR KITES CORP /DE/  (HKT-B)  (CIK {HARBOR})"],
        "xsl": None,
        "sequence": 2,
        "root_forms": ["8-K"],
        "file_date": f"2024-07-{place:02}",
        "form": "8-K",
        "adsh": accession,
        "file_type": "EX-99.1",
        "file_description": f"Letter on {query}"[:60],
        "items": ["8.01"],
    }
    return {"_index": "edgar_file", "_id": f"{accession}:letter{place}.htm", "_score": 9.5, "_source": about}


async def full_text(request: Request) -> Response:
    query = request.query_params.get("q", "")
    hits = [] if has_word(query, "nothing") else [hit(place, query) for place in range(1, 7)]
    total = {"value": len(hits), "relation": "eq"}
    return JSONResponse({"took": 4, "timed_out": False, "hits": {"total": total, "max_score": None, "hits": hits}})


RISK = "Currents may change, and with them the depth of the quarry basin and the price of pumps. "


async def archived(request: Request) -> Response:
    """An annual report as filers write it: bold lines for headings, a table of contents, mentions in between."""
    items = (("1", "Business"), ("1A", "Risk Factors"), ("2", "Properties"), ("3", "Legal Proceedings"))
    contents = "".join(f'<tr><td><a href="#i{n}">Item {n}.</a></td><td>{title}</td></tr>' for n, title in items)
    text = "".join(
        f'<div id="i{n}"><span style="font-weight:700">Item {n}. {title}</span></div>'
        + f"<p>See Item 1A. Risk Factors. {RISK}</p>" * (120 if n == "1A" else 3)
        + f"<p>End of {title}.</p>"
        for n, title in items
    )
    cover = "<p>SECURITIES AND EXCHANGE COMMISSION</p><p>FORM 10-K</p><p>Commission File Number 1-2</p>"
    return HTMLResponse(f"<html><body>{cover}<table>{contents}</table><b>PART I</b>{text}</body></html>")


UPSTREAM = Upstream(
    prefix="/edgar",
    environment={
        "EDGAR_BASE_URL": "{base}/edgar/www",
        "EDGAR_DATA_BASE_URL": "{base}/edgar/data",
        "EDGAR_EFTS_BASE_URL": "{base}/edgar/efts",
    },
    keys={"EDGAR_CONTACT_EMAIL": "reader@library.example"},
    routes=[
        Route("/www/files/company_tickers.json", tickers),
        Route("/data/submissions/{file}", submissions),
        Route("/data/api/xbrl/companyfacts/{file}", facts),
        Route("/efts/LATEST/search-index", full_text),
        Route("/www/Archives/edgar/data/{path:path}", archived),
    ],
)
