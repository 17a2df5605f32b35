"""Summaries and examples of the primitives that are gradients of others, in the form of `examples.py`.

An entry without a summary is the gradient of the primitive that its name begins with. Its example may follow the name.
"""

TEXT = r"""
ACosGrad ops.ACosGrad()(Tensor([0.5]), Tensor([1.0])) -> [-1.1547005]
AsinGrad ops.AsinGrad()(Tensor([0.5]), Tensor([1.0])) -> [1.1547005]
AtanGrad ops.AtanGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.8]
AbsGrad ops.AbsGrad()(Tensor([0.5]), Tensor([1.0])) -> [1.]
AcoshGrad ops.AcoshGrad()(Tensor([2.0]), Tensor([1.0])) -> [0.27572057]
AsinhGrad ops.AsinhGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.8868188]
InvGrad ops.InvGrad()(Tensor([0.5]), Tensor([1.0])) -> [-0.25]
ReciprocalGrad ops.ReciprocalGrad()(Tensor([0.5]), Tensor([1.0])) -> [-0.25]
RsqrtGrad ops.RsqrtGrad()(Tensor([0.5]), Tensor([1.0])) -> [-0.0625]
SqrtGrad ops.SqrtGrad()(Tensor([0.5]), Tensor([1.0])) -> [1.]
TanhGrad ops.TanhGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.75]
SigmoidGrad ops.SigmoidGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.25]
EluGrad ops.EluGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.5]
SeluGrad: The gradient of `SeLU` by its inputs.
    ops.SeluGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.5253505]
ReluGrad: The gradient of `ReLU` by its inputs.
    ops.ReluGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.5]
ReLU6Grad ops.ReLU6Grad()(Tensor([0.5]), Tensor([1.0])) -> [0.5]
FastGeLUGrad ops.FastGeLUGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.53388983]
SiLUGrad ops.SiLUGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.46383527]
HSigmoidGrad ops.HSigmoidGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.08333334]
HSwishGrad ops.HSwishGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.4166667]
SoftplusGrad ops.SoftplusGrad()(Tensor([0.5]), Tensor([1.0])) -> [0.3655293]
GeLUGrad ops.GeLUGrad()(Tensor([1.0]), Tensor([0.0]), Tensor([0.0])) -> [0.5]
HShrinkGrad ops.HShrinkGrad()(Tensor([1.0]), Tensor([2.0])) -> [1.]
SoftShrinkGrad ops.SoftShrinkGrad()(Tensor([1.0]), Tensor([2.0])) -> [1.]
LogitGrad ops.LogitGrad()(Tensor([1.0]), Tensor([0.5])) -> [4.]
GluGrad: The gradient of `GLU` by its inputs.
    ops.GluGrad(0)(Tensor([1.0]), Tensor([1.0, 0.0])) -> [0.5  0.25]
MvlgammaGrad ops.MvlgammaGrad(1)(Tensor([1.0]), Tensor([1.0])) -> [-0.5772157]
CholeskyGrad ops.CholeskyGrad()(Tensor([[2.0]]), Tensor([[1.0]])) -> [[0.25]]
PdistGrad
    ops.PdistGrad()(Tensor([1.0]), Tensor([[0.0, 0.0], [3.0, 4.0]]), Tensor([5.0])) -> [[-0.6 -0.8]\n [ 0.6  0.8]]
LogSoftmaxGrad ops.LogSoftmaxGrad()(Tensor([0.0]), Tensor([1.0])) -> [0.]
SoftmaxGrad ops.SoftmaxGrad()(Tensor([0.5, 0.5]), Tensor([1.0, 0.0])) -> [ 0.25 -0.25]
PReLUGrad ops.PReLUGrad()(Tensor([1.0, 1.0]), Tensor([-1.0, 2.0]), Tensor([0.25]))[0] -> [0.25 1.  ]
MaximumGrad *ops.MaximumGrad()(Tensor([1.0]), Tensor([2.0]), Tensor([1.0])) -> [0.] [1.]
MinimumGrad *ops.MinimumGrad()(Tensor([1.0]), Tensor([2.0]), Tensor([1.0])) -> [1.] [0.]
MaximumGradGrad ops.MaximumGradGrad()(Tensor([1.0]), Tensor([2.0]), Tensor([1.0]), Tensor([3.0]))[2] -> [3.]
MinimumGradGrad ops.MinimumGradGrad()(Tensor([1.0]), Tensor([2.0]), Tensor([1.0]), Tensor([3.0]))[2] -> [1.]
BiasAddGrad ops.BiasAddGrad()(Tensor([[1.0, 2.0], [3.0, 4.0]])) -> [4. 6.]
BinaryCrossEntropyGrad ops.BinaryCrossEntropyGrad()(Tensor([0.5]), Tensor([1.0]), Tensor(1.0), Tensor([1.0])) -> [-2.]
SigmoidCrossEntropyWithLogitsGrad
    ops.SigmoidCrossEntropyWithLogitsGrad()(Tensor([0.0]), Tensor([1.0]), Tensor([1.0])) -> [-0.5]
SmoothL1LossGrad ops.SmoothL1LossGrad()(Tensor([1.5]), Tensor([1.0]), Tensor([1.0])) -> [0.5]
KLDivLossGrad ops.KLDivLossGrad()(Tensor(1.0), Tensor([0.5]), Tensor([0.5])) -> [-0.5]
SoftMarginLossGrad ops.SoftMarginLossGrad()(Tensor([0.0]), Tensor([1.0]), Tensor(1.0)) -> [-0.5]
NLLLossGrad
    ops.NLLLossGrad()(Tensor([[0.0, -1.0]]), Tensor(1.0), Tensor([1]), Tensor([1.0, 1.0]), Tensor(1.0)) -> [[ 0. -1.]]
MultiMarginLossGrad ops.MultiMarginLossGrad()(Tensor(1.0), Tensor([[0.1, 0.9]]), Tensor([1]), None) -> [[ 0.5 -0.5]]
MultilabelMarginLossGrad
    ops.MultilabelMarginLossGrad()(Tensor(1.0), Tensor([[0.1, 0.9]]), Tensor([[1, -1]]), None) -> [[ 0.5 -0.5]]
L2NormalizeGrad ops.L2NormalizeGrad()(Tensor([3.0, 4.0]), Tensor([0.6, 0.8]), Tensor([0.0, 0.0])) -> [0. 0.]
LayerNormGrad
    x, y, z, a, b = Tensor([[1.0, 3.0]]), Tensor([[1.0, 1.0]]), Tensor([[1.0]]), Tensor([[2.0]]), Tensor([1.0, 1.0])
    ops.LayerNormGrad()(x, y, z, a, b)[2] -> [1. 1.]
RmsNormGrad
    ops.RmsNormGrad()(Tensor([[0.0, 0.0]]), Tensor([[1.0, 1.0]]), Tensor([[1.0]]), Tensor([1.0, 1.0]))[0] -> [[0. 0.]]
BatchNormGrad
    x, y, z, a, b, c = Tensor([[1.0]]), Tensor([[1.0]]), Tensor([2.0]), Tensor([0.0]), Tensor([1.0]), Tensor([0.0])
    ops.BatchNormGrad()(x, y, z, a, b, c)[2] -> [1.]
LRNGrad ops.LRNGrad()(ops.zeros((1, 1, 1, 1)), ops.ones((1, 1, 1, 1)), ops.ones((1, 1, 1, 1))) -> [[[[0.]]]]
MaxPoolGrad
    x, y, z = Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), Tensor([[[[4.0]]]]), Tensor([[[[1.0]]]])
    ops.MaxPoolGrad(2, 2)(x, y, z).shape -> (1, 1, 2, 2)
AvgPoolGrad
    x, y, z = Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), Tensor([[[[2.5]]]]), Tensor([[[[1.0]]]])
    ops.AvgPoolGrad(2, 2)(x, y, z).shape -> (1, 1, 2, 2)
MaxPoolGradV1: The gradient of `MaxPool` by its inputs.
    x, y, z = Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), Tensor([[[[4.0]]]]), Tensor([[[[1.0]]]])
    ops.MaxPoolGradV1(2, 2)(x, y, z).shape -> (1, 1, 2, 2)
MaxPoolGradGrad
    x, y, z = Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]), Tensor([[[[4.0]]]]), ops.ones((1, 1, 2, 2))
    ops.MaxPoolGradGrad(2, 2)(x, y, z) -> [[[[1.]]]]
MaxPool3DGrad
    x, y, z = ops.ones((1, 1, 1, 1, 1)), ops.ones((1, 1, 1, 1, 1)), ops.ones((1, 1, 1, 1, 1))
    ops.MaxPool3DGrad()(x, y, z) -> [[[[[1.]]]]]
AvgPool3DGrad ops.AvgPool3DGrad()((1, 1, 1, 1, 1), ops.ones((1, 1, 1, 1, 1))) -> [[[[[1.]]]]]
MaxPoolGradWithArgmax: The gradient of `MaxPoolWithArgmax` by its input; places count through all channels.
    x, y, z = ops.ones((1, 2, 1, 1)), ops.ones((1, 2, 1, 1)), Tensor([[[[0]], [[1]]]])
    ops.MaxPoolGradWithArgmax(1, 1)(x, y, z).shape -> (1, 2, 1, 1)
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
MaxUnpool2DGrad
    ops.MaxUnpool2DGrad((1, 2))(Tensor([[[[3.0]]]]), ops.ones((1, 1, 1, 2)), Tensor([[[[1]]]])) -> [[[[1.]]]]
MaxUnpool3DGrad
    x, y, z = Tensor([[[[[3.0]]]]]), ops.ones((1, 1, 1, 1, 2)), Tensor([[[[[1]]]]])
    ops.MaxUnpool3DGrad((1, 1, 2))(x, y, z) -> [[[[[1.]]]]]
AdaptiveAvgPool2DGrad ops.AdaptiveAvgPool2DGrad()(Tensor([[[[1.0]]]]), (1, 1, 1, 2)) -> [[[[0.5 0.5]]]]
AdaptiveAvgPool3DGrad ops.AdaptiveAvgPool3DGrad()(Tensor([[[[[1.0]]]]]), (1, 1, 1, 1, 2)) -> [[[[[0.5 0.5]]]]]
AdaptiveMaxPool2DGrad
    ops.AdaptiveMaxPool2DGrad()(Tensor([[[[1.0]]]]), ops.ones((1, 1, 1, 2)), Tensor([[[[1]]]])) -> [[[[0. 1.]]]]
AdaptiveMaxPool3DGrad
    x, y, z = Tensor([[[[[1.0]]]]]), ops.ones((1, 1, 1, 1, 2)), Tensor([[[[[1]]]]])
    ops.AdaptiveMaxPool3DGrad()(x, y, z) -> [[[[[0. 1.]]]]]
Conv2DBackpropFilter: The gradient of `Conv2D` by its weight.
    ops.Conv2DBackpropFilter(1, 1)(ops.ones((1, 1, 2, 2)), ops.ones((1, 1, 2, 2)), (1, 1, 1, 1)) -> [[[[4.]]]]
Conv3DBackpropFilter: The gradient of `Conv3D` by its weight.
    x, y, z = ops.ones((1, 1, 1, 2, 2)), ops.ones((1, 1, 1, 2, 2)), (1, 1, 1, 1, 1)
    ops.Conv3DBackpropFilter(1, 1)(x, y, z) -> [[[[[4.]]]]]
ResizeBilinearGrad ops.ResizeBilinearGrad()(ops.ones((1, 1, 1, 2)), ops.ones((1, 1, 1, 1))) -> [[[[2.]]]]
ResizeNearestNeighborGrad ops.ResizeNearestNeighborGrad()(ops.ones((1, 1, 1, 2)), (1, 1)) -> [[[[2.]]]]
SliceGrad ops.SliceGrad()(Tensor([1.0]), Tensor([1.0, 2.0]), (1,), (1,)) -> [0. 1.]
StridedSliceGrad ops.StridedSliceGrad()(Tensor([1.0]), (2,), (0,), (1,), (1,)) -> [1. 0.]
MirrorPadGrad ops.MirrorPadGrad()(Tensor([1.0, 1.0, 1.0, 1.0]), Tensor([[1, 1]])) -> [2. 2.]
FlattenGrad ops.FlattenGrad()(Tensor([[1.0, 2.0]]), (1, 2, 1)).shape -> (1, 2, 1)
DropoutGrad ops.DropoutGrad(1.0)(Tensor([1.0]), Tensor([1.0])) -> [1.]
UniqueGrad ops.UniqueGrad()((Tensor([1.0, 2.0]), Tensor([0])), (Tensor([5.0, 6.0]), Tensor([0, 1, 0]))) -> [1. 2. 1.]
MaskedSelectGrad ops.MaskedSelectGrad()(Tensor([1.0, 2.0]), Tensor([True, False]), Tensor([5.0])) -> [5. 0.]
GatherDGradV2: The gradient of `GatherD` by its inputs.
    ops.GatherDGradV2()(Tensor([1.0, 2.0]), 0, Tensor([1]), Tensor([5.0])) -> [0. 5.]
GridSampler2DGrad
    x, y, z = ops.ones((1, 1, 1, 1)), ops.ones((1, 1, 2, 2)), ops.zeros((1, 1, 1, 2))
    ops.GridSampler2DGrad()(x, y, z)[0].shape -> (1, 1, 2, 2)
GridSampler3DGrad
    x, y, z = ops.ones((1, 1, 1, 1, 1)), ops.ones((1, 1, 2, 2, 2)), ops.zeros((1, 1, 1, 1, 3))
    ops.GridSampler3DGrad()(x, y, z)[0].shape -> (1, 1, 2, 2, 2)
AffineGridGrad ops.AffineGridGrad()(ops.ones((1, 2, 2, 2)), (1, 1, 2, 2)).shape -> (1, 2, 3)
TraceGrad ops.TraceGrad()(Tensor(1.0), (2, 2)).shape -> (2, 2)
"""
