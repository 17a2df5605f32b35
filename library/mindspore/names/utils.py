"""Names of `mindspore.utils` that mycel has for import only."""

NAMES = """\
[mindspore.utils]
function comm_exec_order_check runtime_execution_order_check
object absolute_import
from utils.dlpack from_dlpack to_dlpack
from utils.ms_dispatch MsDispatchMode
from utils.sdc_detect get_sdc_detect_result sdc_detect_start sdc_detect_stop
from utils.stress_detect stress_detect
from utils.utils ExitByRequest RSCPluginHandle TFTCommValue
[mindspore.utils._pytree]
function register_pytree_node register_pytree_node_class tree_flatten tree_leaves tree_map tree_structure
    tree_unflatten
object annotations
[mindspore.utils.dlpack]
class TensorPy_
function from_dlpack to_dlpack
[mindspore.utils.ms_dispatch]
class MsDispatchMode
[mindspore.utils.sdc_detect]
function get_sdc_detect_result sdc_detect_start sdc_detect_stop
[mindspore.utils.stress_detect]
function stress_detect
[mindspore.utils.utils]
class ExitByRequest RSCPluginHandle TFTCommValue TftHandle
function set_is_reboot_node set_reboot_type tft_register_config
object absolute_import
"""
