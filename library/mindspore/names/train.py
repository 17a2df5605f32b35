"""Names of `mindspore.train` that mycel has for import only."""

NAMES = """\
[mindspore.train]
object absolute_import
from train.callback._backup_and_restore BackupAndRestore
from train.callback._landscape SummaryLandscape
from train.callback._train_fault_tolerance TrainFaultTolerance
from train.serialization export_split_mindir get_ckpt_path_with_strategy restore_group_info_list
from train.train_thor.convert_utils ConvertModelUtils ConvertNetUtils
[mindspore.train._utils]
class MSContext Tensor_ ms_ctx_param
function _check_lineage_value _collect_settings_by_rank _construct_input_tensors _convert_type _exec_datagraph
    _get_initial_rank _get_layout_opt_shard _get_parameter_redundancy_without_opt_shard
    _get_pp_size_from_redundancy_map _get_strategy_opt_shard _load_and_transform _mstx_range_decorator _progress_bar
    _restructure _rotate_list_elements check_summary_param enable_data_broadcast parse_hccl_file parse_strategy_ckpt
    read_proto
object absolute_import
[mindspore.train.amp]
class AmpDecorator
function _amp_cast_op _auto_black_list _auto_mixed_precision_process _auto_mixed_precision_rewrite _check_kwargs
    _check_level _config_amp _insert_cast_for_operator _insert_cast_for_operators _is_grad_accumulation _list_check
    _need_removed_cast_pair _net_need_cast _operator_need_cast _precision_set_by_user _remove_duplicated_cast
    _set_amp_decorator amp_cast
object AMP_AUTO_BLACK_LIST AMP_AUTO_WHITE_LIST AMP_PRIM_ARG_TABLE absolute_import
from _c_expression.amp AmpLevel create_amp_strategy pop_amp_strategy push_amp_strategy
value MS_AMP_BY_REWRITE False
[mindspore.train.anf_ir_pb2]
object DESCRIPTOR DataType Version
value DT_ANY 40
value DT_BASE_COMPLEX 45
value DT_BASE_FLOAT 38
value DT_BASE_INT 36
value DT_BASE_UINT 37
value DT_BFLOAT16 46
value DT_BFLOATS16 47
value DT_BOOL 1
value DT_BOOLS 16
value DT_COMPLEX128 44
value DT_COMPLEX64 43
value DT_DICT 33
value DT_FLOAT16 10
value DT_FLOAT32 11
value DT_FLOAT64 12
value DT_FLOATS16 25
value DT_FLOATS32 26
value DT_FLOATS64 27
value DT_GRAPH 15
value DT_GRAPHS 30
value DT_INT16 3
value DT_INT32 4
value DT_INT4 48
value DT_INT64 5
value DT_INT8 2
value DT_INTS16 18
value DT_INTS32 19
value DT_INTS64 20
value DT_INTS8 17
value DT_LIST 32
value DT_NONE 34
value DT_REF 42
value DT_REFKEY 41
value DT_SLICE 49
value DT_STRING 13
value DT_STRINGS 28
value DT_SYM_INST 35
value DT_TENSOR 14
value DT_TENSORS 29
value DT_TUPLE 31
value DT_TYPE 39
value DT_UINT16 7
value DT_UINT32 8
value DT_UINT64 9
value DT_UINT8 6
value DT_UINTS16 22
value DT_UINTS32 23
value DT_UINTS64 24
value DT_UINTS8 21
value DT_UNDEFINED 0
value IR_VERSION 1
value UNKNOWWN_VERSION 0
[mindspore.train.callback]
object absolute_import
from train.callback._backup_and_restore BackupAndRestore
from train.callback._landscape SummaryLandscape
from train.callback._train_fault_tolerance TrainFaultTolerance
[mindspore.train.callback._backup_and_restore]
class BackupAndRestore
object absolute_import
[mindspore.train.callback._callback]
function _fill_param_into_net checkpoint_cb_for_save_op summary_cb_for_save_op
object CUR_NET absolute_import
[mindspore.train.callback._checkpoint]
class CheckpointManager
function _check_format_and_other_params _chg_ckpt_file_name_if_same_exist _get_dp_tp_from_layout
    _get_dp_tp_from_redundancy _wait_async_save_ckpt collect_host_info get_clock_syscnt
object absolute_import
from parallel._cell_wrapper destroy_allgather_cell
value SAVE_DIR ''
[mindspore.train.callback._dataset_graph]
class DatasetGraph
object absolute_import
[mindspore.train.callback._early_stop]
cell ValueReduce
object absolute_import division
[mindspore.train.callback._flops_collector]
cell AllReduceNet
object absolute_import
[mindspore.train.callback._history]
object absolute_import
[mindspore.train.callback._lambda_callback]
object absolute_import
[mindspore.train.callback._landscape]
class Landscape Points SummaryLandscape _PCA
function fill_array_to_tensor nptype_to_prototype transfer_tensor_to_tuple
object DataType absolute_import
from train.summary.enums PluginEnum
value ALL_COMPLETED 'ALL_COMPLETED'
[mindspore.train.callback._loss_monitor]
function collect_host_info get_clock_syscnt
object absolute_import
[mindspore.train.callback._lr_scheduler_callback]
object absolute_import
[mindspore.train.callback._on_request_exit]
object absolute_import
[mindspore.train.callback._reduce_lr_on_plateau]
cell ValueReduce
object absolute_import division
[mindspore.train.callback._summary_collector]
class LineageMetadata
function collect_host_info get_clock_syscnt
object absolute_import
from train.callback._dataset_graph DatasetGraph
from train.summary.enums ModeEnum PluginEnum
from train.summary.summary_record process_export_options
value HYPER_CONFIG_ENV_NAME 'MINDINSIGHT_HYPER_CONFIG'
value HYPER_CONFIG_LEN_LIMIT 100000
[mindspore.train.callback._time_monitor]
object absolute_import
[mindspore.train.callback._train_fault_tolerance]
class AdaptTrainOptimizer CollectiveManager TrainFaultTolerance
function _get_ckpt_dir _rename_save_result _save_checkpoint_on_failure _tft_clean_callback _tft_exit_cb
    _tft_rebuild_groups _tft_repair_callback _tft_stop_callback check_is_arf clean_tdt_channel direct_copy_to_host
    reset_params send_recv set_is_arf
from ops.operations.manually_defined._inner TensorReport
from parallel._cell_wrapper SingleCommunicator
[mindspore.train.checkpoint_pb2]
object DESCRIPTOR
[mindspore.train.data_sink]
class _DataSinkAux
function _get_jit_func _get_next_op _get_sink_fun _init_sink_dataset data_sink
from train._utils enable_data_broadcast
[mindspore.train.dataset_helper]
cell _DataWrapper
class _DatasetAux _DatasetIter _DatasetIterMSLoopSink _DatasetIterNormal _DatasetIterPSServer _DatasetIterPyNative
function _check_inputs _dynamic_sink_data _dynamic_sink_exception_scenario _dynamic_sink_scenario
    _generate_dataset_sink_mode_net _generate_network_with_dataset _get_dataset_aux _has_dynamic_shape _send_data
    _send_data_no_flag
object absolute_import
from graph.dynamic_shape._auto_dynamic convert_new_shapes is_auto_dynamic
from train._utils enable_data_broadcast
value ARG_SPECIFIED 'arg_specified_infos'
[mindspore.train.lineage_pb2]
object DESCRIPTOR
[mindspore.train.loss_scale_manager]
object absolute_import
[mindspore.train.metrics]
object absolute_import
[mindspore.train.metrics.accuracy]
object absolute_import
from train.metrics.metric EvaluationBase
[mindspore.train.metrics.auc]
function _check_consistent_length _column_or_1d _num_samples auc
object absolute_import
[mindspore.train.metrics.bleu_score]
class BleuScore
object absolute_import
[mindspore.train.metrics.confusion_matrix]
class _ConfusionMatrix
function _calculate_acc _calculate_ba _calculate_bm _calculate_f1 _calculate_fdr _calculate_fm _calculate_fnr
    _calculate_for _calculate_fpr _calculate_mcc _calculate_mk _calculate_npv _calculate_ppv _calculate_pt
    _calculate_tnr _calculate_tpr _calculate_ts _check_metric_name _compute_confusion_matrix_metric _decrease_mean
    _decrease_mean_batch _decrease_mean_channel _decrease_metric _decrease_none _decrease_sum _decrease_sum_batch
    _decrease_sum_channel _get_confusion_matrix
object absolute_import
[mindspore.train.metrics.cosine_similarity]
class CosineSimilarity
object absolute_import
[mindspore.train.metrics.dice]
class Dice
object absolute_import
[mindspore.train.metrics.error]
object absolute_import
[mindspore.train.metrics.fbeta]
object absolute_import
[mindspore.train.metrics.hausdorff_distance]
class HausdorffDistance _ROISpatialData
function _is_iterable_sequence
object absolute_import
[mindspore.train.metrics.loss]
object absolute_import
[mindspore.train.metrics.mean_surface_distance]
class MeanSurfaceDistance
object absolute_import
[mindspore.train.metrics.metric]
class EvaluationBase
function _binary_clf_curve _check_onehot_data
object absolute_import
[mindspore.train.metrics.occlusion_sensitivity]
class OcclusionSensitivity
function _append_to_sensitivity_im _check_input_bounding_box
object absolute_import
[mindspore.train.metrics.perplexity]
object absolute_import
[mindspore.train.metrics.precision]
object absolute_import
from train.metrics.metric EvaluationBase
[mindspore.train.metrics.recall]
object absolute_import
from train.metrics.metric EvaluationBase
[mindspore.train.metrics.roc]
class ROC
function _precision_recall_curve_update
object absolute_import
[mindspore.train.metrics.root_mean_square_surface_distance]
class RootMeanSquareDistance
object absolute_import
[mindspore.train.metrics.topk]
object absolute_import
[mindspore.train.mind_ir_pb2]
object DESCRIPTOR Version
value IR_VERSION 1
value IR_VERSION_START 0
value IR_VERSION_WITH_PRIM_FUNCTION 2
value IR_VERSION_WITH_SCALAR_GRAPH_HOLDER 3
[mindspore.train.model]
class ClusterMonitor _FrameworkProfilerCallback _StepSync
function _append_ccae _calc_cb_initial_step _check_tft _check_tft_reset_dataset _framework_profiler_step_end
    _framework_profiler_step_start _get_arg_infos _get_ckpt_obj _get_tft_obj _handle_exception_info _handle_tft
    _handle_training_result_error _merge_inputs _process_loss_inputs _save_final_ckpt _set_with_processed_inputs
    _transfer_tensor_to_tuple _update_ckpt_callback_info clean_tdt_channel set_is_arf
object absolute_import internal_cb_names
from _checkparam check_output_data
from log vlog_print
from train.callback._train_fault_tolerance TrainFaultTolerance
value ARG_SPECIFIED 'arg_specified_infos'
value TOTAL_ARG_LEN 'total_arg_length'
[mindspore.train.node_strategy_pb2]
object DESCRIPTOR
[mindspore.train.print_pb2]
object DESCRIPTOR
[mindspore.train.profiling_parallel_pb2]
object DESCRIPTOR
[mindspore.train.serialization]
class ParamDictFuture Tensor_
exception _CheckpointProtobufSizeError
function _async_process_save _async_save_close _calculation_net_size _cell_info _change_file _check_append_dict
    _check_async_save _check_checkpoint_file_size _check_checkpoint_protobuf_size _check_dynamic_input _check_file
    _check_key_mode_type _check_load_checkpoint_unsupported_param _check_load_param_into_net
    _check_param_for_integrate_save _check_param_type _check_prefix _check_remove_redundancy
    _check_remove_redundancy_net _check_save_checkpoint_unsupported_param _check_save_obj_and_ckpt_file_name
    _checkpoint_protobuf_memory_error _convert_cell_param_and_names_to_dict _convert_cell_to_param_list
    _convert_checkpoint_file _convert_dict_to_param_dict _convert_list_to_param_list _convert_save_obj_to_param_list
    _encrypt_data _ensure_ckpt_fs_initialized _exec_save _export _gather_all_tasks
    _generate_front_info_for_param_data_file _get_available_memory _get_cur_rank_dp _get_data_file _get_funcgraph
    _handle_shared_param_for_pipeline_parallel _is_auto_parallel_mode _is_buffer_type _load_ckpt_into_param_dict
    _load_dismatch_prefix_params _load_file_and_convert_name _load_into_param_dict _load_map_parameter
    _load_safetensors_into_param_dict _msfunc_info _parse_ckpt_proto _process_file _reshape_tensor _save_air
    _save_dataset_to_mindir _save_graph _save_mindir _save_mindir_together _save_onnx _save_param_list_data
    _save_together _save_weight _special_process_par _split_save _type_convert _update_param
    _wait_async_process_save_ckpt _wait_async_thread_save_ckpt _warm_up_host_cache _warm_up_host_cache_enabled
    _warm_up_host_cache_post_process _whether_load_param _write_mapparameter _write_parameter_bytes_data
    _write_parameter_data export_split_mindir get_ckpt_path_with_strategy init_ckpt_file_system load_mindir
    restore_group_info_list split_dynamic_mindir split_mindir
instance cpu_cast
object absolute_import division mindir_to_tensor_type np_type_convert safetensors_to_mstype
from _checkparam check_input_dataset
from common.file_system FileSystem
from experimental.map_parameter MapParameter
from log vlog_print
from parallel._cell_wrapper get_allgather_cell
value ENCRYPT_BLOCK_SIZE 65536
value INT_64_MAX 9223372036854775807
value PARAMETER_SPLIT_SIZE 1073741824
value PROTO_LIMIT_SIZE 2097152
value SLICE_SIZE 524288
value TOTAL_SAVE 1048576
[mindspore.train.summary]
object absolute_import
[mindspore.train.summary._lineage_adapter]
function _get_lineage_content serialize_to_lineage_event
object absolute_import
[mindspore.train.summary._summary_adapter]
function _calc_histogram_bins _convert_image_format _fill_bucket _fill_histogram_summary _fill_image_summary
    _fill_scalar_summary _fill_tensor_summary _make_canvas_for_imgs _make_image _nptype_to_prototype
    get_event_file_name package_graph_event package_init_event package_summary_event
object DataType F32_MAX F32_MIN absolute_import division
value EVENT_FILE_INIT_VERSION 1
value EVENT_FILE_INIT_VERSION_MARK 'MindSpore.Event:'
value EVENT_FILE_NAME_MARK '.out.events.summary.'
value MS_IMAGE_TENSOR_FORMAT 'NCHW'
[mindspore.train.summary._writer_pool]
class WriterPool
function _pack_data
object absolute_import ctx
from train.summary._lineage_adapter serialize_to_lineage_event
from train.summary._summary_adapter package_graph_event package_summary_event
from train.summary.enums PluginEnum WriterPluginEnum
from train.summary.writer ExportWriter LineageWriter SummaryWriter
[mindspore.train.summary.enums]
object absolute_import
enum BaseEnum {}
enum ModeEnum {'TRAIN': 'train', 'EVAL': 'eval'}
enum PluginEnum {'GRAPH': 'graph', 'SCALAR': 'scalar', 'IMAGE': 'image', 'TENSOR': 'tensor', 'HISTOGRAM': 'histogram',
    'TRAIN_LINEAGE': 'train_lineage', 'EVAL_LINEAGE': 'eval_lineage', 'CUSTOM_LINEAGE_DATA': 'custom_lineage_data',
    'DATASET_GRAPH': 'dataset_graph', 'EXPLAINER': 'explainer', 'LANDSCAPE': 'landscape'}
enum WriterPluginEnum {'EXPORTER': 'exporter', 'EXPLAINER': 'explainer', 'SUMMARY': 'summary', 'LINEAGE': 'lineage'}
[mindspore.train.summary.summary_record]
class Tensor_
function _cache_summary_tensor_data _get_summary_tensor_data _record_summary_tensor_data process_export_options
object SUMMARY_TENSOR_CACHE absolute_import
from train._utils check_summary_param
from train.summary._summary_adapter get_event_file_name package_graph_event
from train.summary._writer_pool WriterPool
from train.summary.enums PluginEnum
[mindspore.train.summary.writer]
class BaseWriter EventWriter_ ExportWriter LineageWriter SummaryWriter
object absolute_import
from train.summary._summary_adapter package_init_event
from train.summary.enums PluginEnum WriterPluginEnum
value FILE_MODE 256
value FREE_DISK_SPACE_TIMES 32
[mindspore.train.summary_pb2]
object DESCRIPTOR
[mindspore.train.train_thor]
object absolute_import
from train.train_thor.convert_utils ConvertModelUtils ConvertNetUtils
[mindspore.train.train_thor.convert_utils]
class ConvertModelUtils ConvertNetUtils
object absolute_import
[mindspore.train.train_thor.dataset_helper]
class DatasetHelper _DatasetIter _DatasetIterMS _DatasetIterMSLoopSink
function _send_data _send_data_no_flag
object absolute_import
from nn.wrap.cell_wrapper GetNextSingleOp
[mindspore.train.train_thor.model_thor]
class ModelThor
function _convert_to_ms_type _exec_datagraph _get_types_and_shapes init_exec_dataset
object absolute_import
from train.train_thor.dataset_helper DatasetHelper
"""
