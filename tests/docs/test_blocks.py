"""Whatever the documentation shows is right: data parses, commands and settings exist, links lead somewhere."""

from __future__ import annotations

import ast
import json
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
import yaml  # type: ignore[import-untyped]

from wellsourced.app import configuration
from wellsourced.cli.main import cli
from wellsourced.search import lenses
from wellsourced.settings import Settings
from wellsourced.tool import registry

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
OPERATORS_PAGES = ("deployment.md", "security.md", "lenses.md", "signin.md")
FENCED = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INDENTED_COMMAND = re.compile(r"^ {4}(wellsourced .*)$", re.MULTILINE)
ASSIGNMENT = re.compile(r"([A-Z][A-Z0-9_]+)=(.*)")
LINK = re.compile(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)")
HEADING = re.compile(r"^#{1,6} (.*)$", re.MULTILINE)
ANCHOR = re.compile(r'<a (?:id|name)="([^"]+)"')
CODE = re.compile(r"`[^`\n]*`")
NAMED_VARIABLE = re.compile(r"`([A-Z]{2,}(?:_[A-Z0-9]+)+)(?:=[^`]*)?`")
SOURCE_FILE = re.compile(r"`([a-z_]+/[a-z_/]+\.(?:py|txt|json|md))`")
END_OF_COMMAND = {"|", ">", "&&", ";"}


@dataclass(frozen=True)
class Block:
    page: str
    line: int
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(*kinds: str) -> list[Block]:
    return [block for page in PAGES for block in blocks_of(page) if block.kind.partition(" ")[0] in kinds]


def page_name(page: Path) -> str:
    return page.relative_to(ROOT / "docs").as_posix() if page.is_relative_to(ROOT / "docs") else page.name


def blocks_of(page: Path) -> Iterator[Block]:
    text = page.read_text("utf-8")
    for match in FENCED.finditer(text):
        yield Block(page_name(page), text.count("\n", 0, match.start()) + 1, match[1].strip(), match[2])


@pytest.mark.parametrize("block", [block for block in blocks("json") if block.kind == "json call"], ids=str)
def test_a_call_is_one_that_its_tool_takes(block: Block) -> None:
    call = json.loads(block.text)
    assert set(call) == {"name", "arguments"}
    registry.load(call["name"]).input.model_validate(call["arguments"])


@pytest.mark.parametrize("block", blocks("json", "toml", "yaml"), ids=str)
def test_data_parses(block: Block) -> None:
    read = {"json": json.loads, "toml": tomllib.loads, "yaml": yaml.safe_load}[block.kind.partition(" ")[0]]
    assert read(block.text)


def test_python_that_is_not_run_is_python() -> None:
    for block in blocks("python"):
        compile(block.text, str(block), "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT | ast.PyCF_ONLY_AST)


def test_the_lenses_are_lenses() -> None:
    shown = [block for block in blocks("json") if block.kind == "json lens"]
    assert len(shown) == 2
    for block in shown:
        assert lenses.parse(block.text.encode(), "unnamed").name.startswith("harbours")


@pytest.mark.parametrize("block", blocks("sh"), ids=str)
def test_shell_is_shell_and_its_settings_exist(block: Block) -> None:
    subprocess.run(["bash", "-n", "-c", block.text], check=True, timeout=10)
    declared = {setting.name: setting for setting in configuration.declared_settings()}
    for line in block.text.splitlines():
        if match := ASSIGNMENT.fullmatch(line):
            assert match[1] in declared, match[1]
            assert not Settings({match[1]: match[2]}, [declared[match[1]]]).problems


def commands() -> list[tuple[str, str]]:
    """Each command line that begins with `wellsourced`, in shell blocks and indented by four."""
    lines = [(str(block), line) for block in blocks("sh") for line in block.text.splitlines()]
    lines += [(page_name(page), line) for page in PAGES for line in INDENTED_COMMAND.findall(page.read_text("utf-8"))]
    return [(place, line) for place, line in lines if line.startswith("wellsourced ")]


def command_of(line: str) -> list[str]:
    """The words after `wellsourced`, up to where the shell does something with what comes out."""
    words = shlex.split(line, comments=True)[1:]
    return words[: next((index for index, word in enumerate(words) if word in END_OF_COMMAND), len(words))]


@pytest.mark.parametrize(("place", "line"), commands(), ids=str)
def test_a_command_is_understood(place: str, line: str) -> None:
    """Parsed by the command line itself, down to the last option, and not run."""
    words = command_of(line)
    command: click.Command = cli
    context: click.Context | None = None
    while isinstance(command, click.Group):
        context = click.Context(command, parent=context, info_name=command.name)
        name, subcommand, words = command.resolve_command(context, words)
        assert subcommand is not None, f"{place}: {name}"
        command = subcommand
    command.make_context(command.name, words, parent=context)


def test_there_are_commands() -> None:
    assert len(commands()) >= 12


def anchors(page: Path) -> set[str]:
    """The places a link may name: headings as MkDocs and GitHub write them, and those set by hand."""
    text = FENCED.sub("", page.read_text("utf-8"))
    words = (re.sub(r"[^\w\s-]", "", heading).strip().lower() for heading in HEADING.findall(text))
    return {re.sub(r"[-\s]+", "-", each) for each in words} | set(ANCHOR.findall(text))


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_links_lead_to_files_and_places_in_them(page: Path) -> None:
    for target, place in LINK.findall(CODE.sub("", FENCED.sub("", page.read_text("utf-8")))):
        file = (page.parent / target) if target else page
        assert file.exists(), f"{page_name(page)} links to {target}"
        assert not place or place in anchors(file), f"{page_name(page)} links to {target}#{place}"


def test_the_site_has_every_page_once_and_loads_nothing_from_elsewhere() -> None:
    text = (ROOT / "mkdocs.yml").read_text("utf-8")
    listed = re.findall(r"(?m)^ +- [^:\n]+: (\S+\.md)$", text)
    assert sorted(listed) == sorted(page_name(page) for page in PAGES[1:])
    settings = yaml.safe_load(text)
    assert settings["strict"] is True and settings["theme"]["font"] is False
    assert "repo_url" not in settings, "the theme would ask GitHub about it from every reader's browser"
    assert not {"extra_javascript", "extra_css"} & set(settings)


def test_operators_are_told_of_variables_that_exist() -> None:
    declared = {setting.name for setting in configuration.declared_settings()}
    for name in OPERATORS_PAGES:
        named = set(NAMED_VARIABLE.findall((ROOT / "docs" / name).read_text("utf-8")))
        assert named
        assert named <= declared, f"{name}: {named - declared}"


def test_the_proxy_lines_are_those_of_the_file() -> None:
    (shown,) = blocks("nginx")
    kept = {line.strip() for line in (ROOT / "deploy" / "proxy" / "nginx.conf").read_text("utf-8").splitlines()}
    assert set(shown.text.splitlines()) <= kept


def test_the_files_that_the_architecture_names_exist() -> None:
    named = set(SOURCE_FILE.findall((ROOT / "docs" / "architecture.md").read_text("utf-8")))
    there = [
        f"/{path.relative_to(ROOT).as_posix()}"
        for folder in ("src", "docs", "tests")
        for path in (ROOT / folder).rglob("*.*")
    ]
    assert len(named) > 60
    assert [name for name in sorted(named) if not any(path.endswith(f"/{name}") for path in there)] == []
