"""Accepts only hosts and origins of this machine and those the operator lists, against DNS rebinding by a page
elsewhere. The same rules as the SDK's, which is not loaded for them."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.types import Scope

from wellsourced.settings import Settings
from wellsourced.text.urls import host_with_port, normalize_base_url

LOCAL_HOSTS = ("127.0.0.1", "localhost", "[::1]")
ANY_PORT = ":*"


@dataclass(frozen=True, slots=True)
class AllowedCallers:
    """Names as the headers `host` and `origin` have them; one that ends with `:*` stands for every port."""

    hosts: tuple[str, ...]
    origins: tuple[str, ...]

    def allow(self, scope: Scope) -> bool:
        """By every such header there is; a request from no web page has no origin."""
        sent = [(name, value.decode("latin-1")) for name, value in scope["headers"] if name in (b"host", b"origin")]
        return any(name == b"host" for name, _ in sent) and all(
            is_listed(value, self.hosts) if name == b"host" else not value or is_listed(value, self.origins)
            for name, value in sent
        )


def is_listed(value: str, listed: tuple[str, ...]) -> bool:
    return value in listed or any(name.endswith(ANY_PORT) and value.startswith(name[:-1]) for name in listed)


def allowed_callers(settings: Settings) -> AllowedCallers:
    named = {host_with_port(name) for name in (*settings.names("ALLOWED_HOSTS"), settings.text("PUBLIC_URL"))}
    names = [*LOCAL_HOSTS, *sorted(named - {""})]
    hosts = [form for name in names for form in (name, name + ANY_PORT)]
    origins = [f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts]
    listed = [normalize_base_url(origin) for origin in settings.names("ALLOWED_ORIGINS")]
    return AllowedCallers(tuple(hosts), (*origins, *listed))
