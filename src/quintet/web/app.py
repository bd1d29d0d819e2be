"""The application: what can be asked over HTTP, the websocket, and the page itself."""

from __future__ import annotations

import importlib.resources
import pathlib
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Path, Query, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from quintet.errors import UserError
from quintet.runs.settings import version_of
from quintet.web import answers, kept, library, messages, recorded, sockets
from quintet.web.allowed import find_run
from quintet.web.answers import ProblemShown
from quintet.web.boards import board_of
from quintet.web.configuration import Configuration
from quintet.web.guarding import Guard
from quintet.web.hosting import Host
from quintet.web.messages import Problem
from quintet.web.problems import STATUS, problem_of, shortened

GameText = Annotated[str, Query(min_length=1, max_length=messages.LONGEST_TEXT)]
FileName = Annotated[str, Query(min_length=1, max_length=messages.LONGEST_TEXT)]
RunName = Annotated[str, Path(max_length=200)]
TableId = Annotated[str, Path(max_length=40)]
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": ProblemShown} for status in sorted(set(STATUS.values()) | {400})
}


def make_app(
    data: pathlib.Path,
    configuration: Configuration | None = None,
    own_games: tuple[str, ...] = (),
    names: Iterable[str] = (),
) -> Any:
    """The application, guarded."""
    host = Host(data, configuration or Configuration(), own_games)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with host.running():
            yield

    app = FastAPI(
        title="Quintet",
        version=version_of("quintet"),
        summary="Board games for two, three or more players",
        lifespan=lifespan,
        docs_url=None,  # its page would load scripts from elsewhere
        redoc_url=None,
        responses=REFUSALS,
    )
    _refuse_by_type(app)
    _add_choices(app, host)
    _add_runs(app, host)
    _add_tables(app, host)
    _add_page(app)
    return Guard(app, names, host.configuration.body_bytes)


# --- refusals -----------------------------------------------------------------


def _refuse_by_type(app: FastAPI) -> None:
    """Every mistake is answered by a Problem."""

    def answer(problem: Problem, status: int) -> JSONResponse:
        return JSONResponse(ProblemShown(problem=problem).model_dump(), status)

    @app.exception_handler(UserError)
    async def refused(_: Request, error: UserError) -> JSONResponse:
        problem = problem_of(error)
        return answer(problem, STATUS[problem.code])

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        told = f"{where}: {repr(first.get('input'))[:80]}; {first['msg']}"
        return answer(Problem(code="invalid", message=shortened(told)), 422)

    @app.exception_handler(HTTPException)
    async def other(_: Request, error: HTTPException) -> JSONResponse:
        code: messages.ProblemCode = "unknown" if error.status_code == 404 else "invalid"
        answered = answer(Problem(code=code, message=str(error.detail)), error.status_code)
        answered.headers.update(error.headers or {})
        return answered


# --- what there is ------------------------------------------------------------


def _add_choices(app: FastAPI, host: Host) -> None:
    @app.get("/api/health")
    async def health() -> answers.Health:
        """Is the server there?"""
        return answers.Health(
            version=version_of("quintet"),
            tables=len(host.live),
            connections=host.connections,
            moves=host.moves,
        )

    @app.get("/api/games")
    async def list_games() -> list[answers.GameShown]:
        """The games, with their settings."""
        return await host.readers.run(library.games_shown, host.allowed)

    @app.get("/api/board")
    async def board(game: GameText) -> messages.Board:
        """How to draw a game."""
        return await host.readers.run(lambda: board_of(host.allowed.game(game)))

    @app.get("/api/players")
    async def list_players(game: GameText) -> answers.PlayersShown:
        """Who can play a game."""
        return await host.readers.run(lambda: library.players_shown(host.allowed.game(game)))

    @app.get("/api/messages")
    async def describe_messages() -> dict[str, Any]:
        """The schemas of what is said over the websocket."""
        return messages.described()


def _add_runs(app: FastAPI, host: Host) -> None:
    @app.get("/api/runs")
    async def list_runs() -> answers.RunsShown:
        """The runs on disk."""
        return await host.readers.run(library.runs_shown)

    @app.get("/api/runs/{name}")
    async def show_run(name: RunName) -> answers.RunShown:
        """One run."""
        return await host.readers.run(lambda: library.run_shown(find_run(name)))

    @app.get("/api/runs/{name}/metrics")
    async def metrics(
        name: RunName, since: Annotated[int, Query(ge=-1, le=2**53)] = -1
    ) -> answers.Metrics:
        """The figures of a run after a step."""
        return await host.readers.run(library.metrics_of, name, since)

    @app.get("/api/records")
    async def list_records() -> list[answers.RecordFile]:
        """Files of recorded games."""
        return await host.readers.run(recorded.record_files)

    @app.get("/api/records/games")
    async def list_recorded_games(
        file: FileName,
        first: Annotated[int, Query(ge=0, le=10**9)] = 0,
        count: Annotated[int, Query(ge=1, le=200)] = 50,
    ) -> answers.RecordedGames:
        """Games of a file."""
        return await host.makers.run(recorded.games_of, file, first, count, host.allowed.trusts)


# --- tables -------------------------------------------------------------------


def _add_tables(app: FastAPI, host: Host) -> None:
    @app.post("/api/tables", status_code=201)
    async def make_table(wanted: answers.TableWanted) -> answers.TableMade:
        """A new table."""
        return await host.make(wanted)

    @app.get("/api/tables/{id}")
    async def show_table(
        id: TableId, node: Annotated[int, Query(ge=0, le=2**31)] | None = None
    ) -> answers.TableShown:
        """A table as spectators see it."""
        live = await host.find(id)
        async with live.lock:
            if node is not None:
                live.table.check_node(node)
            state = await host.desk.run(live.state, 0)
            if node is not None:
                position = await host.desk.run(live.table.shown, node)
                path = live.table.tree.path(node)
                state = state.model_copy(update={"position": position, "node": node, "path": path})
        return answers.TableShown(table=id, board=live.table.board, state=state)

    written: dict[int | str, dict[str, Any]] = {
        200: {"content": {"text/plain": {"schema": {"type": "string"}}}}
    }

    @app.get("/api/tables/{id}/record", response_model=None, responses=written)
    async def save_table(
        id: TableId, format: Literal["record", "sgf"] = "record"
    ) -> PlainTextResponse:
        """The game on a table, to keep."""
        live = await host.find(id)
        async with live.lock:
            text = await host.desk.run(kept.text_of_table, live.table, format)
        return PlainTextResponse(text)

    @app.websocket("/api/tables/{id}/play")
    async def play(socket: WebSocket, id: str) -> None:
        await sockets.serve(socket, host, id)


# --- the page -----------------------------------------------------------------


def _add_page(app: FastAPI) -> None:
    """The files of the package, and no others."""
    folder = pathlib.Path(str(importlib.resources.files("quintet.web"))) / "page"
    if folder.is_dir():
        app.mount("/", StaticFiles(directory=folder, html=True))
        return

    @app.get("/", include_in_schema=False)
    async def missing() -> PlainTextResponse:
        return PlainTextResponse("The page is not part of this installation; see /openapi.json.")
