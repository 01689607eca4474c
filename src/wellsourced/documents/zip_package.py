"""Untrusted zip packages: Office Open XML, OpenDocument, EPUB.

Sizes are counted while inflating, never taken from the archive's own directory, which may lie. Members inside
members are not opened at all, so nesting costs nothing.
"""

from __future__ import annotations

import posixpath
import struct
import zipfile
import zlib
from io import BytesIO
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from wellsourced.documents.document import Unreadable
from wellsourced.documents.xml import Element, attribute, find_child, local_name, parse_xml, text_of

MOST_MEMBERS = 20_000
LARGEST_MEMBER = 64 * 2**20
LARGEST_TOTAL = 192 * 2**20
# Deflate can reach 1,032 to 1; the XML of real documents stays far below this.
HIGHEST_RATIO = 400
# A small member of blanks may exceed the ratio and does no harm.
RATIO_COUNTS_FROM = 8 * 2**20
CHUNK = 256 * 1024
DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, struct.error, ValueError, NotImplementedError)


class Relation(NamedTuple):
    """Where a relationship id leads; `external` targets are addresses and are never fetched."""

    kind: str
    target: str
    external: bool


class ZipPackage:
    """Parts of a zip package by name, each inflated under a limit."""

    def __init__(self, body: bytes, what: str) -> None:
        self.what = what
        _refuse_many_members(body, what)
        try:
            self._archive = zipfile.ZipFile(BytesIO(body))
        except DAMAGED as problem:
            sentence = f"The {what} is damaged or cut short: its zip container cannot be opened."
            raise Unreadable(sentence, detail=str(problem)) from None
        self._members = {member.filename.replace("\\", "/").lstrip("/"): member for member in self._archive.infolist()}
        self._folded = {name.casefold(): name for name in self._members}
        self._inflated = 0

    @property
    def names(self) -> list[str]:
        return list(self._members)

    def find(self, name: str) -> str | None:
        """The stored spelling of a part name; packages mix up upper and lower case."""
        return name if name in self._members else self._folded.get(name.casefold())

    def read(self, name: str) -> bytes | None:
        """The bytes of a part, or None when there is no such part."""
        stored = self.find(name)
        if stored is None:
            return None
        member = self._members[stored]
        # Bit 0 says that the member is encrypted (APPNOTE.TXT 4.4.4).
        if member.flag_bits & 0x1:
            raise Unreadable(f"The {self.what} is protected with a password and cannot be read.")
        try:
            return self._inflate(member)
        except (*DAMAGED, RuntimeError) as problem:
            raise Unreadable(f"The {self.what} is damaged: {stored} cannot be unpacked.", detail=str(problem)) from None

    def xml(self, name: str) -> Element | None:
        data = self.read(name)
        return None if data is None else parse_xml(data, name)

    def relations(self, part: str) -> dict[str, Relation]:
        """The relationships of a part, by id; without the item that lists them, none."""
        folder, name = posixpath.split(part)
        root = self.xml(posixpath.join(folder, "_rels", f"{name}.rels"))
        relations: dict[str, Relation] = {}
        for item in root if root is not None else ():
            key, target = attribute(item, "Id"), attribute(item, "Target")
            if key and target and local_name(item) == "Relationship":
                external = attribute(item, "TargetMode") == "External"
                kind = (attribute(item, "Type") or "").rpartition("/")[2]
                relations[key] = Relation(kind, target if external else resolve_target(folder, target), external)
        return relations

    def related(self, part: str, kind: str) -> str | None:
        """The first part of that kind which `part` refers to."""
        for relation in self.relations(part).values():
            if relation.kind == kind and not relation.external:
                return self.find(relation.target)
        return None

    def core_properties(self) -> tuple[str | None, str | None, str | None]:
        """Title, author and date (last change, else creation) of an Office Open XML package."""
        try:
            core = self.xml(self.related("", "core-properties") or "docProps/core.xml")
        except Unreadable:
            return None, None, None
        properties = [text_of(find_child(core, name)) or None for name in ("title", "creator", "modified", "created")]
        return properties[0], properties[1], properties[2] or properties[3]

    def _inflate(self, member: zipfile.ZipInfo) -> bytes:
        pieces, size = [], 0
        with self._archive.open(member) as stream:
            # In pieces, so that a bomb is noticed before it fills the memory.
            while piece := stream.read(CHUNK):
                size += len(piece)
                self._inflated += len(piece)
                self._refuse_bomb(member, size)
                pieces.append(piece)
        return b"".join(pieces)

    def _refuse_bomb(self, member: zipfile.ZipInfo, size: int) -> None:
        swollen = size > RATIO_COUNTS_FROM and size > HIGHEST_RATIO * max(member.compress_size, 1)
        if size > LARGEST_MEMBER or self._inflated > LARGEST_TOTAL or swollen:
            raise Unreadable(f"The {self.what} was refused: it unpacks to far more than it should (a zip bomb).")


def resolve_target(folder: str, target: str) -> str:
    """A package-relative target, with its fragment dropped."""
    try:
        path = unquote(urlsplit(target).path)
    except ValueError:
        path = target
    joined = path if path.startswith("/") else posixpath.join("/", folder, path)
    return posixpath.normpath(joined).lstrip("/")


def _refuse_many_members(body: bytes, what: str) -> None:
    """Count directory entries before the zip library builds an object for each."""
    if body.count(b"PK\x01\x02") > MOST_MEMBERS:
        raise Unreadable(f"The {what} was refused: its zip container lists more than {MOST_MEMBERS} members.")
