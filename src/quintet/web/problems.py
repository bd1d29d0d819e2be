"""What can be wrong with a request."""

from __future__ import annotations

from quintet.errors import UserError
from quintet.web.messages import Problem, ProblemCode

STATUS: dict[ProblemCode, int] = {
    "invalid": 422,
    "illegal": 409,
    "stale": 409,
    "stranger": 403,
    "forbidden": 403,
    "refused": 403,
    "unknown": 404,
    "busy": 503,
    "fast": 429,
    "large": 413,
}
LONGEST = 500  # letters of a message: a bad value is not given back at full length


class Refused(UserError):
    """A request that is not done, and why."""

    def __init__(self, code: ProblemCode, message: str) -> None:
        """Say the bad value and what was expected."""
        super().__init__(message)
        self.problem = Problem(code=code, message=shortened(message))


def problem_of(error: UserError) -> Problem:
    """Any mistake of a user as the page is told it."""
    if isinstance(error, Refused):
        return error.problem
    return Problem(code="invalid", message=shortened(str(error).splitlines()[0]))


def failure(player: str, error: Exception) -> Problem:
    """Why a player did not answer: it may be anybody's code, and raise anything."""
    if isinstance(error, UserError):
        return problem_of(error)
    told = f"player {player!r} failed: {type(error).__name__}: {error}"
    return Problem(code="busy", message=shortened(told))


def shortened(text: str) -> str:
    """A text of bearable length."""
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."
