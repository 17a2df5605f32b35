# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from mycel.frontend.transforms.grad import grad, value_and_grad
from mycel.frontend.transforms.grad_operation import GradOperation, get_grad
from mycel.frontend.transforms.jacobian import jacfwd, jacrev
from mycel.frontend.transforms.linearized import linearize
from mycel.frontend.transforms.products import jvp, vjp
from mycel.frontend.transforms.taylor import derivative, jet
from mycel.frontend.transforms.vmap import vmap
from mycel.frontend.values.logic import equal as eq, maximum, minimum, stack, where
from mycel.frontend.values.tensor import Tensor
from mycel.library.functions import composite
from mycel.library.functions.array_broadcast import broadcast_tensors, expand_as
from mycel.library.functions.array_gather import gather, index_select
from mycel.library.functions.array_join import (
    block_diag, cartesian_prod, cat, column_stack, combinations, concat, repeat_elements, repeat_interleave,
    row_stack, vstack,
)
from mycel.library.functions.array_matrix import diag_embed, matrix_diag, matrix_diag_part, matrix_set_diag
from mycel.library.functions.array_pad import (
    batch_to_space_nd, depth_to_space, mirror_pad, pad, padding, space_to_batch_nd, space_to_depth,
)
from mycel.library.functions.array_rows import index_add, inplace_add, inplace_index_add, inplace_sub
from mycel.library.functions.array_scatter import scatter, tensor_scatter_elements
from mycel.library.functions.array_segments import sequence_mask
from mycel.library.functions.array_shape import permute, squeeze
from mycel.library.functions.array_slice import strided_slice
from mycel.library.functions.array_sort import argsort, bucketize, intopk, sort
from mycel.library.functions.array_split import chunk
from mycel.library.functions.attention import flash_attention_score
from mycel.library.functions.comparison import clip_by_value, is_nonzero, is_tensor
from mycel.library.functions.complex_parts import view_as_real
from mycel.library.functions.composite import (
    ForiLoop, HyperMap, Map, Scan, WhileLoop, clip_by_global_norm, clip_by_norm, depend, partial, tail,
)
from mycel.library.functions.creation import meshgrid, one_hot
from mycel.library.functions.creation_matrix import tril_indices, triu_indices
from mycel.library.functions.creation_ranges import arange, linspace, logspace, make_range
from mycel.library.functions.cumulative import cumsum
from mycel.library.functions.extremes import argmax, argmin, max, min, reduce_max, reduce_min
from mycel.library.functions.fourier import fftfreq, rfftfreq
from mycel.library.functions.linalg import dot, multi_dot, tensor_dot, vander, vecdot
from mycel.library.functions.linalg_norm import cond, matrix_norm, vector_norm
from mycel.library.functions.linalg_solve import eig, eigh, matrix_solve, solve
from mycel.library.functions.math import tensor_div
from mycel.library.functions.multitype import in_, logical_and, logical_not, logical_or, not_in_, setitem
from mycel.library.functions.nn_activation import celu, elu, hardtanh, leaky_relu, tanhshrink, threshold
from mycel.library.functions.nn_conv import bias_add, bidense, conv3d_transpose
from mycel.library.functions.nn_detection import (
    bounding_box_decode, bounding_box_encode, iou, nms_with_mask, roi_align,
)
from mycel.library.functions.nn_dropout import alpha_dropout, dropout1d, dropout2d, dropout3d, gumbel_softmax, rrelu
from mycel.library.functions.nn_image import channel_shuffle, pixel_unshuffle
from mycel.library.functions.nn_loss_margin import ctc_loss
from mycel.library.functions.nn_norm import batch_norm, instance_norm, rms_norm
from mycel.library.functions.nn_pool import avg_pool1d, max_pool3d, max_unpool1d, max_unpool3d
from mycel.library.functions.nn_pool_adaptive import adaptive_max_pool3d
from mycel.library.functions.nn_sampling import affine_grid, crop_and_resize
from mycel.library.functions.nn_softmax import glu, softmax, softmin
from mycel.library.functions.overloads import MultitypeFuncGraph
from mycel.library.functions.program import (
    HookBackward, InsertGradientOf, add_flags, core, mixed_precision_cast, print_, tuple_len, typeof,
)
from mycel.library.functions.random import manual_seed, randperm
from mycel.library.functions.reduce import (
    all, any, count_nonzero, reduce_all, reduce_any, reduce_mean, reduce_prod, reduce_sum,
)
from mycel.library.functions.representation import deepcopy, population_count
from mycel.library.functions.special import polygamma
from mycel.library.functions.statistics import median
from mycel.library.functions.windows import (
    bartlett_window, blackman_window, hamming_window, hann_window, kaiser_window,
)
from mycel.library.ops import (
    abs, absolute, accumulate_n, acos, acosh, adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d,
    adaptive_max_pool1d, adaptive_max_pool2d, addbmm, addcdiv, addcmul, addmm, addmv, addn, addr, adjoint, amax,
    amin, aminmax, angle, approximate_equal, arccos, arccosh, arcsin, arcsinh, arctan, arctan2, arctanh, argwhere,
    asin, asinh, assign, assign_add, assign_sub, atan, atan2, atanh, atleast_1d, atleast_2d, atleast_3d, avg_pool2d,
    avg_pool3d, baddbmm, batch_dot, bernoulli, bessel_i0, bessel_i0e, bessel_i1, bessel_i1e, bessel_j0, bessel_j1,
    bessel_k0, bessel_k0e, bessel_k1, bessel_k1e, bessel_y0, bessel_y1, betainc, binary_cross_entropy,
    binary_cross_entropy_with_logits, bincount, bitwise_left_shift, bitwise_right_shift, bmm, broadcast_to, cast,
    cdist, ceil, check_valid, choice_with_mask, cholesky, cholesky_inverse, cholesky_solve, clamp, clip, col2im,
    conj, constexpr, conv1d, conv2d, conv3d, conv_transpose2d, copysign, cos, cosh, cosine_embedding_loss,
    cosine_similarity, cov, cross, cross_entropy, cummax, cummin, cumprod, deg2rad, dense, det, diag, diagflat,
    diagonal, diagonal_scatter, diff, digamma, dist, divide, dropout, dsplit, dstack, dtype, dyn_shape, eigvals,
    einsum, embedding, eps, erf, erfc, erfinv, exp, exp2, expand, expand_dims, expm1, eye, fast_gelu, fft, fft2,
    fftn, fftshift, fill, fill_diagonal, fills, flatten, flip, fliplr, flipud, float_power, floor, floor_div,
    floor_divide, floor_mod, floormod, fmax, fmin, fmod, fold, frac, fractional_max_pool2d, fractional_max_pool3d,
    full, full_like, gamma, gammaln, gather_d, gather_elements, gather_nd, gaussian_nll_loss, gcd, ge, gelu, geqrf,
    ger, grid_sample, group_norm, gt, hardshrink, hardsigmoid, hardswish, heaviside, hfft, hfft2, hfftn,
    hinge_embedding_loss, histc, hsplit, hstack, huber_loss, hypot, i0, identity, ifft, ifft2, ifftn, ifftshift,
    igamma, igammac, ihfft, ihfft2, ihfftn, imag, index_fill, inner, inplace_update, interpolate, inv, inverse,
    irfft, irfft2, irfftn, is_complex, is_floating_point, isclose, isfinite, isinf, isnan, isneginf, isposinf,
    isreal, kl_div, kron, kthvalue, l1_loss, l2_normalize, laplace, layer_norm, lcm, ldexp, le, lerp, lgamma, log,
    log10, log1p, log2, log_matrix_determinant, log_normal, log_softmax, logaddexp, logaddexp2, logcumsumexp,
    logdet, logical_xor, logit, logsigmoid, logsumexp, lp_pool1d, lp_pool2d, lrn, lstsq, lt, lu_solve,
    margin_ranking_loss, masked_fill, masked_scatter, masked_select, matmul, matrix_band_part, matrix_determinant,
    matrix_exp, matrix_power, max_pool1d, max_pool2d, max_unpool2d, mean, mish, mm, moveaxis, movedim, mse_loss,
    msort, multi_margin_loss, multilabel_margin_loss, multilabel_soft_margin_loss, multinomial,
    multinomial_with_replacement, multiply, mv, mvlgamma, nan_to_num, nanmean, nanmedian, nanquantile, nansum,
    narrow, ne, neg, nextafter, nll_loss, nonzero, norm, normal, normalize, numel, ones, ones_like, orgqr, ormqr,
    outer, pdist, pinv, pixel_shuffle, poisson, polar, positive, pow, pows, prelu, prod, ptp, qr, quantile, rad2deg,
    rand, rand_like, randint, randint_like, randn, randn_like, random_categorical, random_gamma, random_poisson,
    range, rank, ravel, real, reciprocal, relu, relu6, remainder, renorm, reshape, reverse, reverse_sequence, rfft,
    rfft2, rfftn, roll, rot90, round, rsqrt, scalar_cast, scalar_to_array, scalar_to_tensor, scatter_add,
    scatter_div, scatter_max, scatter_min, scatter_mul, scatter_nd, scatter_nd_add, scatter_nd_div, scatter_nd_max,
    scatter_nd_min, scatter_nd_mul, scatter_nd_sub, scatter_nd_update, scatter_sub, scatter_update, searchsorted,
    select, select_scatter, selu, sgn, shape, shuffle, sigmoid, sign, signbit, silu, sin, sinc, sinh, size, slice,
    slice_scatter, slogdet, smooth_l1_loss, soft_margin_loss, soft_shrink, softmax_cross_entropy_with_logits,
    softplus, softshrink, softsign, split, sqrt, square, standard_laplace, standard_normal, std, std_mean,
    stop_gradient, subtract, sum, svd, swapaxes, swapdims, swiglu, t, take, tan, tanh, tensor_add, tensor_exp,
    tensor_expm1, tensor_floordiv, tensor_ge, tensor_gt, tensor_le, tensor_lt, tensor_mod, tensor_mul, tensor_pow,
    tensor_range, tensor_scatter_add, tensor_scatter_div, tensor_scatter_max, tensor_scatter_min,
    tensor_scatter_mul, tensor_scatter_sub, tensor_scatter_update, tensor_split, tensor_sub, tile, top_k, topk,
    trace, transpose, trapz, tril, triplet_margin_loss, triu, true_divide, trunc, truncate_div, truncate_mod,
    tuple_to_array, type_as, unbind, unfold, uniform, unique, unique_consecutive, unique_with_pad,
    unsorted_segment_max, unsorted_segment_min, unsorted_segment_prod, unsorted_segment_sum, unsqueeze, unstack,
    upsample, var, var_mean, view_as, vsplit, xdivy, xlogy, zeros, zeros_like, zeta,
)
from mycel.library.ops.called import (
    ctc_greedy_decoder, log_uniform_candidate_sampler, lu_unpack, sparse_segment_mean, uniform_candidate_sampler,
)
from mycel.library.ops.primitives import (
    ACos, Abs, AccumulateNV2, AcosExt, Acosh, AcoshExt, Adam, AdamWeightDecay, AdaptiveAvgPool2D, AdaptiveAvgPool3D,
    AdaptiveMaxPool2D, Add, AddExt, AddN, AddScalar, Addbmm, Addcdiv, AddcdivExt, Addcmul, AddcmulExt, Addmm, Addmv,
    AffineGrid, AllGather, AllReduce, AlltoAll, Angle, AnyExt, ApplyAdaMax, ApplyAdadelta, ApplyAdagrad,
    ApplyAdagradV2, ApplyFtrl, ApplyGradientDescent, ApplyMomentum, ApplyRMSProp, ApproximateEqual, Arange, ArgMax,
    ArgMaxExt, ArgMaxWithValue, ArgMinExt, ArgMinWithValue, ArgSort, Argmax, Argmin, Asin, AsinExt, Asinh, AsinhExt,
    Assign, AssignAdd, AssignSub, Atan, Atan2, Atan2Ext, AtanExt, Atanh, AvgPool, AvgPool3D, BCEWithLogitsLoss,
    Baddbmm, Barrier, BatchDot, BatchMatMul, BatchMatMulExt, BatchNorm, BatchToSpace, BatchToSpaceND, Bernoulli,
    BesselI0, BesselI0e, BesselI1, BesselI1e, BesselJ0, BesselJ1, BesselK0, BesselK0e, BesselK1, BesselK1e,
    BesselY0, BesselY1, Betainc, BiasAdd, BinaryCrossEntropy, BincountExt, BitwiseAnd, BitwiseAndScalar,
    BitwiseAndTensor, BitwiseNot, BitwiseOr, BitwiseOrScalar, BitwiseOrTensor, BitwiseXor, BitwiseXorScalar,
    BitwiseXorTensor, BoundingBoxDecode, BoundingBoxEncode, Broadcast, BroadcastTo, BroadcastToView, Bucketize,
    CTCLoss, Cast, Cdist, CeLU, Ceil, ChannelShuffle, CheckValid, Cholesky, CholeskyInverse, CholeskySolve, Chunk,
    ChunkView, ClampScalar, ClampTensor, Clone, CollectiveGather, CollectiveScatter, Complex, Concat, Conj,
    Contiguous, Conv2D, Conv2DBackpropInput, Conv2DTranspose, Conv3D, Copy, Cos, Cosh, CosineEmbeddingLoss,
    CountNonZero, CropAndResize, Cross, CumProd, CumSum, Cummax, Cummin, CumminExt, CumsumExt, CumulativeLogsumexp,
    DType, Dense, Depend, DepthToSpace, Diag, DiagExt, DiagPart, Diagonal, DiagonalView, Digamma, Div, DivMod,
    DivMods, DivNoNan, Divs, Dot, Dropout, Dropout2D, Dropout3D, DropoutDoMask, DropoutGenMask, DynamicGRUV2,
    DynamicRNN, DynamicShape, Eig, Einsum, EinsumExt, Elu, EluExt, EmbeddingLookup, Eps, EqScalar, Equal, EqualExt,
    Erf, Erfc, Erfinv, Exp, Exp2, Expand, ExpandAs, ExpandDims, ExpandDimsView, Expm1, Eye, FFT, FFT2, FFTN,
    FFTShift, FFTWithSize, FastGeLU, FastGelu, Fill, FillDiagonal, FillV2, Fills, FlashAttentionScore, Flatten,
    FlattenExt, FloatStatus, Floor, FloorDiv, FloorDivScalar, FloorMod, Fmax, Fmin, FmodScalar, FmodTensor, Frac,
    FullLike, FusedCastAdamWeightDecay, FusedWeightScaleApplyMomentum, GLU, Gather, GatherD, GatherNd, GatherNdExt,
    GatherV2, Gcd, GeLU, Gelu, GeluExt, Ger, Greater, GreaterEqual, GreaterEqualScalar, GridSampler2D,
    GridSampler3D, GroupNorm, HFFT, HFFT2, HFFTN, HShrink, HSigmoid, HSwish, Hardtanh, Heaviside, HistcExt,
    HistogramSummary, Hypot, IFFT, IFFT2, IFFTN, IFFTShift, IHFFT, IHFFT2, IHFFTN, IOU, IRFFT, IRFFT2, IRFFTN,
    Identity, Igamma, Igammac, Im2Col, Imag, ImagView, ImageSummary, InSequence, InTopK, IndexAdd, IndexAddExt,
    IndexFill, IndexSelect, Inner, InplaceAdd, InplaceAddExt, InplaceAddmm, InplaceAddsExt, InplaceClampScalar,
    InplaceClampTensor, InplaceCopy, InplaceDiv, InplaceDivMod, InplaceDivMods, InplaceDivs, InplaceErfinv,
    InplaceExp, InplaceFillDiagonal, InplaceFillScalar, InplaceFillTensor, InplaceFloor, InplaceFloorDivide,
    InplaceFloorDivides, InplaceIndexAdd, InplaceIndexAddExt, InplaceIndexFillScalar, InplaceIndexFillTensor,
    InplaceIndexPut, InplaceLog, InplaceMaskedFillScalar, InplaceMaskedFillTensor, InplaceMul, InplaceMuls,
    InplaceRemainderTensorScalar, InplaceRemainderTensorTensor, InplaceScatterAdd, InplaceScatterSrc,
    InplaceScatterSrcReduce, InplaceScatterValue, InplaceScatterValueReduce, InplaceSigmoid, InplaceSub,
    InplaceSubExt, InplaceSubScalar, InplaceTanh, InplaceUpdate, InplaceZero, Inv, Invert, InvertPermutation,
    IsClose, IsComplex, IsFinite, IsInf, IsNan, IsNegInf, KLDivLoss, Kron, Kthvalue, L1LossExt, L2Loss, L2Normalize,
    LRN, LSTM, LayerNorm, LayerNormExt, Lcm, LeakyReLUExt, LeftShift, Lerp, Less, LessEqual, LessScalar, Lgamma,
    LinSpace, LinSpaceExt, ListAppend, ListInsert, ListToTensor, Log, Log10, Log1p, Log2, LogAddExp, LogAddExp2,
    LogMatrixDeterminant, LogSigmoid, LogSoftmax, LogSoftmaxExt, LogSpace, LogSumExp, LogicalAnd, LogicalNot,
    LogicalOr, LogicalXor, Logit, LpNorm, MSELossExt, MaskedFill, MaskedFillScalar, MaskedScatter, MaskedSelect,
    MatMul, MatMulExt, MatrixBandPart, MatrixDeterminant, MatrixDiagPartV3, MatrixDiagV3, MatrixExp, MatrixInverse,
    MatrixInverseExt, MatrixPower, MatrixSetDiagV3, MatrixSolve, Max, MaxDim, MaxPool, MaxPool3D, MaxPoolWithArgmax,
    MaxUnpool2D, MaxUnpool3D, Maximum, MeanExt, MedianDim, MedianExt, Meshgrid, Min, MinDim, Minimum, MirrorPad,
    Mish, MishExt, Mm, Mod, MoveTo, Mul, MulNoNan, Muls, MultiMarginLoss, MultilabelMarginLoss, Multinomial, Mv,
    NLLLoss, NMSWithMask, NPUAllocFloatStatus, NPUClearFloatStatus, NPUGetFloatStatus, NanToNum, NanToNumExt,
    Nansum, Narrow, NarrowView, Neg, NeighborExchange, NewEmpty, NewFull, NewOnes, NewZeros, NextAfter, NonZero,
    NonZeroExt, Norm, NotEqual, OneHot, Ones, OnesLike, OnesLikeExt, Outer, PReLU, Pack, Pad, PadV3, Padding,
    Partial, Pdist, PixelShuffle, Polar, Pow, PowScalarTensor, PowTensorScalar, Print, ProdExt, PyFunc, Qr, RFFT,
    RFFT2, RFFTN, ROIAlign, RandomChoiceWithMask, RandomShuffle, Randperm, RandpermV2, Range, Rank, ReLU, ReLU6,
    ReLUV2, Real, RealDiv, RealView, Receive, Reciprocal, Reduce, ReduceAll, ReduceAny, ReduceMax, ReduceMean,
    ReduceMin, ReduceProd, ReduceScatter, ReduceSum, RemainderScalarTensor, RemainderTensorScalar,
    RemainderTensorTensor, Renorm, Repeat, RepeatInterleaveInt, RepeatInterleaveTensor, Reshape, ResizeBilinear,
    ResizeBilinearV2, ResizeNearestNeighbor, ResizeNearestNeighborV2, ReverseSequence, ReverseV2, RightShift, Rint,
    RmsNorm, Roll, Round, Rsqrt, SGD, ScalarAdd, ScalarBool, ScalarCast, ScalarDiv, ScalarEq, ScalarFloorDiv,
    ScalarGe, ScalarGt, ScalarLe, ScalarLog, ScalarLt, ScalarMax, ScalarMin, ScalarMod, ScalarMul, ScalarPow,
    ScalarSub, ScalarSummary, ScalarToArray, ScalarToTensor, ScalarUadd, ScalarUsub, Scatter, ScatterAdd,
    ScatterAddExt, ScatterDiv, ScatterElements, ScatterMax, ScatterMin, ScatterMul, ScatterNd, ScatterNdAdd,
    ScatterNdDiv, ScatterNdMax, ScatterNdMin, ScatterNdMul, ScatterNdSub, ScatterNdUpdate, ScatterSub,
    ScatterUpdate, ScatterValue, SeLU, SeLUExt, SearchSorted, Select, SelectExtView, SelectV2, Send, SequenceAdd,
    SequenceAddN, SequenceCount, SequenceIndex, SequenceMax, SequenceMin, SequenceMul, SequenceSlice,
    SequenceSliceSetItem, SequenceStack, SequenceUnstack, SequenceZerosLike, Shape, SiLU, Sigmoid,
    SigmoidCrossEntropyWithLogits, Sign, Sin, Sinc, Sinh, Size, Slice, SliceExt, SmoothL1Loss, SoftMarginLoss,
    SoftShrink, Softmax, SoftmaxCrossEntropyWithLogits, Softplus, SoftplusExt, Softsign, Sort, SortExt,
    SpaceToBatch, SpaceToBatchND, SpaceToDepth, SparseGatherV2, SparseSoftmaxCrossEntropyWithLogits, Split,
    SplitTensor, SplitTensorView, SplitV, SplitWithSize, SplitWithSizeView, Sqrt, Square, Squeeze, Stack, StackExt,
    StandardLaplace, StandardNormal, Std, StdMean, StopGradient, StridedSlice, Sub, SubExt, SubScalar, Subs, SumExt,
    Svd, Swiglu, TExt, Take, Tan, Tanh, TensorAdd, TensorScatterAdd, TensorScatterDiv, TensorScatterElements,
    TensorScatterMax, TensorScatterMin, TensorScatterMul, TensorScatterSub, TensorScatterUpdate, TensorShape,
    TensorSummary, TensorToList, TensorToScalar, TensorToTuple, Threshold, Tile, TopK, TopkExt, TraceExt, Transpose,
    TransposeExtView, TransposeView, Tril, TrilExt, TrilIndices, Triu, TriuIndices, Trunc, TruncateDiv, TruncateMod,
    TupleToArray, TupleToTensor, TypeAs, UniformInt, UniformReal, Unique, UniqueConsecutive, Unpack,
    UnsortedSegmentMax, UnsortedSegmentMin, UnsortedSegmentProd, UnsortedSegmentSum, Unstack, UnstackExtView, Var,
    VarMean, Vdot, View, ViewAs, XLogYScalarOther, XLogYScalarSelf, Xdivy, Xlogy, Zeros, ZerosLike, ZerosLikeExt,
    Zeta,
)
from mycel.library.ops.primitives.communication import ReduceOp
from mycel.library.ops.primitives.custom import Custom, TensorDump
from mycel.library.ops.primitives.primitive import (
    Primitive, PrimitiveWithCheck, PrimitiveWithInfer, prim_attr_register as prim_arg_register, prim_attr_register,
)
from mycel.library.ops.primitives.rare import (
    ACosGrad, AbsGrad, AcoshGrad, AdamNoUpdateParam, AdaptiveAvgPool2DGrad, AdaptiveAvgPool3DGrad,
    AdaptiveMaxPool2DGrad, AdaptiveMaxPool3D, AdaptiveMaxPool3DGrad, AddV2, AdjustContrastv2, AdjustHue,
    AdjustSaturation, AffineGridGrad, ApplyAdagradDA, ApplyAdamWithAmsgrad, ApplyAdamWithAmsgradV2, ApplyAddSign,
    ApplyCenteredRMSProp, ApplyKerasMomentum, ApplyPowerSign, ApplyProximalAdagrad, ApplyProximalGradientDescent,
    AsinGrad, AsinhGrad, Assert, AtanGrad, AvgPool3DGrad, AvgPoolGrad, BartlettWindow, BatchNormGrad, BiasAddGrad,
    BinaryCrossEntropyGrad, Bincount, BlackmanWindow, CSRSparseMatrixToDense, CSRSparseMatrixToSparseTensor,
    CTCGreedyDecoder, CTCLossV2, Cauchy, CheckNumerics, CholeskyGrad, ClipByNorm, Coalesce, Col2Im,
    CompareAndBitpack, ComplexAbs, ComputeAccidentalHits, ConfusionMatrix, ConjugateTranspose, Conv2DBackpropFilter,
    Conv3DBackpropFilter, Conv3DTranspose, DataFormatDimMap, DataFormatVecPermute, DenseToCSRSparseMatrix,
    Dilation2D, DropoutGrad, EditDistance, EluGrad, EqualCount, EuclideanNorm, ExtractImagePatches,
    ExtractVolumePatches, FastGeLUGrad, FlattenGrad, FractionalMaxPool3DGradWithFixedKsize,
    FractionalMaxPool3DWithFixedKsize, FractionalMaxPoolGradWithFixedKsize, FractionalMaxPoolWithFixedKsize,
    FusedSparseAdam, FusedSparseFtrl, FusedSparseLazyAdam, FusedSparseProximalAdagrad, Gamma, GatherDGradV2,
    GeLUGrad, Geqrf, GluGrad, GridSampler2DGrad, GridSampler3DGrad, HSVToRGB, HShrinkGrad, HSigmoidGrad, HSwishGrad,
    HammingWindow, Histogram, HistogramFixedWidth, IdentityN, IndexPut, InplaceUpdateV2, InstanceNorm, InvGrad,
    KLDivLossGrad, L2NormalizeGrad, LARSUpdate, LRNGrad, LayerNormGrad, LerpScalar, ListDiff, LogNormalReverse,
    LogSoftmaxGrad, LogUniformCandidateSampler, LogitGrad, LowerBound, Lstsq, LuSolve, LuUnpack, MapUniform,
    MaskedSelectGrad, MatrixLogarithm, MatrixSolveLs, MatrixTriangularSolve, MaxPool3DGrad, MaxPool3DGradWithArgmax,
    MaxPool3DWithArgmax, MaxPoolGrad, MaxPoolGradGrad, MaxPoolGradV1, MaxPoolGradWithArgmaxV2, MaxPoolWithArgmaxV2,
    MaxUnpool2DGrad, MaxUnpool3DGrad, MaximumGrad, MaximumGradGrad, Median, MinimumGrad, MinimumGradGrad,
    MirrorPadGrad, MultiMarginLossGrad, MultilabelMarginLossGrad, MultinomialWithReplacement, Mvlgamma,
    MvlgammaGrad, NLLLossGrad, NoRepeatNGram, NonDeterministicInts, NonMaxSuppressionV3,
    NonMaxSuppressionWithOverlaps, NthElement, NuclearNorm, Orgqr, Ormqr, PReLUGrad, ParallelConcat,
    ParameterizedTruncatedNormal, PdistGrad, Poisson, Polygamma, PopulationCount, Quantile, RGBToHSV, RaggedRange,
    RandomCategorical, RandomGamma, RandomPoisson, ReLU6Grad, ReLUV3, ReciprocalGrad, ReduceStd, ReluGrad,
    ResizeArea, ResizeBicubic, ResizeBilinearGrad, ResizeLinear1D, ResizeNearestNeighborGrad, RmsNormGrad,
    RsqrtGrad, ScatterAddWithAxis, SegmentMax, SegmentMean, SegmentMin, SegmentProd, SegmentSum, SelfAdjointEig,
    SeluGrad, SequenceMask, SetSize, SiLUGrad, SigmoidCrossEntropyWithLogitsGrad, SigmoidGrad, SliceGrad,
    SmoothL1LossGrad, SoftMarginLossGrad, SoftShrinkGrad, SoftmaxGrad, SoftplusGrad, SparseAdd, SparseAddmm,
    SparseApplyAdadelta, SparseApplyAdagrad, SparseApplyAdagradV2, SparseApplyFtrl, SparseApplyFtrlV2,
    SparseApplyProximalAdagrad, SparseApplyRMSProp, SparseConcat, SparseDenseCwiseAdd, SparseDenseCwiseDiv,
    SparseDenseCwiseMul, SparseFillEmptyRows, SparseMatrixAdd, SparseMatrixMatMul, SparseMatrixNNZ,
    SparseMatrixSoftmax, SparseMatrixSparseMatMul, SparseMatrixTranspose, SparseReorder, SparseReshape,
    SparseSegmentMean, SparseSegmentMeanWithNumSegments, SparseSegmentSqrtN, SparseSegmentSqrtNWithNumSegments,
    SparseSegmentSum, SparseSegmentSumWithNumSegments, SparseSlice, SparseSoftmax, SparseSparseMaximum,
    SparseSparseMinimum, SparseSplit, SparseTensorDenseAdd, SparseTensorDenseMatmul, SparseTensorToCSRSparseMatrix,
    SparseToDense, SparseToDenseV2, SqrtGrad, SquareSumAll, SquaredDifference, Sspaddmm, StridedSliceGrad,
    SubAndFilter, TanhGrad, Trace, TraceGrad, TridiagonalMatMul, TridiagonalSolve, TripletMarginLoss,
    TruncatedNormal, UniformCandidateSampler, UniqueGrad, UniqueWithPad, UnravelIndex, UpperBound,
    UpsampleNearest3D, UpsampleTrilinear3D,
)

__all__ = [
    "ACos", "ACosGrad", "Abs", "AbsGrad", "AccumulateNV2", "AcosExt", "Acosh", "AcoshExt", "AcoshGrad", "Adam",
    "AdamNoUpdateParam", "AdamWeightDecay", "AdaptiveAvgPool2D", "AdaptiveAvgPool2DGrad", "AdaptiveAvgPool3D",
    "AdaptiveAvgPool3DGrad", "AdaptiveMaxPool2D", "AdaptiveMaxPool2DGrad", "AdaptiveMaxPool3D", "AdaptiveMaxPool3DGrad",
    "Add", "AddExt", "AddN", "AddScalar", "AddV2", "Addbmm", "Addcdiv", "AddcdivExt", "Addcmul", "AddcmulExt", "Addmm",
    "Addmv", "AdjustContrastv2", "AdjustHue", "AdjustSaturation", "AffineGrid", "AffineGridGrad", "AllGather",
    "AllReduce", "AlltoAll", "Angle", "AnyExt", "ApplyAdaMax", "ApplyAdadelta", "ApplyAdagrad", "ApplyAdagradDA",
    "ApplyAdagradV2", "ApplyAdamWithAmsgrad", "ApplyAdamWithAmsgradV2", "ApplyAddSign", "ApplyCenteredRMSProp",
    "ApplyFtrl", "ApplyGradientDescent", "ApplyKerasMomentum", "ApplyMomentum", "ApplyPowerSign",
    "ApplyProximalAdagrad", "ApplyProximalGradientDescent", "ApplyRMSProp", "ApproximateEqual", "Arange", "ArgMax",
    "ArgMaxExt", "ArgMaxWithValue", "ArgMinExt", "ArgMinWithValue", "ArgSort", "Argmax", "Argmin", "Asin", "AsinExt",
    "AsinGrad", "Asinh", "AsinhExt", "AsinhGrad", "Assert", "Assign", "AssignAdd", "AssignSub", "Atan", "Atan2",
    "Atan2Ext", "AtanExt", "AtanGrad", "Atanh", "AvgPool", "AvgPool3D", "AvgPool3DGrad", "AvgPoolGrad",
    "BCEWithLogitsLoss", "Baddbmm", "Barrier", "BartlettWindow", "BatchDot", "BatchMatMul", "BatchMatMulExt",
    "BatchNorm", "BatchNormGrad", "BatchToSpace", "BatchToSpaceND", "Bernoulli", "BesselI0", "BesselI0e", "BesselI1",
    "BesselI1e", "BesselJ0", "BesselJ1", "BesselK0", "BesselK0e", "BesselK1", "BesselK1e", "BesselY0", "BesselY1",
    "Betainc", "BiasAdd", "BiasAddGrad", "BinaryCrossEntropy", "BinaryCrossEntropyGrad", "Bincount", "BincountExt",
    "BitwiseAnd", "BitwiseAndScalar", "BitwiseAndTensor", "BitwiseNot", "BitwiseOr", "BitwiseOrScalar",
    "BitwiseOrTensor", "BitwiseXor", "BitwiseXorScalar", "BitwiseXorTensor", "BlackmanWindow", "BoundingBoxDecode",
    "BoundingBoxEncode", "Broadcast", "BroadcastTo", "BroadcastToView", "Bucketize", "CSRSparseMatrixToDense",
    "CSRSparseMatrixToSparseTensor", "CTCGreedyDecoder", "CTCLoss", "CTCLossV2", "Cast", "Cauchy", "Cdist", "CeLU",
    "Ceil", "ChannelShuffle", "CheckNumerics", "CheckValid", "Cholesky", "CholeskyGrad", "CholeskyInverse",
    "CholeskySolve", "Chunk", "ChunkView", "ClampScalar", "ClampTensor", "ClipByNorm", "Clone", "Coalesce", "Col2Im",
    "CollectiveGather", "CollectiveScatter", "CompareAndBitpack", "Complex", "ComplexAbs", "ComputeAccidentalHits",
    "Concat", "ConfusionMatrix", "Conj", "ConjugateTranspose", "Contiguous", "Conv2D", "Conv2DBackpropFilter",
    "Conv2DBackpropInput", "Conv2DTranspose", "Conv3D", "Conv3DBackpropFilter", "Conv3DTranspose", "Copy", "Cos",
    "Cosh", "CosineEmbeddingLoss", "CountNonZero", "CropAndResize", "Cross", "CumProd", "CumSum", "Cummax", "Cummin",
    "CumminExt", "CumsumExt", "CumulativeLogsumexp", "Custom", "DType", "DataFormatDimMap", "DataFormatVecPermute",
    "Dense", "DenseToCSRSparseMatrix", "Depend", "DepthToSpace", "Diag", "DiagExt", "DiagPart", "Diagonal",
    "DiagonalView", "Digamma", "Dilation2D", "Div", "DivMod", "DivMods", "DivNoNan", "Divs", "Dot", "Dropout",
    "Dropout2D", "Dropout3D", "DropoutDoMask", "DropoutGenMask", "DropoutGrad", "DynamicGRUV2", "DynamicRNN",
    "DynamicShape", "EditDistance", "Eig", "Einsum", "EinsumExt", "Elu", "EluExt", "EluGrad", "EmbeddingLookup", "Eps",
    "EqScalar", "Equal", "EqualCount", "EqualExt", "Erf", "Erfc", "Erfinv", "EuclideanNorm", "Exp", "Exp2", "Expand",
    "ExpandAs", "ExpandDims", "ExpandDimsView", "Expm1", "ExtractImagePatches", "ExtractVolumePatches", "Eye", "FFT",
    "FFT2", "FFTN", "FFTShift", "FFTWithSize", "FastGeLU", "FastGeLUGrad", "FastGelu", "Fill", "FillDiagonal", "FillV2",
    "Fills", "FlashAttentionScore", "Flatten", "FlattenExt", "FlattenGrad", "FloatStatus", "Floor", "FloorDiv",
    "FloorDivScalar", "FloorMod", "Fmax", "Fmin", "FmodScalar", "FmodTensor", "ForiLoop", "Frac",
    "FractionalMaxPool3DGradWithFixedKsize", "FractionalMaxPool3DWithFixedKsize", "FractionalMaxPoolGradWithFixedKsize",
    "FractionalMaxPoolWithFixedKsize", "FullLike", "FusedCastAdamWeightDecay", "FusedSparseAdam", "FusedSparseFtrl",
    "FusedSparseLazyAdam", "FusedSparseProximalAdagrad", "FusedWeightScaleApplyMomentum", "GLU", "Gamma", "Gather",
    "GatherD", "GatherDGradV2", "GatherNd", "GatherNdExt", "GatherV2", "Gcd", "GeLU", "GeLUGrad", "Gelu", "GeluExt",
    "Geqrf", "Ger", "GluGrad", "GradOperation", "Greater", "GreaterEqual", "GreaterEqualScalar", "GridSampler2D",
    "GridSampler2DGrad", "GridSampler3D", "GridSampler3DGrad", "GroupNorm", "HFFT", "HFFT2", "HFFTN", "HSVToRGB",
    "HShrink", "HShrinkGrad", "HSigmoid", "HSigmoidGrad", "HSwish", "HSwishGrad", "HammingWindow", "Hardtanh",
    "Heaviside", "HistcExt", "Histogram", "HistogramFixedWidth", "HistogramSummary", "HookBackward", "HyperMap",
    "Hypot", "IFFT", "IFFT2", "IFFTN", "IFFTShift", "IHFFT", "IHFFT2", "IHFFTN", "IOU", "IRFFT", "IRFFT2", "IRFFTN",
    "Identity", "IdentityN", "Igamma", "Igammac", "Im2Col", "Imag", "ImagView", "ImageSummary", "InSequence", "InTopK",
    "IndexAdd", "IndexAddExt", "IndexFill", "IndexPut", "IndexSelect", "Inner", "InplaceAdd", "InplaceAddExt",
    "InplaceAddmm", "InplaceAddsExt", "InplaceClampScalar", "InplaceClampTensor", "InplaceCopy", "InplaceDiv",
    "InplaceDivMod", "InplaceDivMods", "InplaceDivs", "InplaceErfinv", "InplaceExp", "InplaceFillDiagonal",
    "InplaceFillScalar", "InplaceFillTensor", "InplaceFloor", "InplaceFloorDivide", "InplaceFloorDivides",
    "InplaceIndexAdd", "InplaceIndexAddExt", "InplaceIndexFillScalar", "InplaceIndexFillTensor", "InplaceIndexPut",
    "InplaceLog", "InplaceMaskedFillScalar", "InplaceMaskedFillTensor", "InplaceMul", "InplaceMuls",
    "InplaceRemainderTensorScalar", "InplaceRemainderTensorTensor", "InplaceScatterAdd", "InplaceScatterSrc",
    "InplaceScatterSrcReduce", "InplaceScatterValue", "InplaceScatterValueReduce", "InplaceSigmoid", "InplaceSub",
    "InplaceSubExt", "InplaceSubScalar", "InplaceTanh", "InplaceUpdate", "InplaceUpdateV2", "InplaceZero",
    "InsertGradientOf", "InstanceNorm", "Inv", "InvGrad", "Invert", "InvertPermutation", "IsClose", "IsComplex",
    "IsFinite", "IsInf", "IsNan", "IsNegInf", "KLDivLoss", "KLDivLossGrad", "Kron", "Kthvalue", "L1LossExt", "L2Loss",
    "L2Normalize", "L2NormalizeGrad", "LARSUpdate", "LRN", "LRNGrad", "LSTM", "LayerNorm", "LayerNormExt",
    "LayerNormGrad", "Lcm", "LeakyReLUExt", "LeftShift", "Lerp", "LerpScalar", "Less", "LessEqual", "LessScalar",
    "Lgamma", "LinSpace", "LinSpaceExt", "ListAppend", "ListDiff", "ListInsert", "ListToTensor", "Log", "Log10",
    "Log1p", "Log2", "LogAddExp", "LogAddExp2", "LogMatrixDeterminant", "LogNormalReverse", "LogSigmoid", "LogSoftmax",
    "LogSoftmaxExt", "LogSoftmaxGrad", "LogSpace", "LogSumExp", "LogUniformCandidateSampler", "LogicalAnd",
    "LogicalNot", "LogicalOr", "LogicalXor", "Logit", "LogitGrad", "LowerBound", "LpNorm", "Lstsq", "LuSolve",
    "LuUnpack", "MSELossExt", "Map", "MapUniform", "MaskedFill", "MaskedFillScalar", "MaskedScatter", "MaskedSelect",
    "MaskedSelectGrad", "MatMul", "MatMulExt", "MatrixBandPart", "MatrixDeterminant", "MatrixDiagPartV3",
    "MatrixDiagV3", "MatrixExp", "MatrixInverse", "MatrixInverseExt", "MatrixLogarithm", "MatrixPower",
    "MatrixSetDiagV3", "MatrixSolve", "MatrixSolveLs", "MatrixTriangularSolve", "Max", "MaxDim", "MaxPool", "MaxPool3D",
    "MaxPool3DGrad", "MaxPool3DGradWithArgmax", "MaxPool3DWithArgmax", "MaxPoolGrad", "MaxPoolGradGrad",
    "MaxPoolGradV1", "MaxPoolGradWithArgmaxV2", "MaxPoolWithArgmax", "MaxPoolWithArgmaxV2", "MaxUnpool2D",
    "MaxUnpool2DGrad", "MaxUnpool3D", "MaxUnpool3DGrad", "Maximum", "MaximumGrad", "MaximumGradGrad", "MeanExt",
    "Median", "MedianDim", "MedianExt", "Meshgrid", "Min", "MinDim", "Minimum", "MinimumGrad", "MinimumGradGrad",
    "MirrorPad", "MirrorPadGrad", "Mish", "MishExt", "Mm", "Mod", "MoveTo", "Mul", "MulNoNan", "Muls",
    "MultiMarginLoss", "MultiMarginLossGrad", "MultilabelMarginLoss", "MultilabelMarginLossGrad", "Multinomial",
    "MultinomialWithReplacement", "MultitypeFuncGraph", "Mv", "Mvlgamma", "MvlgammaGrad", "NLLLoss", "NLLLossGrad",
    "NMSWithMask", "NPUAllocFloatStatus", "NPUClearFloatStatus", "NPUGetFloatStatus", "NanToNum", "NanToNumExt",
    "Nansum", "Narrow", "NarrowView", "Neg", "NeighborExchange", "NewEmpty", "NewFull", "NewOnes", "NewZeros",
    "NextAfter", "NoRepeatNGram", "NonDeterministicInts", "NonMaxSuppressionV3", "NonMaxSuppressionWithOverlaps",
    "NonZero", "NonZeroExt", "Norm", "NotEqual", "NthElement", "NuclearNorm", "OneHot", "Ones", "OnesLike",
    "OnesLikeExt", "Orgqr", "Ormqr", "Outer", "PReLU", "PReLUGrad", "Pack", "Pad", "PadV3", "Padding", "ParallelConcat",
    "ParameterizedTruncatedNormal", "Partial", "Pdist", "PdistGrad", "PixelShuffle", "Poisson", "Polar", "Polygamma",
    "PopulationCount", "Pow", "PowScalarTensor", "PowTensorScalar", "Primitive", "PrimitiveWithCheck",
    "PrimitiveWithInfer", "Print", "ProdExt", "PyFunc", "Qr", "Quantile", "RFFT", "RFFT2", "RFFTN", "RGBToHSV",
    "ROIAlign", "RaggedRange", "RandomCategorical", "RandomChoiceWithMask", "RandomGamma", "RandomPoisson",
    "RandomShuffle", "Randperm", "RandpermV2", "Range", "Rank", "ReLU", "ReLU6", "ReLU6Grad", "ReLUV2", "ReLUV3",
    "Real", "RealDiv", "RealView", "Receive", "Reciprocal", "ReciprocalGrad", "Reduce", "ReduceAll", "ReduceAny",
    "ReduceMax", "ReduceMean", "ReduceMin", "ReduceOp", "ReduceProd", "ReduceScatter", "ReduceStd", "ReduceSum",
    "ReluGrad", "RemainderScalarTensor", "RemainderTensorScalar", "RemainderTensorTensor", "Renorm", "Repeat",
    "RepeatInterleaveInt", "RepeatInterleaveTensor", "Reshape", "ResizeArea", "ResizeBicubic", "ResizeBilinear",
    "ResizeBilinearGrad", "ResizeBilinearV2", "ResizeLinear1D", "ResizeNearestNeighbor", "ResizeNearestNeighborGrad",
    "ResizeNearestNeighborV2", "ReverseSequence", "ReverseV2", "RightShift", "Rint", "RmsNorm", "RmsNormGrad", "Roll",
    "Round", "Rsqrt", "RsqrtGrad", "SGD", "ScalarAdd", "ScalarBool", "ScalarCast", "ScalarDiv", "ScalarEq",
    "ScalarFloorDiv", "ScalarGe", "ScalarGt", "ScalarLe", "ScalarLog", "ScalarLt", "ScalarMax", "ScalarMin",
    "ScalarMod", "ScalarMul", "ScalarPow", "ScalarSub", "ScalarSummary", "ScalarToArray", "ScalarToTensor",
    "ScalarUadd", "ScalarUsub", "Scan", "Scatter", "ScatterAdd", "ScatterAddExt", "ScatterAddWithAxis", "ScatterDiv",
    "ScatterElements", "ScatterMax", "ScatterMin", "ScatterMul", "ScatterNd", "ScatterNdAdd", "ScatterNdDiv",
    "ScatterNdMax", "ScatterNdMin", "ScatterNdMul", "ScatterNdSub", "ScatterNdUpdate", "ScatterSub", "ScatterUpdate",
    "ScatterValue", "SeLU", "SeLUExt", "SearchSorted", "SegmentMax", "SegmentMean", "SegmentMin", "SegmentProd",
    "SegmentSum", "Select", "SelectExtView", "SelectV2", "SelfAdjointEig", "SeluGrad", "Send", "SequenceAdd",
    "SequenceAddN", "SequenceCount", "SequenceIndex", "SequenceMask", "SequenceMax", "SequenceMin", "SequenceMul",
    "SequenceSlice", "SequenceSliceSetItem", "SequenceStack", "SequenceUnstack", "SequenceZerosLike", "SetSize",
    "Shape", "SiLU", "SiLUGrad", "Sigmoid", "SigmoidCrossEntropyWithLogits", "SigmoidCrossEntropyWithLogitsGrad",
    "SigmoidGrad", "Sign", "Sin", "Sinc", "Sinh", "Size", "Slice", "SliceExt", "SliceGrad", "SmoothL1Loss",
    "SmoothL1LossGrad", "SoftMarginLoss", "SoftMarginLossGrad", "SoftShrink", "SoftShrinkGrad", "Softmax",
    "SoftmaxCrossEntropyWithLogits", "SoftmaxGrad", "Softplus", "SoftplusExt", "SoftplusGrad", "Softsign", "Sort",
    "SortExt", "SpaceToBatch", "SpaceToBatchND", "SpaceToDepth", "SparseAdd", "SparseAddmm", "SparseApplyAdadelta",
    "SparseApplyAdagrad", "SparseApplyAdagradV2", "SparseApplyFtrl", "SparseApplyFtrlV2", "SparseApplyProximalAdagrad",
    "SparseApplyRMSProp", "SparseConcat", "SparseDenseCwiseAdd", "SparseDenseCwiseDiv", "SparseDenseCwiseMul",
    "SparseFillEmptyRows", "SparseGatherV2", "SparseMatrixAdd", "SparseMatrixMatMul", "SparseMatrixNNZ",
    "SparseMatrixSoftmax", "SparseMatrixSparseMatMul", "SparseMatrixTranspose", "SparseReorder", "SparseReshape",
    "SparseSegmentMean", "SparseSegmentMeanWithNumSegments", "SparseSegmentSqrtN", "SparseSegmentSqrtNWithNumSegments",
    "SparseSegmentSum", "SparseSegmentSumWithNumSegments", "SparseSlice", "SparseSoftmax",
    "SparseSoftmaxCrossEntropyWithLogits", "SparseSparseMaximum", "SparseSparseMinimum", "SparseSplit",
    "SparseTensorDenseAdd", "SparseTensorDenseMatmul", "SparseTensorToCSRSparseMatrix", "SparseToDense",
    "SparseToDenseV2", "Split", "SplitTensor", "SplitTensorView", "SplitV", "SplitWithSize", "SplitWithSizeView",
    "Sqrt", "SqrtGrad", "Square", "SquareSumAll", "SquaredDifference", "Squeeze", "Sspaddmm", "Stack", "StackExt",
    "StandardLaplace", "StandardNormal", "Std", "StdMean", "StopGradient", "StridedSlice", "StridedSliceGrad", "Sub",
    "SubAndFilter", "SubExt", "SubScalar", "Subs", "SumExt", "Svd", "Swiglu", "TExt", "Take", "Tan", "Tanh", "TanhGrad",
    "Tensor", "TensorAdd", "TensorDump", "TensorScatterAdd", "TensorScatterDiv", "TensorScatterElements",
    "TensorScatterMax", "TensorScatterMin", "TensorScatterMul", "TensorScatterSub", "TensorScatterUpdate",
    "TensorShape", "TensorSummary", "TensorToList", "TensorToScalar", "TensorToTuple", "Threshold", "Tile", "TopK",
    "TopkExt", "Trace", "TraceExt", "TraceGrad", "Transpose", "TransposeExtView", "TransposeView", "TridiagonalMatMul",
    "TridiagonalSolve", "Tril", "TrilExt", "TrilIndices", "TripletMarginLoss", "Triu", "TriuIndices", "Trunc",
    "TruncateDiv", "TruncateMod", "TruncatedNormal", "TupleToArray", "TupleToTensor", "TypeAs",
    "UniformCandidateSampler", "UniformInt", "UniformReal", "Unique", "UniqueConsecutive", "UniqueGrad",
    "UniqueWithPad", "Unpack", "UnravelIndex", "UnsortedSegmentMax", "UnsortedSegmentMin", "UnsortedSegmentProd",
    "UnsortedSegmentSum", "Unstack", "UnstackExtView", "UpperBound", "UpsampleNearest3D", "UpsampleTrilinear3D", "Var",
    "VarMean", "Vdot", "View", "ViewAs", "WhileLoop", "XLogYScalarOther", "XLogYScalarSelf", "Xdivy", "Xlogy", "Zeros",
    "ZerosLike", "ZerosLikeExt", "Zeta", "abs", "absolute", "accumulate_n", "acos", "acosh", "adaptive_avg_pool1d",
    "adaptive_avg_pool2d", "adaptive_avg_pool3d", "adaptive_max_pool1d", "adaptive_max_pool2d", "adaptive_max_pool3d",
    "add", "add_flags", "addbmm", "addcdiv", "addcmul", "addmm", "addmv", "addn", "addr", "adjoint", "affine_grid",
    "all", "alpha_dropout", "amax", "amin", "aminmax", "angle", "any", "approximate_equal", "arange", "arccos",
    "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "argmax", "argmin", "argsort", "argwhere", "asin",
    "asinh", "assign", "assign_add", "assign_sub", "atan", "atan2", "atanh", "atleast_1d", "atleast_2d", "atleast_3d",
    "avg_pool1d", "avg_pool2d", "avg_pool3d", "baddbmm", "bartlett_window", "batch_dot", "batch_norm",
    "batch_to_space_nd", "bernoulli", "bessel_i0", "bessel_i0e", "bessel_i1", "bessel_i1e", "bessel_j0", "bessel_j1",
    "bessel_k0", "bessel_k0e", "bessel_k1", "bessel_k1e", "bessel_y0", "bessel_y1", "betainc", "bias_add", "bidense",
    "binary_cross_entropy", "binary_cross_entropy_with_logits", "bincount", "bitwise_and", "bitwise_left_shift",
    "bitwise_or", "bitwise_right_shift", "bitwise_xor", "blackman_window", "block_diag", "bmm", "bounding_box_decode",
    "bounding_box_encode", "broadcast_tensors", "broadcast_to", "bucketize", "cartesian_prod", "cast", "cat", "cdist",
    "ceil", "celu", "channel_shuffle", "check_valid", "choice_with_mask", "cholesky", "cholesky_inverse",
    "cholesky_solve", "chunk", "clamp", "clip", "clip_by_global_norm", "clip_by_norm", "clip_by_value", "col2im",
    "column_stack", "combinations", "composite", "concat", "cond", "conj", "constexpr", "conv1d", "conv2d", "conv3d",
    "conv3d_transpose", "conv_transpose2d", "copysign", "core", "cos", "cosh", "cosine_embedding_loss",
    "cosine_similarity", "count_nonzero", "cov", "crop_and_resize", "cross", "cross_entropy", "ctc_greedy_decoder",
    "ctc_loss", "cummax", "cummin", "cumprod", "cumsum", "deepcopy", "deg2rad", "dense", "depend", "depth_to_space",
    "derivative", "det", "diag", "diag_embed", "diagflat", "diagonal", "diagonal_scatter", "diff", "digamma", "dist",
    "div", "divide", "dot", "dropout", "dropout1d", "dropout2d", "dropout3d", "dsplit", "dstack", "dtype", "dyn_shape",
    "eig", "eigh", "eigvals", "einsum", "elu", "embedding", "eps", "eq", "equal", "erf", "erfc", "erfinv", "exp",
    "exp2", "expand", "expand_as", "expand_dims", "expm1", "eye", "fast_gelu", "fft", "fft2", "fftfreq", "fftn",
    "fftshift", "fill", "fill_diagonal", "fills", "flash_attention_score", "flatten", "flip", "fliplr", "flipud",
    "float_power", "floor", "floor_div", "floor_divide", "floor_mod", "floordiv", "floormod", "fmax", "fmin", "fmod",
    "fold", "frac", "fractional_max_pool2d", "fractional_max_pool3d", "full", "full_like", "gamma", "gammaln", "gather",
    "gather_d", "gather_elements", "gather_nd", "gaussian_nll_loss", "gcd", "ge", "gelu", "geqrf", "ger", "get_grad",
    "getitem", "glu", "grad", "greater", "greater_equal", "grid_sample", "group_norm", "gt", "gumbel_softmax",
    "hamming_window", "hann_window", "hardshrink", "hardsigmoid", "hardswish", "hardtanh", "heaviside", "hfft", "hfft2",
    "hfftn", "hinge_embedding_loss", "histc", "hsplit", "hstack", "huber_loss", "hypot", "i0", "identity", "ifft",
    "ifft2", "ifftn", "ifftshift", "igamma", "igammac", "ihfft", "ihfft2", "ihfftn", "imag", "in_", "index_add",
    "index_fill", "index_select", "inner", "inplace_add", "inplace_index_add", "inplace_sub", "inplace_update",
    "instance_norm", "interpolate", "intopk", "inv", "inverse", "invert", "iou", "irfft", "irfft2", "irfftn",
    "is_complex", "is_floating_point", "is_nonzero", "is_tensor", "isclose", "isfinite", "isinf", "isnan", "isneginf",
    "isposinf", "isreal", "jacfwd", "jacrev", "jet", "jvp", "kaiser_window", "kl_div", "kron", "kthvalue", "l1_loss",
    "l2_normalize", "laplace", "layer_norm", "lcm", "ldexp", "le", "leaky_relu", "left_shift", "lerp", "less",
    "less_equal", "lgamma", "linearize", "linspace", "log", "log10", "log1p", "log2", "log_matrix_determinant",
    "log_normal", "log_softmax", "log_uniform_candidate_sampler", "logaddexp", "logaddexp2", "logcumsumexp", "logdet",
    "logical_and", "logical_not", "logical_or", "logical_xor", "logit", "logsigmoid", "logspace", "logsumexp",
    "lp_pool1d", "lp_pool2d", "lrn", "lstsq", "lt", "lu_solve", "lu_unpack", "make_range", "manual_seed",
    "margin_ranking_loss", "masked_fill", "masked_scatter", "masked_select", "matmul", "matrix_band_part",
    "matrix_determinant", "matrix_diag", "matrix_diag_part", "matrix_exp", "matrix_norm", "matrix_power",
    "matrix_set_diag", "matrix_solve", "max", "max_pool1d", "max_pool2d", "max_pool3d", "max_unpool1d", "max_unpool2d",
    "max_unpool3d", "maximum", "mean", "median", "meshgrid", "min", "minimum", "mirror_pad", "mish",
    "mixed_precision_cast", "mm", "mod", "moveaxis", "movedim", "mse_loss", "msort", "mul", "multi_dot",
    "multi_margin_loss", "multilabel_margin_loss", "multilabel_soft_margin_loss", "multinomial",
    "multinomial_with_replacement", "multiply", "mv", "mvlgamma", "nan_to_num", "nanmean", "nanmedian", "nanquantile",
    "nansum", "narrow", "ne", "neg", "negative", "nextafter", "nll_loss", "nms_with_mask", "nonzero", "norm", "normal",
    "normalize", "not_equal", "not_in_", "numel", "one_hot", "ones", "ones_like", "orgqr", "ormqr", "outer", "pad",
    "padding", "partial", "pdist", "permute", "pinv", "pixel_shuffle", "pixel_unshuffle", "poisson", "polar",
    "polygamma", "population_count", "positive", "pow", "pow_", "pows", "prelu", "prim_arg_register",
    "prim_attr_register", "print_", "prod", "ptp", "qr", "quantile", "rad2deg", "rand", "rand_like", "randint",
    "randint_like", "randn", "randn_like", "random_categorical", "random_gamma", "random_poisson", "randperm", "range",
    "rank", "ravel", "real", "reciprocal", "reduce_all", "reduce_any", "reduce_max", "reduce_mean", "reduce_min",
    "reduce_prod", "reduce_sum", "relu", "relu6", "remainder", "renorm", "repeat_elements", "repeat_interleave",
    "reshape", "reshape_", "reverse", "reverse_sequence", "rfft", "rfft2", "rfftfreq", "rfftn", "right_shift",
    "rms_norm", "roi_align", "roll", "rot90", "round", "row_stack", "rrelu", "rsqrt", "scalar_cast", "scalar_to_array",
    "scalar_to_tensor", "scatter", "scatter_add", "scatter_div", "scatter_max", "scatter_min", "scatter_mul",
    "scatter_nd", "scatter_nd_add", "scatter_nd_div", "scatter_nd_max", "scatter_nd_min", "scatter_nd_mul",
    "scatter_nd_sub", "scatter_nd_update", "scatter_sub", "scatter_update", "searchsorted", "select", "select_scatter",
    "selu", "sequence_mask", "setitem", "sgn", "shape", "shape_", "shuffle", "sigmoid", "sign", "signbit", "silu",
    "sin", "sinc", "sinh", "size", "slice", "slice_scatter", "slogdet", "smooth_l1_loss", "soft_margin_loss",
    "soft_shrink", "softmax", "softmax_cross_entropy_with_logits", "softmin", "softplus", "softshrink", "softsign",
    "solve", "sort", "space_to_batch_nd", "space_to_depth", "sparse_segment_mean", "split", "sqrt", "square", "squeeze",
    "stack", "standard_laplace", "standard_normal", "std", "std_mean", "stop_gradient", "strided_slice", "sub",
    "subtract", "sum", "svd", "swapaxes", "swapdims", "swiglu", "t", "tail", "take", "tan", "tanh", "tanhshrink",
    "tensor_add", "tensor_div", "tensor_dot", "tensor_exp", "tensor_expm1", "tensor_floordiv", "tensor_ge", "tensor_gt",
    "tensor_le", "tensor_lt", "tensor_mod", "tensor_mul", "tensor_pow", "tensor_range", "tensor_scatter_add",
    "tensor_scatter_div", "tensor_scatter_elements", "tensor_scatter_max", "tensor_scatter_min", "tensor_scatter_mul",
    "tensor_scatter_sub", "tensor_scatter_update", "tensor_slice", "tensor_split", "tensor_sub", "threshold", "tile",
    "top_k", "topk", "trace", "transpose", "trapz", "tril", "tril_indices", "triplet_margin_loss", "triu",
    "triu_indices", "true_divide", "trunc", "truncate_div", "truncate_mod", "tuple_len", "tuple_to_array", "type_as",
    "typeof", "uadd", "unbind", "unfold", "uniform", "uniform_candidate_sampler", "unique", "unique_consecutive",
    "unique_with_pad", "unsorted_segment_max", "unsorted_segment_min", "unsorted_segment_prod", "unsorted_segment_sum",
    "unsqueeze", "unstack", "upsample", "value_and_grad", "vander", "var", "var_mean", "vecdot", "vector_norm",
    "view_as", "view_as_real", "vjp", "vmap", "vsplit", "vstack", "where", "xdivy", "xlogy", "zeros", "zeros_like",
    "zeta",
]

add: Any
bitwise_and: Any
bitwise_or: Any
bitwise_xor: Any
div: Any
equal: Any
floordiv: Any
getitem: Any
greater: Any
greater_equal: Any
invert: Any
left_shift: Any
less: Any
less_equal: Any
mod: Any
mul: Any
negative: Any
not_equal: Any
pow_: Any
reshape_: Primitive
right_shift: Any
shape_: Primitive
sub: Any
tensor_slice: Primitive
uadd: Any
