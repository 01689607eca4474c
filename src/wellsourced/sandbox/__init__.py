"""Worker processes with limits of their own, in which foreign bytes are parsed."""

READY_FOR_PAGES = "pages"
"""A duty of a worker: to load what pages need before it is asked for one."""
