"""The environment of the demo's processes: theirs alone, with nothing of the user's settings, keys or data in it."""

from __future__ import annotations

from pathlib import Path

from wellsourced import upstreams
from wellsourced.pages import sites
from wellsourced.settings import environment_variable

# What a Python process needs to start; no setting of ours is among them.
INHERITED = (
    *("PATH", "HOME", "USERPROFILE", "SYSTEMROOT", "LANG", "LC_ALL", "TMPDIR", "TEMP", "TMP"),
    *("VIRTUAL_ENV", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE"),
)


def demo_environment(folder: Path, port: int) -> dict[str, str]:
    """Return the environment of processes that store everything in `folder` and reach only the sample web at `port`."""
    inherited = {name: value for name in INHERITED if (value := environment_variable(name))}
    return {
        **inherited,
        **upstream_addresses(port),
        "CACHE_DIR": str(folder / "data"),
        "SAMPLE_WEB_PORT": str(port),
        # Shuts out the real web. This machine's own names are listed so that it is the guard's rule on addresses, and
        # not this list, that refuses them: the demo shows that rule.
        "ALLOWED_DOMAINS": "example,127.0.0.1,localhost",
        "SEARCH_PROVIDER": "searxng",
        "CHROME_PATH": "disabled",
        "LINK_THRESHOLD_BYTES": "0",
        "LOG_LEVEL": "error",
    }


def upstream_addresses(port: int) -> dict[str, str]:
    """Point every provider and site at the sample web, so that no request leaves the machine."""
    asked = [entry.provider for entry in upstreams.all_upstreams().values()]
    asked += [site.provider for site in sites.catalogue().values()]
    here = f"http://127.0.0.1:{port}"
    return {provider.base_variable(host): f"{here}/{provider.name}" for provider in asked for host in provider.bases}
