"""A large answer of a heavy tool is kept as an artifact and handed over as a resource link with a short answer."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from wellsourced.pipeline.middleware import Handler
from wellsourced.storage.artifacts import Artifacts
from wellsourced.tool.answer import ResourceLink, ToolAnswer, encode_json
from wellsourced.tool.base import ToolOutput
from wellsourced.tool.call import Call

JSON = "application/json"


class LinkLargeAnswers:
    """Without an artifact store, or when the caller asks for everything inline, the answer stays whole."""

    def __init__(self, artifacts: Artifacts | None, threshold: int) -> None:
        self._artifacts = artifacts
        self._threshold = threshold

    async def __call__(self, call: Call, next_handler: Handler) -> ToolAnswer:
        answer = await next_handler(call)
        assert call.input is not None
        inline = call.inline or getattr(call.input, "inline", False) or not call.input.may_be_linked
        if inline or not call.tool.links_large_answers or not self._threshold or len(answer.body) < self._threshold:
            return answer
        if self._artifacts is None:
            return answer
        return await self._link(call, answer, self._artifacts)

    async def _link(self, call: Call, answer: ToolAnswer, artifacts: Artifacts) -> ToolAnswer:
        output = call.output or call.tool.output.model_validate_json(answer.body)
        identifier = await artifacts.keep(answer.body, call.identity.owner)
        if identifier is None:
            return answer
        link = ResourceLink(f"research://artifact/{identifier}", "research-artifact", JSON, len(answer.body))
        expires = datetime.now(UTC) + timedelta(seconds=artifacts.ttl)
        return ToolAnswer(linked_body(output, link, expires), meta=answer.meta, link=link)


def linked_body(output: ToolOutput, link: ResourceLink, expires: datetime) -> bytes:
    """The short answer: the small fields of the full one, and where the rest is.

    A tool may have a `summary` of its own; the link is then described in `artifactSummary` alone.
    """
    short = json.loads(output.without_large_fields().to_json())
    about = {
        "artifactSummary": output.link_summary(),
        "resource": link.uri,
        "bytes": link.size,
        "mimeType": link.mime_type,
        "expiresAt": expires.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "linked": True,
    }
    return encode_json({"summary": output.link_summary(), **short, **about})
