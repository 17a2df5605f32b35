# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from mycel.library.amp import (
    DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager, auto_mixed_precision, build_train_network,
    custom_mixed_precision,
)
from mycel.library.nn.metric import Loss, MAE, MSE, Metric, rearrange_inputs
from mycel.library.nn.metrics import get_metric_fn, get_metrics, names
from mycel.library.nn.metrics_classes import (
    Accuracy, F1, Fbeta, Precision, Recall, Top1CategoricalAccuracy, Top5CategoricalAccuracy,
    TopKCategoricalAccuracy,
)
from mycel.library.nn.metrics_more import BleuScore, ConfusionMatrix, CosineSimilarity, Dice, Perplexity, ROC, auc
from mycel.library.nn.metrics_rates import ConfusionMatrixMetric
from mycel.library.reports.summary import (
    SummaryCollector, SummaryRecord, histogram_value, image_value, png, scalar_value, tensor_value,
)
from mycel.library.saving.serialization import (
    async_ckpt_thread_status, ckpt_to_safetensors, load_checkpoint, load_checkpoint_async, load_param_into_net,
    safetensors_to_ckpt, save_checkpoint,
)
from mycel.library.train import callback, model
from mycel.library.train.callback import Callback, RunArguments as InternalCallbackParam, RunContext
from mycel.library.train.checkpoint import CheckpointConfig, ModelCheckpoint
from mycel.library.train.data import DatasetHelper, connect_network_with_dataset, data_sink
from mycel.library.train.model import Model
from mycel.library.train.monitors import History, LambdaCallback, LearningRateScheduler, LossMonitor, TimeMonitor
from mycel.library.train.plateau import EarlyStopping, ReduceLROnPlateau

__all__ = [
    "Accuracy", "BleuScore", "COLLECTED", "Callback", "CheckpointConfig", "ConfusionMatrix", "ConfusionMatrixMetric",
    "CosineSimilarity", "DEFAULT_HISTOGRAMS", "DatasetHelper", "Dice", "DynamicLossScaleManager", "ELSEWHERE",
    "EarlyStopping", "F1", "FLOAT32", "Fbeta", "FixedLossScaleManager", "History", "InternalCallbackParam",
    "LambdaCallback", "LearningRateScheduler", "Loss", "LossMonitor", "LossScaleManager", "MAE", "MSE", "Metric",
    "Model", "ModelCheckpoint", "PLUGINS", "Perplexity", "Precision", "ROC", "Recall", "ReduceLROnPlateau",
    "RunContext", "SummaryCollector", "SummaryRecord", "TimeMonitor", "Top1CategoricalAccuracy",
    "Top5CategoricalAccuracy", "TopKCategoricalAccuracy", "VERSION", "async_ckpt_thread_status", "auc",
    "auto_mixed_precision", "build_train_network", "callback", "ckpt_to_safetensors", "connect_network_with_dataset",
    "custom_mixed_precision", "data_sink", "get_metric_fn", "get_metrics", "histogram_value", "image_value",
    "load_checkpoint", "load_checkpoint_async", "load_param_into_net", "model", "names", "png", "rearrange_inputs",
    "safetensors_to_ckpt", "save_checkpoint", "scalar_value", "tensor_value",
]

COLLECTED: tuple[Any, ...]
DEFAULT_HISTOGRAMS: int
ELSEWHERE: tuple[Any, ...]
FLOAT32: int
PLUGINS: tuple[Any, ...]
VERSION: str
