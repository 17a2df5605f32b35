"""Names of `mindspore.ops` that mycel has for import only."""

NAMES = """\
[mindspore.ops.function.array_func]
function new_ones new_zeros
instance arange_ arg_max_with_value_ arg_min_with_value_ batch_to_space_nd_v2_ cast_ check_flatten_order_const diag_
    dynamic_broadcast_to_ eye_ fill_scalar_ fill_tensor_ fills_ fillv2_ flatten_ gather_ gather_d_ gather_nd_ ger_
    get_x_shape index_fill_ lstsq_ new_ones_ new_zeros_ non_zero_ non_zero_ext_ ones_ ones_like_ ones_like_ext_
    population_count_ range_ rank_ reduce_max_ reduce_min_ repeat_interleave_int_ repeat_interleave_tensor_
    scalar_to_tensor_ scatter_add_ scatter_nd_ scatter_prim scatter_update_ scatter_value_ search_sorted_ size_
    sort_ext_ split_with_size tensor_select_ tensor_shape_ tile_ transpose_ tuple_to_array_ tuple_to_tensor_ type_as_
    unique2_ unique_ unique_dim_ unsorted_segment_max_ unsorted_segment_min_ unsorted_segment_prod_
    unsorted_segment_sum_ zeros_like_ zeros_like_ext_
object absolute_import
from ops._utils.utils ms_arrange
from ops.auto_generate.gen_ops_def max_ min_ zero_
from ops.auto_generate.gen_ops_prim FillScalar FillTensor Unique2 UniqueDim split_with_size_op
from ops.operations._inner_ops DynamicBroadcastTo
[mindspore.ops.function.clip_func]
function clamp_
instance greater_equal_ scalar2tensor_op
object absolute_import
[mindspore.ops.function.comm_func]
class CollectiveManager CommHandle CommHandle_ GroupOptions P2POp RestrictedUnpickler TCPStore TCPStoreClient Tensor_
function all_gather all_gather_into_tensor all_gather_into_tensor_uneven all_gather_object all_reduce all_to_all
    all_to_all_single all_to_all_v_c barrier batch_isend_irecv broadcast broadcast_object_list destroy_process_group
    gather gather_into_tensor gather_object get_backend get_cache_group_rank get_cache_group_size get_global_rank
    get_group_rank get_process_group_ranks get_rank get_world_size init_process_group irecv is_available
    is_initialized is_inplace_func isend new_group recv recv_object_list reduce reduce_scatter reduce_scatter_tensor
    reduce_scatter_tensor_uneven restricted_loads scatter scatter_object_list scatter_tensor send send_object_list
    set_comm_ops_inplace
object absolute_import comm_funcs default_handle
from ops.auto_generate.gen_ops_prim dist_comm_all_gather_into_tensor_op dist_comm_all_gather_into_tensor_uneven_op
    dist_comm_all_gather_op dist_comm_all_reduce_op dist_comm_all_to_all_v_op dist_comm_all_to_all_v_single_op
    dist_comm_barrier_op dist_comm_batch_isend_irecv_op dist_comm_broadcast_op dist_comm_gather_into_tensor_op
    dist_comm_gather_op dist_comm_irecv_op dist_comm_isend_op dist_comm_reduce_op dist_comm_reduce_scatter_op
    dist_comm_reduce_scatter_tensor_op dist_comm_reduce_scatter_tensor_uneven_op dist_comm_scatter_op
    dist_comm_scatter_tensor_op inner_comm_all_gather_op inner_comm_all_reduce_op inner_comm_all_to_all_v_op
    inner_comm_irecv_op inner_comm_isend_op inner_comm_reduce_scatter_op
value BACKEND_HCCL 'hccl'
value BACKEND_MCCL 'mccl'
value SAFE_PICKLE False
value TYPE_IRECV 1
value TYPE_ISEND 0
value safe_builtins {'slice', 'frozenset', 'set', 'range', 'complex'}
[mindspore.ops.function.debug_func]
function tensordump
[mindspore.ops.function.grad]
object absolute_import
from ops.function.grad.grad_func stop_gradient_
[mindspore.ops.function.grad.grad_func]
function custom_vjp stop_gradient_
instance oneslike
object absolute_import
from ops.auto_generate.gen_ops_prim inplace_stop_gradient_op
[mindspore.ops.function.image_func]
class Tensor_
instance dtype_
[mindspore.ops.function.linalg_func]
class Tensor_
instance dtype_ geqrf_ slice_
object absolute_import
[mindspore.ops.function.math_func]
class Tensor_
function add_padding_to_shape arrange as_strided bernoulli_ dotrapezoid dotrapezoid_tensor erfinv_ get get_x_shape
    gmm_backward gmm_backward_fusion multi_scale_deformable_attn_function rotated_iou stft trapezoid trapezoid_tensor
    zeros_like_except
instance absolute_ acos_ acosh_ addcdiv_ addcuml_ addn_ angle_ asin_ asinh_ atan2_ atan_ atanh_ batch_matmul_
    bernoulli_ext_ bessel_i0_ bessel_i0e_ bessel_i1_ bessel_i1e_ bessel_j0_ bessel_j1_ bessel_k0_ bessel_k0e_
    bessel_k1_ bessel_k1e_ bessel_y0_ bessel_y1_ bitwise_and_ bitwise_and_scalar_ bitwise_and_tensor_ bitwise_or_
    bitwise_or_scalar_ bitwise_or_tensor_ bitwise_xor_ bitwise_xor_scalar_ bitwise_xor_tensor_ cast_ conj_ cumprod_
    cumsum_ cumulative_logsumexp_ digamma_ dtype_ erf_ erfc_ erfinv_ext_ exp2_ expand_dims_ fill_v2_ floor_ gcd_
    igamma_ igammac_ imag_ inv_ invert_ isnan_ lcm_ lerp_ lgamma_ linspace_ log1p_ log_ log_matrix_determinant_
    logical_and_ logical_not_ logical_or_ logical_xor_ lu_solve_ lu_unpack_ matmul_ matrix_determinant_
    matrix_inverse_ mod_ nextafter_ ones_ polar_ poly_gamma_ rank_ reciprocal_ reduce_sum_ remainder_scalar_tensor_
    remainder_tensor_scalar_ remainder_tensor_tensor_ scalar_to_tensor_ select_ size_ slice_ tensor_ceil tensor_div_
    tensor_divmod_ tensor_round_ tile_ tile_size_ trunc_ truncate_div_ truncate_mod_ tuple_to_tensor_ xdivy_ xlogy_
    zeros_ zeta_
object generator_step_
from ops.auto_generate.gen_ops_def matrix_inverse_ext muls tanh_
from ops.auto_generate.gen_ops_prim BernoulliExt lin_space_ext_op linalg_vector_norm_op lp_norm_v2_op median_dim_op
    multi_scale_deformable_attn_op rotated_iou_op xlogy_scalar_other_op xlogy_scalar_self_op
from ops.functional_overload gmm
from ops.operations._inner_ops TileSize
from ops.operations.math_ops STFT
[mindspore.ops.function.nn_func]
class Tensor_
function add_layer_norm check_input_dtype deformable_conv2d incre_flash_attention linear prompt_flash_attention relu_
    speed_fusion_attention
instance abs_ add_ bias_add_ cast_ check_bool_const check_dense_inputs_same_shape check_string_const div_ dtype_
    equal_ erf_ exp_ expand_dims_ fillv2_ gather_ gather_d_ gelu_ greater_ is_ascend_backend less_ list_to_tensor_
    log_ matmul_ maximum_ minimum_ mish_ mul_ neg_ ones_like_ raise_value_error reduce_mean_ reduce_sum_
    scalar_to_tensor_ select_ selu_ sigmoid_ sign_ slice_ softplus_ softsign_ sqrt_ square_ sub_ tensor_shape_
    tensor_to_tuple_ transpose_ tuple_to_tensor_
object absolute_import generator_step_
from ops.auto_generate.gen_ops_def add_rms_norm moe_token_permute moe_token_unpermute ring_attention_update
from ops.auto_generate.gen_ops_prim PromptFlashAttention add_layernorm_v2_op constant_pad_nd_op divs_op
    func_dropout_ext_op func_max_pool2d_op inplace_relu_op nllloss_2d_op reflection_pad_1d_op reflection_pad_2d_op
    reflection_pad_3d_op replication_pad_1d_op replication_pad_2d_op replication_pad_3d_op speed_fusion_attention_op
    upsample_bicubic2d_op upsample_bilinear2d_op upsample_linear1d_op upsample_nearest1d_op upsample_nearest2d_op
    upsample_nearest3d_op
from ops.auto_generate.pyboost_inner_prim grid_sampler_2d_impl grid_sampler_3d_impl upsample_trilinear3d_impl
from ops.functional_overload lightning_indexer nsa_compress nsa_select_attention
from ops.operations.manually_defined.ops_def fused_infer_attention_score
value pi 3.141592653589793
[mindspore.ops.function.other_func]
function moe_init_routing_v2 move_to
instance depend_ move_to_ partial_
from ops.auto_generate.gen_ops_def moe_distribute_combine moe_distribute_dispatch rotary_position_embedding
from ops.auto_generate.gen_ops_prim moe_init_routing_v2_op
[mindspore.ops.function.random_func]
function exponential_ normal_ random_ uniform_
instance cast_ inplace_normal_ inplace_random_ is_cpu_backend log_ multinomial_ext_ rand_ext_ rand_like_ext_ randint_
    randint_like_ randn_ randn_like_ randperm_ext_ real_div_ top_k_ uniform_ext_
object absolute_import generator_step_
from ops.auto_generate.gen_ops_prim InplaceNormal InplaceRandom MultinomialExt NormalFloatFloat NormalFloatTensor
    NormalTensorFloat NormalTensorTensor RandExt RandInt RandIntLike RandLikeExt Randn RandnLike RandpermExt
    UniformExt normal_float_float_op normal_float_tensor_op normal_tensor_float_op
[mindspore.ops.function.reshard_func]
function reshard
[mindspore.ops.function.sparse_func]
function coalesce coo_add coo_concat csr_add csr_div csr_mm csr_mul csr_mv csr_reduce_sum csr_softmax csr_to_coo
    csr_to_dense dense_to_sparse_coo dense_to_sparse_csr is_scalar make_row_tensor make_sparse_tensor promote_coo
    promote_csr
instance coalesce_op coo2csr coo_tensor_get_dense_shape coo_tensor_get_indices coo_tensor_get_values csr2coo
    csr_gather csr_tensor_get_dense_shape csr_tensor_get_indices csr_tensor_get_indptr csr_tensor_get_values
    make_coo_tensor make_csr_tensor make_map_parameter make_row_tensor_inner make_tensor print_info
    promote_binary_dtype raise_type_error raise_value_error row_tensor_add row_tensor_get_dense_shape
    row_tensor_get_indices row_tensor_get_values
object absolute_import batch_csr_pointers_empty
[mindspore.ops.function.sparse_unary_func]
function coo_abs coo_acos coo_acosh coo_asin coo_asinh coo_atan coo_atanh coo_ceil coo_cos coo_cosh coo_exp coo_expm1
    coo_floor coo_inv coo_isfinite coo_isinf coo_isnan coo_log coo_log1p coo_neg coo_relu coo_relu6 coo_round
    coo_sigmoid coo_sin coo_sinh coo_softsign coo_sqrt coo_square coo_tan coo_tanh csr_abs csr_acos csr_acosh csr_asin
    csr_asinh csr_atan csr_atanh csr_ceil csr_cos csr_cosh csr_exp csr_expm1 csr_floor csr_inv csr_isfinite csr_isinf
    csr_isnan csr_log csr_log1p csr_neg csr_relu csr_relu6 csr_round csr_sigmoid csr_sin csr_sinh csr_softsign
    csr_sqrt csr_square csr_tan csr_tanh
instance raise_type_error
[mindspore.ops.function.vmap_func]
class VmapGeneralPreprocess_ VmapGeneralRulePyAdapter_
[mindspore.ops.functional]
instance J SliceGetItem array_reduce array_to_scalar broadcast_gradient_args coo2csr coo_tensor_get_dense_shape
    coo_tensor_get_indices coo_tensor_get_values csr2coo csr_gather csr_tensor_get_dense_shape csr_tensor_get_indices
    csr_tensor_get_indptr csr_tensor_get_values dict_setitem distribute embed environ_add environ_create environ_get
    environ_set geswitch hastype is_dynamic_sequence_element_unknown is_sequence_shape_unknown is_tensor_bool_cond
    make_coo_tensor make_csr_tensor make_map_parameter make_row_tensor_inner merge reduced_shape ref_to_embed
    row_tensor_add row_tensor_get_dense_shape row_tensor_get_indices row_tensor_get_values scalar_log scalar_max
    scalar_min switch switch_layer tuple_div
object tensor_operator_registry
primitive DtypeToEnum
from ops.auto_generate.gen_ops_def add_rms_norm moe_distribute_combine moe_distribute_dispatch moe_token_permute
    moe_token_unpermute put_ ring_attention_update rotary_position_embedding tanh_ zero_
from ops.function.clip_func clamp_
from ops.function.debug_func tensordump
from ops.function.grad.grad_func stop_gradient_
from ops.function.math_func bernoulli_ erfinv_ multi_scale_deformable_attn_function rotated_iou stft
from ops.function.nn_func add_layer_norm deformable_conv2d incre_flash_attention prompt_flash_attention
    speed_fusion_attention
from ops.function.other_func moe_init_routing_v2 move_to
from ops.function.random_func exponential_ normal_ random_ uniform_
from ops.function.reshard_func reshard
from ops.function.sparse_func coalesce coo_add coo_concat csr_add csr_div csr_mm csr_mul csr_mv csr_reduce_sum
    csr_softmax csr_to_coo csr_to_dense dense_to_sparse_coo dense_to_sparse_csr make_row_tensor make_sparse_tensor
from ops.function.sparse_unary_func coo_abs coo_acos coo_acosh coo_asin coo_asinh coo_atan coo_atanh coo_ceil coo_cos
    coo_cosh coo_exp coo_expm1 coo_floor coo_inv coo_isfinite coo_isinf coo_isnan coo_log coo_log1p coo_neg coo_relu
    coo_relu6 coo_round coo_sigmoid coo_sin coo_sinh coo_softsign coo_sqrt coo_square coo_tan coo_tanh csr_abs
    csr_acos csr_acosh csr_asin csr_asinh csr_atan csr_atanh csr_ceil csr_cos csr_cosh csr_exp csr_expm1 csr_floor
    csr_inv csr_isfinite csr_isinf csr_isnan csr_log csr_log1p csr_neg csr_relu csr_relu6 csr_round csr_sigmoid
    csr_sin csr_sinh csr_softsign csr_sqrt csr_square csr_tan csr_tanh
from ops.functional_overload lightning_indexer nsa_compress nsa_select_attention
from ops.operations.manually_defined.ops_def fused_infer_attention_score
[mindspore.ops.functional_overload]
function all_gather_matmul bernoulli_ gmm gmm_backward gmm_backward_fusion lightning_indexer matmul_reduce_scatter
    nsa_compress nsa_compress_attention nsa_select_attention quant_matmul rmod sparse_flash_attention
from _c_expression _empty_instance
[mindspore.ops.op_info_register]
class AkgAscendRegOp AkgCpuRegOp AkgGpuRegOp AkgRegOp Oplib
object absolute_import division
value ASCEND_CUSTOM_OPP_PATH 'ASCEND_CUSTOM_OPP_PATH'
value BUILT_IN_CUSTOM_OPS_REGISTER_PATH 'mindspore/ops/_op_impl/_custom_op'
value BUILT_IN_OPS_REGISTER_PATH 'mindspore/ops/_op_impl'
value KEY_NAME 'name'
[mindspore.ops.operations]
from ops.auto_generate.gen_ops_prim ApplyRotaryPosEmb GroupTopk PagedAttention PagedAttentionMask ReshapeAndCache
from ops.deprecated ScatterNonAliasingAdd
from ops.operations._embedding_cache_ops CacheSwapTable DynamicAssign MapCacheIdx PadAndShift UpdateCache
from ops.operations._inner_ops CopyWithSlice DSDMatmul MatmulDDS SelectView
from ops.operations._ms_kernel kernel ms_kernel
from ops.operations._quant_ops ActULQClampMaxGrad ActULQClampMinGrad ActsULQ ActsULQInputGrad BatchNormFold
    BatchNormFold2 BatchNormFold2D BatchNormFold2Grad BatchNormFold2GradD BatchNormFold2GradReduce BatchNormFoldD
    BatchNormFoldGrad BatchNormFoldGradD CorrectionMul CorrectionMulGrad CorrectionMulGradReduce
    FakeLearnedScaleQuantPerChannel FakeLearnedScaleQuantPerChannelGrad FakeLearnedScaleQuantPerChannelGradD
    FakeLearnedScaleQuantPerChannelGradDReduce FakeLearnedScaleQuantPerLayer FakeLearnedScaleQuantPerLayerGrad
    FakeLearnedScaleQuantPerLayerGradD FakeLearnedScaleQuantPerLayerGradDReduce FakeQuantParam FakeQuantPerChannel
    FakeQuantPerChannelGrad FakeQuantPerLayer FakeQuantPerLayerGrad FakeQuantWithMinMaxVars
    FakeQuantWithMinMaxVarsGradient FakeQuantWithMinMaxVarsPerChannel FakeQuantWithMinMaxVarsPerChannelGradient IFMR
    MinMaxUpdatePerChannel MinMaxUpdatePerLayer WtsARQ
from ops.operations._thor_ops CholeskyTrsm CusBatchMatMul CusCholeskyTrsm CusFusedAbsMax1 CusImg2Col CusMatMulCube
    CusMatMulCubeDenseLeft CusMatMulCubeDenseRight CusMatMulCubeFraczLeftCast CusMatMulCubeFraczRightMul
    CusMatrixCombine CusTranspose02314 DetTriangle LoadIm2Col NewIm2Col ProdForceSeA UpdateThorGradient
from ops.operations.array_ops BatchToSpaceNDV2 TransShape
from ops.operations.comm_ops AllGatherV AlltoAllV AlltoAllVC BatchISendIRecv NeighborExchangeV2
    ReduceScatterV
from ops.operations.control_ops GeSwitch Merge
from ops.operations.custom_ops CustomOpBuilder
from ops.operations.debug_ops DumpGradient
from ops.operations.image_ops ExtractGlimpse ScaleAndTranslate
from ops.operations.inner_ops FusedAdaFactor FusedAdaFactorWithGlobalNorm LambApplyOptimizerAssign
    LambApplyWeightAssign
from ops.operations.math_ops STFT
from ops.operations.nn_ops BasicLSTMCell CTCLossV2Grad DeformableOffsets DepthwiseConv2dNative FractionalAvgPool
    FractionalMaxPool GetNext RNNTLoss
from ops.operations.other_ops Load Pull Push PyExecute Reusing SampleDistortedBoundingBoxV2 UpdateState
from ops.operations.reshard_ops Reshard
[mindspore.ops.operations._csr_ops]
primitive COO2CSR CSR2COO CSRDiv CSRGather CSRMM CSRMV CSRMul CSRReduceSum
[mindspore.ops.operations._custom_grad]
class Registry
function autodiff_bprop bprop_eight bprop_five bprop_four bprop_nine bprop_one bprop_seven bprop_six bprop_ten
    bprop_three bprop_two get_outs
object absolute_import
[mindspore.ops.operations._custom_ops_utils]
class CustomCodeGenerator CustomInfoGenerator ExtensionBuilder FileLocker MSContext VersionManager
object version_manager
value OP_INFO_KEY_ATTR 'attr'
value OP_INFO_KEY_DTYPE 'dtype'
value OP_INFO_KEY_FORMAT 'format'
value OP_INFO_KEY_INPUT 'input'
value OP_INFO_KEY_LIST 'list'
value OP_INFO_KEY_OUTPUT 'output'
value REG_INFO_KEY_ATTR 'attr'
value REG_INFO_KEY_ATTRS 'attrs'
value REG_INFO_KEY_INPUTS 'inputs'
value REG_INFO_KEY_NAME 'name'
value REG_INFO_KEY_OUTPUTS 'outputs'
value REG_INFO_KEY_PARAM_TYPE 'paramType'
value REG_INFO_KEY_TYPE 'type'
value REG_INFO_KEY_VALUE 'value'
[mindspore.ops.operations._embedding_cache_ops]
object absolute_import
primitive CacheSwapTable DynamicAssign MapCacheIdx MapUniform PadAndShift SubAndFilter UpdateCache
[mindspore.ops.operations._grad_ops]
object absolute_import division
primitive AvgPoolGradGe AvgPoolGradV1 AvgPoolGradVm BNTrainingReduceGrad BNTrainingUpdateGrad BasicLSTMCellCStateGrad
    BasicLSTMCellInputGrad BasicLSTMCellWeightGrad DeformableOffsetsGrad DepthwiseConv2dNativeBackpropFilter
    DepthwiseConv2dNativeBackpropInput Dilation2DBackpropFilter Dilation2DBackpropInput DynamicGRUV2Grad
    DynamicRNNGrad EinsumGrad EmbeddingLookupCommGrad FractionalAvgPoolGrad FractionalMaxPoolGrad GRUV2Grad
    GruGradData GruGradWeight IgammaGradA InstanceNormGrad InstanceNormV2Grad LSTMGrad LSTMGradData LSTMGradWeight
    LuUnpackGrad MapTensorGetGrad MaxPool3DGradGrad MaxPoolGradGradWithArgmax MaxPoolGradWithArgmax MedianGrad
    NeighborExchangeV2Grad PSROIPoolingGrad PadV3Grad ParallelResizeBilinearGrad PsROIPoolingGrad ROIAlignGrad
    RandomGammaGrad RefToEmbed ResizeV2Grad ScaleAndTranslateGrad SparseFillEmptyRowsGrad SparseSegmentMeanGrad
    SparseSegmentSqrtNGrad SparseSegmentSumGrad SparseSliceGrad SyncBatchNormGrad WKVGrad
from ops._utils.utils get_concat_offset
from ops.auto_generate.gen_ops_prim BatchNormGradGrad FlashAttentionScoreGrad LayerNormGradGrad ResizeBicubicGrad
    ResizeLinear1DGrad ResizeNearestNeighborV2Grad UpsampleNearest3DGrad UpsampleTrilinear3DGrad
[mindspore.ops.operations._infer_ops]
from ops.auto_generate.gen_ops_prim DynamicQuantExt FusedInferAttentionScore GroupedMatmul KVCacheScatterUpdate
    MatmulAllReduceAddRmsNorm MoeFinalizeRouting MoeGatingTopKSoftmax QuantBatchMatmul QuantLinearSparse QuantV2
    WeightQuantBatchMatmul
[mindspore.ops.operations._inner_ops]
class GeneratorImpl HookType Tensor_
function pyboost_cell_backward_hook
instance bit_left_shift bit_right_shift bit_xor check_bprop issubclass_ same_type_shape_ string_ge string_getitem
    string_gt string_in string_le string_lt string_mul string_not
primitive AntiQuant CellBackwardHook Centralization CheckBprop ConfusionMulGrad CopyWithSlice DSDGrad DSDMatmul
    DecodeImage Dequant DynamicBroadcastGradientArgs DynamicBroadcastTo DynamicResizeNearestNeighbor DynamicStitch
    ErrorOnDynamicShapeInput FFN Format GetGrad GetitemTensorIndexInfo GpuConvertToDynamicShape IsConstant IsInstance
    IsParameter IsSubClass KMeansCentroids Lamb MatmulDDS MatmulDDSGrad MatrixDiag MatrixDiagPart MatrixSetDiag
    MixedPrecisionCast NonZeroWithValue NonZeroWithValueShape ParallelResizeBilinear PartitionedCall PsROIPooling
    Quant SameTypeShape SelectView SetitemTensorIndexInfo SliceGetItem StackDestroy StackInit StackPop StackPush
    SyncBatchNorm TileSize
from ops.auto_generate.gen_ops_prim ApplyCamePart1 ApplyCamePart2 ApplyCamePart3 ApplyCamePart4 TensorCopySlices
    TopKRouter TopPRouter
[mindspore.ops.operations._map_tensor_ops]
instance erase get_data get_keys get_values put
primitive MapTensorErase MapTensorGet MapTensorGetData MapTensorGetKeys MapTensorGetValues MapTensorPut
[mindspore.ops.operations._ms_kernel]
class VariableUsage WithStub
function determine_variable_usage kernel ms_kernel
from _extends.ast_checker AstChecker
[mindspore.ops.operations._ocr_ops]
object absolute_import
primitive BatchDilatePolys BatchEnqueue Dequeue GetShape OCRDetectionPostHandle OCRDetectionPreHandle OCRFindContours
    OCRIdentifyPreHandle OCRRecognitionPreHandle ResizeAndClipPolys StringLength
[mindspore.ops.operations._pyfunc_registry]
class CustomPyFuncRegistry
function add_pyfunc get_pyfunc
object absolute_import
from ops._register_for_op PyFuncRegistry
[mindspore.ops.operations._quant_ops]
object absolute_import
primitive ActULQClampMaxGrad ActULQClampMinGrad ActsULQ ActsULQInputGrad BatchNormFold BatchNormFold2 BatchNormFold2D
    BatchNormFold2Grad BatchNormFold2GradD BatchNormFold2GradReduce BatchNormFoldD BatchNormFoldGrad
    BatchNormFoldGradD CorrectionMul CorrectionMulGrad CorrectionMulGradReduce FakeLearnedScaleQuantPerChannel
    FakeLearnedScaleQuantPerChannelGrad FakeLearnedScaleQuantPerChannelGradD
    FakeLearnedScaleQuantPerChannelGradDReduce FakeLearnedScaleQuantPerLayer FakeLearnedScaleQuantPerLayerGrad
    FakeLearnedScaleQuantPerLayerGradD FakeLearnedScaleQuantPerLayerGradDReduce FakeQuantParam FakeQuantPerChannel
    FakeQuantPerChannelGrad FakeQuantPerLayer FakeQuantPerLayerGrad FakeQuantWithMinMaxVars
    FakeQuantWithMinMaxVarsGradient FakeQuantWithMinMaxVarsPerChannel FakeQuantWithMinMaxVarsPerChannelGradient IFMR
    MinMaxUpdatePerChannel MinMaxUpdatePerLayer WtsARQ
[mindspore.ops.operations._rl_inner_ops]
object absolute_import
primitive CudnnGRU GRUV2 LSTMV2
[mindspore.ops.operations._sequence_ops]
class Tensor_
primitive ListAppendAndInsertGrad SequenceAddOffset SequenceSliceGrad ShapeMulGrad list_greater_equal
    list_greater_than list_le list_lt tuple_greater_equal tuple_greater_than tuple_le tuple_lt
[mindspore.ops.operations._sparse_grad_ops]
object absolute_import
primitive SparseAddGrad
[mindspore.ops.operations._thor_ops]
primitive Cholesky CholeskyTrsm CusBatchMatMul CusCholeskyTrsm CusFusedAbsMax1 CusImg2Col CusMatMulCube
    CusMatMulCubeDenseLeft CusMatMulCubeDenseRight CusMatMulCubeFraczLeftCast CusMatMulCubeFraczRightMul
    CusMatrixCombine CusTranspose02314 DetTriangle LoadIm2Col NewIm2Col ProdForceSeA ThorIm2Col UpdateThorGradient
[mindspore.ops.operations.array_ops]
class COOTensor_ CSRTensor_ Tensor_
primitive ArgminV2 BatchToSpaceNDV2 ConcatOffsetV1 RangeV2 TransShape Unsqueeze
from ops._utils.utils get_broadcast_shape
[mindspore.ops.operations.comm_ops]
function check_collective_target_dtype
instance mirror mirror_mini_step virtual_accu_grad virtual_assign_add virtual_assign_kv_cache virtual_dataset
    virtual_div virtual_pipeline_end
object absolute_import division
primitive AllGatherV AlltoAllV AlltoAllVC BatchISendIRecv NeighborExchangeV2 ReduceScatterV
[mindspore.ops.operations.control_ops]
object absolute_import
primitive GeSwitch Merge
[mindspore.ops.operations.custom_ops]
class CustomOpBuilder Oplib PyFuncOpDefBuilder
function pyboost_custom_ext
object absolute_import
primitive Custom
from ops.operations._custom_grad autodiff_bprop
from ops.operations._custom_ops_utils CustomCodeGenerator CustomInfoGenerator ExtensionBuilder
from ops.operations._ms_kernel determine_variable_usage
from ops.operations._pyfunc_registry add_pyfunc
value AICORE 'AiCore'
value AKG 'AKG'
value ASCEND 'Ascend'
value ATTR_NAMES 'attr_names'
value AUTO_DIFF 'autodiff'
value CPU 'CPU'
value CUDA 'CUDA'
value FUSION_TYPE 'fusion_type'
value GPU 'GPU'
value HYBRID_TYPE 'hybrid'
value IMPLY_TYPE 'imply_type'
value INPUT_NAMES 'input_names'
value KEY_ATTR 'attr'
value KEY_NAME 'name'
value MS_KERNEL_FLAG 'ms_kernel_flag'
value OP_NAME 'op_name'
value TBE 'TBE'
[mindspore.ops.operations.debug_ops]
class HookType Tensor_
object SUMMARY_RETURN_VALUE SUMMARY_TENSOR_CACHE
primitive DumpGradient
from _checkparam check_hook_fn
from graph.jit_context jit_context
[mindspore.ops.operations.image_ops]
object absolute_import
primitive CropAndResizeGradBoxes CropAndResizeGradImage ExtractGlimpse ResizeV2 ScaleAndTranslate
[mindspore.ops.operations.inner_ops]
primitive FusedAdaFactor FusedAdaFactorWithGlobalNorm GenerateEodMask KVCacheMgr LambApplyOptimizerAssign
    LambApplyWeightAssign ScaleGrad
[mindspore.ops.operations.linalg_ops]
object absolute_import
primitive Eigh
[mindspore.ops.operations.manually_defined]
class Tensor_
function pyboost_cast pyboost_tile pyboost_type_as
instance scalar_add scalar_bool scalar_div scalar_eq scalar_floordiv scalar_ge scalar_gt scalar_le scalar_log
    scalar_lt scalar_max scalar_min scalar_mod scalar_mul scalar_pow scalar_sub scalar_uadd scalar_usub
object absolute_import division
primitive DtypeToEnum
from graph.jit_context jit_context
from ops.auto_generate.gen_ops_prim FusedInferAttentionScore dtype_to_type_id
from ops.operations.manually_defined.ops_def batch_norm_ fused_infer_attention_score infer_value_for_Arange
    infer_value_for_BroadcastTo infer_value_for_Cast infer_value_for_Concat infer_value_for_Diag infer_value_for_Div
    infer_value_for_DivMod infer_value_for_DivMods infer_value_for_Divs infer_value_for_EqualExt
    infer_value_for_GatherD infer_value_for_LinalgVectorNorm infer_value_for_LpNormV2 infer_value_for_Max
    infer_value_for_MeanExt infer_value_for_Min infer_value_for_ProdExt infer_value_for_ReduceAll
    infer_value_for_ReduceAny infer_value_for_ReduceMax infer_value_for_ReduceMean infer_value_for_ReduceMin
    infer_value_for_ReduceProd infer_value_for_ReduceSum infer_value_for_Reshape infer_value_for_Softmax
    infer_value_for_SumExt infer_value_for_Svd infer_value_for_Tile
[mindspore.ops.operations.manually_defined._inner]
primitive ScalarCast TensorReport
[mindspore.ops.operations.manually_defined.ops_def]
class Tensor_
function batch_norm_ fused_infer_attention_score infer_value_for_Arange infer_value_for_BroadcastTo
    infer_value_for_Cast infer_value_for_Concat infer_value_for_Diag infer_value_for_Div infer_value_for_DivMod
    infer_value_for_DivMods infer_value_for_Divs infer_value_for_EqualExt infer_value_for_GatherD
    infer_value_for_LinalgVectorNorm infer_value_for_LpNormV2 infer_value_for_Max infer_value_for_MeanExt
    infer_value_for_Min infer_value_for_ProdExt infer_value_for_ReduceAll infer_value_for_ReduceAny
    infer_value_for_ReduceMax infer_value_for_ReduceMean infer_value_for_ReduceMin infer_value_for_ReduceProd
    infer_value_for_ReduceSum infer_value_for_Reshape infer_value_for_Softmax infer_value_for_SumExt
    infer_value_for_Svd infer_value_for_Tile pyboost_cast pyboost_tile pyboost_type_as
instance scalar_add scalar_bool scalar_div scalar_eq scalar_floordiv scalar_ge scalar_gt scalar_le scalar_log
    scalar_lt scalar_max scalar_min scalar_mod scalar_mul scalar_pow scalar_sub scalar_uadd scalar_usub
object absolute_import division
primitive DtypeToEnum
from graph.jit_context jit_context
from ops.auto_generate.gen_ops_prim FusedInferAttentionScore dtype_to_type_id
[mindspore.ops.operations.math_ops]
class Tensor_
object absolute_import division
primitive Lu NPUClearFloatStatusV2 NPUGetFloatStatusV2 STFT
from ops._utils.utils get_broadcast_shape
[mindspore.ops.operations.nn_ops]
class AscendEnvChecker
function pyboost_all_finite
object absolute_import division
primitive AllFinite AvgPoolV1 BasicLSTMCell CTCLossV2Grad Conv3DBackpropInput DeformableOffsets DepthwiseConv2dNative
    FractionalAvgPool FractionalMaxPool FusedBatchNorm FusedBatchNormEx GetNext InstanceNormV2 MaxPoolV1 PSROIPooling
    RNNTLoss SparseApplyAdagradDA SparseApplyCenteredRMSProp SparseApplyMomentum SparseApplyProximalGradientDescent
    SparseSoftmaxCrossEntropyWithLogitsV2 WKV
from ops.auto_generate.gen_ops_prim ApplyRotaryPosEmb Embedding GroupTopk IncreFlashAttention KvScaleCache
    PagedAttention PagedAttentionMask PromptFlashAttention ReshapeAndCache UpsampleBilinear2D UpsampleLinear1D
    UpsampleNearest1D UpsampleNearest2D
[mindspore.ops.operations.other_ops]
primitive Load Pull Push PyExecute PyInterpret Reusing SampleDistortedBoundingBoxV2 UpdateState
from ops.operations._pyfunc_registry add_pyfunc
[mindspore.ops.operations.random_ops]
object absolute_import
from ops._utils.utils get_broadcast_shape
from ops.auto_generate.gen_ops_prim UniformExt
[mindspore.ops.operations.reshard_ops]
primitive Reshard
[mindspore.ops.operations.sparse_ops]
primitive DenseToDenseSetOperation DenseToSparseSetOperation RaggedTensorToSparse RaggedTensorToTensor
    SparseCountSparseOutput SparseMatrixOrderingAMD
[mindspore.ops.primitive]
class prim_type
primitive PrimitiveFunction_ Primitive_
from graph.jit_context jit_context
from log _LogActionOnce
value SUPPORTED_TUPLE_IN_TUPLE_STRATEGY ['GroupedMatmul', 'FusedInferAttentionScore', 'Custom', 'Index']
"""
