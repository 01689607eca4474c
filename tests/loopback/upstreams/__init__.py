"""The imitated services, one a file; a file dropped in here is served."""

from __future__ import annotations

import importlib
import pkgutil

from tests.loopback.upstream import Upstream


def all_upstreams() -> list[Upstream]:
    names = sorted(found.name for found in pkgutil.iter_modules(__path__))
    return [importlib.import_module(f"{__name__}.{name}").UPSTREAM for name in names]
