"""Embedding layers: rows of a table chosen by indices."""

from __future__ import annotations

from typing import Any

from ...frontend.values.cell import Cell
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import ops
from ..docstrings import sections
from .checks import check_bool, check_choice, check_int, check_positive, check_positive_int
from .held import primitives
from .initial_parameter import initial_parameter

_TAKES_TENSORS = True

__all__ = ["Embedding", "EmbeddingLookup", "MultiFieldEmbeddingLookup"]


_ROWS = {"Outputs": "A tensor of the dtype of the table, of shape [..., embedding_size]."}


@sections(**_ROWS)
class Embedding(Cell):
    """Rows of a table of vectors, chosen by indices: out[...] = table[ids[...]].

    Args:
        vocab_size: a positive int, the number of rows.
        embedding_size: a positive int, the length of a row.
        use_one_hot: whether the rows are chosen by a product with one-hot vectors. Default: False.
        embedding_table: initializer of the table [vocab_size, embedding_size]. Default: 'normal'.
        dtype: the dtype of the table. Default: float32.
        padding_idx: an int, a row that starts as zeros. Default: None.

    Inputs:
        ids: an int tensor of any shape [...], numbers in [0, vocab_size).

    Raises:
        TypeError: if an argument has the wrong type, or ids is no int Tensor.
        ValueError: if a size is not positive, or padding_idx is out of range.

    Examples:
        >>> import mycel as ms
        >>> table = ms.nn.Embedding(4, 2, embedding_table="ones")
        >>> print(table(ms.Tensor([1, 3], ms.int32)).shape)
        (2, 2)
    """

    _held = primitives(
        "Gather OneHot Reshape Concat",
        expand="ExpandDims",
        reshape_flat="Reshape",
        shp_flat=lambda layer: (-1,),
        array_mul="MatMul",
        get_shp="Shape",
        on_value=lambda layer: Tensor(1.0, layer.dtype),
        off_value=lambda layer: Tensor(0.0, layer.dtype),
    )

    def __init__(
        self, vocab_size: int, embedding_size: int, use_one_hot: bool = False, embedding_table: Any = "normal",
        dtype: Any = dtypes.float32, padding_idx: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.vocab_size = check_positive_int(vocab_size, "vocab_size", "Embedding")
        self.embedding_size = check_positive_int(embedding_size, "embedding_size", "Embedding")
        self.use_one_hot = check_bool(use_one_hot, "use_one_hot", "Embedding")
        self.dtype = dtypes.as_dtype(dtype)
        self.embedding_table = initial_parameter(
            embedding_table, (vocab_size, embedding_size), dtype, "embedding_table"
        )
        self.padding_idx = padding_idx
        if padding_idx is not None:
            if not 0 <= check_int(padding_idx, "padding_idx", "Embedding") < vocab_size:
                raise ValueError(
                    f"For 'Embedding', the 'padding_idx' should be in [0, {vocab_size}), but got {padding_idx}"
                )
            self.embedding_table._data[padding_idx] = 0

    @property
    def init_tensor(self) -> Tensor:
        """The table as a Tensor of its own."""
        return self.embedding_table.value()

    def construct(self, ids: Any) -> Tensor:
        """The rows of the indices."""
        if self.use_one_hot:
            hot = ops.cast(ops.one_hot(ids, self.vocab_size, 1.0, 0.0), self.embedding_table.dtype)
            return ops.matmul(hot, self.embedding_table)
        if "gather" in self.__dict__:  # it may have a strategy for several processes
            return self.gather(self.embedding_table, ids, 0)
        return ops.gather(self.embedding_table, ids, 0)

    def extend_repr(self) -> str:
        """Sizes, options and the table."""
        return (
            f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}, use_one_hot={self.use_one_hot}, "
            f"embedding_table={self.embedding_table}, dtype={self.dtype}, padding_idx={self.padding_idx}"
        )


@sections(**_ROWS)
class EmbeddingLookup(Cell):
    """Rows of a table of vectors, chosen by indices, with a limit on their norm.

    Args:
        vocab_size: a positive int, the number of rows.
        embedding_size: a positive int, the length of a row.
        param_init: initializer of the table [vocab_size, embedding_size]. Default: 'normal'.
        target: 'CPU' or 'DEVICE', without meaning. Default: 'CPU'.
        slice_mode: accepted, without meaning in one process. Default: 'batch_slice'.
        manual_shapes: accepted, without meaning in one process. Default: None.
        max_norm: a positive number: rows of a larger norm are scaled down to it. Default: None.
        sparse: accepted, without meaning. Default: True.
        dtype: the dtype of the table. Default: float32.

    Inputs:
        indices: an int tensor of any shape [...], numbers in [0, vocab_size).

    Raises:
        TypeError: if an argument has the wrong type, or indices is no int Tensor.
        ValueError: if a size is not positive, or target is another one.

    Examples:
        >>> import mycel as ms
        >>> table = ms.nn.EmbeddingLookup(4, 2, param_init="ones", max_norm=1.0)
        >>> print(table(ms.Tensor([1], ms.int32)))
        [[0.70710677 0.70710677]]
    """

    BATCH_SLICE, FIELD_SLICE = "batch_slice", "field_slice"
    TABLE_ROW_SLICE, TABLE_COLUMN_SLICE = "table_row_slice", "table_column_slice"

    def __init__(
        self, vocab_size: int, embedding_size: int, param_init: Any = "normal", target: str = "CPU",
        slice_mode: str = "batch_slice", manual_shapes: Any = None, max_norm: float | None = None,
        sparse: bool = True, dtype: Any = dtypes.float32,
    ) -> None:  # fmt: skip
        super().__init__()
        self.vocab_size = check_positive_int(vocab_size, "vocab_size", "EmbeddingLookup")
        self.embedding_size = check_positive_int(embedding_size, "embedding_size", "EmbeddingLookup")
        self.target = check_choice(target, ("CPU", "DEVICE"), "target", "EmbeddingLookup")
        check_bool(sparse, "sparse", "EmbeddingLookup")
        self.max_norm = None if max_norm is None else check_positive(max_norm, "max_norm", "EmbeddingLookup")
        self.embedding_table = initial_parameter(param_init, (vocab_size, embedding_size), dtype, "embedding_table")

    def construct(self, indices: Any) -> Tensor:
        """The rows of the indices."""
        rows = ops.gather(self.embedding_table, indices, 0)
        if self.max_norm is None:
            return rows
        norm = ops.sqrt(ops.sum(ops.square(rows), tuple(range(indices.ndim, rows.ndim)), True))
        return rows * (self.max_norm / ops.maximum(norm, self.max_norm))


class MultiFieldEmbeddingLookup(EmbeddingLookup):
    """The rows of each field of features, weighted and combined into one.

    Args:
        vocab_size: a positive int, the number of rows.
        embedding_size: a positive int, the length of a row.
        field_size: a positive int, the number of fields.
        param_init: initializer of the table [vocab_size, embedding_size]. Default: 'normal'.
        target: 'CPU' or 'DEVICE', without meaning. Default: 'CPU'.
        slice_mode, feature_num_list: accepted, without meaning in one process.
        max_norm: a positive number: rows of a larger norm are scaled down to it. Default: None.
        sparse: accepted, without meaning. Default: True.
        operator: 'SUM', 'MAX' or 'MEAN', how rows are combined. Default: 'SUM'.
        dtype: the dtype of the table. Default: float32.

    Inputs:
        input_indices: an int tensor of shape [N, features], numbers in [0, vocab_size).
        input_values: a float tensor of shape [N, features], the weights.
        field_ids: an int tensor of shape [N, features], numbers in [0, field_size).

    Outputs:
        A tensor of the dtype of the table, of shape [N, field_size, embedding_size].

    Raises:
        TypeError: if an argument has the wrong type, or an input is no Tensor.
        ValueError: if a size is not positive, or operator is another one.

    Examples:
        >>> import mycel as ms
        >>> table = ms.nn.MultiFieldEmbeddingLookup(4, 2, field_size=2, param_init="ones")
        >>> ids = ms.Tensor([[1, 2, 3]], ms.int32)
        >>> print(table(ids, ms.Tensor([[1.0, 1.0, 1.0]]), ms.Tensor([[0, 0, 1]], ms.int32)))
        [[[2. 2.]
          [1. 1.]]]
    """

    def __init__(
        self, vocab_size: int, embedding_size: int, field_size: int, param_init: Any = "normal", target: str = "CPU",
        slice_mode: str = "batch_slice", feature_num_list: Any = None, max_norm: float | None = None,
        sparse: bool = True, operator: str = "SUM", dtype: Any = dtypes.float32,
    ) -> None:  # fmt: skip
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
