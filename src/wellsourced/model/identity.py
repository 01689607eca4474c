"""Who is calling."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_TENANT = "default"
ANONYMOUS = "anonymous"


@dataclass(frozen=True, slots=True)
class Identity:
    tenant: str = DEFAULT_TENANT
    user: str = ANONYMOUS

    @property
    def owner(self) -> str:
        """One string for tenant and user; no other pair has the same."""
        return f"{len(self.tenant)}:{self.tenant}:{self.user}"

    @property
    def is_anonymous(self) -> bool:
        return self.user == ANONYMOUS
