"""Summaries and examples of the primitives that are gradients of others, in the form of `examples.py`."""

TEXT = r"""
ACosGrad: The gradient of `ACos` by its inputs.
    ops.ACosGrad()(Tensor([0.5]), Tensor([1.0])) -> [-1.1547005]
AsinGrad: The gradient of `Asin` by its inputs.
    ops.AsinGrad()(Tensor([0.5]), Tensor([1.0])) -> [1.1547005]
AtanGrad: The gradient of `Atan` by its inputs.
    ops.AtanGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.8]
AbsGrad: The gradient of `Abs` by its inputs.
    ops.AbsGrad()(Tensor([0.5]), Tensor([1.0])) -> [1.]
AcoshGrad: The gradient of `Acosh` by its inputs.
    ops.AcoshGrad()(Tensor([2.0]), Tensor([1.0])) -> [0.27572057]
AsinhGrad: The gradient of `Asinh` by its inputs.
    ops.AsinhGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.8868188]
InvGrad: The gradient of `Inv` by its inputs.
    ops.InvGrad()(Tensor([0.5]), Tensor([1.0])) -> [-0.25]
ReciprocalGrad: The gradient of `Reciprocal` by its inputs.
    ops.ReciprocalGrad()(Tensor([0.5]), Tensor([1.0])) -> [-0.25]
RsqrtGrad: The gradient of `Rsqrt` by its inputs.
    ops.RsqrtGrad()(Tensor([0.5]), Tensor([1.0])) -> [-0.0625]
SqrtGrad: The gradient of `Sqrt` by its inputs.
    ops.SqrtGrad()(Tensor([0.5]), Tensor([1.0])) -> [1.]
TanhGrad: The gradient of `Tanh` by its inputs.
    ops.TanhGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.75]
SigmoidGrad: The gradient of `Sigmoid` by its inputs.
    ops.SigmoidGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.25]
EluGrad: The gradient of `Elu` by its inputs.
    ops.EluGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.5]
SeluGrad: The gradient of `SeLU` by its inputs.
    ops.SeluGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.5253505]
ReluGrad: The gradient of `ReLU` by its inputs.
    ops.ReluGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.5]
ReLU6Grad: The gradient of `ReLU6` by its inputs.
    ops.ReLU6Grad()(Tensor([0.5]), Tensor([1.0])) -> [0.5]
FastGeLUGrad: The gradient of `FastGeLU` by its inputs.
    ops.FastGeLUGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.53388983]
SiLUGrad: The gradient of `SiLU` by its inputs.
    ops.SiLUGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.46383527]
HSigmoidGrad: The gradient of `HSigmoid` by its inputs.
    ops.HSigmoidGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.08333334]
HSwishGrad: The gradient of `HSwish` by its inputs.
    ops.HSwishGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.4166667]
SoftplusGrad: The gradient of `Softplus` by its inputs.
    ops.SoftplusGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.3655293]
GeLUGrad: The gradient of `GeLU` by its inputs.
    ops.GeLUGrad()(Tensor([1.0]), Tensor([0.0]), Tensor([0.0])) -> [0.5]
HShrinkGrad: The gradient of `HShrink` by its inputs.
    ops.HShrinkGrad()(Tensor([1.0]), Tensor([2.0])) -> [1.]
SoftShrinkGrad: The gradient of `SoftShrink` by its inputs.
    ops.SoftShrinkGrad()(Tensor([1.0]), Tensor([2.0])) -> [1.]
LogitGrad: The gradient of `Logit` by its inputs.
    ops.LogitGrad()(Tensor([1.0]), Tensor([0.5])) -> [4.]
GluGrad: The gradient of `GLU` by its inputs.
    ops.GluGrad(0)(Tensor([1.0]), Tensor([1.0, 0.0])) -> [0.5  0.25]
MvlgammaGrad: The gradient of `Mvlgamma` by its inputs.
    ops.MvlgammaGrad(1)(Tensor([1.0]), Tensor([1.0])) -> [-0.5772157]
CholeskyGrad: The gradient of `Cholesky` by its inputs.
    ops.CholeskyGrad()(Tensor([[2.0]]), Tensor([[1.0]])) -> [[0.25]]
PdistGrad: The gradient of `Pdist` by its inputs.
    ops.PdistGrad()(Tensor([1.0]), Tensor([[0.0, 0.0], [3.0, 4.0]]), Tensor([5.0])) -> [[-0.6 -0.8]\n [ 0.6  0.8]]
LogSoftmaxGrad: The gradient of `LogSoftmax` by its inputs.
    ops.LogSoftmaxGrad()(Tensor([0.0]), Tensor([1.0])) -> [0.]
SoftmaxGrad: The gradient of `Softmax` by its inputs.
    ops.SoftmaxGrad()(Tensor([0.5, 0.5]), Tensor([1.0, 0.0])) -> [ 0.25 -0.25]
PReLUGrad: The gradient of `PReLU` by its inputs.
    ops.PReLUGrad()(Tensor([1.0, 1.0]), Tensor([-1.0, 2.0]), Tensor([0.25]))[0] -> [0.25 1.  ]
MaximumGrad: The gradient of `Maximum` by its inputs.
    *ops.MaximumGrad()(Tensor([1.0]), Tensor([2.0]), Tensor([1.0])) -> [0.] [1.]
MinimumGrad: The gradient of `Minimum` by its inputs.
    *ops.MinimumGrad()(Tensor([1.0]), Tensor([2.0]), Tensor([1.0])) -> [1.] [0.]
MaximumGradGrad: The gradient of `MaximumGrad` by its inputs.
    ops.MaximumGradGrad()(Tensor([1.0]), Tensor([2.0]), Tensor([1.0]), Tensor([3.0]))[2] -> [3.]
MinimumGradGrad: The gradient of `MinimumGrad` by its inputs.
    ops.MinimumGradGrad()(Tensor([1.0]), Tensor([2.0]), Tensor([1.0]), Tensor([3.0]))[2] -> [1.]
BiasAddGrad: The gradient of `BiasAdd` by its inputs.
    ops.BiasAddGrad()(Tensor([[1.0, 2.0], [3.0, 4.0]])) -> [4. 6.]
BinaryCrossEntropyGrad: The gradient of `BinaryCrossEntropy` by its inputs.
    ops.BinaryCrossEntropyGrad()(Tensor([0.5]), Tensor([1.0]), Tensor(1.0), Tensor([1.0])) -> [-2.]
SigmoidCrossEntropyWithLogitsGrad: The gradient of `SigmoidCrossEntropyWithLogits` by its inputs.
    ops.SigmoidCrossEntropyWithLogitsGrad()(Tensor([0.0]), Tensor([1.0]), Tensor([1.0])) -> [-0.5]
SmoothL1LossGrad: The gradient of `SmoothL1Loss` by its inputs.
    ops.SmoothL1LossGrad()(Tensor([1.5]), Tensor([1.0]), Tensor([1.0])) -> [0.5]
KLDivLossGrad: The gradient of `KLDivLoss` by its inputs.
    ops.KLDivLossGrad()(Tensor(1.0), Tensor([0.5]), Tensor([0.5])) -> [-0.5]
SoftMarginLossGrad: The gradient of `SoftMarginLoss` by its inputs.
    ops.SoftMarginLossGrad()(Tensor([0.0]), Tensor([1.0]), Tensor(1.0)) -> [-0.5]
NLLLossGrad: The gradient of `NLLLoss` by its inputs.
    ops.NLLLossGrad()(Tensor([[0.0, -1.0]]), Tensor(1.0), Tensor([1]), Tensor([1.0, 1.0]), Tensor(1.0)) -> [[ 0. -1.]]
MultiMarginLossGrad: The gradient of `MultiMarginLoss` by its inputs.
    ops.MultiMarginLossGrad()(Tensor(1.0), Tensor([[0.1, 0.9]]), Tensor([1]), None) -> [[ 0.5 -0.5]]
MultilabelMarginLossGrad: The gradient of `MultilabelMarginLoss` by its inputs.
    ops.MultilabelMarginLossGrad()(Tensor(1.0), Tensor([[0.1, 0.9]]), Tensor([[1, -1]]), None) -> [[ 0.5 -0.5]]
L2NormalizeGrad: The gradient of `L2Normalize` by its inputs.
    ops.L2NormalizeGrad()(Tensor([3.0, 4.0]), Tensor([0.6, 0.8]), Tensor([0.0, 0.0])) -> [0. 0.]
LayerNormGrad: The gradient of `LayerNorm` by its inputs.
    x, y, z, a, b = Tensor([[1.0, 3.0]]), Tensor([[1.0, 1.0]]), Tensor([[1.0]]), Tensor([[2.0]]), Tensor([1.0, 1.0])
    ops.LayerNormGrad()(x, y, z, a, b)[2] -> [1. 1.]
RmsNormGrad: The gradient of `RmsNorm` by its inputs.
    ops.RmsNormGrad()(Tensor([[0.0, 0.0]]), Tensor([[1.0, 1.0]]), Tensor([[1.0]]), Tensor([1.0, 1.0]))[0] -> [[0. 0.]]
BatchNormGrad: The gradient of `BatchNorm` by its inputs.
    x, y, z, a, b, c = Tensor([[1.0]]), Tensor([[1.0]]), Tensor([2.0]), Tensor([0.0]), Tensor([1.0]), Tensor([0.0])
    ops.BatchNormGrad()(x, y, z, a, b, c)[2] -> [1.]
LRNGrad: The gradient of `LRN` by its inputs.
    ops.LRNGrad()(ops.zeros((1, 1, 1, 1)), ops.ones((1, 1, 1, 1)), ops.ones((1, 1, 1, 1))) -> [[[[0.]]]]
MaxPoolGrad: The gradient of `MaxPool` by its inputs.
    x, y, z = Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), Tensor([[[[4.0]]]]), Tensor([[[[1.0]]]])
    ops.MaxPoolGrad(2, 2)(x, y, z).shape -> (1, 1, 2, 2)
AvgPoolGrad: The gradient of `AvgPool` by its inputs.
    x, y, z = Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), Tensor([[[[2.5]]]]), Tensor([[[[1.0]]]])
    ops.AvgPoolGrad(2, 2)(x, y, z).shape -> (1, 1, 2, 2)
MaxPoolGradV1: The gradient of `MaxPool` by its inputs.
    x, y, z = Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), Tensor([[[[4.0]]]]), Tensor([[[[1.0]]]])
    ops.MaxPoolGradV1(2, 2)(x, y, z).shape -> (1, 1, 2, 2)
MaxPoolGradGrad: The gradient of `MaxPoolGrad` by its inputs.
    x, y, z = Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), Tensor([[[[4.0]]]]), ops.ones((1, 1, 2, 2))
    ops.MaxPoolGradGrad(2, 2)(x, y, z) -> [[[[1.]]]]
MaxPool3DGrad: The gradient of `MaxPool3D` by its inputs.
    x, y, z = ops.ones((1, 1, 1, 1, 1)), ops.ones((1, 1, 1, 1, 1)), ops.ones((1, 1, 1, 1, 1))
    ops.MaxPool3DGrad()(x, y, z) -> [[[[[1.]]]]]
AvgPool3DGrad: The gradient of `AvgPool3D` by its inputs.
    ops.AvgPool3DGrad()((1, 1, 1, 1, 1), ops.ones((1, 1, 1, 1, 1))) -> [[[[[1.]]]]]
MaxPoolGradWithArgmaxV2: The gradient of `MaxPoolWithArgmax` by its inputs.
    x, y, z = ops.ones((1, 1, 2, 2)), Tensor([[[[1.0]]]]), Tensor([[[[3]]]])
    ops.MaxPoolGradWithArgmaxV2(2)(x, y, z).shape -> (1, 1, 2, 2)
MaxPool3DGradWithArgmax: The gradient of `MaxPool3DWithArgmax` by its inputs.
    x, y, z = ops.ones((1, 1, 1, 1, 1)), ops.ones((1, 1, 1, 1, 1)), ops.zeros((1, 1, 1, 1, 1), ms.int64)
    ops.MaxPool3DGradWithArgmax(1, 1, 0)(x, y, z) -> [[[[[1.]]]]]
FractionalMaxPoolGradWithFixedKsize: The gradient of `FractionalMaxPoolWithFixedKsize` by its inputs.
    x, y, z = ops.ones((1, 1, 1, 2)), Tensor([[[[1.0]]]]), Tensor([[[[1]]]])
    ops.FractionalMaxPoolGradWithFixedKsize()(x, y, z) -> [[[[0. 1.]]]]
FractionalMaxPool3DGradWithFixedKsize: The gradient of `FractionalMaxPool3DWithFixedKsize` by its inputs.
    x, y, z = ops.ones((1, 1, 1, 1, 2)), Tensor([[[[[1.0]]]]]), Tensor([[[[[1]]]]])
    ops.FractionalMaxPool3DGradWithFixedKsize()(x, y, z) -> [[[[[0. 1.]]]]]
MaxUnpool2DGrad: The gradient of `MaxUnpool2D` by its inputs.
    ops.MaxUnpool2DGrad((1, 2))(Tensor([[[[3.0]]]]), ops.ones((1, 1, 1, 2)), Tensor([[[[1]]]])) -> [[[[1.]]]]
MaxUnpool3DGrad: The gradient of `MaxUnpool3D` by its inputs.
    x, y, z = Tensor([[[[[3.0]]]]]), ops.ones((1, 1, 1, 1, 2)), Tensor([[[[[1]]]]])
    ops.MaxUnpool3DGrad((1, 1, 2))(x, y, z) -> [[[[[1.]]]]]
AdaptiveAvgPool2DGrad: The gradient of `AdaptiveAvgPool2D` by its inputs.
    ops.AdaptiveAvgPool2DGrad()(Tensor([[[[1.0]]]]), (1, 1, 1, 2)) -> [[[[0.5 0.5]]]]
AdaptiveAvgPool3DGrad: The gradient of `AdaptiveAvgPool3D` by its inputs.
    ops.AdaptiveAvgPool3DGrad()(Tensor([[[[[1.0]]]]]), (1, 1, 1, 1, 2)) -> [[[[[0.5 0.5]]]]]
AdaptiveMaxPool2DGrad: The gradient of `AdaptiveMaxPool2D` by its inputs.
    ops.AdaptiveMaxPool2DGrad()(Tensor([[[[1.0]]]]), ops.ones((1, 1, 1, 2)), Tensor([[[[1]]]])) -> [[[[0. 1.]]]]
AdaptiveMaxPool3DGrad: The gradient of `AdaptiveMaxPool3D` by its inputs.
    x, y, z = Tensor([[[[[1.0]]]]]), ops.ones((1, 1, 1, 1, 2)), Tensor([[[[[1]]]]])
    ops.AdaptiveMaxPool3DGrad()(x, y, z) -> [[[[[0. 1.]]]]]
Conv2DBackpropFilter: The gradient of `Conv2D` by its weight.
    ops.Conv2DBackpropFilter(1, 1)(ops.ones((1, 1, 2, 2)), ops.ones((1, 1, 2, 2)), (1, 1, 1, 1)) -> [[[[4.]]]]
Conv3DBackpropFilter: The gradient of `Conv3D` by its weight.
    x, y, z = ops.ones((1, 1, 1, 2, 2)), ops.ones((1, 1, 1, 2, 2)), (1, 1, 1, 1, 1)
    ops.Conv3DBackpropFilter(1, 1)(x, y, z) -> [[[[[4.]]]]]
ResizeBilinearGrad: The gradient of `ResizeBilinear` by its inputs.
    ops.ResizeBilinearGrad()(ops.ones((1, 1, 1, 2)), ops.ones((1, 1, 1, 1))) -> [[[[2.]]]]
ResizeNearestNeighborGrad: The gradient of `ResizeNearestNeighbor` by its inputs.
    ops.ResizeNearestNeighborGrad()(ops.ones((1, 1, 1, 2)), (1, 1)) -> [[[[2.]]]]
SliceGrad: The gradient of `Slice` by its inputs.
    ops.SliceGrad()(Tensor([1.0]), Tensor([1.0, 2.0]), (1,), (1,)) -> [0. 1.]
StridedSliceGrad: The gradient of `StridedSlice` by its inputs.
    ops.StridedSliceGrad()(Tensor([1.0]), (2,), (0,), (1,), (1,)) -> [1. 0.]
MirrorPadGrad: The gradient of `MirrorPad` by its inputs.
    ops.MirrorPadGrad()(Tensor([1.0, 1.0, 1.0, 1.0]), Tensor([[1, 1]])) -> [2. 2.]
FlattenGrad: The gradient of `Flatten` by its inputs.
    ops.FlattenGrad()(Tensor([[1.0, 2.0]]), (1, 2, 1)).shape -> (1, 2, 1)
DropoutGrad: The gradient of `Dropout` by its inputs.
    ops.DropoutGrad(1.0)(Tensor([1.0]), Tensor([1.0])) -> [1.]
UniqueGrad: The gradient of `Unique` by its inputs.
    ops.UniqueGrad()((Tensor([1.0, 2.0]), Tensor([0])), (Tensor([5.0, 6.0]), Tensor([0, 1, 0]))) -> [1. 2. 1.]
MaskedSelectGrad: The gradient of `MaskedSelect` by its inputs.
    ops.MaskedSelectGrad()(Tensor([1.0, 2.0]), Tensor([True, False]), Tensor([5.0])) -> [5. 0.]
GatherDGradV2: The gradient of `GatherD` by its inputs.
    ops.GatherDGradV2()(Tensor([1.0, 2.0]), 0, Tensor([1]), Tensor([5.0])) -> [0. 5.]
GridSampler2DGrad: The gradient of `GridSampler2D` by its inputs.
    x, y, z = ops.ones((1, 1, 1, 1)), ops.ones((1, 1, 2, 2)), ops.zeros((1, 1, 1, 2))
    ops.GridSampler2DGrad()(x, y, z)[0].shape -> (1, 1, 2, 2)
GridSampler3DGrad: The gradient of `GridSampler3D` by its inputs.
    x, y, z = ops.ones((1, 1, 1, 1, 1)), ops.ones((1, 1, 2, 2, 2)), ops.zeros((1, 1, 1, 1, 3))
    ops.GridSampler3DGrad()(x, y, z)[0].shape -> (1, 1, 2, 2, 2)
AffineGridGrad: The gradient of `AffineGrid` by its inputs.
    ops.AffineGridGrad()(ops.ones((1, 2, 2, 2)), (1, 1, 2, 2)).shape -> (1, 2, 3)
TraceGrad: The gradient of `Trace` by its inputs.
    ops.TraceGrad()(Tensor(1.0), (2, 2)).shape -> (2, 2)
"""
