"""Primitives whose results' shapes only the numbers decide: NumPy computes them, outside of graphs."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from .....compiler.ops.solving import all_finite
from .....frontend.values.operands import computed_outside
from .....frontend.values.tensor import Tensor
from .....runtime import dtypes
from ..primitive import Row, make_classes

Array = np.ndarray


def _array(value: Any) -> Array:
    return value.asnumpy() if isinstance(value, Tensor) else np.asarray(value)


def _number(value: Any) -> Any:
    return _array(value).item()


def _list_difference(self: Any, x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """What of x is not in y, and where in x that is."""
    values = _array(x)
    (places,) = np.nonzero(~np.isin(values, _array(y)))
    return Tensor(values[places], x.dtype), Tensor(places, self.out_idx)


def _padded_unique(self: Any, x: Any, pad_num: Any) -> tuple[Tensor, Tensor]:
    """The different elements, filled up with a number, and for each element which of them it is."""
    flat = _array(x)
    found, first, inverse = np.unique(flat, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    values = np.full(flat.shape, _number(pad_num), flat.dtype)
    values[: len(order)] = found[order]
    return Tensor(values, x.dtype), Tensor(rank[inverse.reshape(flat.shape)], x.dtype)


def _coalesce(self: Any, indices: Any, values: Any, shape: Any) -> tuple[Tensor, Tensor, Tensor]:
    """A sparse tensor with each place named once, in order: values of the same place add up."""
    places, inverse = np.unique(_array(indices), axis=1, return_inverse=True)
    sums = np.zeros(places.shape[1], _array(values).dtype)
    np.add.at(sums, inverse.ravel(), _array(values))
    return Tensor(places, indices.dtype), Tensor(sums, values.dtype), shape


def _distance(first: list[Any], second: list[Any]) -> int:
    """How many insertions, deletions and changes lead from one sequence to the other."""
    row = list(range(len(second) + 1))
    for i, left in enumerate(first, 1):
        diagonal, row[0] = row[0], i
        for j, right in enumerate(second, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (left != right))
    return row[-1]


def _sequences(indices: Any, values: Any) -> dict[tuple[int, ...], list[Any]]:
    found: dict[tuple[int, ...], list[Any]] = {}
    for place, value in zip(_array(indices), _array(values), strict=True):
        found.setdefault(tuple(place[:-1]), []).append(value)
    return found


def _edit_distance(
    self: Any, hypothesis: Any, values: Any, shape: Any, truth: Any, truth_values: Any, truth_shape: Any
) -> Tensor:
    sizes = np.maximum(_array(shape), _array(truth_shape))[:-1]
    given, wanted = _sequences(hypothesis, values), _sequences(truth, truth_values)
    result = np.zeros(sizes, np.float32)
    for place in np.ndindex(*sizes):
        first, second = given.get(place, []), wanted.get(place, [])
        distance = float(_distance(first, second))
        if self.normalize:
            distance = distance / len(second) if second else (float("inf") if first else 0.0)
        result[place] = distance
    return Tensor(result)


def _no_repeated_ngrams(self: Any, state_seq: Any, log_probs: Any) -> Tensor:
    """Scores in which what would repeat a sequence of `ngram_size` elements is made impossible."""
    states, scores = _array(state_seq), _array(log_probs).copy()
    size = int(self.ngram_size)
    for place in np.ndindex(*states.shape[:-1]):
        row = states[place].tolist()
        tail = tuple(row[len(row) - size + 1 :])
        for start in range(len(row) - size + 1):
            if tuple(row[start : start + size - 1]) == tail:
                repeated = (*place, row[start + size - 1])
                scores[repeated] = -np.finfo(np.float32).max
    return Tensor(scores, log_probs.dtype)


def _greedy_ctc(self: Any, inputs: Any, lengths: Any) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """For each sequence the likeliest class of each step, without blanks (the last class) and optionally repeats."""
    scores, sizes = _array(inputs), _array(lengths)
    blank = scores.shape[2] - 1
    indices, values = [], []
    chances = np.zeros((scores.shape[1], 1), scores.dtype)
    longest = 0
    for row in range(scores.shape[1]):
        best = scores[: sizes[row], row].argmax(-1)
        chances[row] = -scores[: sizes[row], row].max(-1).sum()
        before, place = -1, 0
        for label in best.tolist():
            if label != blank and not (self.merge_repeated and label == before):
                indices.append((row, place))
                values.append(label)
                place += 1
            before = label
        longest = max(longest, place)
    return (
        Tensor(np.array(indices, np.int64).reshape(-1, 2)),
        Tensor(np.array(values, np.int64)),
        Tensor(np.array([scores.shape[1], longest], np.int64)),
        Tensor(chances, inputs.dtype),
    )


def _overlaps(boxes: Array) -> Array:
    """How much each two boxes (two opposite corners each) have in common, of both together."""
    low, high = np.minimum(boxes[:, :2], boxes[:, 2:]), np.maximum(boxes[:, :2], boxes[:, 2:])
    sides = np.minimum(high[:, None], high[None]) - np.maximum(low[:, None], low[None])
    common = np.clip(sides, 0, None).prod(-1)
    areas = (high - low).prod(-1)
    whole = areas[:, None] + areas[None] - common
    return np.where(whole > 0, common / np.where(whole > 0, whole, 1), 0.0)


def _kept(overlaps: Array, scores: Array, most: int, limit: float, least: float) -> list[int]:
    """The places of boxes in the order of their scores, without those too much over a better one."""
    chosen: list[int] = []
    for place in np.argsort(-scores, kind="stable").tolist():
        if len(chosen) >= most or scores[place] <= least:
            break
        if all(overlaps[place, other] <= limit for other in chosen):
            chosen.append(place)
    return chosen


def _suppressed(pairwise: Callable[[Array], Array]) -> Callable[..., Tensor]:
    def run(self: Any, given: Any, scores: Any, most: Any, limit: Any, least: Any) -> Tensor:
        table = pairwise(_array(given).astype(np.float64))
        numbers = _array(scores).astype(np.float64)
        chosen = _kept(table, numbers, int(_number(most)), float(_number(limit)), float(_number(least)))
        return Tensor(np.array(chosen, np.int32))

    return run


def _check_numbers(self: Any, x: Any) -> Any:
    """The tensor itself; an error if it holds nan or inf."""
    values = _array(x).astype(np.float64)
    if not np.isfinite(values).all():
        kinds = [name for name, test in (("Inf", np.isinf), ("NaN", np.isnan)) if test(values).any()]
        raise RuntimeError(f"For 'CheckNumerics', the tensor has {' and '.join(kinds)} values")
    return x


def _assertion(self: Any, condition: Any, inputs: Any) -> None:
    if not bool(_array(condition).all()):
        shown = [_array(item).ravel()[: self.summarize].tolist() for item in inputs]
        raise RuntimeError(f"For 'Assert' condition is false: {shown}")


def _filtered(self: Any, x: Any, max_num: Any, offset: Any) -> tuple[Tensor, Tensor]:
    """The elements less an offset, as far as they lie between 0 and a bound, and where they were."""
    moved = _array(x) - _number(offset)
    (places,) = np.nonzero((moved >= 0) & (moved < _number(max_num)))
    return Tensor(moved[places], x.dtype), Tensor(places.astype(np.int32))


def _swapped(self: Any, x: Any, per_group: Any, groups: Any) -> Tensor:
    """Numbers spread over groups: the i-th of all goes to group i % groups."""
    values, size, count = _array(x), _number(per_group), _number(groups)
    return Tensor(values % count * size + values // count, x.dtype)


def _set_size(self: Any, indices: Any, values: Any, shape: Any) -> Tensor:
    """How many different values the last dimension of a sparse tensor holds."""
    sizes = np.zeros(tuple(int(size) for size in _array(shape))[:-1], np.int32)
    for place, found in _sequences(indices, values).items():
        sizes[place] = len(set(found))
    return Tensor(sizes)


def _log_matrix(self: Any, x: Any) -> Tensor:
    """The matrices whose exponentials these complex matrices are, by their eigenvectors."""
    values, vectors = np.linalg.eig(_array(x))
    logarithm = (vectors * np.log(values.astype(complex))[..., None, :]) @ np.linalg.inv(vectors)
    return Tensor(logarithm, x.dtype)


def _least_squares(self: Any, x: Any, a: Any) -> Tensor:
    rhs = _array(a)
    columns = rhs if rhs.ndim == 2 else rhs[:, None]
    return Tensor(np.linalg.lstsq(all_finite("Lstsq", _array(x).astype(np.float64)), columns, rcond=None)[0], x.dtype)


def _least_squares_regular(self: Any, matrix: Any, rhs: Any, regularizer: Any) -> Tensor:
    left, right = _array(matrix), _array(rhs)
    adjoint = np.conj(np.swapaxes(left, -1, -2))
    square = adjoint @ left + float(_number(regularizer)) * np.eye(left.shape[-1])
    return Tensor(np.linalg.solve(square, adjoint @ right), rhs.dtype)


def _symmetric_eigen(self: Any, x: Any) -> Any:
    values, vectors = np.linalg.eigh(_array(x))
    return Tensor(values, x.dtype), Tensor(vectors if self.compute_v else np.zeros(0), x.dtype)


TABLE: dict[str, Row] = {
    "ListDiff": (_list_difference, {"out_idx": dtypes.int32}),
    "UniqueWithPad": (_padded_unique, {}),
    "Coalesce": (_coalesce, {}),
    "EditDistance": (_edit_distance, {"normalize": True}),
    "NoRepeatNGram": (_no_repeated_ngrams, {"ngram_size": 1}),
    "CTCGreedyDecoder": (_greedy_ctc, {"merge_repeated": True}),
    "NonMaxSuppressionV3": (_suppressed(_overlaps), {}),
    "NonMaxSuppressionWithOverlaps": (_suppressed(lambda table: table), {}),
    "CheckNumerics": (_check_numbers, {}),
    "Assert": (_assertion, {"summarize": 3}),
    "SubAndFilter": (_filtered, {}),
    "MapUniform": (_swapped, {}),
    "SetSize": (_set_size, {"validate_indices": True}),
    "MatrixLogarithm": (_log_matrix, {}),
    "Lstsq": (_least_squares, {"fast": True, "l2_regularizer": 0.0}),
    "MatrixSolveLs": (_least_squares_regular, {"fast": True}),
    "SelfAdjointEig": (_symmetric_eigen, {"compute_v": True}),
}


def _outside(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with an error in place of zeros for who differentiates what it gives."""

    @wraps(function)
    def run(self: Any, *inputs: Any) -> Any:
        return computed_outside(function(self, *inputs), inputs, f"ops.{name}")

    return run


CLASSES = make_classes({name: (_outside(name, row[0]), *row[1:]) for name, row in TABLE.items()}, globals())
