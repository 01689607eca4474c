"""Domain standings: whole names only, the operator's file, and a table that keeps its own rules."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from wellsourced.data import FOLDER
from wellsourced.errors import Misconfigured
from wellsourced.evidence import reputation as module
from wellsourced.evidence.reputation import DomainReputation, ReputationTable


@pytest.mark.parametrize(
    ("asked", "tier", "domain"),
    [
        ("https://www.nature.com/articles/x?y=1#z", "high", "nature.com"),
        ("nature.com", "high", "nature.com"),
        ("NATURE.com.", "high", "nature.com"),
        ("https://ｎａｔｕｒｅ.com/", "high", "nature.com"),
        ("//nature.com:443/x", "high", "nature.com"),
        ("https://user:pass@nature.com/", "high", "nature.com"),
        ("https://pubmed.ncbi.nlm.nih.gov/1", "high", "pubmed.ncbi.nlm.nih.gov"),
        ("https://de.wikipedia.org/wiki/Bern", "mixed", "wikipedia.org"),
        ("https://someone.blogspot.com/", "mixed", "blogspot.com"),
        ("https://www.der-postillon.com/2020/", "low", "der-postillon.com"),
        ("https://ocean.example.gov/", "high", "*.gov"),
        ("https://www.gov.br/", "high", "*.gov.br"),
    ],
)
def test_known(asked: str, tier: str, domain: str) -> None:
    standing = ReputationTable.load().lookup(asked)
    assert standing is not None
    assert (standing.tier, standing.domain) == (tier, domain)
    assert standing.note


@pytest.mark.parametrize(
    "asked",
    [
        "https://evil.com/?x=.gov", "https://evil.com/#.gov", "https://evil.com/nature.com", "nature.com.evil.com",
        "notnature.com", "nature.com@evil.com", "https://nature.com@evil.com/", "https://a.gov.evil.com", "evilgov",
        "gov", "xgov.uk", "nature.co", "nature", "com", "", " ", "not a host", "http://", "https://[::1]/", "127.0.0.1",
        "https://nаture.com/", "ftp://nature.com/", "javascript:alert(1)//nature.com", "data:text/html,nature.com",
        "https://" + "a." * 200 + "nature.com/", "\ud800.gov", "https://nature.com" + "%00" * 3, "a" * 100_000,
    ],
)  # fmt: skip
def test_unknown(asked: str) -> None:
    assert ReputationTable.load().lookup(asked) is None


def test_the_table_keeps_its_own_rules() -> None:
    value = json.loads((FOLDER / "reputation.json").read_text(encoding="utf-8"))
    domains = value["domains"]
    assert value["version"]
    assert value["basis"]
    assert list(domains) == sorted(domains)
    assert {entry["tier"] for entry in domains.values()} == {"high", "mixed", "low"}
    assert all(5 <= len(entry["note"]) <= 120 for entry in domains.values())
    assert not {name for name in domains if name.startswith("www.") or name != name.lower()}
    assert set(module.load_shipped_table()) == set(domains)


def test_what_the_contract_knows_is_known(shared: Path) -> None:
    line = next(line for line in (shared / "spec/facts.md").read_text().splitlines() if "Hosts: sec.gov" in line)
    hosts = line.split("Hosts: ")[1].split(". The text")[0].split()
    assert len(hosts) == 41
    known = ReputationTable.load()
    assert {host: getattr(known.lookup(host), "tier", None) for host in hosts} == {
        host: "mixed" if host == "wikipedia.org" else "high" for host in hosts
    }


def test_the_operators_file_extends_overrides_and_takes_out(tmp_path: Path) -> None:
    table = {
        "nature.com": {"tier": "mixed", "note": "house rule"},
        "reuters.com": {"tier": "unknown"},
        "Bücher.Example": {"tier": "low", "note": "satire"},
        "*.intern.example": {"tier": "high"},
    }
    file = tmp_path / "own.json"
    file.write_text(json.dumps({"domains": table}), encoding="utf-8")
    known = ReputationTable.load(file)
    assert known.lookup("www.nature.com") == DomainReputation("mixed", "house rule", "nature.com")
    assert known.lookup("reuters.com") is None
    assert known.lookup("https://xn--bcher-kva.example/") == known.lookup("BÜCHER.example")
    assert known.lookup("a.intern.example") == DomainReputation("high", "", "*.intern.example")
    assert known.lookup("intern.example") is None
    assert ReputationTable.load().lookup("nature.com") != known.lookup("nature.com")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "not readable JSON"),
        ('{"a.example": {"tier": "high"}}', "shape"),
        ("[]", "shape"),
        ('{"domains": {"https://a.example/": {"tier": "high"}}}', "not a domain"),
        ('{"domains": {"com": {"tier": "high"}}}', "not a domain"),
        ('{"domains": {"a..example": {"tier": "high"}}}', "not a domain"),
        ('{"domains": {"a.example": {"tier": "good"}}}', "high, mixed, low, unknown"),
        ('{"domains": {"a.example": {"tier": ["high"]}}}', "high, mixed, low, unknown"),
        ('{"domains": {"a.example": "high"}}', "high, mixed, low, unknown"),
        ('{"domains": {"a.example": {"tier": "high", "note": 3}}}', "not a text"),
    ],
)
def test_a_wrong_file_is_told(tmp_path: Path, content: str, said: str) -> None:
    file = tmp_path / "own.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(Misconfigured, match="REPUTATION_PATH") as caught:
        ReputationTable.load(file)
    assert said in caught.value.sentence
    with pytest.raises(Misconfigured, match="cannot be read"):
        ReputationTable.load(tmp_path / "absent.json")


def test_loading_is_quick() -> None:
    times = []
    for _ in range(5):
        module.load_shipped_table.cache_clear()
        start = time.thread_time()
        ReputationTable.load()
        times.append(time.thread_time() - start)
    assert min(times) < 0.005
