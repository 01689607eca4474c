"""What editors and type checkers see of the package; `__init__.py` loads it when it is first used."""

from wellsourced.api import ResearchClient as ResearchClient
from wellsourced.api import SyncResearchClient as SyncResearchClient
from wellsourced.api import ToolFailed as ToolFailed
from wellsourced.api import WellsourcedError as WellsourcedError
from wellsourced.api import open as open
from wellsourced.api import open_sync as open_sync
from wellsourced.pages.html.extract import extract as extract

__version__: str
