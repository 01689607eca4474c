"""What is made late is what the standard library would have made at once."""

import copy
import dataclasses
import pickle
import re
from collections.abc import Callable
from typing import Any

import pytest

from wellsourced.late_dataclass import dataclass
from wellsourced.late_pattern import LatePattern, late_pattern

KINDS = [{}, {"frozen": True}, {"slots": True}, {"frozen": True, "slots": True}, {"frozen": True, "kw_only": True}]


def made_by(decorator: Callable[..., Any], **options: bool) -> Any:
    @decorator(slots=options.get("slots", False))
    class Base:
        first: int

    class Written(Base if not options.get("frozen") else object):  # type: ignore[misc]
        name: str
        tags: list[str] = dataclasses.field(default_factory=list)
        size: int = 7
        unseen: int = dataclasses.field(default=1, repr=False, compare=False)

        def __post_init__(self) -> None:
            if self.size < 0:
                raise ValueError("less than nothing")

    Written.__qualname__ = "Written"
    return decorator(**options)(Written)


@pytest.mark.parametrize("options", KINDS, ids=str)
def test_a_late_dataclass_is_like_a_standard_one(options: dict[str, bool]) -> None:
    first = {} if options.get("frozen") else {"first": 3}
    seen = [look_at(made_by(decorator, **options), first) for decorator in (dataclass, dataclasses.dataclass)]
    assert seen[0] == seen[1]


def look_at(cls: Any, first: dict[str, int]) -> list[Any]:
    one, same = cls(**first, name="a"), cls(**first, name="a", unseen=5)
    other = dataclasses.replace(one, tags=["x"], size=9)
    looks = [repr(one), one == same, one != other, one == 1, other.tags, one.tags is same.tags, cls.__match_args__]
    tries = [lambda: cls(), lambda: cls(**first, name="a", size=-1), lambda: cls(**first, name="a", no=1)]
    tries += [lambda: hash(one), lambda: setattr(one, "size", 8), lambda: delattr(one, "size")]
    return [*looks, dataclasses.asdict(other), *map(refusal, tries)]


def refusal(attempt: Callable[[], object]) -> str | None:
    try:
        attempt()
    except Exception as problem:
        return type(problem).__name__
    return None


@dataclass(frozen=True, slots=True)
class Kept:
    name: str
    size: int = 1


def test_a_late_dataclass_is_hashed_copied_and_pickled() -> None:
    one = Kept("a")
    assert {one: 1}[Kept("a", 1)] == 1
    assert pickle.loads(pickle.dumps(one)) == copy.copy(one) == copy.deepcopy(one) == one


def test_a_late_pattern_is_compiled_once_and_found_by_every_method() -> None:
    late, plain = late_pattern(r"(a)|b", re.IGNORECASE), re.compile(r"(a)|b", re.IGNORECASE)
    assert isinstance(late, LatePattern)
    assert late.sub("x", "ABC") == plain.sub("x", "ABC")
    assert not isinstance(late, LatePattern)
    assert (late.pattern, late.flags, late.groups) == (plain.pattern, plain.flags, plain.groups)
    for method in ("search", "match", "fullmatch", "findall", "split"):
        assert str(getattr(late, method)("cab")) == str(getattr(plain, method)("cab"))
