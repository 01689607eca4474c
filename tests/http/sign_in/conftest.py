"""The issuer that sign-in tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.http.sign_in.issuer import Issuer


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    with Issuer() as started:
        yield started
