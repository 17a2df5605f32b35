"""Embedding layers: rows of a table chosen by indices."""

from __future__ import annotations

from typing import Any

from ...frontend.values.cell import Cell
from ...frontend.values.parameter import Parameter
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as ops
from ..initializer import initializer
from .checks import check_bool, check_choice, check_int, check_number, check_positive_int

_TAKES_TENSORS = True  # its Cells say which input should be a Tensor; Cell reads this

__all__ = [
    "Embedding",
    "EmbeddingLookup",
    "MultiFieldEmbeddingLookup",
]


class Embedding(Cell):
    """Rows of a table of vectors, chosen by indices.

    Args:
        vocab_size: number of rows.
        embedding_size: length of a row.
        use_one_hot: whether by a product with one-hot vectors.
        embedding_table: initializer of the table.
        dtype: of the table.
        padding_idx: row that starts as zeros.

    Inputs:
        ids: ints of any shape.

    Outputs:
        The shape of ids with embedding_size added.

    Examples:
        >>> import mycel as ms
        >>> table = ms.nn.Embedding(4, 2, embedding_table="ones")
        >>> print(table(ms.Tensor([1, 3], ms.int32)).shape)
        (2, 2)
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        use_one_hot: bool = False,
        embedding_table: Any = "normal",
        dtype: Any = dtypes.float32,
        padding_idx: int | None = None,
    ) -> None:
        super().__init__()
        self.vocab_size = check_positive_int(vocab_size, "vocab_size", "Embedding")
        self.embedding_size = check_positive_int(embedding_size, "embedding_size", "Embedding")
        self.use_one_hot = check_bool(use_one_hot, "use_one_hot", "Embedding")
        self.dtype = dtypes.as_dtype(dtype)
        self.init_tensor = initializer(embedding_table, (vocab_size, embedding_size), dtype)
        self.padding_idx = padding_idx
        if padding_idx is not None:
            if not 0 <= check_int(padding_idx, "padding_idx", "Embedding") < vocab_size:
                raise ValueError(
                    f"For 'Embedding', the 'padding_idx' should be in [0, {vocab_size}), but got {padding_idx}"
                )
            table = self.init_tensor.asnumpy().copy()
            table[padding_idx] = 0
            self.init_tensor = Tensor(table)
        self.embedding_table = Parameter(self.init_tensor, name="embedding_table")

    def construct(self, ids: Any) -> Tensor:
        """The rows of the indices."""
        if self.use_one_hot:
            hot = ops.cast(ops.one_hot(ids, self.vocab_size, 1.0, 0.0), self.embedding_table.dtype)
            return ops.matmul(hot, self.embedding_table)
        return ops.gather(self.embedding_table, ids, 0)

    def extend_repr(self) -> str:
        """Sizes, options and the table."""
        return (
            f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}, use_one_hot={self.use_one_hot}, "
            f"embedding_table={self.embedding_table}, dtype={self.dtype}, padding_idx={self.padding_idx}"
        )


class EmbeddingLookup(Cell):
    """As `Embedding`, with a limit on the norm of the rows.

    Args:
        vocab_size, embedding_size: sizes of the table.
        param_init: initializer of the table.
        target: 'CPU' or 'DEVICE', without meaning.
        slice_mode, manual_shapes, sparse: accepted, without meaning in one process.
        max_norm: rows of a larger norm are scaled down to it.
        dtype: of the table.

    Inputs:
        indices: ints of any shape.
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        param_init: Any = "normal",
        target: str = "CPU",
        slice_mode: str = "batch_slice",
        manual_shapes: Any = None,
        max_norm: float | None = None,
        sparse: bool = True,
        dtype: Any = dtypes.float32,
    ) -> None:
        super().__init__()
        self.vocab_size = check_positive_int(vocab_size, "vocab_size", "EmbeddingLookup")
        self.embedding_size = check_positive_int(embedding_size, "embedding_size", "EmbeddingLookup")
        self.target = check_choice(target, ("CPU", "DEVICE"), "target", "EmbeddingLookup")
        check_bool(sparse, "sparse", "EmbeddingLookup")
        if max_norm is not None and check_number(max_norm, "max_norm", "EmbeddingLookup") <= 0:
            raise ValueError(f"For 'EmbeddingLookup', the 'max_norm' should be positive, but got {max_norm}")
        self.max_norm = max_norm
        self.embedding_table = Parameter(
            initializer(param_init, (vocab_size, embedding_size), dtype), name="embedding_table"
        )

    def construct(self, indices: Any) -> Tensor:
        """The rows of the indices."""
        rows = ops.gather(self.embedding_table, indices, 0)
        if self.max_norm is None:
            return rows
        norm = ops.sqrt(ops.sum(ops.square(rows), tuple(range(indices.ndim, rows.ndim)), True))
        return rows * (self.max_norm / ops.maximum(norm, self.max_norm))


class MultiFieldEmbeddingLookup(EmbeddingLookup):
    """The rows of each field of features combined into one.

    Args:
        vocab_size, embedding_size, param_init, target, slice_mode, max_norm, sparse, dtype: as for `EmbeddingLookup`.
        field_size: number of fields.
        feature_num_list: accepted, without meaning in one process.
        operator: 'SUM', 'MAX' or 'MEAN'.

    Inputs:
        input_indices: ints [N, features]. input_values: weights [N, features]. field_ids: ints [N, features].

    Outputs:
        [N, field_size, embedding_size].
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        field_size: int,
        param_init: Any = "normal",
        target: str = "CPU",
        slice_mode: str = "batch_slice",
        feature_num_list: Any = None,
        max_norm: float | None = None,
        sparse: bool = True,
        operator: str = "SUM",
        dtype: Any = dtypes.float32,
    ) -> None:
        super().__init__(
            vocab_size, embedding_size, param_init, target, slice_mode, feature_num_list, max_norm, sparse, dtype
        )
        self.field_size = check_positive_int(field_size, "field_size", "MultiFieldEmbeddingLookup")
        self.operator = check_choice(operator, ("SUM", "MAX", "MEAN"), "operator", "MultiFieldEmbeddingLookup")

    def construct(self, input_indices: Any, input_values: Any, field_ids: Any) -> Tensor:  # type: ignore[override]
        """The combined rows of each field."""
        rows = super().construct(input_indices) * ops.expand_dims(input_values, -1)
        member = ops.cast(ops.one_hot(field_ids, self.field_size, 1.0, 0.0), rows.dtype)  # [N, features, fields]
        by_field = ops.swapaxes(member, 1, 2)
        if self.operator == "MAX":
            masked = ops.where(
                ops.expand_dims(by_field, -1) > 0, ops.expand_dims(rows, 1), -ops.full((), 3.4e38, dtype=rows.dtype)
            )
            return ops.amax(masked, 2)
        total = ops.matmul(by_field, rows)
        if self.operator == "SUM":
            return total
        weight = ops.matmul(by_field, ops.expand_dims(input_values, -1))
        return total / ops.where(ops.equal(weight, 0), ops.ones_like(weight), weight)
