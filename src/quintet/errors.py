"""Mistakes a user can make; the command line shows them as one line."""

from __future__ import annotations


class UserError(ValueError):
    """Something the user gave is wrong; the message names it and what was expected."""


class IllegalMove(UserError):
    """A move that the rules do not allow in this position."""
