"""What a server writes to stderr: as much as was asked for, and never a secret or somebody else's line."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping

import pytest

SAID = """
import logging
from wellsourced.log import open_app_with_log
open_app_with_log()
log = logging.getLogger("wellsourced.somewhere")
log.info("told %s", "a caller's words\\n2026-01-01 ERROR wellsourced: forged")
log.warning("Bearer abcdef.123456 and sesam-öffne-dich")
logging.getLogger("library").info("a library's own affairs")
try:
    raise RuntimeError("https://x.test/?key=in-a-traceback sesam-öffne-dich")
except RuntimeError:
    log.exception("it failed")
"""


@pytest.mark.parametrize(("level", "lines"), [("info", ["INFO", "WARNING", "ERROR"]), ("error", ["ERROR"])])
def test_levels_lines_and_secrets(quiet_environment: Mapping[str, str], level: str, lines: list[str]) -> None:
    environment = {**quiet_environment, "LOG_LEVEL": level, "BRAVE_API_KEY": "sesam-öffne-dich", "PYTHONUTF8": "1"}
    environment["JINA_API_KEY"] = "sesam-jina"
    ended = subprocess.run(
        [sys.executable, "-c", SAID], env=environment, capture_output=True, timeout=60, text=True, encoding="utf-8"
    )
    said = ended.stderr.splitlines()
    assert [line.split()[2] for line in said if " wellsourced.somewhere: " in line] == lines
    assert sum("forged" in line for line in said) == (level == "info")
    assert sum("JINA_API_KEY has no effect" in line for line in said) == (level == "info")
    assert "Traceback" in ended.stderr
    for secret in ("sesam", "abcdef.123456", "in-a-traceback", "library"):
        assert secret not in ended.stderr
