"""Runs: one training on disk each; stopped at any time, it goes on as if it never was."""
