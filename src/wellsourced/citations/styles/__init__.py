"""Citation styles, one a file; `bibliography` writes whole lists in them."""
