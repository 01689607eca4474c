"""Claims, families, citations and legal events in recorded answers of the EPO."""

from __future__ import annotations

from pathlib import Path

from tests.upstreams.conversation import converse, reply
from tests.upstreams.recorded import recorded
from wellsourced.upstream import Access
from wellsourced.upstreams.epo import AS_INPADOC, patents
from wellsourced.upstreams.helpers.epo_records import parse_citations, parse_claims, parse_events, parse_family
from wellsourced.upstreams.helpers.xml_tree import parse_xml
from wellsourced.upstreams.types.patent import PatentQuery

DESCRIPTION = """<world-patent-data xmlns="http://ops.epo.org"><fulltext-documents><fulltext-document>
<description lang="DE"><p num="1">Ziegel.</p></description>
<description lang="EN"><p num="0001">The invention <b>concerns</b> bricks.</p><p num="0002"> </p><p>They are green.</p>
</description></fulltext-document></fulltext-documents></world-patent-data>"""


def test_recorded_records(shared: Path) -> None:
    def root(file: str):  # type: ignore[no-untyped-def]
        return parse_xml((shared / "wire" / file).read_bytes())

    files = ("more/epo-ops/claims-WO2009085664A2.xml", "epo-ops/claims-EP1000000.xml")
    one_text, one_each = (parse_claims(root(file)) for file in files)
    assert one_text[0].startswith("1. A computer-implemented method comprising: maintaining metadata")
    assert one_text[1].startswith("2. The method of claim 1 , wherein the user action inputs text")
    assert [claim.split(".")[0] for claim in one_text] == [str(n) for n in range(1, len(one_text) + 1)]
    assert len(one_each) > 3 and one_each[1].startswith("2. Apparatus as claimed in claim 1")
    family = parse_family(root("more/epo-ops/family-WO2009085664A2.xml"))
    assert family[:2] == ("WO2009085664A2 2009-07-09", "WO2009085664A3 2009-09-11") and len(family) == len(set(family))
    events = parse_events(root("more/epo-ops/legal-EP1000000A1.xml"))
    assert "2002-06-05 17Q FIRST EXAMINATION REPORT DESPATCHED" in events and list(events) == sorted(
        events, reverse=True
    )
    assert "DE3546191A1 1987-07-02" in parse_citations(root("more/epo-ops/full-cycle-EP1000000.xml"))


def test_a_patent_by_number_comes_with_its_record(shared: Path) -> None:
    access = Access({"EPO_OPS_CONSUMER_KEY": "k", "EPO_OPS_CONSUMER_SECRET": "s"})
    token = reply({"access_token": "t"})
    biblio = recorded(shared, "epo-ops/biblio-EP1000000.xml")
    absent = recorded(shared, "epo-ops/documented-fault-no-results-404.xml", 404)
    legal = recorded(shared, "more/epo-ops/legal-EP1000000A1.xml")
    claims = recorded(shared, "epo-ops/claims-EP1000000.xml")
    steps = patents(PatentQuery(number="EP1000000A1"), access)
    described = reply(DESCRIPTION)
    requests, found = converse(steps, token, biblio, claims, absent, legal, described)
    asked = [request.path.split("/")[-1] for request in requests[2:]]
    assert asked == ["claims", "EP.1000000.A1", "EP.1000000.A1", "description"]
    patent = found.items[0]
    assert patent.description == ("The invention concerns bricks.", "They are green.")
    assert patent.application == "EP99203729A"
    assert patent.claims and patent.legal_events and patent.family == () and AS_INPADOC in found.notes
    _, found = converse(patents(PatentQuery(number="EP1000000A1"), access), token, biblio, reply("busy", 429))
    assert found.items and "could be read" in found.notes[-1]
