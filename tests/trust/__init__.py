"""A gold set of citations, true, hurt, false and uncheckable, and how well they are told apart."""
