"""Fault drills: each breaks one thing for real, makes a call, and holds what the user is shown and what was lost.

What a drill saw is kept in `outcomes.json`, from which `docs/reliability.md` is made. A drill that sees something
else than what is kept there fails; `make reliability` runs them all and keeps what they see. To add a drill, name
its fault in `catalogue.py`, write the test, and run that.
"""
