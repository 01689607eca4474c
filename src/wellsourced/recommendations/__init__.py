"""Lists of recommendations and what is behind them: stakes, self-praise, reputation, links. `verify_recommendation`."""
