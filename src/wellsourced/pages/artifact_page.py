"""Our own `research://artifact/…` addresses as pages, for models whose host opens no resources."""

from __future__ import annotations

import json
from typing import Any

from wellsourced.errors import BadInput, NotFound
from wellsourced.pages.page import Page
from wellsourced.storage.artifacts import ARTIFACT, Artifacts

OWN_SCHEME = "research://"
BETWEEN_SOURCES = "\n\n---\n\n"


def is_own_address(address: str) -> bool:
    return address.strip().lower().startswith(OWN_SCHEME)


async def open_artifact(artifacts: Artifacts, address: str, owner: str) -> Page:
    """What was kept for this caller under the address, as it would be read."""
    address = address.strip()
    if not address.startswith(ARTIFACT):
        raise BadInput(f"Only {ARTIFACT}{{id}} can be read here, as the field `resource` of an answer gives it.")
    body = await artifacts.fetch(address.removeprefix(ARTIFACT), owner)
    if body is None:
        raise NotFound(f"{address} is not kept, or no longer: large answers are kept for half an hour. Ask again.")
    title, text = read_artifact(body.decode("utf-8", "replace"))
    return Page(url=address, markdown=text, title=title, content_type="markdown")


def read_artifact(body: str) -> tuple[str, str]:
    """The title and the text of an answer, or of a text that was kept as it is."""
    try:
        answer = json.loads(body)
    except ValueError:
        return "", body
    if not isinstance(answer, dict):
        return "", body
    title = next((text for name in TITLES if isinstance(text := answer.get(name), str) and text), "")
    return title, answer_text(answer)


TITLES = ("title", "query", "researchGoal", "url")
TEXTS = ("content", "document", "combinedContent")


def answer_text(answer: dict[str, Any]) -> str:
    """The long text of an answer, its sources' texts under their titles, else the answer itself."""
    if found := next((text for name in TEXTS if isinstance(text := answer.get(name), str) and text), ""):
        return found
    sources = answer.get("sources")
    listed = [each for each in sources if isinstance(each, dict)] if isinstance(sources, list) else []
    texts = [source_text(each) for each in listed if each.get("content")]
    return BETWEEN_SOURCES.join(texts) or json.dumps(answer, ensure_ascii=False, indent=1)


def source_text(source: dict[str, Any]) -> str:
    return f"# {source.get('title') or source.get('url')}\n\n{source.get('url')}\n\n{source['content']}"
