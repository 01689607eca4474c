"""What an audit line says: made here in one shape, made mask_event here before it is written anywhere.

The types are tool_call, auth.failure, auth.admin_key_prev_used, data.export, data.erasure, consent.grant,
consent.withdraw, workspace.member.add, workspace.member.remove, admin.cache.clear, admin.sessions.clear and
admin.failure; those that begin with `audit.` are the log's notes on itself (`file.py`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, TypeAlias

from wellsourced.identity import Identity
from wellsourced.text.masker import Masker

AuditEvent: TypeAlias = dict[str, Any]

LONGEST_TEXT = 16_384
LONGEST_EVENT = 65_536
DEEPEST = 20


def audit_event(
    event_type: str,
    *,
    identity: Identity | None = None,
    request_id: str = "",
    source_ip: str = "",
    session_id: str = "",
    tool_name: str = "",
    duration_ms: int | None = None,
    success: bool = True,
    error_code: str = "",
    metadata: Mapping[str, object] | None = None,
) -> AuditEvent:
    """One event; what is not known is left out. `identity` is whom it concerns."""
    who = identity or Identity()
    event: AuditEvent = {"event_type": event_type, "tenant_id": who.tenant, "user_id": who.user, "success": success}
    known = {
        "request_id": request_id,
        "source_ip": source_ip,
        "session_id": session_id,
        "tool_name": tool_name,
        "error_code": error_code,
        "metadata": metadata,
    }
    event |= {name: value for name, value in known.items() if value}
    if duration_ms is not None:
        event["duration_ms"] = duration_ms
    return event


def format_timestamp(moment: float) -> str:
    """`2026-05-06T07:08:09.123Z`"""
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def mask_event(event: Mapping[str, object], masker: Masker) -> AuditEvent:
    """The event with every string masked and nothing in it that JSON or a reader of lines cannot take."""
    texts: list[str] = []
    cleaned: AuditEvent = _plain(event, texts, DEEPEST)
    joined = "\n".join(texts)
    if masker.mask(joined) != joined:  # a line break ends every pattern, so what is clean together is clean apart
        cleaned = _masked(cleaned, masker)
    size = len(canonical_json(cleaned))
    if size > LONGEST_EVENT:
        cleaned = {name: value for name, value in cleaned.items() if not isinstance(value, dict | list)}
        cleaned["metadata"] = {"left_out_bytes": size}
    return cleaned


def canonical_json(value: object) -> bytes:
    """Compact JSON with sorted keys, in UTF-8; what UTF-8 cannot hold stays a JSON escape."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return text.encode("utf-8", "backslashreplace")


def _plain(value: object, texts: list[str], depth: int) -> Any:
    """Nothing but what JSON knows; every text in it is added to `texts`."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if depth and isinstance(value, Mapping):
        return {_text(str(name), texts): _plain(held, texts, depth - 1) for name, held in value.items()}
    if depth and isinstance(value, list | tuple | set | frozenset):
        return [_plain(held, texts, depth - 1) for held in value]
    return _text(str(value), texts)


def _text(text: str, texts: list[str]) -> str:
    """Cut before it is masked, half a secret could stay; so a text is written whole or not at all."""
    kept = text if len(text) <= LONGEST_TEXT else f"[{len(text)} characters left out]"
    texts.append(kept)
    return kept


def _masked(value: Any, masker: Masker) -> Any:
    if isinstance(value, str):
        return masker.mask(value)
    if isinstance(value, dict):
        return {masker.mask(name): _masked(held, masker) for name, held in value.items()}
    if isinstance(value, list):
        return [_masked(held, masker) for held in value]
    return value
