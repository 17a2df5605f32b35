# Written by tools/stubs.py: `make stubs` writes it again.
from ...frontend.values.operands import Operand
from ..functions.reduce import Axis
from typing import Any
from ...frontend.transforms.grad import grad, value_and_grad
from ...frontend.transforms.grad_operation import GradOperation, get_grad
from ...frontend.transforms.jacobian import jacfwd, jacrev
from ...frontend.transforms.linearized import linearize
from ...frontend.transforms.products import jvp, vjp
from ...frontend.transforms.taylor import derivative, jet
from ...frontend.transforms.vmap import vmap
from ...frontend.values.logic import (
    equal as eq, equal, logical_and, logical_not, logical_or, maximum, minimum, stack, where,
)
from ...frontend.values.tensor import Tensor
from ..functions import composite
from ..functions.array_broadcast import broadcast_tensors, broadcast_to, expand, expand_as, tile
from ..functions.array_flip import flip, fliplr, flipud, reverse, reverse_sequence, roll, rot90
from ..functions.array_gather import (
    argwhere, gather, gather_d, gather_elements, gather_nd, index_select, masked_scatter, masked_select, nonzero,
    take,
)
from ..functions.array_join import (
    block_diag, cartesian_prod, cat, column_stack, combinations, concat, dstack, hstack, repeat_elements,
    repeat_interleave, row_stack, vstack,
)
from ..functions.array_matrix import (
    diag_embed, diagonal, diagonal_scatter, fill_diagonal, matrix_band_part, matrix_diag, matrix_diag_part,
    matrix_set_diag, trace,
)
from ..functions.array_pad import (
    batch_to_space_nd, depth_to_space, mirror_pad, pad, padding, space_to_batch_nd, space_to_depth,
)
from ..functions.array_rows import (
    index_add, index_fill, inplace_add, inplace_index_add, inplace_sub, inplace_update, select_scatter,
    slice_scatter,
)
from ..functions.array_scatter import scatter, scatter_nd, tensor_scatter_elements
from ..functions.array_segments import sequence_mask
from ..functions.array_shape import (
    adjoint, expand_dims, flatten, moveaxis, moveaxis as movedim, permute, ravel, reshape, squeeze, swapaxes,
    swapdims, t, transpose, unsqueeze, view_as,
)
from ..functions.array_size import dtype, dyn_shape, numel, rank, shape, size
from ..functions.array_slice import narrow, slice, strided_slice
from ..functions.array_sort import (
    argsort, bincount, bucketize, histc, intopk, kthvalue, msort, searchsorted, sort, top_k, topk, unique,
    unique_consecutive,
)
from ..functions.array_split import chunk, dsplit, hsplit, split, tensor_split, unbind, unstack, vsplit
from ..functions.attention import flash_attention_score
from ..functions.comparison import (
    approximate_equal, clamp, clamp as clip, clip_by_value, invert, is_complex, is_floating_point, is_nonzero,
    is_tensor, isclose, isreal, logical_xor, masked_fill, select,
)
from ..functions.complex_parts import angle, conj, imag, polar, real, view_as_real
from ..functions.composite import (
    ForiLoop, HyperMap, Map, Scan, WhileLoop, clip_by_global_norm, clip_by_norm, constexpr, depend, partial, tail,
)
from ..functions.creation import (
    fill, fills, full, full_like, meshgrid, one_hot, ones, ones_like, scalar_cast, scalar_to_array,
    scalar_to_tensor, tuple_to_array, zeros, zeros_like,
)
from ..functions.creation_matrix import diag, diagflat, eye, tril, tril_indices, triu, triu_indices
from ..functions.creation_ranges import arange, linspace, logspace, make_range, range, range as tensor_range
from ..functions.cumulative import cummax, cummin, cumprod, cumsum, logcumsumexp
from ..functions.extremes import amax, amin, aminmax, argmax, argmin, max, min, reduce_max, reduce_min
from ..functions.fourier import fftfreq, fftshift, ifftshift, rfftfreq
from ..functions.functions import (
    abs, abs as absolute, atan2 as arctan2, atan2, deg2rad, exp2, frac, heaviside, isneginf, isposinf, logit,
    nan_to_num, rad2deg, round, sgn, signbit, sinc,
)
from ..functions.linalg import (
    batch_dot, bmm, cross, dot, einsum, ger, inner, kron, matmul, mm, multi_dot, mv, outer, tensor_dot, vander,
    vecdot,
)
from ..functions.linalg_norm import cond, matrix_norm, norm, vector_norm
from ..functions.linalg_solve import (
    cholesky, cholesky_inverse, cholesky_solve, det, det as matrix_determinant, eig, eigh, eigvals, inverse, logdet,
    lstsq, matrix_exp, matrix_power, matrix_solve, pinv, qr, slogdet as log_matrix_determinant, slogdet, solve, svd,
)
from ..functions.linalg_weighted import addbmm, addmm, addmv, addr, baddbmm
from ..functions.math import (
    div, div as divide, float_power, mul, mul as multiply, mul as tensor_mul, sub, sub as subtract,
    sub as tensor_sub, tensor_div, true_divide, truncate_div,
)
from ..functions.math_binary import (
    addcdiv, addcmul, addn as accumulate_n, addn, copysign, fmax, fmin, gcd, lcm, ldexp, lerp, logaddexp,
    logaddexp2, nextafter, xdivy, xlogy,
)
from ..functions.nn_activation import (
    celu, elu, fast_gelu, gelu, hardshrink, hardsigmoid, hardswish, hardtanh, leaky_relu, logsigmoid, mish, prelu,
    relu, relu6, selu, sigmoid, silu, softplus, softshrink as soft_shrink, softshrink, softsign, tanhshrink,
    threshold,
)
from ..functions.nn_conv import bias_add, bidense, conv3d_transpose, conv_transpose2d, dense, embedding
from ..functions.nn_detection import (
    bounding_box_decode, bounding_box_encode, check_valid, choice_with_mask, iou, nms_with_mask, roi_align,
)
from ..functions.nn_dropout import alpha_dropout, dropout, dropout1d, dropout2d, dropout3d, gumbel_softmax, rrelu
from ..functions.nn_image import (
    channel_shuffle, fold, interpolate, interpolate as upsample, pixel_shuffle, pixel_unshuffle, unfold,
)
from ..functions.nn_loss_margin import ctc_loss
from ..functions.nn_norm import batch_norm, group_norm, instance_norm, layer_norm, rms_norm
from ..functions.nn_pool import avg_pool1d, max_pool3d, max_unpool1d, max_unpool2d, max_unpool3d
from ..functions.nn_pool_adaptive import (
    adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d, adaptive_max_pool1d, adaptive_max_pool2d,
    adaptive_max_pool3d,
)
from ..functions.nn_sampling import affine_grid, crop_and_resize, grid_sample
from ..functions.nn_softmax import glu, log_softmax, softmax, softmin, swiglu
from ..functions.overloads import MultitypeFuncGraph
from ..functions.program import (
    HookBackward, InsertGradientOf, add_flags, assign, assign_add, assign_sub, core, mixed_precision_cast, print_,
    stop_gradient, tuple_len, typeof,
)
from ..functions.random import (
    manual_seed, rand, rand_like, randint, randint_like, randn, randn_like, randperm, shuffle,
)
from ..functions.random_distributions import (
    bernoulli, gamma, laplace, log_normal, multinomial, multinomial_with_replacement, normal, poisson,
    random_categorical, random_gamma, random_poisson, standard_laplace, standard_normal, uniform,
)
from ..functions.reduce import (
    all, any, count_nonzero, mean, prod, reduce_all, reduce_any, reduce_mean, reduce_prod, reduce_sum, sum,
)
from ..functions.representation import cast, deepcopy, eps, identity, population_count, positive, type_as
from ..functions.special import betainc, i0, igamma, igammac, lgamma as gammaln, lgamma, mvlgamma, polygamma, zeta
from ..functions.spectrogram import stft
from ..functions.statistics import diff, logsumexp, median, nanmean, nanmedian, nanquantile, nansum, ptp, quantile
from ..functions.windows import bartlett_window, blackman_window, hamming_window, hann_window, kaiser_window
from .called import (
    col2im, ctc_greedy_decoder, geqrf, log_uniform_candidate_sampler, lu_solve, lu_unpack, orgqr, ormqr,
    sparse_segment_mean, uniform_candidate_sampler, unique_with_pad,
)
from .primitives import (
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
    RmsNorm, Roll, Round, Rsqrt, SGD, STFT, ScalarAdd, ScalarBool, ScalarCast, ScalarDiv, ScalarEq, ScalarFloorDiv,
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
from .primitives.communication import ReduceOp
from .primitives.custom import Custom, TensorDump
from .primitives.primitive import (
    Primitive, PrimitiveWithCheck, PrimitiveWithInfer, prim_attr_register as prim_arg_register, prim_attr_register,
)
from .primitives.rare import (
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
    "Round", "Rsqrt", "RsqrtGrad", "SGD", "STFT", "ScalarAdd", "ScalarBool", "ScalarCast", "ScalarDiv", "ScalarEq",
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
    "glu", "grad", "greater", "greater_equal", "grid_sample", "group_norm", "gt", "gumbel_softmax", "hamming_window",
    "hann_window", "hardshrink", "hardsigmoid", "hardswish", "hardtanh", "heaviside", "hfft", "hfft2", "hfftn",
    "hinge_embedding_loss", "histc", "hsplit", "hstack", "huber_loss", "hypot", "i0", "identity", "ifft", "ifft2",
    "ifftn", "ifftshift", "igamma", "igammac", "ihfft", "ihfft2", "ihfftn", "imag", "index_add", "index_fill",
    "index_select", "inner", "inplace_add", "inplace_index_add", "inplace_sub", "inplace_update", "instance_norm",
    "interpolate", "intopk", "inv", "inverse", "invert", "iou", "irfft", "irfft2", "irfftn", "is_complex",
    "is_floating_point", "is_nonzero", "is_tensor", "isclose", "isfinite", "isinf", "isnan", "isneginf", "isposinf",
    "isreal", "jacfwd", "jacrev", "jet", "jvp", "kaiser_window", "kl_div", "kron", "kthvalue", "l1_loss",
    "l2_normalize", "laplace", "layer_norm", "lcm", "ldexp", "le", "leaky_relu", "lerp", "less", "less_equal", "lgamma",
    "linearize", "linspace", "log", "log10", "log1p", "log2", "log_matrix_determinant", "log_normal", "log_softmax",
    "log_uniform_candidate_sampler", "logaddexp", "logaddexp2", "logcumsumexp", "logdet", "logical_and", "logical_not",
    "logical_or", "logical_xor", "logit", "logsigmoid", "logspace", "logsumexp", "lp_pool1d", "lp_pool2d", "lrn",
    "lstsq", "lt", "lu_solve", "lu_unpack", "make_range", "manual_seed", "margin_ranking_loss", "masked_fill",
    "masked_scatter", "masked_select", "matmul", "matrix_band_part", "matrix_determinant", "matrix_diag",
    "matrix_diag_part", "matrix_exp", "matrix_norm", "matrix_power", "matrix_set_diag", "matrix_solve", "max",
    "max_pool1d", "max_pool2d", "max_pool3d", "max_unpool1d", "max_unpool2d", "max_unpool3d", "maximum", "mean",
    "median", "meshgrid", "min", "minimum", "mirror_pad", "mish", "mixed_precision_cast", "mm", "mod", "moveaxis",
    "movedim", "mse_loss", "msort", "mul", "multi_dot", "multi_margin_loss", "multilabel_margin_loss",
    "multilabel_soft_margin_loss", "multinomial", "multinomial_with_replacement", "multiply", "mv", "mvlgamma",
    "nan_to_num", "nanmean", "nanmedian", "nanquantile", "nansum", "narrow", "ne", "neg", "negative", "nextafter",
    "nll_loss", "nms_with_mask", "nonzero", "norm", "normal", "normalize", "not_equal", "numel", "one_hot", "ones",
    "ones_like", "orgqr", "ormqr", "outer", "pad", "padding", "partial", "pdist", "permute", "pinv", "pixel_shuffle",
    "pixel_unshuffle", "poisson", "polar", "polygamma", "population_count", "positive", "pow", "pows", "prelu",
    "prim_arg_register", "prim_attr_register", "print_", "prod", "ptp", "qr", "quantile", "rad2deg", "rand",
    "rand_like", "randint", "randint_like", "randn", "randn_like", "random_categorical", "random_gamma",
    "random_poisson", "randperm", "range", "rank", "ravel", "real", "reciprocal", "reduce_all", "reduce_any",
    "reduce_max", "reduce_mean", "reduce_min", "reduce_prod", "reduce_sum", "relu", "relu6", "remainder", "renorm",
    "repeat_elements", "repeat_interleave", "reshape", "reshape_", "reverse", "reverse_sequence", "rfft", "rfft2",
    "rfftfreq", "rfftn", "rms_norm", "roi_align", "roll", "rot90", "round", "row_stack", "rrelu", "rsqrt",
    "scalar_cast", "scalar_to_array", "scalar_to_tensor", "scatter", "scatter_add", "scatter_div", "scatter_max",
    "scatter_min", "scatter_mul", "scatter_nd", "scatter_nd_add", "scatter_nd_div", "scatter_nd_max", "scatter_nd_min",
    "scatter_nd_mul", "scatter_nd_sub", "scatter_nd_update", "scatter_sub", "scatter_update", "searchsorted", "select",
    "select_scatter", "selu", "sequence_mask", "sgn", "shape", "shape_", "shuffle", "sigmoid", "sign", "signbit",
    "silu", "sin", "sinc", "sinh", "size", "slice", "slice_scatter", "slogdet", "smooth_l1_loss", "soft_margin_loss",
    "soft_shrink", "softmax", "softmax_cross_entropy_with_logits", "softmin", "softplus", "softshrink", "softsign",
    "solve", "sort", "space_to_batch_nd", "space_to_depth", "sparse_segment_mean", "split", "sqrt", "square", "squeeze",
    "stack", "standard_laplace", "standard_normal", "std", "std_mean", "stft", "stop_gradient", "strided_slice", "sub",
    "subtract", "sum", "svd", "swapaxes", "swapdims", "swiglu", "t", "tail", "take", "tan", "tanh", "tanhshrink",
    "tensor_add", "tensor_div", "tensor_dot", "tensor_exp", "tensor_expm1", "tensor_floordiv", "tensor_ge", "tensor_gt",
    "tensor_le", "tensor_lt", "tensor_mod", "tensor_mul", "tensor_pow", "tensor_range", "tensor_scatter_add",
    "tensor_scatter_div", "tensor_scatter_elements", "tensor_scatter_max", "tensor_scatter_min", "tensor_scatter_mul",
    "tensor_scatter_sub", "tensor_scatter_update", "tensor_slice", "tensor_split", "tensor_sub", "threshold", "tile",
    "top_k", "topk", "trace", "transpose", "trapz", "tril", "tril_indices", "triplet_margin_loss", "triu",
    "triu_indices", "true_divide", "trunc", "truncate_div", "truncate_mod", "tuple_len", "tuple_to_array", "type_as",
    "typeof", "unbind", "unfold", "uniform", "uniform_candidate_sampler", "unique", "unique_consecutive",
    "unique_with_pad", "unsorted_segment_max", "unsorted_segment_min", "unsorted_segment_prod", "unsorted_segment_sum",
    "unsqueeze", "unstack", "upsample", "value_and_grad", "vander", "var", "var_mean", "vecdot", "vector_norm",
    "view_as", "view_as_real", "vjp", "vmap", "vsplit", "vstack", "where", "xdivy", "xlogy", "zeros", "zeros_like",
    "zeta",
]

reshape_: Primitive
shape_: Primitive
tensor_slice: Primitive

def acos(input: Tensor) -> Tensor:
    """Inverse cosine of each element."""

def acosh(input: Tensor) -> Tensor:
    """Inverse hyperbolic cosine of each element."""

def add(input: Operand, other: Operand) -> Tensor:
    """Sum of two tensors, or of a tensor and a number, elementwise with broadcasting."""

def arccos(input: Tensor) -> Tensor:
    """Inverse cosine of each element."""

def arccosh(input: Tensor) -> Tensor:
    """Inverse hyperbolic cosine of each element."""

def arcsin(input: Tensor) -> Tensor:
    """Inverse sine of each element."""

def arcsinh(input: Tensor) -> Tensor:
    """Inverse hyperbolic sine of each element."""

def arctan(input: Tensor) -> Tensor:
    """Inverse tangent of each element."""

def arctanh(input: Tensor) -> Tensor:
    """Inverse hyperbolic tangent of each element."""

def asin(input: Tensor) -> Tensor:
    """Inverse sine of each element."""

def asinh(input: Tensor) -> Tensor:
    """Inverse hyperbolic sine of each element."""

def atan(input: Tensor) -> Tensor:
    """Inverse tangent of each element."""

def atanh(input: Tensor) -> Tensor:
    """Inverse hyperbolic tangent of each element."""

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

def bessel_i0(input: Tensor) -> Tensor:
    """The modified Bessel function I of order 0, of each element."""

def bessel_i0e(input: Tensor) -> Tensor:
    """The modified Bessel function I of order 0 times exp(-|x|), of each element."""

def bessel_i1(input: Tensor) -> Tensor:
    """The modified Bessel function I of order 1, of each element."""

def bessel_i1e(input: Tensor) -> Tensor:
    """The modified Bessel function I of order 1 times exp(-|x|), of each element."""

def bessel_j0(input: Tensor) -> Tensor:
    """The Bessel function J of order 0, of each element."""

def bessel_j1(input: Tensor) -> Tensor:
    """The Bessel function J of order 1, of each element."""

def bessel_k0(input: Tensor) -> Tensor:
    """The modified Bessel function K of order 0, of each element."""

def bessel_k0e(input: Tensor) -> Tensor:
    """The modified Bessel function K of order 0 times exp(x), of each element."""

def bessel_k1(input: Tensor) -> Tensor:
    """The modified Bessel function K of order 1, of each element."""

def bessel_k1e(input: Tensor) -> Tensor:
    """The modified Bessel function K of order 1 times exp(x), of each element."""

def bessel_y0(input: Tensor) -> Tensor:
    """The Bessel function Y of order 0, of each element."""

def bessel_y1(input: Tensor) -> Tensor:
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

def bitwise_and(input: Operand, other: Operand) -> Tensor:
    """The bits set in both integers; for booleans whether both hold, elementwise with broadcasting."""

def bitwise_left_shift(input: Operand, other: Operand) -> Tensor:
    """The bits of integers moved up by `other` places, elementwise with broadcasting."""

def bitwise_or(input: Operand, other: Operand) -> Tensor:
    """The bits set in one of the integers or both; for booleans whether one holds, elementwise with broadcasting."""

def bitwise_right_shift(input: Operand, other: Operand) -> Tensor:
    """The bits of integers moved down by `other` places; the sign is kept, elementwise with broadcasting."""

def bitwise_xor(input: Operand, other: Operand) -> Tensor:
    """The bits set in exactly one of the integers; for booleans whether they differ, elementwise with broadcasting."""

def cdist(x1: Tensor, x2: Tensor, p: float = 2.0) -> Tensor:
    """The p-norms of the differences of each row of one batch of matrices with each of another."""

def ceil(input: Tensor) -> Tensor:
    """The smallest whole number not below each element."""

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

def cos(input: Tensor) -> Tensor:
    """Cosine of each element, in radians."""

def cosh(input: Tensor) -> Tensor:
    """Hyperbolic cosine of each element."""

def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0.0,
    reduction: str = 'mean',
) -> Tensor:
    """1 - cos(input1, input2) where the target is 1, max(0, cos - margin) where it is -1."""

def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-08) -> Tensor:
    """x1 · x2 / (max(|x1|, eps) max(|x2|, eps)) along a dimension."""

def cov(input: Tensor, *, correction: int = 1, fweights: Any = None, aweights: Any = None) -> Tensor:
    """The covariances of variables, the rows, whose observations are the columns."""

def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = 'mean',
    label_smoothing: float = 0.0,
) -> Tensor:
    """The cross entropy between logits and targets."""

def digamma(input: Tensor) -> Tensor:
    """The derivative of `lgamma` at each element."""

def dist(input: Tensor, other: Tensor, p: float = 2.0) -> Tensor:
    """The p-norm of the difference of two tensors."""

def erf(input: Tensor) -> Tensor:
    """The error function of each element."""

def erfc(input: Tensor) -> Tensor:
    """One less the error function of each element, exact for large ones."""

def erfinv(input: Tensor) -> Tensor:
    """What the error function takes to each element."""

def exp(input: Tensor) -> Tensor:
    """e to the power of each element."""

def expm1(input: Tensor) -> Tensor:
    """exp(x) - 1 of each element, exact for small ones."""

def fft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The discrete Fourier transform along an axis."""

def fft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The discrete Fourier transform over several axes."""

def fftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """The discrete Fourier transform over several axes."""

def floor(input: Tensor) -> Tensor:
    """The largest whole number not above each element."""

def floor_div(input: Operand, other: Operand) -> Tensor:
    """The quotient rounded down, as Python's `//`, elementwise with broadcasting."""

def floor_divide(input: Operand, other: Operand) -> Tensor:
    """The quotient rounded down, as Python's `//`, elementwise with broadcasting."""

def floor_mod(input: Operand, other: Operand) -> Tensor:
    """The rest of the division rounded down, with the sign of the divisor, as Python's `%`, elementwise with
    broadcasting."""

def floordiv(input: Operand, other: Operand) -> Tensor:
    """The quotient rounded down, as Python's `//`, elementwise with broadcasting."""

def floormod(x: Operand, y: Operand) -> Tensor:
    """The rest of the division rounded down, with the sign of the divisor, elementwise with broadcasting."""

def fmod(input: Operand, other: Operand) -> Tensor:
    """The rest of the division rounded towards zero, with the sign of the dividend, as C's fmod, elementwise with
    broadcasting."""

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

def gaussian_nll_loss(
    x: Tensor,
    target: Tensor,
    var: Any,
    full: bool = False,
    eps: float = 1e-06,
    reduction: str = 'mean',
) -> Tensor:
    """The negative log-likelihood of targets under normal distributions of mean x and variance `var`."""

def ge(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is at least `other`, elementwise with broadcasting."""

def greater(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is greater than `other`, elementwise with broadcasting."""

def greater_equal(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is at least `other`, elementwise with broadcasting."""

def gt(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is greater than `other`, elementwise with broadcasting."""

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

def ifft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The inverse of the discrete Fourier transform along an axis."""

def ifft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The inverse of the discrete Fourier transform over several axes."""

def ifftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """The inverse of the discrete Fourier transform over several axes."""

def ihfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The first half of the inverse discrete Fourier transform of real numbers along an axis."""

def ihfft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The first half of the inverse discrete Fourier transform of real numbers over several axes."""

def ihfftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """The first half of the inverse discrete Fourier transform of real numbers over several axes."""

def inv(x: Tensor) -> Tensor:
    """One over each element."""

def irfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The real numbers of which `rfft` made the input along an axis."""

def irfft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The real numbers of which `rfft` made the input over several axes."""

def irfftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """The real numbers of which `rfft` made the input over several axes."""

def isfinite(input: Tensor) -> Tensor:
    """Whether each element is neither infinite nor nan."""

def isinf(input: Tensor) -> Tensor:
    """Whether each element is infinite."""

def isnan(input: Tensor) -> Tensor:
    """Whether each element is not a number."""

def kl_div(logits: Tensor, labels: Tensor, reduction: str = 'mean') -> Tensor:
    """y * (log(y) - x) for log-probabilities x and probabilities y (0 where y is 0); also averaged over the batch."""

def l1_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Tensor:
    """The absolute differences of two tensors, averaged, summed, or one an element."""

def l2_normalize(x: Tensor, axis: Any = 0, epsilon: float = 0.0001) -> Tensor:
    """x / sqrt(max(sum of x² along the axes, epsilon))."""

def le(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is at most `other`, elementwise with broadcasting."""

def less(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is less than `other`, elementwise with broadcasting."""

def less_equal(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is at most `other`, elementwise with broadcasting."""

def log(input: Tensor) -> Tensor:
    """Natural logarithm of each element."""

def log10(input: Tensor) -> Tensor:
    """Logarithm to base 10 of each element."""

def log1p(input: Tensor) -> Tensor:
    """log(1 + x) of each element, exact for small ones."""

def log2(input: Tensor) -> Tensor:
    """Logarithm to base 2 of each element."""

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

def lt(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is less than `other`, elementwise with broadcasting."""

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

def mod(input: Operand, other: Operand) -> Tensor:
    """The rest of the division rounded down, with the sign of the divisor, as Python's `%`, elementwise with
    broadcasting."""

def mse_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Tensor:
    """The squared differences of two tensors (broadcast), averaged, summed, or one an element."""

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

def ne(input: Operand, other: Operand) -> Tensor:
    """Whether two differ, elementwise with broadcasting."""

def neg(input: Tensor) -> Tensor:
    """The elements negated."""

def negative(input: Tensor) -> Tensor:
    """The elements negated."""

def nll_loss(
    inputs: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = 'mean',
    label_smoothing: float = 0.0,
) -> Tensor:
    """The negative of the log-probability of each target class."""

def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """x / max(p-norm along a dimension, eps)."""

def not_equal(input: Operand, other: Operand) -> Tensor:
    """Whether two differ, elementwise with broadcasting."""

def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """The p-norms of the differences of each pair of rows of a matrix."""

def pow(input: Operand, exponent: Operand) -> Tensor:
    """`input` to the power `exponent`; integers stay integers, elementwise with broadcasting."""

def pows(input: Operand, exponent: Operand) -> Tensor:
    """`input` to the power `exponent`; integers stay integers, elementwise with broadcasting."""

def reciprocal(input: Tensor) -> Tensor:
    """One over each element; of integers and booleans in Float32."""

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

def rsqrt(input: Tensor) -> Tensor:
    """One over the square root of each element."""

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

def sign(input: Tensor) -> Tensor:
    """-1, 0 or 1 as the element is negative, zero or positive."""

def sin(input: Tensor) -> Tensor:
    """Sine of each element, in radians."""

def sinh(input: Tensor) -> Tensor:
    """Hyperbolic sine of each element."""

def smooth_l1_loss(input: Tensor, target: Tensor, beta: float = 1.0, reduction: str = 'none') -> Tensor:
    """d² / (2 beta) for differences d nearer to 0 than `beta`, |d| - beta / 2 for the others."""

def soft_margin_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Tensor:
    """log(1 + exp(-target * input)) for targets 1 and -1."""

def softmax_cross_entropy_with_logits(logits: Tensor, labels: Tensor, axis: int = -1) -> Tensor:
    """The cross entropy between logits and probabilities along an axis, one number a row."""

def sqrt(x: Tensor) -> Tensor:
    """Square root of each element; nan where an element is negative."""

def square(input: Tensor) -> Tensor:
    """Square of each element."""

def std(input: Tensor, axis: Axis | None = None, ddof: Any = 0, keepdims: bool = False) -> Tensor:
    """Standard deviation over axes, the square root of `var`; arguments as there."""

def std_mean(input: Tensor, axis: Axis | None = None, ddof: Any = 0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Standard deviation and mean over axes; arguments as for `var`."""

def tan(input: Tensor) -> Tensor:
    """Tangent of each element, in radians."""

def tanh(input: Tensor) -> Tensor:
    """Hyperbolic tangent of each element."""

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

def trunc(input: Tensor) -> Tensor:
    """The elements without their fractions."""

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
