"""A bibliography from stdin, entry by entry; strict for scripts."""

from __future__ import annotations

import json

from tests.cli.running import all_on_loopback, run
from tests.loopback.run import Internet
from wellsourced.cli.audit import strict_status

REAL = "@article{a, title={A study of tides, part 1}, doi={10.1000/tides.1}, year=2016}\n"
INVENTED = "@article{b, title={Nothing at all}, doi={10.9999/never.was.1}}\n"


def test_entries_are_told_apart(environment: dict[str, str], internet: Internet) -> None:
    environment = all_on_loopback(environment, internet.base)
    ran = run(environment, "audit", "-", stdin=REAL + INVENTED)
    rows = [line.split("\t") for line in ran.out.splitlines()[:2]]
    assert (ran.status, [row[1:4] for row in rows]) == (
        0,
        [["yes", "ok", "[a] A study of tides, part 1"], ["no", "not_found", "[b] Nothing at all"]],
    )


def test_strict_fails_for_what_is_wrong_alone(environment: dict[str, str], internet: Internet) -> None:
    environment = all_on_loopback(environment, internet.base)
    assert run(environment, "audit", "-", "--strict", stdin=REAL).status == 0
    ran = run(environment, "audit", "-", "--strict", "--json", stdin=REAL + INVENTED)
    assert (ran.status, json.loads(ran.out)["summary"]["notFound"]) == (1, 1)
    assert strict_status({"entries": [{"flags": []}], "skipped": 400}) == 1


def test_strict_has_a_code_of_its_own_where_nobody_could_look(environment: dict[str, str], internet: Internet) -> None:
    environment = all_on_loopback(environment, internet.base)
    for upstream in ("/crossref", "/openalex", "/doi_org", "/doi", "/semanticscholar", "/arxiv", "/pubmed", "/open"):
        internet.control(upstream, status=503, body="down")
    ran = run(environment, "audit", "-", "--strict", "--json", stdin=REAL)
    assert (ran.status, json.loads(ran.out)["summary"]["unchecked"]) == (5, 1)
    assert run(environment, "audit", "-", stdin=REAL).status == 0


def test_what_could_not_be_read_is_told_with_its_line(environment: dict[str, str], internet: Internet) -> None:
    ran = run(all_on_loopback(environment, internet.base), "audit", "-", stdin=REAL + "@misc{c,\n@article{d,title={x")
    assert "Line 2: The entry 'c'" in ran.err
    assert "not found 0" in ran.out.splitlines()[-1]
