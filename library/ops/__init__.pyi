# Written by tools/stubs.py: `make stubs` writes it again.
from ...frontend.values.operands import Operand
from ...frontend.values.parameter import Parameter
from ..functions.reduce import Axis
from ...runtime.dtypes import DType as _DType
from typing import Any
from ...frontend.transforms.grad import grad as grad, value_and_grad as value_and_grad
from ...frontend.transforms.grad_operation import GradOperation as GradOperation, get_grad as get_grad
from ...frontend.transforms.jacobian import jacfwd as jacfwd, jacrev as jacrev
from ...frontend.transforms.products import *
from ...frontend.transforms.taylor import derivative as derivative, jet as jet
from ...frontend.transforms.vmap import vmap as vmap
from ...frontend.values.logic import logical_not as logical_not, stack as stack, where as where
from ...frontend.values.tensor import Tensor as Tensor
from ..functions import composite as composite
from ..functions.array_broadcast import *
from ..functions.array_flip import (
    flip as flip, reverse as reverse, reverse_sequence as reverse_sequence, roll as roll, rot90 as rot90,
)
from ..functions.array_gather import *
from ..functions.array_join import (
    block_diag as block_diag, cartesian_prod as cartesian_prod, cat as cat, column_stack as column_stack,
    combinations as combinations, concat as concat, dstack as dstack, hstack as hstack,
    repeat_elements as repeat_elements, repeat_interleave as repeat_interleave, row_stack as row_stack,
    vstack as vstack,
)
from ..functions.array_matrix import *
from ..functions.array_pad import *
from ..functions.array_rows import (
    index_add as index_add, index_fill as index_fill, inplace_index_add as inplace_index_add,
    select_scatter as select_scatter, slice_scatter as slice_scatter,
)
from ..functions.array_scatter import (
    scatter as scatter, scatter_nd as scatter_nd, sequence_mask as sequence_mask,
    tensor_scatter_elements as tensor_scatter_elements,
)
from ..functions.array_shape import (
    adjoint as adjoint, dtype as dtype, dyn_shape as dyn_shape, expand_dims as expand_dims, flatten as flatten,
    moveaxis as moveaxis, numel as numel, permute as permute, rank as rank, ravel as ravel, reshape as reshape,
    shape as shape, size as size, squeeze as squeeze, swapaxes as swapaxes, swapdims as swapdims, t as t,
    transpose as transpose, unsqueeze as unsqueeze, view_as as view_as, moveaxis as _movedim,
)
from ..functions.array_slice import *
from ..functions.array_sort import *
from ..functions.array_split import *
from ..functions.attention import flash_attention_score as flash_attention_score
from ..functions.comparison import (
    approximate_equal as approximate_equal, clamp as clamp, clip_by_value as clip_by_value, invert as invert,
    is_complex as is_complex, is_floating_point as is_floating_point, is_nonzero as is_nonzero,
    is_tensor as is_tensor, isclose as isclose, logical_xor as logical_xor, masked_fill as masked_fill,
    select as select, clamp as _clip,
)
from ..functions.composite import *
from ..functions.creation import (
    fill as fill, fills as fills, full as full, full_like as full_like, meshgrid as meshgrid, one_hot as one_hot,
    ones as ones, scalar_cast as scalar_cast, scalar_to_array as scalar_to_array,
    scalar_to_tensor as scalar_to_tensor, tuple_to_array as tuple_to_array, zeros as zeros,
)
from ..functions.creation_ranges import (
    arange as arange, diag as diag, diagflat as diagflat, eye as eye, linspace as linspace, logspace as logspace,
    make_range as make_range, range as range, tril as tril, triu as triu, range as _tensor_range,
)
from ..functions.cumulative import cumprod as cumprod, cumsum as cumsum, logcumsumexp as logcumsumexp
from ..functions.extremes import amax as amax, amin as amin, aminmax as aminmax, argmax as argmax, argmin as argmin
from ..functions.fourier import fftfreq as fftfreq, fftshift as fftshift, ifftshift as ifftshift, rfftfreq as rfftfreq
from ..functions.functions import (
    abs as abs, heaviside as heaviside, logit as logit, nan_to_num as nan_to_num, round as round, abs as _absolute,
)
from ..functions.linalg import *
from ..functions.linalg_norm import cond as cond, matrix_norm as matrix_norm, norm as norm, vector_norm as vector_norm
from ..functions.linalg_solve import *
from ..functions.linalg_solve import det as _matrix_determinant, slogdet as _log_matrix_determinant
from ..functions.linalg_weighted import *
from ..functions.math import (
    div as div, float_power as float_power, mul as mul, sub as sub, true_divide as true_divide, div as _divide,
    mul as _multiply, mul as _tensor_mul, mul as _tensor_muls, sub as _subtract, sub as _tensor_sub,
)
from ..functions.math_binary import (
    addn as addn, ldexp as ldexp, lerp as lerp, nextafter as nextafter, addn as _accumulate_n,
)
from ..functions.nn_activation import (
    celu as celu, elu as elu, gelu as gelu, glu as glu, hardshrink as hardshrink, hardtanh as hardtanh,
    leaky_relu as leaky_relu, log_softmax as log_softmax, prelu as prelu, relu as relu, softmax as softmax,
    softplus as softplus, softshrink as softshrink, swiglu as swiglu, threshold as threshold,
    softshrink as _soft_shrink,
)
from ..functions.nn_conv import (
    bias_add as bias_add, bidense as bidense, conv3d_transpose as conv3d_transpose,
    conv_transpose2d as conv_transpose2d, dense as dense, embedding as embedding,
)
from ..functions.nn_detection import *
from ..functions.nn_dropout import *
from ..functions.nn_image import *
from ..functions.nn_image import interpolate as _upsample
from ..functions.nn_loss_margin import ctc_loss as ctc_loss
from ..functions.nn_norm import (
    batch_norm as batch_norm, group_norm as group_norm, instance_norm as instance_norm, layer_norm as layer_norm,
    rms_norm as rms_norm,
)
from ..functions.nn_pool import (
    avg_pool1d as avg_pool1d, max_pool3d as max_pool3d, max_unpool1d as max_unpool1d, max_unpool2d as max_unpool2d,
    max_unpool3d as max_unpool3d,
)
from ..functions.nn_pool_adaptive import *
from ..functions.nn_sampling import *
from ..functions.overloads import MultitypeFuncGraph as MultitypeFuncGraph
from ..functions.program import (
    HookBackward as HookBackward, InsertGradientOf as InsertGradientOf, add_flags as add_flags, assign as assign,
    core as core, mixed_precision_cast as mixed_precision_cast, print_ as print_, stop_gradient as stop_gradient,
    tuple_len as tuple_len, typeof as typeof,
)
from ..functions.random import (
    manual_seed as manual_seed, rand as rand, randint as randint, randint_like as randint_like, randn as randn,
    randperm as randperm, shuffle as shuffle,
)
from ..functions.random_distributions import (
    bernoulli as bernoulli, gamma as gamma, laplace as laplace, log_normal as log_normal,
    multinomial as multinomial, multinomial_with_replacement as multinomial_with_replacement, normal as normal,
    poisson as poisson, random_categorical as random_categorical, random_gamma as random_gamma,
    random_poisson as random_poisson, uniform as uniform,
)
from ..functions.reduce import (
    count_nonzero as count_nonzero, mean as mean, prod as prod, reduce_prod as reduce_prod,
    reduce_sum as reduce_sum, sum as sum,
)
from ..functions.representation import (
    cast as cast, deepcopy as deepcopy, eps as eps, identity as identity, polar as polar,
    population_count as population_count, positive as positive, type_as as type_as, view_as_real as view_as_real,
)
from ..functions.special import betainc as betainc, mvlgamma as mvlgamma, polygamma as polygamma
from ..functions.statistics import (
    diff as diff, logsumexp as logsumexp, median as median, nanmean as nanmean, nanmedian as nanmedian,
    nanquantile as nanquantile, nansum as nansum, ptp as ptp, quantile as quantile,
)
from ..functions.windows import *
from ..mint import (
    acos as acos, acosh as acosh, arccos as arccos, arccosh as arccosh, arcsinh as arcsinh, arctan as arctan,
    arctan2 as arctan2, arctanh as arctanh, asin as asin, asinh as asinh, atan as atan, atan2 as atan2,
    atanh as atanh, bitwise_and as bitwise_and, bitwise_or as bitwise_or, bitwise_xor as bitwise_xor, ceil as ceil,
    cos as cos, cosh as cosh, eq as eq, erf as erf, erfc as erfc, erfinv as erfinv, exp as exp, exp2 as exp2,
    expm1 as expm1, floor as floor, floor_divide as floor_divide, fmod as fmod, gcd as gcd, ge as ge,
    greater as greater, greater_equal as greater_equal, gt as gt, imag as imag, isfinite as isfinite,
    isinf as isinf, isneginf as isneginf, le as le, less as less, less_equal as less_equal, log as log,
    log10 as log10, log1p as log1p, log2 as log2, logaddexp as logaddexp, logaddexp2 as logaddexp2,
    logical_and as logical_and, logical_or as logical_or, lt as lt, maximum as maximum, minimum as minimum,
    ne as ne, neg as neg, negative as negative, not_equal as not_equal, ones_like as ones_like, pow as pow,
    real as real, reciprocal as reciprocal, rsqrt as rsqrt, sign as sign, sin as sin, sinc as sinc, sinh as sinh,
    square as square, tan as tan, trunc as trunc, xlogy as xlogy, zeros_like as zeros_like,
)
from ..mint.functional import (
    cosine_embedding_loss as cosine_embedding_loss, cosine_similarity as cosine_similarity,
    cross_entropy as cross_entropy, hardsigmoid as hardsigmoid, hardswish as hardswish, l1_loss as l1_loss,
    mse_loss as mse_loss, normalize as normalize, sigmoid as sigmoid, soft_margin_loss as soft_margin_loss,
    tanh as tanh,
)
from .called import (
    col2im as col2im, ctc_greedy_decoder as ctc_greedy_decoder, geqrf as geqrf,
    log_uniform_candidate_sampler as log_uniform_candidate_sampler, lu_solve as lu_solve, lu_unpack as lu_unpack,
    orgqr as orgqr, ormqr as ormqr, sparse_segment_mean as sparse_segment_mean,
    uniform_candidate_sampler as uniform_candidate_sampler, unique_with_pad as unique_with_pad,
)
from .primitives import *
from .primitives.communication import ReduceOp as ReduceOp
from .primitives.custom import Custom as Custom, TensorDump as TensorDump
from .primitives.primitive import (
    Primitive as Primitive, PrimitiveWithCheck as PrimitiveWithCheck, PrimitiveWithInfer as PrimitiveWithInfer,
    prim_attr_register as prim_attr_register, prim_attr_register as _prim_arg_register,
)
from .primitives.rare import *
movedim = _movedim
clip = _clip
tensor_range = _tensor_range
absolute = _absolute
matrix_determinant = _matrix_determinant
log_matrix_determinant = _log_matrix_determinant
divide = _divide
multiply = _multiply
tensor_mul = _tensor_mul
tensor_muls = _tensor_muls
subtract = _subtract
tensor_sub = _tensor_sub
accumulate_n = _accumulate_n
soft_shrink = _soft_shrink
upsample = _upsample
prim_arg_register = _prim_arg_register

def add(input: Operand, other: Operand) -> Tensor:
    """Sum of two tensors, or of a tensor and a number, elementwise with broadcasting."""

def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Operand = 1) -> Tensor:
    """`input + value * tensor1 / tensor2`, with broadcasting."""

def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Operand = 1) -> Tensor:
    """`input + value * tensor1 * tensor2`, with broadcasting."""

def all(input: Tensor, axis: Axis | None = None, keep_dims: bool = False) -> Tensor:
    """Whether all elements over axes are true (numbers other than 0 are): a Bool tensor."""

def angle(input: Tensor) -> Tensor:
    """The angles of complex numbers, in radians; of real ones 0 or pi."""

def any(input: Tensor, axis: Axis | None = None, keep_dims: bool = False) -> Tensor:
    """Whether an element over axes is true (numbers other than 0 are): a Bool tensor."""

def arcsin(x: Tensor) -> Tensor:
    """Inverse sine of each element."""

def assign_add(variable: Parameter, value: Any) -> Tensor:
    """Add to a Parameter in place; arguments, result and errors as for `assign`."""

def assign_sub(variable: Parameter, value: Any) -> Tensor:
    """Subtract from a Parameter in place; arguments, result and errors as for `assign`."""

def atleast_1d(inputs: Any) -> Any:
    """Each tensor with at least 1 dimensions: missing ones are added, with size one."""

def atleast_2d(inputs: Any) -> Any:
    """Each tensor with at least 2 dimensions: missing ones are added, with size one."""

def atleast_3d(inputs: Any) -> Any:
    """Each tensor with at least 3 dimensions: missing ones are added, with size one."""

def avg_pool2d(
    input_x: Tensor,
    kernel_size: Any = 1,
    stride: Any = 1,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int = 0,
) -> Tensor:
    """The mean of each window of images."""

def avg_pool3d(
    input_x: Tensor,
    kernel_size: Any = 1,
    stride: Any = 1,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int = 0,
) -> Tensor:
    """The mean of each window of volumes."""

def bessel_i0(x: Tensor) -> Tensor:
    """The modified Bessel function I of order 0, of each element."""

def bessel_i0e(x: Tensor) -> Tensor:
    """The modified Bessel function I of order 0 times exp(-|x|), of each element."""

def bessel_i1(x: Tensor) -> Tensor:
    """The modified Bessel function I of order 1, of each element."""

def bessel_i1e(x: Tensor) -> Tensor:
    """The modified Bessel function I of order 1 times exp(-|x|), of each element."""

def bessel_j0(x: Tensor) -> Tensor:
    """The Bessel function J of order 0, of each element."""

def bessel_j1(x: Tensor) -> Tensor:
    """The Bessel function J of order 1, of each element."""

def bessel_k0(x: Tensor) -> Tensor:
    """The modified Bessel function K of order 0, of each element."""

def bessel_k0e(x: Tensor) -> Tensor:
    """The modified Bessel function K of order 0 times exp(x), of each element."""

def bessel_k1(x: Tensor) -> Tensor:
    """The modified Bessel function K of order 1, of each element."""

def bessel_k1e(x: Tensor) -> Tensor:
    """The modified Bessel function K of order 1 times exp(x), of each element."""

def bessel_y0(x: Tensor) -> Tensor:
    """The Bessel function Y of order 0, of each element."""

def bessel_y1(x: Tensor) -> Tensor:
    """The Bessel function Y of order 1, of each element."""

def binary_cross_entropy(
    logits: Tensor,
    labels: Tensor,
    weight: Tensor | None = None,
    reduction: str = 'mean',
) -> Tensor:
    """The binary cross entropy between probabilities and labels: -w * (y log p + (1 - y) log(1 - p))."""

def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    pos_weight: Tensor | None = None,
    reduction: str = 'mean',
) -> Tensor:
    """The binary cross entropy between sigmoid(input) and targets, computed without overflow."""

def bitwise_left_shift(input: Operand, other: Operand) -> Tensor:
    """The bits of integers moved up by `other` places, elementwise with broadcasting."""

def bitwise_right_shift(input: Operand, other: Operand) -> Tensor:
    """The bits of integers moved down by `other` places; the sign is kept, elementwise with broadcasting."""

def cdist(x1: Tensor, x2: Tensor, p: float = 2.0) -> Tensor:
    """The p-norms of the differences of each row of one batch of matrices with each of another."""

def conj(input: Tensor) -> Tensor:
    """The elements with their imaginary parts negated."""

def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    pad_mode: str = 'valid',
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolution (cross-correlation) of sequences with a weight."""

def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    pad_mode: str = 'valid',
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolution (cross-correlation) of images with a weight."""

def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    pad_mode: str = 'valid',
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Convolution (cross-correlation) of volumes with a weight."""

def copysign(x: Operand, other: Operand) -> Tensor:
    """The magnitude of `x` with the sign of `other`, with broadcasting; of integers in Float32."""

def cov(input: Tensor, *, correction: int = 1, fweights: Any = None, aweights: Any = None) -> Tensor:
    """The covariances of variables, the rows, whose observations are the columns; a scalar for one variable."""

def cummax(input: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """The largest of the elements up to each along an axis, and the positions (Int64) of the last such ones."""

def cummin(input: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """The smallest of the elements up to each along an axis, and the positions (Int32) of the last such ones."""

def deg2rad(x: Tensor) -> Tensor:
    """Degrees in radians."""

def digamma(input: Tensor) -> Tensor:
    """The derivative of `lgamma` at each element."""

def dist(input: Tensor, other: Tensor, p: float = 2.0) -> Tensor:
    """The p-norm of the difference of two tensors."""

def equal(input: Operand, other: Operand) -> Tensor:
    """Whether two are equal, elementwise with broadcasting: a Bool tensor. nan equals nothing."""

def fast_gelu(x: Tensor) -> Tensor:
    """x / (1 + exp(-1.702 |x|)) * exp(0.851 (x - |x|)), an estimate of gelu."""

def fft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The discrete Fourier transform along an axis."""

def fft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The discrete Fourier transform over several axes."""

def fftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """The discrete Fourier transform over several axes."""

def fliplr(input: Tensor) -> Tensor:
    """The tensor with the order of its columns reversed."""

def flipud(input: Tensor) -> Tensor:
    """The tensor with the order of its rows reversed."""

def floor_div(x: Operand, y: Operand) -> Tensor:
    """The quotient rounded down, as Python's `//`, elementwise with broadcasting."""

def floor_mod(x: Operand, y: Operand) -> Tensor:
    """The rest of the division rounded down, with the sign of the divisor, as Python's `%`, elementwise with
    broadcasting."""

def floordiv(input: Operand, other: Operand) -> Tensor:
    """The quotient rounded down, as Python's `//`, elementwise with broadcasting."""

def floormod(x: Operand, y: Operand) -> Tensor:
    """The rest of the division rounded down, with the sign of the divisor, elementwise with broadcasting."""

def fmax(input: Operand, other: Operand) -> Tensor:
    """The larger of two, elementwise with broadcasting; where one is nan the other."""

def fmin(input: Operand, other: Operand) -> Tensor:
    """The smaller of two, elementwise with broadcasting; where one is nan the other."""

def frac(x: Tensor) -> Tensor:
    """The fraction of each element, with its sign."""

def fractional_max_pool2d(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Any = None,
) -> Any:
    """Images cut into windows at random distances, each its maximum."""

def fractional_max_pool3d(
    input: Tensor,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: bool = False,
    _random_samples: Any = None,
) -> Any:
    """Volumes cut into windows at random distances, each its maximum."""

def gammaln(input: Tensor) -> Tensor:
    """Logarithm of the magnitude of the gamma function of each element; of integers in Float32."""

def gaussian_nll_loss(
    x: Tensor,
    target: Tensor,
    var: Any,
    full: bool = False,
    eps: float = 1e-06,
    reduction: str = 'mean',
) -> Tensor:
    """The negative log-likelihood of targets under normal distributions of mean x and variance `var`."""

def hfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The real discrete Fourier transform of a signal of which the first half is given along an axis."""

def hfft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The real discrete Fourier transform of a signal of which the first half is given over several axes."""

def hfftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """The real discrete Fourier transform of a signal of which the first half is given over several axes."""

def hinge_embedding_loss(inputs: Tensor, targets: Tensor, margin: float = 1.0, reduction: str = 'mean') -> Tensor:
    """The inputs where the target is positive, max(0, margin - input) where it is negative, 0 elsewhere."""

def huber_loss(input: Tensor, target: Tensor, reduction: str = 'mean', delta: float = 1.0) -> Tensor:
    """d² / 2 for differences d nearer to 0 than `delta`, delta * (|d| - delta / 2) for the others."""

def hypot(input: Tensor, other: Operand) -> Tensor:
    """Length of the hypotenuse, `sqrt(input**2 + other**2)`, with broadcasting."""

def i0(input: Tensor) -> Tensor:
    """As `bessel_i0`, of integers in Float32."""

def ifft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The inverse of the discrete Fourier transform along an axis."""

def ifft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The inverse of the discrete Fourier transform over several axes."""

def ifftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """The inverse of the discrete Fourier transform over several axes."""

def igamma(input: Tensor, other: Tensor) -> Tensor:
    """The regularised lower incomplete gamma function P(input, other) of each pair of elements."""

def igammac(input: Tensor, other: Tensor) -> Tensor:
    """The regularised upper incomplete gamma function Q(input, other): 1 less `igamma`, precise where that is tiny."""

def ihfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The first half of the inverse discrete Fourier transform of real numbers along an axis."""

def ihfft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The first half of the inverse discrete Fourier transform of real numbers over several axes."""

def ihfftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """The first half of the inverse discrete Fourier transform of real numbers over several axes."""

def inplace_add(x: Tensor, v: Tensor, indices: Any) -> Tensor:
    """The tensor with the rows of `v` added to its rows at `indices`."""

def inplace_sub(x: Tensor, v: Tensor, indices: Any) -> Tensor:
    """The tensor with the rows of `v` subtracted from its rows at `indices`."""

def inplace_update(x: Tensor, v: Tensor, indices: Any) -> Tensor:
    """The tensor with its rows at `indices` replaced by those of `v`."""

def inv(x: Tensor) -> Tensor:
    """One over each element; `inverse` inverts matrices."""

def irfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The real numbers of which `rfft` made the input along an axis."""

def irfft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The real numbers of which `rfft` made the input over several axes."""

def irfftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """The real numbers of which `rfft` made the input over several axes."""

def isnan(input: Tensor) -> Tensor:
    """Whether each element is not a number."""

def isposinf(input: Tensor) -> Tensor:
    """Whether each element is positive infinity."""

def isreal(input: Tensor) -> Tensor:
    """Whether the elements have no imaginary part, elementwise."""

def kl_div(logits: Tensor, labels: Tensor, reduction: str = 'mean') -> Tensor:
    """y * (log(y) - x) for log-probabilities x and probabilities y (0 where y is 0); also averaged over the batch."""

def l2_normalize(x: Tensor, axis: Any = 0, epsilon: float = 0.0001) -> Tensor:
    """x / sqrt(max(sum of x² along the axes, epsilon))."""

def lcm(input: Tensor, other: Tensor) -> Tensor:
    """The least common multiple of integers, elementwise with broadcasting; 0 where either is 0."""

def lgamma(input: Tensor) -> Tensor:
    """Logarithm of the magnitude of the gamma function of each element; of integers in Float32."""

def logsigmoid(x: Tensor) -> Tensor:
    """log(sigmoid(x)), without overflow."""

def lp_pool1d(x: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Tensor:
    """The p-th root of the sum of p-th powers of each window of (N, C, L)."""

def lp_pool2d(x: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False) -> Tensor:
    """The p-th root of the sum of p-th powers of each window of images (N, C, H, W)."""

def lrn(
    x: Tensor,
    depth_radius: int = 5,
    bias: float = 1.0,
    alpha: float = 1.0,
    beta: float = 0.5,
    norm_region: str = 'ACROSS_CHANNELS',
) -> Tensor:
    """x / (bias + alpha * the sum of squares over the channels at most `depth_radius` away) ** beta."""

def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0.0,
    reduction: str = 'mean',
) -> Tensor:
    """max(0, -target * (input1 - input2) + margin): the first ranks higher where the target is 1, lower where -1."""

def max(
    input: Tensor,
    axis: int | None = None,
    keepdims: bool = False,
    *,
    initial: Any = None,
    where: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """The largest elements along an axis, and the positions of the first ones."""

def max_pool1d(
    x: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    return_indices: bool = False,
    ceil_mode: bool = False,
) -> Any:
    """The maximum of each window of sequences."""

def max_pool2d(
    x: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    return_indices: bool = False,
    ceil_mode: bool = False,
) -> Any:
    """The maximum of each window of images."""

def min(
    input: Tensor,
    axis: int | None = None,
    keepdims: bool = False,
    *,
    initial: Any = None,
    where: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """The smallest elements along an axis, and the positions of the first ones."""

def mish(x: Tensor) -> Tensor:
    """x * tanh(log(1 + exp(x)))."""

def mod(input: Operand, other: Operand) -> Tensor:
    """The rest of the division rounded down, with the sign of the divisor, as Python's `%`, elementwise with
    broadcasting."""

def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    reduction: str = 'mean',
) -> Tensor:
    """The mean over the classes other than the target of max(0, margin - x[target] + x[class]) ** p, for each row."""

def multilabel_margin_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Tensor:
    """The sum of max(0, 1 - (x[label] - x[other])) over labels and other classes, over the number of classes."""

def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: str = 'mean',
) -> Tensor:
    """The binary cross entropy of logits and labels (0 or 1), averaged over the classes of each row."""

def nll_loss(
    inputs: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = 'mean',
    label_smoothing: float = 0.0,
) -> Tensor:
    """The negative of the log-probability of each target class."""

def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """The p-norms of the differences of each pair of rows of a matrix."""

def pows(input: Operand, exponent: Operand) -> Tensor:
    """`input` to the power `exponent`; integers stay integers, elementwise with broadcasting."""

def rad2deg(x: Tensor) -> Tensor:
    """Radians in degrees."""

def rand_like(input: Tensor, seed: int | None = None, *, dtype: Any = None) -> Tensor:
    """Numbers uniform in [0, 1), in the shape, and without `dtype` the dtype, of a tensor."""

def randn_like(input: Tensor, seed: int | None = None, *, dtype: Any = None) -> Tensor:
    """Numbers of the standard normal distribution, in the shape, and without `dtype` the dtype, of a tensor."""

def reduce_all(x: Tensor, axis: Axis = (), keep_dims: bool = False) -> Tensor:
    """As `all`; no axes given means all."""

def reduce_any(x: Tensor, axis: Axis = (), keep_dims: bool = False) -> Tensor:
    """As `any`; no axes given means all."""

def reduce_max(x: Tensor, axis: Axis = (), keep_dims: bool = False) -> Tensor:
    """As `amax`; no axes given means all."""

def reduce_mean(x: Tensor, axis: Axis = (), keep_dims: bool = False) -> Tensor:
    """As `mean`; no axes given means all."""

def reduce_min(x: Tensor, axis: Axis = (), keep_dims: bool = False) -> Tensor:
    """As `amin`; no axes given means all."""

def relu6(x: Tensor) -> Tensor:
    """The elements no smaller than 0 and no larger than 6; the derivative is 0 at 0 and 1 at 6."""

def remainder(input: Operand, other: Operand) -> Tensor:
    """The rest of the division rounded down, with the sign of the divisor, as Python's `%`, elementwise with
    broadcasting."""

def renorm(input: Tensor, p: float, axis: int, maxnorm: float) -> Tensor:
    """The tensor with those of its parts along an axis scaled down whose p-norm is above `maxnorm`."""

def rfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The first half, which says all, of the discrete Fourier transform of real numbers along an axis."""

def rfft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The first half, which says all, of the discrete Fourier transform of real numbers over several axes."""

def rfftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """The first half, which says all, of the discrete Fourier transform of real numbers over several axes."""

def scatter_add(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Change a Parameter: its rows at `indices` are raised by updates. Gives its new numbers."""

def scatter_div(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Change a Parameter: its rows at `indices` are divided by updates. Gives its new numbers."""

def scatter_max(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Change a Parameter: its rows at `indices` are the larger of themselves and updates. Gives its new numbers."""

def scatter_min(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Change a Parameter: its rows at `indices` are the smaller of themselves and updates. Gives its new numbers."""

def scatter_mul(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Change a Parameter: its rows at `indices` are multiplied by updates. Gives its new numbers."""

def scatter_nd_add(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Change a Parameter: its elements or blocks at coordinates are raised by updates. Gives its new numbers."""

def scatter_nd_div(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Change a Parameter: its elements or blocks at coordinates are divided by updates. Gives its new numbers."""

def scatter_nd_max(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Change a Parameter: its elements or blocks at coordinates are the larger of themselves and updates. Gives its new
    numbers."""

def scatter_nd_min(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Change a Parameter: its elements or blocks at coordinates are the smaller of themselves and updates. Gives its
    new numbers."""

def scatter_nd_mul(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Change a Parameter: its elements or blocks at coordinates are multiplied by updates. Gives its new numbers."""

def scatter_nd_sub(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Change a Parameter: its elements or blocks at coordinates are lowered by updates. Gives its new numbers."""

def scatter_nd_update(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Change a Parameter: its elements or blocks at coordinates are replaced by updates. Gives its new numbers."""

def scatter_sub(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Change a Parameter: its rows at `indices` are lowered by updates. Gives its new numbers."""

def scatter_update(input_x: Tensor, indices: Tensor, updates: Tensor, use_locking: bool = False) -> Tensor:
    """Change a Parameter: its rows at `indices` are replaced by updates. Gives its new numbers."""

def selu(input_x: Tensor) -> Tensor:
    """`elu` with the alpha and scale that keep mean and variance: 1.0507 * elu(x, 1.6733)."""

def sgn(input: Tensor) -> Tensor:
    """As `sign`; of complex numbers the number over its magnitude."""

def signbit(input: Tensor) -> Tensor:
    """Whether the sign bit of each element is set (it is for -0.0)."""

def silu(input: Tensor) -> Tensor:
    """x * sigmoid(x)."""

def smooth_l1_loss(input: Tensor, target: Tensor, beta: float = 1.0, reduction: str = 'none') -> Tensor:
    """d² / (2 beta) for differences d nearer to 0 than `beta`, |d| - beta / 2 for the others."""

def softmax_cross_entropy_with_logits(logits: Tensor, labels: Tensor, axis: int = -1) -> Tensor:
    """The cross entropy between logits and probabilities along an axis, one number a row."""

def softmin(x: Tensor, axis: int = -1, *, dtype: Any = None) -> Tensor:
    """`softmax` of the negated tensor."""

def softsign(x: Tensor) -> Tensor:
    """x / (1 + |x|)."""

def sqrt(x: Tensor) -> Tensor:
    """Square root of each element; nan where an element is negative."""

def standard_laplace(shape: Any, seed: int | None = None) -> Tensor:
    """Float32 numbers of the Laplace distribution with mean 0 and scale 1."""

def standard_normal(shape: Any, seed: int | None = None) -> Tensor:
    """Float32 numbers of the standard normal distribution."""

def std(input: Tensor, axis: Axis | None = None, ddof: Any = 0, keepdims: bool = False) -> Tensor:
    """Standard deviation over axes, the square root of `var`; arguments as there."""

def std_mean(input: Tensor, axis: Axis | None = None, ddof: Any = 0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Standard deviation and mean over axes; arguments as for `var`."""

def tanhshrink(input: Tensor) -> Tensor:
    """x - tanh(x)."""

def tensor_add(input: Operand, other: Operand) -> Tensor:
    """Sum of two tensors, or of a tensor and a number, elementwise with broadcasting."""

def tensor_div(x: Operand, y: Operand) -> Tensor:
    """Quotient, elementwise with broadcasting; of integers and booleans in Float32."""

def tensor_exp(input: Tensor) -> Tensor:
    """e to the power of each element."""

def tensor_expm1(input: Tensor) -> Tensor:
    """exp(x) - 1 of each element, exact for small ones."""

def tensor_floordiv(input: Operand, other: Operand) -> Tensor:
    """The quotient rounded down, as Python's `//`, elementwise with broadcasting."""

def tensor_ge(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is at least `other`, elementwise with broadcasting."""

def tensor_gt(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is greater than `other`, elementwise with broadcasting."""

def tensor_le(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is at most `other`, elementwise with broadcasting."""

def tensor_lt(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is less than `other`, elementwise with broadcasting."""

def tensor_mod(x: Operand, y: Operand) -> Tensor:
    """The rest of the division rounded down, with the sign of the divisor, elementwise with broadcasting."""

def tensor_pow(input: Operand, exponent: Operand) -> Tensor:
    """`input` to the power `exponent`; integers stay integers, elementwise with broadcasting."""

def tensor_scatter_add(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """The tensor with its elements or blocks at coordinates raised by updates."""

def tensor_scatter_div(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """The tensor with its elements or blocks at coordinates divided by updates."""

def tensor_scatter_max(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """The tensor with its elements or blocks at coordinates the larger of themselves and updates."""

def tensor_scatter_min(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """The tensor with its elements or blocks at coordinates the smaller of themselves and updates."""

def tensor_scatter_mul(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """The tensor with its elements or blocks at coordinates multiplied by updates."""

def tensor_scatter_sub(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """The tensor with its elements or blocks at coordinates lowered by updates."""

def tensor_scatter_update(input_x: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    """The tensor with its elements or blocks at coordinates replaced by updates."""

def trapz(y: Tensor, x: Tensor | None = None, *, dx: float = 1.0, dim: int = -1) -> Tensor:
    """The integral of the samples y along an axis by the trapezoidal rule."""

def tril_indices(row: int, col: int, offset: int = 0, *, dtype: _DType = ...) -> Tensor:
    """The rows and columns of the lower triangle of a matrix, up to a diagonal: a tensor of shape (2, count)."""

def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-06,
    swap: bool = False,
    reduction: str = 'mean',
) -> Tensor:
    """max(0, |anchor - positive| - |anchor - negative| + margin), with p-norms over the last dimension."""

def triu_indices(row: int, col: int, offset: int = 0, *, dtype: _DType = ...) -> Tensor:
    """The rows and columns of the upper triangle of a matrix, from a diagonal: a tensor of shape (2, count)."""

def truncate_div(x: Operand, y: Operand) -> Tensor:
    """The quotient rounded towards zero, elementwise with broadcasting; integers stay integers."""

def truncate_mod(x: Operand, y: Operand) -> Tensor:
    """The rest of the division rounded towards zero, with the sign of the dividend, elementwise with broadcasting."""

def unsorted_segment_max(x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
    """The maxima of the rows with the same segment id; the lowest number for segments without rows."""

def unsorted_segment_min(x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
    """The minima of the rows with the same segment id; the largest number for segments without rows."""

def unsorted_segment_prod(x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
    """The products of the rows with the same segment id; ones for segments without rows."""

def unsorted_segment_sum(input_x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
    """The sums of the rows with the same segment id; zeros for segments without rows."""

def var(input: Tensor, axis: Axis | None = None, ddof: Any = 0, keepdims: bool = False) -> Tensor:
    """Variance over axes: the sum of squared distances from the mean, over the number of elements less `ddof`."""

def var_mean(input: Tensor, axis: Axis | None = None, ddof: Any = 0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Variance and mean over axes; arguments as for `var`."""

def xdivy(x: Operand, y: Operand) -> Tensor:
    """`x / y`, and 0 where `x` is 0, with broadcasting."""

def zeta(input: Tensor, other: Tensor) -> Tensor:
    """Hurwitz's zeta function: the sum of (other + k) ** -input over k = 0, 1, …, without a gradient."""
