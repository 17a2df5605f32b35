"""Summaries and examples of primitives with effects: updates of Parameters, draws, messages of processes, summaries."""

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
    *ops.PyFunc(lambda x: x + 1, (ms.float32,), ((1,),), (ms.float32,), ((1,),))(Tensor([1.0])) -> 2.0
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
