"""The deployment files agree with the product, with each other and with the files they name."""

from __future__ import annotations

import re
import shlex
import subprocess
from fnmatch import fnmatch
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any

import pytest

from tests.docs.deploy_files import (
    DEPLOY,
    ROOT,
    compose,
    dockerfile,
    env_file,
    image_environment,
    manifest,
    manifests,
    redis_script,
)
from wellsourced.app import configuration
from wellsourced.net.address_ranges import GLOBAL_UNICAST, METADATA_ADDRESSES, SIX_TO_FOUR, SPECIAL_IPV4, SPECIAL_IPV6
from wellsourced.settings import Settings
from wellsourced.settings.variables import VARIABLES

OF_COMPOSE = {"CERTIFICATES", "REDIS_PASSWORD"}
OF_THE_IMAGE = {"PATH", "PYTHONDONTWRITEBYTECODE"}
DIGITS = "ab" * 32
LONGEST_CALL = 120
SELECTING = {"Service", "PodDisruptionBudget", "NetworkPolicy"}


def environments() -> dict[str, dict[str, str]]:
    settings, secret = manifest("ConfigMap")["data"], manifest("Secret")["stringData"]
    return {
        "image": {name: value for name, value in image_environment().items() if name not in OF_THE_IMAGE},
        "compose": compose()["services"]["server-1"]["environment"],
        "example.env": {name: value for name, value in env_file().items() if name not in OF_COMPOSE},
        "kubernetes": settings | secret,
    }


def filled(value: str) -> str:
    return DIGITS if value.startswith(("${", "REPLACE-WITH-64")) else value


@pytest.mark.parametrize("place", environments())
def test_every_variable_is_a_setting_and_every_value_is_understood(place: str) -> None:
    values: dict[str, Any] = dict(environments()[place])
    declared = configuration.declared_settings()
    assert set(values) <= {setting.name for setting in declared}
    assert all(isinstance(value, str) for value in values.values()), "an unquoted true is not a text"
    settings = Settings({name: filled(value) for name, value in values.items()}, declared)
    assert not settings.problems
    assert not [problem for problem in configuration.conflicts(settings) if "package" not in problem]


def test_secrets_are_only_where_secrets_belong() -> None:
    secret = {setting.name for setting in configuration.declared_settings() if setting.secret}
    assert not secret & {*image_environment(), *manifest("ConfigMap")["data"]}
    given = {**manifest("Secret")["stringData"], **manifest("Secret", "redis-password")["stringData"]}
    assert all("REPLACE-WITH" in value or not value for value in given.values())
    assert not [name for name, value in env_file().items() if value and name in secret | {"REDIS_PASSWORD"}]
    assert not [rest for word, rest in dockerfile() if word == "ARG" and re.search("KEY|TOKEN|PASSWORD", rest)]


def test_what_compose_asks_for_is_in_the_example_and_the_other_way_round() -> None:
    asked = set(re.findall(r"\$\{(\w+):\?", (DEPLOY / "compose.yaml").read_text("utf-8")))
    assert asked <= set(env_file())
    assert asked - {setting.name for setting in configuration.declared_settings()} == OF_COMPOSE


def test_the_image_copies_files_that_exist_and_are_not_ignored() -> None:
    rules = [line for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line[:1] not in {"", "#"}]
    kept = [rule[1:] for rule in rules if rule.startswith("!")]
    assert rules[0] == "*"
    copied = [name for word, rest in dockerfile() if word == "COPY" and "--from" not in rest for name in rest.split()]
    for name in {name for name in copied if name != "./"}:
        assert (ROOT / name).exists(), name
        assert any(fnmatch(name, rule) for rule in kept), f"{name} is kept out by .dockerignore"
    assert set(kept) == {name for name in copied if name != "./"}, "more is let in than is copied"


def test_the_image_runs_as_nobody_in_particular() -> None:
    steps = dockerfile()
    users = [index for index, (word, _) in enumerate(steps) if word == "USER"]
    assert steps[users[-1]][1] == "10001:10001"
    assert not [word for word, _ in steps[users[-1] :] if word == "RUN"]
    pod = manifest("Deployment")["spec"]["template"]["spec"]
    assert f"{pod['securityContext']['runAsUser']}:{pod['securityContext']['runAsGroup']}" == steps[users[-1]][1]


def test_run_instructions_are_shell() -> None:
    for word, rest in dockerfile():
        if word == "RUN":
            subprocess.run(["bash", "-n", "-c", rest], check=True, timeout=10)
            assert shlex.split(rest)


def test_compose_mounts_and_builds_what_exists() -> None:
    for service in compose()["services"].values():
        for mounted in service.get("volumes", ()):
            source = mounted.split(":")[0]
            if not source.startswith("${"):
                assert (DEPLOY / source).is_file() if source.startswith(".") else source in compose()["volumes"]
        if build := service.get("build"):
            assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]


def test_the_proxy_knows_both_servers_and_holds_nothing_back() -> None:
    conf = (DEPLOY / "proxy" / "nginx.conf").read_text("utf-8")
    port = image_environment()["PORT"]
    servers = [name for name in compose()["services"] if name.startswith("server")]
    assert re.findall(r"^ +server (\S+) resolve", conf, re.MULTILINE) == [f"{name}:{port}" for name in servers]
    lines = {" ".join(line.split()) for line in conf.splitlines()}
    assert {"proxy_buffering off;", "gzip off;", "proxy_set_header X-Forwarded-For $remote_addr;"} <= lines
    (silence,) = re.findall(r"proxy_read_timeout (\d+)s;", conf)
    assert int(silence) > LONGEST_CALL
    (body,) = re.findall(r"client_max_body_size (\d+)m;", conf)
    assert int(body) * 1024 * 1024 == Settings({}, VARIABLES).count("MAX_REQUEST_BODY_BYTES")


def test_the_kustomization_lists_every_manifest() -> None:
    (listed,) = [each["resources"] for each in manifests() if each["kind"] == "Kustomization"]
    present = {path.name for path in (DEPLOY / "kubernetes").glob("*.yaml")} - {"kustomization.yaml"}
    assert set(listed) == present
    assert len(listed) == len(present)


def test_pods_probe_drain_and_are_fenced() -> None:
    spec = manifest("Deployment")["spec"]
    pod, container = spec["template"]["spec"], spec["template"]["spec"]["containers"][0]
    assert spec["replicas"] == 2
    assert container["livenessProbe"]["httpGet"]["path"] == "/health/live"
    assert container["readinessProbe"]["httpGet"]["path"] == "/health/ready"
    assert container["ports"][0]["containerPort"] == int(image_environment()["PORT"])
    assert {mount["mountPath"] for mount in container["volumeMounts"]} == {image_environment()["CACHE_DIR"], "/tmp"}
    shutdown = Settings({}, VARIABLES).seconds("HTTP_SHUTDOWN_TIMEOUT")
    pause = float(container["lifecycle"]["preStop"]["exec"]["command"][1])
    assert pod["terminationGracePeriodSeconds"] > shutdown + pause
    assert float(compose()["services"]["server-1"]["stop_grace_period"].rstrip("s")) > shutdown
    for kind, name in (("Deployment", "wellsourced"), ("StatefulSet", "redis")):
        inside = manifest(kind, name)["spec"]["template"]["spec"]
        fence = inside["containers"][0]["securityContext"]
        assert inside["securityContext"]["runAsNonRoot"] is True
        assert fence["readOnlyRootFilesystem"] is True
        assert fence["allowPrivilegeEscalation"] is False
        assert fence["capabilities"] == {"drop": ["ALL"]}


def test_every_selector_meets_a_pod() -> None:
    pods = [
        each["spec"]["template"]["metadata"]["labels"]
        for each in manifests()
        if each["kind"] in {"Deployment", "StatefulSet"}
    ]
    selectors = [
        each["spec"].get("podSelector", each["spec"].get("selector"))
        for each in manifests()
        if each["kind"] in SELECTING
    ]
    assert len(selectors) == 5
    for selector in selectors:
        assert selector.get("matchLabels", selector) in pods


def outward() -> dict[str, list[str]]:
    (blocks,) = [
        [to["ipBlock"] for to in rule["to"]]
        for rule in manifest("NetworkPolicy")["spec"]["egress"]
        if "ipBlock" in rule["to"][0]
    ]
    return {block["cidr"]: block["except"] for block in blocks}


def test_the_network_policy_keeps_out_what_the_guard_keeps_out() -> None:
    """Both ways: nothing private can be reached, and nothing public is cut off."""
    barred4 = [IPv4Network(text) for text in outward()["0.0.0.0/0"]]
    special4 = [network for network, _ in SPECIAL_IPV4]
    metadata4 = [IPv4Network(address) for address in METADATA_ADDRESSES if address.version == 4]
    for network in (*special4, *metadata4):
        assert any(network.subnet_of(barred) for barred in barred4), network
    for barred in barred4:
        assert any(barred.subnet_of(network) for network in (*special4, *metadata4)), barred
    barred6 = [IPv6Network(text) for text in outward()[str(GLOBAL_UNICAST)]]
    special6 = [network for network, _ in SPECIAL_IPV6 if network.subnet_of(GLOBAL_UNICAST)]
    assert sorted(barred6) == sorted([*special6, SIX_TO_FOUR])


def test_ranges_that_are_barred_lie_in_their_block() -> None:
    for cidr, barred in outward().items():
        block = ip_network(cidr)
        assert all(ip_network(text).subnet_of(block) for text in barred)  # type: ignore[arg-type]


def test_redis_is_started_in_the_same_way_everywhere() -> None:
    here = redis_script(compose()["services"]["redis"]["command"])
    pod = manifest("StatefulSet", "redis")["spec"]["template"]["spec"]["containers"][0]
    assert here == pod["command"][2]
    assert "--maxmemory-policy noeviction" in here
    assert "--appendfsync always" in here
