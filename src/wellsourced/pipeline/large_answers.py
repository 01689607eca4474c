"""A large answer gets a link to the whole of it, kept as an artifact; the answer itself holds text up to a size.

Many hosts show a model the text alone, so a link never stands instead of it, unless the caller asks for links only. Its
address is in the answer. As a content block of its own it goes to hosts that ask for it (`wellsourced/links` in
`_meta`): Semantic Kernel fails on such a block, and LangChain makes it a file that models refuse.
"""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta

from wellsourced.pipeline.middleware import Handler
from wellsourced.storage.artifacts import ARTIFACT, Artifacts
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
        if not call.tool.links_large_answers or self._artifacts is None:
            return answer
        links_only = getattr(call.input, "links_only", False)
        inline = call.inline or getattr(call.input, "inline", False)
        is_large = not inline and self._is_large(call, answer)
        is_too_large = 0 < call.most_bytes < len(answer.body)
        if not (links_only or is_large or is_too_large):
            return answer
        limit = self._threshold if is_large and call.whole is None else call.most_bytes if is_too_large else 0
        return await self._link(call, answer, self._artifacts, limit)

    def _is_large(self, call: Call, answer: ToolAnswer) -> bool:
        """Whether there is more than an answer should hold; one whose size the caller set is as large as it may be."""
        if not self._threshold or call.input is None:
            return False
        return call.whole is not None or (call.input.may_be_shortened and len(answer.body) >= self._threshold)

    async def _link(self, call: Call, answer: ToolAnswer, artifacts: Artifacts, limit: int) -> ToolAnswer:
        """`limit` is what the answer itself may have, 0 where its size is right."""
        output = call.output or call.tool.output.model_validate_json(answer.body)
        whole = call.whole or answer.body
        identifier = call.whole_id or await artifacts.keep(whole, call.identity.owner)
        if identifier is None:
            return answer
        link = ResourceLink(ARTIFACT + identifier, "research-artifact", JSON, len(whole))
        expires = datetime.now(UTC) + timedelta(seconds=artifacts.ttl)
        links_only = getattr(call.input, "links_only", False)
        if links_only:
            output = output.without_large_fields()
        elif limit:
            output = await asyncio.to_thread(output.shortened, limit)
        block = link if links_only or call.links else None
        body = await asyncio.to_thread(linked_body, output, link, expires)
        return ToolAnswer(body, meta=answer.meta, link=block)


def linked_body(output: ToolOutput, link: ResourceLink, expires: datetime) -> bytes:
    """The answer, and where the whole of it is.

    A tool may have a `summary` of its own; the link is then described in `artifactSummary` alone.
    """
    about = {
        "artifactSummary": f"{output.link_summary()} scrape_page opens it too, and reads on with offset.",
        "resource": link.uri,
        "bytes": link.size,
        "mimeType": link.mime_type,
        "expiresAt": expires.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "linked": True,
    }
    return encode_json({"summary": output.link_summary(), **json.loads(output.to_json()), **about})
