"""web-fetch-tool: a page as markdown, by lines."""

from __future__ import annotations

from wellsourced.programs.program import run_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAME = "web-fetch-tool"


def main() -> int:
    return run_program(NAME, "web_fetch", answer_request, "INVALID_URL")


def answer_request(request: dict[str, Any]) -> dict[str, Any]:
    from wellsourced.programs.page import fetch_page
    from wellsourced.programs.program import INVALID_URL, ProgramError
    from wellsourced.programs.request_fields import read_number

    url = request.get("url")
    if not isinstance(url, str) or not url.strip():
        raise ProgramError("url is required and must be a string such as https://example.com/page.", INVALID_URL)
    offset = read_number(request, "offset", 1, 1, code=INVALID_URL)
    limit = read_number(request, "limit", 0, 1, code=INVALID_URL) if request.get("limit") is not None else 0
    page = fetch_page(url.strip())
    return {"url": page.url, "title": page.title, "content": select_lines(page.content, offset, limit)}


def select_lines(content: str, offset: int, limit: int) -> str:
    """From line `offset`, counted from one, at most `limit` lines; 0 is all."""
    if offset == 1 and not limit:
        return content
    lines = content.split("\n")[offset - 1 :]
    return "\n".join(lines[:limit] if limit else lines)
