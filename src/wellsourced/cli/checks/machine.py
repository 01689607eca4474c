"""Checks of this machine: Python, data folder, key, stored data, disk space, browser, clock. Nothing is changed."""

from __future__ import annotations

import os
import platform
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from wellsourced import __version__
from wellsourced.app import configuration, storage
from wellsourced.cli.checks import CheckResult
from wellsourced.errors import BrowserUnavailable, Misconfigured, WellsourcedError
from wellsourced.settings import Settings
from wellsourced.system import free_bytes, modes_are_kept

OLDEST_PYTHON = (3, 11)
LEAST_FREE_MB = 200
MEBIBYTE = 1024 * 1024
# A day: files may carry the time of another time zone.
CLOCK_TOLERANCE = 86400.0
LATEST_YEAR = 2100


def check_machine(settings: Settings) -> Iterator[CheckResult]:
    yield check_python()
    folder = configuration.data_folder(settings)
    yield check_data_folder(folder)
    secret = check_key(folder, settings)
    yield secret
    if secret.state == "ok" and is_written(folder / storage.DATABASE):
        yield check_stored_data(folder, settings)
    yield check_disk_space(folder, settings)
    yield check_browser(settings)
    yield check_clock()


def check_python() -> CheckResult:
    message = f"Wellsourced {__version__} on Python {platform.python_version()} ({sys.executable})"
    if sys.version_info[:2] < OLDEST_PYTHON:
        return CheckResult("python", "problem", f"{message}: too old.", "Install Python 3.11 or newer.")
    return CheckResult("python", "ok", message)


def check_data_folder(folder: Path) -> CheckResult:
    """Check that the folder can be written to, or created."""
    if folder.exists() and not folder.is_dir():
        return CheckResult("data folder", "problem", f"{folder} is not a folder.", "Set CACHE_DIR to a folder.")
    existing = nearest_folder(folder)
    if not os.access(existing, os.W_OK | os.X_OK):
        return CheckResult(
            "data folder",
            "problem",
            f"{existing} cannot be written to, so nothing is kept between runs.",
            f"chmod u+rwx '{existing}', or set CACHE_DIR to a folder of yours.",
        )
    return CheckResult("data folder", "ok", str(folder) if folder.exists() else f"{folder}, made at the first use")


def nearest_folder(folder: Path) -> Path:
    """The folder itself, or the closest one above it that exists."""
    return next(place for place in (folder, *folder.absolute().parents) if place.exists())


def check_key(folder: Path, settings: Settings) -> CheckResult:
    from wellsourced.storage.key_file import FILE_NAME, OTHERS

    if settings.is_set("CACHE_ENCRYPTION_KEY"):
        return CheckResult("encryption key", "ok", "from CACHE_ENCRYPTION_KEY")
    path = folder / FILE_NAME
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):  # check_data_folder reports what is wrong with the folder
        return CheckResult("encryption key", "ok", f"{path}, made at the first use")
    except OSError as problem:
        return CheckResult("encryption key", "problem", f"{path}: {problem.strerror}.", f"chmod 600 '{path}'")
    if modes_are_kept() and mode & OTHERS:
        shown = oct(stat.S_IMODE(mode))
        return CheckResult(
            "encryption key", "problem", f"{path} has mode {shown}: others can read it.", f"chmod 600 {path}"
        )
    return check_key_content(path)


def check_key_content(path: Path) -> CheckResult:
    from wellsourced.storage.key_file import KEY_TEXT, MOST_READ

    try:
        with path.open("rb") as file:
            text = file.read(MOST_READ).decode("ascii", "replace").strip()
    except OSError as problem:
        return CheckResult("encryption key", "problem", f"{path}: {problem.strerror}.", f"chmod 600 '{path}'")
    if not KEY_TEXT.fullmatch(text):
        fix = "Put the right key back, or set CACHE_ENCRYPTION_KEY; if it is lost, move the folder away."
        return CheckResult("encryption key", "problem", f"{path} does not hold 64 hexadecimal digits.", fix)
    return CheckResult("encryption key", "ok", f"{path}, readable by its owner alone")


def check_stored_data(folder: Path, settings: Settings) -> CheckResult:
    """Check that the stored data can be decrypted, every page of it."""
    from wellsourced.storage.encrypted_file import check_file
    from wellsourced.storage.key_file import load_pair

    path = folder / storage.DATABASE
    given = settings.text("CACHE_ENCRYPTION_KEY"), settings.text("CACHE_ENCRYPTION_KEY_PREV")
    try:
        check_file(path, *load_pair(path, *given))
    except (OSError, WellsourcedError) as problem:
        return CheckResult("kept data", "problem", str(problem))
    return CheckResult("kept data", "ok", f"{path} opens with the key")


def is_written(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except OSError:
        return False


def check_disk_space(folder: Path, settings: Settings) -> CheckResult:
    free = free_bytes(nearest_folder(folder)) // MEBIBYTE
    wanted = max(LEAST_FREE_MB, settings.count("CACHE_MAX_DISK_MB"))
    message = f"{free:,} MB free; the cache may take {settings.count('CACHE_MAX_DISK_MB'):,} MB"
    if free < LEAST_FREE_MB:
        return CheckResult("disk", "problem", message, "Free some space, or set CACHE_DIR to another disk.")
    if free < wanted:
        return CheckResult("disk", "note", message, f"Set CACHE_MAX_DISK_MB={free // 2}")
    return CheckResult("disk", "ok", message)


def check_browser(settings: Settings) -> CheckResult:
    from wellsourced.net.browser.chromium import DISABLED, find_chromium

    if settings.is_set("BROWSER_CDP_URL") and settings.flag("ALLOW_UNCHECKED_BROWSER"):
        return CheckResult("browser", "ok", "a browser elsewhere, at BROWSER_CDP_URL")
    path = settings.text("CHROME_PATH")
    if path.strip().lower() == DISABLED:
        return CheckResult("browser", "ok", "switched off by CHROME_PATH=disabled")
    try:
        return CheckResult("browser", "ok", find_chromium(path))
    except (BrowserUnavailable, Misconfigured) as problem:
        fix = "Install Chromium or Google Chrome, or set CHROME_PATH to its program."
        message = "No Chromium was found: pages that need scripts cannot be read."
        return CheckResult("browser", "problem" if path else "note", problem.sentence if path else message, fix)


def check_clock(now: float | None = None) -> CheckResult:
    """Report a clock that is behind the program's own files, or in the next century.

    With such a clock no certificate and no expiry time can be judged.
    """
    now = time.time() if now is None else now
    installed = Path(__file__).stat().st_mtime
    shown = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(now))
    if now < installed - CLOCK_TOLERANCE or time.gmtime(now).tm_year >= LATEST_YEAR:
        return CheckResult(
            "clock", "problem", f"It is set to {shown}, which cannot be right.", "Set the system's clock."
        )
    return CheckResult("clock", "ok", shown)
