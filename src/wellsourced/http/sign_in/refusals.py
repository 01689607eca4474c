"""The two ways a sign-in fails: the token is not good, or nobody can say at the moment whether it is.

AuthRequired
└── TokenRefused        the caller's token; `reason` is the word for the audit log
UpstreamUnavailable
└── IssuerUnavailable   the issuer's keys are not to be had; says nothing about the token
"""

from __future__ import annotations

from wellsourced.errors import AuthRequired, UpstreamUnavailable


class TokenRefused(AuthRequired):
    """Its sentence is written by us alone: nothing a caller sent is ever repeated in it."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class IssuerUnavailable(UpstreamUnavailable):
    action = "retry_after_delay"
    default_wait = 10
