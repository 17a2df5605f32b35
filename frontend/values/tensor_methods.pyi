# Written by tools/stubs.py: `make stubs` writes it again.
import builtins as _builtins
from collections.abc import Callable
from ..transforms.hooks import TensorHook
from .operands import Operand
from .tensor import Tensor
from ...library.functions.reduce import Axis
from ...runtime.dtypes import DType
from typing import Any

class TensorMethods:
    """Methods of Tensor that are functions of the library."""
    @property
    def H(self) -> Tensor:
        """The conjugate of a matrix with its dimensions exchanged."""
    @property
    def T(self) -> Tensor:
        """The tensor with its dimensions reversed."""
    def __abs__(self) -> Tensor:
        """Magnitude of each element; the derivative at 0 is 0."""
    def __add__(self, other: Any) -> Tensor: ...
    def __and__(self, other: Any) -> Tensor: ...
    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **named: Any) -> Any:
        """NumPy's functions of elements: arrays of the tensors' numbers, as in MindSpore."""
    def __contains__(self, value: Any) -> _builtins.bool: ...
    def __divmod__(self, other: Any) -> Any: ...
    def __eq__(self, other: Any) -> Tensor: ...  # type: ignore[override]
    def __floordiv__(self, other: Any) -> Tensor: ...
    def __ge__(self, other: Any) -> Tensor: ...
    def __getitem__(self, key: Any) -> Tensor: ...
    def __gt__(self, other: Any) -> Tensor: ...
    def __iadd__(self, other: Any) -> Tensor: ...
    def __ifloordiv__(self, other: Any) -> Tensor: ...
    def __imod__(self, other: Any) -> Tensor: ...
    def __imul__(self, other: Any) -> Tensor: ...
    def __invert__(self) -> Tensor: ...
    def __isub__(self, other: Any) -> Tensor: ...
    def __itruediv__(self, other: Any) -> Tensor: ...
    def __le__(self, other: Any) -> Tensor: ...
    def __lshift__(self, other: Any) -> Any: ...
    def __lt__(self, other: Any) -> Tensor: ...
    def __matmul__(self, other: Any) -> Tensor: ...
    def __mod__(self, other: Any) -> Tensor: ...
    def __mul__(self, other: Any) -> Tensor: ...
    def __ne__(self, other: Any) -> Tensor: ...  # type: ignore[override]
    def __neg__(self) -> Tensor: ...
    def __or__(self, other: Any) -> Tensor: ...
    def __pos__(self) -> Tensor: ...
    def __pow__(self, other: Any) -> Tensor: ...
    def __radd__(self, other: Any) -> Tensor: ...
    def __rand__(self, other: Any) -> Tensor: ...
    def __rdivmod__(self, other: Any) -> Any: ...
    def __rfloordiv__(self, other: Any) -> Tensor: ...
    def __rlshift__(self, other: Any) -> Any: ...
    def __rmatmul__(self, other: Any) -> Tensor: ...
    def __rmod__(self, other: Any) -> Tensor: ...
    def __rmul__(self, other: Any) -> Tensor: ...
    def __ror__(self, other: Any) -> Tensor: ...
    def __round__(self, digits: _builtins.int | None = None) -> Tensor: ...
    def __rpow__(self, other: Any) -> Tensor: ...
    def __rrshift__(self, other: Any) -> Any: ...
    def __rshift__(self, other: Any) -> Any: ...
    def __rsub__(self, other: Any) -> Tensor: ...
    def __rtruediv__(self, other: Any) -> Tensor: ...
    def __rxor__(self, other: Any) -> Tensor: ...
    def __setitem__(self, key: Any, value: Any) -> None: ...
    def __sub__(self, other: Any) -> Tensor: ...
    def __truediv__(self, other: Any) -> Tensor: ...
    def __xor__(self, other: Any) -> Tensor: ...
    def abs(self) -> Tensor:
        """Magnitude of each element; the derivative at 0 is 0."""
    def abs_(self) -> Tensor:
        """Magnitude of each element; the derivative at 0 is 0."""
    def absolute(self) -> Tensor:
        """Magnitude of each element; the derivative at 0 is 0."""
    def acos(self) -> Tensor:
        """Inverse cosine of each element."""
    def acosh(self) -> Tensor:
        """Inverse hyperbolic cosine of each element."""
    def add(self, other: Operand, *, alpha: Any = 1) -> Tensor:
        """`self + alpha * other`."""
    def add_(self, other: Any, *, alpha: Any = 1) -> Tensor:
        """Add to the tensor itself."""
    def addbmm(self, batch1: Tensor, batch2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
        """beta * input + alpha * the sum of batch1 @ batch2 over the batch."""
    def addcdiv(self, tensor1: Tensor, tensor2: Tensor, value: Operand = 1) -> Tensor:
        """`input + value * tensor1 / tensor2`, with broadcasting."""
    def addcmul(self, tensor1: Tensor, tensor2: Tensor, value: Operand = 1) -> Tensor:
        """`input + value * tensor1 * tensor2`, with broadcasting."""
    def addmm(self, mat1: Tensor, mat2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
        """beta * input + alpha * (mat1 @ mat2)."""
    def addmm_(self, mat1: Tensor, mat2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
        """beta * input + alpha * (mat1 @ mat2)."""
    def addmv(self, mat: Tensor, vec: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
        """beta * input + alpha * (mat @ vec)."""
    def addr(self, vec1: Tensor, vec2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
        """beta * x + alpha * outer(vec1, vec2)."""
    def adjoint(self) -> Tensor:
        """The conjugate of the tensor with its last two dimensions exchanged."""
    def all(
        self,
        axis: Axis | None = None,
        keep_dims: _builtins.bool = False,
        *,
        dim: Axis | None = None,
        keepdim: _builtins.bool = False,
        out: None = None,
        keepdims: _builtins.bool = False,
    ) -> Tensor:
        """Whether all elements over axes are true."""
    def allclose(
        self,
        other: Tensor,
        rtol: _builtins.float = 1e-05,
        atol: _builtins.float = 1e-08,
        equal_nan: _builtins.bool = False,
    ) -> Any:
        """Whether all elements are close to those of another tensor: a bool (while tracing, a Bool tensor)."""
    def amax(
        self,
        axis: Axis | None = None,
        keepdims: _builtins.bool = False,
        *,
        initial: Any = None,
        where: Tensor | None = None,
    ) -> Tensor:
        """The largest element over axes; equal ones share the gradient."""
    def amin(
        self,
        axis: Axis | None = None,
        keepdims: _builtins.bool = False,
        *,
        initial: Any = None,
        where: Tensor | None = None,
    ) -> Tensor:
        """The smallest element over axes; equal ones share the gradient. Arguments as for `amax`."""
    def aminmax(self, *, axis: _builtins.int | None = 0, keepdims: _builtins.bool = False) -> tuple[Tensor, Tensor]:
        """The smallest and the largest elements along an axis (None: of all)."""
    def angle(self) -> Tensor:
        """The angles of complex numbers, in radians; of real ones 0 or pi."""
    def any(
        self,
        axis: Axis | None = None,
        keep_dims: _builtins.bool = False,
        *,
        dim: Axis | None = None,
        keepdim: _builtins.bool = False,
        out: None = None,
        keepdims: _builtins.bool = False,
    ) -> Tensor:
        """Whether an element over axes is true."""
    def approximate_equal(self, other: Tensor, tolerance: _builtins.float = 1e-05) -> Tensor:
        """Whether `abs(self - other) < tolerance`, elementwise."""
    def arccos(self) -> Tensor:
        """Inverse cosine of each element."""
    def arccosh(self) -> Tensor:
        """Inverse hyperbolic cosine of each element."""
    def arcsin(self) -> Tensor:
        """Inverse sine of each element."""
    def arcsinh(self) -> Tensor:
        """Inverse hyperbolic sine of each element."""
    def arctan(self) -> Tensor:
        """Inverse tangent of each element."""
    def arctan2(self, other: Operand) -> Tensor:
        """The angle of the point (other, input), elementwise with broadcasting; of integers in Float32."""
    def arctanh(self) -> Tensor:
        """Inverse hyperbolic tangent of each element."""
    def argmax(
        self,
        axis: _builtins.int | None = None,
        keepdims: _builtins.bool = False,
        *,
        dim: _builtins.int | None = None,
        keepdim: _builtins.bool = False,
    ) -> Tensor:
        """The positions (Int64) of the first largest elements along an axis (None: of all in order)."""
    def argmax_with_value(
        self,
        axis: _builtins.int | None = 0,
        keep_dims: _builtins.bool = False,
    ) -> tuple[Tensor, Tensor]:
        """The largest elements along an axis, and the positions of the first ones."""
    def argmin(
        self,
        axis: _builtins.int | None = None,
        keepdims: _builtins.bool = False,
        *,
        dim: _builtins.int | None = None,
        keepdim: _builtins.bool = False,
    ) -> Tensor:
        """The positions (Int32) of the first smallest elements along an axis (None: of all in order)."""
    def argmin_with_value(
        self,
        axis: _builtins.int | None = 0,
        keep_dims: _builtins.bool = False,
    ) -> tuple[Tensor, Tensor]:
        """The smallest elements along an axis, and the positions of the first ones."""
    def argsort(
        self,
        axis: _builtins.int | None = None,
        descending: _builtins.bool = False,
        stable: _builtins.bool = False,
        *,
        dim: _builtins.int | None = None,
    ) -> Tensor:
        """The positions that put the elements in order along an axis; see `ops.argsort`."""
    def argwhere(self) -> Tensor:
        """The positions of the elements that are not zero, one a row."""
    def asin(self) -> Tensor:
        """Inverse sine of each element."""
    def asinh(self) -> Tensor:
        """Inverse hyperbolic sine of each element."""
    def assign_value(self, value: Any) -> Tensor:
        """Give the tensor the numbers of another, and its shape and dtype; gives the tensor."""
    def astype(self, dtype: Any, copy: _builtins.bool = True) -> Tensor:
        """The tensor in another dtype: floating-point numbers lose their fractions where it is an integer one."""
    def atan(self) -> Tensor:
        """Inverse tangent of each element."""
    def atan2(self, other: Operand) -> Tensor:
        """The angle of the point (other, input), elementwise with broadcasting; of integers in Float32."""
    def atanh(self) -> Tensor:
        """Inverse hyperbolic tangent of each element."""
    def baddbmm(self, batch1: Tensor, batch2: Tensor, beta: Any = 1, alpha: Any = 1) -> Tensor:
        """beta * input + alpha * (batch1 @ batch2), for batches of matrices."""
    def bernoulli(self, *, generator: Any = None) -> Tensor:
        """1 with the probability that each element says, else 0."""
    def bernoulli_(self, p: Any = 0.5, seed: _builtins.int | None = None, *, generator: Any = None) -> Tensor:
        """1 with a probability, else 0."""
    def bfloat16(self) -> Tensor:
        """The tensor in BFloat16."""
    def bincount(self, weights: Tensor | None = None, minlength: _builtins.int = 0) -> Tensor:
        """How often each number from 0 on occurs, as Float32, or the sums of its weights."""
    def bitwise_and(self, other: Operand) -> Tensor:
        """The bits set in both integers; for booleans whether both hold, elementwise with broadcasting."""
    def bitwise_left_shift(self, other: Operand) -> Tensor:
        """The bits of integers moved up by `other` places, elementwise with broadcasting."""
    def bitwise_not(self) -> Tensor:
        """Every bit of integers turned over; of booleans the opposite."""
    def bitwise_or(self, other: Operand) -> Tensor:
        """The bits set in one of the integers or both; for booleans whether one holds, elementwise with
        broadcasting."""
    def bitwise_right_shift(self, other: Operand) -> Tensor:
        """The bits of integers moved down by `other` places; the sign is kept, elementwise with broadcasting."""
    def bitwise_xor(self, other: Operand) -> Tensor:
        """The bits set in exactly one of the integers; for booleans whether they differ, elementwise with
        broadcasting."""
    def bmm(self, mat2: Tensor) -> Tensor:
        """The products of the matrices of two batches, of shapes (…, n, m) and (…, m, p)."""
    def bool(self) -> Tensor:
        """The tensor in Bool."""
    def broadcast_to(self, *shape: Any, **named: Any) -> Tensor:
        """The tensor broadcast to a shape, given as a tuple or as several ints."""
    def byte(self) -> Tensor:
        """The tensor in UInt8."""
    def cauchy(self, median: Any = 0.0, sigma: Any = 1.0) -> Tensor:
        """Fill the tensor itself with numbers of a Cauchy distribution."""
    def ceil(self) -> Tensor:
        """The smallest whole number not below each element."""
    def cholesky(self, upper: _builtins.bool = False) -> Tensor:
        """The lower (or upper) triangular factors of positive definite matrices."""
    def cholesky_inverse(self, upper: _builtins.bool = False) -> Tensor:
        """The inverses of the matrices that have these Cholesky factors."""
    def cholesky_solve(self, input2: Tensor, upper: _builtins.bool = False) -> Tensor:
        """The x for which a @ x is `input`, where `input2` holds the Cholesky factors of a."""
    def choose(self, choices: Any, mode: str = 'clip') -> Tensor:
        """At each place the element of the choice (a tensor, or one of a sequence) that the tensor of indices names."""
    def chunk(
        self,
        chunks: _builtins.int,
        axis: _builtins.int | None = None,
        *,
        dim: _builtins.int | None = None,
    ) -> tuple[Tensor, ...]:
        """The tensor split along an axis into at most `chunks` parts; see `ops.chunk`."""
    def clamp(self, min: Operand | None = None, max: Operand | None = None) -> Tensor:
        """`input` no smaller than `min`, then no larger than `max`."""
    def clamp_(self, min: Operand | None = None, max: Operand | None = None) -> Tensor:
        """`input` no smaller than `min`, then no larger than `max`."""
    def clip(self, min: Operand | None = None, max: Operand | None = None) -> Tensor:
        """`input` no smaller than `min`, then no larger than `max`."""
    def clone(self) -> Tensor:
        """The numbers in a tensor of their own."""
    def col2im(self, output_size: Any, kernel_size: Any, dilation: Any, padding_value: Any, stride: Any) -> Tensor:
        """Windows (N, C, elements of a window, windows) added up into images (N, C, H, W) of a size."""
    def conj(self) -> Tensor:
        """The elements with their imaginary parts negated."""
    def contiguous(self) -> Tensor:
        """The tensor itself: its elements are in C order."""
    def copy(self) -> Tensor:
        """The numbers in a tensor of their own."""
    def copy_(self, src: Any, non_blocking: _builtins.bool = False) -> Tensor:
        """Copy numbers into the tensor itself."""
    def copysign(self, other: Operand) -> Tensor:
        """The magnitude of `x` with the sign of `other`, with broadcasting; of integers in Float32."""
    def cos(self) -> Tensor:
        """Cosine of each element, in radians."""
    def cosh(self) -> Tensor:
        """Hyperbolic cosine of each element."""
    def count_nonzero(
        self,
        axis: Axis = (),
        keep_dims: _builtins.bool = False,
        dtype: DType | None = None,
        *,
        dim: Axis | None = None,
    ) -> Tensor:
        """How many elements over axes are not zero."""
    def cov(self, *, correction: _builtins.int = 1, fweights: Any = None, aweights: Any = None) -> Tensor:
        """The covariances of variables, the rows, whose observations are the columns."""
    def cross(self, other: Tensor, dim: _builtins.int | None = None) -> Tensor:
        """The vector products of vectors of three elements along a dimension, the first of size 3 by default."""
    def cummax(self, axis: _builtins.int) -> tuple[Tensor, Tensor]:
        """The largest of the elements up to each along an axis, and the positions (Int64) of the last such ones."""
    def cummin(self, axis: _builtins.int) -> tuple[Tensor, Tensor]:
        """The smallest of the elements up to each along an axis, and the positions (Int32) of the last such ones."""
    def cumprod(self, dim: _builtins.int, dtype: DType | None = None) -> Tensor:
        """Products of the elements up to each along an axis; of integers in Int64."""
    def cumsum(
        self,
        axis: _builtins.int | None = None,
        dtype: Any = None,
        *,
        dim: _builtins.int | None = None,
    ) -> Tensor:
        """Sums of the elements up to each along an axis (None: of all in order)."""
    @property
    def data(self) -> Tensor:
        """The tensor itself."""
    def data_ptr(self) -> _builtins.int:
        """The address of the first element."""
    def data_sync(self, *args: Any, **kwargs: Any) -> Tensor:
        """The tensor: there is one device, and data is always there."""
    def deg2rad(self) -> Tensor:
        """Degrees in radians."""
    def det(self) -> Tensor:
        """The determinants of square matrices."""
    @property
    def device(self) -> str: ...
    def diag(self) -> Tensor:
        """Zeros of the shape of `input` twice over, with its elements where both halves of the index agree."""
    def diagflat(self, offset: _builtins.int = 0) -> Tensor:
        """A matrix of zeros with the elements of a tensor, in order, on a diagonal."""
    def diagonal(
        self,
        offset: _builtins.int = 0,
        axis1: _builtins.int = 0,
        axis2: _builtins.int = 1,
        *,
        dim1: _builtins.int | None = None,
        dim2: _builtins.int | None = None,
    ) -> Tensor:
        """The diagonals of the matrices over two dimensions, as the last dimension."""
    def diagonal_scatter(
        self,
        src: Tensor,
        offset: _builtins.int = 0,
        dim1: _builtins.int = 0,
        dim2: _builtins.int = 1,
    ) -> Tensor:
        """The tensor with the diagonals over two dimensions replaced by `src`."""
    def diff(self, n: _builtins.int = 1, axis: _builtins.int = -1, prepend: Any = None, append: Any = None) -> Tensor:
        """Differences of neighbours along an axis, taken n times."""
    def digamma(self) -> Tensor:
        """The derivative of `lgamma` at each element."""
    def dim(self) -> _builtins.int:
        """Number of dimensions."""
    def dist(self, other: Tensor, p: _builtins.float = 2.0) -> Tensor:
        """The p-norm of the difference of two tensors."""
    def div(
        self,
        other: Operand | None = None,
        *,
        rounding_mode: str | None = None,
        value: Operand | None = None,
    ) -> Tensor:
        """The quotient, rounded as `ops.div` says."""
    def div_(self, other: Operand, *, rounding_mode: str | None = None) -> Tensor:
        """Quotient, elementwise with broadcasting."""
    def divide(self, other: Operand, *, rounding_mode: str | None = None) -> Tensor:
        """Quotient, elementwise with broadcasting."""
    def dot(self, other: Tensor) -> Tensor:
        """The product of two vectors, summed; of more dimensions as `ops.dot`."""
    def double(self) -> Tensor:
        """The tensor in Float64."""
    def dsplit(self, indices_or_sections: Any) -> tuple[Tensor, ...]:
        """The tensor cut along its third axis; see `tensor_split`."""
    def eigvals(self) -> Tensor:
        """The eigenvalues of square matrices, complex; errors as for `eig`."""
    def eq(self, other: Operand) -> Tensor:
        """Whether two are equal, elementwise with broadcasting: a Bool tensor. nan equals nothing."""
    def equal(self, other: Operand) -> Tensor:
        """Whether two are equal, elementwise with broadcasting: a Bool tensor. nan equals nothing."""
    def erf(self) -> Tensor:
        """The error function of each element."""
    def erfc(self) -> Tensor:
        """One less the error function of each element, exact for large ones."""
    def erfinv(self) -> Tensor:
        """What the error function takes to each element."""
    def erfinv_(self) -> Tensor:
        """What the error function takes to each element."""
    def exp(self) -> Tensor:
        """e to the power of each element."""
    def exp_(self) -> Tensor:
        """e to the power of each element."""
    def expand(self, *size: Any, **named: Any) -> Tensor:
        """The tensor broadcast to a size, given as a tuple or as several ints; -1 keeps a size."""
    def expand_as(self, other: Tensor | None = None, *, x: Tensor | None = None) -> Tensor:
        """The tensor broadcast to the shape of `other`, which may be called `x`."""
    def expand_dims(self, axis: Any) -> Tensor:
        """The tensor with a new dimension of size one before position `axis` (negative ones count from the end)."""
    def expm1(self) -> Tensor:
        """exp(x) - 1 of each element, exact for small ones."""
    def exponential_(self, lambd: Any = 1.0, *, generator: Any = None) -> Tensor:
        """Fill the tensor itself with exponentially distributed numbers."""
    def fill(self, value: Any, *, dtype: DType | None = None) -> Tensor:
        """A tensor of one value in the shape, and without `dtype` the dtype, of another."""
    def fill_(self, value: Any) -> Tensor:
        """Fill the tensor itself with a number."""
    def fill_diagonal(self, fill_value: _builtins.float, wrap: _builtins.bool = False) -> Tensor:
        """The tensor with its main diagonal replaced by a number (in tall matrices again after each block, with
        `wrap`)."""
    def fill_diagonal_(self, fill_value: _builtins.float, wrap: _builtins.bool = False) -> Tensor:
        """The tensor with its main diagonal replaced by a number (in tall matrices again after each block, with
        `wrap`)."""
    def fills(self, value: Any, *, dtype: DType | None = None) -> Tensor:
        """A tensor of one value in the shape, and without `dtype` the dtype, of another."""
    def flatten(
        self,
        order: Any = 'C',
        *positional: _builtins.int,
        start_dim: _builtins.int = 0,
        end_dim: _builtins.int = -1,
    ) -> Tensor:
        """The tensor with the dimensions from `start_dim` to `end_dim` made one; all of them by default."""
    def flip(self, *dims: Any, **named: Any) -> Tensor:
        """The tensor with the order of its elements along some dimensions reversed."""
    def fliplr(self) -> Tensor:
        """The tensor with the order of its columns reversed."""
    def flipud(self) -> Tensor:
        """The tensor with the order of its rows reversed."""
    def float(self) -> Tensor:
        """The tensor in Float32."""
    def float_power(self, other: Operand) -> Tensor:
        """`self` to the power `other` in double precision (Float64, or Complex128 where an operand is complex)."""
    def floor(self) -> Tensor:
        """The largest whole number not above each element."""
    def floor_(self) -> Tensor:
        """The largest whole number not above each element."""
    def floor_divide(self, other: Operand) -> Tensor:
        """The quotient rounded down, as Python's `//`, elementwise with broadcasting."""
    def floor_divide_(self, other: Operand) -> Tensor:
        """The quotient rounded down, as Python's `//`, elementwise with broadcasting."""
    def fmax(self, other: Operand) -> Tensor:
        """The larger of two, elementwise with broadcasting; where one is nan the other."""
    def fmin(self, other: Operand) -> Tensor:
        """The smaller of two, elementwise with broadcasting; where one is nan the other."""
    def fmod(self, other: Operand) -> Tensor:
        """The rest of the division rounded towards zero, with the sign of the dividend, as C's fmod, elementwise with
        broadcasting."""
    def fold(self, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
        """The reverse of `unfold`: windows (N, C * kernel, number of windows) summed into images (N, C, H, W)."""
    def frac(self) -> Tensor:
        """The fraction of each element, with its sign."""
    def gather(self, *positional: Any, **named: Any) -> Tensor:
        """`x.gather(input_indices, axis)` as `ops.gather`; `x.gather(dim, index)` as `ops.gather_elements`."""
    def gather_elements(self, dim: _builtins.int, index: Tensor) -> Tensor:
        """For each place of `index` the element of the tensor at that position along `dim`."""
    def gather_nd(self, indices: Tensor) -> Tensor:
        """The elements or blocks of a tensor whose leading positions are the rows of `indices`."""
    def gcd(self, other: Tensor) -> Tensor:
        """The greatest common divisor of integers, elementwise with broadcasting."""
    def ge(self, other: Operand) -> Tensor:
        """Whether `input` is at least `other`, elementwise with broadcasting."""
    def gelu(self, approximate: str = 'none') -> Tensor:
        """x times the probability that a standard normal number is below x; "tanh" for the usual estimate."""
    def geqrf(self) -> tuple[Tensor, Tensor]:
        """The QR factorisation in parts: R with Householder's vectors below its diagonal, and their factors."""
    def ger(self, vec2: Tensor) -> Tensor:
        """The products of each element of one vector with each of another."""
    def greater(self, other: Operand) -> Tensor:
        """Whether `input` is greater than `other`, elementwise with broadcasting."""
    def greater_equal(self, other: Operand) -> Tensor:
        """Whether `input` is at least `other`, elementwise with broadcasting."""
    def gt(self, other: Operand) -> Tensor:
        """Whether `input` is greater than `other`, elementwise with broadcasting."""
    def half(self) -> Tensor:
        """The tensor in Float16."""
    def hardshrink(self, lambd: _builtins.float = 0.5) -> Tensor:
        """The elements further from 0 than `lambd`, 0 in place of the others."""
    def heaviside(self, values: Tensor) -> Tensor:
        """0 where `input` is negative, `values` where it is 0, 1 where it is positive."""
    def histc(self, bins: _builtins.int = 100, min: _builtins.float = 0.0, max: _builtins.float = 0.0) -> Tensor:
        """How many elements lie in each of equal intervals from `min` to `max` (both 0: from the least to the
        largest)."""
    def hsplit(self, indices_or_sections: Any) -> tuple[Tensor, ...]:
        """The tensor cut along its second axis (the first, of vectors); see `tensor_split`."""
    def hypot(self, other: Tensor) -> Tensor:
        """Length of the hypotenuse, `sqrt(input**2 + other**2)`, with broadcasting."""
    def i0(self) -> Tensor:
        """As `bessel_i0`, of integers in Float32."""
    def igamma(self, other: Tensor) -> Tensor:
        """The regularised lower incomplete gamma function P(input, other) of each pair of elements."""
    def igammac(self, other: Tensor) -> Tensor:
        """The regularised upper incomplete gamma function Q(input, other): 1 less `igamma`, precise where that is
        tiny."""
    def imag(self) -> Tensor:
        """The imaginary parts of the elements."""
    def index_add(
        self,
        dim: Any = None,
        index: Any = None,
        source: Any = None,
        axis: _builtins.int | None = None,
        *,
        alpha: Any = 1,
        indices: Any = None,
        y: Any = None,
        use_lock: _builtins.bool = True,
        check_index_bound: _builtins.bool = True,
    ) -> Tensor:
        """`index_add(dim, index, source, alpha=1)`: the tensor with the rows of `source`, times alpha, added to its
        rows along a dimension at `index`; also `index_add(indices, y, axis)`."""
    def index_add_(
        self,
        dim: Any = None,
        index: Any = None,
        source: Any = None,
        axis: _builtins.int | None = None,
        *,
        alpha: Any = 1,
        indices: Any = None,
        y: Any = None,
        use_lock: _builtins.bool = True,
        check_index_bound: _builtins.bool = True,
    ) -> Tensor:
        """`index_add(dim, index, source, alpha=1)`: the tensor with the rows of `source`, times alpha, added to its
        rows along a dimension at `index`; also `index_add(indices, y, axis)`."""
    def index_copy_(self, dim: _builtins.int, index: Tensor, tensor: Tensor) -> Tensor:
        """Copy the rows of another tensor along a dimension of the tensor itself."""
    def index_fill(self, axis: _builtins.int, index: Tensor, value: Any) -> Tensor:
        """The tensor with its rows along an axis at `index` filled with a number."""
    def index_fill_(self, dim: _builtins.int, index: Tensor, value: Any) -> Tensor:
        """The tensor with its rows along an dim at `index` filled with a number."""
    def index_put(self, indices: Any, values: Tensor, accumulate: _builtins.bool = False) -> Tensor:
        """The tensor after `x[indices] = values`, or with `accumulate` after adding the values there."""
    def index_put_(self, indices: Any, values: Tensor, accumulate: _builtins.bool = False) -> Tensor:
        """The tensor after `x[indices] = values`, or with `accumulate` after adding the values there."""
    def index_select(self, axis: Any = None, index: Any = None, *, dim: Any = None) -> Tensor:
        """The rows of the tensor along an axis at the indices of a vector."""
    def init_data(self, *args: Any, **kwargs: Any) -> Tensor:
        """The tensor: there is one device, and data is always there."""
    def inner(self, other: Tensor) -> Tensor:
        """The sums of products over the last dimensions of two tensors."""
    def inplace_update(self, v: Tensor, indices: Any) -> Tensor:
        """The tensor with its rows at `indices` replaced by those of `v`."""
    def int(self) -> Tensor:
        """The tensor in Int32."""
    def inv(self) -> Tensor:
        """One over each element."""
    def inverse(self) -> Tensor:
        """The inverses of square matrices."""
    def invert(self) -> Tensor:
        """Every bit of integers turned over."""
    def is_complex(self) -> _builtins.bool:
        """Whether the dtype is a complex one."""
    def is_contiguous(self) -> _builtins.bool:
        """Whether the elements are in C order: always."""
    def is_floating_point(self) -> _builtins.bool:
        """Whether the dtype is a real floating-point one."""
    def is_signed(self) -> _builtins.bool:
        """Whether the dtype has negative numbers."""
    def isclose(
        self,
        other: Tensor | None = None,
        rtol: _builtins.float = 1e-05,
        atol: _builtins.float = 1e-08,
        equal_nan: _builtins.bool = False,
        *,
        x2: Tensor | None = None,
    ) -> Tensor:
        """Whether two are equal within tolerances, elementwise, as `ops.isclose`; `x2` is another name of `other`."""
    def isfinite(self) -> Tensor:
        """Whether each element is neither infinite nor nan."""
    def isinf(self) -> Tensor:
        """Whether each element is infinite."""
    def isnan(self) -> Tensor:
        """Whether each element is not a number."""
    def isneginf(self) -> Tensor:
        """Whether each element is negative infinity."""
    def isposinf(self) -> Tensor:
        """Whether each element is positive infinity."""
    def isreal(self) -> Tensor:
        """Whether the elements have no imaginary part, elementwise."""
    def itemset(self, *args: Any) -> Tensor:
        """A copy in which one element is replaced: `itemset(position, value)`, or `itemset(value)` for one element."""
    def kthvalue(
        self,
        k: _builtins.int,
        dim: _builtins.int = -1,
        keepdim: _builtins.bool = False,
    ) -> tuple[Tensor, Tensor]:
        """The k-th smallest element along a dimension, counted from 1, and its position."""
    def lcm(self, other: Tensor) -> Tensor:
        """The least common multiple of integers, elementwise with broadcasting; 0 where either is 0."""
    def ldexp(self, other: Tensor) -> Tensor:
        """`x * 2**other`, with broadcasting."""
    def le(self, other: Operand) -> Tensor:
        """Whether `input` is at most `other`, elementwise with broadcasting."""
    def lerp(self, end: Tensor, weight: Operand) -> Tensor:
        """`input + weight * (end - input)`, with broadcasting."""
    def less(self, other: Operand) -> Tensor:
        """Whether `input` is less than `other`, elementwise with broadcasting."""
    def less_equal(self, other: Operand) -> Tensor:
        """Whether `input` is at most `other`, elementwise with broadcasting."""
    def lgamma(self) -> Tensor:
        """Logarithm of the magnitude of the gamma function of each element; of integers in Float32."""
    def log(self) -> Tensor:
        """Natural logarithm of each element."""
    def log10(self) -> Tensor:
        """Logarithm to base 10 of each element."""
    def log1p(self) -> Tensor:
        """log(1 + x) of each element, exact for small ones."""
    def log2(self) -> Tensor:
        """Logarithm to base 2 of each element."""
    def log_(self) -> Tensor:
        """Natural logarithm of each element."""
    def log_matrix_determinant(self) -> tuple[Tensor, Tensor]:
        """The signs of the determinants of square matrices, and the logarithms of their magnitudes."""
    def log_normal(self, mean: _builtins.float = 1.0, std: _builtins.float = 2.0) -> Tensor:
        """Numbers whose logarithms are normally distributed, in the shape and dtype of a tensor."""
    def log_softmax(self, axis: _builtins.int = -1) -> Tensor:
        """The logarithm of `softmax` along an axis, computed without overflow."""
    def logaddexp(self, other: Tensor) -> Tensor:
        """`log(exp(input) + exp(other))` without overflow, with broadcasting."""
    def logaddexp2(self, other: Tensor) -> Tensor:
        """`log2(2**input + 2**other)` without overflow, with broadcasting."""
    def logcumsumexp(self, axis: _builtins.int) -> Tensor:
        """Logarithms of the sums of the exponentials of the elements up to each along an axis, without overflow."""
    def logdet(self) -> Tensor:
        """The logarithms of the determinants of square matrices; nan where they are negative."""
    def logical_and(self, other: Any = None, *, y: Any = None) -> Any:
        """Whether both are true (numbers other than 0 are), elementwise with broadcasting."""
    def logical_not(self) -> Tensor:
        """Whether the elements are false (0 is), elementwise."""
    def logical_or(self, other: Any = None, *, y: Any = None) -> Any:
        """Whether one or both are true (numbers other than 0 are), elementwise with broadcasting."""
    def logical_xor(self, other: Operand) -> Tensor:
        """Whether exactly one is true (numbers other than 0 are), elementwise with broadcasting."""
    def logit(self, eps: _builtins.float | None = None) -> Tensor:
        """`log(x / (1 - x))` of each element, which with `eps` is first clamped to [eps, 1 - eps]."""
    def logsumexp(self, dim: Axis, keepdim: _builtins.bool = False) -> Tensor:
        """Logarithm of the sum of the exponentials over axes, without overflow."""
    def long(self) -> Tensor:
        """The tensor in Int64."""
    def lstsq(self, A: Tensor) -> Tensor:
        """The x for which |input @ x - A| is smallest."""
    def lt(self, other: Operand) -> Tensor:
        """Whether `input` is less than `other`, elementwise with broadcasting."""
    def lu_solve(self, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
        """The solution of equations whose matrix is given as a packed LU factorisation with pivots."""
    @property
    def mH(self) -> Tensor:
        """The conjugate of a matrix with its dimensions exchanged."""
    @property
    def mT(self) -> Tensor:
        """The tensor with its last two dimensions exchanged."""
    def masked_fill(self, mask: Tensor, value: Operand) -> Tensor:
        """`input_x` with `value` where the mask holds."""
    def masked_fill_(self, mask: Tensor, value: Operand) -> Tensor:
        """`input_x` with `value` where the mask holds."""
    def masked_scatter(self, mask: Tensor, source: Tensor) -> Tensor:
        """The tensor with the elements where the mask is True replaced by those of `source`, in order."""
    def masked_scatter_(self, mask: Tensor, source: Tensor) -> Tensor:
        """The tensor with the elements where the mask is True replaced by those of `source`, in order."""
    def masked_select(self, mask: Tensor) -> Tensor:
        """The elements where a mask (broadcast against the tensor) is True, in one dimension."""
    def matmul(self, other: Any = None, *, tensor2: Any = None) -> Any:
        """The matrix product over the last two dimensions; the others are broadcast, vectors are rows or columns."""
    def matrix_determinant(self) -> Tensor:
        """The determinants of square matrices."""
    def matrix_power(self, n: _builtins.int) -> Tensor:
        """Square matrices to a whole power; negative powers are those of the inverses."""
    def max(self, *place: Any, dim: Axis | None = None, keepdim: _builtins.bool | None = None, **named: Any) -> Any:
        """The largest elements, in three forms."""
    def maximum(self, other: Operand) -> Tensor:
        """The larger of two, elementwise with broadcasting; nan where either is nan."""
    def mean(
        self,
        axis: Axis | None = None,
        keep_dims: _builtins.bool = False,
        *,
        dim: Axis | None = None,
        keepdim: _builtins.bool = False,
        dtype: Any = None,
        out: None = None,
        keepdims: _builtins.bool = False,
    ) -> Tensor:
        """The mean over axes (None: all); for integers the fraction is lost unless `dtype` says otherwise."""
    def median(
        self,
        axis: _builtins.int = -1,
        keepdims: _builtins.bool = False,
        *,
        dim: _builtins.int | None = None,
        keepdim: _builtins.bool = False,
    ) -> tuple[Tensor, Tensor]:
        """The middle values along an axis, and their positions."""
    def min(self, *place: Any, dim: Axis | None = None, keepdim: _builtins.bool | None = None, **named: Any) -> Any:
        """The smallest elements, in three forms."""
    def minimum(self, other: Operand) -> Tensor:
        """The smaller of two, elementwise with broadcasting; nan where either is nan."""
    def mm(self, mat2: Tensor) -> Tensor:
        """The product of two matrices."""
    def move_to(self, *args: Any, **kwargs: Any) -> Tensor:
        """The tensor: there is one device, and data is always there."""
    def moveaxis(self, source: Any, destination: Any) -> Tensor:
        """The tensor with the dimensions `source` moved to the positions `destination`, the others in their order."""
    def movedim(self, source: Any, destination: Any) -> Tensor:
        """The tensor with the dimensions `source` moved to the positions `destination`, the others in their order."""
    def msort(self) -> Tensor:
        """The elements in order along the first axis."""
    def mul(self, other: Operand) -> Tensor:
        """Product of two tensors, or of a tensor and a number, elementwise with broadcasting."""
    def mul_(self, other: Operand) -> Tensor:
        """Product of two tensors, or of a tensor and a number, elementwise with broadcasting."""
    def multinomial(
        self,
        num_samples: Any,
        replacement: _builtins.bool = True,
        seed: _builtins.int | None = None,
    ) -> Tensor:
        """Positions (Int32) drawn in proportion to the weights in the last dimension."""
    def multiply(self, value: Operand) -> Tensor:
        """Product of two tensors, or of a tensor and a number, elementwise with broadcasting."""
    def mvlgamma(self, p: _builtins.int) -> Tensor:
        """Logarithm of the multivariate gamma function of dimension p of each element."""
    def nan_to_num(
        self,
        nan: _builtins.float | None = None,
        posinf: _builtins.float | None = None,
        neginf: _builtins.float | None = None,
    ) -> Tensor:
        """The elements with numbers in place of nan and infinities."""
    def nanmean(
        self,
        axis: Axis | None = None,
        keepdims: _builtins.bool = False,
        *,
        dtype: DType | None = None,
    ) -> Tensor:
        """Mean over axes of the elements that are not nan (nan where all are)."""
    def nanmedian(self, axis: _builtins.int = -1, keepdims: _builtins.bool = False) -> tuple[Tensor, Tensor]:
        """As `median`, of the elements that are not nan (nan where all are)."""
    def nanquantile(self, q: Any, axis: _builtins.int | None = None, keepdims: _builtins.bool = False) -> Tensor:
        """As `quantile`, of the elements that are not nan (nan where all are)."""
    def nansum(
        self,
        axis: Axis | None = None,
        keepdims: _builtins.bool = False,
        *,
        dtype: Any = None,
        dim: Axis | None = None,
        keepdim: _builtins.bool = False,
    ) -> Tensor:
        """The sum over axes of the elements that are not nan."""
    def narrow(self, axis: Any = None, start: Any = None, length: Any = None, *, dim: Any = None) -> Tensor:
        """The `length` elements from `start` on along an axis; see `ops.narrow`."""
    def ndimension(self) -> _builtins.int:
        """Number of dimensions."""
    def ne(self, other: Operand) -> Tensor:
        """Whether two differ, elementwise with broadcasting."""
    def neg(self) -> Tensor:
        """The elements negated."""
    def neg_(self) -> Tensor:
        """The elements negated."""
    def negative(self) -> Tensor:
        """The elements negated."""
    def nelement(self) -> _builtins.int:
        """Number of elements."""
    def new_empty(self, *sizes: Any, size: Any = None, dtype: Any = None, device: Any = None) -> Tensor:
        """A tensor of a shape for numbers to come, which are zeros."""
    def new_full(self, size: Any, fill_value: Any, *, dtype: Any = None) -> Tensor:
        """A tensor of one value, in this tensor's dtype unless `dtype` says otherwise."""
    def new_ones(self, *sizes: Any, size: Any = None, dtype: Any = None) -> Tensor:
        """Ones of a shape, in this tensor's dtype unless `dtype` says otherwise."""
    def new_zeros(self, *sizes: Any, size: Any = None, dtype: Any = None) -> Tensor:
        """Zeros of a shape, in this tensor's dtype unless `dtype` says otherwise."""
    def nextafter(self, other: Tensor) -> Tensor:
        """The next floating-point number after `input` towards `other`."""
    def nonzero(self, *, as_tuple: _builtins.bool = False) -> Any:
        """The positions of the elements that are not zero, one a row; with `as_tuple` one tensor a dimension."""
    def norm(self, ord: Any = None, dim: Any = None, keepdim: _builtins.bool = False, *, dtype: Any = None) -> Tensor:
        """The norm of a tensor: of all its elements, of vectors along one dimension, or of matrices over two."""
    def normal_(self, mean: Any = 0.0, std: Any = 1.0, *, generator: Any = None) -> Tensor:
        """Fill the tensor itself with normally distributed numbers."""
    def not_equal(self, other: Operand) -> Tensor:
        """Whether two differ, elementwise with broadcasting."""
    def numel(self) -> _builtins.int:
        """Number of elements."""
    def offload(self, *args: Any, **kwargs: Any) -> Tensor:
        """The tensor: there is one device, and data is always there."""
    def orgqr(self, input2: Tensor) -> Tensor:
        """The first columns of the orthogonal matrix that `geqrf` gave in parts."""
    def ormqr(
        self,
        tau: Tensor,
        other: Tensor,
        left: _builtins.bool = True,
        transpose: _builtins.bool = False,
    ) -> Tensor:
        """The product of the orthogonal matrix that `geqrf` gave in parts, or of its transpose, with another matrix."""
    def outer(self, vec2: Tensor) -> Tensor:
        """The products of each element of one vector with each of another."""
    def permute(self, *axis: Any, **named: Any) -> Tensor:
        """The tensor with its dimensions in the order given, as a tuple or as several ints."""
    def pinv(self, *, atol: Any = None, rtol: Any = None, hermitian: _builtins.bool = False) -> Tensor:
        """The pseudo-inverses of matrices; singular values up to max(atol, rtol * the largest) count as zero."""
    def positive(self) -> Tensor:
        """The tensor itself."""
    def pow(self, exponent: Operand) -> Tensor:
        """`input` to the power `exponent`; integers stay integers, elementwise with broadcasting."""
    def pow_(self, exponent: Operand) -> Tensor:
        """`input` to the power `exponent`; integers stay integers, elementwise with broadcasting."""
    def prod(
        self,
        axis: Axis | None = None,
        keep_dims: _builtins.bool = False,
        dtype: Any = None,
        *,
        dim: Axis | None = None,
        keepdim: _builtins.bool = False,
        out: None = None,
        keepdims: _builtins.bool = False,
    ) -> Tensor:
        """The product over axes (None: all)."""
    def ptp(self, axis: Axis | None = None, keepdims: _builtins.bool = False) -> Tensor:
        """The largest less the smallest element over axes (as the method `ptp`)."""
    def put_(self, index: Tensor, source: Tensor, accumulate: _builtins.bool = False) -> Tensor:
        """Replace elements of the tensor itself, or add to them, at positions counted through all of it."""
    def qr(self, some: Any = True, *, mode: str = 'reduced') -> tuple[Tensor, Tensor]:
        """Q with orthonormal columns and upper triangular R; see `ops.qr`."""
    def quantile(self, q: Any, axis: _builtins.int | None = None, keepdims: _builtins.bool = False) -> Tensor:
        """Quantiles along an axis, by linear interpolation between the two elements next to them; nan where there is
        one."""
    def rad2deg(self) -> Tensor:
        """Radians in degrees."""
    def random_(self, from_: _builtins.int = 0, to: _builtins.int | None = None, *, generator: Any = None) -> Tensor:
        """Fill the tensor itself with whole numbers uniform in [from_, to)."""
    def ravel(self) -> Tensor:
        """The elements in C order, in one dimension."""
    def real(self) -> Tensor:
        """The real parts of the elements."""
    def reciprocal(self) -> Tensor:
        """One over each element; of integers and booleans in Float32."""
    def register_hook(self, hook: Callable[[Any], Any]) -> TensorHook:
        """Let the gradient of this tensor go through a function on its way back."""
    def relu(self, inplace: _builtins.bool = False) -> Tensor:
        """The elements that are positive, 0 in place of the others."""
    def remainder(self, other: Any = None, *, divisor: Any = None) -> Any:
        """The rest of the division rounded down, with the sign of the divisor, as Python's `%`, elementwise with
        broadcasting."""
    def remainder_(self, other: Operand) -> Tensor:
        """The rest of the division rounded down, with the sign of the divisor, as Python's `%`, elementwise with
        broadcasting."""
    def renorm(self, p: _builtins.float, axis: _builtins.int, maxnorm: _builtins.float) -> Tensor:
        """The tensor with those of its parts along an axis scaled down whose p-norm is above `maxnorm`."""
    def repeat(self, *repeats: Any, axis: _builtins.int | None = None, **named: Any) -> Tensor:
        """The tensor repeated as a whole, `repeats[i]` times along dimension i; with `axis` instead, each element
        repeated."""
    def repeat_interleave(
        self,
        repeats: Any,
        axis: _builtins.int | None = None,
        *,
        dim: _builtins.int | None = None,
        output_size: _builtins.int | None = None,
    ) -> Tensor:
        """The tensor with every element along an axis repeated; see `ops.repeat_interleave`."""
    def requires_grad_(self, requires_grad: _builtins.bool = True) -> None:
        """Accepted: which gradients are computed is said where `grad` is called."""
    def reshape(self, *shape: Any, **named: Any) -> Tensor:
        """The tensor in another shape, given as a tuple or as several ints; see `ops.reshape`."""
    def reshape_as(self, other: Tensor) -> Tensor:
        """The tensor in the shape of `other`."""
    def resize(self, *new_shape: Any) -> Tensor:
        """The first elements in another shape, filled up with zeros where there are too few."""
    def reverse(self, axis: Any) -> Tensor:
        """The tensor with the order of its elements along some axes reversed."""
    def reverse_sequence(self, seq_lengths: Tensor, seq_dim: _builtins.int, batch_dim: _builtins.int = 0) -> Tensor:
        """The tensor in which, for each entry of the batch, the first `seq_lengths` elements of `seq_dim` are
        reversed."""
    def roll(self, shifts: Any, dims: Any = None) -> Tensor:
        """The tensor with its elements moved on; those pushed out come in at the other end."""
    def rot90(self, k: _builtins.int, dims: Any) -> Tensor:
        """The tensor turned by 90 degrees `k` times in the plane of two dimensions, from the first towards the
        second."""
    def round(self, decimals: _builtins.int = 0) -> Tensor:
        """The elements rounded to `decimals` decimals, halves to the even neighbour."""
    def rsqrt(self) -> Tensor:
        """One over the square root of each element."""
    def scatter(
        self,
        axis: Any = None,
        index: Any = None,
        src: Any = None,
        *,
        dim: Any = None,
        value: Any = None,
        reduce: str = 'none',
    ) -> Tensor:
        """The tensor with elements written along an axis; see `ops.scatter`."""
    def scatter_(
        self,
        axis: Any = None,
        index: Any = None,
        src: Any = None,
        *,
        dim: Any = None,
        value: Any = None,
        reduce: str = 'none',
    ) -> Tensor:
        """The tensor with elements written along an axis; see `ops.scatter`."""
    def scatter_add(self, *positional: Any, **named: Any) -> Tensor:
        """`x.scatter_add(indices, updates)`: added at coordinates; `x.scatter_add(dim, index, src)`: along a
        dimension."""
    def scatter_add_(self, *positional: Any, **named: Any) -> Tensor:
        """`x.scatter_add(indices, updates)`: added at coordinates; `x.scatter_add(dim, index, src)`: along a
        dimension."""
    def scatter_div(self, indices: Tensor, updates: Tensor) -> Tensor:
        """The tensor with its elements or blocks at coordinates divided by updates."""
    def scatter_max(self, indices: Tensor, updates: Tensor) -> Tensor:
        """The tensor with its elements or blocks at coordinates the larger of themselves and updates."""
    def scatter_min(self, indices: Tensor, updates: Tensor) -> Tensor:
        """The tensor with its elements or blocks at coordinates the smaller of themselves and updates."""
    def scatter_mul(self, indices: Tensor, updates: Tensor) -> Tensor:
        """The tensor with its elements or blocks at coordinates multiplied by updates."""
    def scatter_sub(self, indices: Tensor, updates: Tensor) -> Tensor:
        """The tensor with its elements or blocks at coordinates lowered by updates."""
    def searchsorted(self, v: Any, side: str = 'left', sorter: Any = None) -> Tensor:
        """The positions at which values would be put into this ordered tensor; see `ops.searchsorted`."""
    def select(self, *positional: Any, **named: Any) -> Tensor:
        """`x.select(condition, y)`: x where True, y elsewhere; `x.select(dim, index)`: one position of a dimension."""
    def select_scatter(self, src: Tensor, axis: _builtins.int, index: _builtins.int) -> Tensor:
        """The tensor with the part at one position along an axis replaced by `src`."""
    def set_const_arg(self, const_arg: _builtins.bool = True) -> Tensor:
        """Whether compiled functions take the tensor's numbers as constants, compiling anew for others; the tensor."""
    def set_dtype(self, dtype: Any) -> Any:
        """Convert the tensor itself; gives the dtype."""
    def sgn(self) -> Tensor:
        """As `sign`; of complex numbers the number over its magnitude."""
    def short(self) -> Tensor:
        """The tensor in Int16."""
    def sigmoid(self) -> Tensor:
        """1 / (1 + exp(-x))."""
    def sigmoid_(self) -> Tensor:
        """1 / (1 + exp(-x))."""
    def sign(self) -> Tensor:
        """-1, 0 or 1 as the element is negative, zero or positive."""
    def sign_(self) -> Tensor:
        """-1, 0 or 1 as the element is negative, zero or positive."""
    def signbit(self) -> Tensor:
        """Whether the sign bit of each element is set (it is for -0.0)."""
    def silu(self) -> Tensor:
        """x * sigmoid(x)."""
    def sin(self) -> Tensor:
        """Sine of each element, in radians."""
    def sinc(self) -> Tensor:
        """`sin(pi * x) / (pi * x)` of each element, and 1 at 0; of integers in Float32."""
    def sinh(self) -> Tensor:
        """Hyperbolic sine of each element."""
    def slice_scatter(
        self,
        src: Tensor,
        axis: _builtins.int = 0,
        start: _builtins.int | None = None,
        end: _builtins.int | None = None,
        step: _builtins.int = 1,
    ) -> Tensor:
        """The tensor with the elements from `start` to `end` by `step` along an axis replaced by `src`."""
    def slogdet(self) -> tuple[Tensor, Tensor]:
        """The signs of the determinants of square matrices, and the logarithms of their magnitudes."""
    def soft_shrink(self, lambd: _builtins.float = 0.5) -> Tensor:
        """The elements moved towards 0 by `lambd`; 0 for elements that are nearer."""
    def softmax(self, axis: Any = None, dtype: Any = None, *, dim: Any = None) -> Tensor:
        """exp(x) over its sum along an axis; see `ops.softmax`."""
    def sort(
        self,
        axis: _builtins.int | None = None,
        descending: _builtins.bool = False,
        *,
        dim: _builtins.int | None = None,
        stable: _builtins.bool = False,
    ) -> tuple[Tensor, Tensor]:
        """The elements in order along an axis, and the positions they come from; see `ops.sort`."""
    def split(
        self,
        split_size_or_sections: Any = None,
        axis: _builtins.int | None = None,
        *,
        split_size: Any = None,
        dim: _builtins.int | None = None,
    ) -> tuple[Tensor, ...]:
        """The tensor cut along an axis into parts; see `ops.split`."""
    def sqrt(self) -> Tensor:
        """Square root of each element; nan where an element is negative."""
    def sqrt_(self) -> Tensor:
        """Square root of each element; nan where an element is negative."""
    def square(self) -> Tensor:
        """Square of each element."""
    def squeeze(self, *axis: Any, **named: Any) -> Tensor:
        """The tensor without its dimensions of size one; see `ops.squeeze`."""
    def std(
        self,
        axis: Axis | None = None,
        ddof: Any = 0,
        keepdims: _builtins.bool = False,
        *,
        dim: Axis | None = None,
        correction: _builtins.int | None = None,
        keepdim: _builtins.bool = False,
        dtype: Any = None,
        out: None = None,
    ) -> Tensor:
        """`std(axis, ddof, keepdims)` or `std(dim, correction=, keepdim=)`: the standard deviation over axes."""
    def storage_offset(self) -> _builtins.int:
        """0: a tensor starts where its memory starts."""
    def stride(self, dim: _builtins.int | None = None) -> Any:
        """Elements to step in each dimension of a C-contiguous tensor, or in one of them."""
    def sub(self, other: Operand | None = None, *, alpha: Any = 1, y: Operand | None = None) -> Tensor:
        """`self - alpha * other`."""
    def sub_(self, other: Operand | None = None, *, alpha: Any = 1, y: Operand | None = None) -> Tensor:
        """`self - alpha * other`."""
    def subtract(self, other: Operand | None = None, *, alpha: Any = 1, y: Operand | None = None) -> Tensor:
        """`self - alpha * other`."""
    def sum(
        self,
        axis: Axis | None = None,
        dtype: Any = None,
        keepdims: Any = False,
        initial: Any = None,
        *,
        dim: Axis | None = None,
        keepdim: Any = False,
        out: None = None,
    ) -> Tensor:
        """`sum(axis, dtype, keepdims, initial)` or `sum(dim, keepdim, dtype=)`: the sum over axes (None: all)."""
    def sum_to_size(self, *size: Any) -> Tensor:
        """The tensor summed over the dimensions along which one of `size` would be broadcast to it."""
    def svd(self, full_matrices: _builtins.bool = False, compute_uv: _builtins.bool = True) -> Any:
        """The singular values of matrices, and matrices U and V with orthonormal columns: x is U @ diag(s) @ V.T."""
    def swapaxes(self, axis0: _builtins.int, axis1: _builtins.int) -> Tensor:
        """The tensor with two dimensions exchanged."""
    def swapdims(self, dim0: _builtins.int, dim1: _builtins.int) -> Tensor:
        """The tensor with two dimensions exchanged."""
    def t(self) -> Tensor:
        """The transpose of a matrix; vectors and 0-d tensors are returned unchanged. ValueError for more dimensions."""
    def take(
        self,
        indices: Any = None,
        axis: _builtins.int | None = None,
        mode: str = 'clip',
        *,
        index: Any = None,
    ) -> Tensor:
        """The rows along an axis at some indices (out of range: "clip" or "wrap"); without an axis, elements in C
        order."""
    def tan(self) -> Tensor:
        """Tangent of each element, in radians."""
    def tanh(self) -> Tensor:
        """Hyperbolic tangent of each element."""
    def tanh_(self) -> Tensor:
        """Hyperbolic tangent of each element."""
    def tensor_split(self, indices_or_sections: Any, axis: _builtins.int = 0) -> tuple[Tensor, ...]:
        """The tensor split along an axis into parts of nearly equal size, or before each of the indices."""
    def tile(self, *reps: Any, **named: Any) -> Tensor:
        """The tensor repeated as a whole, so often along each dimension; see `ops.tile`."""
    def to(
        self,
        *target: Any,
        dtype: Any = None,
        device: Any = None,
        non_blocking: _builtins.bool = False,
        copy: _builtins.bool = False,
        other: Tensor | None = None,
    ) -> Tensor:
        """The tensor in another dtype, given as such or by a tensor that has it; devices are all the CPU."""
    def top_k(self, k: Any, sorted: _builtins.bool = True) -> tuple[Tensor, Tensor]:
        """The k largest elements along the last dimension, and their positions."""
    def topk(
        self,
        k: Any,
        dim: _builtins.int | None = None,
        largest: _builtins.bool = True,
        sorted: _builtins.bool = True,
    ) -> tuple[Tensor, Tensor]:
        """The k largest (or smallest) elements along a dimension, the last by default, and their positions, Int32."""
    def trace(
        self,
        offset: _builtins.int = 0,
        axis1: _builtins.int = 0,
        axis2: _builtins.int = 1,
        dtype: Any = None,
    ) -> Tensor:
        """The sums of diagonals over two dimensions."""
    def transpose(self, *axes: Any, **named: Any) -> Tensor:
        """The tensor with its dimensions permuted: `x.transpose()` reverses them, `x.transpose((0, 2, 1))` or
        `x.transpose(0, 2, 1)` orders them, and `x.transpose(dim0, dim1)` exchanges two."""
    def tril(self, diagonal: _builtins.int = 0) -> Tensor:
        """The lower triangles of matrices, up to a diagonal; zeros above."""
    def triu(self, diagonal: _builtins.int = 0) -> Tensor:
        """The upper triangles of matrices, from a diagonal; zeros below."""
    def true_divide(self, divisor: Operand) -> Tensor:
        """Quotient, elementwise with broadcasting; of integers and booleans in Float32."""
    def trunc(self) -> Tensor:
        """The elements without their fractions."""
    def type(self, dtype: Any = None, non_blocking: _builtins.bool = False) -> Any:
        """The dtype's name; with `dtype`, the tensor in it."""
    def type_as(self, other: Tensor) -> Tensor:
        """`input` in the dtype of `other`."""
    def unbind(self, dim: _builtins.int = 0) -> tuple[Tensor, ...]:
        """The tensors that lie along a dimension, as a tuple, without that dimension."""
    def unfold(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
        """The windows of images (N, C, H, W) as columns: (N, C * kernel height * kernel width, number of windows)."""
    def uniform_(self, from_: Any = 0.0, to: Any = 1.0, *, generator: Any = None, **bounds: Any) -> Tensor:
        """Fill the tensor itself with numbers uniform in [from, to)."""
    def unique(
        self,
        sorted: _builtins.bool = True,
        return_inverse: _builtins.bool = False,
        return_counts: _builtins.bool = False,
        dim: _builtins.int | None = None,
    ) -> Any:
        """The different elements in order; optionally which of them each element is, and how often each occurs."""
    def unique_consecutive(
        self,
        return_inverse: _builtins.bool = False,
        return_counts: _builtins.bool = False,
        dim: _builtins.int | None = None,
    ) -> Any:
        """The first of each run of equal elements; optionally which run each element is in, and how long each run
        is."""
    def unique_with_pad(self, pad_num: Any) -> tuple[Tensor, Tensor]:
        """The different elements, filled up with `pad_num` to the length of x, and which of them each element is."""
    def unsorted_segment_max(self, segment_ids: Tensor, num_segments: Any) -> Tensor:
        """The maxima of the rows with the same segment id; the lowest number for segments without rows."""
    def unsorted_segment_min(self, segment_ids: Tensor, num_segments: Any) -> Tensor:
        """The minima of the rows with the same segment id; the largest number for segments without rows."""
    def unsorted_segment_prod(self, segment_ids: Tensor, num_segments: Any) -> Tensor:
        """The products of the rows with the same segment id; ones for segments without rows."""
    def unsorted_segment_sum(self, segment_ids: Tensor, num_segments: Any) -> Tensor:
        """The sums of the rows with the same segment id; zeros for segments without rows."""
    def unsqueeze(self, dim: Any = None, *, axis: Any = None) -> Any:
        """The tensor with a new dimension of size one before position `dim`."""
    def unstack(self, axis: _builtins.int = 0) -> tuple[Tensor, ...]:
        """The tensors that lie along an axis, as a tuple, without that axis."""
    def value(self) -> Tensor:
        """The tensor itself."""
    def var(
        self,
        axis: Axis | None = None,
        ddof: Any = 0,
        keepdims: _builtins.bool = False,
        *,
        dim: Axis | None = None,
        correction: _builtins.int | None = None,
        keepdim: _builtins.bool = False,
        dtype: Any = None,
        out: None = None,
    ) -> Tensor:
        """`var(axis, ddof, keepdims)` or `var(dim, correction=, keepdim=)`: the variance over axes."""
    def view(self, *shape: Any, **named: Any) -> Tensor:
        """The tensor in another shape, given as a tuple or as several ints; of a dtype, its bytes read as that
        dtype."""
    def view_as(self, other: Tensor) -> Tensor:
        """The tensor in the shape of `other`."""
    def vsplit(self, indices_or_sections: Any) -> tuple[Tensor, ...]:
        """The tensor cut along its first axis; see `tensor_split`."""
    def where(self, condition: Any, y: Any = None, **named: Any) -> Tensor:
        """`x.where(condition, y)`: x where the condition is True, y elsewhere."""
    def xdivy(self, y: Operand) -> Tensor:
        """`x / y`, and 0 where `x` is 0, with broadcasting."""
    def xlogy(self, other: Operand) -> Tensor:
        """`input * log(other)`, and 0 where `input` is 0, with broadcasting."""
    def zero_(self) -> Tensor:
        """Fill the tensor itself with zeros."""
