# Written by tools/stubs.py: `make stubs` writes it again.
# mypy: ignore-errors
from mycel.library.train import *
from mycel import *
import builtins as _builtins
from typing import Any
from mycel.library.mindspore.switches import (
    disable_multi_thread as disable_multi_thread, is_reboot_node as is_reboot_node,
    np_dtype_valid as np_dtype_valid, tensor_to_np_type as tensor_to_np_type,
    update_pijit_default_config as update_pijit_default_config,
)
from mycel.library.saving.exported import (
    ExportedGraph as ExportedGraph, build_output as build_output, describe_input as describe_input,
    describe_output as describe_output, gather as gather,
)
from mycel.library.saving.serialization import (
    checkpoint_bytes as checkpoint_bytes, parse_checkpoint as parse_checkpoint,
)
from mycel.library.train import amp as amp
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
NAMED: _builtins.int
PLAIN: tuple[Any, ...]
SUFFIXES: dict[str, Any]
UNLIMITED: str
VERSION: _builtins.int
tensor_to_ms_type: dict[str, Any]
