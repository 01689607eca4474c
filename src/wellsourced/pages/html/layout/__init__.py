"""Where the boxes and words of a page lie in a desktop window, and in which order they are painted."""
