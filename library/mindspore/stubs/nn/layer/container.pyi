# Written by tools/stubs.py: `make stubs` writes it again.
from mycel.frontend.values.cell import Cell
from mycel.library.containers import CellDict, CellList, SequentialCell
from mycel.library.nn import (
    activation, basic, combined, conv, dense, embedding, image, learning_rate as learning_rate_schedule, loss,
    loss_scale, metric, metrics, no_init_parameters, normalization, optim, padding, pooling, transformer, wrap,
)
from mycel.library.nn.activation import get_activation
from mycel.library.nn.activation_pieces import (
    HShrink, HSigmoid, HSwish, Hardtanh, LeakyReLU, PReLU, RReLU, ReLU, ReLU6, SoftShrink, Threshold,
)
from mycel.library.nn.activation_smooth import (
    CELU, ELU, FastGelu, GELU, GLU, LogSigmoid, Mish, SeLU, SiLU, Sigmoid, Softsign, Tanh, Tanhshrink,
)
from mycel.library.nn.activation_softmax import LogSoftmax, Softmax, Softmax2d, Softmin
from mycel.library.nn.attention import MultiheadAttention
from mycel.library.nn.basic import (
    ClipByNorm, Flatten, Identity, L1Regularizer, Norm, OneHot, ResizeBilinear, Roll, TimeDistributed, Tril, Triu,
    Unflatten,
)
from mycel.library.nn.combined import Conv2dBnAct, DenseBnAct
from mycel.library.nn.conv import Conv1d, Conv2d, Conv3d
from mycel.library.nn.conv_transpose import Conv1dTranspose, Conv2dTranspose, Conv3dTranspose
from mycel.library.nn.dense import BiDense, Dense, Linear
from mycel.library.nn.dropout import Dropout, Dropout1d, Dropout2d, Dropout3d
from mycel.library.nn.embedding import Embedding, EmbeddingLookup, MultiFieldEmbeddingLookup
from mycel.library.nn.functions import (
    DiGamma, IGamma, LBeta, LGamma, MatDet, MatInverse, MatMul, MatrixDiag, MatrixDiagPart, MatrixSetDiag, Moments,
    Range, ReduceLogSumExp,
)
from mycel.library.nn.gradient_cells import Jvp, Vjp
from mycel.library.nn.graph_cell import GraphCell
from mycel.library.nn.image import (
    CentralCrop, ChannelShuffle, ImageGradients, MSSSIM, PSNR, PixelShuffle, PixelUnshuffle, SSIM, Unfold, Upsample,
)
from mycel.library.nn.learning_rate import (
    CosineDecayLR, ExponentialDecayLR, InverseDecayLR, LearningRateSchedule, NaturalExpDecayLR, PolynomialDecayLR,
    WarmUpLR,
)
from mycel.library.nn.loss import LossBase
from mycel.library.nn.loss_classes import (
    BCELoss, BCEWithLogitsLoss, CTCLoss, CrossEntropyLoss, FocalLoss, NLLLoss, SoftmaxCrossEntropyWithLogits,
)
from mycel.library.nn.loss_elements import (
    GaussianNLLLoss, HuberLoss, KLDivLoss, L1Loss, MAELoss, MSELoss, PoissonNLLLoss, RMSELoss, SmoothL1Loss,
    SoftMarginLoss,
)
from mycel.library.nn.loss_margins import (
    CosineEmbeddingLoss, HingeEmbeddingLoss, MarginRankingLoss, MultiLabelSoftMarginLoss, MultiMarginLoss,
    MultilabelMarginLoss, TripletMarginLoss, TripletMarginWithDistanceLoss,
)
from mycel.library.nn.loss_scale import (
    DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell, TrainOneStepWithLossScaleCell,
)
from mycel.library.nn.loss_segments import DiceLoss, MultiClassDiceLoss, SampledSoftmaxLoss
from mycel.library.nn.metric import Loss, MAE, MSE, Metric, rearrange_inputs
from mycel.library.nn.metrics import get_metric_fn, get_metrics, names
from mycel.library.nn.metrics_classes import (
    Accuracy, F1, Fbeta, Precision, Recall, Top1CategoricalAccuracy, Top5CategoricalAccuracy,
    TopKCategoricalAccuracy,
)
from mycel.library.nn.metrics_more import BleuScore, ConfusionMatrix, CosineSimilarity, Dice, Perplexity, ROC, auc
from mycel.library.nn.metrics_rates import ConfusionMatrixMetric
from mycel.library.nn.normalization import BatchNorm1d, BatchNorm2d, BatchNorm3d, SyncBatchNorm
from mycel.library.nn.normalization_layers import (
    GroupNorm, InstanceNorm1d, InstanceNorm2d, InstanceNorm3d, LRN, LayerNorm,
)
from mycel.library.nn.optim.adafactor import AdaFactor
from mycel.library.nn.optim.adam import AdaMax, Adam, AdamOffload, AdamWeightDecay, Lamb, LazyAdam
from mycel.library.nn.optim.adaptive import Adadelta, Adagrad, FTRL, ProximalAdagrad, RMSProp
from mycel.library.nn.optim.descent import ASGD, Momentum, Rprop, SGD
from mycel.library.nn.optim.lars import LARS, ParameterUpdate
from mycel.library.nn.optim.optimizer import Optimizer, opt_init_args_register
from mycel.library.nn.padding import (
    ConstantPad1d, ConstantPad2d, ConstantPad3d, Pad, ReflectionPad1d, ReflectionPad2d, ReflectionPad3d,
    ReplicationPad1d, ReplicationPad2d, ReplicationPad3d, ZeroPad2d,
)
from mycel.library.nn.pooling import AvgPool1d, AvgPool2d, AvgPool3d, MaxPool1d, MaxPool2d, MaxPool3d
from mycel.library.nn.pooling_adaptive import (
    AdaptiveAvgPool1d, AdaptiveAvgPool2d, AdaptiveAvgPool3d, AdaptiveMaxPool1d, AdaptiveMaxPool2d,
    AdaptiveMaxPool3d,
)
from mycel.library.nn.pooling_norms import LPPool1d, LPPool2d, MaxUnpool1d, MaxUnpool2d, MaxUnpool3d
from mycel.library.nn.rate_lists import (
    cosine_decay_lr, exponential_decay_lr, inverse_decay_lr, natural_exp_decay_lr, piecewise_constant_lr,
    polynomial_decay_lr, warmup_lr,
)
from mycel.library.nn.recurrent import GRU, GRUCell, LSTM, LSTMCell, RNN, RNNCell
from mycel.library.nn.transformer import (
    Transformer, TransformerDecoder, TransformerDecoderLayer, TransformerEncoder, TransformerEncoderLayer,
)
from mycel.library.nn.wrap import (
    DistributedGradReducer, ForwardValueAndGrad, GradAccumulationCell, MicroBatchInterleaved, PipelineCell,
    PipelineGradReducer, TrainOneStepCell, WithEvalCell, WithGradCell, WithLossCell,
)

__all__ = [
    "ASGD", "Accuracy", "AdaFactor", "AdaMax", "Adadelta", "Adagrad", "Adam", "AdamOffload", "AdamWeightDecay",
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d",
    "AdaptiveMaxPool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d", "BCELoss", "BCEWithLogitsLoss", "BatchNorm1d",
    "BatchNorm2d", "BatchNorm3d", "BiDense", "BleuScore", "CELU", "CTCLoss", "Cell", "CellDict", "CellList",
    "CentralCrop", "ChannelShuffle", "ClipByNorm", "ConfusionMatrix", "ConfusionMatrixMetric", "ConstantPad1d",
    "ConstantPad2d", "ConstantPad3d", "Conv1d", "Conv1dTranspose", "Conv2d", "Conv2dBnAct", "Conv2dTranspose", "Conv3d",
    "Conv3dTranspose", "CosineDecayLR", "CosineEmbeddingLoss", "CosineSimilarity", "CrossEntropyLoss", "Dense",
    "DenseBnAct", "DiGamma", "Dice", "DiceLoss", "DistributedGradReducer", "Dropout", "Dropout1d", "Dropout2d",
    "Dropout3d", "DynamicLossScaleUpdateCell", "ELU", "Embedding", "EmbeddingLookup", "ExponentialDecayLR", "F1",
    "FTRL", "FastGelu", "Fbeta", "FixedLossScaleUpdateCell", "Flatten", "FocalLoss", "ForwardValueAndGrad", "GELU",
    "GLU", "GRU", "GRUCell", "GaussianNLLLoss", "GradAccumulationCell", "GraphCell", "GroupNorm", "HShrink", "HSigmoid",
    "HSwish", "Hardtanh", "HingeEmbeddingLoss", "HuberLoss", "IGamma", "Identity", "ImageGradients", "InstanceNorm1d",
    "InstanceNorm2d", "InstanceNorm3d", "InverseDecayLR", "Jvp", "KLDivLoss", "L1Loss", "L1Regularizer", "LARS",
    "LBeta", "LGamma", "LPPool1d", "LPPool2d", "LRN", "LSTM", "LSTMCell", "Lamb", "LayerNorm", "LazyAdam", "LeakyReLU",
    "LearningRateSchedule", "Linear", "LogSigmoid", "LogSoftmax", "Loss", "LossBase", "MAE", "MAELoss", "MSE",
    "MSELoss", "MSSSIM", "MarginRankingLoss", "MatDet", "MatInverse", "MatMul", "MatrixDiag", "MatrixDiagPart",
    "MatrixSetDiag", "MaxPool1d", "MaxPool2d", "MaxPool3d", "MaxUnpool1d", "MaxUnpool2d", "MaxUnpool3d", "Metric",
    "MicroBatchInterleaved", "Mish", "Moments", "Momentum", "MultiClassDiceLoss", "MultiFieldEmbeddingLookup",
    "MultiLabelSoftMarginLoss", "MultiMarginLoss", "MultiheadAttention", "MultilabelMarginLoss", "NLLLoss",
    "NaturalExpDecayLR", "Norm", "OneHot", "Optimizer", "PReLU", "PSNR", "Pad", "ParameterUpdate", "Perplexity",
    "PipelineCell", "PipelineGradReducer", "PixelShuffle", "PixelUnshuffle", "PoissonNLLLoss", "PolynomialDecayLR",
    "Precision", "ProximalAdagrad", "RMSELoss", "RMSProp", "RNN", "RNNCell", "ROC", "RReLU", "Range", "ReLU", "ReLU6",
    "Recall", "ReduceLogSumExp", "ReflectionPad1d", "ReflectionPad2d", "ReflectionPad3d", "ReplicationPad1d",
    "ReplicationPad2d", "ReplicationPad3d", "ResizeBilinear", "Roll", "Rprop", "SGD", "SSIM", "SampledSoftmaxLoss",
    "SeLU", "SequentialCell", "SiLU", "Sigmoid", "SmoothL1Loss", "SoftMarginLoss", "SoftShrink", "Softmax", "Softmax2d",
    "SoftmaxCrossEntropyWithLogits", "Softmin", "Softsign", "SyncBatchNorm", "Tanh", "Tanhshrink", "Threshold",
    "TimeDistributed", "Top1CategoricalAccuracy", "Top5CategoricalAccuracy", "TopKCategoricalAccuracy",
    "TrainOneStepCell", "TrainOneStepWithLossScaleCell", "Transformer", "TransformerDecoder", "TransformerDecoderLayer",
    "TransformerEncoder", "TransformerEncoderLayer", "Tril", "TripletMarginLoss", "TripletMarginWithDistanceLoss",
    "Triu", "Unflatten", "Unfold", "Upsample", "Vjp", "WarmUpLR", "WithEvalCell", "WithGradCell", "WithLossCell",
    "ZeroPad2d", "activation", "auc", "basic", "combined", "conv", "cosine_decay_lr", "dense", "embedding",
    "exponential_decay_lr", "get_activation", "get_metric_fn", "get_metrics", "image", "inverse_decay_lr",
    "learning_rate_schedule", "loss", "loss_scale", "metric", "metrics", "names", "natural_exp_decay_lr",
    "no_init_parameters", "normalization", "opt_init_args_register", "optim", "padding", "piecewise_constant_lr",
    "polynomial_decay_lr", "pooling", "rearrange_inputs", "transformer", "warmup_lr", "wrap",
]
