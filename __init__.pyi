# Written by tools/stubs.py: `make stubs` writes it again.
import builtins as _builtins
from collections.abc import Iterator
from .library.mindspore.random_state import _DefaultGenerator
from .runtime.dtypes import DType
import numpy as np
from typing import Any
from .compiler.memory.limits import MemoryLimitError
from .frontend.api.context import (
    JitConfig, get_context, set_context, set_deterministic, set_device, set_recursion_limit,
)
from .frontend.api.inlining import Symbol, deprecated, enable_dynamic, lazy_inline, no_inline
from .frontend.api.jit import jit, jit as ms_function, jit_class, jit_class as ms_class
from .frontend.errors.classes import DamagedFileError, FallbackWarning, GraphBreak, GraphError
from .frontend.transforms.cell_run import recompute
from .frontend.transforms.grad import grad, value_and_grad
from .frontend.transforms.grad_operation import get_grad
from .frontend.transforms.jacobian import jacfwd, jacrev
from .frontend.transforms.products import Transformed, jvp, vjp
from .frontend.transforms.vmap import AxesError, map_rows, stacked_rows, vmap
from .frontend.values import dtype_names as dtype
from .frontend.values.cell import Cell
from .frontend.values.dtype_names import dtype_to_nptype, dtype_to_pytype, pytype_to_dtype
from .frontend.values.mutable import mutable
from .frontend.values.parameter import Parameter, ParameterTuple
from .frontend.values.tensor import Tensor, Tensor as tensor_type, tensor
from .library import dataset, experimental, log, mindrecord, mint, nn, numpy, ops, scipy
from .library.distributed import communication
from .library.distributed.communication import (
    GlobalComm, barrier, create_group, destroy_group, get_comm_name, get_group_rank_from_world_rank, get_group_size,
    get_local_rank, get_local_rank_size, get_process_group_ranks, get_rank, get_world_rank_from_group_rank, init,
    release,
)
from .library.distributed.parallel import (
    ParallelMode, get_auto_parallel_context, reset_auto_parallel_context, set_algo_parameters,
    set_auto_parallel_context,
)
from .library.functions.composite import constexpr
from .library.functions.random import get_seed, manual_seed, set_seed
from .library.mindspore import device as hal, device_context, processes as multiprocessing
from .library.mindspore.modules import install_as_mindspore
from .library.mindspore.random_state import Generator, get_rng_state, initial_seed, seed, set_rng_state
from .library.mindspore.sparse import COOTensor, CSRTensor, RowTensor, SparseTensor
from .library.mindspore.stubs import amp, common, context, device_manager, graph, parallel, train
from .library.nn import boost
from .library.nn.metric import Loss, MAE, MSE, Metric, rearrange_inputs
from .library.nn.metrics import get_metric_fn, get_metrics, names
from .library.nn.metrics_classes import (
    Accuracy, F1, Fbeta, Precision, Recall, Top1CategoricalAccuracy, Top5CategoricalAccuracy,
    TopKCategoricalAccuracy,
)
from .library.nn.metrics_more import BleuScore, ConfusionMatrix, CosineSimilarity, Dice, Perplexity, ROC, auc
from .library.nn.metrics_rates import ConfusionMatrixMetric
from .library.reports import profiler
from .library.reports.profiler import Profiler
from .library.reports.summary import SummaryCollector, SummaryRecord
from .library.saving.serialization import (
    async_ckpt_thread_status, ckpt_to_safetensors, load_checkpoint, load_checkpoint_async, load_param_into_net,
    safetensors_to_ckpt, save_checkpoint,
)
from .library.train.amp import auto_mixed_precision, build_train_network, custom_mixed_precision
from .library.train.callback import Callback, RunArguments as InternalCallbackParam, RunContext
from .library.train.checkpoint import CheckpointConfig, ModelCheckpoint
from .library.train.data import DatasetHelper, connect_network_with_dataset, data_sink
from .library.train.loss_scaling import DynamicLossScaleManager, FixedLossScaleManager, LossScaleManager
from .library.train.model import Model
from .library.train.monitors import History, LambdaCallback, LearningRateScheduler, LossMonitor, TimeMonitor
from .library.train.plateau import EarlyStopping, ReduceLROnPlateau
from .library.train.progress import ProgressBar
from .runtime.dtypes import DType as Type

__all__ = [
    "Accuracy", "AxesError", "BleuScore", "COMPATIBLE", "COOTensor", "CSRTensor", "Callback", "Cell",
    "CheckpointConfig", "ConfusionMatrix", "ConfusionMatrixMetric", "CosineSimilarity", "DamagedFileError",
    "DatasetHelper", "Dice", "DynamicLossScaleManager", "EarlyStopping", "F1", "FallbackWarning", "Fbeta",
    "FixedLossScaleManager", "GRAPH_MODE", "Generator", "GlobalComm", "GraphBreak", "GraphError", "History",
    "InternalCallbackParam", "JitConfig", "LAX", "LambdaCallback", "LearningRateScheduler", "Loss", "LossMonitor",
    "LossScaleManager", "MAE", "MSE", "MemoryLimitError", "Metric", "Model", "ModelCheckpoint", "PYNATIVE_MODE",
    "ParallelMode", "Parameter", "ParameterTuple", "Perplexity", "Precision", "Profiler", "ProgressBar", "ROC",
    "Recall", "ReduceLROnPlateau", "RowTensor", "RunContext", "STRICT", "SparseTensor", "SummaryCollector",
    "SummaryRecord", "Symbol", "Tensor", "TimeMonitor", "Top1CategoricalAccuracy", "Top5CategoricalAccuracy",
    "TopKCategoricalAccuracy", "Transformed", "Type", "amp", "async_ckpt_thread_status", "auc", "auto_mixed_precision",
    "barrier", "bfloat16", "bool", "bool_", "boost", "build_train_network", "byte", "cdouble", "cfloat",
    "ckpt_to_safetensors", "common", "communication", "complex128", "complex64", "connect_network_with_dataset",
    "constexpr", "context", "create_group", "custom_mixed_precision", "data_sink", "dataset", "default_generator",
    "deprecated", "destroy_group", "device_context", "device_manager", "disable_jit", "double", "dtype",
    "dtype_to_nptype", "dtype_to_pytype", "enable_dynamic", "experimental", "float", "float16", "float32", "float64",
    "float_", "float_type", "from_numpy", "get_auto_parallel_context", "get_comm_name", "get_context", "get_grad",
    "get_group_rank_from_world_rank", "get_group_size", "get_local_rank", "get_local_rank_size", "get_metric_fn",
    "get_metrics", "get_process_group_ranks", "get_rank", "get_rng_state", "get_seed", "get_world_rank_from_group_rank",
    "grad", "graph", "hal", "half", "init", "initial_seed", "install_as_mindspore", "int", "int16", "int32", "int64",
    "int8", "int_", "int_type", "intc", "intp", "jacfwd", "jacrev", "jit", "jit_class", "jvp", "lazy_inline",
    "load_checkpoint", "load_checkpoint_async", "load_param_into_net", "log", "long", "manual_seed", "map_rows",
    "mindrecord", "mint", "ms_class", "ms_function", "ms_memory_recycle", "multiprocessing", "mutable", "names", "nn",
    "no_inline", "number_type", "numpy", "ops", "parallel", "profiler", "pytype_to_dtype", "rearrange_inputs",
    "recompute", "release", "reset_auto_parallel_context", "safetensors_to_ckpt", "save_checkpoint", "scipy", "seed",
    "set_algo_parameters", "set_auto_parallel_context", "set_context", "set_deterministic", "set_device",
    "set_recursion_limit", "set_rng_state", "set_seed", "short", "single", "stacked_rows", "tensor", "tensor_type",
    "train", "ubyte", "uint", "uint16", "uint32", "uint64", "uint8", "uint_type", "uintc", "uintp", "ushort",
    "value_and_grad", "vjp", "vmap",
]

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

def disable_jit() -> Iterator[None]:
    """A context in which compiled functions, Cells and gradients run op by op, for debuggers."""

def from_numpy(array: np.ndarray) -> Tensor:
    """A tensor that shares the memory of an array: a write to one changes the other."""

def ms_memory_recycle() -> Iterator[None]:
    """A block after which memory is freed. It changes nothing: a program's intermediate values end with each call."""
