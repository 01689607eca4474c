"""The one secret of the store: given in the environment, or made once and kept in a file only its owner can read.

A key that is lost takes everything stored with it, so the file is written whole, forced to the disk, and never
replaced: two processes that start together end with the same key, and a damaged file is left for its owner to mend.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import stat
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

from wellsourced.errors import Misconfigured
from wellsourced.system import modes_are_kept

KEY_BYTES = 32
FILE_NAME = "key"
MOST_READ = 1024
KEY_TEXT = re.compile(r"[0-9a-fA-F]{64}")
OTHERS = stat.S_IRWXG | stat.S_IRWXO


class CannotUseKey(Misconfigured):
    """The key is damaged, unreadable or missing. Its file is left as it is."""

    action = "inform_user"


class KeyPair(NamedTuple):
    """The key in use, and the one before the last rotation."""

    current: bytes
    previous: bytes | None = None


class KeySource(Protocol):
    def pair(self) -> KeyPair:
        """Raises CannotUseKey where there is none that can be used now."""

    def forget(self) -> None:
        """Look again at the next need: what was read did not fit."""


class KnownKey:
    """A key that is at hand."""

    def __init__(self, current: bytes, previous: bytes | None = None) -> None:
        for key in (current, previous or current):
            _check_length(key)
        self._pair = KeyPair(current, previous)

    def pair(self) -> KeyPair:
        return self._pair

    def forget(self) -> None:
        """There is no other."""


class LazyKey:
    """A key that is read when it is first needed, and until then at every need: a key that is put right while the
    server runs is used from then on."""

    def __init__(self, load: Callable[[], KeyPair]) -> None:
        self._load = load
        self._pair: KeyPair | None = None

    def pair(self) -> KeyPair:
        if self._pair is None:
            self._pair = self._load()
        return self._pair

    def forget(self) -> None:
        self._pair = None


def key_source(key: bytes | KeySource, previous: bytes | None = None) -> KeySource:
    return KnownKey(key, previous) if isinstance(key, bytes) else key


def load_pair(database: Path, given: str, given_previous: str) -> KeyPair:
    """The keys of a database file, from the settings or the file beside it. No key is made for a file that was
    written with another."""
    folder = database.parent
    if not given and _is_written(database) and not _is_there(folder / FILE_NAME):
        raise CannotUseKey(
            f"{folder / FILE_NAME} is missing, the encryption key that {database} was written with. Put it back or "
            "set CACHE_ENCRYPTION_KEY; if the key is lost, move the whole folder away."
        )
    current = load_key(folder, given)
    return KeyPair(current, load_previous_key(folder, given_previous, current))


def load_key(folder: Path, given: str) -> bytes:
    """The key given as 64 hexadecimal digits, else the one in the folder, else a new one kept there."""
    if given:
        return _parsed(given, "CACHE_ENCRYPTION_KEY")
    path = folder / FILE_NAME
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_there(path):
            _make(path)
        return _read(path)
    except OSError as problem:
        raise CannotUseKey(
            f"The encryption key in {path} can be neither read nor made ({problem.strerror or problem}). "
            "Make the folder writable, set CACHE_DIR to another one, or set CACHE_ENCRYPTION_KEY."
        ) from problem


def load_previous_key(folder: Path, given: str, current: bytes) -> bytes | None:
    """The key before the last rotation: the one given, else a key file that a key from the environment has replaced."""
    if given:
        return _parsed(given, "CACHE_ENCRYPTION_KEY_PREV")
    try:
        kept = _read(folder / FILE_NAME)
    except (OSError, Misconfigured):
        return None
    return kept if kept != current else None


def derive(key: bytes, purpose: str) -> bytes:
    """A key for one purpose only, so that no two ciphers ever share one."""
    _check_length(key)
    return hmac.digest(key, b"wellsourced " + purpose.encode(), hashlib.sha256)


def _check_length(key: bytes) -> None:
    if len(key) != KEY_BYTES:
        raise Misconfigured(f"An encryption key has {KEY_BYTES} bytes (64 hexadecimal digits), not {len(key)}.")


def _parsed(text: str, source: str) -> bytes:
    if not KEY_TEXT.fullmatch(text.strip()):
        raise CannotUseKey(f"{source} must be 64 hexadecimal digits, for example the output of: openssl rand -hex 32")
    return bytes.fromhex(text.strip())


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        text = file.read(MOST_READ).decode("ascii", "replace").strip()
    if not KEY_TEXT.fullmatch(text):
        raise CannotUseKey(
            f"The encryption key in {path} is damaged: it should be 64 hexadecimal digits. It was left as it is. "
            "Put the right key back or set CACHE_ENCRYPTION_KEY; if the key is lost, move the whole folder away."
        )
    _keep_private(path)
    return bytes.fromhex(text)


def _is_there(path: Path) -> bool:
    """Whether there is such a name; one that cannot be looked at counts, so that reading it tells why."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True


def _is_written(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except OSError:
        return False


def _keep_private(path: Path) -> None:
    if not modes_are_kept() or not path.stat().st_mode & OTHERS:
        return
    try:
        path.chmod(0o600)
    except OSError as problem:
        raise CannotUseKey(
            f"The encryption key in {path} can be read by others and belongs to someone else. "
            "Make it readable by its owner alone (chmod 600), or set CACHE_ENCRYPTION_KEY."
        ) from problem


def _make(path: Path) -> None:
    """Write beside, then link: the name appears with its whole content or not at all, and only once."""
    draft = path.with_name(f"{FILE_NAME}.{secrets.token_hex(8)}")
    text = os.urandom(KEY_BYTES).hex().encode() + b"\n"
    try:
        _write_new(draft, text)
        try:
            os.link(draft, path)
        except FileExistsError:
            return
        except OSError:  # no hard links on this file system; the exclusive name still lets only one win
            _write_unless_there(path, text)
    finally:
        draft.unlink(missing_ok=True)
    sync_folder(path.parent)


def _write_unless_there(path: Path, text: bytes) -> None:
    try:
        _write_new(path, text)
    except FileExistsError:
        return


def _write_new(path: Path, text: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except OSError:  # a full disk: half a key would be taken for a damaged one ever after
        path.unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """Force a new name to the disk; Windows has no such call and needs none."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
