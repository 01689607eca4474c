"""A screenshot with 256 colours instead of millions: a third of the size, and nobody sees it."""

from __future__ import annotations

import struct
import zlib

import numpy

SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOURS = 256
FREQUENT = 160


def shrink(png: bytes) -> bytes:
    width, height, pixels = decode(png)
    packed = pixels.astype(numpy.uint32) @ numpy.array([1 << 16, 1 << 8, 1], numpy.uint32)
    known, counts = numpy.unique(packed, return_counts=True)
    all_colours = numpy.stack([known >> 16, known >> 8 & 255, known & 255], axis=1).astype(numpy.int32)
    palette = choose_palette(all_colours, counts)
    nearest = [int(numpy.argmin(((palette - colour) ** 2).sum(axis=1))) for colour in all_colours]
    indexes = numpy.array(nearest, numpy.uint8)[numpy.searchsorted(known, packed)].reshape(height, width)
    rows = b"".join(b"\0" + row.tobytes() for row in indexes)
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    colours = palette.astype(numpy.uint8).tobytes()
    parts = {b"IHDR": header, b"PLTE": colours, b"IDAT": zlib.compress(rows, 9), b"IEND": b""}
    return SIGNATURE + b"".join(chunk(name, data) for name, data in parts.items())


def choose_palette(colours: numpy.ndarray, counts: numpy.ndarray) -> numpy.ndarray:
    """The most frequent ones, and those farthest from them: the one red dot of a picture stays red."""
    palette = colours[numpy.argsort(-counts)[:FREQUENT]]
    apart = ((colours[:, None, :] - palette[None, :, :]) ** 2).sum(axis=2).min(axis=1)
    while len(palette) < COLOURS and apart.max() > 0:
        far = colours[int(apart.argmax())]
        palette = numpy.vstack([palette, far])
        apart = numpy.minimum(apart, ((colours - far) ** 2).sum(axis=1))
    return palette


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def decode(png: bytes) -> tuple[int, int, numpy.ndarray]:
    """Width, height and the red, green and blue of each pixel of an 8-bit PNG without a palette."""
    at, data = 8, b""
    width, height, _, colour = struct.unpack(">IIBB", png[16:26])
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        data += png[at + 8 : at + 8 + length] if png[at + 4 : at + 8] == b"IDAT" else b""
        at += length + 12
    samples = {2: 3, 6: 4}[colour]
    lines = numpy.frombuffer(zlib.decompress(data), numpy.uint8).reshape(height, 1 + width * samples)
    above = numpy.zeros(width * samples, numpy.uint8)
    rows = []
    for line in lines:
        above = unfiltered(int(line[0]), line[1:], above, samples)
        rows.append(above)
    return width, height, numpy.array(rows).reshape(-1, samples)[:, :3]


def unfiltered(kind: int, line: numpy.ndarray, above: numpy.ndarray, samples: int) -> numpy.ndarray:
    """PNG, 9.2: each byte is kept as its difference from the left, the upper, or a mix of both."""
    if kind == 0:
        return line
    if kind == 2:
        total: numpy.ndarray = line + above
        return total
    if kind == 1:
        return numpy.cumsum(line.reshape(-1, samples), axis=0, dtype=numpy.uint8).reshape(-1)
    row = [0] * samples + line.tolist()
    over = [0] * samples + above.tolist()
    for index in range(samples, len(row)):
        left, up, corner = row[index - samples], over[index], over[index - samples]
        row[index] = (row[index] + ((left + up) // 2 if kind == 3 else paeth(left, up, corner))) & 255
    return numpy.array(row[samples:], numpy.uint8)


def paeth(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    return min((left, up, corner), key=lambda each: abs(guess - each))
