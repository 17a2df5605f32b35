# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from mycel.library.train.amp import (
    auto_mixed_precision as auto_mixed_precision, build_train_network as build_train_network,
    custom_mixed_precision as custom_mixed_precision, get_black_list as get_black_list,
    get_white_list as get_white_list,
)
from mycel.library.train.internal_names import (
    AmpLevel as AmpLevel, FlopsUtilizationCollector as FlopsUtilizationCollector, OnRequestExit as OnRequestExit,
    check_value_type as check_value_type, get_parameter_redundancy as get_parameter_redundancy,
    remove_param_redundancy as remove_param_redundancy, set_cur_net as set_cur_net,
)
from mycel.library.train.loss_scaling import (
    DynamicLossScaleManager as DynamicLossScaleManager, DynamicLossScaler as DynamicLossScaler,
    FixedLossScaleManager as FixedLossScaleManager, LossScaleManager as LossScaleManager, LossScaler as LossScaler,
    StaticLossScaler as StaticLossScaler, all_finite as all_finite,
)

AMP_BLACK_LIST: list[Any]
AMP_WHITE_LIST: list[Any]
LEVELS: tuple[Any, ...]
