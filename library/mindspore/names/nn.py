"""Names of `mindspore.nn` that mycel has for import only."""

NAMES = """\
[mindspore.nn]
object absolute_import
from nn.layer.thor_layer Conv2dThor DenseThor EmbeddingLookupThor EmbeddingThor
from nn.optim.adasum AdaSumByDeltaWeightWrapCell AdaSumByGradWrapCell
from nn.optim.tft_wrapper OptTFTWrapper
from nn.optim.thor thor
from nn.sparse.sparse SparseTensorDenseMatmul SparseToDense
from nn.wrap.cell_wrapper GetNextSingleOp
[mindspore.nn.cell]
class FuncGraph _IncompatibleKeys
function _addindent _is_complex _is_float_or_complex _is_parameter_list_or_tuple _is_traceable_tensor_subclass
    _validate_to_dtype init_pipeline jit_forbidden_register register_cell_buffer_registration_hook
    update_func_graph_hyper_params
object absolute_import cells_compile_cache recompute_registry
from _c_expression Cell_ MixedPrecisionType
from _checkparam check_hook_fn
from common.hook_handle HookHandle
from graph.dynamic_shape._auto_dynamic convert_inputs_to_dynamic is_auto_dynamic
from parallel.shard Shard
[mindspore.nn.dynamic_lr]
function _check_inputs
object absolute_import
[mindspore.nn.grad]
object absolute_import
[mindspore.nn.grad.cell_grad]
cell _FirstGrad _FirstGradSingleValue _JvpFirstGrad _JvpFirstGradSingleValue _JvpInner _LinearizeInner
object absolute_import
[mindspore.nn.layer]
object absolute_import
from nn.layer.thor_layer Conv2dThor DenseThor EmbeddingLookupThor EmbeddingThor
[mindspore.nn.layer.activation]
function cell_attr_register
object absolute_import
[mindspore.nn.layer.basic]
cell Fold
function cell_attr_register
object absolute_import
[mindspore.nn.layer.combined]
object absolute_import
[mindspore.nn.layer.container]
class _CellDictBase _CellListBase
function _get_prefix_and_index _valid_cell _valid_index _valid_index_for_inserting
object absolute_import
[mindspore.nn.layer.conv]
cell _Conv
function _deconv_output_length cell_attr_register
object absolute_import
[mindspore.nn.layer.dense]
instance check_dense_inputs_same_shape check_last_dimension
object absolute_import
[mindspore.nn.layer.embedding]
object absolute_import
[mindspore.nn.layer.image]
function _compute_multi_channel_loss _compute_per_channel_loss _conv2d _convert_img_dtype_to_float32 _create_window
    _downsample _split_img
object absolute_import division
[mindspore.nn.layer.math]
function _igamma_series _igammac_continued_fraction _while_helper_func matmul_op_select
instance check_col_row_equal get_broadcast_matmul_shape
object absolute_import
[mindspore.nn.layer.normalization]
cell _InstanceNorm
function _check_dim _syncbatchnorm_group_dict cell_attr_register
object SYNCBN_GROUP_DICT absolute_import division
[mindspore.nn.layer.padding]
cell _ConstantPadNd _ReflectionPadNd _ReplicationPadNd
function _check_dim _swap_to_ms_padding_order
object absolute_import
[mindspore.nn.layer.pooling]
cell _PoolNd
class MSContext
function _cal_dilation _cal_padding _check_maxpool_padding _check_tuple_length
object absolute_import
[mindspore.nn.layer.rnn_cells]
function _check_lstmcell_init
object absolute_import
[mindspore.nn.layer.rnns]
cell _DynamicGRUAscend _DynamicGRUCPUGPU _DynamicLSTMAscend _DynamicLSTMCPUGPU _DynamicRNNBase _DynamicRNNRelu
    _DynamicRNNTanh _RNNBase
function _init_state get_hidden select_by_mask
object absolute_import
from ops.operations._rl_inner_ops CudnnGRU
[mindspore.nn.layer.thor_layer]
cell Conv2dThor DenseThor EmbeddingLookupThor EmbeddingThor _ConvThor
object absolute_import
from ops.operations._thor_ops ThorIm2Col
[mindspore.nn.layer.timedistributed]
object absolute_import
[mindspore.nn.layer.transformer]
function _get_activation_fn
[mindspore.nn.learning_rate_schedule]
function _check_inputs
object absolute_import division
[mindspore.nn.loss]
object absolute_import
[mindspore.nn.loss.loss]
instance get_half_ln_2_pi
object absolute_import division
[mindspore.nn.metrics]
[mindspore.nn.optim]
object absolute_import
from nn.optim.adasum AdaSumByDeltaWeightWrapCell AdaSumByGradWrapCell
from nn.optim.tft_wrapper OptTFTWrapper
[mindspore.nn.optim.ada_grad]
function _check_param_value _tensor_run_opt
object absolute_import
[mindspore.nn.optim.adadelta]
function _check_param_value _tensor_run_opt
object absolute_import
[mindspore.nn.optim.adafactor]
function _approx_sq_grad _rms _run_fused_ada_factor _run_opt_with_one_number trans_to_tensor
instance reduce_mean_keep_alive
object absolute_import
[mindspore.nn.optim.adam]
function _check_param_value _run_fused_adam_weight_decay_opt _run_lazy_opt_with_one_number
    _run_lazy_opt_with_one_number_dist _run_lazy_opt_with_sparse _run_lazy_opt_with_sparse_dist
    _run_map_tensor_lazy_opt_with_sparse _run_map_tensor_lazy_opt_with_sparse_dist _run_off_load_opt
    _run_opt_with_one_number _run_opt_with_one_number_dist _run_opt_with_one_number_use_amsgrad _run_opt_with_sparse
    _run_opt_with_sparse_dist _update_run_op
object absolute_import division
[mindspore.nn.optim.adamax]
function _check_param_value _tensor_run_opt
object absolute_import
[mindspore.nn.optim.adasum]
cell AdaSumByDeltaWeightWrapCell AdaSumByGradWrapCell _AdaSum _AdaSumByGrad
function _adasum_opt_forward_process _adasum_opt_rollback_process _clone_weight_process _get_delta_weight_process
    _parallel_check _receive_before_send _save_weight_process _send_before_receive _send_recv_res
    _update_parameters_adasum reshape_grads_adasum
instance scale_mul
object absolute_import
value MAX_NUM_HASH 2147483648
[mindspore.nn.optim.asgd]
object absolute_import
[mindspore.nn.optim.ftrl]
function _apply_map_tensor_ftrl _check_param _run_map_tensor_opt_with_sparse _tensor_run_opt
    _tensor_run_opt_with_sparse
object absolute_import
[mindspore.nn.optim.lamb]
function _check_param_value _update_run_op
object absolute_import
[mindspore.nn.optim.lars]
function _check_param_value _tensor_run_opt
object absolute_import
[mindspore.nn.optim.lazyadam]
function _check_param_value _run_map_tensor_opt_with_sparse _run_opt_with_one_number _run_opt_with_sparse
object absolute_import
[mindspore.nn.optim.momentum]
function _tensor_run_opt_ext
object absolute_import
[mindspore.nn.optim.optimizer]
cell _ConvertToCell _IteratorLearningRate _WrappedWeightDecay
function _tensor_apply_decay _tensor_apply_decay_with_sparse _tensor_apply_grad_centralization
    _tensor_apply_grad_centralization_with_sparse rowtensor_deduplicate_indices_slices tensor_deduplicate_indice_slices
    tensor_grad_scale tensor_grad_scale_with_map_tensor tensor_grad_scale_with_sparse tensor_grad_scale_with_tensor
instance op_add op_gather op_gc op_mul
object absolute_import
from common.sparse_tensor RowTensorInner
[mindspore.nn.optim.proximal_ada_grad]
function _check_param_value _tensor_run_opt _tensor_run_opt_with_sparse
object absolute_import
[mindspore.nn.optim.rmsprop]
function _centered_rmsprop_opt_ _rmsprop_opt_
object absolute_import
[mindspore.nn.optim.rprop]
object absolute_import
[mindspore.nn.optim.sgd]
function _tensor_run_opt_ext
object absolute_import
[mindspore.nn.optim.tft_wrapper]
cell OptTFTWrapper
object absolute_import
from ops.operations.manually_defined._inner TensorReport
[mindspore.nn.optim.thor]
cell ThorAscend ThorGpu
function _check_param _clip_grad _tensor_apply_decay _tensor_run_opt_ext caculate_device_shape caculate_matmul_shape
    clip_gradient find_net_layertype_recur get_layer_counter get_layer_type_for_dense_and_conv get_net_layertype_mask
    is_conv_matmul_support_shape thor
instance op_add
object absolute_import
from nn.layer.thor_layer Conv2dThor DenseThor EmbeddingLookupThor EmbeddingThor
from train.train_thor.convert_utils ConvertNetUtils
value C0 16
value Conv 1
value FC 2
value GRADIENT_CLIP_TYPE 1
value GRADIENT_CLIP_VALUE 1.0
value IS_ENABLE_GLOBAL_NORM False
value Other -1
[mindspore.nn.probability.bijector.bijector]
cell Bijector
instance raise_type_error
from nn.probability.distribution._utils.utils CheckTensor cast_to_tensor
from nn.probability.distribution.distribution Distribution
from nn.probability.distribution.transformed_distribution TransformedDistribution
[mindspore.nn.probability.bijector.exp]
cell Exp
from nn.probability.bijector.power_transform PowerTransform
[mindspore.nn.probability.bijector.gumbel_cdf]
cell GumbelCDF
from nn.probability.bijector.bijector Bijector
from nn.probability.distribution._utils.custom_ops exp_generic log_generic
from nn.probability.distribution._utils.utils check_greater_zero
[mindspore.nn.probability.bijector.invert]
cell Invert
from nn.probability.bijector.bijector Bijector
[mindspore.nn.probability.bijector.power_transform]
cell PowerTransform
from nn.probability.bijector.bijector Bijector
from nn.probability.distribution._utils.custom_ops exp_generic log_generic
from nn.probability.distribution._utils.utils check_greater_equal_zero
[mindspore.nn.probability.bijector.scalar_affine]
cell ScalarAffine
from nn.probability.bijector.bijector Bijector
from nn.probability.distribution._utils.custom_ops log_generic
[mindspore.nn.probability.bijector.softplus]
cell Softplus
from nn.probability.bijector.bijector Bijector
from nn.probability.distribution._utils.custom_ops exp_generic log_generic
[mindspore.nn.probability.bnn_layers]
from nn.probability.bnn_layers.bnn_cell_wrapper WithBNNLossCell
from nn.probability.bnn_layers.conv_variational ConvReparam
from nn.probability.bnn_layers.dense_variational DenseLocalReparam DenseReparam
from nn.probability.bnn_layers.layer_distribution NormalPosterior NormalPrior
[mindspore.nn.probability.bnn_layers._util]
function check_posterior check_prior
[mindspore.nn.probability.bnn_layers.bnn_cell_wrapper]
cell WithBNNLossCell
[mindspore.nn.probability.bnn_layers.conv_variational]
cell ConvReparam _ConvVariational
from nn.probability.bnn_layers._util check_posterior check_prior
from nn.probability.bnn_layers.layer_distribution NormalPrior normal_post_fn
[mindspore.nn.probability.bnn_layers.dense_variational]
cell DenseLocalReparam DenseReparam _DenseVariational
from nn.probability.bnn_layers._util check_posterior check_prior
from nn.probability.bnn_layers.layer_distribution NormalPrior normal_post_fn
from nn.probability.distribution.normal Normal
[mindspore.nn.probability.bnn_layers.layer_distribution]
cell NormalPosterior NormalPrior
function normal_post_fn
from nn.probability.distribution.normal Normal
[mindspore.nn.probability.distribution._utils]
from nn.probability.distribution._utils.custom_ops broadcast_to exp_generic log_generic
from nn.probability.distribution._utils.utils CheckTensor CheckTuple cast_to_tensor check_greater
    check_greater_equal_zero check_greater_zero check_prob set_param_type
[mindspore.nn.probability.distribution._utils.custom_ops]
function broadcast_to exp_generic log1p_generic log_generic log_generic_with_check
from nn.probability.distribution._utils.utils CheckTensor
[mindspore.nn.probability.distribution._utils.utils]
function cast_to_tensor cast_type_for_device check_greater check_greater_equal_zero check_greater_zero check_prob
    check_rank check_sum_equal_one clamp_probs logits_to_probs probs_to_logits set_param_type
instance check_distribution_name raise_broadcast_error raise_none_error raise_not_defined raise_not_impl_error
    raise_not_implemented_util raise_type_error
primitive CheckTensor CheckTuple
[mindspore.nn.probability.distribution.bernoulli]
cell Bernoulli
instance check_distribution_name
from nn.probability.distribution._utils.custom_ops exp_generic log_generic
from nn.probability.distribution._utils.utils check_prob clamp_probs
from nn.probability.distribution.distribution Distribution
[mindspore.nn.probability.distribution.beta]
cell Beta
instance check_distribution_name
from nn.probability.distribution._utils.custom_ops log_generic
from nn.probability.distribution._utils.utils check_greater_zero
from nn.probability.distribution.distribution Distribution
[mindspore.nn.probability.distribution.categorical]
cell Categorical
instance check_distribution_name
from nn.probability.distribution._utils.custom_ops broadcast_to exp_generic log_generic log_generic_with_check
from nn.probability.distribution._utils.utils check_prob check_rank check_sum_equal_one
from nn.probability.distribution.distribution Distribution
[mindspore.nn.probability.distribution.cauchy]
cell Cauchy
instance check_distribution_name raise_not_defined
from nn.probability.distribution._utils.custom_ops exp_generic log1p_generic log_generic
from nn.probability.distribution._utils.utils check_greater_zero
from nn.probability.distribution.distribution Distribution
[mindspore.nn.probability.distribution.distribution]
cell Distribution
instance raise_none_error raise_not_implemented_util
from nn.probability.distribution._utils.custom_ops broadcast_to exp_generic log_generic
from nn.probability.distribution._utils.utils CheckTensor CheckTuple cast_to_tensor cast_type_for_device set_param_type
[mindspore.nn.probability.distribution.exponential]
cell Exponential
instance check_distribution_name
from nn.probability.distribution._utils.custom_ops exp_generic log_generic
from nn.probability.distribution._utils.utils check_greater_zero
from nn.probability.distribution.distribution Distribution
[mindspore.nn.probability.distribution.gamma]
cell Gamma
instance check_distribution_name
from nn.probability.distribution._utils.custom_ops log_generic
from nn.probability.distribution._utils.utils check_greater_zero
from nn.probability.distribution.distribution Distribution
[mindspore.nn.probability.distribution.geometric]
cell Geometric
instance check_distribution_name
from nn.probability.distribution._utils.custom_ops exp_generic log_generic
from nn.probability.distribution._utils.utils check_prob
from nn.probability.distribution.distribution Distribution
[mindspore.nn.probability.distribution.gumbel]
cell Gumbel
instance check_distribution_name
from nn.probability.distribution._utils.custom_ops exp_generic log_generic
from nn.probability.distribution.transformed_distribution TransformedDistribution
[mindspore.nn.probability.distribution.half_normal]
cell HalfNormal
object absolute_import division
from nn.probability.distribution._utils.utils check_greater_zero
from nn.probability.distribution.distribution Distribution
[mindspore.nn.probability.distribution.laplace]
cell Laplace
object absolute_import division
from nn.probability.distribution._utils.utils check_greater_zero
from nn.probability.distribution.distribution Distribution
[mindspore.nn.probability.distribution.log_normal]
cell LogNormal
instance check_distribution_name
from nn.probability.distribution._utils.custom_ops exp_generic log_generic
[mindspore.nn.probability.distribution.logistic]
cell Logistic
from nn.probability.distribution._utils.custom_ops exp_generic log_generic
from nn.probability.distribution._utils.utils check_greater_zero
from nn.probability.distribution.distribution Distribution
[mindspore.nn.probability.distribution.normal]
cell Normal
instance check_distribution_name
from nn.probability.distribution._utils.utils check_greater_zero
from nn.probability.distribution.distribution Distribution
[mindspore.nn.probability.distribution.poisson]
cell Poisson
from nn.probability.distribution._utils.custom_ops exp_generic log_generic
from nn.probability.distribution._utils.utils check_greater_zero
from nn.probability.distribution.distribution Distribution
[mindspore.nn.probability.distribution.student_t]
cell StudentT
object absolute_import division
from nn.probability.distribution._utils.utils check_greater_zero
from nn.probability.distribution.distribution Distribution
[mindspore.nn.probability.distribution.transformed_distribution]
cell TransformedDistribution
instance raise_not_impl_error
from nn.probability.distribution._utils.custom_ops exp_generic log_generic
from nn.probability.distribution.distribution Distribution
[mindspore.nn.probability.distribution.uniform]
cell Uniform
instance check_distribution_name
from nn.probability.distribution._utils.custom_ops exp_generic log_generic
from nn.probability.distribution._utils.utils check_greater
from nn.probability.distribution.distribution Distribution
[mindspore.nn.sparse]
object absolute_import
from nn.sparse.sparse SparseTensorDenseMatmul SparseToDense
[mindspore.nn.sparse.sparse]
cell SparseTensorDenseMatmul SparseToDense
object absolute_import
[mindspore.nn.utils]
object absolute_import
[mindspore.nn.utils.init]
function no_init_parameters
object absolute_import
[mindspore.nn.wrap]
object absolute_import
from nn.wrap.cell_wrapper GetNextSingleOp
[mindspore.nn.wrap.cell_wrapper]
cell AllreduceGraph GetNextSingleOp _BroadCastCell _TrainGradAccuStepCell
function _pipeline_clear_grad _tensors_cast_datatype _tensors_get_datatype grad_scale
object absolute_import division
from utils.utils ExitByRequest
[mindspore.nn.wrap.grad_reducer]
function _init_allreduce_operators _init_allreduce_operators_by_parameters _tensors_allreduce _tensors_allreduce_post
    _tensors_allreduce_with_sparse _tensors_cast_datatype _tensors_cast_datatype_with_sparse _tensors_get_datatype
    _tensors_get_datatype_with_sparse tensor_grad_scale_pipeline tensor_shard_grad_scale_pipeline
object absolute_import
from common.sparse_tensor RowTensorInner
[mindspore.nn.wrap.loss_scale]
cell _TrainGradAccuWithLossScaleCell
class AscendEnvChecker MSContext
function _tensor_ascend_grad_overflow _tensor_ascend_grad_overflow_row_tensor _tensor_grad_overflow
    _tensor_grad_overflow_row_tensor tensor_grad_scale tensor_grad_scale_pipeline tensor_grad_scale_row_tensor
    tensor_shard_grad_scale_pipeline
instance ascend_grad_overflow grad_overflow
object absolute_import
from common.sparse_tensor RowTensorInner
from ops.operations.math_ops NPUClearFloatStatusV2 NPUGetFloatStatusV2
from ops.operations.nn_ops AllFinite
"""
