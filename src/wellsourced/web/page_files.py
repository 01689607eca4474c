"""The page and its static files, read once from the package, with a content security policy that allows nothing from
elsewhere.

Policy: W3C CSP Level 3 and Trusted Types; no inline script or style, no frame, no form target, no string ever
becomes markup.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

FOLDER = Path(__file__).with_name("static")
PAGE = "index.html"
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


@dataclass(frozen=True, slots=True)
class PageFile:
    body: bytes
    media_type: str
    tag: str

    @classmethod
    def read(cls, path: Path) -> PageFile:
        body = path.read_bytes()
        return cls(body, TYPES[path.suffix], f'"{sha256(body).hexdigest()[:32]}"')


class PageFiles:
    def __init__(self, folder: Path = FOLDER) -> None:
        self._files = {path.name: PageFile.read(path) for path in folder.iterdir() if path.suffix in TYPES}

    async def page(self, request: Request) -> Response:
        return self._respond(request, PAGE)

    async def static_file(self, request: Request) -> Response:
        return self._respond(request, request.path_params["name"])

    def _respond(self, request: Request, name: str) -> Response:
        file = self._files.get(name)
        if file is None:
            return PlainTextResponse("There is no such file.", 404, headers=HEADERS)
        headers = {**HEADERS, "ETag": file.tag}
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        return Response(file.body, media_type=file.media_type, headers=headers)
