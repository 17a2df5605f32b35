"""Sparse tensors: by coordinates (COO), by rows (CSR), and by some whole rows.

They are dataclasses, so that compiled functions take and return them as any container of tensors.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...frontend.values.arguments import need_type
from ...frontend.values.tensor import Tensor
from ...runtime import dtypes
from .. import functions as f


def _need(owner: str, shape: Any, **tensors: Any) -> None:
    """Check that all parts of a sparse tensor are given, with positions of integers. TypeError if not."""
    for name, value in tensors.items():
        if not isinstance(value, Tensor):
            raise TypeError(f"Inputs must follow: {owner}({', '.join(tensors)}, shape); '{name}' is no tensor.")
        if name != "values" and value.dtype not in (dtypes.int16, dtypes.int32, dtypes.int64):
            raise TypeError(f"For {owner}, '{name}' should hold int16, int32 or int64 numbers, but got {value.dtype}.")
    if not isinstance(shape, tuple):
        raise TypeError(f"For {owner}, the shape should be a tuple, but got {type(shape).__name__}.")


@dataclass(init=False, repr=False, eq=False)
class SparseTensor:
    """The base of sparse tensors: `values` that stand at `indices`, of a `shape`. Make a COOTensor or CSRTensor.

    Raises:
        TypeError: if a part is missing or of another type.

    Examples:
        >>> import mycel as ms
        >>> isinstance(ms.Tensor([1.0]), ms.SparseTensor)
        False
    """

    indices: Tensor
    values: Tensor
    shape: tuple[int, ...]

    def __init__(self, indices: Any = None, values: Any = None, shape: Any = None) -> None:
        _need(type(self).__name__, shape, indices=indices, values=values)
        self.indices, self.values, self.shape = indices, values, shape

    @property
    def dtype(self) -> Any:
        """The dtype of the values."""
        return self.values.dtype

    @property
    def size(self) -> int:
        """The number of values."""
        return int(self.values.size)

    @property
    def itemsize(self) -> int:
        """The bytes of a value."""
        return int(self.values.itemsize)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    def with_values(self, values: Any) -> Any:
        """Other values at the same places."""
        found = object.__new__(type(self))
        found.__dict__.update({**self.__dict__, "values": values})
        return found

    def astype(self, dtype: Any) -> Any:
        """The same with values of another dtype."""
        return self.with_values(self.values.astype(dtype))

    def abs(self) -> Any:
        """The absolute values."""
        return self.with_values(f.abs(self.values))

    def __neg__(self) -> Any:
        return self.with_values(-self.values)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        parts = []
        for name, value in self.__dict__.items():
            if name != "shape":  # MindSpore leaves the commas between numbers out
                head, what, numbers = repr(value).partition("value=")
                parts.append(f"{name}={head}{what}{numbers.lstrip(' ').replace(',', '')}")
        return f"{type(self).__name__}(shape={list(self.shape)}, dtype={self.dtype}, {', '.join(parts)})"

    def _same_shape(self, other: Any, what: str, *kinds: type) -> None:
        """Check the other operand of an operator."""
        if not isinstance(other, (Tensor, SparseTensor)) or not isinstance(other, kinds):
            raise TypeError(f"{type(self).__name__} {what} with {type(other).__name__} is not supported.")
        if tuple(self.shape) != tuple(other.shape):
            raise ValueError("Input tensors should have the same shape.")


@dataclass(init=False, repr=False, eq=False)
class COOTensor(SparseTensor):
    """A sparse tensor of coordinates and values.

    Args:
        indices: the coordinates, of shape (count, axes).
        values: of shape (count,). Values of equal coordinates add up.
        shape: the shape of the tensor, a tuple.
        coo_tensor: another one, in place of these.

    Raises:
        TypeError: if an argument is of another type. ValueError: if shapes do not fit.

    Examples:
        >>> import mycel as ms
        >>> sparse = ms.COOTensor(ms.Tensor([[0, 1]]), ms.Tensor([3.0]), (1, 2))
        >>> print(sparse.to_dense())
        [[0. 3.]]
    """

    def __init__(self, indices: Any = None, values: Any = None, shape: Any = None, coo_tensor: Any = None) -> None:
        if coo_tensor is not None:
            if not isinstance(coo_tensor, COOTensor):
                raise TypeError(f"Expect input `coo_tensor` to be a COOTensor, but got {type(coo_tensor)}")
            indices, values, shape = coo_tensor.to_tuple()
        super().__init__(indices, values, shape)
        if indices.ndim != 2 or values.ndim != 1 or tuple(indices.shape) != (values.shape[0], len(shape)):
            raise ValueError(
                f"COOTensor: indices {indices.shape} and values {values.shape} do not fit a tensor of shape {shape}"
            )

    def to_tuple(self) -> tuple[Tensor, Tensor, tuple[int, ...]]:
        """Indices, values and shape."""
        return self.indices, self.values, self.shape

    def to_dense(self) -> Tensor:
        """The tensor with its zeros."""
        zeros = f.zeros(self.shape, self.values.dtype)
        return f.tensor_scatter_add(zeros, self.indices, self.values)

    def to_csr(self) -> CSRTensor:
        """The same by rows; the coordinates of two axes should be sorted."""
        if len(self.shape) != 2:
            raise ValueError("Currently only support 2-D COOTensor when converting to CSRTensor.")
        indptr = coo2csr(self.indices[:, 0], self.shape[0])
        return CSRTensor(indptr, self.indices[:, 1], self.values, self.shape)

    def coalesce(self) -> COOTensor:
        """The same with sorted coordinates, none of them twice."""
        found, place = np.unique(self.indices.asnumpy(), axis=0, return_inverse=True)
        zeros = f.zeros((len(found),), self.values.dtype)
        values = f.tensor_scatter_add(zeros, Tensor(place.reshape(-1, 1)), self.values)
        return COOTensor(Tensor(found), values, self.shape)

    def add(self, other: COOTensor, thresh: Tensor) -> COOTensor:
        """The sum, without values that are at most `thresh` away from zero."""
        both = COOTensor(f.concat((self.indices, other.indices)), f.concat((self.values, other.values)), self.shape)
        both = both.coalesce()
        kept = np.flatnonzero(np.abs(both.values.asnumpy()) > float(thresh))
        if len(kept) == both.size:
            return both
        return COOTensor(both.indices[Tensor(kept)], both.values[Tensor(kept)], self.shape)

    def __add__(self, other: Any) -> Any:
        self._same_shape(other, "add", Tensor, COOTensor)
        if isinstance(other, Tensor):
            return f.tensor_scatter_add(other, self.indices, self.values)
        return self.add(other, Tensor(-1.0))

    def __sub__(self, other: Any) -> Any:
        self._same_shape(other, "subtract", Tensor, COOTensor)
        return self + -other

    def __mul__(self, other: Any) -> Any:
        self._same_shape(other, "multiply", Tensor)
        return self.with_values(self.values * f.gather_nd(other, self.indices))

    def __truediv__(self, other: Any) -> Any:
        self._same_shape(other, "divide", Tensor)
        return self.with_values(self.values / f.gather_nd(other, self.indices))


@dataclass(init=False, repr=False, eq=False)
class CSRTensor(SparseTensor):
    """A sparse matrix by rows.

    Args:
        indptr: where each row begins in the values, and where the last ends, of shape (rows + 1,).
        indices: the columns, of shape (count,).
        values: of shape (count, …).
        shape: the shape of the tensor, a tuple.
        csr_tensor: another one, in place of these.

    Raises:
        TypeError: if an argument is of another type. ValueError: if shapes do not fit.

    Examples:
        >>> import mycel as ms
        >>> sparse = ms.CSRTensor(ms.Tensor([0, 1, 2]), ms.Tensor([1, 0]), ms.Tensor([3.0, 4.0]), (2, 2))
        >>> print(sparse.mv(ms.Tensor([[1.0], [2.0]])))
        [[6.]
         [4.]]
    """

    indptr: Tensor

    def __init__(
        self, indptr: Any = None, indices: Any = None, values: Any = None, shape: Any = None, csr_tensor: Any = None
    ) -> None:
        if csr_tensor is not None:
            if not isinstance(csr_tensor, CSRTensor):
                raise TypeError(f"Expect input `csr_tensor` to be a CSRTensor, but got {type(csr_tensor)}")
            indptr, indices, values, shape = csr_tensor.to_tuple()
        _need("CSRTensor", shape, indptr=indptr, indices=indices, values=values)
        self.indptr = indptr
        super().__init__(indices, values, shape)
        if indices.ndim != 1 or indptr.shape != (shape[0] + 1,) or indices.shape[0] != values.shape[0]:
            raise ValueError(
                f"CSRTensor: indptr {indptr.shape}, indices {indices.shape} and values {values.shape} do not fit a "
                f"tensor of shape {shape}"
            )

    def to_tuple(self) -> tuple[Tensor, Tensor, Tensor, tuple[int, ...]]:
        """Where rows begin, columns, values and shape."""
        return self.indptr, self.indices, self.values, self.shape

    def rows(self) -> Tensor:
        """The row of each value."""
        return csr2coo(self.indptr, int(self.values.shape[0]))

    def to_coo(self) -> COOTensor:
        """The same by coordinates."""
        if len(self.shape) != 2:
            raise ValueError("Currently only support 2-D CSRTensor when converting to COOTensor.")
        return COOTensor(f.stack((self.rows(), self.indices), 1), self.values, self.shape)

    def to_dense(self) -> Tensor:
        """The tensor with its zeros."""
        zeros = f.zeros(self.shape, self.values.dtype)
        return f.tensor_scatter_add(zeros, f.stack((self.rows(), self.indices), 1), self.values)

    def mv(self, dense_vector: Tensor) -> Tensor:
        """The product with a vector of shape (columns, 1)."""
        return self._times(dense_vector, (self.shape[1], 1))

    def mm(self, matrix: Any) -> Any:
        """The product with a matrix; a CSRTensor if that is one."""
        if isinstance(matrix, CSRTensor):
            return csr_mm(self, matrix)
        return self._times(matrix, (self.shape[1], matrix.shape[1]))

    def _times(self, dense: Tensor, shape: tuple[int, ...]) -> Tensor:
        need_type(dense, Tensor, "a CSRTensor is multiplied by a tensor")
        if tuple(dense.shape) != tuple(shape):
            raise ValueError(f"a CSRTensor of shape {self.shape} takes {shape}, but got {dense.shape}")
        parts = f.expand_dims(self.values, -1) * f.gather(dense, self.indices, 0)
        zeros = f.zeros((self.shape[0], dense.shape[1]), parts.dtype)
        return f.index_add(zeros, self.rows().astype(dtypes.int32), parts, 0)

    def sum(self, axis: int) -> Tensor:
        """The sums of the rows, of shape (rows, 1); `axis` should be 1 or -1."""
        if axis not in (1, -1):
            raise ValueError(f"CSRTensor.sum takes the axis 1, but got {axis}")
        zeros = f.zeros((self.shape[0], *self.values.shape[1:]), self.values.dtype)
        return f.expand_dims(f.index_add(zeros, self.rows().astype(dtypes.int32), self.values, 0), 1)

    def add(self, b: CSRTensor, alpha: Any, beta: Any) -> CSRTensor:
        """alpha · self + beta · b."""
        left, right = self.to_coo(), b.to_coo()
        return (left.with_values(left.values * alpha) + right.with_values(right.values * beta)).to_csr()

    def __add__(self, other: Any) -> Any:
        self._same_shape(other, "add", CSRTensor)
        return self.add(other, 1, 1)

    def __sub__(self, other: Any) -> Any:
        self._same_shape(other, "subtract", CSRTensor)
        return self.add(other, 1, -1)

    def _at(self, dense: Any) -> Any:
        """What a tensor or number has at the places of the values."""
        if not isinstance(dense, Tensor) or dense.ndim == 0:
            return dense
        return csr_gather(self.indptr, self.indices, f.broadcast_to(dense, self.shape), self.shape)

    def __mul__(self, other: Any) -> Any:
        return self.with_values(self.values * self._at(other))

    def __truediv__(self, other: Any) -> Any:
        return self.with_values(self.values / self._at(other))


@dataclass(init=False, repr=False, eq=False)
class RowTensor(SparseTensor):
    """A tensor given by some of its rows: `values[i]` is row `indices[i]`.

    Args:
        indices: which rows, of shape (count,).
        values: of shape (count, …).
        shape: the shape of the tensor, a tuple.
        row_tensor: another one, in place of these.

    Raises:
        TypeError: if an argument is of another type.

    Examples:
        >>> import mycel as ms
        >>> ms.RowTensor(ms.Tensor([1]), ms.Tensor([[2.0]]), (3, 1)).dense_shape
        (3, 1)
    """

    def __init__(self, indices: Any = None, values: Any = None, shape: Any = None, row_tensor: Any = None) -> None:
        if row_tensor is not None:
            indices, values, shape = row_tensor.indices, row_tensor.values, row_tensor.shape
        super().__init__(indices, values, shape)

    @property
    def dense_shape(self) -> tuple[int, ...]:
        """The shape of the tensor."""
        return self.shape


RowTensorInner = RowTensor


def coo2csr(indices: Tensor, height: int) -> Tensor:
    """Where each row begins, of the sorted rows of values."""
    return f.searchsorted(indices, f.arange(0, height + 1).astype(indices.dtype)).astype(indices.dtype)


def csr2coo(indptr: Tensor, nnz: int) -> Tensor:
    """The row of each value, of where rows begin."""
    return (f.searchsorted(indptr, f.arange(0, nnz).astype(indptr.dtype), right=True) - 1).astype(indptr.dtype)


def csr_gather(indptr: Tensor, indices: Tensor, dense: Tensor, shape: Any) -> Tensor:
    """What a dense tensor has at the places of values."""
    return f.gather_nd(dense, f.stack((csr2coo(indptr, int(indices.shape[0])), indices), 1))


def csr_mm(a: CSRTensor, b: CSRTensor, *flags: bool) -> CSRTensor:
    """The product of two sparse matrices; the flags: whether each is transposed, then whether it is conjugated."""
    turned = [*flags, False, False, False, False][:4]
    left, right = (
        f.swapaxes(dense, 0, 1) if turned[place] or turned[place + 2] else dense
        for place, dense in enumerate((a.to_dense(), b.to_dense()))
    )
    return dense_to_sparse_csr(f.matmul(left, right))


def csr_softmax(logits: CSRTensor, dtype: Any) -> CSRTensor:
    """The softmax of each row over its values."""
    rows = f.expand_dims(logits.rows(), -1)
    powers = f.exp(logits.values - f.stop_gradient(logits.values.max()))
    sums = f.tensor_scatter_add(f.zeros((logits.shape[0],), powers.dtype), rows, powers)
    return logits.with_values(powers / f.gather_nd(sums, rows))


def dense_to_sparse_coo(tensor: Tensor) -> COOTensor:
    """The values of a tensor that are not zero, by coordinates."""
    indices = Tensor(np.argwhere(tensor.asnumpy()).astype(np.int32))
    return COOTensor(indices, f.gather_nd(tensor, indices), tuple(tensor.shape))


def dense_to_sparse_csr(tensor: Tensor) -> CSRTensor:
    """The values of a matrix that are not zero, by rows."""
    return dense_to_sparse_coo(tensor).to_csr()


def _matrix(tensor: Tensor) -> CSRTensor:
    if tensor.ndim != 2:
        raise ValueError(f"a sparse tensor is made of a matrix, but got shape {tensor.shape}")
    return dense_to_sparse_csr(tensor)


def to_coo(self: Tensor) -> COOTensor:
    """The values of a matrix that are not zero, by coordinates.

    Raises:
        ValueError: if the tensor is no matrix.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([[0.0, 2.0]]).to_coo().indices)
        [[0 1]]
    """
    return _matrix(self).to_coo()


def to_csr(self: Tensor) -> CSRTensor:
    """The values of a matrix that are not zero, by rows.

    Raises:
        ValueError: if the tensor is no matrix.

    Examples:
        >>> from mycel import Tensor
        >>> print(Tensor([[0.0, 2.0]]).to_csr().indptr)
        [0 1]
    """
    return _matrix(self)


# Methods of Tensor. They come from here, as nothing below knows sparse tensors.
TENSOR_METHODS = {"to_coo": to_coo, "to_csr": to_csr}


def coo_concat(sp_input: Any, concat_dim: int = 0) -> COOTensor:
    """Sparse tensors one after the other along an axis."""
    first, indices, start = sp_input[0], [], 0
    for part in sp_input:
        moved = np.zeros(len(first.shape), np.int64)
        moved[concat_dim], start = start, start + part.shape[concat_dim]
        indices.append(part.indices + Tensor(moved).astype(part.indices.dtype))
    shape = list(first.shape)
    shape[concat_dim] = start
    return COOTensor(f.concat(indices), f.concat([part.values for part in sp_input]), tuple(shape)).coalesce()


def _of_values(name: str) -> Callable[[Any], Any]:
    return lambda x: x.with_values(getattr(f, name)(x.values))


def _field(name: str) -> Callable[[Any], Any]:
    return lambda x: getattr(x, name)


# MindSpore's functions on sparse tensors.
_UNARY = """abs acos acosh asin asinh atan atanh ceil cos cosh exp expm1 floor inv isfinite isinf isnan log log1p neg
    relu relu6 round sigmoid sin sinh softsign sqrt square tan tanh"""
globals().update(
    {f"{kind}_{name}": _of_values(name) for kind in ("coo", "csr") for name in _UNARY.split()}
    | {
        f"{kind}_tensor_get_{name}": _field(name.removeprefix("dense_"))
        for kind in ("coo", "csr", "row") for name in ("indices", "values", "dense_shape", "indptr")
    }
)  # fmt: skip
make_coo_tensor = make_sparse_tensor = COOTensor
make_row_tensor = make_row_tensor_inner = RowTensor
make_csr_tensor = CSRTensor
csr_mul, csr_div, csr_mv, csr_add = CSRTensor.__mul__, CSRTensor.__truediv__, CSRTensor.mv, CSRTensor.add
csr_reduce_sum, csr_to_coo, csr_to_dense, coo_add = CSRTensor.sum, CSRTensor.to_coo, CSRTensor.to_dense, COOTensor.add
