"""Tables that ship with the package: lenses and domain reputations.

They are plain files beside this one and are found by this folder: importlib.resources would do the same and
takes thirty milliseconds to import.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parent
