"""Summaries and examples of primitives with effects (updates of Parameters, draws, messages), and of gradients."""

TEXT = r"""
ApplyMomentum: Momentum: the accumulation and the variable after a step.
    v = Parameter(Tensor([1.0]), name="v")
    a = Parameter(Tensor([0.0]), name="a")
    ops.ApplyMomentum()(v, a, 0.5, Tensor([1.0]), 0.9) -> [0.5]
FusedWeightScaleApplyMomentum: Momentum with weight decay and a scaled gradient.
    v = Parameter(Tensor([1.0]), name="v")
    a = Parameter(Tensor([0.0]), name="a")
    ops.FusedWeightScaleApplyMomentum()(0.0, 1.0, v, a, 0.5, Tensor([1.0]), 0.9) -> [0.5]
ApplyGradientDescent: The variable less the scaled gradient.
    v = Parameter(Tensor([1.0]), name="v")
    ops.ApplyGradientDescent()(v, 0.5, Tensor([1.0])) -> [0.5]
ApplyAdagrad: Adagrad: the variable and the sum of squares after a step.
    v = Parameter(Tensor([1.0]), name="v")
    a = Parameter(Tensor([0.0]), name="a")
    *ops.ApplyAdagrad()(v, a, 0.5, Tensor([2.0])) -> [0.5] [4.]
ApplyAdagradV2: Adagrad with an epsilon.
    v = Parameter(Tensor([1.0]), name="v")
    a = Parameter(Tensor([0.0]), name="a")
    *ops.ApplyAdagradV2(0.0)(v, a, 0.5, Tensor([2.0])) -> [0.5] [4.]
ApplyRMSProp: RMSProp: the variable after a step.
    v, m, s = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 0.0, 0.5))
    ops.ApplyRMSProp()(v, m, s, 0.1, Tensor([0.0]), 0.9, 0.0, 1.0) -> [1.]
ApplyAdadelta: Adadelta: the variable and both states after a step.
    v, m, s = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 0.0, 0.5))
    ops.ApplyAdadelta()(v, m, s, 0.1, 0.9, 1.0, Tensor([0.0]))[0] -> [1.]
ApplyAdaMax: AdaMax: the variable and both moments after a step.
    v, m, s = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 0.0, 0.5))
    ops.ApplyAdaMax()(v, m, s, 0.9, 0.1, 0.9, 0.99, 1.0, Tensor([0.0]))[0] -> [1.]
Adam: Adam: the variable and both moments after a step.
    v, m, s = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 0.0, 0.5))
    ops.Adam()(v, m, s, 0.9, 0.99, 0.1, 0.9, 0.99, 1.0, Tensor([0.0]))[0] -> [1.]
AdamWeightDecay: Adam with decay of the weights.
    v, m, s = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 0.0, 0.5))
    ops.AdamWeightDecay()(v, m, s, 0.1, 0.9, 0.99, 1.0, 0.0, Tensor([0.0]))[0] -> [1.]
FusedCastAdamWeightDecay: Adam with decay of the weights.
    v, m, s = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 0.0, 0.5))
    ops.FusedCastAdamWeightDecay()(v, m, s, 0.1, 0.9, 0.99, 1.0, 0.0, Tensor([0.0]))[0] -> [1.]
ApplyFtrl: FTRL: the variable after a step.
    v, m, s = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 0.5, 0.0))
    ops.ApplyFtrl()(v, m, s, Tensor([0.0]), 0.1, 0.0, 0.0, -0.5) -> [0.]
SGD: SGD with momentum: the variable after a step.
    v = Parameter(Tensor([1.0]), name="v")
    a = Parameter(Tensor([0.0]), name="a")
    s = Parameter(Tensor([1.0]), name="s")
    ops.SGD()(v, Tensor([1.0]), Tensor(0.5), a, Tensor(0.0), s) -> [0.5]
StandardNormal: Numbers of the standard normal distribution.
    ops.StandardNormal()((2,)).shape -> (2,)
StandardLaplace: Numbers of the Laplace distribution.
    ops.StandardLaplace()((2,)).shape -> (2,)
UniformReal: Numbers uniform in [0, 1).
    ops.UniformReal()((2,)).shape -> (2,)
UniformInt: Whole numbers uniform in [low, high).
    ops.UniformInt()((2,), Tensor(3), Tensor(4)) -> [3 3]
Randperm: The numbers below a count in random order.
    ops.Randperm(4)(Tensor(4)).shape -> (4,)
RandpermV2: The numbers below a count in random order.
    ops.RandpermV2()(4).shape -> (4,)
Multinomial: Positions drawn in proportion to weights.
    ops.Multinomial()(Tensor([[0.0, 1.0]]), 2) -> [[1 1]]
RandomShuffle: The rows in random order.
    ops.RandomShuffle()(Tensor([1, 1])) -> [1 1]
Bernoulli: 1 with a probability, else 0.
    ops.Bernoulli()(Tensor([0.5, 0.5]), 1.0) -> [1. 1.]
AllReduce: The sum, maximum, minimum or product over the processes of a group, on all of them.
    ops.AllReduce()(Tensor([1.0])) -> [1.]
AllGather: The rows of all processes of a group one after another, on all of them.
    ops.AllGather()(Tensor([1.0])) -> [1.]
ReduceScatter: The sum over the processes of a group, whose rows they share.
    ops.ReduceScatter()(Tensor([1.0])) -> [1.]
Reduce: The sum over the processes of a group, on one of them; zeros on the others.
    ops.Reduce(0)(Tensor([1.0])) -> [1.]
Broadcast: The tensors of one process, on all of a group.
    *ops.Broadcast(0)((Tensor([1.0]),)) -> [1.]
AlltoAll: Parts of one dimension, exchanged between the processes of a group and joined along another.
    ops.AlltoAll(1, 0, 0)(Tensor([1.0])) -> [1.]
CollectiveGather: The rows of all processes of a group, on one of them; zeros on the others.
    ops.CollectiveGather(0)(Tensor([1.0])) -> [1.]
CollectiveScatter: A share for each process of a group of the rows that one has.
    ops.CollectiveScatter()(Tensor([1.0])) -> [1.]
Depend: A value that comes after what an expression computes.
    ops.Depend()(Tensor([1.0]), Tensor([2.0])) -> [1.]
Partial: A function with its first arguments given.
    ops.Partial()(max, 1)(2) -> 2
MoveTo: The tensor: everything is on the CPU.
    ops.MoveTo()(Tensor([1.0]), "CPU") -> [1.]
PyFunc: What a Python function of arrays gives.
    *ops.PyFunc(lambda x: x + 1, (ms.float32,), ((1,),), (ms.float32,), ((1,),))(Tensor([1.0])) -> [2.]
DropoutGenMask: A mask of bits for dropout.
    ops.DropoutGenMask()((8,), Tensor(1.0)).dtype -> UInt8
DropoutDoMask: The elements that a mask keeps, scaled up.
    ops.DropoutDoMask()(ops.ones((8,)), ops.DropoutGenMask()((8,), Tensor(1.0)), Tensor(1.0)).shape -> (8,)
NPUAllocFloatStatus: A status without overflow.
    ops.NPUAllocFloatStatus()().shape -> (8,)
Barrier: Waits until all processes of a group have come here.
    ops.Barrier()() -> None
NeighborExchange: Tensors sent to some processes of a group; those that come from others.
    ops.NeighborExchange([1], [1], ((2,),), ((2,),), ms.float32).name -> NeighborExchange
Send: Sends a tensor to another process of a group.
    ops.Send(0, 1).name -> Send
Receive: The tensor that another process of a group sends.
    ops.Receive(0, 1, (1,), ms.float32).name -> Receive
ScalarSummary: A number for the summary that a SummaryCollector writes.
    ops.ScalarSummary()("loss", Tensor(1.0)) -> None
ImageSummary: Images for the summary that a SummaryCollector writes.
    ops.ImageSummary()("images", ops.ones((1, 1, 2, 2))) -> None
TensorSummary: A tensor for the summary that a SummaryCollector writes.
    ops.TensorSummary()("weights", Tensor([1.0])) -> None
HistogramSummary: A tensor whose histogram a SummaryCollector writes.
    ops.HistogramSummary()("weights", Tensor([1.0])) -> None
NPUGetFloatStatus: A status without overflow.
    ops.NPUGetFloatStatus()(ops.zeros((8,))).shape -> (8,)
NPUClearFloatStatus: A status without overflow.
    ops.NPUClearFloatStatus()(ops.zeros((8,))).shape -> (8,)
Print: Prints tensors, numbers and strings, also from compiled functions.
    ops.Print()("a") -> a\nNone
Gamma: Numbers of a gamma distribution.
    ops.Gamma()((2,), Tensor([1.0]), Tensor([1.0])).shape -> (2, 1)
LogNormalReverse: Numbers whose logarithms are normally distributed, of a tensor's shape.
    ops.LogNormalReverse()(Tensor([1.0, 2.0])).shape -> (2,)
LogUniformCandidateSampler: Classes drawn, low ones more likely.
    ops.LogUniformCandidateSampler(1, 2, True, 5)(Tensor([[0]]))[0].shape -> (2,)
NonDeterministicInts: Whole numbers of all that a dtype has.
    ops.NonDeterministicInts()(Tensor([2])).shape -> (2,)
ParameterizedTruncatedNormal: Normally distributed numbers between bounds.
    low, high = Tensor([-1.0]), Tensor([1.0])
    ops.ParameterizedTruncatedNormal()(Tensor([2], ms.int32), Tensor([0.0]), Tensor([1.0]), low, high).shape -> (2,)
Poisson: Numbers of a Poisson distribution.
    ops.Poisson()((2,), Tensor([1.0])).shape -> (2, 1)
RandomGamma: Numbers of a gamma distribution of rate 1.
    ops.RandomGamma()(Tensor([2]), Tensor([1.0])).shape -> (2, 1)
RandomPoisson: Numbers of a Poisson distribution.
    ops.RandomPoisson()(Tensor([2]), Tensor([1.0])).shape -> (2, 1)
TruncatedNormal: Normally distributed numbers within two deviations.
    ops.TruncatedNormal()(Tensor([2])).shape -> (2,)
UniformCandidateSampler: Classes drawn evenly.
    ops.UniformCandidateSampler(1, 2, True, 5)(Tensor([[0]]))[0].shape -> (2,)
MultinomialWithReplacement: Positions drawn in proportion to weights.
    ops.MultinomialWithReplacement(1)(Tensor([[0.0, 1.0]]), 1, 1).shape -> (1, 1)
ApplyAdagradDA: Adagrad by dual averaging.
    v, m, s = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 0.0, 0.5))
    ops.ApplyAdagradDA()(v, m, s, Tensor([0.0]), 0.1, 0.0, 0.0, 1) -> [-0.]
ApplyAddSign: A larger step where gradient and moment agree.
    v, m = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 0.0))
    ops.ApplyAddSign()(v, m, 0.1, 1.0, 0.9, 0.9, Tensor([0.0]))[0] -> [1.]
ApplyPowerSign: A larger step where gradient and moment agree.
    v, m = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 0.0))
    ops.ApplyPowerSign()(v, m, 0.1, 1.0, 0.9, 0.9, Tensor([0.0]))[0] -> [1.]
ApplyCenteredRMSProp: RMSProp about the mean of the gradients.
    v, m, s, t = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 0.0, 0.5, 0.25))
    ops.ApplyCenteredRMSProp()(v, m, s, t, Tensor([0.0]), 0.1, 0.9, 0.0, 1.0) -> [1.]
ApplyKerasMomentum: Momentum as Keras has it.
    v, m = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 0.0))
    ops.ApplyKerasMomentum()(v, m, 0.5, Tensor([1.0]), 0.9)[0] -> [0.5]
ApplyProximalGradientDescent: Gradient descent with a proximal step.
    v = Parameter(Tensor([1.0]), name="v")
    ops.ApplyProximalGradientDescent()(v, 0.5, 0.0, 0.0, Tensor([1.0])) -> [0.5]
ApplyProximalAdagrad: Adagrad with a proximal step.
    v, m = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 3.0))
    ops.ApplyProximalAdagrad()(v, m, 0.5, 0.0, 0.0, Tensor([1.0]))[0] -> [0.75]
ApplyAdamWithAmsgrad: Adam with the largest second moment so far.
    v, m, s, t = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 0.0, 0.5, 0.25))
    ops.ApplyAdamWithAmsgrad()(v, m, s, t, 0.9, 0.99, 0.1, Tensor([0.0]))[0] -> [1.]
ApplyAdamWithAmsgradV2: Adam with the largest second moment so far.
    v, m, s, t = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 0.0, 0.5, 0.25))
    ops.ApplyAdamWithAmsgradV2()(v, m, s, t, 0.9, 0.99, 0.1, 0.9, 0.99, 1.0, Tensor([0.0]))[0] -> [1.]
AdamNoUpdateParam: What Adam would add to a variable.
    v, m = (Parameter(Tensor([x]), name=f"p{x}") for x in (0.0, 0.5))
    ops.AdamNoUpdateParam()(v, m, 0.9, 0.99, 0.1, 0.9, 0.99, 1.0, Tensor([1.0])).shape -> (1,)
LARSUpdate: The gradient scaled by the quotient of norms.
    ops.LARSUpdate()(Tensor([1.0]), Tensor([0.0]), Tensor(1.0), Tensor(1.0), 0.0, 0.1) -> [0.]
SparseApplyAdagrad: Adagrad for some rows.
    v, m = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 3.0))
    ops.SparseApplyAdagrad(0.5)(v, m, Tensor([1.0]), Tensor([0]))[0] -> [0.75]
SparseApplyAdagradV2: Adagrad with an epsilon, for some rows.
    v, m = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 3.0))
    ops.SparseApplyAdagradV2(0.5, 0.0)(v, m, Tensor([1.0]), Tensor([0]))[0] -> [0.75]
SparseApplyAdadelta: Adadelta for some rows.
    v, m, s = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 0.0, 0.5))
    ops.SparseApplyAdadelta(1.0)(v, m, s, 0.1, 0.9, Tensor([0.0]), Tensor([0]))[0] -> [1.]
SparseApplyFtrl: FTRL for some rows.
    v, m, s = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 0.5, 0.0))
    ops.SparseApplyFtrl(0.1, 0.0, 0.0, -0.5)(v, m, s, Tensor([0.0]), Tensor([0]))[0] -> [0.]
SparseApplyFtrlV2: FTRL for some rows, with shrinkage.
    v, m, s = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 0.5, 0.0))
    ops.SparseApplyFtrlV2(0.1, 0.0, 0.0, 0.0, -0.5)(v, m, s, Tensor([0.0]), Tensor([0]))[0] -> [0.]
SparseApplyProximalAdagrad: Adagrad with a proximal step, for some rows.
    v, m = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 3.0))
    ops.SparseApplyProximalAdagrad()(v, m, 0.5, 0.0, 0.0, Tensor([1.0]), Tensor([0]))[0] -> [0.75]
SparseApplyRMSProp: RMSProp for some rows.
    v, m, s = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 0.0, 0.5))
    ops.SparseApplyRMSProp(0.9, 0.0, 1.0)(v, m, s, 0.1, Tensor([0.0]), Tensor([0]))[0] -> [1.]
FusedSparseAdam: Adam with a gradient of some rows.
    v, m, s = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 0.0, 0.5))
    ops.FusedSparseAdam()(v, m, s, 0.9, 0.99, 0.1, 0.9, 0.99, 1.0, Tensor([0.0]), Tensor([0]))[0] -> [1.]
FusedSparseLazyAdam: Adam that leaves the other rows alone.
    v, m, s = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 0.0, 0.5))
    ops.FusedSparseLazyAdam()(v, m, s, 0.9, 0.99, 0.1, 0.9, 0.99, 1.0, Tensor([0.0]), Tensor([0]))[0] -> [1.]
FusedSparseFtrl: FTRL for some rows.
    v, m, s = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 0.5, 0.0))
    ops.FusedSparseFtrl(0.1, 0.0, 0.0, -0.5)(v, m, s, Tensor([0.0]), Tensor([0]))[0] -> [0.]
FusedSparseProximalAdagrad: Adagrad with a proximal step, for some rows.
    v, m = (Parameter(Tensor([x]), name=f"p{x}") for x in (1.0, 3.0))
    ops.FusedSparseProximalAdagrad()(v, m, 0.5, 0.0, 0.0, Tensor([1.0]), Tensor([0]))[0] -> [0.75]
"""


GRADIENTS = r"""
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
