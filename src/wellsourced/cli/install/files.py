"""Changes a client's configuration file: read, edited in place, checked, a copy kept, replaced in one step."""

from __future__ import annotations

import contextlib
import copy
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wellsourced.cli.client_setup import NAME, Installation
from wellsourced.cli.install import json_text, toml_text, yaml_text
from wellsourced.cli.install.clients import Client, settings_folder
from wellsourced.cli.install.json_text import NotEditable
from wellsourced.errors import BadInput
from wellsourced.settings import environment_variable
from wellsourced.settings.keyring_keys import keep_keys, usable_keyring

EDITORS: dict[str, Any] = {"json": json_text, "toml": toml_text, "yaml": yaml_text}
COPY_SUFFIX = ".before-wellsourced"
KEY_FILE = "keys.env"
ONLY_OWNER = 0o600


def add_server(client: Client, own: Installation, *, only_print: bool) -> Iterator[str]:
    """Write the entry, or show it; gives the sentences to show."""
    keys = {name: environment_variable(name) for name in own.secret}
    safe = KeyPlace.for_keys(keys)
    entry = client.entry(own.command, {**own.plain, **safe.environment(keys)})
    file = client.file()
    before = read_file(file)
    after = edited(client, file, before, entry)
    if only_print:
        yield f"{file} would hold:"
        yield EDITORS[client.format].set_entry("", client.path, NAME, entry)
        return
    if keys:
        yield safe.keep(keys)
    if after == before:
        yield f"{client.title} already has this entry in {file}."
        return
    yield from replace_file(file, before, after)
    yield f"{client.title} starts Wellsourced from now on ({file}). {client.restart}"


@dataclass(frozen=True, slots=True)
class KeyPlace:
    """Where keys are kept: in the keyring of the system, or where there is none in a file that only its owner can read.
    Never in the configuration, which backups, sync and other programs read."""

    in_keyring: bool

    @classmethod
    def for_keys(cls, keys: Mapping[str, str]) -> KeyPlace:
        return cls(in_keyring=bool(keys) and usable_keyring() is not None)

    def environment(self, keys: Mapping[str, str]) -> dict[str, str]:
        """What the client's entry says of them."""
        if not keys:
            return {}
        return {"KEYRING": ",".join(keys)} if self.in_keyring else {"ENV_FILE": str(key_file())}

    def keep(self, keys: Mapping[str, str]) -> str:
        if not self.in_keyring:
            write_file(key_file(), "".join(f"{name}={json.dumps(value)}\n" for name, value in keys.items()))
            return f"{keys_said(keys)} in {key_file()}, which only you can read."
        if not keep_keys(dict(keys)):
            raise BadInput(
                "The keyring of this system did not take the keys; nothing was written. Unlock it and run this again, "
                "or set PYTHON_KEYRING_BACKEND=keyring.backends.null.Keyring to have them in a file."
            )
        return f"{keys_said(keys)} in the keyring of this system."


def keys_said(keys: Mapping[str, str]) -> str:
    return "Your key is" if len(keys) == 1 else f"Your {len(keys)} keys are"


def key_file() -> Path:
    return settings_folder() / NAME / KEY_FILE


def remove_server(client: Client) -> Iterator[str]:
    file = client.file()
    before = read_file(file)
    after = edited(client, file, before, None)
    if after == before:
        yield f"{client.title} has no entry for Wellsourced in {file}."
        return
    yield from replace_file(file, before, after)
    yield f"Wellsourced is no longer in {file}. {client.restart}"
    if "KEYRING" in before:
        yield "Your keys stay in the keyring of this system, under the name wellsourced."
    elif "ENV_FILE" in before:
        yield f"Your keys stay in {key_file()}; delete it when no other client needs them."


def edited(client: Client, file: Path, text: str, entry: Mapping[str, Any] | None) -> str:
    """The new text; refused unless everything but our entry is as before."""
    editor = EDITORS[client.format]
    path = place_in(client, text)
    try:
        if entry is None:
            after: str = editor.remove_entry(text, path, NAME)
        else:
            after = editor.set_entry(text, path, NAME, entry)
        if rest(editor, after, path) != rest(editor, text, path):
            raise NotEditable("is laid out in a way that cannot be edited safely")
    except NotEditable as problem:
        hint = "Mend it, or see what to write with --print." if entry else "Mend it, or take the entry out by hand."
        raise BadInput(f"{file} {problem}; it was left as it is. {hint}") from None
    return after


def place_in(client: Client, text: str) -> tuple[str, ...]:
    """The path of the servers in this file."""
    if client.newer_path and text.strip():
        *above, last = client.newer_path
        with contextlib.suppress(NotEditable):
            if isinstance(json_text.read_entry(text, above, last), dict):
                return client.newer_path
    return client.path


def rest(editor: Any, text: str, path: tuple[str, ...]) -> object:
    """What the file holds beside our entry."""
    if editor is yaml_text:
        found = editor.parse(editor.remove_entry(text, path, NAME))
        return [line for line in found if line not in (f"{path[0]}:", f"{path[0]}: {{}}")]
    data = copy.deepcopy(editor.parse(text)) if text.strip("\ufeff \t\r\n") else {}
    holder = data
    for key in path:
        holder = holder.get(key, {}) if isinstance(holder, dict) else {}
    if isinstance(holder, dict):
        holder.pop(NAME, None)
    return without_empty(data, path)


def without_empty(data: Any, path: tuple[str, ...]) -> Any:
    """An object that was made for our entry, and is empty without it, counts as absent."""
    if path and isinstance(data, dict) and path[0] in data:
        inner = without_empty(data[path[0]], path[1:])
        return {key: inner if key == path[0] else value for key, value in data.items() if key != path[0] or inner}
    return data


def read_file(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError:
        raise BadInput(f"{file} is not UTF-8 text; it was left as it is.") from None


def replace_file(file: Path, before: str, after: str) -> Iterator[str]:
    if before:
        backup = file.with_name(file.name + COPY_SUFFIX)
        write_file(backup, before)
        yield f"The file as it was: {backup}"
    write_file(file, after, mode=file.stat().st_mode & 0o777 if before else ONLY_OWNER)


def write_file(file: Path, text: str, mode: int = ONLY_OWNER) -> None:
    """In one step, also through a link: nobody finds half a file, and a link stays one."""
    target = file.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(descriptor, "wb") as made:
            made.write(text.encode("utf-8"))
            made.flush()
            os.fsync(made.fileno())
        Path(temporary).chmod(mode)
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
