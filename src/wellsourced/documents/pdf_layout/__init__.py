"""Where words stand on a page, and in which order people read them."""
