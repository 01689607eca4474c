"""Lenses: the shipped set, loading order, refusals with sentences, batches."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

from wellsourced.errors import BadInput
from wellsourced.search import lenses as module
from wellsourced.search.lenses import Lens, Lenses

SHIPPED = {
    "academic", "academic-extended", "clinical", "devops", "docs", "finance", "government", "journalism", "legal",
    "medical", "news", "osint", "programming", "programming-goggle", "science", "security", "tech",
}  # fmt: skip


def write(folder: Path, file: str, content: object) -> None:
    folder.mkdir(exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    (folder / file).write_text(text, encoding="utf-8")


def test_the_shipped_set_is_whole_and_described() -> None:
    lenses = Lenses.load()
    assert set(lenses.names()) == SHIPPED
    assert lenses.problems == []
    catalogue = {str(entry["name"]): entry for entry in lenses.catalogue()}
    assert all(str(entry["description"]).endswith(".") for entry in catalogue.values())
    assert catalogue["academic"] == {**catalogue["academic"], "domainCount": 10, "hasCX": False}
    goggle = lenses.get("programming-goggle")
    assert goggle.domains == ()
    assert (goggle.goggle or "").startswith("https://")
    assert "github.com/advisories" in lenses.get("security").domains


def test_the_shipped_domains_are_those_of_the_contract(shared: Path) -> None:
    """Less one package registry in each of two lenses, and one site that is gone."""
    facts = (shared / "spec/facts.md").read_text()
    rows = re.findall(r"^\| ([\w-]+)[^|]*\| yes \|[^|]*\|[^|]*\| ([^|]*) \|$", facts, re.MULTILINE)
    assert {name for name, _ in rows} == SHIPPED
    lists = {
        name: set(listed.split(", "))
        for name, listed in rows
        if name not in {"academic-extended", "programming-goggle"}
    }
    lenses = Lenses.load()
    assert all(set(lenses.get(name).domains) <= listed for name, listed in lists.items())
    fewer = {name: len(listed) - len(lenses.get(name).domains) for name, listed in lists.items()}
    assert {name: count for name, count in fewer.items() if count} == {"devops": 1, "programming": 1, "tech": 1}


def test_loading_is_quick() -> None:
    times = []
    for _ in range(5):
        module.embedded.cache_clear()
        start = time.thread_time()
        Lenses.load()
        times.append(time.thread_time() - start)
    assert min(times) < 0.005


def test_the_last_of_a_name_wins(tmp_path: Path) -> None:
    write(tmp_path / "local", "news.json", {"domains": ["local.example"]})
    write(tmp_path / "local", "own.json", {"name": "Mine", "domains": ["a.example"]})
    write(tmp_path / "custom", "x.json", {"name": "mine", "description": "Own.", "cx": "0123:ab_c"})
    loaded = Lenses.load(tmp_path / "custom", tmp_path / "local")
    assert loaded.problems == []
    assert loaded.get("news").domains == ("local.example",)
    assert loaded.get(" MINE ") == Lens("mine", "Own.", (), "0123:ab_c", None)
    assert [entry["hasCX"] for entry in loaded.catalogue() if entry["name"] == "mine"] == [True]
    assert Lenses.load(None, tmp_path / "absent").problems == []


def test_endings_and_names_as_other_servers_take_them(tmp_path: Path) -> None:
    write(tmp_path, "x.json", {"name": "Official v2.1", "domains": ["*.gov", ".Gov", "*.ac.uk", "www.gov.example/a"]})
    loaded = Lenses.load(tmp_path)
    assert loaded.problems == []
    assert loaded.get("official V2.1").domains == ("gov", "ac.uk", "www.gov.example/a")


def test_any_script_and_a_single_file(tmp_path: Path) -> None:
    lens = {"domains": ["例え.jp/ニュース", "Пример.РФ", "пример.рф"]}
    write(tmp_path, "日本.json", "\ufeff" + json.dumps(lens, ensure_ascii=False))
    loaded = Lenses.load(tmp_path / "日本.json")
    assert loaded.get("日本").domains == ("例え.jp/ニュース", "пример.рф")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "not readable JSON"),
        ("[" * 100_000, "not readable JSON"),
        ("[]", "not a JSON object"),
        ({"description": "empty"}, "none of domains, cx and goggle"),
        ({"domains": []}, "none of domains, cx and goggle"),
        ({"domains": "example.org"}, "not a list"),
        ({"domains": ["https://example.org"]}, "has a scheme"),
        ({"domains": ["news.*.example.org"]}, "has a wildcard"),
        ({"domains": ["..gov"]}, "not a host"),
        ({"domains": ["exam ple.org"]}, "not a host"),
        ({"domains": ["example.org/a b"]}, "not a host"),
        ({"domains": ["example.org) OR (site:evil.example"]}, "not a host"),
        ({"domains": ["localhost"]}, "not a host"),
        ({"domains": [7]}, "not a text"),
        ({"goggle": "http://example.org/x.goggle"}, "https://"),
        ({"cx": "a b"}, "Google"),
        ({"name": "two/words", "domains": ["example.org"]}, "not a lens name"),
        ({"name": 5, "domains": ["example.org"]}, "not a text"),
        ({"domains": ["example.org"], "description": "x" * 300_000}, "larger than"),
    ],
)
def test_a_wrong_file_is_left_out_and_told(tmp_path: Path, content: object, said: str) -> None:
    write(tmp_path, "wrong.json", content)
    write(tmp_path, "zz-right.json", {"domains": ["example.org"]})
    loaded = Lenses.load(tmp_path)
    assert "wrong" not in loaded.names()
    assert "zz-right" in loaded.names()
    assert len(loaded.problems) == 1
    assert loaded.problems[0].startswith("Lens file wrong.json")
    assert said in loaded.problems[0]


def test_a_custom_path_that_is_not_there_is_told(tmp_path: Path) -> None:
    problems = Lenses.load(tmp_path / "nowhere").problems
    assert len(problems) == 1
    assert "CUSTOM_LENSES_PATH" in problems[0]


def test_an_unknown_name_gets_the_nearest_and_the_list() -> None:
    with pytest.raises(BadInput) as caught:
        Lenses.load().get("acadmic")
    assert "Did you mean academic?" in caught.value.sentence
    assert "tech" in caught.value.sentence
    assert set(caught.value.alternatives) == SHIPPED


@pytest.mark.parametrize(("count", "sizes"), [(0, []), (10, [10]), (11, [10, 1]), (23, [10, 10, 3])])
def test_batches_keep_every_domain(count: int, sizes: list[int]) -> None:
    lens = Lens("x", "", tuple(f"{number}.example" for number in range(count)))
    batches = Lenses.batches(lens)
    assert [len(batch) for batch in batches] == sizes
    assert tuple(domain for batch in batches for domain in batch) == lens.domains
