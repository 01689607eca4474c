"""Documents to markdown, one format a file. They are read in the sandbox."""
