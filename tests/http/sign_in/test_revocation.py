"""Ending a token before its time: who may, what it takes, and that it holds at once and over restarts."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.http.sign_in.issuer import Issuer, ec_key
from tests.http.sign_in.sign_in_app import ADMIN_KEY, SignInApp, with_sign_in, with_sign_in_async
from tests.storage.redis_server import RedisServer

ADMIN = {"x-admin-key": ADMIN_KEY}

Environment = Mapping[str, str]


@pytest.mark.parametrize("jti", ["a1", None])
def test_who_has_a_token_may_end_it_for_good(quiet_environment: Environment, issuer: Issuer, jti: str | None) -> None:
    token, other = issuer.token(jti=jti), issuer.token(jti="b2", sub="ben")

    async def ended(app: SignInApp) -> None:
        assert (await app.send(token=token)).status == 200
        response = await app.revoke(urlencode({"token": token, "token_type_hint": "access_token"}))
        assert (response.status, response.body) == (200, b"")
        await still_ended(app)

    async def still_ended(app: SignInApp) -> None:
        refused = await app.send(token=token)
        assert (refused.status, app.failures) == (401, ["revoked"])
        assert "revoked" in refused.challenge
        assert (await app.send(token=other)).status == 200

    with_sign_in(quiet_environment, issuer, ended)
    with_sign_in(quiet_environment, issuer, still_ended)


def test_the_operator_may_end_any_token(quiet_environment: Environment, issuer: Issuer) -> None:
    async def script(app: SignInApp) -> None:
        by_name, by_text = issuer.token(jti="a1"), issuer.token(jti="a2", key=ec_key())
        assert (await app.revoke("jti=a1", ADMIN)).status == 200
        assert (await app.send(token=by_name)).status == 401
        issuer.down = True
        assert (await app.revoke(urlencode({"token": by_text}), ADMIN)).status == 200
        issuer.down = False
        assert (await app.send(token=by_text)).status == 401
        assert app.failures == ["revoked", "revoked"]

    with_sign_in(quiet_environment, issuer, script)


def test_nobody_else_ends_anything(quiet_environment: Environment, issuer: Issuer) -> None:
    async def script(app: SignInApp) -> None:
        token = issuer.token(jti="a1")
        text, _, signature = token.rpartition(".")
        attempts: list[tuple[str, Mapping[str, str], int]] = [
            ("jti=a1", {}, 401),
            ("jti=a1", {"x-admin-key": ""}, 401),
            ("jti=a1", {"x-admin-key": "guessed"}, 401),
            (urlencode({"token": token}), {"x-admin-key": "guessed"}, 401),
            (urlencode({"token": f"{text}.{signature[::-1]}"}), {}, 200),
            (urlencode({"token": issuer.token(jti="a1", exp=int(time.time()) - 100)}), {}, 200),
            ("token=garbage", {}, 200),
            ("token=", {}, 400),
            ("", {}, 400),
            ("token=a&token=b", {}, 400),
            ("&".join(f"f{n}=1" for n in range(100)), {}, 400),
            ("token=" + "x" * 100_000, {}, 400),
            (urlencode({"token": token}), {"content-type": "application/json"}, 400),
            ("jti=", ADMIN, 400),
        ]
        for form, headers, status in attempts:
            response = await app.revoke(form, headers)
            assert (form[:40], response.status) == (form[:40], status)
            assert not response.body or response.json["error_description"]
            assert signature not in f"{response.headers}{response.body!r}"
        assert (await app.send(token=token)).status == 200

    with_sign_in(quiet_environment, issuer, script)


def test_a_second_instance_knows_at_once_and_nobody_passes_unchecked(
    quiet_environment: Environment, issuer: Issuer, tmp_path: Path
) -> None:
    with RedisServer(tmp_path) as redis:
        shared = {"REDIS_URL": redis.url, "CACHE_ENCRYPTION_KEY": secrets.token_hex(32)}
        elsewhere = {**quiet_environment, "CACHE_DIR": str(tmp_path / "second")}

        async def first(app: SignInApp) -> None:
            token, other = issuer.token(jti="a1"), issuer.token(jti="b2")

            async def second(there: SignInApp) -> None:
                assert (await there.send(token=token)).status == 200
                assert (await app.revoke(urlencode({"token": token}))).status == 200
                assert (await there.send(token=token)).status == 401
                assert (await there.send(token=other)).status == 200
                for form in ("jti=c3", urlencode({"token": issuer.token(jti="c3", exp=1)})):
                    assert (await app.revoke(form, ADMIN)).status == 200
                assert (await there.send(token=issuer.token(jti="c3"))).status == 401
                redis.kill()
                away = await there.send(token=other)
                assert (away.status, "retry-after" in away.headers) == (503, True)
                assert (await there.revoke(urlencode({"token": other}))).status == 503
                redis.start()
                assert (await there.send(token=token)).status == 401
                assert (await there.send(token=other)).status == 200

            await with_sign_in_async(elsewhere, issuer, second, **shared)

        with_sign_in(quiet_environment, issuer, first, **shared)
