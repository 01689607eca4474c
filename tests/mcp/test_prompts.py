"""Prompts: what is listed, what is refused, that the texts name real tools, and the texts themselves.

The files in `prompts/` hold the texts as they are meant to be; after a change on purpose, write them anew with
`python -m tests.mcp.test_prompts` from the project's folder and read the difference.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.errors import BadInput
from wellsourced.mcp.prompts import PROMPTS, list_prompts, render_prompt
from wellsourced.search.lenses import Lenses

SNAPSHOTS = Path(__file__).parent / "prompts"
CASES: dict[str, tuple[str, dict[str, str]]] = {
    "brand-guidelines": ("brand-guidelines", {"company": "Example Ltd"}),
    "brand-guidelines-tokens": (
        "brand-guidelines",
        {"company": "example.com", "use_case": "design_tokens", "depth": "full"},
    ),
    "comprehensive-research": ("comprehensive-research", {"topic": "Heat pumps in cold climates"}),
    "comprehensive-research-lens": (
        "comprehensive-research",
        {"topic": "気候変動", "depth": "deep", "lens": "science"},
    ),
    "fact-check": ("fact-check", {"claim": 'He said "40 %"', "context": "A speech in 2024"}),
    "competitive-analysis": ("competitive-analysis", {"company": "Example Ltd", "market": "bicycles"}),
    "literature-review": ("literature-review", {"topic": "sleep", "year_from": "2015", "year_to": "2020"}),
    "company-recon-quick": ("company-recon", {"target": "example.com", "depth": "quick"}),
    "company-recon-deep": ("company-recon", {"target": "Example Ltd", "depth": "deep", "focus": "due_diligence"}),
}
CALL = re.compile(r"`(\w+)\(([^`]*)\)`")
NAME = re.compile(r"`(\w+)`")


def text_of(name: str, arguments: dict[str, str]) -> str:
    (message,) = render_prompt(name, arguments)["messages"]
    assert message["role"] == "user"
    assert message["content"]["type"] == "text"
    return str(message["content"]["text"])


def every_text() -> list[str]:
    """Each prompt once for each of its choices, with every argument given."""
    found = []
    for prompt in PROMPTS.values():
        full = {a.name: "2020" if a.is_year else (a.choices[0] if a.choices else "x y") for a in prompt.arguments}
        found.append(text_of(prompt.name, full))
        for argument in prompt.arguments:
            found += [text_of(prompt.name, {**full, argument.name: choice}) for choice in argument.choices]
    return found


@pytest.mark.parametrize("case", CASES)
def test_texts_are_as_meant(case: str) -> None:
    assert text_of(*CASES[case]) == (SNAPSHOTS / f"{case}.txt").read_text(encoding="utf-8")


def test_every_tool_and_parameter_is_real(shared: Path) -> None:
    contract: dict[str, Any] = json.loads((shared / "contract/tools.json").read_text())
    fields = {"retryAfterSeconds"}
    for tool in contract.values():
        fields |= {*tool["input"], *tool["output"]}
        fields |= {field for item in tool["items"].values() for kind in item.values() for field in kind}
    calls = {call for text in every_text() for call in CALL.findall(text)}
    assert len({name for name, _ in calls}) >= 18
    for name, given_parameters in calls:
        check_call(contract[name]["input"], dict(part.split("=") for part in re.split(r",\s+", given_parameters)))
    assert {name for text in every_text() for name in NAME.findall(text)} <= fields | set(contract)


def check_call(known: dict[str, Any], parameters: dict[str, str]) -> None:
    assert set(parameters) <= set(known)
    assert {name for name, field in known.items() if field["required"]} <= set(parameters)
    for name, value in parameters.items():
        if value == "…":
            continue
        assert value in known[name].get("enum", [value])
        assert known[name]["type"] != "boolean" or value in {"true", "false"}
        assert known[name]["type"] != "integer" or int(value) <= known[name].get("maximum", 9999)
        assert name != "lens" or value in Lenses.load().names()


def test_the_listing_names_the_arguments_of_the_contract() -> None:
    listed = {entry["name"]: {a["name"]: a["required"] for a in entry["arguments"]} for entry in list_prompts()}
    assert listed == {
        "brand-guidelines": {"company": True, "use_case": False, "depth": False},
        "comprehensive-research": {"topic": True, "depth": False, "lens": False},
        "fact-check": {"claim": True, "context": False},
        "competitive-analysis": {"company": True, "market": False},
        "literature-review": {"topic": True, "year_from": False, "year_to": False},
        "company-recon": {"target": True, "depth": False, "focus": False},
    }
    json.dumps(list_prompts())


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("brand-guideline", {}, "Available prompts: brand-guidelines"),
        ("fact-check", {}, "claim is required"),
        ("fact-check", {"claim": " \u200b\n"}, "claim is required"),
        ("fact-check", {"claim": "x", "depth": "quick"}, "Its arguments are claim, context"),
        ("fact-check", {"claim": 5}, "must be a text"),
        ("company-recon", {"target": "x", "depth": "full"}, "quick, standard, deep"),
        ("company-recon", {"target": "x", "focus": "gossip"}, "sales_intel"),
        ("literature-review", {"topic": "x", "year_from": "20ab"}, "not a year"),
        ("literature-review", {"topic": "x", "year_to": "1492"}, "not a year"),
        ("literature-review", {"topic": "x", "year_from": "2020", "year_to": "2010"}, "after year_to"),
    ],
)
def test_wrong_arguments_are_told(name: str, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput) as caught:
        render_prompt(name, arguments)
    assert said in caught.value.sentence


@pytest.mark.parametrize(("depth", "phases"), [("quick", "1689"), ("", "12346789"), ("deep", "123456789")])
def test_depth_chooses_the_phases(depth: str, phases: str) -> None:
    text = text_of("company-recon", {"target": "x", "depth": depth})
    assert "".join(re.findall(r"^(\d)\. ", text, re.MULTILINE)) == phases


@given(st.text(max_size=700))
def test_an_argument_stays_inside_its_json_string(claim: str) -> None:
    try:
        text = text_of("fact-check", {"claim": claim})
    except BadInput:
        return
    procedure, _, inputs = text.rstrip("\n").rpartition("\n")
    assert f"{procedure}\n" == text_of("fact-check", {"claim": "x"}).rstrip("\n").rpartition("\n")[0] + "\n"
    value = json.loads(inputs)["claim"]
    assert 0 < len(value) <= 512
    assert len(inputs.splitlines()) == 1


def test_long_values_are_cut_between_characters() -> None:
    value = "👩\u200d🚀" * 300
    kept = json.loads(text_of("fact-check", {"claim": value}).splitlines()[-1])["claim"]
    assert 500 < len(kept) <= 512
    assert kept == "👩\u200d🚀" * (len(kept) // 3)
    assert len(render_prompt("fact-check", {"claim": "word " * 200})["description"]) < 100


def write_snapshots() -> None:
    SNAPSHOTS.mkdir(exist_ok=True)
    for case, (name, arguments) in CASES.items():
        (SNAPSHOTS / f"{case}.txt").write_text(text_of(name, arguments), encoding="utf-8")


if __name__ == "__main__":
    write_snapshots()
