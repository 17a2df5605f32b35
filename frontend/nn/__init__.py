"""Layers, losses, optimizers, schedules, wrappers and metrics (`mindspore.nn`)."""

from __future__ import annotations

from ..cell import Cell
from . import learning_rate as learning_rate_schedule, optim
from .activation import (
    CELU, ELU, GELU, GLU, FastGelu, Hardtanh, HShrink, HSigmoid, HSwish, LeakyReLU, LogSigmoid, LogSoftmax, Mish, PReLU,
    ReLU, ReLU6, RReLU, SeLU, Sigmoid, SiLU, Softmax, Softmax2d, Softmin, SoftShrink, Softsign, Tanh, Tanhshrink,
    Threshold, get_activation,
)
from .basic import (
    BiDense, ClipByNorm, Dense, Dropout, Dropout1d, Dropout2d, Dropout3d, Flatten, Identity, L1Regularizer, Linear, Norm,
    OneHot, ResizeBilinear, Roll, TimeDistributed, Tril, Triu, Unflatten,
)
from .container import CellDict, CellList, SequentialCell
from .conv import Conv1d, Conv1dTranspose, Conv2d, Conv2dTranspose, Conv3d, Conv3dTranspose
from .embedding import Embedding, EmbeddingLookup, MultiFieldEmbeddingLookup
from .learning_rate import (
    CosineDecayLR, ExponentialDecayLR, InverseDecayLR, LearningRateSchedule, NaturalExpDecayLR, PolynomialDecayLR,
    WarmUpLR, cosine_decay_lr, exponential_decay_lr, inverse_decay_lr, natural_exp_decay_lr, piecewise_constant_lr,
    polynomial_decay_lr, warmup_lr,
)
from .loss import (
    BCELoss, BCEWithLogitsLoss, CrossEntropyLoss, HuberLoss, KLDivLoss, L1Loss, LossBase, MAELoss, MSELoss, NLLLoss,
    RMSELoss, SmoothL1Loss, SoftMarginLoss, SoftmaxCrossEntropyWithLogits,
)
from .loss_more import (
    CTCLoss, CosineEmbeddingLoss, DiceLoss, FocalLoss, GaussianNLLLoss, HingeEmbeddingLoss, MarginRankingLoss,
    MultiClassDiceLoss, MultiLabelSoftMarginLoss, MultilabelMarginLoss, MultiMarginLoss, PoissonNLLLoss,
    SampledSoftmaxLoss, TripletMarginLoss, TripletMarginWithDistanceLoss,
)
from .normalization import (
    LRN, BatchNorm1d, BatchNorm2d, BatchNorm3d, GroupNorm, InstanceNorm1d, InstanceNorm2d, InstanceNorm3d, LayerNorm,
    SyncBatchNorm,
)
from .optim import (
    ASGD, FTRL, LARS, SGD, AdaFactor, AdaMax, Adadelta, Adagrad, Adam, AdamOffload, AdamWeightDecay, Lamb, LazyAdam,
    Momentum, Optimizer, ParameterUpdate, ProximalAdagrad, RMSProp, Rprop,
)
from .padding import (
    ConstantPad1d, ConstantPad2d, ConstantPad3d, Pad, ReflectionPad1d, ReflectionPad2d, ReflectionPad3d,
    ReplicationPad1d, ReplicationPad2d, ReplicationPad3d, ZeroPad2d,
)
from .pooling import (
    AdaptiveAvgPool1d, AdaptiveAvgPool2d, AdaptiveAvgPool3d, AdaptiveMaxPool1d, AdaptiveMaxPool2d, AdaptiveMaxPool3d,
    AvgPool1d, AvgPool2d, AvgPool3d, LPPool1d, LPPool2d, MaxPool1d, MaxPool2d, MaxPool3d, MaxUnpool1d, MaxUnpool2d,
    MaxUnpool3d,
)  # fmt: skip
from .attention import (
    MultiheadAttention, Transformer, TransformerDecoder, TransformerDecoderLayer, TransformerEncoder,
    TransformerEncoderLayer,
)
from .loss_scale import DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell, TrainOneStepWithLossScaleCell
from .recurrent import GRU, LSTM, RNN, GRUCell, LSTMCell, RNNCell
from .wrap import (
    DistributedGradReducer, ForwardValueAndGrad, GradAccumulationCell, MicroBatchInterleaved, PipelineCell,
    PipelineGradReducer, TrainOneStepCell, WithEvalCell, WithGradCell, WithLossCell,
)  # fmt: skip
from .metrics import *  # noqa: F403
from .combined import Conv2dBnAct, DenseBnAct
from .functions import (
    DiGamma, LBeta, LGamma, MatDet, MatInverse, MatMul, MatrixDiag, MatrixDiagPart, Moments, Range, ReduceLogSumExp,
)
from .image import (
    MSSSIM, PSNR, SSIM, CentralCrop, ChannelShuffle, ImageGradients, PixelShuffle, PixelUnshuffle, Unfold, Upsample,
)  # fmt: skip
