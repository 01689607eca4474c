"""Hostile input for whatever reads foreign bytes, from small seeds written for it.

`targets.py` says what is fed and what must hold; the suite feeds it mutated seeds for seconds, and `make fuzz` lets a
coverage-guided fuzzer (atheris, the extra `fuzz`) look for as long as one likes.
"""
