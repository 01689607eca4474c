"""A client's own configuration before, after install, after uninstall; and one that is broken."""

from __future__ import annotations

import json
import re
import stat
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.cli.running import run
from wellsourced.app.configuration import declared_settings
from wellsourced.cli.client_setup import Installation
from wellsourced.cli.install.clients import CLIENTS
from wellsourced.cli.install.files import add_server, key_file
from wellsourced.errors import BadInput
from wellsourced.settings import from_environment, is_variable_on

PLAIN_SERVERS = """{
  "mcpServers": {
    "files": {
      "command": "npx",
      "args": ["-y", "server-files", "/home/ana"]
    }
  }
}
"""
TABBED = '{\r\n\t"theme": "dark",\r\n\t"mcpServers": {}\r\n}\r\n'
BEFORE = {
    "claude-code": '{"numStartups": 12, "mcpServers": {"files": {"type": "stdio", "command": "npx"}}, "projects": {}}',
    "claude-desktop": PLAIN_SERVERS,
    "cline": '{\n    "mcpServers": {\n        "a": {"command": "x", "disabled": true, "autoApprove": []},\n    }\n}\n',
    "codex": '# mine\nmodel = "o9"\n\n[mcp_servers.a]\ncommand = "npx" # fast\n\n[mcp_servers.a.env]\nA = "1"\n',
    "continue": "",
    "cursor": "\ufeff" + PLAIN_SERVERS,
    "gemini-cli": TABBED,
    "goose": "GOOSE_PROVIDER: anthropic\nextensions:\n  developer:\n    enabled: true\n    type: builtin\n# end\n",
    "jetbrains": "{}",
    "lm-studio": '{\n  "mcpServers": {}\n}\n',
    "opencode": '{\n  "theme": "x",\n  // mine\n  "mcp": {\n    "a": {"type": "local"},\n  },\n}\n',
    "vscode": '{\n\t"servers": {\n\t\t"a": { "type": "http", "url": "https://x.org/mcp" }\n\t},\n\t"inputs": []\n}\n',
    "windsurf": PLAIN_SERVERS,
    "zed": '// Zed settings\n{\n  "theme": "One Dark", // night\n  /* servers */\n  "context_servers": {\n  }\n}\n',
}
HOLDERS = {"codex": "mcp_servers", "opencode": "mcp", "vscode": "servers", "zed": "context_servers"}
SECRET = "key-of-ana-0123456789"


@pytest.fixture
def person(environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Somebody with an empty home folder; this process finds the same one."""
    home = {"HOME": str(tmp_path / "home"), "XDG_CONFIG_HOME": str(tmp_path / "home" / ".config")}
    for name, value in home.items():
        monkeypatch.setenv(name, value)
    no_keyring = {"PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}
    return {**environment, **home, **no_keyring, "BRAVE_API_KEY": SECRET, "LOG_LEVEL": "error"}


def write(client: str, text: str) -> Path:
    file = CLIENTS[client].file()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode())
    return file


def entry_in(client: str, text: str) -> dict[str, Any]:
    holder = HOLDERS.get(client, "mcpServers")
    if client == "codex":
        found: dict[str, Any] = tomllib.loads(text)[holder]["wellsourced"]
    elif client == "goose":
        line = next(line for line in text.splitlines() if line.strip().startswith("wellsourced:"))
        found = json.loads(line.partition(":")[2])
    else:
        plain = re.sub(r",(\s*[}\]])", r"\1", re.sub(r"(?m)^\s*//.*$| // .*$|/\*.*?\*/", "", text))
        found = json.loads(plain.removeprefix("\ufeff"))[holder]["wellsourced"]
    return found


@pytest.mark.parametrize("client", CLIENTS)
def test_the_entry_comes_and_goes_and_the_rest_stays(client: str, person: dict[str, str]) -> None:
    file = write(client, BEFORE[client])
    ran = run(person, "install", client)
    assert ran.status == 0, ran.err
    after = file.read_bytes().decode()
    entry = entry_in(client, after)
    environment = entry.get("env") or entry.get("envs") or entry["environment"]
    assert environment["LOG_LEVEL"] == "error"
    assert SECRET not in after + ran.out + ran.err
    key_file = Path(environment["ENV_FILE"])
    assert SECRET in key_file.read_text()
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    for line in filter(str.strip, BEFORE[client].splitlines()):
        assert line.strip().strip("{},")[:40] in after
    assert run(person, "install", client).status == 0
    assert file.read_bytes().decode() == after, "the same again changes nothing"
    gone = run(person, "uninstall", client)
    assert gone.status == 0, gone.err
    assert "Your keys stay in" in gone.out and key_file.exists()
    left = file.read_bytes().decode()
    if client == "continue":
        assert json.loads(left) == {"mcpServers": {}}
    elif client in ("jetbrains", "gemini-cli", "lm-studio", "zed"):
        without = [re.sub(r"\s", "", text).replace('"mcpServers":{}', "") for text in (left, BEFORE[client])]
        assert without[0] == without[1]
    else:
        assert left == BEFORE[client]


BROKEN = {
    **dict.fromkeys(CLIENTS, '{"theme": "dark",, "mcpServers": {}}'),
    "windsurf": '{"mcpServers": {"a": {"command": "x"}}',
    "claude-desktop": '{"mcpServers": {',
    "cursor": '{"mcpServers": []}',
    "zed": "not json",
    "codex": "model = \n",
    "goose": "extensions: [a, b]\n",
    "vscode": '{"servers": {}} trailing',
}


@pytest.mark.parametrize("client", BROKEN)
def test_a_broken_file_is_left_as_it_is(client: str, person: dict[str, str]) -> None:
    file = write(client, BROKEN[client])
    for command in ("install", "uninstall"):
        ran = run(person, command, client)
        assert ran.status != 0
        assert str(file) in " ".join(ran.err.split())
        assert "left as it is" in " ".join(ran.err.split())
        assert file.read_text() == BROKEN[client]
    assert [each.name for each in file.parent.iterdir()] == [file.name]


def test_print_shows_and_writes_nothing(person: dict[str, str]) -> None:
    ran = run(person, "install", "vscode", "--print")
    assert json.loads(ran.out[ran.out.index("{") :])["servers"]["wellsourced"]["type"] == "stdio"
    assert not Path(person["HOME"]).exists()


def test_a_copy_of_the_file_is_kept(person: dict[str, str]) -> None:
    file = write("claude-desktop", PLAIN_SERVERS)
    file.chmod(0o644)
    run(person, "install", "claude-desktop")
    assert file.with_name(file.name + ".before-wellsourced").read_text() == PLAIN_SERVERS
    assert stat.S_IMODE(file.stat().st_mode) == 0o644


def test_opencode_in_its_newer_layout(person: dict[str, str]) -> None:
    file = write("opencode", '{"mcp": {"servers": {"a": {"type": "local"}}}}')
    run(person, "install", "opencode")
    assert set(json.loads(file.read_text())["mcp"]["servers"]) == {"a", "wellsourced"}


def test_the_file_of_keys_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "keys.env"
    file.write_text('# keys\nexport LOG_LEVEL="error"\nHOST=192.0.2.1\nnot a pair\n')
    monkeypatch.setenv("ENV_FILE", str(file))
    monkeypatch.setenv("HOST", "192.0.2.2")
    monkeypatch.setenv("LOG_LEVEL", "")
    settings = from_environment()
    assert (settings.text("LOG_LEVEL"), settings.text("HOST")) == ("error", "192.0.2.2")
    monkeypatch.setenv("ENV_FILE", str(tmp_path / "absent"))
    assert any("ENV_FILE" in problem for problem in from_environment().problems)


@pytest.mark.parametrize(
    ("system", "environ", "expected"),
    [
        ("darwin", {}, "Library/Application Support/Claude/claude_desktop_config.json"),
        ("win32", {"APPDATA": "/roaming"}, "/roaming/Claude/claude_desktop_config.json"),
        ("linux", {"XDG_CONFIG_HOME": ""}, ".config/Claude/claude_desktop_config.json"),
    ],
)
def test_places_on_other_systems(
    system: str, environ: Mapping[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", system)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert str(CLIENTS["claude-desktop"].file()).endswith(expected)


class FakeKeyring(ModuleType):
    """The package `keyring` with a backend that is safe, or not, or locked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, safe: bool = True, locked: bool = False) -> None:
        super().__init__("keyring")
        self.kept: dict[tuple[str, str], str] = {}
        self.locked = locked
        core, errors = ModuleType("keyring.core"), ModuleType("keyring.errors")
        core.__dict__["recommended"] = lambda backend: safe
        errors.__dict__["KeyringError"] = OSError
        for module in (self, core, errors):
            monkeypatch.setitem(sys.modules, module.__name__, module)

    def get_keyring(self) -> object:
        return self

    def set_password(self, service: str, name: str, value: str) -> None:
        if self.locked:
            raise OSError("locked")
        self.kept[service, name] = value

    def get_password(self, service: str, name: str) -> str | None:
        return self.kept.get((service, name))


@pytest.fixture
def owner(person: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Installation:
    monkeypatch.setenv("BRAVE_API_KEY", SECRET)
    return Installation(("wellsourced",), {}, ("BRAVE_API_KEY",))


def test_keys_go_to_the_keyring_of_the_system_and_come_from_it(
    owner: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    ring = FakeKeyring(monkeypatch)
    said = list(add_server(CLIENTS["cursor"], owner, only_print=False))
    text = CLIENTS["cursor"].file().read_text()
    assert entry_in("cursor", text)["env"] == {"KEYRING": "BRAVE_API_KEY"}
    assert "keyring of this system" in said[0] and SECRET not in text + str(said)
    assert ring.kept == {("wellsourced", "BRAVE_API_KEY"): SECRET} and not key_file().exists()
    monkeypatch.delenv("BRAVE_API_KEY")
    monkeypatch.setenv("KEYRING", "BRAVE_API_KEY, EXA_API_KEY")
    settings = from_environment(declared_settings())
    assert settings.text("BRAVE_API_KEY") == SECRET
    assert [problem for problem in settings.problems if "EXA_API_KEY" in problem]
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert any("wellsourced[keyring]" in problem for problem in from_environment(declared_settings()).problems)
    assert is_variable_on("EXA_API_KEY"), "named, and not looked up at the handshake"


def test_without_a_safe_keyring_keys_go_to_a_file(owner: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    ring = FakeKeyring(monkeypatch, safe=False)
    list(add_server(CLIENTS["cursor"], owner, only_print=False))
    assert not ring.kept and SECRET in key_file().read_text()
    assert stat.S_IMODE(key_file().stat().st_mode) == 0o600


def test_a_locked_keyring_leaves_everything_as_it_is(owner: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    FakeKeyring(monkeypatch, locked=True)
    with pytest.raises(BadInput, match="did not take the keys"):
        list(add_server(CLIENTS["cursor"], owner, only_print=False))
    assert not CLIENTS["cursor"].file().exists() and not key_file().exists()
