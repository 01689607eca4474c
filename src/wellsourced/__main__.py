"""`python -m wellsourced` is the `wellsourced` command."""

import sys

from wellsourced.main import main

sys.exit(main())
