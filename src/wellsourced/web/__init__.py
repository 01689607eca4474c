"""The workbench in HTTP mode: a page for people over the same desk, and the JSON it speaks."""
