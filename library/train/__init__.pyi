# Written by tools/stubs.py: `make stubs` writes it again.
from ..nn.metric import Loss, MAE, MSE, Metric, rearrange_inputs
from ..nn.metrics import get_metric_fn, get_metrics, names
from ..nn.metrics_classes import (
    Accuracy, F1, Fbeta, Precision, Recall, Top1CategoricalAccuracy, Top5CategoricalAccuracy,
    TopKCategoricalAccuracy,
)
from ..nn.metrics_more import BleuScore, ConfusionMatrix, CosineSimilarity, Dice, Perplexity, ROC, auc
from ..nn.metrics_rates import ConfusionMatrixMetric
from ..saving.serialization import (
    async_ckpt_thread_status, ckpt_to_safetensors, load_checkpoint, load_checkpoint_async, load_param_into_net,
    safetensors_to_ckpt, save_checkpoint,
)
from . import amp, callback, model
from .amp import auto_mixed_precision, build_train_network, custom_mixed_precision
from .callback import Callback, RunArguments as InternalCallbackParam, RunContext
from .checkpoint import CheckpointConfig, ModelCheckpoint
from .data import DatasetHelper, connect_network_with_dataset, data_sink
from .loss_scaling import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager
from .model import Model
from .monitors import History, LambdaCallback, LearningRateScheduler, LossMonitor, TimeMonitor
from .plateau import EarlyStopping, ReduceLROnPlateau
from .progress import ProgressBar

__all__ = [
    "Accuracy", "BleuScore", "Callback", "CheckpointConfig", "ConfusionMatrix", "ConfusionMatrixMetric",
    "CosineSimilarity", "DatasetHelper", "Dice", "DynamicLossScaleManager", "EarlyStopping", "F1", "Fbeta",
    "FixedLossScaleManager", "History", "InternalCallbackParam", "LambdaCallback", "LearningRateScheduler", "Loss",
    "LossMonitor", "LossScaleManager", "MAE", "MSE", "Metric", "Model", "ModelCheckpoint", "Perplexity", "Precision",
    "ProgressBar", "ROC", "Recall", "ReduceLROnPlateau", "RunContext", "TimeMonitor", "Top1CategoricalAccuracy",
    "Top5CategoricalAccuracy", "TopKCategoricalAccuracy", "amp", "async_ckpt_thread_status", "auc",
    "auto_mixed_precision", "build_train_network", "callback", "ckpt_to_safetensors", "connect_network_with_dataset",
    "custom_mixed_precision", "data_sink", "get_metric_fn", "get_metrics", "load_checkpoint", "load_checkpoint_async",
    "load_param_into_net", "model", "names", "rearrange_inputs", "safetensors_to_ckpt", "save_checkpoint",
]
