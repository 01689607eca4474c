"""Everything of one person, or of a whole tenant, in every store: to hand over and to erase.

Each store is asked by itself. One that fails is named in `errors`, and the others are asked all the same.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from wellsourced.errors import BadInput, WellsourcedError
from wellsourced.people.holdings import Holding
from wellsourced.people.repositories import ConsentRepository
from wellsourced.people.types import Subject
from wellsourced.people.usage_counts import Counting

ERASURE = "erasure"
CONSENT = "consent"

logger = logging.getLogger("wellsourced")


class Subjects:
    """`tidy` has the file written anew after an erasure, so that no trace is left in it."""

    def __init__(
        self,
        holdings: Mapping[str, Holding],
        consents: ConsentRepository,
        counting: Counting,
        tidy: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._holdings = holdings
        self._consents = consents
        self._counting = counting
        self._tidy = tidy

    async def export(self, tenant: str, user: str | None = None) -> dict[str, Any]:
        """`{tenantId, userId?, namespaces: {name: [...]}, errors?}`"""
        subject = named(tenant, user)
        await self._counting.drain()
        namespaces: dict[str, list[Any]] = {}
        errors: list[str] = []
        for name, holding in self._holdings.items():
            namespaces[name] = []
            await self._attempt(name, holding.export(subject, namespaces[name]), errors)
        return told(subject, {"namespaces": namespaces}, errors)

    async def erase(self, tenant: str, user: str | None = None) -> dict[str, Any]:
        """`{tenantId, userId?, deleted: {name: how many}, errors?}`

        Consents are withdrawn first, so that nothing new is kept meanwhile, and removed last.
        """
        subject = named(tenant, user)
        errors: list[str] = []
        await self._attempt(CONSENT, self._withdraw(subject), errors)
        await self._counting.drain()
        deleted = {name: await self._attempt(name, h.erase(subject), errors) or 0 for name, h in self._holdings.items()}
        if self._tidy is not None:
            await self._attempt("file", self._tidy(), errors)
        return told(subject, {"deleted": deleted}, errors)

    async def _withdraw(self, subject: Subject) -> None:
        consents, _ = await self._consents.records.read_all(subject.tenant, subject.user)
        for consent in consents:
            await self._consents.save(consent.model_copy(update={"granted": False, "decided_from": ERASURE}))

    async def _attempt(self, name: str, asked: Awaitable[Any], errors: list[str]) -> Any:
        try:
            return await asked
        except WellsourcedError as problem:
            errors.append(f"{name}: {problem.sentence}")
        except Exception as problem:  # one store's mistake must not keep the others from being asked
            logger.error("The store of %s failed", name, exc_info=problem)
            errors.append(f"{name}: a mistake in Wellsourced ({type(problem).__name__}); please report it.")
        return None


def named(tenant: str, user: str | None) -> Subject:
    if not tenant:
        raise BadInput("tenant_id is required")
    return Subject(tenant, user)


def told(subject: Subject, found: dict[str, Any], errors: list[str]) -> dict[str, Any]:
    about: dict[str, Any] = {"tenantId": subject.tenant}
    if subject.user is not None:
        about["userId"] = subject.user
    return {**about, **found, **({"errors": errors} if errors else {})}
