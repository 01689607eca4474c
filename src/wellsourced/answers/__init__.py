"""Answers that a provider writes from pages it names: the tools `answer` and `structured_search`."""
