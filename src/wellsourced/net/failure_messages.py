"""What went wrong on the wire, in words. The library's own account goes into the detail, less the URL,
whose query may hold a key."""

from __future__ import annotations

import re

from wellsourced.errors import NetworkFailed

DETAIL_LENGTH = 400
ADDRESS_IN_DETAIL = re.compile(r"uri: [^,}]*,? ?")

# The first mark found in the library's account decides. Marks are compared without regard to case.
WORDS: tuple[tuple[tuple[str, ...], str], ...] = (
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
    account = ADDRESS_IN_DETAIL.sub("", str(problem))
    folded = account.casefold()
    sentence = next((words for marks, words in WORDS if any(mark in folded for mark in marks)), "")
    return NetworkFailed(
        (sentence or "The exchange with {host} failed.").format(host=host), detail=account[:DETAIL_LENGTH]
    )
