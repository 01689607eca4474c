"""Who calls: the tenant and the user."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

DEFAULT_TENANT = "default"
ANONYMOUS = "anonymous"


def digest_of(*names: str) -> str:
    """Return a hash of the names: of fixed length, without revealing them, different for different names."""
    return hashlib.sha256(json.dumps(names).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Identity:
    tenant: str = DEFAULT_TENANT
    user: str = ANONYMOUS

    @property
    def owner(self) -> str:
        """One string for tenant and user, unique to the pair. Those of a tenant begin with its digest."""
        return digest_of(self.tenant) + digest_of(self.tenant, self.user)

    @property
    def is_anonymous(self) -> bool:
        return self.user == ANONYMOUS
