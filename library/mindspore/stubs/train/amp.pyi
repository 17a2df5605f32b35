# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from mycel.library.train.amp import (
    auto_mixed_precision, build_train_network, custom_mixed_precision, get_black_list, get_white_list,
)
from mycel.library.train.internal_names import (
    FlopsUtilizationCollector, OnRequestExit, check_value_type, get_parameter_redundancy, remove_param_redundancy,
    set_cur_net,
)
from mycel.library.train.loss_scaling import (
    DynamicLossScaleManager, DynamicLossScaler, FixedLossScaleManager, LossScaleManager, LossScaler,
    StaticLossScaler, all_finite,
)

__all__ = [
    "AMP_BLACK_LIST", "AMP_WHITE_LIST", "DynamicLossScaleManager", "DynamicLossScaler", "FixedLossScaleManager",
    "FlopsUtilizationCollector", "LEVELS", "LossScaleManager", "LossScaler", "OnRequestExit", "StaticLossScaler",
    "all_finite", "auto_mixed_precision", "build_train_network", "check_value_type", "custom_mixed_precision",
    "get_black_list", "get_parameter_redundancy", "get_white_list", "remove_param_redundancy", "set_cur_net",
]

AMP_BLACK_LIST: list[Any]
AMP_WHITE_LIST: list[Any]
LEVELS: tuple[Any, ...]
