"""Choosing by looking ahead.  Nothing here names a game."""
