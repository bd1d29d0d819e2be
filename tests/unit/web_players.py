"""Players for tests of the server: one that takes its time and cannot be stopped."""

from __future__ import annotations

import time
from typing import Annotated, Any, NamedTuple

from quintet import rules
from quintet.errors import UserError


class Sleepy(NamedTuple):
    """Sleeps for a second, then makes the first move."""

    broken: Annotated[bool, "cannot move at all"] = False
    buggy: Annotated[bool, "has a mistake in it"] = False

    def think(self, game: Any, position: Any, memory: Any, random: Any) -> int:
        if self.broken:
            raise UserError("this player is broken")
        if self.buggy:
            raise ZeroDivisionError
        time.sleep(1.0)
        return rules.list_legal_moves(game, position)[0]
