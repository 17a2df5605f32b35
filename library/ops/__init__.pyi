# Written by tools/stubs.py: `make stubs` writes it again.
from collections.abc import Sequence
from ...frontend.values.operands import Operand
from ...frontend.values.parameter import Parameter
from ..functions.reduce import Axis
from ...runtime import dtypes as dtypes
from ...runtime.dtypes import DType as _DType
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
from ..functions.array_broadcast import broadcast_tensors, expand_as
from ..functions.array_gather import gather, index_select
from ..functions.array_join import (
    block_diag, cartesian_prod, cat, column_stack, combinations, concat, repeat_elements, repeat_interleave,
    row_stack, vstack,
)
from ..functions.array_matrix import diag_embed, matrix_diag, matrix_diag_part, matrix_set_diag
from ..functions.array_pad import (
    batch_to_space_nd, depth_to_space, mirror_pad, pad, padding, space_to_batch_nd, space_to_depth,
)
from ..functions.array_rows import index_add, inplace_add, inplace_index_add, inplace_sub
from ..functions.array_scatter import scatter, tensor_scatter_elements
from ..functions.array_segments import sequence_mask
from ..functions.array_shape import permute, squeeze
from ..functions.array_slice import strided_slice
from ..functions.array_sort import argsort, bucketize, intopk, sort
from ..functions.array_split import chunk
from ..functions.attention import flash_attention_score
from ..functions.comparison import clip_by_value, is_nonzero, is_tensor
from ..functions.complex_parts import view_as_real
from ..functions.composite import (
    ForiLoop, HyperMap, Map, Scan, WhileLoop, clip_by_global_norm, clip_by_norm, depend, partial, tail,
)
from ..functions.creation import meshgrid, one_hot
from ..functions.creation_matrix import tril_indices, triu_indices
from ..functions.creation_ranges import arange, linspace, logspace, make_range
from ..functions.cumulative import cumsum
from ..functions.extremes import argmax, argmin, max, min, reduce_max, reduce_min
from ..functions.fourier import fftfreq, rfftfreq
from ..functions.linalg import dot, multi_dot, tensor_dot, vander, vecdot
from ..functions.linalg_norm import cond, matrix_norm, vector_norm
from ..functions.linalg_solve import eig, eigh, matrix_solve, solve
from ..functions.math import tensor_div
from ..functions.nn_activation import celu, elu, hardtanh, leaky_relu, tanhshrink, threshold
from ..functions.nn_conv import bias_add, bidense, conv3d_transpose
from ..functions.nn_detection import bounding_box_decode, bounding_box_encode, iou, nms_with_mask, roi_align
from ..functions.nn_dropout import alpha_dropout, dropout1d, dropout2d, dropout3d, gumbel_softmax, rrelu
from ..functions.nn_image import channel_shuffle, pixel_unshuffle
from ..functions.nn_loss_margin import ctc_loss
from ..functions.nn_norm import batch_norm, instance_norm, rms_norm
from ..functions.nn_pool import avg_pool1d, max_pool3d, max_unpool1d, max_unpool3d
from ..functions.nn_pool_adaptive import adaptive_max_pool3d
from ..functions.nn_sampling import affine_grid, crop_and_resize
from ..functions.nn_softmax import glu, softmax, softmin
from ..functions.overloads import MultitypeFuncGraph
from ..functions.program import (
    HookBackward, InsertGradientOf, add_flags, core, mixed_precision_cast, print_, tuple_len, typeof,
)
from ..functions.random import manual_seed, randperm
from ..functions.reduce import all, any, count_nonzero, reduce_all, reduce_any, reduce_mean, reduce_prod, reduce_sum
from ..functions.representation import deepcopy, population_count
from ..functions.special import polygamma
from ..functions.spectrogram import stft
from ..functions.statistics import median
from ..functions.windows import bartlett_window, blackman_window, hamming_window, hann_window, kaiser_window
from .called import (
    ctc_greedy_decoder, log_uniform_candidate_sampler, lu_unpack, sparse_segment_mean, uniform_candidate_sampler,
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

def abs(input: Tensor) -> Tensor:
    """Magnitude of each element; the derivative at 0 is 0."""

def absolute(input: Tensor) -> Tensor:
    """Magnitude of each element; the derivative at 0 is 0."""

def accumulate_n(x: Sequence[Tensor] | Tensor) -> Tensor:
    """Sum of tensors of one shape and dtype."""

def acos(input: Tensor) -> Tensor:
    """Inverse cosine of each element."""

def acosh(input: Tensor) -> Tensor:
    """Inverse hyperbolic cosine of each element."""

def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Tensor:
    """(N, C, L) cut into `output_size` parts, each its mean."""

def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """Images (N, C, H, W) cut into as many parts as `output_size` says (None: as many as there are), each its mean."""

def adaptive_avg_pool3d(input: Tensor, output_size: Any) -> Tensor:
    """(N, C, D, H, W) cut into as many parts as `output_size` says, each its mean."""

def adaptive_max_pool1d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """(N, C, L) cut into `output_size` parts, each its maximum."""

def adaptive_max_pool2d(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
    """Images (N, C, H, W) cut into as many parts as `output_size` says, each its maximum; optionally where it is."""

def add(input: Operand, other: Operand) -> Tensor:
    """Sum of two tensors, or of a tensor and a number, elementwise with broadcasting."""

def addbmm(input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """beta * input + alpha * the sum of batch1 @ batch2 over the batch."""

def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Operand = 1) -> Tensor:
    """`input + value * tensor1 / tensor2`, with broadcasting."""

def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, value: Operand = 1) -> Tensor:
    """`input + value * tensor1 * tensor2`, with broadcasting."""

def addmm(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """beta * input + alpha * (mat1 @ mat2)."""

def addmv(input: Tensor, mat: Tensor, vec: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """beta * input + alpha * (mat @ vec)."""

def addn(x: Sequence[Tensor] | Tensor) -> Tensor:
    """Sum of tensors of one shape and dtype."""

def addr(x: Tensor, vec1: Tensor, vec2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """beta * x + alpha * outer(vec1, vec2)."""

def adjoint(x: Tensor) -> Tensor:
    """The conjugate of the tensor with its last two dimensions exchanged."""

def amax(
    input: Tensor,
    axis: Axis | None = None,
    keepdims: bool = False,
    *,
    initial: Any = None,
    where: Tensor | None = None,
) -> Tensor:
    """The largest element over axes; equal ones share the gradient."""

def amin(
    input: Tensor,
    axis: Axis | None = None,
    keepdims: bool = False,
    *,
    initial: Any = None,
    where: Tensor | None = None,
) -> Tensor:
    """The smallest element over axes; equal ones share the gradient. Arguments as for `amax`."""

def aminmax(input: Tensor, *, axis: int | None = 0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """The smallest and the largest elements along an axis (None: of all)."""

def angle(input: Tensor) -> Tensor:
    """The angles of complex numbers, in radians; of real ones 0 or pi."""

def approximate_equal(x: Tensor, y: Tensor, tolerance: float = 1e-05) -> Tensor:
    """Whether `abs(x - y) < tolerance`, elementwise."""

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

def arctan2(input: Operand, other: Operand) -> Tensor:
    """The angle of the point (other, input), elementwise with broadcasting; of integers in Float32."""

def arctanh(input: Tensor) -> Tensor:
    """Inverse hyperbolic tangent of each element."""

def argwhere(input: Tensor) -> Tensor:
    """The positions of the elements that are not zero, one a row."""

def asin(input: Tensor) -> Tensor:
    """Inverse sine of each element."""

def asinh(input: Tensor) -> Tensor:
    """Inverse hyperbolic sine of each element."""

def assign(variable: Parameter, value: Any) -> Any:
    """Give a Parameter new numbers."""

def assign_add(variable: Parameter, value: Any) -> Any:
    """Add to a Parameter in place; arguments, result and errors as for `assign`."""

def assign_sub(variable: Parameter, value: Any) -> Any:
    """Subtract from a Parameter in place; arguments, result and errors as for `assign`."""

def atan(input: Tensor) -> Tensor:
    """Inverse tangent of each element."""

def atan2(input: Operand, other: Operand) -> Tensor:
    """The angle of the point (other, input), elementwise with broadcasting; of integers in Float32."""

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

def baddbmm(input: Tensor, batch1: Tensor, batch2: Tensor, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """beta * input + alpha * (batch1 @ batch2), for batches of matrices."""

def batch_dot(x1: Tensor, x2: Tensor, axes: Any = None) -> Tensor:
    """For each entry of the batch (the first dimension) the sums of products over one axis of each tensor."""

def bernoulli(input: Tensor, p: Any = 0.5, seed: int | None = None) -> Tensor:
    """1 with probability `p`, else 0, in the shape and dtype of a tensor."""

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

def betainc(a: Tensor, b: Tensor, x: Tensor) -> Tensor:
    """The regularised incomplete beta function of x in [0, 1] with the parameters a and b; differentiable by x."""

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

def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """How often each number from 0 on occurs, as Float32, or the sums of its weights."""

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

def bmm(input_x: Tensor, mat2: Tensor) -> Tensor:
    """The products of the matrices of two batches, of shapes (…, n, m) and (…, m, p)."""

def broadcast_to(input: Tensor, shape: Any) -> Tensor:
    """The tensor repeated along dimensions of size one, and new leading ones, to fill `shape`; -1 keeps a size."""

def cast(input: Operand, dtype: _DType) -> Tensor:
    """The elements in another dtype; floats lose their fraction towards zero where integers are asked for."""

def cdist(x1: Tensor, x2: Tensor, p: float = 2.0) -> Tensor:
    """The p-norms of the differences of each row of one batch of matrices with each of another."""

def ceil(input: Tensor) -> Tensor:
    """The smallest whole number not below each element."""

def check_valid(bboxes: Tensor, img_metas: Tensor) -> Tensor:
    """Which boxes (x0, y0, x1, y1) lie inside an image of (height, width, ratio)."""

def choice_with_mask(input_x: Tensor, count: int = 256, seed: Any = None) -> tuple[Tensor, Tensor]:
    """Up to `count` positions, drawn at random, where a Bool tensor is True, and which of the rows hold one."""

def cholesky(input_x: Tensor, upper: bool = False) -> Tensor:
    """The lower (or upper) triangular factors of positive definite matrices."""

def cholesky_inverse(input_x: Tensor, upper: bool = False) -> Tensor:
    """The inverses of the matrices that have these Cholesky factors."""

def cholesky_solve(input: Tensor, input2: Tensor, upper: bool = False) -> Tensor:
    """The x for which a @ x is `input`, where `input2` holds the Cholesky factors of a."""

def clamp(input: Tensor, min: Operand | None = None, max: Operand | None = None) -> Tensor:
    """`input` no smaller than `min`, then no larger than `max`."""

def clip(input: Tensor, min: Operand | None = None, max: Operand | None = None) -> Tensor:
    """`input` no smaller than `min`, then no larger than `max`."""

def col2im(
    input_x: Tensor,
    output_size: Any,
    kernel_size: Any,
    dilation: Any,
    padding_value: Any,
    stride: Any,
) -> Tensor:
    """Windows (N, C, elements of a window, windows) added up into images (N, C, H, W) of a size."""

def conj(input: Tensor) -> Tensor:
    """The elements with their imaginary parts negated."""

def constexpr(
    fn: Any = None,
    get_instance: bool = True,
    name: str | None = None,
    reuse_result: bool = True,
    check: bool = True,
) -> Any:
    """A function of constants, run while tracing: it sees Python values and gives Python values."""

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

def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Tensor:
    """The transposed convolution of (N, C, H, W) with a weight (C, outputs / groups, kernel height, kernel width)."""

def copysign(x: Operand, other: Operand) -> Tensor:
    """The magnitude of `x` with the sign of `other`, with broadcasting; of integers in Float32."""

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

def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """The vector products of vectors of three elements along a dimension, the first of size 3 by default."""

def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = 'mean',
    label_smoothing: float = 0.0,
) -> Tensor:
    """The cross entropy between logits and targets."""

def cummax(input: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """The largest of the elements up to each along an axis, and the positions (Int64) of the last such ones."""

def cummin(input: Tensor, axis: int) -> tuple[Tensor, Tensor]:
    """The smallest of the elements up to each along an axis, and the positions (Int32) of the last such ones."""

def cumprod(input: Tensor, dim: int, dtype: _DType | None = None) -> Tensor:
    """Products of the elements up to each along an axis; of integers in Int64."""

def deg2rad(x: Tensor) -> Tensor:
    """Degrees in radians."""

def dense(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """input @ weight.T + bias."""

def det(input: Tensor) -> Tensor:
    """The determinants of square matrices."""

def diag(input: Tensor) -> Tensor:
    """Zeros of the shape of `input` twice over, with its elements where both halves of the index agree."""

def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    """A matrix of zeros with the elements of a tensor, in order, on a diagonal."""

def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """The diagonals of the matrices over two dimensions, as the last dimension."""

def diagonal_scatter(input: Tensor, src: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """The tensor with the diagonals over two dimensions replaced by `src`."""

def diff(x: Tensor, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Tensor:
    """Differences of neighbours along an axis, taken n times."""

def digamma(input: Tensor) -> Tensor:
    """The derivative of `lgamma` at each element."""

def dist(input: Tensor, other: Tensor, p: float = 2.0) -> Tensor:
    """The p-norm of the difference of two tensors."""

def div(input: Operand, other: Operand, *, rounding_mode: str | None = None) -> Tensor:
    """Quotient, elementwise with broadcasting."""

def divide(input: Operand, other: Operand, *, rounding_mode: str | None = None) -> Tensor:
    """Quotient, elementwise with broadcasting."""

def dropout(input: Tensor, p: float = 0.5, training: bool = True, seed: int | None = None) -> Tensor:
    """Each element zero with probability `p`, else divided by 1 - p; the tensor itself when not training."""

def dsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """The tensor cut along its third axis; see `tensor_split`."""

def dstack(tensors: Sequence[Tensor]) -> Tensor:
    """Tensors one after the other along the third axis."""

def dtype(x: Tensor) -> dtypes.DType:
    """The element type."""

def dyn_shape(input_x: Tensor) -> Tensor:
    """The shape as a tensor of Int64."""

def eigvals(A: Tensor) -> Tensor:
    """The eigenvalues of square matrices, complex; errors as for `eig`."""

def einsum(equation: str, *operands: Any) -> Tensor:
    """Einstein's summation, as `numpy.einsum` writes it."""

def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
) -> Tensor:
    """The rows of a table at some indices."""

def eps(x: Tensor) -> Tensor:
    """A tensor like x, filled with the distance from 1 to the next number of its dtype."""

def erf(input: Tensor) -> Tensor:
    """The error function of each element."""

def erfc(input: Tensor) -> Tensor:
    """One less the error function of each element, exact for large ones."""

def erfinv(input: Tensor) -> Tensor:
    """What the error function takes to each element."""

def exp(input: Tensor) -> Tensor:
    """e to the power of each element."""

def exp2(input: Tensor) -> Tensor:
    """2 to the power of each element; of integers in Float32."""

def expand(input_x: Tensor, size: Any) -> Tensor:
    """The tensor broadcast to `size`, in which -1 keeps a size."""

def expand_dims(input_x: Tensor, axis: Any) -> Tensor:
    """The tensor with a new dimension of size one before position `axis` (negative ones count from the end)."""

def expm1(input: Tensor) -> Tensor:
    """exp(x) - 1 of each element, exact for small ones."""

def eye(n: Any, m: Any = None, dtype: _DType | None = None) -> Tensor:
    """A matrix of n rows and m columns (None: n) with ones on its diagonal and zeros elsewhere."""

def fast_gelu(x: Tensor) -> Tensor:
    """x / (1 + exp(-1.702 |x|)) * exp(0.851 (x - |x|)), an estimate of gelu."""

def fft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The discrete Fourier transform along an axis."""

def fft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The discrete Fourier transform over several axes."""

def fftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """The discrete Fourier transform over several axes."""

def fftshift(input: Tensor, dim: Any = None) -> Tensor:
    """The tensor with the zero frequency in the middle of the axes (None: all)."""

def fill(type: _DType | None, shape: Any, value: Any) -> Tensor:
    """A tensor of one value, as `full` with the arguments in another order."""

def fill_diagonal(input: Tensor, fill_value: float, wrap: bool = False) -> Tensor:
    """The tensor with its main diagonal replaced by a number (in tall matrices again after each block, with `wrap`)."""

def fills(x: Tensor, value: Any) -> Tensor:
    """As `full_like`."""

def flatten(input: Tensor, order: str = 'C', *, start_dim: int = 1, end_dim: int = -1) -> Tensor:
    """The tensor with the dimensions from `start_dim` to `end_dim` made one."""

def flip(input: Tensor, dims: Any) -> Tensor:
    """The tensor with the order of its elements along some dimensions reversed."""

def fliplr(input: Tensor) -> Tensor:
    """The tensor with the order of its columns reversed."""

def flipud(input: Tensor) -> Tensor:
    """The tensor with the order of its rows reversed."""

def float_power(input: Operand, exponent: Operand) -> Tensor:
    """`input` to the power `exponent` in double precision (Float64, or Complex128 where an operand is complex)."""

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

def fmax(input: Operand, other: Operand) -> Tensor:
    """The larger of two, elementwise with broadcasting; where one is nan the other."""

def fmin(input: Operand, other: Operand) -> Tensor:
    """The smaller of two, elementwise with broadcasting; where one is nan the other."""

def fmod(input: Operand, other: Operand) -> Tensor:
    """The rest of the division rounded towards zero, with the sign of the dividend, as C's fmod, elementwise with
    broadcasting."""

def fold(
    input: Tensor,
    output_size: Any,
    kernel_size: Any,
    dilation: Any = 1,
    padding: Any = 0,
    stride: Any = 1,
) -> Tensor:
    """The reverse of `unfold`: windows (N, C * kernel, number of windows) summed into images (N, C, H, W)."""

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

def full(size: Any, fill_value: Any, *, dtype: _DType | None = None) -> Tensor:
    """A tensor of one value."""

def full_like(input: Tensor, fill_value: Any, *, dtype: _DType | None = None) -> Tensor:
    """A tensor of one value in the shape, and without `dtype` the dtype, of another."""

def gamma(shape: Any, alpha: Any, beta: Any, seed: int | None = None) -> Tensor:
    """Gamma distributed Float32 numbers: `shape` of them for each shape parameter `alpha` and rate `beta`."""

def gammaln(input: Tensor) -> Tensor:
    """Logarithm of the magnitude of the gamma function of each element; of integers in Float32."""

def gather_d(x: Tensor, dim: int, index: Tensor) -> Tensor:
    """For each place of `index` the element of the tensor at that position along `dim`; see `gather_elements`."""

def gather_elements(input: Tensor, dim: int, index: Tensor) -> Tensor:
    """For each place of `index` the element of the tensor at that position along `dim`."""

def gather_nd(input_x: Tensor, indices: Tensor) -> Tensor:
    """The elements or blocks of a tensor whose leading positions are the rows of `indices`."""

def gaussian_nll_loss(
    x: Tensor,
    target: Tensor,
    var: Any,
    full: bool = False,
    eps: float = 1e-06,
    reduction: str = 'mean',
) -> Tensor:
    """The negative log-likelihood of targets under normal distributions of mean x and variance `var`."""

def gcd(input: Tensor, other: Tensor) -> Tensor:
    """The greatest common divisor of integers, elementwise with broadcasting."""

def ge(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is at least `other`, elementwise with broadcasting."""

def gelu(input: Tensor, approximate: str = 'none') -> Tensor:
    """x times the probability that a standard normal number is below x; "tanh" for the usual estimate."""

def geqrf(input: Tensor) -> tuple[Tensor, Tensor]:
    """The QR factorisation in parts: R with Householder's vectors below its diagonal, and their factors."""

def ger(input: Tensor, vec2: Tensor) -> Tensor:
    """The products of each element of one vector with each of another."""

def greater(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is greater than `other`, elementwise with broadcasting."""

def greater_equal(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is at least `other`, elementwise with broadcasting."""

def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = 'bilinear',
    padding_mode: str = 'zeros',
    align_corners: bool | None = None,
) -> Tensor:
    """The images at the places of a grid."""

def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-05,
) -> Tensor:
    """The tensor (batch, channels, …) standardised over groups of channels, times a weight plus a bias a channel."""

def gt(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is greater than `other`, elementwise with broadcasting."""

def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """The elements further from 0 than `lambd`, 0 in place of the others."""

def hardsigmoid(input: Tensor) -> Tensor:
    """relu6(x + 3) / 6."""

def hardswish(input: Tensor) -> Tensor:
    """x * relu6(x + 3) / 6."""

def heaviside(input: Tensor, values: Tensor) -> Tensor:
    """0 where `input` is negative, `values` where it is 0, 1 where it is positive."""

def hfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The real discrete Fourier transform of a signal of which the first half is given along an axis."""

def hfft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The real discrete Fourier transform of a signal of which the first half is given over several axes."""

def hfftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """The real discrete Fourier transform of a signal of which the first half is given over several axes."""

def hinge_embedding_loss(inputs: Tensor, targets: Tensor, margin: float = 1.0, reduction: str = 'mean') -> Tensor:
    """The inputs where the target is 1, max(0, margin - input) where it is -1."""

def histc(input: Tensor, bins: int = 100, min: float = 0.0, max: float = 0.0) -> Tensor:
    """How many elements lie in each of equal intervals from `min` to `max` (both 0: from the least to the largest)."""

def hsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """The tensor cut along its second axis (the first, of vectors); see `tensor_split`."""

def hstack(tensors: Sequence[Tensor]) -> Tensor:
    """Tensors one after the other along the second axis (vectors and numbers along the first)."""

def huber_loss(input: Tensor, target: Tensor, reduction: str = 'mean', delta: float = 1.0) -> Tensor:
    """d² / 2 for differences d nearer to 0 than `delta`, delta * (|d| - delta / 2) for the others."""

def hypot(input: Tensor, other: Tensor) -> Tensor:
    """Length of the hypotenuse, `sqrt(input**2 + other**2)`, with broadcasting."""

def i0(input: Tensor) -> Tensor:
    """As `bessel_i0`, of integers in Float32."""

def identity(x: Any) -> Any:
    """The argument as it is."""

def ifft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The inverse of the discrete Fourier transform along an axis."""

def ifft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The inverse of the discrete Fourier transform over several axes."""

def ifftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """The inverse of the discrete Fourier transform over several axes."""

def ifftshift(input: Tensor, dim: Any = None) -> Tensor:
    """What `fftshift` made the input of."""

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

def imag(input: Tensor) -> Tensor:
    """The imaginary parts of the elements."""

def index_fill(x: Tensor, axis: int, index: Tensor, value: Any) -> Tensor:
    """The tensor with its rows along an axis at `index` filled with a number."""

def inner(input: Tensor, other: Tensor) -> Tensor:
    """The sums of products over the last dimensions of two tensors."""

def inplace_update(x: Tensor, v: Tensor, indices: Any) -> Tensor:
    """The tensor with its rows at `indices` replaced by those of `v`."""

def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = 'nearest',
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
) -> Tensor:
    """Images (N, C, …) resized."""

def inv(x: Tensor) -> Tensor:
    """One over each element."""

def inverse(input: Tensor) -> Tensor:
    """The inverses of square matrices."""

def invert(x: Tensor) -> Tensor:
    """Every bit of integers turned over."""

def irfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The real numbers of which `rfft` made the input along an axis."""

def irfft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The real numbers of which `rfft` made the input over several axes."""

def irfftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """The real numbers of which `rfft` made the input over several axes."""

def is_complex(input: Tensor) -> bool:
    """Whether the dtype is a complex one."""

def is_floating_point(input: Tensor) -> bool:
    """Whether the dtype is a real floating-point one."""

def isclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    """Whether two are equal within tolerances: `abs(input - other) <= atol + rtol * abs(other)`, elementwise."""

def isfinite(input: Tensor) -> Tensor:
    """Whether each element is neither infinite nor nan."""

def isinf(input: Tensor) -> Tensor:
    """Whether each element is infinite."""

def isnan(input: Tensor) -> Tensor:
    """Whether each element is not a number."""

def isneginf(input: Tensor) -> Tensor:
    """Whether each element is negative infinity: a Bool tensor."""

def isposinf(input: Tensor) -> Tensor:
    """Whether each element is positive infinity: a Bool tensor."""

def isreal(input: Tensor) -> Tensor:
    """Whether the elements have no imaginary part, elementwise."""

def kl_div(logits: Tensor, labels: Tensor, reduction: str = 'mean') -> Tensor:
    """y * (log(y) - x) for log-probabilities x and probabilities y (0 where y is 0); also averaged over the batch."""

def kron(input: Tensor, other: Tensor) -> Tensor:
    """The Kronecker product: each element of the first tensor times the whole second one, in its place."""

def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """The k-th smallest element along a dimension, counted from 1, and its position."""

def l1_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Tensor:
    """The absolute differences of two tensors, averaged, summed, or one an element."""

def l2_normalize(x: Tensor, axis: Any = 0, epsilon: float = 0.0001) -> Tensor:
    """x / sqrt(max(sum of x² along the axes, epsilon))."""

def laplace(shape: Any, mean: Any, lambda_param: Any, seed: int | None = None) -> Tensor:
    """Float32 numbers of a Laplace distribution; mean and scale are tensors or numbers that broadcast with the
    shape."""

def layer_norm(
    input: Tensor,
    normalized_shape: Any,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-05,
) -> Tensor:
    """The tensor standardised over its last dimensions: (x - mean) / sqrt(variance + eps) * weight + bias."""

def lcm(input: Tensor, other: Tensor) -> Tensor:
    """The least common multiple of integers, elementwise with broadcasting; 0 where either is 0."""

def ldexp(x: Tensor, other: Tensor) -> Tensor:
    """`x * 2**other`, with broadcasting."""

def le(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is at most `other`, elementwise with broadcasting."""

def lerp(input: Tensor, end: Tensor, weight: Operand) -> Tensor:
    """`input + weight * (end - input)`, with broadcasting."""

def less(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is less than `other`, elementwise with broadcasting."""

def less_equal(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is at most `other`, elementwise with broadcasting."""

def lgamma(input: Tensor) -> Tensor:
    """Logarithm of the magnitude of the gamma function of each element; of integers in Float32."""

def log(input: Tensor) -> Tensor:
    """Natural logarithm of each element."""

def log10(input: Tensor) -> Tensor:
    """Logarithm to base 10 of each element."""

def log1p(input: Tensor) -> Tensor:
    """log(1 + x) of each element, exact for small ones."""

def log2(input: Tensor) -> Tensor:
    """Logarithm to base 2 of each element."""

def log_matrix_determinant(input: Tensor) -> tuple[Tensor, Tensor]:
    """The signs of the determinants of square matrices, and the logarithms of their magnitudes."""

def log_normal(input: Tensor, mean: float = 1.0, std: float = 2.0) -> Tensor:
    """Numbers whose logarithms are normally distributed, in the shape and dtype of a tensor."""

def log_softmax(logits: Tensor, axis: int = -1) -> Tensor:
    """The logarithm of `softmax` along an axis, computed without overflow."""

def logaddexp(input: Tensor, other: Tensor) -> Tensor:
    """`log(exp(input) + exp(other))` without overflow, with broadcasting."""

def logaddexp2(input: Tensor, other: Tensor) -> Tensor:
    """`log2(2**input + 2**other)` without overflow, with broadcasting."""

def logcumsumexp(input: Tensor, axis: int) -> Tensor:
    """Logarithms of the sums of the exponentials of the elements up to each along an axis, without overflow."""

def logdet(input: Tensor) -> Tensor:
    """The logarithms of the determinants of square matrices; nan where they are negative."""

def logical_xor(input: Operand, other: Operand) -> Tensor:
    """Whether exactly one is true (numbers other than 0 are), elementwise with broadcasting."""

def logit(input: Tensor, eps: float | None = None) -> Tensor:
    """`log(x / (1 - x))` of each element, which with `eps` is first clamped to [eps, 1 - eps]."""

def logsigmoid(x: Tensor) -> Tensor:
    """log(sigmoid(x)), without overflow."""

def logsumexp(input: Tensor, dim: Axis, keepdim: bool = False) -> Tensor:
    """Logarithm of the sum of the exponentials over axes, without overflow."""

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

def lstsq(input: Tensor, A: Tensor) -> Tensor:
    """The x for which |input @ x - A| is smallest."""

def lt(input: Operand, other: Operand) -> Tensor:
    """Whether `input` is less than `other`, elementwise with broadcasting."""

def lu_solve(b: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
    """The solution of equations whose matrix is given as a packed LU factorisation with pivots."""

def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0.0,
    reduction: str = 'mean',
) -> Tensor:
    """max(0, -target * (input1 - input2) + margin): the first ranks higher where the target is 1, lower where -1."""

def masked_fill(input_x: Tensor, mask: Tensor, value: Operand) -> Tensor:
    """`input_x` with `value` where the mask holds."""

def masked_scatter(input: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    """The tensor with the elements where the mask is True replaced by those of `source`, in order."""

def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """The elements where a mask (broadcast against the tensor) is True, in one dimension."""

def matmul(input: Tensor, other: Tensor) -> Tensor:
    """The matrix product over the last two dimensions; the others are broadcast, vectors are rows or columns."""

def matrix_band_part(x: Tensor, lower: Any, upper: Any) -> Tensor:
    """The matrices with zeros below the `lower`-th and above the `upper`-th diagonal (negative: none)."""

def matrix_determinant(input: Tensor) -> Tensor:
    """The determinants of square matrices."""

def matrix_exp(input: Tensor) -> Tensor:
    """The exponentials of square matrices, by scaling, a Padé quotient of degree 7, and squaring."""

def matrix_power(input: Tensor, n: int) -> Tensor:
    """Square matrices to a whole power; negative powers are those of the inverses."""

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

def max_unpool2d(
    x: Tensor,
    indices: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    output_size: Any = None,
) -> Tensor:
    """Zeros with the maxima that max pooling of images (N, C, H, W) gave at the places it gave."""

def mean(x: Tensor, axis: Axis | None = None, keep_dims: bool = False) -> Tensor:
    """Mean over axes, in the dtype of x: that of integers loses its fraction."""

def mish(x: Tensor) -> Tensor:
    """x * tanh(log(1 + exp(x)))."""

def mm(input: Tensor, mat2: Tensor) -> Tensor:
    """The product of two matrices."""

def mod(input: Operand, other: Operand) -> Tensor:
    """The rest of the division rounded down, with the sign of the divisor, as Python's `%`, elementwise with
    broadcasting."""

def moveaxis(x: Tensor, source: Any, destination: Any) -> Tensor:
    """The tensor with the dimensions `source` moved to the positions `destination`, the others in their order."""

def movedim(x: Tensor, source: Any, destination: Any) -> Tensor:
    """The tensor with the dimensions `source` moved to the positions `destination`, the others in their order."""

def mse_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Tensor:
    """The squared differences of two tensors (broadcast), averaged, summed, or one an element."""

def msort(input: Tensor) -> Tensor:
    """The elements in order along the first axis."""

def mul(input: Operand, other: Operand) -> Tensor:
    """Product of two tensors, or of a tensor and a number, elementwise with broadcasting."""

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

def multinomial(input: Tensor, num_samples: Any, replacement: bool = True, seed: int | None = None) -> Tensor:
    """Positions (Int32) drawn in proportion to the weights in the last dimension."""

def multinomial_with_replacement(
    x: Tensor,
    seed: int,
    offset: int,
    numsamples: int,
    replacement: bool = False,
) -> Tensor:
    """Positions (Int64) drawn in proportion to the weights in the last dimension; arguments as for `multinomial`."""

def multiply(input: Operand, other: Operand) -> Tensor:
    """Product of two tensors, or of a tensor and a number, elementwise with broadcasting."""

def mv(mat: Tensor, vec: Tensor) -> Tensor:
    """The product of a matrix and a vector."""

def mvlgamma(input: Tensor, p: int) -> Tensor:
    """Logarithm of the multivariate gamma function of dimension p of each element."""

def nan_to_num(
    input: Tensor,
    nan: float | None = None,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Tensor:
    """The elements with numbers in place of nan and infinities."""

def nanmean(input: Tensor, axis: Axis | None = None, keepdims: bool = False, *, dtype: _DType | None = None) -> Tensor:
    """Mean over axes of the elements that are not nan (nan where all are)."""

def nanmedian(input: Tensor, axis: int = -1, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """As `median`, of the elements that are not nan (nan where all are)."""

def nanquantile(input: Tensor, q: Any, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """As `quantile`, of the elements that are not nan (nan where all are)."""

def nansum(input: Tensor, axis: Axis | None = None, keepdims: bool = False, *, dtype: _DType | None = None) -> Tensor:
    """Sum over axes of the elements that are not nan, in the dtype of `input` (or the one given)."""

def narrow(input: Tensor, axis: int, start: Any, length: int) -> Tensor:
    """The `length` elements from `start` on along an axis."""

def ne(input: Operand, other: Operand) -> Tensor:
    """Whether two differ, elementwise with broadcasting."""

def neg(input: Tensor) -> Tensor:
    """The elements negated."""

def negative(input: Tensor) -> Tensor:
    """The elements negated."""

def nextafter(input: Tensor, other: Tensor) -> Tensor:
    """The next floating-point number after `input` towards `other`."""

def nll_loss(
    inputs: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = 'mean',
    label_smoothing: float = 0.0,
) -> Tensor:
    """The negative of the log-probability of each target class."""

def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """The positions of the elements that are not zero, one a row; with `as_tuple` one tensor a dimension."""

def norm(A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The norm of a tensor: of all its elements, of vectors along one dimension, or of matrices over two."""

def normal(shape: Any, mean: Any, stddev: Any, seed: int | None = None) -> Tensor:
    """Normally distributed numbers, of Float32 unless the mean is a tensor of another floating-point dtype."""

def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """x / max(p-norm along a dimension, eps)."""

def not_equal(input: Operand, other: Operand) -> Tensor:
    """Whether two differ, elementwise with broadcasting."""

def numel(input: Tensor) -> int:
    """Number of elements."""

def ones(shape: Any, dtype: _DType | None = None) -> Tensor:
    """Ones of a shape; arguments as for `zeros`."""

def ones_like(input: Tensor, *, dtype: _DType | None = None) -> Tensor:
    """Ones in the shape, and without `dtype` the dtype, of a tensor."""

def orgqr(input: Tensor, input2: Tensor) -> Tensor:
    """The first columns of the orthogonal matrix that `geqrf` gave in parts."""

def ormqr(input: Tensor, tau: Tensor, other: Tensor, left: bool = True, transpose: bool = False) -> Tensor:
    """The product of the orthogonal matrix that `geqrf` gave in parts, or of its transpose, with another matrix."""

def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """The products of each element of one vector with each of another."""

def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """The p-norms of the differences of each pair of rows of a matrix."""

def pinv(x: Tensor, *, atol: Any = None, rtol: Any = None, hermitian: bool = False) -> Tensor:
    """The pseudo-inverses of matrices; singular values up to max(atol, rtol * the largest) count as zero."""

def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """Channels as pixels: (…, C * r * r, H, W) to (…, C, H * r, W * r)."""

def poisson(shape: Any, mean: Any, seed: int | None = None) -> Tensor:
    """Poisson distributed Int32 numbers: `shape` of them for each mean."""

def polar(abs: Tensor, angle: Tensor) -> Tensor:
    """Complex numbers of these magnitudes and angles."""

def positive(input: Tensor) -> Tensor:
    """The elements as they are."""

def pow(input: Operand, exponent: Operand) -> Tensor:
    """`input` to the power `exponent`; integers stay integers, elementwise with broadcasting."""

def pows(input: Operand, exponent: Operand) -> Tensor:
    """`input` to the power `exponent`; integers stay integers, elementwise with broadcasting."""

def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """The elements that are positive, `weight` (one number, or one a channel of dimension 1) times the others."""

def prod(input: Tensor, axis: Axis | None = None, keep_dims: bool = False, dtype: _DType | None = None) -> Tensor:
    """Product over axes."""

def ptp(input: Tensor, axis: Axis | None = None, keepdims: bool = False) -> Tensor:
    """The largest less the smallest element over axes (as the method `ptp`)."""

def qr(input: Tensor, mode: str = 'reduced') -> tuple[Tensor, Tensor]:
    """Q with orthonormal columns and upper triangular R: x is Q @ R."""

def quantile(input: Tensor, q: Any, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Quantiles along an axis, by linear interpolation between the two elements next to them; nan where there is
    one."""

def rad2deg(x: Tensor) -> Tensor:
    """Radians in degrees."""

def rand(*size: Any, dtype: Any = None, seed: int | None = None) -> Tensor:
    """Numbers uniform in [0, 1)."""

def rand_like(input: Tensor, seed: int | None = None, *, dtype: Any = None) -> Tensor:
    """Numbers uniform in [0, 1), in the shape, and without `dtype` the dtype, of a tensor."""

def randint(low: Any, high: Any, size: Any, seed: int | None = None, *, dtype: Any = None) -> Tensor:
    """Whole numbers uniform in [low, high)."""

def randint_like(input: Tensor, low: Any, high: Any, seed: int | None = None, *, dtype: Any = None) -> Tensor:
    """Whole numbers uniform in [low, high), in the shape, and without `dtype` the dtype, of a tensor."""

def randn(*size: Any, dtype: Any = None, seed: int | None = None) -> Tensor:
    """Numbers of the standard normal distribution; arguments and errors as for `rand`."""

def randn_like(input: Tensor, seed: int | None = None, *, dtype: Any = None) -> Tensor:
    """Numbers of the standard normal distribution, in the shape, and without `dtype` the dtype, of a tensor."""

def random_categorical(logits: Tensor, num_sample: int, seed: int = 0, dtype: Any = ...) -> Tensor:
    """Positions drawn in proportion to the exponentials of the rows of a matrix, with replacement."""

def random_gamma(shape: Any, alpha: Any, seed: int | None = None) -> Tensor:
    """Gamma distributed Float32 numbers of rate 1: `shape` of them for each shape parameter `alpha`."""

def random_poisson(shape: Any, rate: Any, seed: int | None = None, dtype: Any = ...) -> Tensor:
    """Poisson distributed numbers: `shape` of them for each rate."""

def range(start: Any, end: Any, step: Any, maxlen: int = 1000000) -> Tensor:
    """As `arange`, all bounds given."""

def rank(input_x: Tensor) -> int:
    """Number of dimensions."""

def ravel(input: Tensor) -> Tensor:
    """The elements in C order, in one dimension."""

def real(input: Tensor) -> Tensor:
    """The real parts of the elements."""

def reciprocal(input: Tensor) -> Tensor:
    """One over each element; of integers and booleans in Float32."""

def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """The elements that are positive, 0 in place of the others."""

def relu6(x: Tensor) -> Tensor:
    """The elements no smaller than 0 and no larger than 6; the derivative is 0 at 0 and 1 at 6."""

def remainder(input: Operand, other: Operand) -> Tensor:
    """The rest of the division rounded down, with the sign of the divisor, as Python's `%`, elementwise with
    broadcasting."""

def renorm(input: Tensor, p: float, axis: int, maxnorm: float) -> Tensor:
    """The tensor with those of its parts along an axis scaled down whose p-norm is above `maxnorm`."""

def reshape(input: Tensor, shape: Any) -> Tensor:
    """The tensor with the same elements in C order in another shape; one size may be -1."""

def reverse(x: Tensor, axis: Any) -> Tensor:
    """The tensor with the order of its elements along some axes reversed."""

def reverse_sequence(x: Tensor, seq_lengths: Tensor, seq_dim: int, batch_dim: int = 0) -> Tensor:
    """The tensor in which, for each entry of the batch, the first `seq_lengths` elements of `seq_dim` are reversed."""

def rfft(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Tensor:
    """The first half, which says all, of the discrete Fourier transform of real numbers along an axis."""

def rfft2(input: Tensor, s: Any = None, dim: Any = (-2, -1), norm: str | None = None) -> Tensor:
    """The first half, which says all, of the discrete Fourier transform of real numbers over several axes."""

def rfftn(input: Tensor, s: Any = None, dim: Any = None, norm: str | None = None) -> Tensor:
    """The first half, which says all, of the discrete Fourier transform of real numbers over several axes."""

def roll(input: Tensor, shifts: Any, dims: Any = None) -> Tensor:
    """The tensor with its elements moved on; those pushed out come in at the other end."""

def rot90(input: Tensor, k: int, dims: Any) -> Tensor:
    """The tensor turned by 90 degrees `k` times in the plane of two dimensions, from the first towards the second."""

def round(input: Tensor, *, decimals: int = 0) -> Tensor:
    """Each element rounded to `decimals` places after the point, halves to the even neighbour."""

def rsqrt(input: Tensor) -> Tensor:
    """One over the square root of each element."""

def scalar_cast(input_x: Any, input_y: _DType) -> Any:
    """A Python number as one of another type."""

def scalar_to_array(input_x: Any) -> Tensor:
    """A number as a 0-d tensor of its own dtype."""

def scalar_to_tensor(input_x: Any, dtype: _DType = ...) -> Tensor:
    """A number as a 0-d tensor."""

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

def scatter_nd(indices: Tensor, updates: Tensor, shape: Any) -> Tensor:
    """Zeros of a shape with updates added at coordinates, the rows of `indices`."""

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

def searchsorted(
    sorted_sequence: Tensor,
    values: Any,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Tensor | None = None,
) -> Tensor:
    """The positions, Int64, at which values would be put into an ordered sequence."""

def select(condition: Tensor, input: Operand, other: Operand) -> Tensor:
    """As `where`."""

def select_scatter(input: Tensor, src: Tensor, axis: int, index: int) -> Tensor:
    """The tensor with the part at one position along an axis replaced by `src`."""

def selu(input_x: Tensor) -> Tensor:
    """`elu` with the alpha and scale that keep mean and variance: 1.0507 * elu(x, 1.6733)."""

def sgn(input: Tensor) -> Tensor:
    """As `sign`; of complex numbers the number over its magnitude."""

def shape(input_x: Tensor) -> tuple[int, ...]:
    """The shape, a tuple of ints."""

def shuffle(x: Tensor, seed: int | None = None) -> Tensor:
    """The rows of a tensor in random order."""

def sigmoid(input: Tensor) -> Tensor:
    """1 / (1 + exp(-x))."""

def sign(input: Tensor) -> Tensor:
    """-1, 0 or 1 as the element is negative, zero or positive."""

def signbit(input: Tensor) -> Tensor:
    """Whether the sign of each element is set (that of -0.0 is): a Bool tensor."""

def silu(input: Tensor) -> Tensor:
    """x * sigmoid(x)."""

def sin(input: Tensor) -> Tensor:
    """Sine of each element, in radians."""

def sinc(input: Tensor) -> Tensor:
    """`sin(pi * x) / (pi * x)` of each element, and 1 at 0; of integers in Float32."""

def sinh(input: Tensor) -> Tensor:
    """Hyperbolic sine of each element."""

def size(input_x: Tensor) -> int:
    """Number of elements."""

def slice(input_x: Tensor, begin: Any, size: Any) -> Tensor:
    """The block of `size` (-1: up to the end) that begins at `begin`."""

def slice_scatter(
    input: Tensor,
    src: Tensor,
    axis: int = 0,
    start: int | None = None,
    end: int | None = None,
    step: int = 1,
) -> Tensor:
    """The tensor with the elements from `start` to `end` by `step` along an axis replaced by `src`."""

def slogdet(input: Tensor) -> tuple[Tensor, Tensor]:
    """The signs of the determinants of square matrices, and the logarithms of their magnitudes."""

def smooth_l1_loss(input: Tensor, target: Tensor, beta: float = 1.0, reduction: str = 'none') -> Tensor:
    """d² / (2 beta) for differences d nearer to 0 than `beta`, |d| - beta / 2 for the others."""

def soft_margin_loss(input: Tensor, target: Tensor, reduction: str = 'mean') -> Tensor:
    """log(1 + exp(-target * input)) for targets 1 and -1."""

def soft_shrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """The elements brought nearer to 0 by `lambd`; 0 in place of those that are nearer already."""

def softmax_cross_entropy_with_logits(logits: Tensor, labels: Tensor, axis: int = -1) -> Tensor:
    """The cross entropy between logits and probabilities along an axis, one number a row."""

def softplus(input: Tensor, beta: float = 1, threshold: float = 20) -> Tensor:
    """log(1 + exp(beta * x)) / beta, and x itself where beta * x is above the threshold."""

def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """The elements brought nearer to 0 by `lambd`; 0 in place of those that are nearer already."""

def softsign(x: Tensor) -> Tensor:
    """x / (1 + |x|)."""

def split(tensor: Tensor, split_size_or_sections: Any, axis: int = 0) -> tuple[Tensor, ...]:
    """The tensor cut along an axis into parts."""

def sqrt(x: Tensor) -> Tensor:
    """Square root of each element; nan where an element is negative."""

def square(input: Tensor) -> Tensor:
    """Square of each element."""

def standard_laplace(shape: Any, seed: int | None = None) -> Tensor:
    """Float32 numbers of the Laplace distribution with mean 0 and scale 1."""

def standard_normal(shape: Any, seed: int | None = None) -> Tensor:
    """Float32 numbers of the standard normal distribution."""

def std(input: Tensor, axis: Axis | None = None, ddof: Any = 0, keepdims: bool = False) -> Tensor:
    """Standard deviation over axes, the square root of `var`; arguments as there."""

def std_mean(input: Tensor, axis: Axis | None = None, ddof: Any = 0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Standard deviation and mean over axes; arguments as for `var`."""

def stop_gradient(value: Any) -> Any:
    """`value` (a tensor, or containers of them), through which no gradient passes."""

def sub(input: Operand, other: Operand, *, alpha: Any = 1) -> Tensor:
    """`input - alpha * other`, elementwise with broadcasting."""

def subtract(input: Operand, other: Operand, *, alpha: Any = 1) -> Tensor:
    """`input - alpha * other`, elementwise with broadcasting."""

def sum(input: Tensor, dim: Axis | None = None, keepdim: bool = False, *, dtype: _DType | None = None) -> Tensor:
    """Sum over axes."""

def svd(input: Tensor, full_matrices: bool = False, compute_uv: bool = True) -> Any:
    """The singular values of matrices, and matrices U and V with orthonormal columns: x is U @ diag(s) @ V.T."""

def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """The tensor with two dimensions exchanged."""

def swapdims(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """The tensor with two dimensions exchanged."""

def swiglu(input: Tensor, dim: int = -1) -> Tensor:
    """The silu of the first half along a dimension times the second half."""

def t(input: Tensor) -> Tensor:
    """The transpose of a matrix; vectors and 0-d tensors as they are. ValueError for more dimensions."""

def take(input: Tensor, index: Tensor) -> Tensor:
    """The elements, counted in C order, at some indices."""

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

def tensor_mul(input: Operand, other: Operand) -> Tensor:
    """Product of two tensors, or of a tensor and a number, elementwise with broadcasting."""

def tensor_pow(input: Operand, exponent: Operand) -> Tensor:
    """`input` to the power `exponent`; integers stay integers, elementwise with broadcasting."""

def tensor_range(start: Any, end: Any, step: Any, maxlen: int = 1000000) -> Tensor:
    """As `arange`, all bounds given."""

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

def tensor_split(input: Tensor, indices_or_sections: Any, axis: int = 0) -> tuple[Tensor, ...]:
    """The tensor cut along an axis into so many parts of nearly equal size, or before each of the indices."""

def tensor_sub(input: Operand, other: Operand, *, alpha: Any = 1) -> Tensor:
    """`input - alpha * other`, elementwise with broadcasting."""

def tile(input: Tensor, dims: Any) -> Tensor:
    """The tensor repeated as a whole, `dims[i]` times along dimension i; missing counts or dimensions are ones."""

def top_k(input_x: Tensor, k: Any, sorted: bool = True) -> tuple[Tensor, Tensor]:
    """The k largest elements along the last dimension, and their positions."""

def topk(
    input: Tensor,
    k: Any,
    dim: int | None = None,
    largest: bool = True,
    sorted: bool = True,
) -> tuple[Tensor, Tensor]:
    """The k largest (or smallest) elements along a dimension, the last by default, and their positions, Int32."""

def trace(input: Tensor) -> Tensor:
    """The sum of the diagonal of a matrix. ValueError for other shapes."""

def transpose(input: Tensor, dims: Any) -> Tensor:
    """The tensor with its dimensions in another order."""

def trapz(y: Tensor, x: Tensor | None = None, *, dx: float = 1.0, dim: int = -1) -> Tensor:
    """The integral of the samples y along an axis by the trapezoidal rule."""

def tril(input: Tensor, diagonal: int = 0) -> Tensor:
    """The lower triangles of matrices, up to a diagonal; zeros above."""

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

def triu(input: Tensor, diagonal: int = 0) -> Tensor:
    """The upper triangles of matrices, from a diagonal; zeros below."""

def true_divide(dividend: Operand, divisor: Operand) -> Tensor:
    """Quotient, elementwise with broadcasting; of integers and booleans in Float32."""

def trunc(input: Tensor) -> Tensor:
    """The elements without their fractions."""

def truncate_div(x: Operand, y: Operand) -> Tensor:
    """The quotient rounded towards zero, elementwise with broadcasting; integers stay integers."""

def truncate_mod(x: Operand, y: Operand) -> Tensor:
    """The rest of the division rounded towards zero, with the sign of the dividend, elementwise with broadcasting."""

def tuple_to_array(input_x: Sequence[Any]) -> Tensor:
    """A tuple of numbers as a tensor: Int32 of ints, Float32 where one is a float."""

def type_as(input: Tensor, other: Tensor) -> Tensor:
    """`input` in the dtype of `other`."""

def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """The tensors that lie along a dimension, as a tuple, without that dimension."""

def unfold(input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    """The windows of images (N, C, H, W) as columns: (N, C * kernel height * kernel width, number of windows)."""

def uniform(shape: Any, minval: Any, maxval: Any, seed: int | None = None, dtype: Any = ...) -> Tensor:
    """Numbers uniform in [minval, maxval)."""

def unique(input: Tensor) -> tuple[Tensor, Tensor]:
    """The different elements, in the order they first occur, and for each element which of them it is."""

def unique_consecutive(
    input: Tensor,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The first of each run of equal elements; optionally which run each element is in, and how long each run is."""

def unique_with_pad(x: Tensor, pad_num: Any) -> tuple[Tensor, Tensor]:
    """The different elements, filled up with `pad_num` to the length of x, and which of them each element is."""

def unsorted_segment_max(x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
    """The maxima of the rows with the same segment id; the lowest number for segments without rows."""

def unsorted_segment_min(x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
    """The minima of the rows with the same segment id; the largest number for segments without rows."""

def unsorted_segment_prod(x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
    """The products of the rows with the same segment id; ones for segments without rows."""

def unsorted_segment_sum(input_x: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
    """The sums of the rows with the same segment id; zeros for segments without rows."""

def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """The tensor with a new dimension of size one before position `dim`."""

def unstack(input_x: Tensor, axis: int = 0) -> tuple[Tensor, ...]:
    """The tensors that lie along an axis, as a tuple, without that axis."""

def upsample(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = 'nearest',
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
) -> Tensor:
    """Images (N, C, …) resized."""

def var(input: Tensor, axis: Axis | None = None, ddof: Any = 0, keepdims: bool = False) -> Tensor:
    """Variance over axes: the sum of squared distances from the mean, over the number of elements less `ddof`."""

def var_mean(input: Tensor, axis: Axis | None = None, ddof: Any = 0, keepdims: bool = False) -> tuple[Tensor, Tensor]:
    """Variance and mean over axes; arguments as for `var`."""

def view_as(input: Tensor, other: Tensor) -> Tensor:
    """The tensor in the shape of `other`."""

def vsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """The tensor cut along its first axis; see `tensor_split`."""

def xdivy(x: Operand, y: Operand) -> Tensor:
    """`x / y`, and 0 where `x` is 0, with broadcasting."""

def xlogy(input: Operand, other: Operand) -> Tensor:
    """`input * log(other)`, and 0 where `input` is 0, with broadcasting."""

def zeros(size: Any, dtype: _DType | None = None) -> Tensor:
    """Zeros of a shape."""

def zeros_like(input: Tensor, *, dtype: _DType | None = None) -> Tensor:
    """Zeros in the shape, and without `dtype` the dtype, of a tensor."""

def zeta(input: Tensor, other: Tensor) -> Tensor:
    """Hurwitz's zeta function: the sum of (other + k) ** -input over k = 0, 1, …, without a gradient."""
