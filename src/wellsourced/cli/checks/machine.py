"""This machine: Python, data folder, key and what it opens, room on the disk, browser, clock. Nothing is changed."""

from __future__ import annotations

import os
import platform
import shutil
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from wellsourced import __version__
from wellsourced.app import configuration, storage
from wellsourced.cli.checks.check_result import Finding
from wellsourced.errors import BrowserUnavailable, Misconfigured, WellsourcedError
from wellsourced.settings import Settings

OLDEST_PYTHON = (3, 11)
ROOM_MB = 200
MEBIBYTE = 1024 * 1024
CLOCK_TOLERANCE = 86400.0
LATEST_YEAR = 2100


def look(settings: Settings) -> Iterator[Finding]:
    yield python()
    folder = configuration.data_folder(settings)
    yield data_folder(folder)
    secret = key(folder, settings)
    yield secret
    if secret.state == "ok" and (folder / storage.DATABASE).is_file():
        yield kept_data(folder, settings)
    yield room(folder, settings)
    yield browser(settings)
    yield clock()


def python() -> Finding:
    told = f"Wellsourced {__version__} on Python {platform.python_version()} ({sys.executable})"
    if sys.version_info[:2] < OLDEST_PYTHON:
        return Finding("python", "problem", f"{told}: too old.", "Install Python 3.11 or newer.")
    return Finding("python", "ok", told)


def data_folder(folder: Path) -> Finding:
    """Writable as it is, or able to be made."""
    if folder.exists() and not folder.is_dir():
        return Finding("data folder", "problem", f"{folder} is not a folder.", "Set CACHE_DIR to a folder.")
    existing = nearest(folder)
    if not os.access(existing, os.W_OK | os.X_OK):
        return Finding(
            "data folder",
            "problem",
            f"{existing} cannot be written to, so nothing is kept between runs.",
            f"chmod u+rwx '{existing}', or set CACHE_DIR to a folder of yours.",
        )
    return Finding("data folder", "ok", str(folder) if folder.exists() else f"{folder}, made at the first use")


def nearest(folder: Path) -> Path:
    """The folder itself, or the closest one above it that exists."""
    return next(place for place in (folder, *folder.absolute().parents) if place.exists())


def key(folder: Path, settings: Settings) -> Finding:
    from wellsourced.storage.key_file import FILE_NAME, OTHERS

    if settings.is_set("CACHE_ENCRYPTION_KEY"):
        return Finding("encryption key", "ok", "from CACHE_ENCRYPTION_KEY")
    path = folder / FILE_NAME
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):  # what is wrong with the folder is told of the folder
        return Finding("encryption key", "ok", f"{path}, made at the first use")
    except OSError as problem:
        return Finding("encryption key", "problem", f"{path}: {problem.strerror}.", f"chmod 600 '{path}'")
    if os.name != "nt" and mode & OTHERS:
        shown = oct(stat.S_IMODE(mode))
        return Finding(
            "encryption key", "problem", f"{path} has mode {shown}: others can read it.", f"chmod 600 {path}"
        )
    return key_content(path)


def key_content(path: Path) -> Finding:
    from wellsourced.storage.key_file import KEY_TEXT, MOST_READ

    try:
        with path.open("rb") as file:
            text = file.read(MOST_READ).decode("ascii", "replace").strip()
    except OSError as problem:
        return Finding("encryption key", "problem", f"{path}: {problem.strerror}.", f"chmod 600 '{path}'")
    if not KEY_TEXT.fullmatch(text):
        fix = "Put the right key back, or set CACHE_ENCRYPTION_KEY; if it is lost, move the folder away."
        return Finding("encryption key", "problem", f"{path} does not hold 64 hexadecimal digits.", fix)
    return Finding("encryption key", "ok", f"{path}, readable by its owner alone")


def kept_data(folder: Path, settings: Settings) -> Finding:
    """Whether what is kept opens with the key; one that has yet to be made cannot fit."""
    from wellsourced.storage.encrypted_file import check_fit, does_not_fit
    from wellsourced.storage.key_file import FILE_NAME, load_key, load_previous_key

    path, given = folder / storage.DATABASE, settings.text("CACHE_ENCRYPTION_KEY")
    try:
        if not given and not (folder / FILE_NAME).exists():
            raise does_not_fit(path)
        current = load_key(folder, given)
        check_fit(path, current, load_previous_key(folder, settings.text("CACHE_ENCRYPTION_KEY_PREV"), current))
    except (OSError, WellsourcedError) as problem:
        return Finding("kept data", "problem", str(problem))
    return Finding("kept data", "ok", f"{path} opens with the key")


def room(folder: Path, settings: Settings) -> Finding:
    free = shutil.disk_usage(nearest(folder)).free // MEBIBYTE
    wanted = max(ROOM_MB, settings.count("CACHE_MAX_DISK_MB"))
    told = f"{free:,} MB free; the cache may take {settings.count('CACHE_MAX_DISK_MB'):,} MB"
    if free < ROOM_MB:
        return Finding("disk", "problem", told, "Free some room, or set CACHE_DIR to another disk.")
    if free < wanted:
        return Finding("disk", "note", told, f"Set CACHE_MAX_DISK_MB={free // 2}")
    return Finding("disk", "ok", told)


def browser(settings: Settings) -> Finding:
    from wellsourced.net.browser.chromium import DISABLED, find_chromium

    if settings.is_set("BROWSER_CDP_URL"):
        return Finding("browser", "ok", "a browser elsewhere, at BROWSER_CDP_URL")
    path = settings.text("CHROME_PATH")
    if path.strip().lower() == DISABLED:
        return Finding("browser", "ok", "switched off by CHROME_PATH=disabled")
    try:
        return Finding("browser", "ok", find_chromium(path))
    except (BrowserUnavailable, Misconfigured) as problem:
        fix = "Install Chromium or Google Chrome, or set CHROME_PATH to its program."
        told = "No Chromium was found: pages that need scripts cannot be read."
        return Finding("browser", "problem" if path else "note", problem.sentence if path else told, fix)


def clock(now: float | None = None) -> Finding:
    """Behind the program's own files, or in the next century: certificates and expiry times cannot be right."""
    now = time.time() if now is None else now
    installed = Path(__file__).stat().st_mtime
    shown = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(now))
    if now < installed - CLOCK_TOLERANCE or time.gmtime(now).tm_year >= LATEST_YEAR:
        return Finding("clock", "problem", f"It is set to {shown}, which cannot be right.", "Set the system's clock.")
    return Finding("clock", "ok", shown)
