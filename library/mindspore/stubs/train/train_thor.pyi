# Written by tools/stubs.py: `make stubs` writes it again.
# mypy: ignore-errors
from mycel.library.train import *
from typing import Any
from mycel.library.train.internal_names import (
    AmpLevel as AmpLevel, FlopsUtilizationCollector as FlopsUtilizationCollector, OnRequestExit as OnRequestExit,
    check_value_type as check_value_type, get_parameter_redundancy as get_parameter_redundancy,
    remove_param_redundancy as remove_param_redundancy, set_cur_net as set_cur_net,
)

AMP_BLACK_LIST: list[Any]
AMP_WHITE_LIST: list[Any]
