"""Sealed records: what goes in comes out, for its own identity and key only."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellsourced.errors import Misconfigured
from wellsourced.storage.sealer import CannotOpen, Sealer

OLD, NEW = bytes(range(32)), bytes(range(32, 64))
IDENTITIES = st.text(st.characters(exclude_categories=()))


@given(st.binary(), IDENTITIES)
def test_what_is_sealed_opens_again_and_differs_each_time(plain: bytes, identity: str) -> None:
    seal = Sealer(NEW)
    first, second = seal.seal(plain, identity), seal.seal(plain, identity)
    assert first != second
    assert len(plain) < 4 or plain not in first
    opened = seal.open(first, identity)
    assert (opened.plain, opened.stale) == (plain, False)


@given(st.binary(), IDENTITIES, IDENTITIES)
def test_a_record_does_not_pass_for_another(plain: bytes, identity: str, other: str) -> None:
    if identity != other:
        with pytest.raises(CannotOpen):
            Sealer(NEW).open(Sealer(NEW).seal(plain, identity), other)


@given(st.binary(max_size=50), st.data())
def test_any_changed_bit_is_noticed(plain: bytes, data: st.DataObject) -> None:
    sealed = bytearray(Sealer(NEW).seal(plain, "id"))
    position = data.draw(st.integers(0, len(sealed) * 8 - 1))
    sealed[position // 8] ^= 1 << position % 8
    with pytest.raises(CannotOpen):
        Sealer(NEW).open(bytes(sealed), "id")


@given(st.binary(max_size=80))
def test_foreign_bytes_are_refused(foreign: bytes) -> None:
    with pytest.raises(CannotOpen):
        Sealer(NEW, OLD).open(foreign, "id")


def test_the_previous_key_opens_and_asks_to_be_replaced() -> None:
    record = Sealer(OLD).seal("запись".encode(), "id")
    rotated = Sealer(NEW, OLD)
    opened = rotated.open(record, "id")
    assert (opened.plain.decode(), opened.stale) == ("запись", True)
    assert not rotated.open(rotated.seal(opened.plain, "id"), "id").stale


def test_a_wrong_key_is_told_with_the_ways_out() -> None:
    with pytest.raises(CannotOpen, match="CACHE_ENCRYPTION_KEY_PREV") as told:
        Sealer(os.urandom(32)).open(Sealer(OLD).seal(b"x", "id"), "id")
    assert isinstance(told.value, Misconfigured)
    assert not told.value.retryable


def test_a_short_key_is_refused() -> None:
    with pytest.raises(Misconfigured, match="64 hexadecimal"):
        Sealer(b"short")
