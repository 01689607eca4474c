"""What a server has to say on stderr: as much as LOG_LEVEL asks for, each message on one line, secrets masked.

Libraries are heard too, but only when they warn: what they say otherwise is about themselves.
"""

from __future__ import annotations

import logging

from wellsourced.app import Application, open_app
from wellsourced.app.configuration import declared_settings, secrets_of
from wellsourced.settings import Settings, from_environment, ignored_variables
from wellsourced.text.masker import Masker

FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"
LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warn": logging.WARNING, "error": logging.ERROR}


def open_app_with_log() -> Application:
    settings = from_environment(declared_settings())
    log_to_stderr(settings)
    for remark in ignored_variables():
        logging.getLogger(__name__).warning(remark)
    return open_app(settings)


def log_to_stderr(settings: Settings) -> None:
    level = LEVELS[settings.text("LOG_LEVEL")]
    handler = logging.StreamHandler()
    handler.setFormatter(MaskedLine(Masker(secrets_of(settings))))
    logging.basicConfig(level=max(level, logging.WARNING), handlers=[handler])
    logging.getLogger("wellsourced").setLevel(level)


class MaskedLine(logging.Formatter):
    def __init__(self, masker: Masker) -> None:
        super().__init__(FORM)
        self._masker = masker

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  the library's name for it
        """Words of a caller may be in it: a line break among them must not pass for a message of ours."""
        line = super().formatMessage(record)
        return "".join(character if character.isprintable() else repr(character)[1:-1] for character in line)

    def format(self, record: logging.LogRecord) -> str:
        return self._masker.mask(super().format(record))
