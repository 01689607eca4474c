"""Worker processes with limits of their own, in which foreign bytes are parsed."""
