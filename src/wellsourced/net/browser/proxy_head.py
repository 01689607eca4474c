"""The head of an HTTP/1.1 message as a proxy needs it (RFC 9110 and 9112): read, checked, and passed on."""

from __future__ import annotations

from dataclasses import dataclass

# Headers that concern one connection only (RFC 9110, 7.6.1); the browser's credentials for this proxy go no further.
ONE_HOP = frozenset(
    {"connection", "keep-alive", "proxy-authorization", "proxy-connection", "te", "upgrade", "http2-settings"}
)


class MessageHeadError(ValueError):
    """Not a message head that a browser or a web server writes."""


@dataclass(frozen=True, slots=True)
class MessageHead:
    start: str
    fields: tuple[tuple[str, str], ...]

    def get(self, name: str) -> str:
        return next((value for key, value in self.fields if key.lower() == name), "")

    @property
    def status(self) -> int:
        """The status of an answer."""
        parts = self.start.split(" ", 2)
        if len(parts) < 2 or not parts[0].startswith("HTTP/") or not (len(parts[1]) == 3 and parts[1].isdecimal()):
            raise MessageHeadError(self.start[:80])
        return int(parts[1])

    def for_next_hop(self) -> bytes:
        """The head for the next hop, which is asked, or said, to end the connection after this exchange."""
        kept = [f"{name}: {value}" for name, value in self.fields if name.lower() not in ONE_HOP]
        return "\r\n".join([self.start, *kept, "Connection: close", "", ""]).encode("latin-1")


@dataclass(frozen=True, slots=True)
class ProxyRequest:
    """What a browser asks its proxy for: a tunnel (`CONNECT host:port`) or one plain request (`GET http://…`)."""

    method: str
    url: str
    head: MessageHead

    @property
    def is_tunnel(self) -> bool:
        return self.method == "CONNECT"

    @property
    def host_and_port(self) -> str:
        """The host, with its port where that is not the usual one."""
        netloc = self.url.split("://", 1)[1].split("/", 1)[0]
        return netloc.removesuffix(":443" if self.is_tunnel else ":80")


def parse_message_head(raw: bytes) -> MessageHead:
    start, *lines = raw.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    return MessageHead(start, tuple(_field(line) for line in lines))


def _field(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    if not colon or not name or name != name.strip() or "\n" in line or "\r" in line or "\0" in line:
        raise MessageHeadError(line[:80])
    return name, value.strip(" \t")


def parse_proxy_request(raw: bytes) -> ProxyRequest:
    """The request for the proxy. A tunnel is checked as an https URL: what goes through it cannot be seen."""
    head = parse_message_head(raw)
    method, _, rest = head.start.partition(" ")
    target, _, version = rest.partition(" ")
    if version not in {"HTTP/1.1", "HTTP/1.0"} or not target:
        raise MessageHeadError(head.start[:80])
    if method == "CONNECT":
        return ProxyRequest(method, f"https://{target}/", head)
    if not target.lower().startswith("http://"):
        raise MessageHeadError(head.start[:80])
    path = "/" + target[len("http://") :].partition("/")[2]
    return ProxyRequest(method, target, MessageHead(f"{method} {path} HTTP/1.1", head.fields))
