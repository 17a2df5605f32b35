"""Names of `mindspore.profiler` that mycel has for import only."""

NAMES = """\
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
    'SCOPER_LAYER': 'Scope Layer', 'ASCEND_HARDWARE': 'Ascend Hardware', 'HCCL': 'HCCL', 'AI_CORE_FREQ': 'AI Core Freq',
    'HBM': 'HBM', 'PCLE': 'PCle', 'HCCS': 'HCCS', 'LLC': 'LLC', 'NPU_MEM': 'NPU MEM', 'STARS_SOC_INFO': 'Stars Soc
    Info', 'STARS_Chip_Trans': 'Stars Chip Trans', 'ACC_PMU': 'Acc PMU', 'SIO': 'SIO', 'QOS': 'QoS', 'NIC': 'NIC',
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
"""
