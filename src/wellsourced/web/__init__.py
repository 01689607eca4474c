"""The workbench in HTTP mode: a page for people over the same app, and the JSON it speaks."""
