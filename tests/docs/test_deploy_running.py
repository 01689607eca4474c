"""The compose file as processes on loopback: Redis by its own command, two servers with its environment."""

from __future__ import annotations

import asyncio
import json
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mcp import Client

from tests.docs.deploy_files import compose, health_check, redis_script
from tests.http.http_server import free_port, get, http_server
from tests.storage.redis_server import redis_program

PASSWORD = secrets.token_hex(16)
START_SECONDS = 60.0


@contextmanager
def redis_of_compose(folder: Path, port: int) -> Iterator[None]:
    redis_program()
    service = compose()["services"]["redis"]
    script = redis_script(service["command"]).replace("/data", str(folder))
    script = script.replace("redis-server ", f"redis-server --bind 127.0.0.1 --port {port} ")
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "REDIS_PASSWORD": PASSWORD}
    process = subprocess.Popen(["sh", "-c", script], env=environment, stdout=subprocess.DEVNULL)
    asked = service["healthcheck"]["test"][1].replace("$$", "$").replace("redis-cli", f"redis-cli -p {port}")
    try:
        wait_for(asked, environment)
        yield
    finally:
        process.kill()
        process.wait(60)


def wait_for(command: str, environment: Mapping[str, str]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while subprocess.run(["sh", "-c", command], env=environment, capture_output=True, timeout=60).returncode:
        assert time.monotonic() < deadline, "Redis is not healthy by its own check"
        time.sleep(0.05)


async def step(address: str, number: int, session: str | None = None) -> dict[str, Any]:
    arguments = {"searchStep": f"Step {number}", "stepNumber": number, "nextStepNeeded": True, "sessionId": session}
    async with Client(address + "/mcp") as client:
        result = await client.call_tool("sequential_search", {k: v for k, v in arguments.items() if v is not None})
    answer: dict[str, Any] | None = result.structured_content
    assert answer is not None, result
    return answer


def is_healthy(address: str) -> bool:
    environment = {"PORT": address.rpartition(":")[2], "HTTP_PROXY": "http://127.0.0.1:1"}
    command = [sys.executable if word == "python" else word for word in health_check()]
    return subprocess.run(command, env=environment, capture_output=True, timeout=30).returncode == 0


def test_two_servers_and_redis_as_compose_starts_them(environment: dict[str, str], tmp_path: Path) -> None:
    port, data = free_port(), tmp_path / "data"
    settings = dict(compose()["services"]["server-1"]["environment"])
    settings |= {
        "REDIS_URL": f"redis://:{PASSWORD}@127.0.0.1:{port}/0",
        "CACHE_ENCRYPTION_KEY": secrets.token_hex(32),
        "AUDIT_OUTPUT_PATH": settings["AUDIT_OUTPUT_PATH"].replace("/data", str(data)),
        "CACHE_DIR": str(data),
        "PUBLIC_URL": "https://research.example.org",
        "ADMIN_API_KEY": "sesame",
        "RATE_LIMIT_PER_IP": "1000",
        "ANONYMOUS_CALLERS": "one",
    }
    (tmp_path / "redis").mkdir()
    with (
        redis_of_compose(tmp_path / "redis", port),
        http_server({**environment, **settings}, subprocess.Popen) as first,
    ):
        with http_server({**environment, **settings}) as second:
            assert is_healthy(first)
            assert is_healthy(second)
            session = asyncio.run(step(first, 1))["sessionId"]
            assert asyncio.run(step(second, 2, session))["currentStep"] == 2
            probed = get(second + "/health/ready", {"Host": "10.1.2.3:8765"})
            assert (probed[0], json.loads(probed[2])) == (200, {"status": "healthy"})
            from_proxy = {
                "Host": "research.example.org",
                "X-Forwarded-For": "203.0.113.9",
                "X-Forwarded-Proto": "https",
            }
            assert get(second + "/metrics", from_proxy)[0] == 401
            assert get(second + "/metrics", {**from_proxy, "X-Admin-Key": "sesame"})[0] == 200
        assert not is_healthy(second)
        assert asyncio.run(step(first, 3, session))["currentStep"] == 3
    lines = [json.loads(line) for line in Path(settings["AUDIT_OUTPUT_PATH"]).read_text("utf-8").splitlines()]
    assert len(lines) >= 3, "both servers write to one log"
    command = [sys.executable, "-m", "wellsourced", "audit-log", "verify"]
    checked = subprocess.run(command, env={**environment, **settings}, capture_output=True, text=True, timeout=60)
    assert checked.returncode == 0, checked.stdout
