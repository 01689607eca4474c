"""Three programs for assistants that run tools as processes: one JSON request on stdin, one JSON line on stdout.

`--schema` prints what a program takes, and answers before anything heavy is imported.
"""
