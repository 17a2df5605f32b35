# Written by tools/stubs.py: `make stubs` writes it again.
from mycel.library.train import *
import builtins as _builtins
from mycel.library.mindspore.random_state import _DefaultGenerator
from mycel.runtime.dtypes import DType
from typing import Any
from mycel import disable_jit as disable_jit, from_numpy as from_numpy, ms_memory_recycle as ms_memory_recycle
from mycel.compiler.memory.limits import MemoryLimitError as MemoryLimitError
from mycel.frontend.api.context import (
    JitConfig as JitConfig, get_context as get_context, set_context as set_context,
    set_deterministic as set_deterministic, set_device as set_device, set_recursion_limit as set_recursion_limit,
)
from mycel.frontend.api.inlining import (
    Symbol as Symbol, deprecated as deprecated, enable_dynamic as enable_dynamic, lazy_inline as lazy_inline,
    no_inline as no_inline,
)
from mycel.frontend.api.jit import jit as jit, jit_class as jit_class, jit as _ms_function, jit_class as _ms_class
from mycel.frontend.errors.classes import (
    DamagedFileError as DamagedFileError, FallbackWarning as FallbackWarning, GraphBreak as GraphBreak,
    GraphError as GraphError,
)
from mycel.frontend.transforms.cell_run import recompute as recompute
from mycel.frontend.transforms.grad import grad as grad, value_and_grad as value_and_grad
from mycel.frontend.transforms.grad_operation import get_grad as get_grad
from mycel.frontend.transforms.jacobian import jacfwd as jacfwd, jacrev as jacrev
from mycel.frontend.transforms.products import jvp as jvp, vjp as vjp
from mycel.frontend.transforms.vmap import vmap as vmap
from mycel.frontend.values.cell import Cell as Cell
from mycel.frontend.values.dtype_names import (
    dtype_to_nptype as dtype_to_nptype, dtype_to_pytype as dtype_to_pytype, pytype_to_dtype as pytype_to_dtype,
)
from mycel.frontend.values.mutable import mutable as mutable
from mycel.frontend.values.parameter import Parameter as Parameter, ParameterTuple as ParameterTuple
from mycel.frontend.values.tensor import Tensor as Tensor, tensor as tensor, Tensor as _tensor_type
from mycel.library import (
    dataset as dataset, experimental as experimental, log as log, mindrecord as mindrecord, mint as mint,
    numpy as numpy, rewrite as rewrite, scipy as scipy,
)
from mycel.library.distributed import communication as communication
from mycel.library.distributed.auto_parallel import (
    AutoParallel as AutoParallel, build_searched_strategy as build_searched_strategy,
    get_ps_context as get_ps_context, launch_blocking as launch_blocking,
    load_distributed_checkpoint as load_distributed_checkpoint,
    merge_pipeline_strategys as merge_pipeline_strategys, merge_sliced_parameter as merge_sliced_parameter,
    reset_ps_context as reset_ps_context, set_cpu_affinity as set_cpu_affinity, set_memory as set_memory,
    set_ps_context as set_ps_context, sync_pipeline_shared_parameters as sync_pipeline_shared_parameters,
    transform_checkpoints as transform_checkpoints, unified_safetensors as unified_safetensors,
)
from mycel.library.distributed.communication import (
    GlobalComm as GlobalComm, barrier as barrier, create_group as create_group, destroy_group as destroy_group,
    get_comm_name as get_comm_name, get_group_rank_from_world_rank as get_group_rank_from_world_rank,
    get_group_size as get_group_size, get_local_rank as get_local_rank, get_local_rank_size as get_local_rank_size,
    get_process_group_ranks as get_process_group_ranks, get_rank as get_rank,
    get_world_rank_from_group_rank as get_world_rank_from_group_rank, init as init, release as release,
)
from mycel.library.distributed.parallel import (
    ParallelMode as ParallelMode, get_auto_parallel_context as get_auto_parallel_context,
    reset_auto_parallel_context as reset_auto_parallel_context, set_algo_parameters as set_algo_parameters,
    set_auto_parallel_context as set_auto_parallel_context, shard as shard,
)
from mycel.library.distributed.sharding import Layout as Layout
from mycel.library.functions.composite import constexpr as constexpr
from mycel.library.functions.random import get_seed as get_seed, manual_seed as manual_seed, set_seed as set_seed
from mycel.library.mindspore import device_context as device_context, device as _hal, processes as _multiprocessing
from mycel.library.mindspore.modules import install_as_mindspore as install_as_mindspore
from mycel.library.mindspore.random_state import (
    Generator as Generator, get_rng_state as get_rng_state, initial_seed as initial_seed, seed as seed,
    set_rng_state as set_rng_state,
)
from mycel.library.mindspore.sparse import (
    COOTensor as COOTensor, CSRTensor as CSRTensor, RowTensor as RowTensor, SparseTensor as SparseTensor,
)
from mycel.library.mindspore.stubs import (
    common as common, context as context, device_manager as device_manager, dtype as dtype, graph as graph,
    nn as nn, ops as ops, parallel as parallel, train as train,
)
from mycel.library.mindspore.switches import (
    disable_multi_thread as disable_multi_thread, is_reboot_node as is_reboot_node,
    np_dtype_valid as np_dtype_valid, tensor_to_np_type as tensor_to_np_type,
    update_pijit_default_config as update_pijit_default_config,
)
from mycel.library.nn import boost as boost
from mycel.library.reports import profiler as profiler
from mycel.library.reports.profiler import Profiler as Profiler
from mycel.library.reports.summary import SummaryCollector as SummaryCollector, SummaryRecord as SummaryRecord
from mycel.library.rewrite.nodes import Node as Node, NodeType as NodeType
from mycel.library.rewrite.symbol_tree import SymbolTree as SymbolTree
from mycel.library.rewrite.values import ScopedValue as ScopedValue, ValueType as ValueType
from mycel.library.run_check import run_check as run_check
from mycel.library.saving.exported import (
    ExportedGraph as ExportedGraph, build_output as build_output, describe_input as describe_input,
    describe_output as describe_output, export as export, gather as gather, load as load,
)
from mycel.library.train.internal_names import (
    FlopsUtilizationCollector as FlopsUtilizationCollector, OnRequestExit as OnRequestExit,
    check_value_type as check_value_type, get_parameter_redundancy as get_parameter_redundancy,
    remove_param_redundancy as remove_param_redundancy, set_cur_net as set_cur_net,
)
from mycel.runtime.dtypes import DType as _Type
ms_function = _ms_function
ms_class = _ms_class
tensor_type = _tensor_type
hal = _hal
multiprocessing = _multiprocessing
Type = _Type

AMP_BLACK_LIST: list[Any]
AMP_WHITE_LIST: list[Any]
COMPATIBLE: _builtins.int
CONTAINERS: dict[str, Any]
ELSEWHERE: tuple[Any, ...]
EXPORT_AGAIN: str
GRAPH_MODE: _builtins.int
LAX: _builtins.int
MODES: tuple[Any, ...]
PLAIN: tuple[Any, ...]
PYNATIVE_MODE: _builtins.int
STRICT: _builtins.int
SUFFIXES: dict[str, Any]
UNLIMITED: str
VERSION: _builtins.int
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
tensor_to_ms_type: dict[str, Any]
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
