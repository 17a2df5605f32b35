"""Training: `Model`, callbacks, checkpoints, metrics and loss scale managers (`mindspore.train`)."""

from __future__ import annotations

from typing import Any

from ...frontend.errors.spelling import missing_name as _missing_name
from ..nn.metrics import *  # noqa: F403
from ..nn.metrics import __all__ as _metrics
from ..saving.serialization import (
    async_ckpt_thread_status,
    ckpt_to_safetensors,
    load_checkpoint,
    load_checkpoint_async,
    load_param_into_net,
    safetensors_to_ckpt,
    save_checkpoint,
)
from .amp import auto_mixed_precision, build_train_network, custom_mixed_precision
from .callback import Callback, InternalCallbackParam, RunContext
from .checkpoint import CheckpointConfig, ModelCheckpoint
from .data import DatasetHelper, connect_network_with_dataset, data_sink
from .loss_scaling import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager
from .model import Model
from .monitors import History, LambdaCallback, LearningRateScheduler, LossMonitor, ProgressBar, TimeMonitor
from .plateau import EarlyStopping, ReduceLROnPlateau

__all__ = [
    "Callback", "CheckpointConfig", "DatasetHelper", "DynamicLossScaleManager", "EarlyStopping",
    "FixedLossScaleManager", "History", "InternalCallbackParam", "LambdaCallback", "LearningRateScheduler",
    "LossMonitor", "LossScaleManager", "Model", "ModelCheckpoint", "ProgressBar", "ReduceLROnPlateau", "RunContext",
    "TimeMonitor", "async_ckpt_thread_status", "auto_mixed_precision", "build_train_network", "ckpt_to_safetensors",
    "connect_network_with_dataset", "custom_mixed_precision", "data_sink", "load_checkpoint", "load_checkpoint_async",
    "load_param_into_net", "safetensors_to_ckpt", "save_checkpoint", *_metrics,
]  # fmt: skip


def __getattr__(name: str) -> Any:
    raise _missing_name(__name__, name)
