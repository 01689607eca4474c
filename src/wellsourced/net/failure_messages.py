"""Turns the HTTP library's errors into sentences. The library's own message goes into the detail, less the URL,
whose query may hold a key."""

from __future__ import annotations

import re

from wellsourced.errors import NetworkFailed

DETAIL_LENGTH = 400
URL_IN_MESSAGE = re.compile(r"uri: [^,}]*,? ?")

# The first entry with a mark in the library's message decides; marks are compared without regard to case.
SENTENCES: tuple[tuple[tuple[str, ...], str], ...] = (
    (("certificate_verify_failed", "certificate verify failed"), "{host} has a certificate that cannot be trusted."),
    (("connectionrefused", "connection refused"), "{host} refused the connection."),
    (("timedout", "timed out", "elapsed", "timeout"), "{host} could not be reached in time."),
    (("networkunreachable", "hostunreachable", "unreachable"), "There is no way to {host} from here."),
    (("dns error",), "No server is known by the name {host}."),
    (("incompletebody", "body, "), "The answer of {host} broke off before its end."),
    (("parse(",), "{host} did not answer in HTTP."),
    (("tls", "ssl", "handshake"), "No secure connection to {host} could be made."),
    (("kind: decode",), "The answer of {host} is damaged: it could not be decompressed."),
    (
        ("incompletemessage", "reset", "channelclosed", "connectionaborted", "brokenpipe"),
        "{host} closed the connection.",
    ),
)


class ResponseTooLarge(NetworkFailed):
    """A body longer than the caller can use; it will be as long the next time."""

    retryable = False
    action = "inform_user"


def network_failure(host: str, problem: Exception) -> NetworkFailed:
    message = URL_IN_MESSAGE.sub("", str(problem))
    folded = message.casefold()
    sentence = next((words for marks, words in SENTENCES if any(mark in folded for mark in marks)), "")
    return NetworkFailed(
        (sentence or "The exchange with {host} failed.").format(host=host), detail=message[:DETAIL_LENGTH]
    )
