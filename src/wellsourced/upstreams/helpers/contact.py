"""Who asks: services of the open web want programs to name themselves with an address that a person reads."""

from __future__ import annotations

from wellsourced import __version__
from wellsourced.settings.setting import Setting
from wellsourced.upstream import Access

CONTACT = Setting("OPENALEX_EMAIL", "Contact address sent to OpenAlex, and to Unpaywall when it has none of its own.")


def identify(access: Access) -> dict[str, str]:
    """The User-Agent with the operator's address; without one, the name alone that every request carries."""
    contact = access[CONTACT.name].strip()
    usable = contact.isascii() and contact.isprintable() and "@" in contact
    return {"User-Agent": f"wellsourced/{__version__} (mailto:{contact})"} if usable else {}
