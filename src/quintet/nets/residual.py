"""Residual networks: for each position, how likely each move is, and what each seat may expect.

He, Zhang, Ren and Sun 2016; as Silver et al. 2017 use them, with values for any number of
seats.  Here is what such a network computes once it is trained, compiled, for one position;
``torch_residual`` trains it, and judges positions in batches.

The body is convolutions alone, and what is said about a whole board comes from means and
maxima over its cells: so one network serves boards of several sizes, except with the head
*points*, which knows how many points there can be.

What the heads tell:

- *share*: for each seat the chance that it wins, and that of a draw;
- *points*: for each seat how likely each number of points is (paper 002, Table 2);
- *areas*: for each cell who will have it, which gives the points;
- *linear*: the value of each seat as it is (Descent in paper 002).
"""

from __future__ import annotations

import enum
import math
import re
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quintet import rules
from quintet.compiled import fused, jit
from quintet.errors import UserError
from quintet.parameters import Between, ByText, build, read_settings, settings_text
from quintet.randomness import Random
from quintet.rules import Position
from quintet.search.evaluation import Desk, Values, evaluate, foresee

Arrays = dict[str, NDArray[np.float32]]
Floats = NDArray[np.float32]

_TOGETHER = 8  # so many channels are added up at once
_EXTRAS = 8  # moves besides the cells, at most: passes and the like
_PER_CELL = 64  # moves of a cell, at most


class Head(enum.IntEnum):
    """How values are told."""

    FITTING = 0  # points where the game has points, otherwise shares
    SHARE = 1
    POINTS = 2
    AREAS = 3
    LINEAR = 4


class Residual(NamedTuple):
    """A stem and blocks of two convolutions with a way around them."""

    blocks: Annotated[int, Between(0, 40), "residual blocks"] = 3
    filters: Annotated[int, Between(8, 512), "of a convolution; a multiple of 8"] = 32
    hidden: Annotated[int, Between(1, 1024), "units of the value head"] = 64
    head: Annotated[Head, "how values are told"] = Head.FITTING
    relative: Annotated[bool, "the seat to move sees itself first"] = True
    hints: Annotated[bool, "it also sees what the game hints at"] = False

    def problem(self) -> str | None:
        """Why these parameters make no network, if they do not."""
        if self.filters % _TOGETHER:
            return f"filters={self.filters} is not possible; expected a multiple of {_TOGETHER}"
        return None

    def unfit(self, game: Any) -> str | None:
        """Moves must belong to cells, or be few."""
        if per_cell(game) < 0:
            limits, cells = game.limits(), game.layout().cells
            return f"its {limits.moves} moves do not belong to its {cells} cells, nor to columns"
        counts = game.limits().total is None
        if self.head in (Head.POINTS, Head.AREAS) and not counts:
            return f"head={self.head.name.lower()} needs a game whose scores are points"
        if self.head == Head.SHARE and counts:
            return "head=share needs a game that somebody wins; its scores are points"
        return None


def _made(text: str, game: Any) -> Residual:
    """A network from ``residual(blocks=3,...)``."""
    match = re.fullmatch(r"residual(?:\((.*)\))?", text)
    if match is None:
        raise UserError(f"{text!r} is no network; expected residual(setting=value,...)")
    blueprint: Residual = build(Residual, read_settings(match[1] or ""))
    problem = None if game is None else blueprint.unfit(game)
    if problem:
        raise UserError(f"network {text!r}: {problem}")
    return blueprint


def _written(blueprint: Residual) -> str:
    settings = settings_text(blueprint)
    return f"residual({settings})" if settings else "residual"


BLUEPRINT = ByText(_made, _written, lambda: "residual(blocks=3,filters=32,...)")


class Sizes(NamedTuple):
    """What a network for a game is made of."""

    rows: int
    columns: int
    seen: int  # planes of the observation
    hinted: int  # planes of hints after them
    seats: int
    moves: int
    per_cell: int  # moves of each cell; 0 where moves are columns
    extras: int  # moves after those of the cells
    blocks: int
    filters: int
    hidden: int
    head: int
    outputs: int  # numbers that the value head gives
    relative: bool

    @property
    def planes(self) -> int:
        """All that it sees."""
        return self.seen + self.hinted


def sizes_for(blueprint: Residual, game: Any) -> Sizes:
    """The sizes of a network for a game."""
    limits, layout = game.limits(), game.layout()
    head = blueprint.head
    if head == Head.FITTING:
        head = Head.POINTS if limits.total is None else Head.SHARE
    cells = per_cell(game)
    most = round(limits.highest - offsets(game).max())
    outputs = {
        Head.SHARE: limits.seats + 1,
        Head.POINTS: limits.seats * (most + 1),
        Head.AREAS: 0,
        Head.LINEAR: limits.seats,
    }[head]
    return Sizes(
        layout.rows,
        layout.columns,
        limits.planes,
        limits.hints if blueprint.hints else 0,
        limits.seats,
        limits.moves,
        cells,
        limits.moves - (cells * layout.cells if cells else layout.columns),
        blueprint.blocks,
        blueprint.filters,
        blueprint.hidden,
        int(head),
        outputs,
        blueprint.relative,
    )


def per_cell(game: Any) -> int:
    """How many moves belong to each cell; 0 if each belongs to a column, -1 if it is neither."""
    layout, moves = game.layout(), game.limits().moves
    if layout.kind == "columns" and moves == layout.columns:
        return 0
    if moves % layout.cells == 0 and moves // layout.cells <= _PER_CELL:
        return int(moves // layout.cells)
    return 1 if 0 < moves - layout.cells <= _EXTRAS else -1


def offsets(game: Any) -> NDArray[np.float64]:
    """What each seat's score has besides its points: komi."""
    limits = game.limits()
    scores, points = np.zeros(limits.seats), np.zeros(limits.seats)
    if limits.total is None:
        position = rules.new_position(game)
        rules.scores(game, position, scores)
        rules.points(game, position, points)
    return scores - points


class Tower(NamedTuple):
    """A trained network as compiled code wants it: the channel a weight leads to comes last."""

    sizes: Sizes
    stem: Floats  # [9, planes, filters], with planes of zeros up to a multiple of 8
    stem_bias: Floats
    body: Floats  # [2 * blocks, 9, filters, filters]
    body_bias: Floats
    policy: Floats  # [filters, moves of a cell]
    policy_bias: Floats
    extra: Floats  # [2 * filters, extras], from means and maxima
    extra_bias: Floats
    hidden: Floats  # [2 * filters, hidden]
    hidden_bias: Floats
    value: Floats  # [hidden, outputs]
    value_bias: Floats
    areas: Floats  # [filters, seats + 1]
    areas_bias: Floats
    scale: NDArray[np.float64]  # each seat's offset, the lowest score, and what a point is worth


def scale_of(game: Any) -> NDArray[np.float64]:
    """How points become values."""
    limits = game.limits()
    worth = 1.0 / (limits.highest - limits.lowest)
    return np.array([*offsets(game), limits.lowest, worth])


def shapes(sizes: Sizes) -> dict[str, tuple[int, ...]]:
    """The arrays of a network that is trained, by name, the channel a weight leads to first."""
    many, convolutions = sizes.filters, max(2 * sizes.blocks, 1)
    areas = sizes.seats + 1 if sizes.head == Head.AREAS else 0
    hidden = sizes.hidden if sizes.outputs else 0
    found: dict[str, tuple[int, ...]] = {
        "stem": (many, sizes.planes, 3, 3),
        "body": (convolutions, many, many, 3, 3),
        "policy": (max(sizes.per_cell, 1), many),
        "extra": (sizes.extras, 2 * many),
        "hidden": (hidden, 2 * many),
        "value": (sizes.outputs, hidden),
        "areas": (areas, many),
    }
    biases = {
        f"{name}_bias": shape[:-3] if len(shape) > 3 else shape[:1] for name, shape in found.items()
    }
    biases["stem_bias"], biases["body_bias"] = (many,), (convolutions, many)
    return {**found, **biases}


def tower(sizes: Sizes, arrays: Arrays, game: Any) -> Tower:
    """A network from its named arrays; ValueError where one does not fit."""
    given: Arrays = {}
    for name, shape in shapes(sizes).items():
        given[name] = np.asarray(arrays[name], np.float32)
        if given[name].shape != shape:
            raise ValueError(f"{name} has the shape {given[name].shape}, expected {shape}")
        if not np.isfinite(given[name]).all():
            raise ValueError(f"{name} holds what is no number")
    missing = -sizes.planes % _TOGETHER
    stem = np.pad(
        given["stem"].reshape(sizes.filters, sizes.planes, 9), ((0, 0), (0, missing), (0, 0))
    )
    given["stem"] = stem.transpose(2, 1, 0)
    body = given["body"].reshape(-1, sizes.filters, sizes.filters, 9)
    given["body"] = body.transpose(0, 3, 2, 1)
    for name in ("policy", "extra", "hidden", "value", "areas"):
        given[name] = given[name].T
    ordered = {name: np.ascontiguousarray(given[name]) for name in Tower._fields[1:-1]}
    return Tower(sizes, **ordered, scale=scale_of(game))


# --- compiled -----------------------------------------------------------------


@jit
def look(game: Any, sizes: Sizes, position: Position, planes: Floats) -> None:
    """Write what the network sees of a position."""
    seat = int(rules.turn(game, position)) if sizes.relative else 0
    rules.observe(game, position, seat, planes[: sizes.seen])
    if sizes.hinted > 0:
        rules.hint(game, position, seat, planes[sizes.seen :])


@jit
def to_values(
    sizes: Sizes, scale: NDArray[np.float64], viewer: int, told: Any, out: Values
) -> None:
    """Turn what a network tells of each seat, in its own order, into values of the seats."""
    seats = out.shape[0]
    first = viewer if sizes.relative else 0
    for other in range(seats):
        seat = (first + other) % seats
        value = float(told[other])
        if sizes.head in (Head.POINTS, Head.AREAS):
            value = (value + scale[seat] - scale[seats]) * scale[seats + 1]
        out[seat] = min(max(value, 0.0), 1.0)


@foresee.implement(Tower)
def _foresee(
    network: Tower,
    game: Any,
    position: Position,
    desk: Desk,
    random: Random,
    priors: Floats,
    out: Values,
) -> None:
    sizes = network.sizes
    cells, filters = sizes.rows * sizes.columns, sizes.filters
    planes = np.empty((sizes.seen + sizes.hinted, sizes.rows, sizes.columns), np.float32)
    look(game, sizes, position, planes)
    seen = np.zeros((cells, network.stem.shape[1]), np.float32)
    for plane in range(planes.shape[0]):
        for cell in range(cells):
            seen[cell, plane] = planes[plane, cell // sizes.columns, cell % sizes.columns]
    board = np.empty((cells, filters), np.float32)
    convolve(sizes.rows, sizes.columns, seen, network.stem, network.stem_bias, board)
    rectify(board)
    through(network, board)
    pooled = pool(board)
    tell_moves(network, board, pooled, priors)
    told = np.zeros(sizes.seats)
    tell_values(network, board, pooled, told)
    to_values(sizes, network.scale, int(rules.turn(game, position)), told, out)


@jit
def through(network: Tower, board: Floats) -> None:
    """Let a board go through all blocks."""
    rows, columns = network.sizes.rows, network.sizes.columns
    one, two = np.empty_like(board), np.empty_like(board)
    for block in range(network.sizes.blocks):
        first, second = 2 * block, 2 * block + 1
        convolve(rows, columns, board, network.body[first], network.body_bias[first], one)
        rectify(one)
        convolve(rows, columns, one, network.body[second], network.body_bias[second], two)
        for cell in range(board.shape[0]):
            for i in range(board.shape[1]):
                board[cell, i] = max(board[cell, i] + two[cell, i], np.float32(0.0))


@fused
def convolve(
    rows: int, columns: int, board: Floats, weights: Floats, bias: Floats, out: Floats
) -> None:
    """A convolution of 3 x 3 cells, with nothing beyond the edge.

    The sums over eight channels at once are the innermost work, for all channels that they
    lead to: in vectors.
    """
    for cell in range(out.shape[0]):
        for i in range(out.shape[1]):
            out[cell, i] = bias[i]
    for tap in range(9):
        down, right = tap // 3 - 1, tap % 3 - 1
        for row in range(max(0, -down), min(rows, rows - down)):
            for channel in range(0, board.shape[1], 8):
                w = weights[tap]
                w0, w1, w2, w3 = w[channel], w[channel + 1], w[channel + 2], w[channel + 3]
                w4, w5, w6, w7 = w[channel + 4], w[channel + 5], w[channel + 6], w[channel + 7]
                for column in range(max(0, -right), min(columns, columns - right)):
                    source = (row + down) * columns + column + right
                    x = board[source, channel : channel + 8]
                    x0, x1, x2, x3, x4, x5, x6, x7 = (
                        x[0],
                        x[1],
                        x[2],
                        x[3],
                        x[4],
                        x[5],
                        x[6],
                        x[7],
                    )
                    sums = out[row * columns + column]
                    for i in range(sums.shape[0]):
                        sums[i] += (
                            x0 * w0[i]
                            + x1 * w1[i]
                            + x2 * w2[i]
                            + x3 * w3[i]
                            + x4 * w4[i]
                            + x5 * w5[i]
                            + x6 * w6[i]
                            + x7 * w7[i]
                        )


@jit
def rectify(board: Floats) -> None:
    """Nothing below zero."""
    for cell in range(board.shape[0]):
        for i in range(board.shape[1]):
            board[cell, i] = max(board[cell, i], np.float32(0.0))


@jit
def pool(board: Floats) -> Floats:
    """The mean of each channel over all cells, and then its maxima."""
    cells, filters = board.shape
    pooled = np.zeros(2 * filters, np.float32)
    pooled[filters:] = board[0]
    for cell in range(cells):
        for i in range(filters):
            pooled[i] += board[cell, i]
            pooled[filters + i] = max(pooled[filters + i], board[cell, i])
    pooled[:filters] /= np.float32(cells)
    return pooled


@fused
def weigh(inputs: Floats, weights: Floats, bias: Floats, out: Floats) -> None:
    """A layer without anything after it."""
    for i in range(out.shape[0]):
        out[i] = bias[i]
    for j in range(inputs.shape[0]):
        for i in range(out.shape[0]):
            out[i] += inputs[j] * weights[j, i]


@jit
def softened(amounts: Any) -> None:
    """Turn amounts into likelihoods that sum to 1."""
    highest = -math.inf
    for amount in amounts:
        highest = max(highest, amount)
    total = 0.0
    for i in range(amounts.shape[0]):
        amounts[i] = math.exp(amounts[i] - highest)
        total += amounts[i]
    for i in range(amounts.shape[0]):
        amounts[i] /= total


@jit
def tell_moves(network: Tower, board: Floats, pooled: Floats, priors: Floats) -> None:
    """Write how likely each move is."""
    sizes = network.sizes
    each = max(sizes.per_cell, 1)
    for cell in range(board.shape[0]):
        if sizes.per_cell > 0:
            told = priors[cell * each : (cell + 1) * each]
            weigh(board[cell], network.policy, network.policy_bias, told)
        else:
            told = np.empty(1, np.float32)
            weigh(board[cell], network.policy, network.policy_bias, told)
            column = cell % sizes.columns
            priors[column] = told[0] + (
                priors[column] if cell >= sizes.columns else np.float32(0.0)
            )
    weigh(pooled, network.extra, network.extra_bias, priors[priors.shape[0] - sizes.extras :])
    softened(priors)


@jit
def tell_values(network: Tower, board: Floats, pooled: Floats, told: Values) -> None:
    """Write what the heads say of each seat, in the network's own order."""
    sizes = network.sizes
    if sizes.head == Head.AREAS:
        shares = np.empty(sizes.seats + 1, np.float32)
        for cell in range(board.shape[0]):
            weigh(board[cell], network.areas, network.areas_bias, shares)
            softened(shares)
            for seat in range(sizes.seats):
                told[seat] += shares[seat]
        return
    hidden = np.empty(sizes.hidden, np.float32)
    weigh(pooled, network.hidden, network.hidden_bias, hidden)
    for i in range(hidden.shape[0]):
        hidden[i] = max(hidden[i], np.float32(0.0))
    outputs = np.empty(sizes.outputs, np.float32)
    weigh(hidden, network.value, network.value_bias, outputs)
    if sizes.head == Head.SHARE:
        softened(outputs)
        for seat in range(sizes.seats):
            told[seat] = outputs[seat] + outputs[sizes.seats] / sizes.seats
    elif sizes.head == Head.POINTS:
        classes = sizes.outputs // sizes.seats
        for seat in range(sizes.seats):
            likely = outputs[seat * classes : (seat + 1) * classes]
            softened(likely)
            for points in range(classes):
                told[seat] += points * likely[points]
    else:
        for seat in range(sizes.seats):
            told[seat] = outputs[seat]


@evaluate.implement(Tower)
def _evaluate(
    network: Tower, game: Any, position: Position, desk: Desk, random: Random, out: Values
) -> int:
    priors = np.empty(network.sizes.moves, np.float32)
    foresee(network, game, position, desk, random, priors, out)
    return 0
