"""Who sits at a table, and the secrets that let people sit."""

from __future__ import annotations

import dataclasses
import hashlib
import secrets
from collections.abc import Iterable
from typing import Literal

Kind = Literal["here", "elsewhere", "player"]


def new_secret() -> str:
    """A secret that cannot be guessed."""
    return secrets.token_urlsafe(24)


def hashed(secret: str) -> str:
    """What is kept of a secret; it is long and random, so no salt is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()


def matches(secret: str, kept: str | None) -> bool:
    """Is this the secret that was hashed?  The time taken tells nothing."""
    return kept is not None and secrets.compare_digest(hashed(secret), kept)


@dataclasses.dataclass
class Occupant:
    """Somebody at a seat."""

    kind: Kind
    name: str = ""
    player: str | None = None  # the text of a player
    token: str | None = None  # hashed; None for a player, and until an invitation is taken
    invitation: str | None = None  # hashed

    @property
    def is_person(self) -> bool:
        """Does nobody move but a person?"""
        return self.kind != "player"


def seats_of(tokens: Iterable[str], occupants: list[Occupant]) -> set[int]:
    """The seats that some secrets are good for."""
    tokens = list(tokens)
    return {
        seat
        for seat, occupant in enumerate(occupants)
        if any(matches(token, occupant.token) for token in tokens)
    }
