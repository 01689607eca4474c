"""Starts Wellsourced from a desktop client's bundle; uv installs what the pyproject.toml beside it names."""

import sys

from wellsourced.main import main

sys.exit(main())
