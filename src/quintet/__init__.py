"""Quintet: programs learn to play board games for two, three or more players."""
