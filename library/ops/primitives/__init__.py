"""MindSpore's primitives, the operations as objects such as `ops.Concat(axis)`, made from tables."""

from __future__ import annotations

from typing import Any

from ...lazy import ROOT, LazyNames
from . import arrays, communication, elementwise, extended, layers, plain, recurrent, sequences, training
from .custom import Custom, TensorDump
from .primitive import Primitive, PrimitiveWithCheck, PrimitiveWithInfer, prim_arg_register, prim_attr_register

MODULES = (plain, elementwise, arrays, layers, recurrent, sequences, training, communication, extended)
CLASSES: dict[str, type[Primitive]] = {name: kind for module in MODULES for name, kind in module.CLASSES.items()}
globals().update(CLASSES)
ReduceOp = communication.ReduceOp
__all__ = [
    *CLASSES,
    "Custom",
    "Primitive",
    "PrimitiveWithCheck",
    "PrimitiveWithInfer",
    "ReduceOp",
    "TensorDump",
    "prim_arg_register",
    "prim_attr_register",
]

# MindSpore's functions that are instances of primitives.
_MADE: dict[str, Any] = CLASSES
reshape_, shape_, tensor_slice = (_MADE[name]() for name in ("Reshape", "Shape", "Slice"))
__all__ += ["reshape_", "shape_", "tensor_slice"]

# Loaded when they are first asked for: few programs make one of them.
_RARE = """
    ACosGrad AbsGrad AcoshGrad AdamNoUpdateParam AdaptiveAvgPool2DGrad AdaptiveAvgPool3DGrad AdaptiveMaxPool2DGrad
    AdaptiveMaxPool3D AdaptiveMaxPool3DGrad AddV2 AdjustContrastv2 AdjustHue AdjustSaturation AffineGridGrad
    ApplyAdagradDA ApplyAdamWithAmsgrad ApplyAdamWithAmsgradV2 ApplyAddSign ApplyCenteredRMSProp ApplyKerasMomentum
    ApplyPowerSign ApplyProximalAdagrad ApplyProximalGradientDescent AsinGrad AsinhGrad Assert AtanGrad AvgPool3DGrad
    AvgPoolGrad BartlettWindow BatchNormGrad BiasAddGrad BinaryCrossEntropyGrad Bincount BlackmanWindow
    CSRSparseMatrixToDense CSRSparseMatrixToSparseTensor CTCGreedyDecoder CTCLossV2 Cauchy CheckNumerics CholeskyGrad
    ClipByNorm Coalesce Col2Im CompareAndBitpack ComplexAbs ComputeAccidentalHits ConfusionMatrix ConjugateTranspose
    Conv2DBackpropFilter Conv3DBackpropFilter Conv3DTranspose DataFormatDimMap DataFormatVecPermute
    DenseToCSRSparseMatrix Dilation2D DropoutGrad EditDistance EluGrad EqualCount EuclideanNorm ExtractImagePatches
    ExtractVolumePatches FastGeLUGrad FlattenGrad FractionalMaxPool3DGradWithFixedKsize
    FractionalMaxPool3DWithFixedKsize FractionalMaxPoolGradWithFixedKsize FractionalMaxPoolWithFixedKsize
    FusedSparseAdam FusedSparseFtrl FusedSparseLazyAdam FusedSparseProximalAdagrad Gamma GatherDGradV2 GeLUGrad Geqrf
    GluGrad GridSampler2DGrad GridSampler3DGrad HSVToRGB HShrinkGrad HSigmoidGrad HSwishGrad HammingWindow Histogram
    HistogramFixedWidth IdentityN IndexPut InplaceUpdateV2 InstanceNorm InvGrad KLDivLossGrad L2NormalizeGrad
    LARSUpdate LRNGrad LayerNormGrad LerpScalar ListDiff LogNormalReverse LogSoftmaxGrad LogUniformCandidateSampler
    LogitGrad LowerBound Lstsq LuSolve LuUnpack MapUniform MaskedSelectGrad MatrixLogarithm MatrixSolveLs
    MatrixTriangularSolve MaxPool3DGrad MaxPool3DGradWithArgmax MaxPool3DWithArgmax MaxPoolGrad MaxPoolGradGrad
    MaxPoolGradV1 MaxPoolGradWithArgmax MaxPoolGradWithArgmaxV2 MaxPoolWithArgmaxV2 MaxUnpool2DGrad MaxUnpool3DGrad
    MaximumGrad MaximumGradGrad Median MinimumGrad MinimumGradGrad MirrorPadGrad MultiMarginLossGrad
    MultilabelMarginLossGrad MultinomialWithReplacement Mvlgamma MvlgammaGrad NLLLossGrad NoRepeatNGram
    NonDeterministicInts NonMaxSuppressionV3 NonMaxSuppressionWithOverlaps NthElement NuclearNorm Orgqr Ormqr
    PReLUGrad ParallelConcat ParameterizedTruncatedNormal PdistGrad Poisson Polygamma PopulationCount Quantile
    RGBToHSV RaggedRange RandomCategorical RandomGamma RandomPoisson ReLU6Grad ReLUV3 ReciprocalGrad ReduceStd
    ReluGrad ResizeArea ResizeBicubic ResizeBilinearGrad ResizeLinear1D ResizeNearestNeighborGrad RmsNormGrad
    RsqrtGrad ScatterAddWithAxis SegmentMax SegmentMean SegmentMin SegmentProd SegmentSum SelfAdjointEig SeluGrad
    SequenceMask SetSize SiLUGrad SigmoidCrossEntropyWithLogitsGrad SigmoidGrad SliceGrad SmoothL1LossGrad
    SoftMarginLossGrad SoftShrinkGrad SoftmaxGrad SoftplusGrad SparseAdd SparseAddmm SparseApplyAdadelta
    SparseApplyAdagrad SparseApplyAdagradV2 SparseApplyFtrl SparseApplyFtrlV2 SparseApplyProximalAdagrad
    SparseApplyRMSProp SparseConcat SparseDenseCwiseAdd SparseDenseCwiseDiv SparseDenseCwiseMul SparseFillEmptyRows
    SparseMatrixAdd SparseMatrixMatMul SparseMatrixNNZ SparseMatrixSoftmax SparseMatrixSparseMatMul
    SparseMatrixTranspose SparseReorder SparseReshape SparseSegmentMean SparseSegmentMeanWithNumSegments
    SparseSegmentSqrtN SparseSegmentSqrtNWithNumSegments SparseSegmentSum SparseSegmentSumWithNumSegments SparseSlice
    SparseSoftmax SparseSparseMaximum SparseSparseMinimum SparseSplit SparseTensorDenseAdd SparseTensorDenseMatmul
    SparseTensorToCSRSparseMatrix SparseToDense SparseToDenseV2 SqrtGrad SquareSumAll SquaredDifference Sspaddmm
    StridedSliceGrad SubAndFilter TanhGrad Trace TraceGrad TridiagonalMatMul TridiagonalSolve TripletMarginLoss
    TruncatedNormal UniformCandidateSampler UniqueGrad UniqueWithPad UnravelIndex UpperBound UpsampleNearest3D
    UpsampleTrilinear3D
"""
_MORE = LazyNames(__name__, dict.fromkeys(_RARE.split(), "library.ops.primitives.rare"), f"{ROOT}.ops")
__all__ += _MORE.places


def __getattr__(name: str) -> Any:
    return _MORE.find(name)
