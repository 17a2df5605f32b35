# Written by tools/stubs.py: `make stubs` writes it again.
import builtins as _builtins
from collections.abc import Iterator
from .library.mindspore.random_state import _DefaultGenerator
from .runtime.dtypes import DType
import numpy as np
from typing import Any, NoReturn
from .compiler.memory.limits import MemoryLimitError as MemoryLimitError
from .frontend.api.context import (
    JitConfig as JitConfig, get_context as get_context, set_context as set_context,
    set_deterministic as set_deterministic, set_device as set_device, set_recursion_limit as set_recursion_limit,
)
from .frontend.api.inlining import (
    Symbol as Symbol, deprecated as deprecated, enable_dynamic as enable_dynamic, lazy_inline as lazy_inline,
    no_inline as no_inline,
)
from .frontend.api.jit import jit as jit, jit_class as jit_class, jit as _ms_function, jit_class as _ms_class
from .frontend.errors.classes import (
    DamagedFileError as DamagedFileError, FallbackWarning as FallbackWarning, GraphBreak as GraphBreak,
    GraphError as GraphError,
)
from .frontend.transforms.cell_run import recompute as recompute
from .frontend.transforms.grad import grad as grad, value_and_grad as value_and_grad
from .frontend.transforms.grad_operation import get_grad as get_grad
from .frontend.transforms.jacobian import jacfwd as jacfwd, jacrev as jacrev
from .frontend.transforms.products import *
from .frontend.transforms.vmap import vmap as vmap
from .frontend.values.cell import Cell as Cell
from .frontend.values.dtype_names import (
    dtype_to_nptype as dtype_to_nptype, dtype_to_pytype as dtype_to_pytype, pytype_to_dtype as pytype_to_dtype,
)
from .frontend.values.mutable import mutable as mutable
from .frontend.values.parameter import Parameter as Parameter, ParameterTuple as ParameterTuple
from .frontend.values.tensor import Tensor as Tensor, tensor as tensor, Tensor as _tensor_type
from .library import (
    dataset as dataset, experimental as experimental, log as log, mindrecord as mindrecord, mint as mint,
    numpy as numpy, rewrite as rewrite, scipy as scipy,
)
from .library.distributed import communication as communication
from .library.distributed.auto_parallel import (
    AutoParallel as AutoParallel, get_ps_context as get_ps_context, launch_blocking as launch_blocking,
    reset_ps_context as reset_ps_context, set_cpu_affinity as set_cpu_affinity, set_memory as set_memory,
    set_ps_context as set_ps_context, sync_pipeline_shared_parameters as sync_pipeline_shared_parameters,
)
from .library.distributed.communication import *
from .library.distributed.parallel import (
    ParallelMode as ParallelMode, get_auto_parallel_context as get_auto_parallel_context,
    reset_auto_parallel_context as reset_auto_parallel_context, set_algo_parameters as set_algo_parameters,
    set_auto_parallel_context as set_auto_parallel_context, shard as shard,
)
from .library.distributed.sharding import Layout as Layout
from .library.functions.composite import constexpr as constexpr
from .library.functions.random import get_seed as get_seed, manual_seed as manual_seed, set_seed as set_seed
from .library.mindspore import device_context as device_context, device as _hal, processes as _multiprocessing
from .library.mindspore.modules import install_as_mindspore as install_as_mindspore
from .library.mindspore.random_state import (
    Generator as Generator, get_rng_state as get_rng_state, initial_seed as initial_seed, seed as seed,
    set_rng_state as set_rng_state,
)
from .library.mindspore.sparse import (
    COOTensor as COOTensor, CSRTensor as CSRTensor, RowTensor as RowTensor, SparseTensor as SparseTensor,
)
from .library.mindspore.stubs import (
    amp as amp, common as common, context as context, device_manager as device_manager, dtype as dtype,
    graph as graph, nn as nn, ops as ops, parallel as parallel, train as train,
)
from .library.nn import boost as boost
from .library.nn.metric import (
    Loss as Loss, MAE as MAE, MSE as MSE, Metric as Metric, rearrange_inputs as rearrange_inputs,
)
from .library.nn.metrics import get_metric_fn as get_metric_fn, get_metrics as get_metrics, names as names
from .library.nn.metrics_classes import (
    Accuracy as Accuracy, F1 as F1, Fbeta as Fbeta, Precision as Precision, Recall as Recall,
    Top1CategoricalAccuracy as Top1CategoricalAccuracy, Top5CategoricalAccuracy as Top5CategoricalAccuracy,
    TopKCategoricalAccuracy as TopKCategoricalAccuracy,
)
from .library.nn.metrics_more import (
    BleuScore as BleuScore, ConfusionMatrix as ConfusionMatrix, CosineSimilarity as CosineSimilarity, Dice as Dice,
    Perplexity as Perplexity, ROC as ROC, auc as auc,
)
from .library.nn.metrics_rates import ConfusionMatrixMetric as ConfusionMatrixMetric
from .library.nn.metrics_surfaces import (
    HausdorffDistance as HausdorffDistance, MeanSurfaceDistance as MeanSurfaceDistance,
    OcclusionSensitivity as OcclusionSensitivity, RootMeanSquareDistance as RootMeanSquareDistance,
)
from .library.reports import profiler as profiler
from .library.reports.profiler import Profiler as Profiler
from .library.reports.summary import SummaryCollector as SummaryCollector, SummaryRecord as SummaryRecord
from .library.rewrite.nodes import Node as Node, NodeType as NodeType
from .library.rewrite.patterns import *
from .library.rewrite.symbol_tree import SymbolTree as SymbolTree
from .library.rewrite.values import ScopedValue as ScopedValue, ValueType as ValueType
from .library.run_check import run_check as run_check
from .library.saving.exported import export as export, load as load
from .library.saving.serialization import (
    async_ckpt_thread_status as async_ckpt_thread_status, ckpt_to_safetensors as ckpt_to_safetensors,
    load_checkpoint as load_checkpoint, load_checkpoint_async as load_checkpoint_async,
    load_param_into_net as load_param_into_net, safetensors_to_ckpt as safetensors_to_ckpt,
    save_checkpoint as save_checkpoint,
)
from .library.train.amp import (
    auto_mixed_precision as auto_mixed_precision, build_train_network as build_train_network,
    custom_mixed_precision as custom_mixed_precision,
)
from .library.train.callback import (
    Callback as Callback, RunContext as RunContext, RunArguments as _InternalCallbackParam,
)
from .library.train.checkpoint import CheckpointConfig as CheckpointConfig, ModelCheckpoint as ModelCheckpoint
from .library.train.data import (
    DatasetHelper as DatasetHelper, connect_network_with_dataset as connect_network_with_dataset,
    data_sink as data_sink,
)
from .library.train.loss_scaling import (
    DynamicLossScaleManager as DynamicLossScaleManager, FixedLossScaleManager as FixedLossScaleManager,
    LossScaleManager as LossScaleManager,
)
from .library.train.model import Model as Model
from .library.train.monitors import (
    History as History, LambdaCallback as LambdaCallback, LearningRateScheduler as LearningRateScheduler,
    LossMonitor as LossMonitor, ProgressBar as ProgressBar, TimeMonitor as TimeMonitor,
)
from .library.train.plateau import EarlyStopping as EarlyStopping, ReduceLROnPlateau as ReduceLROnPlateau
from .runtime.dtypes import DType as _Type
ms_function = _ms_function
ms_class = _ms_class
tensor_type = _tensor_type
hal = _hal
multiprocessing = _multiprocessing
InternalCallbackParam = _InternalCallbackParam
Type = _Type

COMPATIBLE: _builtins.int
GRAPH_MODE: _builtins.int
LAX: _builtins.int
PYNATIVE_MODE: _builtins.int
STRICT: _builtins.int
bfloat16: DType
bool: DType
bool_: DType
byte: DType
cdouble: DType
cfloat: DType
complex128: DType
complex64: DType
default_generator: _DefaultGenerator
double: DType
float: DType
float16: DType
float32: DType
float64: DType
float_: DType
float_type: tuple[Any, ...]
half: DType
int: DType
int16: DType
int32: DType
int64: DType
int8: DType
int_: DType
int_type: tuple[Any, ...]
intc: DType
intp: DType
long: DType
number_type: tuple[Any, ...]
short: DType
single: DType
ubyte: DType
uint: DType
uint16: DType
uint32: DType
uint64: DType
uint8: DType
uint_type: tuple[Any, ...]
uintc: DType
uintp: DType
ushort: DType

def build_searched_strategy(*args: Any, **kwargs: Any) -> NoReturn:
    """build_searched_strategy raises NotImplementedError: checkpoints of several processes and strategy files are not
    read."""

def disable_jit() -> Iterator[None]:
    """A context in which compiled functions, Cells and gradients run op by op, for debuggers."""

def from_numpy(array: np.ndarray[Any, Any]) -> Tensor:
    """A tensor that shares the memory of an array: a write to one changes the other."""

def load_distributed_checkpoint(*args: Any, **kwargs: Any) -> NoReturn:
    """load_distributed_checkpoint raises NotImplementedError: checkpoints of several processes and strategy files are
    not read."""

def merge_pipeline_strategys(*args: Any, **kwargs: Any) -> NoReturn:
    """merge_pipeline_strategys raises NotImplementedError: checkpoints of several processes and strategy files are not
    read."""

def merge_sliced_parameter(*args: Any, **kwargs: Any) -> NoReturn:
    """merge_sliced_parameter raises NotImplementedError: checkpoints of several processes and strategy files are not
    read."""

def ms_memory_recycle() -> Iterator[None]:
    """A block after which memory is freed. It changes nothing: a program's intermediate values end with each call."""

def transform_checkpoints(*args: Any, **kwargs: Any) -> NoReturn:
    """transform_checkpoints raises NotImplementedError: checkpoints of several processes and strategy files are not
    read."""

def unified_safetensors(*args: Any, **kwargs: Any) -> NoReturn:
    """unified_safetensors raises NotImplementedError: checkpoints of several processes and strategy files are not
    read."""
