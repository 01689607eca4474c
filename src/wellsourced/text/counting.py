"""Numbers of things as they are said to people."""

from __future__ import annotations


def counted(number: int, one: str) -> str:
    """`1 source`, `2 sources`, `1,200 sources`"""
    return f"{number:,} {one}{'' if number == 1 else 's'}"
