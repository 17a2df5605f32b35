# Written by tools/stubs.py: `make stubs` writes it again.
from collections.abc import Iterator
from .elementwise import Elementwise, ElementwiseInput, ElementwiseInputX
from ...frontend.values.cell import Cell as Cell
from ..containers import CellDict as CellDict, CellList as CellList, SequentialCell as SequentialCell
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
from .activation_smooth import CELU as CELU, ELU as ELU, GELU as GELU, GLU as GLU
from .activation_softmax import (
    LogSoftmax as LogSoftmax, Softmax as Softmax, Softmax2d as Softmax2d, Softmin as Softmin,
)
from .attention import MultiheadAttention as MultiheadAttention
from .basic import (
    ClipByNorm as ClipByNorm, Flatten as Flatten, Identity as Identity, L1Regularizer as L1Regularizer,
    Norm as Norm, OneHot as OneHot, ResizeBilinear as ResizeBilinear, Roll as Roll,
    TimeDistributed as TimeDistributed, Tril as Tril, Triu as Triu, Unflatten as Unflatten,
)
from .combined import Conv2dBnAct as Conv2dBnAct, DenseBnAct as DenseBnAct
from .conv import Conv1d as Conv1d, Conv2d as Conv2d, Conv3d as Conv3d
from .conv_transpose import (
    Conv1dTranspose as Conv1dTranspose, Conv2dTranspose as Conv2dTranspose, Conv3dTranspose as Conv3dTranspose,
)
from .dense import BiDense as BiDense, Dense as Dense, Linear as Linear
from .dropout import Dropout as Dropout, Dropout1d as Dropout1d, Dropout2d as Dropout2d, Dropout3d as Dropout3d
from .embedding import (
    Embedding as Embedding, EmbeddingLookup as EmbeddingLookup,
    MultiFieldEmbeddingLookup as MultiFieldEmbeddingLookup,
)
from .fractional import FractionalMaxPool2d as FractionalMaxPool2d, FractionalMaxPool3d as FractionalMaxPool3d
from .functions import (
    DiGamma as DiGamma, IGamma as IGamma, LBeta as LBeta, LGamma as LGamma, MatDet as MatDet,
    MatInverse as MatInverse, MatMul as MatMul, MatrixDiag as MatrixDiag, MatrixDiagPart as MatrixDiagPart,
    MatrixSetDiag as MatrixSetDiag, Moments as Moments, Range as Range, ReduceLogSumExp as ReduceLogSumExp,
)
from .graph_cell import GraphCell as GraphCell
from .image import (
    CentralCrop as CentralCrop, ChannelShuffle as ChannelShuffle, ImageGradients as ImageGradients,
    MSSSIM as MSSSIM, PSNR as PSNR, PixelShuffle as PixelShuffle, PixelUnshuffle as PixelUnshuffle, SSIM as SSIM,
    Unfold as Unfold, Upsample as Upsample,
)
from .learning_rate import (
    CosineDecayLR as CosineDecayLR, ExponentialDecayLR as ExponentialDecayLR, InverseDecayLR as InverseDecayLR,
    LearningRateSchedule as LearningRateSchedule, NaturalExpDecayLR as NaturalExpDecayLR,
    PolynomialDecayLR as PolynomialDecayLR, WarmUpLR as WarmUpLR,
)
from .loss import LossBase as LossBase
from .loss_classes import (
    BCELoss as BCELoss, BCEWithLogitsLoss as BCEWithLogitsLoss, CTCLoss as CTCLoss,
    CrossEntropyLoss as CrossEntropyLoss, FocalLoss as FocalLoss, NLLLoss as NLLLoss,
    SoftmaxCrossEntropyWithLogits as SoftmaxCrossEntropyWithLogits,
)
from .loss_elements import (
    GaussianNLLLoss as GaussianNLLLoss, HuberLoss as HuberLoss, KLDivLoss as KLDivLoss, L1Loss as L1Loss,
    MAELoss as MAELoss, MSELoss as MSELoss, PoissonNLLLoss as PoissonNLLLoss, RMSELoss as RMSELoss,
    SmoothL1Loss as SmoothL1Loss, SoftMarginLoss as SoftMarginLoss,
)
from .loss_margins import (
    CosineEmbeddingLoss as CosineEmbeddingLoss, HingeEmbeddingLoss as HingeEmbeddingLoss,
    MarginRankingLoss as MarginRankingLoss, MultiLabelSoftMarginLoss as MultiLabelSoftMarginLoss,
    MultiMarginLoss as MultiMarginLoss, MultilabelMarginLoss as MultilabelMarginLoss,
    TripletMarginLoss as TripletMarginLoss, TripletMarginWithDistanceLoss as TripletMarginWithDistanceLoss,
)
from .loss_scale import (
    DynamicLossScaleUpdateCell as DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell as FixedLossScaleUpdateCell,
    TrainOneStepWithLossScaleCell as TrainOneStepWithLossScaleCell,
)
from .loss_segments import (
    DiceLoss as DiceLoss, MultiClassDiceLoss as MultiClassDiceLoss, SampledSoftmaxLoss as SampledSoftmaxLoss,
)
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
from .micro_batches import (
    GradAccumulationCell as GradAccumulationCell, MicroBatchInterleaved as MicroBatchInterleaved,
    PipelineCell as PipelineCell, PipelineGradReducer as PipelineGradReducer,
)
from .normalization import (
    BatchNorm1d as BatchNorm1d, BatchNorm2d as BatchNorm2d, BatchNorm3d as BatchNorm3d,
    SyncBatchNorm as SyncBatchNorm,
)
from .normalization_layers import (
    GroupNorm as GroupNorm, InstanceNorm1d as InstanceNorm1d, InstanceNorm2d as InstanceNorm2d,
    InstanceNorm3d as InstanceNorm3d, LRN as LRN, LayerNorm as LayerNorm,
)
from .optim.adafactor import AdaFactor as AdaFactor
from .optim.adam import (
    AdaMax as AdaMax, Adam as Adam, AdamOffload as AdamOffload, AdamWeightDecay as AdamWeightDecay, Lamb as Lamb,
    LazyAdam as LazyAdam,
)
from .optim.adaptive import (
    Adadelta as Adadelta, Adagrad as Adagrad, FTRL as FTRL, ProximalAdagrad as ProximalAdagrad, RMSProp as RMSProp,
)
from .optim.descent import ASGD as ASGD, Momentum as Momentum, Rprop as Rprop, SGD as SGD
from .optim.lars import LARS as LARS, ParameterUpdate as ParameterUpdate
from .optim.optimizer import Optimizer as Optimizer
from .optim.registered import opt_init_args_register as opt_init_args_register
from .padding import (
    ConstantPad1d as ConstantPad1d, ConstantPad2d as ConstantPad2d, ConstantPad3d as ConstantPad3d, Pad as Pad,
    ReflectionPad1d as ReflectionPad1d, ReflectionPad2d as ReflectionPad2d, ReflectionPad3d as ReflectionPad3d,
    ReplicationPad1d as ReplicationPad1d, ReplicationPad2d as ReplicationPad2d,
    ReplicationPad3d as ReplicationPad3d, ZeroPad2d as ZeroPad2d,
)
from .pooling import (
    AvgPool1d as AvgPool1d, AvgPool2d as AvgPool2d, AvgPool3d as AvgPool3d, MaxPool1d as MaxPool1d,
    MaxPool2d as MaxPool2d, MaxPool3d as MaxPool3d,
)
from .pooling_adaptive import (
    AdaptiveAvgPool1d as AdaptiveAvgPool1d, AdaptiveAvgPool2d as AdaptiveAvgPool2d,
    AdaptiveAvgPool3d as AdaptiveAvgPool3d, AdaptiveMaxPool1d as AdaptiveMaxPool1d,
    AdaptiveMaxPool2d as AdaptiveMaxPool2d, AdaptiveMaxPool3d as AdaptiveMaxPool3d,
)
from .pooling_norms import (
    LPPool1d as LPPool1d, LPPool2d as LPPool2d, MaxUnpool1d as MaxUnpool1d, MaxUnpool2d as MaxUnpool2d,
    MaxUnpool3d as MaxUnpool3d,
)
from .rate_lists import (
    cosine_decay_lr as cosine_decay_lr, exponential_decay_lr as exponential_decay_lr,
    inverse_decay_lr as inverse_decay_lr, natural_exp_decay_lr as natural_exp_decay_lr,
    piecewise_constant_lr as piecewise_constant_lr, polynomial_decay_lr as polynomial_decay_lr,
    warmup_lr as warmup_lr,
)
from .recurrent import GRU as GRU, LSTM as LSTM, RNN as RNN
from .recurrent_cells import GRUCell as GRUCell, LSTMCell as LSTMCell, RNNCell as RNNCell
from .transformer import (
    Transformer as Transformer, TransformerDecoder as TransformerDecoder,
    TransformerDecoderLayer as TransformerDecoderLayer, TransformerEncoder as TransformerEncoder,
    TransformerEncoderLayer as TransformerEncoderLayer,
)
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

class HSigmoid(ElementwiseInput):
    """The hard sigmoid: relu6(x + 3) / 6 of each element."""

class HSwish(ElementwiseInput):
    """The hard swish: x · relu6(x + 3) / 6 of each element."""

class LogSigmoid(ElementwiseInputX):
    """log(1 / (1 + exp(-x))) of each element."""

class Mish(ElementwiseInputX):
    """x · tanh(log(1 + exp(x))) of each element."""

class ReLU(ElementwiseInput):
    """The rectified linear unit: max(x, 0) of each element."""

class ReLU6(Elementwise):
    """min(max(x, 0), 6) of each element."""

class SeLU(ElementwiseInputX):
    """The scaled exponential linear unit: s · x where x is positive, s · a · (exp(x) - 1) elsewhere."""

class SiLU(Elementwise):
    """x · sigmoid(x) of each element, also called swish."""

class Sigmoid(Elementwise):
    """1 / (1 + exp(-x)) of each element."""

class Softsign(Elementwise):
    """x / (1 + |x|) of each element."""

class Tanh(Elementwise):
    """The hyperbolic tangent of each element."""

class Tanhshrink(Elementwise):
    """x - tanh(x) of each element."""
