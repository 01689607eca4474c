"""The recipes of docs/extending.md: their files, put into a copy of the project, add what they say."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
NAMED_BLOCK = re.compile(r"^```(?:python|json) (\S+\.(?:py|json))\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COPIED = (".claude-plugin", "deploy", "requirements", "src", "tests", "scripts", "docs")
SECONDS = 180


def recipe_files() -> dict[str, str]:
    return dict(NAMED_BLOCK.findall((ROOT / "docs" / "extending.md").read_text("utf-8")))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with the files of all recipes in it, generated files included."""
    copy = tmp_path_factory.mktemp("project")
    for folder in COPIED:
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy2(ROOT / "pyproject.toml", copy)
    for name, text in recipe_files().items():
        assert not (copy / name).exists(), f"{name} is not a new file"
        assert (copy / name).parent.is_dir(), f"{name} is in a new folder"
        (copy / name).write_text(text, "utf-8")
    generated = run(copy, "scripts/generate.py")
    assert generated.returncode == 0, generated.stderr
    return copy


def run(project: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": f"{project / 'src'}:{project}", "HOME": str(project)}
    return subprocess.run(
        [sys.executable, *command], cwd=project, env=environment, capture_output=True, text=True, timeout=SECONDS
    )


def test_every_kind_of_extension_has_its_files() -> None:
    assert [Path(name).parent.as_posix() for name in recipe_files()] == [
        "src/wellsourced/upstreams",
        "tests/upstreams",
        "tests/loopback/upstreams",
        "src/wellsourced/pages/sites",
        "tests/pages/sites",
        "tests/loopback/upstreams",
        "src/wellsourced/pages",
        "tests/pages",
        "src/wellsourced/settings",
        "src/wellsourced/documents/formats",
        "tests/documents/formats",
        "src/wellsourced/data/lenses",
    ]


def test_they_pass_the_linter(project: Path) -> None:
    sources = [name for name in recipe_files() if name.endswith(".py")]
    for command in (["check"], ["format", "--check"]):
        checked = run(project, "-m", "ruff", *command, "--no-cache", *sources)
        assert checked.returncode == 0, checked.stdout


def test_their_own_tests_pass(project: Path) -> None:
    tests = [name for name in recipe_files() if Path(name).name.startswith("test_")]
    ran = run(project, "-m", "pytest", "-p", "no:cacheprovider", *tests)
    assert ran.returncode == 0, ran.stdout
    assert re.search(r"\b15 passed", ran.stdout), ran.stdout


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("docs/providers.md", "| `harbourlog` | Harbour Log | web | `HARBOURLOG_API_KEY` |"),
        ("docs/providers.md", "`HARBOURLOG_BASE_URL`"),
        ("docs/settings.md", "| `READING_WORDS_PER_MINUTE` | `240` |"),
        ("docs/tools.md", "## reading_time"),
        (".env.example", "#READING_WORDS_PER_MINUTE=240"),
        (".env.example", "#TIDETABLES_BASE_URL="),
        ("src/wellsourced/api_methods.pyi", "def reading_time("),
        ("src/wellsourced/mcp/declarations.json", '"reading_time"'),
    ],
)
def test_what_is_generated_names_them(project: Path, file: str, text: str) -> None:
    assert text in (project / file).read_text("utf-8")


USE_EACH = """
import json
import wellsourced
from tests.loopback.run import Internet, keys

with Internet() as internet:
    internet.control("/site/bravo/clip", body="1\\n00:00:01,000 --> 00:00:02,000\\nThe tide is rising.\\n")
    given = {**internet.environment(), "HARBOURLOG_API_KEY": keys()["HARBOURLOG_API_KEY"]}
    port = internet.base.rpartition(":")[2]  # with SAMPLE_WEB_PORT, names in .example are on this port
    settings = {"search_provider": "searxng", "sample_web_port": port}
    with wellsourced.open_sync(**given, **settings, reading_words_per_minute=2) as research:
        searched = research.web_search("spring tides", provider="harbourlog")
        station = research.scrape_page(f"http://tides.example:{port}/stations/cuxhaven")
        clip = research.scrape_page(f"http://bravo.example:{port}/site/bravo/clip")
        time = research.reading_time("Spring tides rise highest.")
        narrowed = research.web_search("spring tides", lens="harbours")
    answers = {"provider": searched, "site": station, "format": clip, "tool": time, "lens": narrowed}
    seen = internet.stats()["seen"]
    print(json.dumps({**{name: json.loads(answer.to_json()) for name, answer in answers.items()}, "seen": seen}))
"""


@pytest.fixture(scope="module")
def answers(project: Path) -> dict[str, Any]:
    """What a program gets that uses each of them on the loopback internet."""
    ran = run(project, "-c", USE_EACH)
    assert ran.returncode == 0, ran.stderr
    decoded: dict[str, Any] = json.loads(ran.stdout)
    return decoded


def test_the_provider_answers(answers: dict[str, Any]) -> None:
    results = answers["provider"]["results"]
    assert results
    assert all("/site/" in result["url"] for result in results)


def test_the_site_is_read_through_its_api(answers: dict[str, Any]) -> None:
    assert "03:12: high water" in answers["site"]["content"]


def test_the_format_is_read(answers: dict[str, Any]) -> None:
    assert answers["format"]["content"].strip() == "The tide is rising."


def test_the_tool_reads_the_setting(answers: dict[str, Any]) -> None:
    assert answers["tool"] == {"wordCount": 4, "minutes": 2.0}


def test_the_lens_narrows_the_search(answers: dict[str, Any]) -> None:
    # The loopback internet has no such sites, and whatever it returns from elsewhere is dropped.
    assert answers["lens"]["results"] == []
    assert "site:harbour.example" in json.dumps(answers["seen"]).replace("%3A", ":")
