# Written by tools/stubs.py: `make stubs` writes it again.
from ...frontend.values.operands import Operand
from ...frontend.values.parameter import Parameter
from ..functions.reduce import Axis
from typing import Any
from ...frontend.transforms.grad import grad as grad, value_and_grad as value_and_grad
from ...frontend.transforms.grad_operation import GradOperation as GradOperation, get_grad as get_grad
from ...frontend.transforms.jacobian import jacfwd as jacfwd, jacrev as jacrev
from ...frontend.transforms.linearized import linearize as linearize
from ...frontend.transforms.products import jvp as jvp, vjp as vjp
from ...frontend.transforms.taylor import derivative as derivative, jet as jet
from ...frontend.transforms.vmap import vmap as vmap
from ...frontend.values.logic import (
    equal as equal, logical_and as logical_and, logical_not as logical_not, logical_or as logical_or,
    maximum as maximum, minimum as minimum, stack as stack, where as where, equal as _eq,
)
from ...frontend.values.tensor import Tensor as Tensor
from ..functions import composite as composite
from ..functions.array_broadcast import (
    broadcast_tensors as broadcast_tensors, broadcast_to as broadcast_to, expand as expand, expand_as as expand_as,
    tile as tile,
)
from ..functions.array_flip import (
    flip as flip, fliplr as fliplr, flipud as flipud, reverse as reverse, reverse_sequence as reverse_sequence,
    roll as roll, rot90 as rot90,
)
from ..functions.array_gather import (
    argwhere as argwhere, gather as gather, gather_d as gather_d, gather_elements as gather_elements,
    gather_nd as gather_nd, index_select as index_select, masked_scatter as masked_scatter,
    masked_select as masked_select, nonzero as nonzero, take as take,
)
from ..functions.array_join import (
    block_diag as block_diag, cartesian_prod as cartesian_prod, cat as cat, column_stack as column_stack,
    combinations as combinations, concat as concat, dstack as dstack, hstack as hstack,
    repeat_elements as repeat_elements, repeat_interleave as repeat_interleave, row_stack as row_stack,
    vstack as vstack,
)
from ..functions.array_matrix import (
    diag_embed as diag_embed, diagonal as diagonal, diagonal_scatter as diagonal_scatter,
    fill_diagonal as fill_diagonal, matrix_band_part as matrix_band_part, matrix_diag as matrix_diag,
    matrix_diag_part as matrix_diag_part, matrix_set_diag as matrix_set_diag, trace as trace,
)
from ..functions.array_pad import (
    batch_to_space_nd as batch_to_space_nd, depth_to_space as depth_to_space, mirror_pad as mirror_pad, pad as pad,
    padding as padding, space_to_batch_nd as space_to_batch_nd, space_to_depth as space_to_depth,
)
from ..functions.array_rows import (
    index_add as index_add, index_fill as index_fill, inplace_index_add as inplace_index_add,
    select_scatter as select_scatter, slice_scatter as slice_scatter,
)
from ..functions.array_scatter import (
    scatter as scatter, scatter_nd as scatter_nd, tensor_scatter_elements as tensor_scatter_elements,
)
from ..functions.array_segments import sequence_mask as sequence_mask
from ..functions.array_shape import (
    adjoint as adjoint, expand_dims as expand_dims, flatten as flatten, moveaxis as moveaxis, permute as permute,
    ravel as ravel, reshape as reshape, squeeze as squeeze, swapaxes as swapaxes, swapdims as swapdims, t as t,
    transpose as transpose, unsqueeze as unsqueeze, view_as as view_as, moveaxis as _movedim,
)
from ..functions.array_size import (
    dtype as dtype, dyn_shape as dyn_shape, numel as numel, rank as rank, shape as shape, size as size,
)
from ..functions.array_slice import narrow as narrow, slice as slice, strided_slice as strided_slice
from ..functions.array_sort import (
    argsort as argsort, bincount as bincount, bucketize as bucketize, histc as histc, intopk as intopk,
    kthvalue as kthvalue, msort as msort, searchsorted as searchsorted, sort as sort, top_k as top_k, topk as topk,
    unique as unique, unique_consecutive as unique_consecutive,
)
from ..functions.array_split import (
    chunk as chunk, dsplit as dsplit, hsplit as hsplit, split as split, tensor_split as tensor_split,
    unbind as unbind, unstack as unstack, vsplit as vsplit,
)
from ..functions.attention import flash_attention_score as flash_attention_score
from ..functions.comparison import (
    approximate_equal as approximate_equal, clamp as clamp, clip_by_value as clip_by_value, invert as invert,
    is_complex as is_complex, is_floating_point as is_floating_point, is_nonzero as is_nonzero,
    is_tensor as is_tensor, isclose as isclose, logical_xor as logical_xor, masked_fill as masked_fill,
    select as select, clamp as _clip,
)
from ..functions.complex_parts import polar as polar, view_as_real as view_as_real
from ..functions.composite import (
    ForiLoop as ForiLoop, HyperMap as HyperMap, Map as Map, Scan as Scan, WhileLoop as WhileLoop,
    clip_by_global_norm as clip_by_global_norm, clip_by_norm as clip_by_norm, constexpr as constexpr,
    depend as depend, partial as partial, tail as tail,
)
from ..functions.creation import (
    fill as fill, fills as fills, full as full, full_like as full_like, meshgrid as meshgrid, one_hot as one_hot,
    ones as ones, ones_like as ones_like, scalar_cast as scalar_cast, scalar_to_array as scalar_to_array,
    scalar_to_tensor as scalar_to_tensor, tuple_to_array as tuple_to_array, zeros as zeros,
    zeros_like as zeros_like,
)
from ..functions.creation_matrix import (
    diag as diag, diagflat as diagflat, eye as eye, tril as tril, tril_indices as tril_indices, triu as triu,
    triu_indices as triu_indices,
)
from ..functions.creation_ranges import (
    arange as arange, linspace as linspace, logspace as logspace, make_range as make_range, range as range,
    range as _tensor_range,
)
from ..functions.cumulative import (
    cummax as cummax, cummin as cummin, cumprod as cumprod, cumsum as cumsum, logcumsumexp as logcumsumexp,
)
from ..functions.extremes import (
    amax as amax, amin as amin, aminmax as aminmax, argmax as argmax, argmin as argmin, max as max, min as min,
)
from ..functions.fourier import fftfreq as fftfreq, fftshift as fftshift, ifftshift as ifftshift, rfftfreq as rfftfreq
from ..functions.functions import (
    abs as abs, heaviside as heaviside, logit as logit, nan_to_num as nan_to_num, round as round, abs as _absolute,
)
from ..functions.linalg import (
    batch_dot as batch_dot, bmm as bmm, cross as cross, dot as dot, einsum as einsum, ger as ger, inner as inner,
    kron as kron, matmul as matmul, mm as mm, multi_dot as multi_dot, mv as mv, outer as outer,
    tensor_dot as tensor_dot, vander as vander, vecdot as vecdot,
)
from ..functions.linalg_norm import cond as cond, matrix_norm as matrix_norm, norm as norm, vector_norm as vector_norm
from ..functions.linalg_solve import (
    cholesky as cholesky, cholesky_inverse as cholesky_inverse, cholesky_solve as cholesky_solve, det as det,
    eig as eig, eigh as eigh, eigvals as eigvals, inverse as inverse, logdet as logdet, lstsq as lstsq,
    matrix_exp as matrix_exp, matrix_power as matrix_power, matrix_solve as matrix_solve, pinv as pinv, qr as qr,
    slogdet as slogdet, solve as solve, svd as svd, det as _matrix_determinant, slogdet as _log_matrix_determinant,
)
from ..functions.linalg_weighted import (
    addbmm as addbmm, addmm as addmm, addmv as addmv, addr as addr, baddbmm as baddbmm,
)
from ..functions.math import (
    div as div, float_power as float_power, mul as mul, sub as sub, tensor_div as tensor_div,
    true_divide as true_divide, div as _divide, mul as _multiply, mul as _tensor_mul, sub as _subtract,
    sub as _tensor_sub,
)
from ..functions.math_binary import (
    addn as addn, ldexp as ldexp, lerp as lerp, nextafter as nextafter, addn as _accumulate_n,
)
from ..functions.nn_activation import (
    celu as celu, elu as elu, gelu as gelu, hardshrink as hardshrink, hardtanh as hardtanh,
    leaky_relu as leaky_relu, prelu as prelu, relu as relu, softplus as softplus, softshrink as softshrink,
    threshold as threshold, softshrink as _soft_shrink,
)
from ..functions.nn_conv import (
    bias_add as bias_add, bidense as bidense, conv3d_transpose as conv3d_transpose,
    conv_transpose2d as conv_transpose2d, dense as dense, embedding as embedding,
)
from ..functions.nn_deformable import deformable_conv2d as deformable_conv2d
from ..functions.nn_detection import (
    bounding_box_decode as bounding_box_decode, bounding_box_encode as bounding_box_encode,
    check_valid as check_valid, choice_with_mask as choice_with_mask, iou as iou, nms_with_mask as nms_with_mask,
    roi_align as roi_align,
)
from ..functions.nn_dropout import (
    alpha_dropout as alpha_dropout, dropout as dropout, dropout1d as dropout1d, dropout2d as dropout2d,
    dropout3d as dropout3d, gumbel_softmax as gumbel_softmax, rrelu as rrelu,
)
from ..functions.nn_image import (
    channel_shuffle as channel_shuffle, fold as fold, interpolate as interpolate, pixel_shuffle as pixel_shuffle,
    pixel_unshuffle as pixel_unshuffle, unfold as unfold, interpolate as _upsample,
)
from ..functions.nn_loss_margin import ctc_loss as ctc_loss
from ..functions.nn_norm import (
    batch_norm as batch_norm, group_norm as group_norm, instance_norm as instance_norm, layer_norm as layer_norm,
    rms_norm as rms_norm,
)
from ..functions.nn_pool import (
    avg_pool1d as avg_pool1d, max_pool3d as max_pool3d, max_unpool1d as max_unpool1d, max_unpool2d as max_unpool2d,
    max_unpool3d as max_unpool3d,
)
from ..functions.nn_pool_adaptive import (
    adaptive_avg_pool1d as adaptive_avg_pool1d, adaptive_avg_pool2d as adaptive_avg_pool2d,
    adaptive_avg_pool3d as adaptive_avg_pool3d, adaptive_max_pool1d as adaptive_max_pool1d,
    adaptive_max_pool2d as adaptive_max_pool2d, adaptive_max_pool3d as adaptive_max_pool3d,
)
from ..functions.nn_sampling import (
    affine_grid as affine_grid, crop_and_resize as crop_and_resize, grid_sample as grid_sample,
)
from ..functions.nn_softmax import (
    glu as glu, log_softmax as log_softmax, softmax as softmax, softmin as softmin, swiglu as swiglu,
)
from ..functions.overloads import MultitypeFuncGraph as MultitypeFuncGraph
from ..functions.program import (
    HookBackward as HookBackward, InsertGradientOf as InsertGradientOf, add_flags as add_flags, assign as assign,
    core as core, mixed_precision_cast as mixed_precision_cast, print_ as print_, stop_gradient as stop_gradient,
    tuple_len as tuple_len, typeof as typeof,
)
from ..functions.random import (
    manual_seed as manual_seed, rand as rand, rand_like as rand_like, randint as randint,
    randint_like as randint_like, randn as randn, randn_like as randn_like, randperm as randperm,
    shuffle as shuffle,
)
from ..functions.random_distributions import (
    bernoulli as bernoulli, gamma as gamma, laplace as laplace, log_normal as log_normal,
    multinomial as multinomial, multinomial_with_replacement as multinomial_with_replacement, normal as normal,
    poisson as poisson, random_categorical as random_categorical, random_gamma as random_gamma,
    random_poisson as random_poisson, standard_laplace as standard_laplace, standard_normal as standard_normal,
    uniform as uniform,
)
from ..functions.reduce import (
    all as all, any as any, count_nonzero as count_nonzero, mean as mean, prod as prod, reduce_prod as reduce_prod,
    reduce_sum as reduce_sum, sum as sum,
)
from ..functions.representation import (
    cast as cast, deepcopy as deepcopy, eps as eps, identity as identity, population_count as population_count,
    positive as positive, type_as as type_as,
)
from ..functions.special import betainc as betainc, mvlgamma as mvlgamma, polygamma as polygamma
from ..functions.spectrogram import stft as stft
from ..functions.statistics import (
    diff as diff, logsumexp as logsumexp, median as median, nanmean as nanmean, nanmedian as nanmedian,
    nanquantile as nanquantile, nansum as nansum, ptp as ptp, quantile as quantile,
)
from ..functions.windows import (
    bartlett_window as bartlett_window, blackman_window as blackman_window, hamming_window as hamming_window,
    hann_window as hann_window, kaiser_window as kaiser_window,
)
from ..mint import (
    acos as acos, acosh as acosh, arccos as arccos, arccosh as arccosh, arcsinh as arcsinh, arctan as arctan,
    arctan2 as arctan2, arctanh as arctanh, asin as asin, asinh as asinh, atan as atan, atan2 as atan2,
    atanh as atanh, bitwise_and as bitwise_and, bitwise_or as bitwise_or, bitwise_xor as bitwise_xor, ceil as ceil,
    cos as cos, cosh as cosh, erf as erf, erfc as erfc, erfinv as erfinv, exp as exp, exp2 as exp2, expm1 as expm1,
    floor as floor, floor_divide as floor_divide, fmod as fmod, gcd as gcd, ge as ge, greater as greater,
    greater_equal as greater_equal, gt as gt, imag as imag, isfinite as isfinite, isinf as isinf,
    isneginf as isneginf, le as le, less as less, less_equal as less_equal, log as log, log10 as log10,
    log1p as log1p, log2 as log2, logaddexp as logaddexp, logaddexp2 as logaddexp2, lt as lt, ne as ne, neg as neg,
    negative as negative, not_equal as not_equal, pow as pow, real as real, reciprocal as reciprocal,
    rsqrt as rsqrt, sign as sign, sin as sin, sinc as sinc, sinh as sinh, square as square, tan as tan,
    trunc as trunc, xlogy as xlogy,
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
from .primitives import (
    ACos as ACos, Abs as Abs, AccumulateNV2 as AccumulateNV2, AcosExt as AcosExt, Acosh as Acosh,
    AcoshExt as AcoshExt, Adam as Adam, AdamWeightDecay as AdamWeightDecay, AdaptiveAvgPool2D as AdaptiveAvgPool2D,
    AdaptiveAvgPool3D as AdaptiveAvgPool3D, AdaptiveMaxPool2D as AdaptiveMaxPool2D, Add as Add, AddExt as AddExt,
    AddN as AddN, AddScalar as AddScalar, Addbmm as Addbmm, Addcdiv as Addcdiv, AddcdivExt as AddcdivExt,
    Addcmul as Addcmul, AddcmulExt as AddcmulExt, Addmm as Addmm, Addmv as Addmv, AffineGrid as AffineGrid,
    AllGather as AllGather, AllReduce as AllReduce, AlltoAll as AlltoAll, Angle as Angle, AnyExt as AnyExt,
    ApplyAdaMax as ApplyAdaMax, ApplyAdadelta as ApplyAdadelta, ApplyAdagrad as ApplyAdagrad,
    ApplyAdagradV2 as ApplyAdagradV2, ApplyFtrl as ApplyFtrl, ApplyGradientDescent as ApplyGradientDescent,
    ApplyMomentum as ApplyMomentum, ApplyRMSProp as ApplyRMSProp, ApproximateEqual as ApproximateEqual,
    Arange as Arange, ArgMax as ArgMax, ArgMaxExt as ArgMaxExt, ArgMaxWithValue as ArgMaxWithValue,
    ArgMinExt as ArgMinExt, ArgMinWithValue as ArgMinWithValue, ArgSort as ArgSort, Argmax as Argmax,
    Argmin as Argmin, Asin as Asin, AsinExt as AsinExt, Asinh as Asinh, AsinhExt as AsinhExt, Assign as Assign,
    AssignAdd as AssignAdd, AssignSub as AssignSub, Atan as Atan, Atan2 as Atan2, Atan2Ext as Atan2Ext,
    AtanExt as AtanExt, Atanh as Atanh, AvgPool as AvgPool, AvgPool3D as AvgPool3D,
    BCEWithLogitsLoss as BCEWithLogitsLoss, Baddbmm as Baddbmm, Barrier as Barrier, BatchDot as BatchDot,
    BatchMatMul as BatchMatMul, BatchMatMulExt as BatchMatMulExt, BatchNorm as BatchNorm,
    BatchToSpace as BatchToSpace, BatchToSpaceND as BatchToSpaceND, Bernoulli as Bernoulli, BesselI0 as BesselI0,
    BesselI0e as BesselI0e, BesselI1 as BesselI1, BesselI1e as BesselI1e, BesselJ0 as BesselJ0,
    BesselJ1 as BesselJ1, BesselK0 as BesselK0, BesselK0e as BesselK0e, BesselK1 as BesselK1,
    BesselK1e as BesselK1e, BesselY0 as BesselY0, BesselY1 as BesselY1, Betainc as Betainc, BiasAdd as BiasAdd,
    BinaryCrossEntropy as BinaryCrossEntropy, BincountExt as BincountExt, BitwiseAnd as BitwiseAnd,
    BitwiseAndScalar as BitwiseAndScalar, BitwiseAndTensor as BitwiseAndTensor, BitwiseNot as BitwiseNot,
    BitwiseOr as BitwiseOr, BitwiseOrScalar as BitwiseOrScalar, BitwiseOrTensor as BitwiseOrTensor,
    BitwiseXor as BitwiseXor, BitwiseXorScalar as BitwiseXorScalar, BitwiseXorTensor as BitwiseXorTensor,
    BoundingBoxDecode as BoundingBoxDecode, BoundingBoxEncode as BoundingBoxEncode, Broadcast as Broadcast,
    BroadcastTo as BroadcastTo, BroadcastToView as BroadcastToView, Bucketize as Bucketize, CTCLoss as CTCLoss,
    Cast as Cast, Cdist as Cdist, CeLU as CeLU, Ceil as Ceil, ChannelShuffle as ChannelShuffle,
    CheckValid as CheckValid, Cholesky as Cholesky, CholeskyInverse as CholeskyInverse,
    CholeskySolve as CholeskySolve, Chunk as Chunk, ChunkView as ChunkView, ClampScalar as ClampScalar,
    ClampTensor as ClampTensor, Clone as Clone, CollectiveGather as CollectiveGather,
    CollectiveScatter as CollectiveScatter, Complex as Complex, Concat as Concat, Conj as Conj,
    Contiguous as Contiguous, Conv2D as Conv2D, Conv2DBackpropInput as Conv2DBackpropInput,
    Conv2DTranspose as Conv2DTranspose, Conv3D as Conv3D, Copy as Copy, Cos as Cos, Cosh as Cosh,
    CosineEmbeddingLoss as CosineEmbeddingLoss, CountNonZero as CountNonZero, CropAndResize as CropAndResize,
    Cross as Cross, CumProd as CumProd, CumSum as CumSum, Cummax as Cummax, Cummin as Cummin,
    CumminExt as CumminExt, CumsumExt as CumsumExt, CumulativeLogsumexp as CumulativeLogsumexp, DType as DType,
    DeformableOffsets as DeformableOffsets, Dense as Dense, Depend as Depend, DepthToSpace as DepthToSpace,
    Diag as Diag, DiagExt as DiagExt, DiagPart as DiagPart, Diagonal as Diagonal, DiagonalView as DiagonalView,
    Digamma as Digamma, Div as Div, DivMod as DivMod, DivMods as DivMods, DivNoNan as DivNoNan, Divs as Divs,
    Dot as Dot, Dropout as Dropout, Dropout2D as Dropout2D, Dropout3D as Dropout3D, DropoutDoMask as DropoutDoMask,
    DropoutGenMask as DropoutGenMask, DynamicGRUV2 as DynamicGRUV2, DynamicRNN as DynamicRNN,
    DynamicShape as DynamicShape, Eig as Eig, Einsum as Einsum, EinsumExt as EinsumExt, Elu as Elu,
    EluExt as EluExt, EmbeddingLookup as EmbeddingLookup, Eps as Eps, EqScalar as EqScalar, Equal as Equal,
    EqualExt as EqualExt, Erf as Erf, Erfc as Erfc, Erfinv as Erfinv, Exp as Exp, Exp2 as Exp2, Expand as Expand,
    ExpandAs as ExpandAs, ExpandDims as ExpandDims, ExpandDimsView as ExpandDimsView, Expm1 as Expm1, Eye as Eye,
    FFT as FFT, FFT2 as FFT2, FFTN as FFTN, FFTShift as FFTShift, FFTWithSize as FFTWithSize, FastGeLU as FastGeLU,
    FastGelu as FastGelu, Fill as Fill, FillDiagonal as FillDiagonal, FillV2 as FillV2, Fills as Fills,
    FlashAttentionScore as FlashAttentionScore, Flatten as Flatten, FlattenExt as FlattenExt,
    FloatStatus as FloatStatus, Floor as Floor, FloorDiv as FloorDiv, FloorDivScalar as FloorDivScalar,
    FloorMod as FloorMod, Fmax as Fmax, Fmin as Fmin, FmodScalar as FmodScalar, FmodTensor as FmodTensor,
    Frac as Frac, FullLike as FullLike, FusedCastAdamWeightDecay as FusedCastAdamWeightDecay,
    FusedWeightScaleApplyMomentum as FusedWeightScaleApplyMomentum, GLU as GLU, Gather as Gather,
    GatherD as GatherD, GatherNd as GatherNd, GatherNdExt as GatherNdExt, GatherV2 as GatherV2, Gcd as Gcd,
    GeLU as GeLU, Gelu as Gelu, GeluExt as GeluExt, Ger as Ger, Greater as Greater, GreaterEqual as GreaterEqual,
    GreaterEqualScalar as GreaterEqualScalar, GridSampler2D as GridSampler2D, GridSampler3D as GridSampler3D,
    GroupNorm as GroupNorm, HFFT as HFFT, HFFT2 as HFFT2, HFFTN as HFFTN, HShrink as HShrink, HSigmoid as HSigmoid,
    HSwish as HSwish, Hardtanh as Hardtanh, Heaviside as Heaviside, HistcExt as HistcExt,
    HistogramSummary as HistogramSummary, Hypot as Hypot, IFFT as IFFT, IFFT2 as IFFT2, IFFTN as IFFTN,
    IFFTShift as IFFTShift, IHFFT as IHFFT, IHFFT2 as IHFFT2, IHFFTN as IHFFTN, IOU as IOU, IRFFT as IRFFT,
    IRFFT2 as IRFFT2, IRFFTN as IRFFTN, Identity as Identity, Igamma as Igamma, Igammac as Igammac,
    Im2Col as Im2Col, Imag as Imag, ImagView as ImagView, ImageSummary as ImageSummary, InSequence as InSequence,
    InTopK as InTopK, IndexAdd as IndexAdd, IndexAddExt as IndexAddExt, IndexFill as IndexFill,
    IndexSelect as IndexSelect, Inner as Inner, InplaceAdd as InplaceAdd, InplaceAddExt as InplaceAddExt,
    InplaceAddmm as InplaceAddmm, InplaceAddsExt as InplaceAddsExt, InplaceClampScalar as InplaceClampScalar,
    InplaceClampTensor as InplaceClampTensor, InplaceCopy as InplaceCopy, InplaceDiv as InplaceDiv,
    InplaceDivMod as InplaceDivMod, InplaceDivMods as InplaceDivMods, InplaceDivs as InplaceDivs,
    InplaceErfinv as InplaceErfinv, InplaceExp as InplaceExp, InplaceFillDiagonal as InplaceFillDiagonal,
    InplaceFillScalar as InplaceFillScalar, InplaceFillTensor as InplaceFillTensor, InplaceFloor as InplaceFloor,
    InplaceFloorDivide as InplaceFloorDivide, InplaceFloorDivides as InplaceFloorDivides,
    InplaceIndexAdd as InplaceIndexAdd, InplaceIndexAddExt as InplaceIndexAddExt,
    InplaceIndexFillScalar as InplaceIndexFillScalar, InplaceIndexFillTensor as InplaceIndexFillTensor,
    InplaceIndexPut as InplaceIndexPut, InplaceLog as InplaceLog,
    InplaceMaskedFillScalar as InplaceMaskedFillScalar, InplaceMaskedFillTensor as InplaceMaskedFillTensor,
    InplaceMul as InplaceMul, InplaceMuls as InplaceMuls,
    InplaceRemainderTensorScalar as InplaceRemainderTensorScalar,
    InplaceRemainderTensorTensor as InplaceRemainderTensorTensor, InplaceScatterAdd as InplaceScatterAdd,
    InplaceScatterSrc as InplaceScatterSrc, InplaceScatterSrcReduce as InplaceScatterSrcReduce,
    InplaceScatterValue as InplaceScatterValue, InplaceScatterValueReduce as InplaceScatterValueReduce,
    InplaceSigmoid as InplaceSigmoid, InplaceSub as InplaceSub, InplaceSubExt as InplaceSubExt,
    InplaceSubScalar as InplaceSubScalar, InplaceTanh as InplaceTanh, InplaceUpdate as InplaceUpdate,
    InplaceZero as InplaceZero, Inv as Inv, Invert as Invert, InvertPermutation as InvertPermutation,
    IsClose as IsClose, IsComplex as IsComplex, IsFinite as IsFinite, IsInf as IsInf, IsNan as IsNan,
    IsNegInf as IsNegInf, KLDivLoss as KLDivLoss, Kron as Kron, Kthvalue as Kthvalue, L1LossExt as L1LossExt,
    L2Loss as L2Loss, L2Normalize as L2Normalize, LRN as LRN, LSTM as LSTM, LayerNorm as LayerNorm,
    LayerNormExt as LayerNormExt, Lcm as Lcm, LeakyReLUExt as LeakyReLUExt, LeftShift as LeftShift, Lerp as Lerp,
    Less as Less, LessEqual as LessEqual, LessScalar as LessScalar, Lgamma as Lgamma, LinSpace as LinSpace,
    LinSpaceExt as LinSpaceExt, ListAppend as ListAppend, ListInsert as ListInsert, ListToTensor as ListToTensor,
    Log as Log, Log10 as Log10, Log1p as Log1p, Log2 as Log2, LogAddExp as LogAddExp, LogAddExp2 as LogAddExp2,
    LogMatrixDeterminant as LogMatrixDeterminant, LogSigmoid as LogSigmoid, LogSoftmax as LogSoftmax,
    LogSoftmaxExt as LogSoftmaxExt, LogSpace as LogSpace, LogSumExp as LogSumExp, LogicalAnd as LogicalAnd,
    LogicalNot as LogicalNot, LogicalOr as LogicalOr, LogicalXor as LogicalXor, Logit as Logit, LpNorm as LpNorm,
    MSELossExt as MSELossExt, MaskedFill as MaskedFill, MaskedFillScalar as MaskedFillScalar,
    MaskedScatter as MaskedScatter, MaskedSelect as MaskedSelect, MatMul as MatMul, MatMulExt as MatMulExt,
    MatrixBandPart as MatrixBandPart, MatrixDeterminant as MatrixDeterminant, MatrixDiagPartV3 as MatrixDiagPartV3,
    MatrixDiagV3 as MatrixDiagV3, MatrixExp as MatrixExp, MatrixInverse as MatrixInverse,
    MatrixInverseExt as MatrixInverseExt, MatrixPower as MatrixPower, MatrixSetDiagV3 as MatrixSetDiagV3,
    MatrixSolve as MatrixSolve, Max as Max, MaxDim as MaxDim, MaxPool as MaxPool, MaxPool3D as MaxPool3D,
    MaxPoolWithArgmax as MaxPoolWithArgmax, MaxUnpool2D as MaxUnpool2D, MaxUnpool3D as MaxUnpool3D,
    Maximum as Maximum, MeanExt as MeanExt, MedianDim as MedianDim, MedianExt as MedianExt, Meshgrid as Meshgrid,
    Min as Min, MinDim as MinDim, Minimum as Minimum, MirrorPad as MirrorPad, Mish as Mish, MishExt as MishExt,
    Mm as Mm, Mod as Mod, MoveTo as MoveTo, Mul as Mul, MulNoNan as MulNoNan, Muls as Muls,
    MultiMarginLoss as MultiMarginLoss, MultilabelMarginLoss as MultilabelMarginLoss, Multinomial as Multinomial,
    Mv as Mv, NLLLoss as NLLLoss, NMSWithMask as NMSWithMask, NPUAllocFloatStatus as NPUAllocFloatStatus,
    NPUClearFloatStatus as NPUClearFloatStatus, NPUGetFloatStatus as NPUGetFloatStatus, NanToNum as NanToNum,
    NanToNumExt as NanToNumExt, Nansum as Nansum, Narrow as Narrow, NarrowView as NarrowView, Neg as Neg,
    NeighborExchange as NeighborExchange, NewEmpty as NewEmpty, NewFull as NewFull, NewOnes as NewOnes,
    NewZeros as NewZeros, NextAfter as NextAfter, NonZero as NonZero, NonZeroExt as NonZeroExt, Norm as Norm,
    NotEqual as NotEqual, OneHot as OneHot, Ones as Ones, OnesLike as OnesLike, OnesLikeExt as OnesLikeExt,
    Outer as Outer, PReLU as PReLU, Pack as Pack, Pad as Pad, PadV3 as PadV3, Padding as Padding,
    Partial as Partial, Pdist as Pdist, PixelShuffle as PixelShuffle, Polar as Polar, Pow as Pow,
    PowScalarTensor as PowScalarTensor, PowTensorScalar as PowTensorScalar, Print as Print, ProdExt as ProdExt,
    PyFunc as PyFunc, Qr as Qr, RFFT as RFFT, RFFT2 as RFFT2, RFFTN as RFFTN, ROIAlign as ROIAlign,
    RandomChoiceWithMask as RandomChoiceWithMask, RandomShuffle as RandomShuffle, Randperm as Randperm,
    RandpermV2 as RandpermV2, Range as Range, Rank as Rank, ReLU as ReLU, ReLU6 as ReLU6, ReLUV2 as ReLUV2,
    Real as Real, RealDiv as RealDiv, RealView as RealView, Receive as Receive, Reciprocal as Reciprocal,
    Reduce as Reduce, ReduceAll as ReduceAll, ReduceAny as ReduceAny, ReduceMax as ReduceMax,
    ReduceMean as ReduceMean, ReduceMin as ReduceMin, ReduceProd as ReduceProd, ReduceScatter as ReduceScatter,
    ReduceSum as ReduceSum, RemainderScalarTensor as RemainderScalarTensor,
    RemainderTensorScalar as RemainderTensorScalar, RemainderTensorTensor as RemainderTensorTensor,
    Renorm as Renorm, Repeat as Repeat, RepeatInterleaveInt as RepeatInterleaveInt,
    RepeatInterleaveTensor as RepeatInterleaveTensor, Reshape as Reshape, ResizeBilinear as ResizeBilinear,
    ResizeBilinearV2 as ResizeBilinearV2, ResizeNearestNeighbor as ResizeNearestNeighbor,
    ResizeNearestNeighborV2 as ResizeNearestNeighborV2, ReverseSequence as ReverseSequence, ReverseV2 as ReverseV2,
    RightShift as RightShift, Rint as Rint, RmsNorm as RmsNorm, Roll as Roll, Round as Round, Rsqrt as Rsqrt,
    SGD as SGD, STFT as STFT, ScalarAdd as ScalarAdd, ScalarBool as ScalarBool, ScalarCast as ScalarCast,
    ScalarDiv as ScalarDiv, ScalarEq as ScalarEq, ScalarFloorDiv as ScalarFloorDiv, ScalarGe as ScalarGe,
    ScalarGt as ScalarGt, ScalarLe as ScalarLe, ScalarLog as ScalarLog, ScalarLt as ScalarLt,
    ScalarMax as ScalarMax, ScalarMin as ScalarMin, ScalarMod as ScalarMod, ScalarMul as ScalarMul,
    ScalarPow as ScalarPow, ScalarSub as ScalarSub, ScalarSummary as ScalarSummary, ScalarToArray as ScalarToArray,
    ScalarToTensor as ScalarToTensor, ScalarUadd as ScalarUadd, ScalarUsub as ScalarUsub, Scatter as Scatter,
    ScatterAdd as ScatterAdd, ScatterAddExt as ScatterAddExt, ScatterDiv as ScatterDiv,
    ScatterElements as ScatterElements, ScatterMax as ScatterMax, ScatterMin as ScatterMin,
    ScatterMul as ScatterMul, ScatterNd as ScatterNd, ScatterNdAdd as ScatterNdAdd, ScatterNdDiv as ScatterNdDiv,
    ScatterNdMax as ScatterNdMax, ScatterNdMin as ScatterNdMin, ScatterNdMul as ScatterNdMul,
    ScatterNdSub as ScatterNdSub, ScatterNdUpdate as ScatterNdUpdate, ScatterSub as ScatterSub,
    ScatterUpdate as ScatterUpdate, ScatterValue as ScatterValue, SeLU as SeLU, SeLUExt as SeLUExt,
    SearchSorted as SearchSorted, Select as Select, SelectExtView as SelectExtView, SelectV2 as SelectV2,
    Send as Send, SequenceAdd as SequenceAdd, SequenceAddN as SequenceAddN, SequenceCount as SequenceCount,
    SequenceIndex as SequenceIndex, SequenceMax as SequenceMax, SequenceMin as SequenceMin,
    SequenceMul as SequenceMul, SequenceSlice as SequenceSlice, SequenceSliceSetItem as SequenceSliceSetItem,
    SequenceStack as SequenceStack, SequenceUnstack as SequenceUnstack, SequenceZerosLike as SequenceZerosLike,
    Shape as Shape, SiLU as SiLU, Sigmoid as Sigmoid,
    SigmoidCrossEntropyWithLogits as SigmoidCrossEntropyWithLogits, Sign as Sign, Sin as Sin, Sinc as Sinc,
    Sinh as Sinh, Size as Size, Slice as Slice, SliceExt as SliceExt, SmoothL1Loss as SmoothL1Loss,
    SoftMarginLoss as SoftMarginLoss, SoftShrink as SoftShrink, Softmax as Softmax,
    SoftmaxCrossEntropyWithLogits as SoftmaxCrossEntropyWithLogits, Softplus as Softplus,
    SoftplusExt as SoftplusExt, Softsign as Softsign, Sort as Sort, SortExt as SortExt,
    SpaceToBatch as SpaceToBatch, SpaceToBatchND as SpaceToBatchND, SpaceToDepth as SpaceToDepth,
    SparseGatherV2 as SparseGatherV2, SparseSoftmaxCrossEntropyWithLogits as SparseSoftmaxCrossEntropyWithLogits,
    Split as Split, SplitTensor as SplitTensor, SplitTensorView as SplitTensorView, SplitV as SplitV,
    SplitWithSize as SplitWithSize, SplitWithSizeView as SplitWithSizeView, Sqrt as Sqrt, Square as Square,
    Squeeze as Squeeze, Stack as Stack, StackExt as StackExt, StandardLaplace as StandardLaplace,
    StandardNormal as StandardNormal, Std as Std, StdMean as StdMean, StopGradient as StopGradient,
    StridedSlice as StridedSlice, Sub as Sub, SubExt as SubExt, SubScalar as SubScalar, Subs as Subs,
    SumExt as SumExt, Svd as Svd, Swiglu as Swiglu, TExt as TExt, Take as Take, Tan as Tan, Tanh as Tanh,
    TensorAdd as TensorAdd, TensorScatterAdd as TensorScatterAdd, TensorScatterDiv as TensorScatterDiv,
    TensorScatterElements as TensorScatterElements, TensorScatterMax as TensorScatterMax,
    TensorScatterMin as TensorScatterMin, TensorScatterMul as TensorScatterMul,
    TensorScatterSub as TensorScatterSub, TensorScatterUpdate as TensorScatterUpdate, TensorShape as TensorShape,
    TensorSummary as TensorSummary, TensorToList as TensorToList, TensorToScalar as TensorToScalar,
    TensorToTuple as TensorToTuple, Threshold as Threshold, Tile as Tile, TopK as TopK, TopkExt as TopkExt,
    TraceExt as TraceExt, Transpose as Transpose, TransposeExtView as TransposeExtView,
    TransposeView as TransposeView, Tril as Tril, TrilExt as TrilExt, TrilIndices as TrilIndices, Triu as Triu,
    TriuIndices as TriuIndices, Trunc as Trunc, TruncateDiv as TruncateDiv, TruncateMod as TruncateMod,
    TupleToArray as TupleToArray, TupleToTensor as TupleToTensor, TypeAs as TypeAs, UniformInt as UniformInt,
    UniformReal as UniformReal, Unique as Unique, UniqueConsecutive as UniqueConsecutive, Unpack as Unpack,
    UnsortedSegmentMax as UnsortedSegmentMax, UnsortedSegmentMin as UnsortedSegmentMin,
    UnsortedSegmentProd as UnsortedSegmentProd, UnsortedSegmentSum as UnsortedSegmentSum, Unstack as Unstack,
    UnstackExtView as UnstackExtView, Var as Var, VarMean as VarMean, Vdot as Vdot, View as View, ViewAs as ViewAs,
    XLogYScalarOther as XLogYScalarOther, XLogYScalarSelf as XLogYScalarSelf, Xdivy as Xdivy, Xlogy as Xlogy,
    Zeros as Zeros, ZerosLike as ZerosLike, ZerosLikeExt as ZerosLikeExt, Zeta as Zeta,
)
from .primitives.communication import ReduceOp as ReduceOp
from .primitives.custom import Custom as Custom, TensorDump as TensorDump
from .primitives.primitive import (
    Primitive as Primitive, PrimitiveWithCheck as PrimitiveWithCheck, PrimitiveWithInfer as PrimitiveWithInfer,
    prim_attr_register as prim_attr_register, prim_attr_register as _prim_arg_register,
)
from .primitives.rare import (
    ACosGrad as ACosGrad, AbsGrad as AbsGrad, AcoshGrad as AcoshGrad, AdamNoUpdateParam as AdamNoUpdateParam,
    AdaptiveAvgPool2DGrad as AdaptiveAvgPool2DGrad, AdaptiveAvgPool3DGrad as AdaptiveAvgPool3DGrad,
    AdaptiveMaxPool2DGrad as AdaptiveMaxPool2DGrad, AdaptiveMaxPool3D as AdaptiveMaxPool3D,
    AdaptiveMaxPool3DGrad as AdaptiveMaxPool3DGrad, AddV2 as AddV2, AdjustContrastv2 as AdjustContrastv2,
    AdjustHue as AdjustHue, AdjustSaturation as AdjustSaturation, AffineGridGrad as AffineGridGrad,
    ApplyAdagradDA as ApplyAdagradDA, ApplyAdamWithAmsgrad as ApplyAdamWithAmsgrad,
    ApplyAdamWithAmsgradV2 as ApplyAdamWithAmsgradV2, ApplyAddSign as ApplyAddSign,
    ApplyCenteredRMSProp as ApplyCenteredRMSProp, ApplyKerasMomentum as ApplyKerasMomentum,
    ApplyPowerSign as ApplyPowerSign, ApplyProximalAdagrad as ApplyProximalAdagrad,
    ApplyProximalGradientDescent as ApplyProximalGradientDescent, AsinGrad as AsinGrad, AsinhGrad as AsinhGrad,
    Assert as Assert, AtanGrad as AtanGrad, AvgPool3DGrad as AvgPool3DGrad, AvgPoolGrad as AvgPoolGrad,
    BartlettWindow as BartlettWindow, BatchNormGrad as BatchNormGrad, BiasAddGrad as BiasAddGrad,
    BinaryCrossEntropyGrad as BinaryCrossEntropyGrad, Bincount as Bincount, BlackmanWindow as BlackmanWindow,
    CSRSparseMatrixToDense as CSRSparseMatrixToDense,
    CSRSparseMatrixToSparseTensor as CSRSparseMatrixToSparseTensor, CTCGreedyDecoder as CTCGreedyDecoder,
    CTCLossV2 as CTCLossV2, Cauchy as Cauchy, CheckNumerics as CheckNumerics, CholeskyGrad as CholeskyGrad,
    ClipByNorm as ClipByNorm, Coalesce as Coalesce, Col2Im as Col2Im, CompareAndBitpack as CompareAndBitpack,
    ComplexAbs as ComplexAbs, ComputeAccidentalHits as ComputeAccidentalHits, ConfusionMatrix as ConfusionMatrix,
    ConjugateTranspose as ConjugateTranspose, Conv2DBackpropFilter as Conv2DBackpropFilter,
    Conv3DBackpropFilter as Conv3DBackpropFilter, Conv3DTranspose as Conv3DTranspose,
    DataFormatDimMap as DataFormatDimMap, DataFormatVecPermute as DataFormatVecPermute,
    DenseToCSRSparseMatrix as DenseToCSRSparseMatrix, Dilation2D as Dilation2D, DropoutGrad as DropoutGrad,
    EditDistance as EditDistance, EluGrad as EluGrad, EqualCount as EqualCount, EuclideanNorm as EuclideanNorm,
    ExtractImagePatches as ExtractImagePatches, ExtractVolumePatches as ExtractVolumePatches,
    FastGeLUGrad as FastGeLUGrad, FlattenGrad as FlattenGrad,
    FractionalMaxPool3DGradWithFixedKsize as FractionalMaxPool3DGradWithFixedKsize,
    FractionalMaxPool3DWithFixedKsize as FractionalMaxPool3DWithFixedKsize,
    FractionalMaxPoolGradWithFixedKsize as FractionalMaxPoolGradWithFixedKsize,
    FractionalMaxPoolWithFixedKsize as FractionalMaxPoolWithFixedKsize, FusedSparseAdam as FusedSparseAdam,
    FusedSparseFtrl as FusedSparseFtrl, FusedSparseLazyAdam as FusedSparseLazyAdam,
    FusedSparseProximalAdagrad as FusedSparseProximalAdagrad, Gamma as Gamma, GatherDGradV2 as GatherDGradV2,
    GeLUGrad as GeLUGrad, Geqrf as Geqrf, GluGrad as GluGrad, GridSampler2DGrad as GridSampler2DGrad,
    GridSampler3DGrad as GridSampler3DGrad, HSVToRGB as HSVToRGB, HShrinkGrad as HShrinkGrad,
    HSigmoidGrad as HSigmoidGrad, HSwishGrad as HSwishGrad, HammingWindow as HammingWindow, Histogram as Histogram,
    HistogramFixedWidth as HistogramFixedWidth, IdentityN as IdentityN, IndexPut as IndexPut,
    InplaceUpdateV2 as InplaceUpdateV2, InstanceNorm as InstanceNorm, InvGrad as InvGrad,
    KLDivLossGrad as KLDivLossGrad, L2NormalizeGrad as L2NormalizeGrad, LARSUpdate as LARSUpdate,
    LRNGrad as LRNGrad, LayerNormGrad as LayerNormGrad, LerpScalar as LerpScalar, ListDiff as ListDiff,
    LogNormalReverse as LogNormalReverse, LogSoftmaxGrad as LogSoftmaxGrad,
    LogUniformCandidateSampler as LogUniformCandidateSampler, LogitGrad as LogitGrad, LowerBound as LowerBound,
    Lstsq as Lstsq, LuSolve as LuSolve, LuUnpack as LuUnpack, MapUniform as MapUniform,
    MaskedSelectGrad as MaskedSelectGrad, MatrixLogarithm as MatrixLogarithm, MatrixSolveLs as MatrixSolveLs,
    MatrixTriangularSolve as MatrixTriangularSolve, MaxPool3DGrad as MaxPool3DGrad,
    MaxPool3DGradWithArgmax as MaxPool3DGradWithArgmax, MaxPool3DWithArgmax as MaxPool3DWithArgmax,
    MaxPoolGrad as MaxPoolGrad, MaxPoolGradGrad as MaxPoolGradGrad, MaxPoolGradV1 as MaxPoolGradV1,
    MaxPoolGradWithArgmax as MaxPoolGradWithArgmax, MaxPoolGradWithArgmaxV2 as MaxPoolGradWithArgmaxV2,
    MaxPoolWithArgmaxV2 as MaxPoolWithArgmaxV2, MaxUnpool2DGrad as MaxUnpool2DGrad,
    MaxUnpool3DGrad as MaxUnpool3DGrad, MaximumGrad as MaximumGrad, MaximumGradGrad as MaximumGradGrad,
    Median as Median, MinimumGrad as MinimumGrad, MinimumGradGrad as MinimumGradGrad,
    MirrorPadGrad as MirrorPadGrad, MultiMarginLossGrad as MultiMarginLossGrad,
    MultilabelMarginLossGrad as MultilabelMarginLossGrad, MultinomialWithReplacement as MultinomialWithReplacement,
    Mvlgamma as Mvlgamma, MvlgammaGrad as MvlgammaGrad, NLLLossGrad as NLLLossGrad, NoRepeatNGram as NoRepeatNGram,
    NonDeterministicInts as NonDeterministicInts, NonMaxSuppressionV3 as NonMaxSuppressionV3,
    NonMaxSuppressionWithOverlaps as NonMaxSuppressionWithOverlaps, NthElement as NthElement,
    NuclearNorm as NuclearNorm, Orgqr as Orgqr, Ormqr as Ormqr, PReLUGrad as PReLUGrad,
    ParallelConcat as ParallelConcat, ParameterizedTruncatedNormal as ParameterizedTruncatedNormal,
    PdistGrad as PdistGrad, Poisson as Poisson, Polygamma as Polygamma, PopulationCount as PopulationCount,
    Quantile as Quantile, RGBToHSV as RGBToHSV, RaggedRange as RaggedRange, RandomCategorical as RandomCategorical,
    RandomGamma as RandomGamma, RandomPoisson as RandomPoisson, ReLU6Grad as ReLU6Grad, ReLUV3 as ReLUV3,
    ReciprocalGrad as ReciprocalGrad, ReduceStd as ReduceStd, ReluGrad as ReluGrad, ResizeArea as ResizeArea,
    ResizeBicubic as ResizeBicubic, ResizeBilinearGrad as ResizeBilinearGrad, ResizeLinear1D as ResizeLinear1D,
    ResizeNearestNeighborGrad as ResizeNearestNeighborGrad, RmsNormGrad as RmsNormGrad, RsqrtGrad as RsqrtGrad,
    ScatterAddWithAxis as ScatterAddWithAxis, SegmentMax as SegmentMax, SegmentMean as SegmentMean,
    SegmentMin as SegmentMin, SegmentProd as SegmentProd, SegmentSum as SegmentSum,
    SelfAdjointEig as SelfAdjointEig, SeluGrad as SeluGrad, SequenceMask as SequenceMask, SetSize as SetSize,
    SiLUGrad as SiLUGrad, SigmoidCrossEntropyWithLogitsGrad as SigmoidCrossEntropyWithLogitsGrad,
    SigmoidGrad as SigmoidGrad, SliceGrad as SliceGrad, SmoothL1LossGrad as SmoothL1LossGrad,
    SoftMarginLossGrad as SoftMarginLossGrad, SoftShrinkGrad as SoftShrinkGrad, SoftmaxGrad as SoftmaxGrad,
    SoftplusGrad as SoftplusGrad, SparseAdd as SparseAdd, SparseAddmm as SparseAddmm,
    SparseApplyAdadelta as SparseApplyAdadelta, SparseApplyAdagrad as SparseApplyAdagrad,
    SparseApplyAdagradV2 as SparseApplyAdagradV2, SparseApplyFtrl as SparseApplyFtrl,
    SparseApplyFtrlV2 as SparseApplyFtrlV2, SparseApplyProximalAdagrad as SparseApplyProximalAdagrad,
    SparseApplyRMSProp as SparseApplyRMSProp, SparseConcat as SparseConcat,
    SparseDenseCwiseAdd as SparseDenseCwiseAdd, SparseDenseCwiseDiv as SparseDenseCwiseDiv,
    SparseDenseCwiseMul as SparseDenseCwiseMul, SparseFillEmptyRows as SparseFillEmptyRows,
    SparseMatrixAdd as SparseMatrixAdd, SparseMatrixMatMul as SparseMatrixMatMul,
    SparseMatrixNNZ as SparseMatrixNNZ, SparseMatrixSoftmax as SparseMatrixSoftmax,
    SparseMatrixSparseMatMul as SparseMatrixSparseMatMul, SparseMatrixTranspose as SparseMatrixTranspose,
    SparseReorder as SparseReorder, SparseReshape as SparseReshape, SparseSegmentMean as SparseSegmentMean,
    SparseSegmentMeanWithNumSegments as SparseSegmentMeanWithNumSegments, SparseSegmentSqrtN as SparseSegmentSqrtN,
    SparseSegmentSqrtNWithNumSegments as SparseSegmentSqrtNWithNumSegments, SparseSegmentSum as SparseSegmentSum,
    SparseSegmentSumWithNumSegments as SparseSegmentSumWithNumSegments, SparseSlice as SparseSlice,
    SparseSoftmax as SparseSoftmax, SparseSparseMaximum as SparseSparseMaximum,
    SparseSparseMinimum as SparseSparseMinimum, SparseSplit as SparseSplit,
    SparseTensorDenseAdd as SparseTensorDenseAdd, SparseTensorDenseMatmul as SparseTensorDenseMatmul,
    SparseTensorToCSRSparseMatrix as SparseTensorToCSRSparseMatrix, SparseToDense as SparseToDense,
    SparseToDenseV2 as SparseToDenseV2, SqrtGrad as SqrtGrad, SquareSumAll as SquareSumAll,
    SquaredDifference as SquaredDifference, Sspaddmm as Sspaddmm, StridedSliceGrad as StridedSliceGrad,
    SubAndFilter as SubAndFilter, TanhGrad as TanhGrad, Trace as Trace, TraceGrad as TraceGrad,
    TridiagonalMatMul as TridiagonalMatMul, TridiagonalSolve as TridiagonalSolve,
    TripletMarginLoss as TripletMarginLoss, TruncatedNormal as TruncatedNormal,
    UniformCandidateSampler as UniformCandidateSampler, UniqueGrad as UniqueGrad, UniqueWithPad as UniqueWithPad,
    UnravelIndex as UnravelIndex, UpperBound as UpperBound, UpsampleNearest3D as UpsampleNearest3D,
    UpsampleTrilinear3D as UpsampleTrilinear3D,
)
eq = _eq
movedim = _movedim
clip = _clip
tensor_range = _tensor_range
absolute = _absolute
matrix_determinant = _matrix_determinant
log_matrix_determinant = _log_matrix_determinant
divide = _divide
multiply = _multiply
tensor_mul = _tensor_mul
subtract = _subtract
tensor_sub = _tensor_sub
accumulate_n = _accumulate_n
soft_shrink = _soft_shrink
upsample = _upsample
prim_arg_register = _prim_arg_register

reshape_: Primitive
shape_: Primitive
tensor_slice: Primitive

def add(input: Operand, other: Operand) -> Tensor:
    """Sum of two tensors, or of a tensor and a number, elementwise with broadcasting."""

def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Operand = 1) -> Tensor:
    """`input + value * tensor1 / tensor2`, with broadcasting."""

def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Operand = 1) -> Tensor:
    """`input + value * tensor1 * tensor2`, with broadcasting."""

def angle(input: Tensor) -> Tensor:
    """The angles of complex numbers, in radians; of real ones 0 or pi."""

def arcsin(x: Tensor) -> Tensor:
    """Inverse sine of each element."""

def assign_add(variable: Parameter, value: Any) -> Tensor:
    """Add to a Parameter in place; arguments, result and errors as for `assign`."""

def assign_sub(variable: Parameter, value: Any) -> Tensor:
    """Subtract from a Parameter in place; arguments, result and errors as for `assign`."""

def atleast_1d(inputs: Any) -> Any:
    """Each tensor with at least 1 dimensions, new ones of size one put in where missing."""

def atleast_2d(inputs: Any) -> Any:
    """Each tensor with at least 2 dimensions, new ones of size one put in where missing."""

def atleast_3d(inputs: Any) -> Any:
    """Each tensor with at least 3 dimensions, new ones of size one put in where missing."""

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
    """The covariances of variables, the rows, whose observations are the columns."""

def deg2rad(x: Tensor) -> Tensor:
    """Degrees in radians."""

def digamma(input: Tensor) -> Tensor:
    """The derivative of `lgamma` at each element."""

def dist(input: Tensor, other: Tensor, p: float = 2.0) -> Tensor:
    """The p-norm of the difference of two tensors."""

def fast_gelu(x: Tensor) -> Tensor:
    """x / (1 + exp(-1.702 |x|)) * exp(0.851 (x - |x|)), an estimate of gelu."""

def fft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The discrete Fourier transform along an axis."""

def fft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The discrete Fourier transform over several axes."""

def fftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """The discrete Fourier transform over several axes."""

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
    """The inputs where the target is 1, max(0, margin - input) where it is -1."""

def huber_loss(input: Tensor, target: Tensor, reduction: str = 'mean', delta: float = 1.0) -> Tensor:
    """d² / 2 for differences d nearer to 0 than `delta`, delta * (|d| - delta / 2) for the others."""

def hypot(input: Tensor, other: Tensor) -> Tensor:
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
    """One over each element."""

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

def softsign(x: Tensor) -> Tensor:
    """x / (1 + |x|)."""

def sqrt(x: Tensor) -> Tensor:
    """Square root of each element; nan where an element is negative."""

def std(input: Tensor, axis: Axis | None = None, ddof: Any = 0, keepdims: bool = False) -> Tensor:
    """Standard deviation over axes, the square root of `var`; arguments as there."""

def std_mean(input: Tensor, axis: Axis | None = None, ddof: Any = 0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Standard deviation and mean over axes; arguments as for `var`."""

def tanhshrink(input: Tensor) -> Tensor:
    """x - tanh(x)."""

def tensor_add(input: Operand, other: Operand) -> Tensor:
    """Sum of two tensors, or of a tensor and a number, elementwise with broadcasting."""

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
