"""Which engines are on this machine, and what they say of themselves."""

from __future__ import annotations

import re
from typing import Any

from quintet.bridges.engines.engine import PROTOCOLS, Engine
from quintet.bridges.engines.program import EngineError, Program, found

_SECONDS = 5.0  # to tell its version
_LINES = 20  # among which it may be
_NUMBER = re.compile(r"\d+(\.\d+)+\S*")


def facts(engine: Engine) -> dict[str, Any]:
    """All that can be told of an engine without a game."""
    program = _program_of(engine)
    path = found(program)
    return {
        "name": engine.name,
        "found": path is not None,
        "program": path or program,
        "version": _version(engine) if path else "",
        "protocol": engine.protocol,
        "speaks": PROTOCOLS[engine.protocol].summary,
        "games": list(engine.games),
        "settings": [setting._asdict() for setting in engine.settings],
        "timeout": engine.timeout,
        "configured": engine.configured,
        "install": _how_to_install(engine, program),
    }


def _program_of(engine: Engine) -> str:
    """The program that plays; one that only starts it is nothing to install."""
    words = [word for word in engine.command if not word.startswith("-")]
    return words[1] if words[0] == "stdbuf" and len(words) > 1 else words[0]


def _how_to_install(engine: Engine, program: str) -> str:
    if engine.package:
        return f"on Debian: apt-get install {engine.package}"
    return f"its command names {program!r}; is that where it is?"


def _version(engine: Engine) -> str:
    """The first number like 3.8 that it prints when it is asked, or nothing."""
    if not engine.version:
        return ""
    try:
        program = Program(engine.name, [_program_of(engine), *engine.version], _SECONDS)
    except EngineError:
        return ""
    try:
        for _ in range(_LINES):
            number = _NUMBER.search(program.line())
            if number:
                return number[0].rstrip(",")
    except EngineError:  # it ends after its last line
        pass
    finally:
        program.close()
    return ""
