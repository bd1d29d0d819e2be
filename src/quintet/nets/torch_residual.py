"""Residual networks in PyTorch: trained in batches, and asked about many positions at once.

Weights are named arrays outside, tensors inside, and functions of both; there are no
modules.  While a network is trained, each convolution is followed by a normalisation over
the batch; for use the two are folded into one (`folded`), and what is left is what
nets/residual.py computes.

Everything is done by one thread, in float32, so that the same batch gives the same bits.
"""

from __future__ import annotations

import pathlib
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from quintet.nets.residual import Arrays, Head, Sizes, shapes

Tensors = dict[str, Tensor]

torch.set_num_threads(1)  # sums in the same order everywhere; games and training have a core each

_MOMENTUM = 0.1  # how fast what normalises follows the batches
_SMALL = 1e-5


class Targets(NamedTuple):
    """What a network should have said of a batch of positions."""

    policies: Tensor  # [number, moves], each row sums to 1
    scores: Tensor  # [number, seats] as the network sees the seats: points, or shares of the win
    areas: Tensor  # [number, cells] 0 for nobody's, or the network's seat + 1


def as_tensors(arrays: Arrays, device: str = "cpu") -> Tensors:
    """Copies on a device."""
    return {name: torch.tensor(array, device=device) for name, array in arrays.items()}


def as_arrays(tensors: Tensors) -> Arrays:
    """Copies in memory."""
    return {name: tensor.detach().cpu().numpy().copy() for name, tensor in tensors.items()}


# --- weights ------------------------------------------------------------------


def begun(sizes: Sizes, chance: np.random.Generator) -> Arrays:
    """A network that has not learnt anything: all moves and results alike (He et al. 2015)."""
    arrays: Arrays = {}
    for name, shape in shapes(sizes).items():
        if name in ("stem", "body"):
            fan_in = int(np.prod(shape[-3:]))
            arrays[name] = chance.normal(0.0, (2.0 / fan_in) ** 0.5, shape).astype(np.float32)
        elif name == "hidden":
            arrays[name] = chance.normal(0.0, (2.0 / max(shape[1], 1)) ** 0.5, shape).astype(
                np.float32
            )
        elif name not in ("stem_bias", "body_bias"):
            arrays[name] = np.zeros(shape, np.float32)
    if sizes.head == Head.LINEAR:
        arrays["value_bias"][:] = 1.0 / sizes.seats
    for name in ("stem", "body"):
        shape = shapes(sizes)[f"{name}_bias"]
        for part, start in (("scale", 1.0), ("shift", 0.0), ("mean", 0.0), ("variance", 1.0)):
            arrays[f"{name}_{part}"] = np.full(shape, start, np.float32)
    if sizes.blocks:  # at first each block changes nothing
        arrays["body_scale"][1::2] = 0.0
    return arrays


def is_learnt(name: str) -> bool:
    """Is an array learnt by its gradient?  Others follow the batches."""
    return not name.endswith(("_mean", "_variance"))


def folded(arrays: Arrays) -> Arrays:
    """The network for use, with each normalisation in the weights before it."""
    found = {name: array for name, array in arrays.items() if not name.startswith(("stem", "body"))}
    for name in ("stem", "body"):
        factor = arrays[f"{name}_scale"] / np.sqrt(arrays[f"{name}_variance"] + np.float32(_SMALL))
        found[name] = arrays[name] * factor[..., None, None, None]
        found[f"{name}_bias"] = arrays[f"{name}_shift"] - arrays[f"{name}_mean"] * factor
    return found


# --- what the network computes --------------------------------------------------


def judged(sizes: Sizes, weights: Tensors, planes: Tensor) -> tuple[Tensor, Tensor]:
    """Logits of all moves and what the heads give, from folded weights."""
    board = functional.conv2d(planes, weights["stem"], weights["stem_bias"], padding=1).relu_()
    for block in range(sizes.blocks):
        one, two = 2 * block, 2 * block + 1
        body, bias = weights["body"], weights["body_bias"]
        inner = functional.conv2d(board, body[one], bias[one], padding=1).relu_()
        board = functional.conv2d(inner, body[two], bias[two], padding=1).add_(board).relu_()
    return heads(sizes, weights, board)


def in_training(sizes: Sizes, weights: Tensors, planes: Tensor) -> tuple[Tensor, Tensor]:
    """The same while it is trained; what normalises follows the batch."""

    def convolved(board: Tensor, name: str, which: int | None) -> Tensor:
        parts = [
            weights[name],
            *(weights[f"{name}_{part}"] for part in ("mean", "variance", "scale", "shift")),
        ]
        kernel, mean, variance, scale, shift = (
            part if which is None else part[which] for part in parts
        )
        board = functional.conv2d(board, kernel, padding=1)
        return functional.batch_norm(board, mean, variance, scale, shift, True, _MOMENTUM, _SMALL)

    board = convolved(planes, "stem", None).relu()
    for block in range(sizes.blocks):
        inner = convolved(board, "body", 2 * block).relu()
        board = (board + convolved(inner, "body", 2 * block + 1)).relu()
    return heads(sizes, weights, board)


def heads(sizes: Sizes, weights: Tensors, board: Tensor) -> tuple[Tensor, Tensor]:
    """Logits of the moves, and those of the values: [number, outputs], or areas by cell."""
    pooled = torch.cat((board.mean((2, 3)), board.amax((2, 3))), 1)
    kernel = weights["policy"][:, :, None, None]
    moves = functional.conv2d(board, kernel, weights["policy_bias"])
    moves = moves.sum(2).flatten(1) if sizes.per_cell == 0 else moves.permute(0, 2, 3, 1).flatten(1)
    if sizes.extras:
        extra = functional.linear(pooled, weights["extra"], weights["extra_bias"])
        moves = torch.cat((moves, extra), 1)
    if sizes.head == Head.AREAS:
        areas = functional.conv2d(board, weights["areas"][:, :, None, None], weights["areas_bias"])
        return moves, areas.flatten(2)
    hidden = functional.linear(pooled, weights["hidden"], weights["hidden_bias"]).relu()
    return moves, functional.linear(hidden, weights["value"], weights["value_bias"])


def told_of_seats(sizes: Sizes, values: Tensor) -> Tensor:
    """What the value head says of each seat, in the network's own order."""
    if sizes.head == Head.AREAS:
        return values.softmax(1)[:, :-1].sum(2)
    if sizes.head == Head.SHARE:
        shares = values.softmax(1)
        return shares[:, :-1] + shares[:, -1:] / sizes.seats
    if sizes.head == Head.POINTS:
        likely = values.reshape(len(values), sizes.seats, -1).softmax(2)
        return likely @ torch.arange(likely.shape[2], dtype=likely.dtype, device=likely.device)
    return values


class Judge:
    """A folded network that is asked about batches."""

    def __init__(self, sizes: Sizes, arrays: Arrays, device: str = "cpu") -> None:
        """Its weights go to the device once."""
        self._sizes, self._device = sizes, device
        self._weights = as_tensors({name: arrays[name] for name in shapes(sizes)}, device)

    def __call__(self, planes: NDArray[np.float32]) -> tuple[Any, Any]:
        """For each position, how likely each move is and what is said of each seat."""
        with torch.inference_mode():
            seen = torch.from_numpy(planes).to(self._device)
            seen = seen.contiguous(memory_format=torch.channels_last)
            moves, values = judged(self._sizes, self._weights, seen)
            told = told_of_seats(self._sizes, values)
            return moves.softmax(1).cpu().numpy(), told.cpu().numpy()


# --- learning -------------------------------------------------------------------


def losses(sizes: Sizes, told: tuple[Tensor, Tensor], targets: Targets) -> tuple[Tensor, Tensor]:
    """How far a network's moves and values are from their targets."""
    moves, values = told
    policy = -(targets.policies * moves.log_softmax(1)).sum(1).mean()
    return policy, _value_loss(sizes, values, targets)


def _value_loss(sizes: Sizes, values: Tensor, targets: Targets) -> Tensor:
    if sizes.head == Head.AREAS:  # seats first, nobody last
        owners = (targets.areas + sizes.seats) % (sizes.seats + 1)
        return functional.cross_entropy(values, owners)
    if sizes.head == Head.SHARE:  # who won, or nobody
        drawn = (targets.scores.amax(1) < 1.0).to(values.dtype)[:, None]
        wins = torch.cat((targets.scores * (1.0 - drawn), drawn), 1)
        return functional.cross_entropy(values, wins)
    if sizes.head == Head.POINTS:
        likely = values.reshape(len(values), sizes.seats, -1).transpose(1, 2)
        points = targets.scores.round().long().clamp(0, likely.shape[1] - 1)
        return functional.cross_entropy(likely, points)
    return functional.mse_loss(values, targets.scores)


class Rates(NamedTuple):
    """How a network follows its gradient (Adam, Kingma and Ba 2015; decay by itself, 2019)."""

    rate: float
    decay: float = 1e-4  # of the weights, in a step of size 1
    first: float = 0.9
    second: float = 0.999
    adam: bool = True  # or else plain descent with momentum `first`


def follow(
    weights: Tensors,
    gradients: Tensors,
    moments: tuple[Tensors, Tensors],
    rates: Rates,
    number: int,
) -> None:
    """Change the weights; `number` counts the changes from 1 on."""
    means, squares = moments
    with torch.no_grad():
        for name, gradient in gradients.items():
            weight, mean = weights[name], means[name]
            if rates.adam:
                weight.mul_(1.0 - rates.rate * rates.decay)
                mean.lerp_(gradient, 1.0 - rates.first)
                squares[name].mul_(rates.second).addcmul_(
                    gradient, gradient, value=1.0 - rates.second
                )
                size = rates.rate / (1.0 - rates.first**number)
                root = (squares[name] / (1.0 - rates.second**number)).sqrt_().add_(1e-8)
                weight.addcdiv_(mean, root, value=-size)
            else:
                mean.mul_(rates.first).add_(gradient + rates.decay * weight)
                weight.sub_(rates.rate * mean)


def learn(
    sizes: Sizes,
    tensors: list[Tensors],
    batch: Any,
    rates: Rates,
    number: int,
    average: float,
    device: str = "cpu",
) -> NDArray[np.float64]:
    """Change weights (and their moments and average) by one batch; returns both losses."""
    weights, means, squares, averages = tensors
    learnt = list(means)
    for name in learnt:
        weights[name].requires_grad_()
    planes = torch.from_numpy(batch.planes).to(device, memory_format=torch.channels_last)
    wanted = Targets(*(torch.from_numpy(part).to(device) for part in batch[1:]))
    policy, value = losses(sizes, in_training(sizes, weights, planes), wanted)
    found = torch.autograd.grad(
        policy + value, [weights[name] for name in learnt], materialize_grads=True
    )
    follow(weights, dict(zip(learnt, found, strict=True)), (means, squares), rates, number)
    with torch.no_grad():
        for name, weight in weights.items():
            averages[name].lerp_(weight, 1.0 - min(average, number / (number + 10)))
    return np.array([policy.item(), value.item()])


def export_onnx(sizes: Sizes, arrays: Arrays, path: pathlib.Path) -> None:
    """Write a folded network for other programs: from planes to move likelihoods and seats."""

    class Folded(torch.nn.Module):
        def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
            moves, values = judged(sizes, as_tensors(arrays), planes)
            return moves.softmax(1), told_of_seats(sizes, values)

    names = ["planes", "moves", "seats"]
    torch.onnx.export(
        Folded(),
        (torch.zeros(2, sizes.planes, sizes.rows, sizes.columns),),
        str(path),
        dynamo=False,
        input_names=names[:1],
        output_names=names[1:],
        dynamic_axes={name: {0: "number"} for name in names},
    )
