# Written by tools/stubs.py: `make stubs` writes it again.
from ..nn.metric import Loss as Loss, MAE as MAE, MSE as MSE, Metric as Metric, rearrange_inputs as rearrange_inputs
from ..nn.metrics import get_metric_fn as get_metric_fn, get_metrics as get_metrics, names as names
from ..nn.metrics_classes import (
    Accuracy as Accuracy, F1 as F1, Fbeta as Fbeta, Precision as Precision, Recall as Recall,
    Top1CategoricalAccuracy as Top1CategoricalAccuracy, Top5CategoricalAccuracy as Top5CategoricalAccuracy,
    TopKCategoricalAccuracy as TopKCategoricalAccuracy,
)
from ..nn.metrics_more import (
    BleuScore as BleuScore, ConfusionMatrix as ConfusionMatrix, CosineSimilarity as CosineSimilarity, Dice as Dice,
    Perplexity as Perplexity, ROC as ROC, auc as auc,
)
from ..nn.metrics_rates import ConfusionMatrixMetric as ConfusionMatrixMetric
from ..nn.metrics_surfaces import (
    HausdorffDistance as HausdorffDistance, MeanSurfaceDistance as MeanSurfaceDistance,
    OcclusionSensitivity as OcclusionSensitivity, RootMeanSquareDistance as RootMeanSquareDistance,
)
from ..saving.serialization import (
    async_ckpt_thread_status as async_ckpt_thread_status, ckpt_to_safetensors as ckpt_to_safetensors,
    load_checkpoint as load_checkpoint, load_checkpoint_async as load_checkpoint_async,
    load_param_into_net as load_param_into_net, safetensors_to_ckpt as safetensors_to_ckpt,
    save_checkpoint as save_checkpoint,
)
from . import amp as amp, callback as callback, model as model
from .amp import (
    auto_mixed_precision as auto_mixed_precision, build_train_network as build_train_network,
    custom_mixed_precision as custom_mixed_precision,
)
from .callback import Callback as Callback, RunContext as RunContext, RunArguments as _InternalCallbackParam
from .checkpoint import CheckpointConfig as CheckpointConfig, ModelCheckpoint as ModelCheckpoint
from .data import (
    DatasetHelper as DatasetHelper, connect_network_with_dataset as connect_network_with_dataset,
    data_sink as data_sink,
)
from .loss_scaling import (
    DynamicLossScaleManager as DynamicLossScaleManager, FixedLossScaleManager as FixedLossScaleManager,
    LossScaleManager as LossScaleManager,
)
from .model import Model as Model
from .monitors import (
    History as History, LambdaCallback as LambdaCallback, LearningRateScheduler as LearningRateScheduler,
    LossMonitor as LossMonitor, ProgressBar as ProgressBar, TimeMonitor as TimeMonitor,
)
from .plateau import EarlyStopping as EarlyStopping, ReduceLROnPlateau as ReduceLROnPlateau
InternalCallbackParam = _InternalCallbackParam
