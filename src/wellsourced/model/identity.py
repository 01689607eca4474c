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
    def is_anonymous(self) -> bool:
        return self.user == ANONYMOUS
