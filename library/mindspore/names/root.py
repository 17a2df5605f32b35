"""Names of `mindspore` that mycel has for import only."""

NAMES = """\
[mindspore]
class Cifar100ToMR Cifar10ToMR CsvToMR ImageNetToMR MnistToMR TFRecordToMR
function comm_exec_order_check frombuffer get_obj_module_and_name_info is_invalid_or_jit_forbidden_method
    is_jit_forbidden_module load_mindir load_obf_params_into_net obfuscate_ckpt runtime_execution_order_check
    save_mindir
object FAILED SUCCESS absolute_import
from common.device DeviceCtx
from common.dump set_dump
from common.file_system mindio_preload set_mindio_server_info
from common.storage UntypedStorage
from common.tensor swap_tensors
from graph.api register_saved_tensors_hooks
from log get_log_config
from mindrecord.config set_dec_mode set_enc_key set_enc_mode
from mindrecord.mindpage MindPage
from parallel.checkpoint_transform load_segmented_checkpoints rank_list_for_transform restore_group_info_list
    transform_checkpoint_by_rank
from parallel.function.reshard_func reshard
from parallel.parameter_broadcast parameter_broadcast
from profiler.envprofiler EnvProfiler
from rewrite.api.node Node
from rewrite.api.node_type NodeType
from rewrite.api.scoped_value ScopedValue
from rewrite.api.symbol_tree SymbolTree
from runtime.device_limit get_device_limit set_device_limit
from runtime.memory MemPool PluggableAllocator use_mem_pool
from runtime.stream_limit StreamLimitCtx get_stream_limit reset_stream_limit set_stream_limit
from train.callback._backup_and_restore BackupAndRestore
from train.callback._landscape SummaryLandscape
from train.callback._train_fault_tolerance TrainFaultTolerance
from train.metrics.hausdorff_distance HausdorffDistance
from train.metrics.mean_surface_distance MeanSurfaceDistance
from train.metrics.occlusion_sensitivity OcclusionSensitivity
from train.metrics.root_mean_square_surface_distance RootMeanSquareDistance
from train.serialization export_split_mindir get_ckpt_path_with_strategy
from train.train_thor.convert_utils ConvertModelUtils ConvertNetUtils
from utils.dlpack from_dlpack to_dlpack
from utils.ms_dispatch MsDispatchMode
from utils.sdc_detect get_sdc_detect_result sdc_detect_start sdc_detect_stop
from utils.stress_detect stress_detect
from utils.utils ExitByRequest RSCPluginHandle TFTCommValue
"""
