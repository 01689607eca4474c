"""The example in docs/projects.md, line by line, with an address of the loopback internet in place of its own."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tests.cli.running import run
from tests.loopback.run import Internet
from tests.projects.test_projects import MASTERS, reading, serve

__all__ = ["reading"]

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "projects.md"
ADDRESS = "https://harbour.example/tides"


def test_the_example_works(reading: dict[str, str], internet: Internet, tmp_path: Path) -> None:
    url = serve(internet)
    blocks = re.findall(r"```sh\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    assert len(lines) == 11
    told = []
    for line in lines:
        words = [word.replace(ADDRESS, url) for word in shlex.split(line)[1:]]
        words = [str(tmp_path / word) if word.endswith((".wacz", ".html")) else word for word in words]
        ran = run(reading, *words)
        assert ran.status == 0, (line, ran.out, ran.err)
        told.append(ran.out + ran.err)
    assert "receipt 1" in told[3] and "(for: Tables were in use for centuries)" in told[3]
    assert "is whole: 1 capture, 1 receipt, 1 quotation" in told[6]
    assert "word for word" in told[7] and MASTERS in told[8] and "Receipt 1 holds" in told[9]
    assert "2 unchanged" in told[10] or "1 unchanged" in told[10]
    report = (tmp_path / "report.html").read_text("utf-8")
    assert "Claim: Tables were in use for centuries" in report and "#receipt-1" in report
    serve(internet, body=f"<p>{MASTERS.replace('400', '40')}</p>" + "<p>Nobody knows who wrote the first.</p>" * 5)
    ran = run(reading, "watch", "Harbour tables")
    assert ran.status == 1 and "“400” is now “40”" in ran.out, ran.out
