"""`python -m wellsourced` is the `wellsourced` command."""

import sys

from wellsourced.server.front import main

sys.exit(main())
