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
from pathlib import Path

from wellsourced.errors import Misconfigured

KEY_BYTES = 32
FILE_NAME = "key"
MOST_READ = 1024
KEY_TEXT = re.compile(r"[0-9a-fA-F]{64}")
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def load_key(folder: Path, given: str) -> bytes:
    """The key given as 64 hexadecimal digits, else the one in the folder, else a new one kept there."""
    if given:
        return _parsed(given, "CACHE_ENCRYPTION_KEY")
    path = folder / FILE_NAME
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            _make(path)
        return _read(path)
    except OSError as problem:
        raise Misconfigured(
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
    if len(key) != KEY_BYTES:
        raise Misconfigured(f"An encryption key has {KEY_BYTES} bytes (64 hexadecimal digits), not {len(key)}.")
    return hmac.digest(key, b"wellsourced " + purpose.encode(), hashlib.sha256)


def _parsed(text: str, source: str) -> bytes:
    if not KEY_TEXT.fullmatch(text.strip()):
        raise Misconfigured(f"{source} must be 64 hexadecimal digits, for example the output of: openssl rand -hex 32")
    return bytes.fromhex(text.strip())


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        text = file.read(MOST_READ).decode("ascii", "replace").strip()
    if not KEY_TEXT.fullmatch(text):
        raise Misconfigured(
            f"{path} should hold an encryption key of 64 hexadecimal digits and does not. It was left as it is. "
            "Put the right key back or set CACHE_ENCRYPTION_KEY; if the key is lost, move the whole folder away."
        )
    _keep_private(path)
    return bytes.fromhex(text)


def _keep_private(path: Path) -> None:
    if os.name == "nt" or not path.stat().st_mode & OTHERS:
        return
    try:
        path.chmod(0o600)
    except OSError as problem:
        raise Misconfigured(
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
    with os.fdopen(descriptor, "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Force a new name to the disk; Windows has no such call and needs none."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
