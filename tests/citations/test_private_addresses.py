"""An address on the operator's own network may be read where that is allowed; no third party ever learns of it."""

from __future__ import annotations

from tests.app import call, content, error
from tests.loopback.run import Internet

SECRET = "token=s3cr3t-of-the-intranet"


def test_a_private_address_goes_to_no_archive_and_to_no_reader(
    keyed_environment: dict[str, str], internet: Internet
) -> None:
    environment = {**keyed_environment, "ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled"}
    environment |= {"IA_ACCESS_KEY": "archive-key", "IA_SECRET_KEY": "archive-secret"}
    assert environment["EXA_API_KEY"]
    gone = f"{internet.base}/site/alpha/gone?{SECRET}"
    refused = call(environment, "archive_source", url=gone)
    assert error(refused)["kind"] == "validation" and "loopback" in refused.text
    assert content(call(environment, "verify_citation", citation=gone))["linkLive"] is False
    internet.control("/site/alpha", status=403, body="no")
    assert (
        error(call(environment, "scrape_page", url=f"{internet.base}/site/alpha/tides?{SECRET}"))["kind"] == "blocked"
    )
    assert internet.requests("/wayback") == internet.requests("/exa") == 0
