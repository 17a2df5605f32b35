"""Names of MindSpore's smaller packages that mycel has for import only."""

NAMES = """\
[mindspore.mindrecord]
class Cifar100ToMR Cifar10ToMR CsvToMR ImageNetToMR MnistToMR TFRecordToMR
object EXCEPTIONS
from mindrecord.common.enums ErrorCodeType ErrorLevel LogRuntime
from mindrecord.common.exceptions DbConnectionError MRMAddIndexError MRMBuildSchemaError MRMCloseError MRMCommitError
    MRMDefineBlobError MRMDefineCategoryError MRMFetchCandidateFieldsError MRMFetchDataError MRMFinishError
    MRMGenerateIndexError MRMIndexGeneratorError MRMInitSegmentError MRMLaunchError MRMOpenForAppendError
    MRMReadCategoryInfoError MRMSetHeaderError MRMUnsupportedSchemaError MRMValidateDataError MRMWriteDatasetError
    ParamMissError PathNotExistsError UnknownError
from mindrecord.config set_dec_mode set_enc_key set_enc_mode
from mindrecord.mindpage MindPage
value SYS_ID 42
[mindspore.mindrecord.common]
[mindspore.mindrecord.common.constant]
value SYS_ID 42
[mindspore.mindrecord.common.enums]
class BaseEnum ErrorCodeType ErrorLevel LogRuntime
[mindspore.mindrecord.common.exceptions]
exception DbConnectionError MRMAddIndexError MRMAddSchemaError MRMBuildSchemaError MRMCloseError MRMCommitError
    MRMDefineBlobError MRMDefineCategoryError MRMDefineIndexError MRMFetchCandidateFieldsError MRMFetchDataError
    MRMFinishError MRMGenerateIndexError MRMGetMetaError MRMIndexGeneratorError MRMInitSegmentError
    MRMInvalidHeaderSizeError MRMInvalidPageSizeError MRMInvalidSchemaError MRMLaunchError MRMOpenError
    MRMOpenForAppendError MRMReadCategoryInfoError MRMSetHeaderError MRMUnsupportedSchemaError MRMValidateDataError
    MRMWriteDatasetError MindRecordException ParamMissError ParamTypeError ParamValueError PathNotExistsError
    UnknownError
object EXCEPTIONS
from mindrecord.common.enums ErrorCodeType ErrorLevel LogRuntime
value SYS_ID 42
[mindspore.mindrecord.config]
function cleanup_decrypt_files decrypt encrypt set_dec_mode set_enc_key set_enc_mode
object DECRYPT_DIRECTORY_LIST DECRYPT_FILE_LIST DECRYPT_STATE_LOCK DEC_MODE ENCRYPT_END_FLAG ENC_KEY HASH_MODE
value DECRYPT_DIRECTORY '.decrypt_mindrecord'
value DECRYPT_TIME 0
value ENCRYPT_BLOCK_LENGTH_BYTES 4
value ENCRYPT_MIN_BLOCK_REMAINING_BYTES 15
value ENCRYPT_MODE_LEN 7
value ENCRYPT_TIME 0
value ENCRYPT_TRAILER_LEN 11
value ENC_MODE 'AES-GCM'
value MIN_FILE_SIZE 8
value WARNING_INTERVAL 30
[mindspore.mindrecord.filereader]
class ShardHeader ShardReader
function check_parameter populate_data
from mindrecord.config cleanup_decrypt_files decrypt
[mindspore.mindrecord.filewriter]
class ShardHeader ShardIndexGenerator ShardReader ShardWriter
function check_filename
object VALUE_TYPE_MAP
from mindrecord.config decrypt encrypt
value MAX_SHARD_COUNT 1000
value MIN_SHARD_COUNT 1
value VALID_ARRAY_ATTRIBUTES ['int32', 'int64', 'float32', 'float64']
value VALID_ATTRIBUTES ['int32', 'int64', 'float32', 'float64', 'string', 'bytes']
[mindspore.mindrecord.mindpage]
class MindPage ShardSegment
function check_parameter
from mindrecord.common.exceptions MRMDefineCategoryError ParamTypeError ParamValueError
from mindrecord.config cleanup_decrypt_files decrypt
[mindspore.multiprocessing]
from multiprocessing.reductions init_reductions
[mindspore.multiprocessing.queue]
class IpcConnectionWrapper Queue
[mindspore.multiprocessing.reductions]
function init_reductions reduce_storage reduce_tensor restore_storage_fd restore_tensor restore_tensor_empty
from common.storage UntypedStorage
[mindspore.numpy]
object absolute_import array_creations_module array_ops_module logic_module math_module
[mindspore.numpy.array_creations]
class MGridClass NdGrid OGridClass Tensor_
function copy_
instance asarray_const asfarray_const empty_compile nn_tril nn_triu tri_indices
object ARRAY_TYPES absolute_import division
value MAX_NUMPY_DIMS 32
[mindspore.numpy.array_ops]
cell UniqueNet
function roll_along_axis
instance convert_neg_indices
object absolute_import
value MAX_NUMPY_DIMS 32
[mindspore.numpy.dtypes]
object NINF PINF absolute_import all_types bool_ dtype_map dtype_tuple float16 float32 float64 float_ inf int16 int32
    int64 int8 int_ nan numeric_types promotion_rule rule_for_trigonometric uint uint16 uint32 uint64 uint8
value pi 3.141592653589793
[mindspore.numpy.fft]
object absolute_import
[mindspore.numpy.logic_ops]
object absolute_import
[mindspore.numpy.math_ops]
function check_gradient_arguments comput_avg compute_weights_for_mean divmod_ sum_
instance asarray_const
object ZERO_TENSOR absolute_import division dtype_map
from ops.composite.multitype_ops._compile_utils reduce_
[mindspore.numpy.utils]
object absolute_import
[mindspore.numpy.utils_const]
object absolute_import all_types dtype_map dtype_tuple promotion_rule rule_for_trigonometric
[mindspore.onnx]
object absolute_import
from onnx.onnx_export export
[mindspore.onnx.onnx_export]
function export
object absolute_import division
from _checkparam check_input_dataset
value PROTO_LIMIT_SIZE 2097152
[mindspore.profiler]
class DynamicProfilerMonitor
from profiler.common.constant HostSystem
from profiler.envprofiler EnvProfiler
[mindspore.profiler.common.constant]
class CannLibName DynoMode EventConstant FileConstant JitLevel MsprofModeName ProfilerStepNameConstant TimeConstant
enum OverlapAnalysisTidName {'COMPUTING': 'Computing', 'COMMUNICATION': 'Communication', 'COMMUNICATION_NOT_OVERLAP':
    'Communication(Not Overlapped)', 'FREE': 'Free'}
enum DeviceTarget {'CPU': 'CPU', 'GPU': 'GPU', 'NPU': 'Ascend'}
enum TimelineLayerName {'MINDSPORE': 'MindSpore', 'CPU_OP': 'CPU OP', 'MSTX': "['python', 'python3']", 'CANN': 'CANN',
    'SCOPER_LAYER': 'Scope Layer', 'ASCEND_HARDWARE': 'Ascend Hardware', 'HCCL': 'HCCL', 'AI_CORE_FREQ': 'AI Core
    Freq', 'HBM': 'HBM', 'PCLE': 'PCle', 'HCCS': 'HCCS', 'LLC': 'LLC', 'NPU_MEM': 'NPU MEM', 'STARS_SOC_INFO': 'Stars
    Soc Info', 'STARS_Chip_Trans': 'Stars Chip Trans', 'ACC_PMU': 'Acc PMU', 'SIO': 'SIO', 'QOS': 'QoS', 'NIC': 'NIC',
    'ROCE': 'RoCE', 'OVERLAP_ANALYSIS': 'Overlap Analysis'}
enum OpSummaryHeaders {'STEP_ID': 'Step ID', 'DEVICE_ID': 'Device_id', 'MODEL_NAME': 'Model Name', 'MODEL_ID': 'Model
    ID', 'TASK_ID': 'Task ID', 'STREAM_ID': 'Stream ID', 'OP_NAME': 'Op Name', 'OP_TYPE': 'OP Type', 'TASK_TYPE': 'Task
    Type', 'TASK_START_TIME': 'Task Start Time(us)', 'TASK_DURATION': 'Task Duration(us)', 'TASK_WAIT_TIME': 'Task Wait
    Time(us)', 'BLOCK_NUM': 'Block Num', 'MIX_BLOCK_NUM': 'Mix Block Num', 'HF32_ELIGIBLE': 'HF32 Eligible',
    'INPUT_SHAPES': 'Input Shapes', 'INPUT_DATA_TYPES': 'Input Data Types', 'INPUT_FORMATS': 'Input Formats',
    'OUTPUT_SHAPES': 'Output Shapes', 'OUTPUT_DATA_TYPES': 'Output Data Types', 'OUTPUT_FORMATS': 'Output Formats',
    'CONTEXT_ID': 'Context ID'}
enum AnalysisMode {'SYNC_MODE': 'sync', 'ASYNC_MODE': 'async'}
enum HostSystem {'CPU': 'cpu', 'MEM': 'mem', 'DISK': 'disk', 'NETWORK': 'network', 'OSRT': 'osrt'}
[mindspore.profiler.common.util]
function analyse_device_list_from_profiler_dir calculate_percent combine_stream_task_id fwrite_format get_cann_version
    get_device_id get_field_value get_file_join_name get_file_path get_log_slice_id get_newest_file get_options
    get_summary_for_step_trace no_exception_func parse_device_id print_msg_with_pid query_latest_trace_time_file
    query_step_trace_file timeit to_int to_millisecond
class PathManager ProfilerPathManager
exception ProfilerPathErrorException
from profiler.common.constant DeviceTarget
[mindspore.profiler.envprofiler]
class EnvProfiler ProfilerParameters
from profiler.common.constant HostSystem
[mindspore.profiler.mstx]
class Mstx PathManager
from profiler.common.constant CannLibName DeviceTarget
[mindspore.profiler.profiler]
function ProfilerContext ProfilerPathManager analyse
class NPUProfilerAnalysis PathManager ProfilerMetaData RecordFunction
from profiler.common.util no_exception_func
from profiler.common.constant DeviceTarget ProfilerStepNameConstant
from profiler.profiler_action_controller ProfilerActionController
from profiler.profiler_interface ProfilerInterface
[mindspore.profiler.profiler_action_controller]
class ProfilerActionController
from profiler.profiler_interface ProfilerInterface
from profiler.schedule ProfilerAction
[mindspore.profiler.profiler_interface]
function ProfilerContext ProfilerPathManager
class BaseProfiler ProfilerInterface ProfilerLogger ProfilerMetaData
object PROFILERS
[mindspore.profiler.schedule]
class Schedule
enum ProfilerAction {'NONE': 0, 'WARM_UP': 1, 'RECORD': 2, 'RECORD_AND_SAVE': 3}
[mindspore.rewrite]
class SparseFunc
function sparsify
enum ArgType {'NONSPARSE': 1, 'CSR': 2, 'COO': 3, 'ANY': 4}
[mindspore.rewrite.api]
[mindspore.rewrite.api.node]
class NodeImpl SymbolTreeImpl
[mindspore.rewrite.api.node_type]
[mindspore.rewrite.api.pattern_engine]
[mindspore.rewrite.api.scoped_value]
[mindspore.rewrite.api.symbol_tree]
class SymbolTreeBuilder SymbolTreeImpl
object MsDtypes ParamTypes
[mindspore.rewrite.common]
[mindspore.rewrite.common.namespace]
class ModuleNamespace
function get_functional get_top_level_module_path is_functional is_ms_function is_subtree is_third_party
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
from runtime.device_limit get_device_limit set_device_limit
from runtime.memory MemPool PluggableAllocator use_mem_pool
from runtime.stream_limit StreamLimitCtx get_stream_limit reset_stream_limit set_stream_limit
from train.callback._backup_and_restore BackupAndRestore
from train.callback._landscape SummaryLandscape
from train.callback._train_fault_tolerance TrainFaultTolerance
from train.serialization export_split_mindir get_ckpt_path_with_strategy
from train.train_thor.convert_utils ConvertModelUtils ConvertNetUtils
from utils.dlpack from_dlpack to_dlpack
from utils.ms_dispatch MsDispatchMode
from utils.sdc_detect get_sdc_detect_result sdc_detect_start sdc_detect_stop
from utils.stress_detect stress_detect
from utils.utils ExitByRequest RSCPluginHandle TFTCommValue
[mindspore.run_check]
function check_version_and_env_config run_check
[mindspore.runtime]
from runtime.device_limit get_device_limit set_device_limit
from runtime.memory MemPool PluggableAllocator use_mem_pool
from runtime.stream_limit StreamLimitCtx get_stream_limit reset_stream_limit set_stream_limit
[mindspore.runtime.device_limit]
function get_device_limit get_device_limit_ set_device_limit set_device_limit_
[mindspore.runtime.event]
class Event_ Stream_
function current_stream_
value function_event_status {'Event': False, 'wait': False}
[mindspore.runtime.executor]
class RuntimeConf
[mindspore.runtime.memory]
class DeviceContextManager DeviceManagerConf MemPool PluggableAllocator RuntimeConf
function use_mem_pool
[mindspore.runtime.stream]
class CtxBase Stream_
function communication_stream_ current_stream_ default_stream_ set_cur_stream_ synchronize_
object function_stream_status
[mindspore.runtime.stream_limit]
class StreamLimitCtx
function get_stream_limit get_stream_limit_ reset_stream_limit reset_stream_limit_ set_stream_limit set_stream_limit_
from runtime.stream CtxBase
[mindspore.safeguard]
function load_obf_params_into_net obfuscate_ckpt
[mindspore.scipy.fft]
function dct dctn idct idctn
object absolute_import division
from ops.auto_generate.gen_ops_prim DCT DCTN IDCT IDCTN
[mindspore.scipy.linalg]
function lu_pivots_to_permutation
object absolute_import
from ops.operations.linalg_ops Eigh
from scipy.ops LU SolveTriangular
[mindspore.scipy.ops]
class SolveTriangular
primitive Eig LU LinearSumAssignment
from ops.auto_generate.gen_ops_def solve_triangular
[mindspore.scipy.ops_grad]
function get_bprpo_eig get_bprpo_eigh
object bprop_getters
from ops.operations.linalg_ops Eigh
from scipy.ops Eig
from scipy.ops_wrapper matrix_set_diag
[mindspore.scipy.ops_wrapper]
function matrix_set_diag
[mindspore.scipy.optimize]
from scipy.optimize.line_search line_search
from scipy.optimize.linear_sum_assignment linear_sum_assignment
from scipy.optimize.minimize minimize
[mindspore.scipy.optimize._bfgs]
cell MinimizeBfgs
function minimize_bfgs
from scipy.optimize.line_search LineSearch
[mindspore.scipy.optimize._lagrange]
cell AugmentLagrangeMethod Loss
function check_tol minimize_lagrange
[mindspore.scipy.optimize._lbfgs]
cell SearchVector
class AlgorithmLbfgs
function minimize_lbfgs
from scipy.optimize.gradient_optimization_algorithm GradientOptimizationAlgorithm GradientOptimizationResults
[mindspore.scipy.optimize.gradient_optimization_algorithm]
class GradientOptimizationAlgorithm GradientOptimizationResults
from scipy.optimize.line_search LineSearch
[mindspore.scipy.optimize.line_search]
cell LineSearch
function line_search
[mindspore.scipy.optimize.linear_sum_assignment]
function linear_sum_assignment
from scipy.ops LinearSumAssignment
[mindspore.scipy.optimize.minimize]
class OptimizeResults
function lagrange_para_check minimize
from scipy.optimize._bfgs minimize_bfgs
from scipy.optimize._lagrange minimize_lagrange
from scipy.optimize._lbfgs minimize_lbfgs
[mindspore.scipy.utils]
function sparse_dot
instance pack
object division
[mindspore.scipy.utils_const]
class StringDict
function mstype_to_pytype
instance pack
object absolute_import
[mindspore.tools]
function get_sdc_detect_result sdc_detect_start sdc_detect_stop set_dump stress_detect
object absolute_import
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
[mindspore.version]
"""
