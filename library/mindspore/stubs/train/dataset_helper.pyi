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
from mycel.library.reports.summary import SummaryCollector, SummaryRecord
from mycel.library.saving.serialization import (
    async_ckpt_thread_status, ckpt_to_safetensors, load_checkpoint, load_checkpoint_async, load_param_into_net,
    safetensors_to_ckpt, save_checkpoint,
)
from mycel.library.train import callback, model
from mycel.library.train.callback import Callback, RunArguments as InternalCallbackParam, RunContext
from mycel.library.train.checkpoint import CheckpointConfig, ModelCheckpoint
from mycel.library.train.data import DatasetHelper, connect_network_with_dataset, data_sink
from mycel.library.train.internal_names import (
    FlopsUtilizationCollector, OnRequestExit, check_value_type, get_parameter_redundancy, remove_param_redundancy,
    set_cur_net,
)
from mycel.library.train.model import Model
from mycel.library.train.monitors import History, LambdaCallback, LearningRateScheduler, LossMonitor, TimeMonitor
from mycel.library.train.plateau import EarlyStopping, ReduceLROnPlateau

__all__ = [
    "AMP_BLACK_LIST", "AMP_WHITE_LIST", "Accuracy", "BleuScore", "Callback", "CheckpointConfig", "ConfusionMatrix",
    "ConfusionMatrixMetric", "CosineSimilarity", "DatasetHelper", "Dice", "DynamicLossScaleManager", "EarlyStopping",
    "F1", "Fbeta", "FixedLossScaleManager", "FlopsUtilizationCollector", "History", "InternalCallbackParam",
    "LambdaCallback", "LearningRateScheduler", "Loss", "LossMonitor", "LossScaleManager", "MAE", "MSE", "Metric",
    "Model", "ModelCheckpoint", "OnRequestExit", "Perplexity", "Precision", "ROC", "Recall", "ReduceLROnPlateau",
    "RunContext", "SummaryCollector", "SummaryRecord", "TimeMonitor", "Top1CategoricalAccuracy",
    "Top5CategoricalAccuracy", "TopKCategoricalAccuracy", "async_ckpt_thread_status", "auc", "auto_mixed_precision",
    "build_train_network", "callback", "check_value_type", "ckpt_to_safetensors", "connect_network_with_dataset",
    "custom_mixed_precision", "data_sink", "get_metric_fn", "get_metrics", "get_parameter_redundancy",
    "load_checkpoint", "load_checkpoint_async", "load_param_into_net", "model", "names", "rearrange_inputs",
    "remove_param_redundancy", "safetensors_to_ckpt", "save_checkpoint", "set_cur_net",
]

AMP_BLACK_LIST: list[Any]
AMP_WHITE_LIST: list[Any]
