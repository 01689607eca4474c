"""Libraries loaded quickly do what they do otherwise, with a small part of what loading them compiles."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import typing

import pytest

from wellsourced.load_libraries import TRIED_WITH, UntypedDict, quick_dataclass, replaced
from wellsourced.mcp.listings import DECLARATIONS

COUNT = """
import os, sys, typing, dataclasses, typing_extensions
from wellsourced.load_libraries import load_numpy, load_pydantic, load_turbohtml
counted = 0
def count(event, arguments):
    global counted
    counted += event == "compile"
sys.addaudithook(count)
"""
DECLARE = """
load_pydantic()
from annotated_types import Ge
from pydantic import Strict, StringConstraints
from wellsourced.mcp.declare import render_declarations
pairs = [(Ge(1), Ge(1), Ge(2)), (Strict(), Strict(True), Strict(False))]
assert all(one == same != other and hash(one) == hash(same) for one, same, other in pairs)
assert repr(StringConstraints(max_length=3)).startswith("StringConstraints(strip_whitespace=None")
assert dataclasses.dataclass.__module__ == "dataclasses"
print(render_declarations(), end="")
"""
READ_PAGE = """
from wellsourced.sandbox import reading
page = reading.extract_page(reading.EXAMPLE_PAGE.encode(), "https://example.org/", "text/html")
import numpy
print(page, numpy.linalg.eigh(numpy.ones((3, 3))).eigenvalues.round(6).tolist())
"""
LOOK_AT_NUMPY = """
print("numpy._typing" in sys.modules, len(os.listdir("/proc/self/task")) if sys.platform == "linux" else 1)
import numpy.typing
print(numpy.typing.NDArray[int], numpy.random.default_rng(1).random() < 1, numpy.ma.array([1]))
"""


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", COUNT + code], capture_output=True, text=True, check=True)
    return done.stdout


def test_the_tools_are_declared_alike() -> None:
    with open(DECLARATIONS, encoding="utf-8") as file:
        assert run(DECLARE) == file.read()


@pytest.mark.parametrize(
    ("late", "plain"),
    [
        ("load_pydantic()", "import pydantic.main, pydantic.fields, pydantic.functional_validators, pydantic.types"),
        ("load_turbohtml()", "import turbohtml"),
    ],
)
def test_little_is_compiled(late: str, plain: str) -> None:
    counts = [int(run(f"{load}\nprint(counted)")) for load in (late, plain)]
    assert counts[0] < counts[1] / 2


def test_pages_are_read_alike() -> None:
    assert run(f"load_numpy()\nload_turbohtml()\n{READ_PAGE}") == run(READ_PAGE)


def test_numpy_is_loaded_without_types_and_threads_and_gives_them_later() -> None:
    loaded, later = run(f"load_numpy()\n{LOOK_AT_NUMPY}").splitlines()
    assert loaded == "False 1"
    assert later == "numpy.ndarray[tuple[typing.Any, ...], numpy.dtype[int]] True [1]"


@pytest.mark.parametrize("library", TRIED_WITH)
def test_the_versions_in_use_have_been_tried_and_others_are_left_alone(library: str) -> None:
    load = f"load_{library}()\nprint('{library}' in sys.modules)"
    assert run(load) == "True\n"
    assert (
        run(f"from wellsourced import load_libraries\nload_libraries.TRIED_WITH['{library}'] = '9.'\n{load}")
        == "False\n"
    )


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

    class Counted:
        size: int
        twice: int = dataclasses.field(init=False)

        def __post_init__(self) -> None:
            self.twice = 2 * self.size

    assert quick_dataclass(Counted)(4).twice == 8
