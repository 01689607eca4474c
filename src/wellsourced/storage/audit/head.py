"""The head of the chain, kept beside the log: without it nobody could see that lines were cut off the end.

It is sealed with the house key where there is one, so that whoever can write the files but has no key cannot make a
head for a log they changed. Two things it cannot show: that an older head was put back together with the log of that
time, and lines added by hand after the last head before a crash. The copies that AUDIT_WEBHOOK_URL sends show both.
"""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

from wellsourced.errors import WellsourcedError
from wellsourced.storage.audit.chain import ChainHead
from wellsourced.storage.audit.event import canonical
from wellsourced.storage.audit.open_file import open_private
from wellsourced.storage.sealer import CannotOpen, Sealer

MOST_READ = 4096
IDENTITY = "audit head"
DIGEST = re.compile(r"[0-9a-f]{64}")


class HeadUnreadable(WellsourcedError):
    """There is a head, and it cannot be believed."""


class HeadFile:
    def __init__(self, log: Path, sealer: Sealer | None) -> None:
        self.path = log.with_name(f"{log.name}.head")
        self._sealer = sealer

    def read(self) -> ChainHead | None:
        """None when there is none."""
        try:
            with self.path.open("rb") as file:
                return self._opened(json.loads(file.read(MOST_READ)))
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError, RecursionError) as problem:
            raise HeadUnreadable(f"{self.path} is damaged.") from problem

    def write(self, head: ChainHead) -> None:
        """Whole or not at all: written beside, then given the name."""
        plain = {"seq": head.seq, "hash": head.hash}
        kept = plain if self._sealer is None else {"sealed": self._sealed(canonical(plain))}
        draft = self.path.with_name(f"{self.path.name}.new")
        with open_private(draft, "w") as file:
            file.write(canonical(kept) + b"\n")
        draft.replace(self.path)

    @property
    def is_sealed(self) -> bool:
        return self._sealer is not None

    def _sealed(self, plain: bytes) -> str:
        assert self._sealer is not None
        return base64.b64encode(self._sealer.seal(plain, IDENTITY)).decode()

    def _opened(self, kept: dict[str, object]) -> ChainHead:
        if self._sealer is None and "sealed" in kept:
            raise HeadUnreadable(f"{self.path} is sealed, and the house key is not at hand.")
        if self._sealer is not None:
            if "sealed" not in kept:
                raise HeadUnreadable(f"{self.path} is not sealed, though there is a house key: it was not made by it.")
            kept = json.loads(self._unsealed(str(kept["sealed"])))
        return _head(kept)

    def _unsealed(self, sealed: str) -> bytes:
        assert self._sealer is not None
        try:
            return self._sealer.open(base64.b64decode(sealed, validate=True), IDENTITY).plain
        except CannotOpen:
            raise HeadUnreadable(f"{self.path} does not open with the house key.") from None


def _head(kept: dict[str, object]) -> ChainHead:
    seq, digest = kept["seq"], kept["hash"]
    if type(seq) is not int or seq < 0 or not isinstance(digest, str) or not DIGEST.fullmatch(digest):
        raise ValueError(kept)
    return ChainHead(seq, digest)
