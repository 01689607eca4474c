"""Recognising pages that stand in the way of content: challenges, logins, consent, paywalls, missing pages.

What tells that an ordinary page is none stands here, so that the rest is loaded for those that may be one.
"""

from __future__ import annotations

from collections.abc import Mapping

LONG_PAGE = 450
MITIGATION_HEADERS = ("cf-mitigated", "x-amzn-waf-action", "x-vercel-mitigated", "sg-captcha")
MITIGATIONS = frozenset({"challenge", "captcha", "deny"})


def is_mitigated(headers: Mapping[str, str]) -> bool:
    """Whether the answer calls itself a challenge."""
    return any(headers.get(name, "").strip().lower() in MITIGATIONS for name in MITIGATION_HEADERS)
