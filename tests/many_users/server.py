"""Two real server processes over one Redis and one issuer, and the people who use them."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import httpx2

from tests.http.http_server import http_server, patiently
from tests.http.sign_in.issuer import Issuer
from tests.loopback.run import Internet, keys
from tests.secret_scan import scan_later
from tests.storage.redis_server import RedisServer
from wellsourced.identity import Identity
from wellsourced.people.types import PURPOSES

MODERN = "2026-07-28"
ACCEPT = "application/json, text/event-stream"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
}
CALLS_A_DAY, TENANT_CALLS_A_DAY = 60, 150
SETTINGS = {
    "PUBLIC_URL": "https://research.example.org",
    "MEMORY_ENABLED": "true",
    "WORKSPACES_ENABLED": "true",
    "USER_ANALYTICS_ENABLED": "true",
    "CACHE_ISOLATION": "tenant",
    "MAX_CALLS_PER_DAY": str(CALLS_A_DAY),
    "DAILY_QUOTA_PER_TENANT": str(TENANT_CALLS_A_DAY),
    "RATE_LIMIT_PER_TENANT": "1000",
    "LINK_THRESHOLD_BYTES": "1000",
    "SEARCH_PROVIDER": "searxng",
    "ALLOW_PRIVATE_IPS": "true",
    "CHROME_PATH": "disabled",
}
INSTANCES = (0, 1)


@dataclass(frozen=True)
class Person:
    """`mark` is a word that only this person says."""

    tenant: str
    user: str
    mark: str
    token: str = field(repr=False)

    @property
    def identity(self) -> Identity:
        return Identity(self.tenant, self.user)

    @property
    def names(self) -> dict[str, str]:
        return {"tenant_id": self.tenant, "user_id": self.user}


@dataclass(frozen=True)
class ToolResponse:
    """One answer: the HTTP side of it, and the result or error of its message."""

    status: int
    headers: Mapping[str, str]
    message: dict[str, Any]

    @property
    def text(self) -> str:
        return json.dumps(self.message, ensure_ascii=False)

    @property
    def is_error(self) -> bool:
        return self.status >= 400 or "error" in self.message or bool(self.message["result"].get("isError"))

    @property
    def content(self) -> dict[str, Any]:
        assert not self.is_error, (self.status, self.text)
        return cast("dict[str, Any]", self.message["result"]["structuredContent"])


class Servers:
    def __init__(
        self,
        addresses: tuple[str, str],
        environment: Mapping[str, str],
        folder: Path,
        issuer: Issuer,
        internet: Internet,
    ) -> None:
        self.addresses = addresses
        self.redis_url = environment["REDIS_URL"]
        self.internet = internet
        self.key = bytes.fromhex(environment["CACHE_ENCRYPTION_KEY"])
        self.files = [folder / str(instance) / "wellsourced.db" for instance in INSTANCES]
        self.logs = [folder / f"audit-{instance}.jsonl" for instance in INSTANCES]
        self._environment = environment
        self._issuer = issuer
        self._wire = httpx2.Client(trust_env=False, timeout=60)

    def close(self) -> None:
        self._wire.close()

    def person(self, tenant: str, user: str) -> Person:
        token = self._issuer.token(sub=user, tenant_id=tenant, scope="research")
        return Person(tenant, user, "m" + secrets.token_hex(6), token)

    def people(self) -> tuple[Person, Person, Person]:
        """Two of one tenant and one of another, whom nobody has met before."""
        fresh = secrets.token_hex(3)
        first, second = f"Άκμη-{fresh}", f"acme-{fresh}"
        users = ((first, f"анна-{fresh}"), (first, f"ben@例え-{fresh}"), (second, f"carla-{fresh}"))
        one, two, three = (self.person(tenant, user) for tenant, user in users)
        return one, two, three

    def call(self, who: Person, instance: int, tool: str, **arguments: Any) -> ToolResponse:
        named = {"mcp-name": tool}
        return self.ask(who, instance, "tools/call", {"name": tool, "arguments": arguments}, named)

    def read(self, who: Person, instance: int, uri: str) -> ToolResponse:
        return self.ask(who, instance, "resources/read", {"uri": uri}, {"mcp-name": uri})

    def ask(
        self,
        who: Person,
        instance: int,
        method: str,
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> ToolResponse:
        """A request as the era without a handshake makes it."""
        era = {"mcp-protocol-version": MODERN, "mcp-method": method, **(headers or {})}
        return self.post(who, instance, message(method, {**(params or {}), "_meta": META}), era)

    def post(self, who: Person, instance: int, body: Mapping[str, Any], headers: Mapping[str, str]) -> ToolResponse:
        sent = {"accept": ACCEPT, "authorization": f"Bearer {who.token}", **headers}
        reply = self._wire.post(self.addresses[instance] + "/mcp", json=body, headers=sent)
        response = ToolResponse(reply.status_code, reply.headers, decoded(reply.text))
        if response.is_error:
            scan_later("an error answer", response.text, self._environment)
        return response

    def admin(self, method: str, path: str, body: Any = None, *, instance: int = 0, **query: str) -> dict[str, Any]:
        reply = self._wire.request(
            method,
            self.addresses[instance] + path,
            params=query,
            json=body,
            headers={"X-Admin-Key": self._environment["ADMIN_API_KEY"]},
        )
        assert reply.status_code == 200, reply.text
        return cast("dict[str, Any]", reply.json())

    def agree(self, *people: Person) -> None:
        """Everybody has agreed to everything."""
        for who in people:
            for purpose in PURPOSES:
                self.admin("POST", "/admin/consent", {**who.names, "purpose": purpose, "granted": True})

    def metric(self, instance: int, name: str) -> int:
        key = {"X-Admin-Key": self._environment["ADMIN_API_KEY"]}
        page = self._wire.get(self.addresses[instance] + "/metrics", headers=key).text
        return int(next(line for line in page.splitlines() if line.startswith(name + " ")).split()[1])


def message(method: str, params: Mapping[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": dict(params)}


def decoded(body: str) -> dict[str, Any]:
    """The last message of a stream, or the one there is."""
    data = [line.removeprefix("data: ") for line in body.splitlines() if line.startswith("data: {")]
    return cast("dict[str, Any]", json.loads(data[-1] if data else body or "{}"))


@contextmanager
def start_servers(folder: Path, surroundings: Mapping[str, str], internet: Internet) -> Iterator[Servers]:
    with ExitStack() as stack:
        redis, issuer = stack.enter_context(RedisServer(folder)), stack.enter_context(Issuer())
        shared = {
            **surroundings,
            **internet.environment(),
            **keys(),
            **SETTINGS,
            "REDIS_URL": redis.url,
            "OAUTH_ISSUER_URL": issuer.url,
            "CACHE_ENCRYPTION_KEY": secrets.token_hex(32),
            "ADMIN_API_KEY": secrets.token_urlsafe(32),
        }
        one, other = (
            stack.enter_context(http_server({**shared, **own(folder, instance)}, patiently)) for instance in INSTANCES
        )
        servers = Servers((one, other), shared, folder, issuer, internet)
        stack.callback(servers.close)
        yield servers


def own(folder: Path, instance: int) -> dict[str, str]:
    return {
        "CACHE_DIR": str(folder / str(instance)),
        "AUDIT_OUTPUT_PATH": str(folder / f"audit-{instance}.jsonl"),
    }
