"""Networks.  Nothing here names a game."""
