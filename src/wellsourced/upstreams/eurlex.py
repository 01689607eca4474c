"""EUR-Lex through CELLAR: judgments and acts of the European Union, by number, ECLI or words of their title.

API: publications.europa.eu/webapi/rdf/sparql. No key; CC BY 4.0. Literals are typed, so they are compared as texts;
failures are prose that begins with Virtuoso. What is given is the record; its text is read with scrape_page. Checked
2026-11-17.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from wellsourced.errors import BadInput, UpstreamChanged
from wellsourced.http_exchange import Request, Steps
from wellsourced.upstream import Access, Pace, Provider
from wellsourced.upstreams.helpers.json_fields import parse_rows
from wellsourced.upstreams.helpers.periods import parse_bounds
from wellsourced.upstreams.helpers.sparql import parse_bindings
from wellsourced.upstreams.types.records import Case, CaseQuery, Origin
from wellsourced.upstreams.types.search import ResultSet

PROVIDER = Provider(
    name="eurlex",
    title="EUR-Lex (CELLAR)",
    bases={"": "https://publications.europa.eu"},
    pace=Pace(1, 1.0),
    timeout=60.0,
    preference=42,
    automatic=False,
    about="Judgments and acts of the European Union.",
    attribution="European Union, EUR-Lex (eur-lex.europa.eu), CC BY 4.0.",
)
PAGE = "https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:"
CELEX = re.compile(r"[0-9CE][0-9]{4}[A-Z]{1,2}[0-9]{4}(?:\([0-9]{2}\))?", re.I)
ECLI = re.compile(r"ECLI:EU:[CTF]:[0-9]{4}:[0-9]{1,6}", re.I)
CASE_NUMBER = re.compile(r"(?:case )?([CTF])[-‑–]([0-9]{1,4})/([0-9]{2})", re.I)
WORD = re.compile(r"\w{2,40}")
MOST_WORDS, MOST_RESULTS = 8, 50
# Years of two digits before this one belong to the last century.
FIRST_YEAR = 53
SHORT_COURTS = {"C": "Court of Justice of the European Union", "T": "General Court", "F": "Civil Service Tribunal"}
IN_FORCE = {"true": "in force", "1": "in force", "false": "no longer in force", "0": "no longer in force"}
QUERY = """PREFIX cdm: <http://publications.europa.eu/ontology/cdm#>
SELECT DISTINCT ?work ?celex ?ecli ?date ?type ?title ?force WHERE {{
 ?work cdm:resource_legal_id_celex ?celex . {condition}
 OPTIONAL {{ ?work cdm:case-law_ecli ?ecli }} OPTIONAL {{ ?work cdm:work_date_document ?date }}
 OPTIONAL {{ ?work cdm:work_has_resource-type ?type }} OPTIONAL {{ ?work cdm:resource_legal_in-force ?force }}
 ?expression cdm:expression_belongs_to_work ?work ; cdm:expression_title ?title ;
  cdm:expression_uses_language <http://publications.europa.eu/resource/authority/language/ENG> . {words}
}} ORDER BY DESC(?date) LIMIT {limit}"""


def cases(query: CaseQuery, access: Access) -> Steps[ResultSet[Case]]:
    count = max(1, min(query.count, MOST_RESULTS))
    script = _write_query(" ".join(query.text.split()), query, count + 1)
    headers = {"Accept": "application/sparql-results+json"}
    reply = yield Request.post_form("/webapi/rdf/sparql", {"query": script}, headers=headers)
    rows = parse_rows(parse_bindings(reply, "CELLAR"), _parse_row)
    unique = list({case.url: case for case in rows}.values())
    not_applied = frozenset({"jurisdiction"}) if query.court and not _court_letter(query.court) else frozenset()
    return ResultSet(tuple(unique[:count]), not_applied, more_available=len(unique) > count)


def _write_query(text: str, query: CaseQuery, limit: int) -> str:
    """Only letters, digits and dashes of what was asked become part of the query."""
    condition, words = _condition(text), ""
    if not condition:
        wanted = WORD.findall(text)[:MOST_WORDS]
        if not wanted:
            raise BadInput("Give a CELEX number, an ECLI, a case number such as C-311/18, or words of the title.")
        words = " ".join(f'FILTER(CONTAINS(LCASE(STR(?title)), "{word.lower()}"))' for word in wanted)
    if letter := _court_letter(query.court or ""):
        words += f' FILTER(STRSTARTS(STR(?celex), "6") && SUBSTR(STR(?celex), 6, 1) = "{letter}")'
    start, end = parse_bounds(query.date_from, query.date_to)
    words += f' FILTER(STR(?date) >= "{start.isoformat()}")' if start else ""
    words += f' FILTER(STR(?date) <= "{end.isoformat()}")' if end else ""
    return QUERY.format(condition=condition, words=words, limit=limit)


def _court_letter(court: str) -> str:
    """The letter that a court's decisions have in their CELEX numbers."""
    plain = court.strip().casefold().removeprefix("the ")
    names = {name.casefold(): letter for letter, name in SHORT_COURTS.items()}
    return {**names, "c": "C", "t": "T", "f": "F", "cjeu": "C", "ecj": "C", "court of justice": "C"}.get(plain, "")


def _condition(text: str) -> str:
    if CELEX.fullmatch(text):
        return f'FILTER(STR(?celex) = "{text.upper()}")'
    if ECLI.fullmatch(text):
        return f'?work cdm:case-law_ecli ?asked . FILTER(STR(?asked) = "{text.upper()}")'
    if match := CASE_NUMBER.fullmatch(text):
        court, number, year = match[1].upper(), match[2].zfill(4), int(match[3])
        whole = f"{1900 + year if year >= FIRST_YEAR else 2000 + year}"
        return f'FILTER(STRSTARTS(STR(?celex), "6{whole}{court}") && STRENDS(STR(?celex), "{number}"))'
    return ""


def _parse_row(row: Mapping[str, str]) -> Case:
    value = {name: row.get(name, "") for name in ("celex", "ecli", "date", "type", "title", "force")}
    if not value["celex"]:
        raise UpstreamChanged("CELLAR's answer has a row without a number.")
    parts = [part.strip() for part in value["title"].split("#") if part.strip()]
    name = parts[1] if len(parts) > 1 else parts[0] if parts else value["celex"]
    url = PAGE + value["celex"]
    letter = value["celex"][5:6] if value["celex"].startswith("6") else ""
    return Case(
        case_name=name.rstrip("."),
        url=url,
        origin=Origin(url=url, record=f"CELEX {value['celex']}", vintage=value["date"] or None),
        citations=tuple(filter(None, (value["ecli"],))),
        court=SHORT_COURTS.get(letter),
        date_filed=value["date"] or None,
        docket_number=value["celex"],
        status=", ".join(filter(None, (value["type"].rpartition("/")[2], IN_FORCE.get(value["force"], "")))) or None,
        snippet=parts[0] if len(parts) > 1 else None,
        source=PROVIDER.name,
    )
