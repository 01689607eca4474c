"""pydantic loaded quickly does what it does otherwise, with a small part of what loading it compiles."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import typing

from wellsourced.load_pydantic import UntypedDict, quick_dataclass, replaced
from wellsourced.mcp.listings import DECLARATIONS

COUNT = """
import sys, typing, dataclasses, typing_extensions
import wellsourced.load_pydantic
counted = 0
def count(event, arguments):
    global counted
    counted += event == "compile"
sys.addaudithook(count)
"""
LATE = "wellsourced.load_pydantic.load_pydantic()"
PLAIN = "import pydantic.main, pydantic.fields, pydantic.functional_validators, pydantic.types"
DECLARE = f"""
{LATE}
from annotated_types import Ge
from pydantic import Strict, StringConstraints
from wellsourced.mcp.declare import render_declarations
pairs = [(Ge(1), Ge(1), Ge(2)), (Strict(), Strict(True), Strict(False))]
assert all(one == same != other and hash(one) == hash(same) for one, same, other in pairs)
assert repr(StringConstraints(max_length=3)).startswith("StringConstraints(strip_whitespace=None")
assert dataclasses.dataclass.__module__ == "dataclasses"
print(render_declarations(), end="")
"""


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", COUNT + code], capture_output=True, text=True, check=True)
    return done.stdout


def test_the_tools_are_declared_alike() -> None:
    with open(DECLARATIONS, encoding="utf-8") as file:
        assert run(DECLARE) == file.read()


def test_little_is_compiled() -> None:
    late, plain = (int(run(f"{load}\nprint(counted)")) for load in (LATE, PLAIN))
    assert late < plain / 5


def test_what_was_replaced_is_back_afterwards() -> None:
    standard = typing.TypedDict
    with replaced("TypedDict", UntypedDict, typing):
        assert vars(typing)["TypedDict"] == UntypedDict
    assert standard == typing.TypedDict


def test_the_replacements_do_what_they_replace() -> None:
    class Options(UntypedDict, total=False):
        size: int

    assert type(Options(size=1)) is dict and Options(size=1) == {"size": 1}

    class Sized:
        size: int

    made = quick_dataclass(order=True)(Sized)
    assert made(1) < made(2) and dataclasses.astuple(made(3)) == (3,)
