"""Rows of float32, handled several numbers at once.

LLVM turns a loop into vector code only where it is long; the rows of small networks are
8 to 64 numbers.  So their loops are written for the processor's lanes here.  Each function
is also plain Python, which says what it does, and runs where nothing is compiled.

Rows have a length that `padded` gives; places in them are multiples of `LANES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

Floats = NDArray[np.float32]

LANES = 8  # numbers that every processor of today handles at once
WIDE = 32  # as many of them as keep it busy
_FARTHEST = 18.0  # where the logistic function is 0 or 1 to the last bit
_TOP = (135135.0, 17325.0, 378.0, 1.0)  # of tanh as a continued fraction (Lambert 1768)
_BOTTOM = (135135.0, 62370.0, 3150.0, 28.0)
_FLAGS = ("nnan", "nsz", "contract")


def padded(size: int, lanes: int = LANES) -> int:
    """So many numbers, and some more to fill the lanes."""
    return -(-size // lanes) * lanes


# --- what they do, in Python --------------------------------------------------


def add_scaled(target: Floats, at: int, source: Floats, factor: np.float32) -> None:
    """Add a multiple of a row to the numbers of `target` that begin at a place."""
    target[at : at + len(source)] += factor * source


def write_weighted(target: Floats, weights: Floats, rows: Any) -> None:
    """Write the sum of some rows, each times its weight; rows are as long as `target`, of WIDE."""
    target[:] = weights[: len(rows)] @ rows


def write_logistic(target: Floats, source: Floats) -> None:
    """Write 1 / (1 + exp(-x)) of each number, to six digits."""
    target[:] = 1.0 / (1.0 + np.exp(-source.clip(-_FARTHEST, _FARTHEST)))


def positive_part(sums: Floats, at: int, rows: int, shift: Floats, weights: Floats) -> np.float32:
    """The weighted sum of what is above zero in some rows of sums, after a shift."""
    found = sums[at : at + rows * len(shift)].reshape(rows, -1) + shift
    return np.float32(np.maximum(found, 0) @ weights @ np.ones(rows, np.float32))


def highest_place(values: Floats, penalties: Floats) -> int:
    """Where values less penalties are highest; of equals the first; rows are of WIDE."""
    return int(np.argmax(values - penalties))


# --- what they do, in the processor -------------------------------------------


class _Writer:
    """Writes the instructions of one function."""

    def __init__(self, context: Any, builder: Any, arguments: Any, args: Any) -> None:
        self.builder = builder
        self.values = args
        self.arrays: list[Any] = [
            context.make_array(kind)(context, builder, value)
            if isinstance(kind, types.Array)
            else None
            for kind, value in zip(arguments, args, strict=True)
        ]

    def length(self, number: int, axis: int = 0) -> Any:
        return self.builder.extract_value(self.arrays[number].shape, axis)

    def place(self, number: int, index: Any, lanes: int) -> Any:
        start = self.builder.gep(self.arrays[number].data, [index])
        return self.builder.bitcast(start, ir.VectorType(ir.FloatType(), lanes).as_pointer())

    def load(self, number: int, index: Any, lanes: int = LANES) -> Any:
        return self.builder.load(self.place(number, index, lanes), align=4)

    def store(self, number: int, index: Any, value: Any, lanes: int = LANES) -> None:
        self.builder.store(value, self.place(number, index, lanes), align=4)

    def number(self, number: int, index: Any) -> Any:
        return self.builder.load(self.builder.gep(self.arrays[number].data, [index]))

    def every(self, value: float, lanes: int = LANES) -> Any:
        return ir.Constant(ir.VectorType(ir.FloatType(), lanes), [value] * lanes)

    def spread(self, number: Any, lanes: int = LANES) -> Any:
        kind = ir.VectorType(ir.FloatType(), lanes)
        single = self.builder.insert_element(ir.Constant(kind, ir.Undefined), number, _word(0))
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes)
        return self.builder.shuffle_vector(single, ir.Constant(kind, ir.Undefined), zeros)

    def chunks(self, stop: Any, step: int = 1) -> Iterator[Any]:
        with cgutils.for_range_slice(self.builder, _word(0), stop, _word(step)) as (index, _):
            yield index

    def added(self, a: Any, b: Any) -> Any:
        return self.builder.fadd(a, b, flags=_FLAGS)

    def product(self, a: Any, b: Any) -> Any:
        return self.builder.fmul(a, b, flags=_FLAGS)

    def larger(self, a: Any, b: Any) -> Any:
        return self.builder.select(self.builder.fcmp_ordered(">", a, b, flags=_FLAGS), a, b)

    def smaller(self, a: Any, b: Any) -> Any:
        return self.builder.select(self.builder.fcmp_ordered("<", a, b, flags=_FLAGS), a, b)

    def folded(self, vector: Any, lanes: int, join: Callable[[Any, Any], Any]) -> Any:
        """One number out of a vector, by halves."""
        while lanes > 1:
            lanes //= 2
            low, high = (
                self.builder.shuffle_vector(
                    vector, vector, ir.Constant(ir.VectorType(ir.IntType(32), lanes), part)
                )
                for part in (list(range(lanes)), list(range(lanes, 2 * lanes)))
            )
            vector = join(low, high)
        return self.builder.extract_element(vector, _word(0))


def _word(value: int) -> Any:
    return ir.Constant(ir.IntType(64), value)


def _written(write: Callable[[_Writer], Any]) -> Callable[..., Any]:
    """What Numba calls to get the instructions."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        value = write(_Writer(context, builder, sig.args, args))
        return context.get_dummy_value() if value is None else value

    return generate


def _write_add_scaled(to: _Writer) -> None:
    factor = to.spread(to.values[3])
    for index in to.chunks(to.length(2), LANES):
        at = to.builder.add(to.values[1], index)
        more = to.product(factor, to.load(2, index))
        to.store(0, at, to.added(to.load(0, at), more))


def _write_weighted(to: _Writer) -> None:
    builder, width, rows = to.builder, to.length(0), to.length(2)
    total = cgutils.alloca_once(builder, ir.VectorType(ir.FloatType(), WIDE))
    for first in to.chunks(width, WIDE):
        builder.store(to.every(0.0, WIDE), total)
        for row in to.chunks(rows):
            weight = to.spread(to.number(1, row), WIDE)
            at = builder.add(builder.mul(row, width), first)
            more = to.product(weight, to.load(2, at, WIDE))
            builder.store(to.added(builder.load(total), more), total)
        to.store(0, first, builder.load(total), WIDE)


def _write_logistic(to: _Writer) -> None:
    for index in to.chunks(to.length(0), LANES):
        far = to.smaller(to.larger(to.load(1, index), to.every(-_FARTHEST)), to.every(_FARTHEST))
        quarter = to.product(far, to.every(0.25))
        square = to.product(quarter, quarter)
        top, bottom = to.every(_TOP[-1]), to.every(_BOTTOM[-1])
        for up, down in zip(_TOP[-2::-1], _BOTTOM[-2::-1], strict=True):
            top = to.added(to.product(top, square), to.every(up))
            bottom = to.added(to.product(bottom, square), to.every(down))
        tanh = to.builder.fdiv(to.product(quarter, top), bottom)  # of a quarter of the number
        doubled = to.added(to.every(1.0), to.product(tanh, tanh))
        to.store(0, index, to.added(to.every(0.5), to.builder.fdiv(tanh, doubled)))


def _write_positive_part(to: _Writer) -> Any:
    builder, width = to.builder, to.length(3)
    total = cgutils.alloca_once_value(builder, to.every(0.0))
    for lane in to.chunks(width, LANES):
        shift, weights = to.load(3, lane), to.load(4, lane)
        first = builder.add(to.values[1], lane)
        for row in to.chunks(to.values[2]):
            at = builder.add(first, builder.mul(row, width))
            positive = to.larger(to.added(to.load(0, at), shift), to.every(0.0))
            more = to.product(positive, weights)
            builder.store(to.added(builder.load(total), more), total)
    return to.folded(builder.load(total), LANES, to.added)


def _write_highest_place(to: _Writer) -> Any:
    builder, length = to.builder, to.length(0)
    best = cgutils.alloca_once_value(builder, to.every(-np.inf, WIDE))
    for index in to.chunks(length, WIDE):
        value = builder.fsub(to.load(0, index, WIDE), to.load(1, index, WIDE))
        builder.store(to.larger(value, builder.load(best)), best)
    most = to.spread(to.folded(builder.load(best), WIDE, to.larger), WIDE)
    found = cgutils.alloca_once_value(builder, _word(0))
    bits = ir.IntType(WIDE)
    zeros = builder.module.declare_intrinsic(
        "llvm.cttz", [bits], ir.FunctionType(bits, [bits, ir.IntType(1)])
    )
    for index in to.chunks(length, WIDE):  # the last first, so that the first is found last
        back = builder.sub(builder.sub(length, _word(WIDE)), index)
        value = builder.fsub(to.load(0, back, WIDE), to.load(1, back, WIDE))
        equal = builder.bitcast(builder.fcmp_ordered("==", value, most), bits)
        place = builder.call(zeros, [equal, ir.Constant(ir.IntType(1), 0)])
        place = builder.add(builder.zext(place, ir.IntType(64)), back)
        some = builder.icmp_unsigned("!=", equal, ir.Constant(bits, 0))
        builder.store(builder.select(some, place, builder.load(found)), found)
    return builder.load(found)


@intrinsic  # type: ignore[untyped-decorator]
def _add_scaled(_: Any, target: Any, at: Any, source: Any, factor: Any) -> Any:
    return types.void(target, at, source, factor), _written(_write_add_scaled)


@intrinsic  # type: ignore[untyped-decorator]
def _weighted(_: Any, target: Any, weights: Any, rows: Any) -> Any:
    return types.void(target, weights, rows), _written(_write_weighted)


@intrinsic  # type: ignore[untyped-decorator]
def _logistic(_: Any, target: Any, source: Any) -> Any:
    return types.void(target, source), _written(_write_logistic)


@intrinsic  # type: ignore[untyped-decorator]
def _positive_part(_: Any, sums: Any, at: Any, rows: Any, shift: Any, weights: Any) -> Any:
    return types.float32(sums, at, rows, shift, weights), _written(_write_positive_part)


@intrinsic  # type: ignore[untyped-decorator]
def _highest_place(_: Any, values: Any, penalties: Any) -> Any:
    return types.int64(values, penalties), _written(_write_highest_place)


_TWIN_OF_ADD_SCALED = lambda target, at, source, factor: _add_scaled(  # noqa: E731
    target, np.int64(at), source, np.float32(factor)
)
_TWIN_OF_POSITIVE_PART = lambda sums, at, rows, shift, weights: _positive_part(  # noqa: E731
    sums, np.int64(at), np.int64(rows), shift, weights
)
_TWIN_OF_WRITE_WEIGHTED = lambda target, weights, rows: _weighted(target, weights, rows)  # noqa: E731, PLW0108
_TWIN_OF_WRITE_LOGISTIC = lambda target, source: _logistic(target, source)  # noqa: E731, PLW0108
_TWIN_OF_HIGHEST_PLACE = lambda values, penalties: _highest_place(values, penalties)  # noqa: E731, PLW0108
# lambdas, as Numba would compare annotations
overload(add_scaled)(lambda target, at, source, factor: _TWIN_OF_ADD_SCALED)
overload(write_weighted)(lambda target, weights, rows: _TWIN_OF_WRITE_WEIGHTED)
overload(write_logistic)(lambda target, source: _TWIN_OF_WRITE_LOGISTIC)
overload(positive_part)(lambda sums, at, rows, shift, weights: _TWIN_OF_POSITIVE_PART)
overload(highest_place)(lambda values, penalties: _TWIN_OF_HIGHEST_PLACE)
