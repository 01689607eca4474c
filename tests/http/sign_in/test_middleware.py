"""Everybody who may come to the app, and what each is response."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Mapping

import pytest

from tests.http.sign_in.issuer import Issuer, PrivateKey, ec_key, encoded, jwk, rsa_key, signed_with_public_key
from tests.http.sign_in.sign_in_app import PUBLIC_URL, Response, SignInApp, with_sign_in

METADATA = f'resource_metadata="{PUBLIC_URL}/.well-known/oauth-protected-resource/mcp"'

Environment = Mapping[str, str]


def unsigned(issuer: Issuer) -> str:
    return f"{encoded({'alg': 'none'})}.{encoded(issuer.claims())}."


def repeated_claim(issuer: Issuer) -> str:
    twice = b'{"sub":"a","sub":"b"}'
    return f"{encoded({'alg': 'RS256'})}.{encoded(twice)}.AAAA"


def soon() -> int:
    return int(time.time())


GOOD: dict[str, Callable[[Issuer], str]] = {
    "RS256": lambda i: i.token(),
    "ES256": lambda i: i.token(key=ec_key()),
    "no kid": lambda i: i.token(header={"kid": None}),
    "audience as a text": lambda i: i.token(aud=f"{PUBLIC_URL}/mcp"),
    "a clock a little behind": lambda i: i.token(iat=soon() + 40, nbf=soon() + 40),
    "expired within the skew": lambda i: i.token(exp=soon() - 20),
    "plain JWT": lambda i: i.token(header={"typ": "JWT"}),
}
BAD: dict[str, tuple[Callable[[Issuer], str], str]] = {
    "expired": (lambda i: i.token(exp=soon() - 61), "expired"),
    "no expiry": (lambda i: i.token(exp=None), "expiry"),
    "expiry as a text": (lambda i: i.token(exp="tomorrow"), "malformed"),
    "expiry without end": (lambda i: i.token(exp=10**30), "malformed"),
    "not yet valid": (lambda i: i.token(nbf=soon() + 90), "not_yet_valid"),
    "issued in the future": (lambda i: i.token(iat=soon() + 90), "not_yet_valid"),
    "wrong audience": (lambda i: i.token(aud="https://other.example.org/mcp"), "audience"),
    "no audience": (lambda i: i.token(aud=None), "audience"),
    "wrong issuer": (lambda i: i.token(iss=i.url + "/"), "issuer"),
    "HS256 with the public key": (
        lambda i: signed_with_public_key({"alg": "HS256", "kid": "r1"}, i.claims(), rsa_key()),
        "algorithm",
    ),
    "HS256 called RS256": (
        lambda i: signed_with_public_key({"alg": "RS256", "kid": "r1"}, i.claims(), rsa_key()),
        "signature",
    ),
    "none": (unsigned, "algorithm"),
    "PS256": (lambda i: i.token(header={"alg": "PS256"}), "algorithm"),
    "crit": (lambda i: i.token(header={"crit": ["exp"]}), "extension"),
    "an id for another use": (lambda i: i.token(header={"typ": "logout+jwt"}), "type"),
    "unknown key": (lambda i: i.token(key=rsa_key("stranger"), header={"kid": "nobody"}), "unknown_key"),
    "another key under a known kid": (lambda i: i.token(key=rsa_key("stranger")), "signature"),
    "another type under a known kid": (lambda i: i.token(key=ec_key(), header={"kid": "r1"}), "unknown_key"),
    "RSA key, ES256 claimed": (lambda i: i.token(header={"alg": "ES256", "kid": "e1"}), "signature"),
    "bound to a key": (lambda i: i.token(cnf={"jkt": "x"}), "bound"),
    "no subject": (lambda i: i.token(sub=None), "subject"),
    "anonymous subject": (lambda i: i.token(sub="anonymous"), "subject"),
    "line break in the subject": (lambda i: i.token(sub="ana\nadmin"), "subject"),
    "empty tenant": (lambda i: i.token(tenant_id=""), "tenant"),
    "long tenant": (lambda i: i.token(tenant_id="x" * 257), "tenant"),
    "scopes of another kind": (lambda i: i.token(scope={"a": 1}), "malformed"),
    "garbage": (lambda i: "garbage", "malformed"),
    "garbage in three parts": (lambda i: "a.b.c", "malformed"),
    "deep garbage": (lambda i: f"{encoded(b'[' * 5000)}.AA.AA", "malformed"),
    "a claim response twice": (repeated_claim, "malformed"),
    "oversized": (lambda i: i.token(padding="x" * 20_000), "oversized"),
}


@pytest.mark.parametrize("case", GOOD)
def test_a_good_token_is_let_in_by_name(quiet_environment: Environment, issuer: Issuer, case: str) -> None:
    response = with_sign_in(quiet_environment, issuer, lambda app: app.send(token=GOOD[case](issuer)))
    assert (response.status, response.json) == (200, {"tenant": "default", "user": "ana", "scopes": []})


def test_a_bad_token_gets_a_challenge_and_is_repeated_nowhere(
    quiet_environment: Environment, issuer: Issuer, caplog: pytest.LogCaptureFixture
) -> None:
    """All in one app, so that the many unknown keys are met by keys already in hand."""

    async def script(app: SignInApp) -> None:
        for case, (make, reason) in BAD.items():
            token = make(issuer)
            app.failures.clear()
            response = await app.send(token=token)
            assert (case, response.status, app.failures) == (case, 401, [reason])
            assert response.challenge.startswith('Bearer error="invalid_token", error_description="')
            assert METADATA in response.challenge
            assert response.json["error"] == "invalid_token"
            assert response.json["error_description"] in response.challenge
            assert_untold(token, response, caplog.text)

    with caplog.at_level(logging.DEBUG):
        with_sign_in(quiet_environment, issuer, script)


def assert_untold(token: str, response: Response, log: str) -> None:
    said = f"{response.headers}{response.body!r}{log}"
    assert not any(part in said for part in token.split(".") if len(part) > 3)


def test_who_sends_no_token_is_told_where_to_get_one(quiet_environment: Environment, issuer: Issuer) -> None:
    async def script(app: SignInApp) -> None:
        for path, headers in (
            ("/mcp", {}),
            ("/mcp/", {}),
            ("/mcp/below", {}),
            ("/mcp", {"authorization": "Basic YTpi"}),
            ("/mcp", {"authorization": ""}),
        ):
            response = await app.send(path, headers=headers)
            assert (response.status, response.challenge) == (401, f'Bearer {METADATA}, scope="library research"')
            assert "Sign in" in response.json["error_description"]
        assert (await app.send("/open")).status == 200
        assert (await app.send("/api/about")).json["user"] == "anonymous"
        assert (await app.send("/api/about", token=issuer.token(scope="library"))).json["user"] == "ana"
        assert (await app.send("/api/about", token="bad")).status == 401

    with_sign_in(quiet_environment, issuer, script, REQUIRED_SCOPES="library", ENFORCE_SCOPES="true")


SCOPES: list[tuple[str, str, int, str]] = [
    ("library research", "web_search", 200, ""),
    ("library tool:*", "web_search", 200, ""),
    ("library tool:web_search", "web_search", 200, ""),
    ("library tool:web_search", "news_search", 403, "library tool:news_search tool:web_search"),
    ("library", "web_search", 403, "library research"),
    ("research", "web_search", 403, "library"),
    ("", "web_search", 403, "library research"),
    ("library tool:x", 'a" b', 403, "library research tool:x"),
]


def test_a_missing_scope_is_named_for_stepping_up(quiet_environment: Environment, issuer: Issuer) -> None:
    async def script(app: SignInApp) -> None:
        for scope, tool, status, wanted in SCOPES:
            for claims in ({"scope": scope}, {"scp": scope.split()}, {"scp": scope}):
                response = await app.call(tool, issuer.token(**claims))
                assert (scope, tool, response.status) == (scope, tool, status)
                if wanted:
                    assert response.challenge.startswith('Bearer error="insufficient_scope", ')
                    assert response.challenge.endswith(f'{METADATA}, scope="{wanted}"')
        listing = await app.send(token=issuer.token(scope="library"), body=b'{"method":"tools/list"}')
        assert listing.status == 200

    with_sign_in(quiet_environment, issuer, script, REQUIRED_SCOPES="library", ENFORCE_SCOPES="true")


def test_any_script_may_name_a_person(quiet_environment: Environment, issuer: Issuer) -> None:
    token = issuer.token(sub="گل‌رخ 山田", tenant_id="Ακαδημία", scope="a b", scp=["c", "a"])
    response = with_sign_in(quiet_environment, issuer, lambda app: app.send(token=token))
    assert response.json == {"tenant": "Ακαδημία", "user": "گل‌رخ 山田", "scopes": ["a", "b", "c"]}


def test_an_issuer_out_of_reach_is_not_the_callers_fault(quiet_environment: Environment, issuer: Issuer) -> None:
    async def script(app: SignInApp) -> Response:
        issuer.down = True
        return await app.send(token=issuer.token())

    response = with_sign_in(quiet_environment, issuer, script)
    assert (response.status, response.challenge) == (503, "")
    assert int(response.headers["retry-after"]) > 0
    assert response.json["error"] == "temporarily_unavailable"


def weak_keys() -> list[tuple[str, PrivateKey, dict[str, str]]]:
    return [("short", rsa_key(bits=1024), {}), ("for encryption", rsa_key("third"), {"use": "enc"})]


def test_weak_keys_and_keys_for_other_uses_sign_nothing(quiet_environment: Environment, issuer: Issuer) -> None:
    issuer.keys = [jwk(key, name, **more) for name, key, more in weak_keys()]
    issuer.keys += [{"kty": "RSA", "kid": "broken", "n": 7, "e": None}, {"kty": "oct", "k": "AAAA"}]
    issuer.keys.append({**jwk(ec_key(), "off the curve"), "x": encoded(b"\1" * 32)})

    async def script(app: SignInApp) -> list[str]:
        for name, key, _ in weak_keys():
            assert (await app.send(token=issuer.token(key=key, header={"kid": name}))).status == 401
        assert (await app.send(token=issuer.token(key=ec_key(), header={"kid": "off the curve"}))).status == 401
        return app.failures

    assert set(with_sign_in(quiet_environment, issuer, script)) == {"unknown_key"}


def test_the_metadata_say_whom_to_ask(quiet_environment: Environment, issuer: Issuer) -> None:
    """In the form of the address that clients themselves come to, and without empty lists (RFC 9728, 3.2)."""

    async def script(app: SignInApp) -> list[Response]:
        known = "/.well-known/oauth-protected-resource"
        return [await app.send(known), await app.send(known + "/mcp")]

    for response in with_sign_in(quiet_environment, issuer, script, REQUIRED_SCOPES="library"):
        assert response.status == 200
        described = json.loads(response.body)
        assert described.pop("resource_name")
        assert described == {
            "resource": PUBLIC_URL + "/mcp",
            "authorization_servers": [issuer.url],
            "scopes_supported": ["library"],
            "bearer_methods_supported": ["header"],
        }

    async def below_a_path(app: SignInApp) -> list[Response]:
        return [*await script(app), await app.send("/.well-known/oauth-protected-resource/a/mcp")]

    for response in with_sign_in(quiet_environment, issuer, below_a_path, PUBLIC_URL="https://Bücher.Example:443/a/"):
        assert response.json["resource"] == "https://xn--bcher-kva.example/a/mcp"
        assert "scopes_supported" not in response.json


@pytest.mark.parametrize(
    ("host", "base"), [("here.example:81", "http://here.example:81"), ('x" y', "http://127.0.0.1:80")]
)
def test_without_a_public_address_the_requests_own_is_named(
    quiet_environment: Environment, issuer: Issuer, host: str, base: str
) -> None:
    response = with_sign_in(
        quiet_environment,
        issuer,
        lambda app: app.send(headers={"host": host}),
        PUBLIC_URL="",
        OAUTH_AUDIENCE="research",
    )
    assert f'resource_metadata="{base}/.well-known/oauth-protected-resource/mcp"' in response.challenge
