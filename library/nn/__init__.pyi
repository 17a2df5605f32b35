# Written by tools/stubs.py: `make stubs` writes it again.
from collections.abc import Iterator
from .elementwise import Elementwise, ElementwiseInput, ElementwiseInputX
from ...frontend.values.cell import Cell as Cell
from ..containers import *
from . import (
    activation as activation, basic as basic, combined as combined, conv as conv, dense as dense,
    embedding as embedding, image as image, loss as loss, loss_scale as loss_scale, metric as metric,
    metrics as metrics, normalization as normalization, optim as optim, padding as padding, pooling as pooling,
    transformer as transformer, wrap as wrap, learning_rate as _learning_rate_schedule,
)
from .activation import get_activation as get_activation
from .activation_pieces import (
    HShrink as HShrink, Hardtanh as Hardtanh, LeakyReLU as LeakyReLU, PReLU as PReLU, RReLU as RReLU,
    SoftShrink as SoftShrink, Threshold as Threshold,
)
from .activation_smooth import (
    CELU as CELU, ELU as ELU, GELU as GELU, GLU as GLU, LogSoftmax as LogSoftmax, Softmax as Softmax,
    Softmax2d as Softmax2d, Softmin as Softmin,
)
from .attention import MultiheadAttention as MultiheadAttention
from .basic import *
from .combined import Conv2dBnAct as Conv2dBnAct, DenseBnAct as DenseBnAct
from .conv import *
from .conv_transpose import *
from .dense import *
from .dropout import *
from .embedding import *
from .fractional import FractionalMaxPool2d as FractionalMaxPool2d, FractionalMaxPool3d as FractionalMaxPool3d
from .functions import *
from .graph_cell import GraphCell as GraphCell
from .image import *
from .learning_rate import *
from .loss import LossBase as LossBase
from .loss_classes import *
from .loss_elements import *
from .loss_margins import *
from .loss_scale import *
from .loss_segments import *
from .metric import Loss as Loss, MAE as MAE, MSE as MSE, Metric as Metric, rearrange_inputs as rearrange_inputs
from .metrics import get_metric_fn as get_metric_fn, get_metrics as get_metrics, names as names
from .metrics_classes import (
    Accuracy as Accuracy, F1 as F1, Fbeta as Fbeta, Precision as Precision, Recall as Recall,
    Top1CategoricalAccuracy as Top1CategoricalAccuracy, Top5CategoricalAccuracy as Top5CategoricalAccuracy,
    TopKCategoricalAccuracy as TopKCategoricalAccuracy,
)
from .metrics_more import (
    BleuScore as BleuScore, ConfusionMatrix as ConfusionMatrix, CosineSimilarity as CosineSimilarity, Dice as Dice,
    Perplexity as Perplexity, ROC as ROC, auc as auc,
)
from .metrics_rates import ConfusionMatrixMetric as ConfusionMatrixMetric
from .metrics_surfaces import (
    HausdorffDistance as HausdorffDistance, MeanSurfaceDistance as MeanSurfaceDistance,
    OcclusionSensitivity as OcclusionSensitivity, RootMeanSquareDistance as RootMeanSquareDistance,
)
from .micro_batches import *
from .normalization import *
from .normalization_layers import *
from .optim.adam import (
    AdaMax as AdaMax, Adam as Adam, AdamOffload as AdamOffload, AdamWeightDecay as AdamWeightDecay, Lamb as Lamb,
    LazyAdam as LazyAdam,
)
from .optim.adaptive import (
    Adadelta as Adadelta, Adagrad as Adagrad, FTRL as FTRL, ProximalAdagrad as ProximalAdagrad, RMSProp as RMSProp,
)
from .optim.descent import ASGD as ASGD, Momentum as Momentum, Rprop as Rprop, SGD as SGD
from .optim.groups import opt_init_args_register as opt_init_args_register
from .optim.optimizer import Optimizer as Optimizer
from .optim.scaled import AdaFactor as AdaFactor, LARS as LARS, ParameterUpdate as ParameterUpdate
from .padding import *
from .pooling import *
from .pooling_adaptive import *
from .pooling_norms import *
from .rate_lists import *
from .recurrent import *
from .recurrent_cells import *
from .transformer import *
from .wrap import (
    DistributedGradReducer as DistributedGradReducer, ForwardValueAndGrad as ForwardValueAndGrad,
    TrainOneStepCell as TrainOneStepCell, WithEvalCell as WithEvalCell, WithGradCell as WithGradCell,
    WithLossCell as WithLossCell,
)
learning_rate_schedule = _learning_rate_schedule

def no_init_parameters() -> Iterator[None]:
    """A context in which MindSpore leaves Parameters without numbers until a checkpoint is loaded."""

class FastGelu(Elementwise):
    """x · sigmoid(1.702 · x) of each element, which is near GELU."""
    def __init__(self) -> None: ...

class HSigmoid(ElementwiseInput):
    """The hard sigmoid: relu6(x + 3) / 6 of each element."""
    def __init__(self) -> None: ...

class HSwish(ElementwiseInput):
    """The hard swish: x · relu6(x + 3) / 6 of each element."""
    def __init__(self) -> None: ...

class LogSigmoid(ElementwiseInputX):
    """log(1 / (1 + exp(-x))) of each element."""
    def __init__(self) -> None: ...

class Mish(ElementwiseInputX):
    """x · tanh(log(1 + exp(x))) of each element."""
    def __init__(self) -> None: ...

class ReLU(ElementwiseInput):
    """The rectified linear unit: max(x, 0) of each element."""
    def __init__(self) -> None: ...

class ReLU6(Elementwise):
    """min(max(x, 0), 6) of each element."""
    def __init__(self) -> None: ...

class SeLU(ElementwiseInputX):
    """The scaled exponential linear unit: s · x where x is positive, s · a · (exp(x) - 1) elsewhere."""
    def __init__(self) -> None: ...

class SiLU(Elementwise):
    """x · sigmoid(x) of each element, also called swish."""
    def __init__(self) -> None: ...

class Sigmoid(Elementwise):
    """1 / (1 + exp(-x)) of each element."""
    def __init__(self) -> None: ...

class Softsign(Elementwise):
    """x / (1 + |x|) of each element."""
    def __init__(self) -> None: ...

class Tanh(Elementwise):
    """The hyperbolic tangent of each element."""
    def __init__(self) -> None: ...

class Tanhshrink(Elementwise):
    """x - tanh(x) of each element."""
    def __init__(self) -> None: ...
