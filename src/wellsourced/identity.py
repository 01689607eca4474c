"""Who calls: the tenant and the user.

A caller without sign-in is `anonymous`. Over HTTP there may be several, who are kept apart: by a secret of their own
(`anonymous:key:…`), else by their MCP session (`anonymous:session:…`); one who has neither will not be recognised at
the next call (`anonymous:once:…`).
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import Literal, TypeAlias

from wellsourced.late_dataclass import dataclass

DEFAULT_TENANT = "default"
ANONYMOUS = "anonymous"
AnonymousKind: TypeAlias = Literal["key", "session", "once"]


@lru_cache(maxsize=1024)
def digest_of(*names: str) -> str:
    """Return a hash of the names: of fixed length, without revealing them, different for different names."""
    return hashlib.sha256(json.dumps(names).encode()).hexdigest()


def anonymous_prefix(kind: AnonymousKind) -> str:
    """How the names of such callers begin."""
    return f"{ANONYMOUS}:{kind}:"


def is_anonymous_name(user: str) -> bool:
    return user == ANONYMOUS or user.startswith(f"{ANONYMOUS}:")


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
        return is_anonymous_name(self.user)

    @property
    def is_recognised(self) -> bool:
        """Whether the next call of the same caller will have the same identity, so that something can be kept."""
        return not self.user.startswith(anonymous_prefix("once"))


def anonymous_caller(kind: AnonymousKind, secret: str) -> Identity:
    """The caller who has this secret, which is not kept."""
    return Identity(user=anonymous_prefix(kind) + digest_of(kind, secret)[:32])
