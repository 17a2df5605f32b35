# Written by tools/stubs.py: `make stubs` writes it again.
# mypy: ignore-errors
from mycel.library.train import *
from typing import Any
from mycel import (
    build_searched_strategy as build_searched_strategy, load_distributed_checkpoint as load_distributed_checkpoint,
    merge_pipeline_strategys as merge_pipeline_strategys, merge_sliced_parameter as merge_sliced_parameter,
    transform_checkpoints as transform_checkpoints, unified_safetensors as unified_safetensors,
)
from mycel.library.distributed.auto_parallel import (
    AutoParallel as AutoParallel, get_ps_context as get_ps_context, launch_blocking as launch_blocking,
    reset_ps_context as reset_ps_context, set_cpu_affinity as set_cpu_affinity, set_memory as set_memory,
    set_ps_context as set_ps_context, sync_pipeline_shared_parameters as sync_pipeline_shared_parameters,
)
from mycel.library.reports.summary import SummaryCollector as SummaryCollector, SummaryRecord as SummaryRecord
from mycel.library.saving.exported import (
    ExportedGraph as ExportedGraph, build_output as build_output, describe_input as describe_input,
    describe_output as describe_output, export as export, gather as gather, load as load,
)
from mycel.library.train.internal_names import (
    AmpLevel as AmpLevel, FlopsUtilizationCollector as FlopsUtilizationCollector, OnRequestExit as OnRequestExit,
    check_value_type as check_value_type, get_parameter_redundancy as get_parameter_redundancy,
    remove_param_redundancy as remove_param_redundancy, set_cur_net as set_cur_net,
)

AMP_BLACK_LIST: list[Any]
AMP_WHITE_LIST: list[Any]
CONTAINERS: dict[str, Any]
ELSEWHERE: tuple[Any, ...]
EXPORT_AGAIN: str
MODES: tuple[Any, ...]
PLAIN: tuple[Any, ...]
SUFFIXES: dict[str, Any]
UNLIMITED: str
VERSION: int
