"""Keys in the keyring of the system: Keychain, Credential Manager, Secret Service.

The package `keyring` is an extra (`pip install "wellsourced[keyring]"`), imported when a key is asked for. Of its
backends only those count that keep secrets from others; it would offer plain files as well.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

SERVICE = "wellsourced"
NO_KEYRING = (
    "KEYRING: this system has no keyring that can be used; install the extra (pip install 'wellsourced[keyring]'), or "
    "set the keys themselves or ENV_FILE."
)


def usable_keyring() -> Any:
    """The package, or None where it is missing or has no safe place to keep a key."""
    try:
        import keyring  # type: ignore[import-not-found,unused-ignore]
        from keyring.core import recommended  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return None
    return keyring if recommended(keyring.get_keyring()) else None


def read_keys(names: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """The values that are there, and a sentence on each that is not."""
    ring = usable_keyring()
    if ring is None:
        return {}, [NO_KEYRING]
    found = {name: _password(ring, name) for name in names}
    missing = [f"KEYRING: {name} is not in the keyring of this system." for name, value in found.items() if not value]
    return {name: value for name, value in found.items() if value}, missing


def _password(ring: Any, name: str) -> str:
    from keyring.errors import KeyringError  # type: ignore[import-not-found,unused-ignore]

    try:
        return str(ring.get_password(SERVICE, name) or "")
    except KeyringError:  # locked, or whoever asks was refused
        return ""


def keep_keys(keys: dict[str, str]) -> bool:
    """Whether all of them are in the keyring now."""
    ring = usable_keyring()
    if ring is None:
        return False
    from keyring.errors import KeyringError  # type: ignore[import-not-found,unused-ignore]

    try:
        for name, value in keys.items():
            ring.set_password(SERVICE, name, value)
    except KeyringError:
        return False
    return True
