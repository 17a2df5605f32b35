"""Names of `mindspore.ops` that mycel has for import only."""

NAMES = """\
[mindspore.ops.auto_generate.gen_ops_prim]
like +2
instance a_cos_grad_op abs_grad_op acosh_grad_op adamw_op adaptive_avg_pool2d_grad_ext_op
    adaptive_avg_pool3d_grad_ext_op adaptive_max_pool2d_grad_op add_layer_norm_grad_op add_layernorm_v2_op
    add_rms_norm_op all_gather_matmul_op apply_adamw_op apply_came_part1_op apply_came_part2_op apply_came_part3_op
    apply_came_part4_op as_strided_op asin_grad_op asinh_grad_op atan_grad_op avg_pool2d_grad_op avg_pool3d_grad_ext_op
    batch_norm_elemt_grad_op batch_norm_elemt_op batch_norm_gather_stats_with_counts_op batch_norm_reduce_grad_op
    batch_norm_stats_op binary_cross_entropy_with_logits_backward_op bool_not_op cholesky_grad_op col2im_grad_op
    complex_op constant_pad_nd_op conv1d_padding_op conv2d_padding_op conv3d_padding_op conv_tbc_op convolution_grad_op
    convolution_op convolution_str_grad_op convolution_str_op copy_to_device_op copy_to_host_op
    create_symmetric_memory_op cross_entropy_loss_grad_op cross_entropy_loss_op dct_op dctn_op dequant_swiglu_quant_op
    detach_op dist_comm_all_gather_into_tensor_op dist_comm_all_gather_into_tensor_uneven_op dist_comm_all_gather_op
    dist_comm_all_reduce_op dist_comm_all_to_all_v_c_op dist_comm_all_to_all_v_op dist_comm_all_to_all_v_single_op
    dist_comm_barrier_op dist_comm_batch_isend_irecv_op dist_comm_broadcast_op dist_comm_gather_into_tensor_op
    dist_comm_gather_op dist_comm_irecv_op dist_comm_isend_op dist_comm_reduce_op dist_comm_reduce_scatter_op
    dist_comm_reduce_scatter_tensor_op dist_comm_reduce_scatter_tensor_uneven_op dist_comm_scatter_op
    dist_comm_scatter_tensor_op divmod_op divmods_op divs_op dropout_do_mask_ext_op dropout_gen_mask_ext_op
    dropout_grad_ext_op dtype_to_type_id dump_gradient_op dynamic_block_quant_op dynamic_ntk_op dynamic_quant_ext_op
    elu_grad_ext_op elu_grad_op embedding_dense_backward_op fast_gelu_grad_op fft_ortho_op fft_shapecopy_op
    format_cast_op free_op func_dropout_ext_op func_max_pool2d_op fused_add_topk_div_op gather_d_grad_v2_op
    gelu_grad_ext_op gelu_grad_op generate_eod_mask_v2_op generator_op get_data_op get_mem_op gmm_backward_fusion_op
    gmm_backward_op gmm_op gmm_v2_backward_fusion_op gmm_v2_backward_op gmm_v2_op group_norm_grad_op group_topk_op
    grouped_matmul_v2_op grouped_matmul_v4_op hardtanh_grad_op hsigmoid_grad_op hsigmoid_op hswish_grad_op hswish_op
    idct_op idctn_op im2col_ext_op index_op inner_comm_all_gather_op inner_comm_all_reduce_op
    inner_comm_all_to_all_v_op inner_comm_irecv_op inner_comm_isend_op inner_comm_reduce_scatter_op inner_index_op
    inner_inplace_index_put_op inner_moe_token_unpermute_op inner_non_zero_op inner_unique_op inplace_addr_op
    inplace_adds_ext_op inplace_divmod_op inplace_divmods_op inplace_divs_op inplace_elu_op inplace_floor_divides_op
    inplace_grouped_matmul_add_op inplace_hardtanh_op inplace_matmul_add_op inplace_muls_op inplace_relu_op
    inplace_remainder_tensor_tensor_op inplace_scatter_src_op inplace_scatter_src_reduce_op inplace_scatter_value_op
    inplace_scatter_value_reduce_op inplace_silu_op inplace_stop_gradient_op inplace_threshold_op inplace_to_device_op
    insert_gem_v2_in_backward_op irfft_double_op kl_div_grad_op kv_cache_scatter_update_op kv_scale_cache_op
    l1_loss_backward_ext_op layer_norm_grad_ext_op leaky_relu_grad_ext_op left_shift_op lightning_indexer_grad_op
    lightning_indexer_op lin_space_ext_op lin_space_op linalg_qr_op linalg_vector_norm_op logsigmoid_grad_op
    lp_norm_v2_op lstsq_v2_grad_op lstsq_v2_op masked_select_grad_op matmul_allreduce_add_rmsnorm_op
    matmul_reduce_scatter_op matrix_inverse_ext_op max_dim_op median_dim_op min_dim_op mish_grad_ext_op mla_op
    mla_preprocess_op moe_compute_expert_tokens_op moe_distribute_combine_op moe_distribute_dispatch_op
    moe_finalize_routing_op moe_gating_top_k_softmax_op moe_init_routing_op moe_init_routing_v2_op
    moe_token_permute_grad_op moe_token_permute_op moe_token_unpermute_grad_op moe_token_unpermute_op
    mse_loss_grad_ext_op muls_op multi_scale_deformable_attn_grad_op multi_scale_deformable_attn_op new_empty_op
    new_full_op new_ones_op new_zeros_op next_after_op nllloss_2d_grad_op nllloss_2d_op non_zero_ext_op non_zero_op
    normal_float_float_op normal_float_tensor_op normal_tensor_float_op npu_clear_float_status_v2_op npu_gelu_op
    npu_get_float_status_v2_op nsa_compress_attention_op nsa_compress_grad_op nsa_compress_op
    nsa_select_attention_grad_op nsa_select_attention_op prelu_grad_op put_mem_op put_mem_signal_op
    quant_linear_sparse_op quant_matmul_op quant_v2_op real_div_op reciprocal_grad_op reflection_pad_1d_grad_op
    reflection_pad_1d_op reflection_pad_2d_grad_op reflection_pad_2d_op reflection_pad_3d_grad_op reflection_pad_3d_op
    relu6_grad_op relu_grad_op repeat_interleave_grad_op repeat_interleave_int_op repeat_op replication_pad_1d_grad_op
    replication_pad_1d_op replication_pad_2d_grad_op replication_pad_2d_op replication_pad_3d_grad_op
    replication_pad_3d_op reshape_and_cache_op right_shift_op ring_attention_update_op rms_norm_grad_op
    rotary_position_embedding_grad_op rotary_position_embedding_op rotated_iou_op rsqrt_grad_op scatter_value_op
    select_v2_op selu_grad_op set_data_op shard_identity_op sigmoid_grad_op signal_op_op signal_wait_until_op
    silent_check_v2_op silent_check_v3_op silu_grad_op softmax_backward_op softplus_grad_ext_op solve_triangular_op
    sparse_flash_attention_grad_op sparse_flash_attention_op speed_fusion_attention_grad_op speed_fusion_attention_op
    split_with_size_op split_with_size_view_op sqrt_grad_op str_to_enum swiglu_grad_op tanh_grad_op
    tensor_copy_slices_op tensor_shape_op threshold_grad_op to_device_op to_dtype_op to_other_op topkrouter_op
    topprouter_op trace_v2_op tracev2_grad_op transpose_batch_matmul_transpose_op tuple_to_tensor_op unique2_op
    unique_dim_op update_to_device_op update_to_remote_op upsample_bicubic2d_grad_op upsample_bicubic2d_op
    upsample_bilinear2d_grad_op upsample_bilinear2d_op upsample_linear1d_grad_op upsample_linear1d_op
    upsample_nearest1d_grad_op upsample_nearest1d_op upsample_nearest2d_grad_op upsample_nearest2d_op
    upsample_nearest3d_grad_op upsample_nearest3d_op view_dtype_op view_op xlogy_scalar_other_op xlogy_scalar_self_op
primitive AShardIdentity AdamW AdaptiveAvgPool1D AdaptiveAvgPool2DExt AdaptiveAvgPool2DGradExt AdaptiveAvgPool3DExt
    AdaptiveAvgPool3DGradExt AdaptiveMaxPool1D AddLayerNormGrad AddLayerNormV2 AddRmsNorm AllGatherMatmul ApplyAdamW
    ApplyCamePart1 ApplyCamePart2 ApplyCamePart3 ApplyCamePart4 ApplyRotaryPosEmb AsStrided AvgPool1D AvgPool2D
    AvgPool2DGrad AvgPool3DExt AvgPool3DGradExt BatchNormElemt BatchNormElemtGrad BatchNormExt
    BatchNormGatherStatsWithCounts BatchNormGradExt BatchNormGradGrad BatchNormReduceGrad BatchNormStats BernoulliExt
    BinaryCrossEntropyWithLogitsBackward BoolNot CdistGrad Col2ImExt Col2ImGrad ConstantPadND Conv1DExt Conv1DPadding
    Conv2DExt Conv2DPadding Conv3DExt Conv3DPadding ConvTbc ConvTranspose2D Convolution ConvolutionGrad ConvolutionStr
    ConvolutionStrGrad CopyToDevice CopyToHost Correlate CreateSymmetricMemory CrossEntropyLoss CrossEntropyLossGrad
    DCT DCTN DequantSwigluQuant Detach DistCommAllGather DistCommAllGatherIntoTensor DistCommAllGatherIntoTensorUneven
    DistCommAllReduce DistCommAllToAllV DistCommAllToAllVC DistCommAllToAllVSingle DistCommBarrier
    DistCommBatchIsendIrecv DistCommBroadcast DistCommGather DistCommGatherIntoTensor DistCommIrecv DistCommIsend
    DistCommReduce DistCommReduceScatter DistCommReduceScatterTensor DistCommReduceScatterTensorUneven DistCommScatter
    DistCommScatterTensor Dropout2dExt DropoutDoMaskExt DropoutExt DropoutGenMaskExt DropoutGradExt DumpGradient
    DynamicBlockQuant DynamicNTK DynamicQuantExt EluGradExt Embedding EmbeddingDenseBackward Empty EmptyLike FFNExt
    FFTFreq FFTOrtho FFTShapeCopy FillScalar FillTensor FlashAttentionScoreGrad FormatCast Free FuncDropoutExt
    FuncMaxPool2D FusedAddTopKDiv FusedInferAttentionScore GeluGradExt GenerateEodMaskV2 GetData GetMem Gmm GmmBackward
    GmmBackwardFusion GmmV2 GmmV2Backward GmmV2BackwardFusion GroupNormGrad GroupTopk GroupedMatmul GroupedMatmulV2
    GroupedMatmulV4 HardtanhGrad IDCT IDCTN IRFFTDouble Im2ColExt IncreFlashAttention Index IndexFillScalar
    IndexFillTensor InnerCommAllGather InnerCommAllReduce InnerCommAllToAllV InnerCommIrecv InnerCommIsend
    InnerCommReduceScatter InnerIndex InnerInplaceIndexPut InnerMoeTokenUnpermute InnerNonZero InnerUnique InplaceAddr
    InplaceBernoulliScalar InplaceBernoulliTensor InplaceElu InplaceExponential InplaceGroupedMatmulAdd InplaceHardtanh
    InplaceIndexCopy InplaceMaskedScatter InplaceMatmulAdd InplaceNormal InplacePut InplaceRandom InplaceReLU
    InplaceSiLU InplaceSign InplaceStopGradient InplaceThreshold InplaceToDevice InplaceUniform InsertGemV2InBackward
    KLDiv KLDivGrad KVCacheScatterUpdate KvScaleCache L1LossBackwardExt LayerNormGradExt LayerNormGradGrad
    LayerNormGradV3 LayerNormV3 LeakyReLUGradExt LightningIndexer LightningIndexerGrad LinalgQr LinalgVectorNorm
    LogSigmoidGrad LpNormV2 LstsqV2 LstsqV2Grad MSELossGradExt MatmulAllReduceAddRmsNorm MatmulReduceScatter
    MaxPoolGradWithIndices MaxPoolGradWithMask MaxPoolWithIndices MaxPoolWithMask MaxUnpool2DExt MishGradExt Mla
    MlaPreprocess MoeComputeExpertTokens MoeDistributeCombine MoeDistributeDispatch MoeFinalizeRouting
    MoeGatingTopKSoftmax MoeInitRouting MoeInitRoutingV2 MoeTokenPermute MoeTokenPermuteGrad MoeTokenUnpermute
    MoeTokenUnpermuteGrad MultiScaleDeformableAttn MultiScaleDeformableAttnGrad MultinomialExt NLLLoss2d NLLLoss2dGrad
    NPUClearFloatStatusV2 NPUGetFloatStatusV2 NormalFloatFloat NormalFloatTensor NormalTensorFloat NormalTensorTensor
    NpuGelu NsaCompress NsaCompressAttention NsaCompressGrad NsaSelectAttention NsaSelectAttentionGrad OneHotExt
    PagedAttention PagedAttentionMask PromptFlashAttention PutMem PutMemSignal QuantBatchMatmul QuantLinearSparse
    QuantMatmul QuantV2 RFFTFreq RandExt RandInt RandIntLike RandLikeExt Randn RandnLike RandpermExt ReflectionPad1D
    ReflectionPad1DGrad ReflectionPad2D ReflectionPad2DGrad ReflectionPad3D ReflectionPad3DGrad RepeatInterleaveGrad
    ReplicationPad1D ReplicationPad1DGrad ReplicationPad2D ReplicationPad2DGrad ReplicationPad3D ReplicationPad3DGrad
    ReshapeAndCache ResizeBicubicGrad ResizeLinear1DGrad ResizeNearestNeighborV2Grad RingAttentionUpdate
    RotaryPositionEmbedding RotaryPositionEmbeddingGrad RotatedIou SequenceConcat SetData SignalOp SignalWaitUntil
    SilentCheckV2 SilentCheckV3 SliceExtView SoftmaxBackward SoftplusGradExt SolveTriangular SparseFlashAttention
    SparseFlashAttentionGrad SpeedFusionAttention SpeedFusionAttentionGrad SwigluGrad TensorCopySlices ThresholdGrad
    ToDevice ToDtype ToOther TopKRouter TopPRouter TraceV2 TraceV2Grad TransposeBatchMatmulTranspose TriangularSolve
    UniformExt Unique2 UniqueDim UpdateToDevice UpdateToRemote UpsampleBicubic2D UpsampleBicubic2DGrad
    UpsampleBilinear2D UpsampleBilinear2DGrad UpsampleLinear1D UpsampleLinear1DGrad UpsampleNearest1D
    UpsampleNearest1DGrad UpsampleNearest2D UpsampleNearest2DGrad UpsampleNearest3DGrad UpsampleTrilinear3DGrad
    ViewDtype WeightQuantBatchMatmul
[mindspore.ops.auto_generate.pyboost_inner_prim]
like +6
instance apply_rotary_pos_emb_impl batch_mat_mul_impl batch_norm_grad_ext_impl binary_cross_entropy_grad_impl
    ffn_ext_impl flash_attention_score_grad_impl fused_infer_attention_score_impl glu_grad_impl
    grid_sampler_2d_grad_impl grid_sampler_2d_impl grid_sampler_3d_grad_impl grid_sampler_3d_impl grouped_matmul_impl
    hshrink_grad_impl hshrink_impl incre_flash_attention_impl log_softmax_grad_impl max_pool_grad_with_indices_impl
    max_pool_grad_with_mask_impl max_pool_with_indices_impl max_pool_with_mask_impl nllloss_grad_impl
    paged_attention_impl prompt_flash_attention_impl quant_batch_matmul_impl smooth_l1_loss_grad_impl
    soft_margin_loss_grad_impl softshrink_grad_impl upsample_trilinear3d_grad_impl upsample_trilinear3d_impl
    weight_quant_batch_matmul_impl
function arg_invalid_info generator_handler to_2d_paddings to_dilations to_kernel_size to_output_padding to_pair
    to_rates to_strides
primitive DtypeToEnum StringToEnum
object hidden_handlers
[mindspore.ops.communication]
like +9
[mindspore.ops.composite]
object absolute_import
from ops.composite.base iter_converter ms_hasnext ms_next recompute_block zip_operation
[mindspore.ops.composite.base]
class DictClear_ DictFromKeys_ DictHasKey_ DictSetItem_ DictUpdate_ GradOperation_ HandleBoolTensor_ HasNext_ HyperMap_
    IterConverter_ ListAdd_ ListAppend_ ListClear_ ListExtend_ ListInsert_ ListPop_ ListReverse_ ListSliceSetItem_
    MSContext Map_ MultitypeFuncGraph_ Next_ PreSetitemByTuple_ RecomputeBlock_ SequenceSliceGetItem_ StarredGetItem_
    StarredUnpackMerge_ StarredUnpack_ Tail_ TaylorOperation_ TensorIndexGetitem_ TensorIndexSetitem_ TupleAdd_
    TupleGetItemTensor_ UnpackCall_ VmapOperation_ ZerosLike_ ZipOperation_
function iter_converter ms_hasnext ms_next recompute_block starred_get_item starred_unpack starred_unpack_merge
    zip_operation
object absolute_import
[mindspore.ops.composite.env_ops]
instance environ_get ref_to_embed tensor_zeros_like
object absolute_import
[mindspore.ops.composite.multitype_ops._compile_utils]
function _tensor_getitem _tensor_getitem_origin _tensor_setitem _tensor_setitem_origin cal_tuple_slice_mask
    check_coo_tensor_input_length check_csr_tensor_input_length check_indices convert_slice_to_tensor data_update
    data_update_by_ops do_copy format_index format_index_tensor get_slice_stride get_stride_info_from_integer
    handle_empty_tensor handle_multi_dim_index_tensor handle_setitem_by_bool_tensor judge_tuple_index_dim
    judge_tuple_index_dim_check_error parse_check_slice_index reduce_ remove_expanded_dims
    remove_expanded_dims_parse_tensor_index reshape_with_check sequence_to_tensor strided_slice tensor_in_sequence
    tensor_index_by_bool_tensor tensor_index_by_list tensor_index_by_number tensor_index_by_slice
    tensor_index_by_tensor tensor_index_by_tuple tensor_item tensor_itemset tensor_itemset_by_number_with_number
    tensor_itemset_by_tuple_with_number tensor_itemset_by_tuple_with_tensor tensor_itemset_with_number
    tensor_setitem_by_bool tensor_setitem_by_ellipsis tensor_setitem_by_ellipsis_with_number
    tensor_setitem_by_ellipsis_with_sequence tensor_setitem_by_ellipsis_with_tensor tensor_setitem_by_list
    tensor_setitem_by_number_with_number tensor_setitem_by_number_with_sequence tensor_setitem_by_number_with_tensor
    tensor_setitem_by_slice tensor_setitem_by_tensor_with_number tensor_setitem_by_tensor_with_sequence
    tensor_setitem_by_tensor_with_tensor tensor_setitem_by_tuple_with_number tensor_setitem_by_tuple_with_sequence
    tensor_setitem_by_tuple_with_tensor value_update
instance copy_slice copy_with_slice expand_dims_view_op getitem_tensor_index_info inplace_copy_op inplace_index_put_op
    is_parameter remove_expanded_dims_parse_bool_tensor_index select_ext_view_op select_view setitem_tensor_index_info
    slice_ext_view_op slice_get_item stack toptypeof
enum ValueTransferType {'kUnknown': 0, 'kTensorScatterUpdate': 1, 'kExpandDims': 2, 'kBroadCast': 3, 'kCast': 4,
    'kSelect': 5, 'kGather': 6, 'kStrideSlice': 7, 'kStrideSliceWithMask': 8, 'kGatherND': 9, 'kScatterNdUpdate': 10,
    'kReshape': 11, 'kSelectView': 12, 'kUnsqueeze': 13, 'kCopyView': 14, 'kScatterND': 15, 'kNumberToTensor': 16,
    'kHandleSequenceValue': 17, 'kByPass': 18, 'kReSetItemByIndex': 19, 'kCopySlice': 20, 'kSetItemByBool': 21,
    'kEmptyTensor': 22, 'kSetItemByEllipsis': 23, 'kFormatIndexTensor': 24, 'kGetitemByBoolTensor': 25,
    'kSetitemByBoolTensor': 26, 'kJustReturn': 27, 'kRaiseIndexError': 28}
object absolute_import empty_tensor_1d empty_tensor_9d tensor_1d tensor_operator_registry
from ops.operations._inner_ops CopyWithSlice GetitemTensorIndexInfo IsParameter SelectView SetitemTensorIndexInfo
    SliceGetItem
from ops.auto_generate.gen_ops_prim TensorCopySlices index_op
from graph.mutable mutable
[mindspore.ops.composite.multitype_ops._constexpr_utils]
instance check_equal check_in_sequence check_indices check_indices_value_size check_number_index_type check_range
    check_slice_empty check_tensor_setitem_index check_tensors_dtype_same check_type_invalid check_type_isinstance
    check_type_valid check_types_valid check_valid_dim check_value_elements compute_multiples compute_slice_shape
    convert_scalar_to_tensor deep_tuple filter_expanded_dims gen_exception_msg generate_broadcast_shape
    generate_index_info_from_tuple_of_mixed_tensors generate_padding_shape get_broadcast_shape get_index_tensor_dtype
    get_np_eps get_output_dtype get_pos_of_indexes_types get_step_from_slice infer_out_shape is_ascend is_same_type
    is_slice judge_index_type judge_indexes_types log_warning make_empty_slice make_tensor normalize_slice
    normalize_start normalize_stop promote_binary_dtype raise_index_error raise_type_error raise_unimplemented_error
    raise_value_error real_axes rem_not_expanded_dims scalar_in_sequence scalar_to_tensor sequence_mul_int
    sequence_to_index slice2indices transform_slice_to_ele_list tuple_index_type_cnt tuple_slice unpack use_copy_slice
value SET_ITEM_BY_NON_TENSOR 2
value NO_TENSOR 1
value CONTAIN_TENSOR 2
value ALL_SCALAR 3
function ellipsis2slice expanded_shape generate_updates_shape get_source_shape judge_data_dim
value SET_ITEM_BY_TUPLE_OF_TENSOR 1
value INT_ 0
value TENSOR_SETITEM 'tensor setitem'
value UNSUPPORTED_DTYPE 2
value BOOL_ 1
value TENSOR_GETITEM 'tensor getitem'
value SET_ITEM_BY_ONE_TENSOR 0
value MIXED 8
value ALL_TENSOR 0
value ALL_BASIC 7
object complex_priority_map complex_types tensor_operator_registry type_priority_map
[mindspore.ops.composite.multitype_ops.add_impl]
function add_rowtensor_tensor default_add
instance check_equal make_tensor
object absolute_import
[mindspore.ops.composite.multitype_ops.bitwise_and_impl]
function default_bitwsie_add
object absolute_import
[mindspore.ops.composite.multitype_ops.bitwise_or_impl]
function default_bitwsie_or
object absolute_import
[mindspore.ops.composite.multitype_ops.bitwise_xor_impl]
function default_bitwsie_xor
object absolute_import
[mindspore.ops.composite.multitype_ops.div_impl]
instance check_equal log_warning
function default_div
object division
from ops.auto_generate.gen_ops_prim divs_op muls_op
[mindspore.ops.composite.multitype_ops.equal_impl]
function default_equal
object absolute_import
[mindspore.ops.composite.multitype_ops.floordiv_impl]
function default_floordiv
object absolute_import
[mindspore.ops.composite.multitype_ops.getitem_impl]
instance sequence_slice slice_getitem
function default_getitem
value DOC_URL 'https://mindspore.cn/search/en?inputValue=Index%20values'
object absolute_import
from ops.operations._inner_ops SliceGetItem
[mindspore.ops.composite.multitype_ops.greater_equal_impl]
function default_greater_equal
from ops.operations._sequence_ops list_greater_equal tuple_greater_equal
[mindspore.ops.composite.multitype_ops.greater_impl]
function default_greater
from ops.operations._sequence_ops list_greater_than tuple_greater_than
[mindspore.ops.composite.multitype_ops.in_impl]
function default_in
object absolute_import
[mindspore.ops.composite.multitype_ops.invert_impl]
[mindspore.ops.composite.multitype_ops.left_shift_impl]
function default_left_shift
object absolute_import
[mindspore.ops.composite.multitype_ops.less_equal_impl]
function default_less_equal
object absolute_import division
[mindspore.ops.composite.multitype_ops.less_impl]
function default_less
object absolute_import division
[mindspore.ops.composite.multitype_ops.logical_and_impl]
function default_logical_and
object absolute_import division
[mindspore.ops.composite.multitype_ops.logical_not_impl]
function default_logical_not
[mindspore.ops.composite.multitype_ops.logical_or_impl]
function default_logical_or
object absolute_import division
[mindspore.ops.composite.multitype_ops.mod_impl]
function default_mod
object absolute_import
[mindspore.ops.composite.multitype_ops.mul_impl]
instance check_equal
function default_mul
[mindspore.ops.composite.multitype_ops.negative_impl]
function default_negative
object absolute_import
[mindspore.ops.composite.multitype_ops.not_equal_impl]
function default_not_equal
[mindspore.ops.composite.multitype_ops.not_in_impl]
function default_not_in
object absolute_import
[mindspore.ops.composite.multitype_ops.ones_like_impl]
function default_ones_like_leaf_for_grad
object absolute_import
[mindspore.ops.composite.multitype_ops.pow_impl]
function default_pow
object absolute_import
[mindspore.ops.composite.multitype_ops.right_shift_impl]
function default_right_shift
object absolute_import
[mindspore.ops.composite.multitype_ops.setitem_impl]
function default_getitem
instance sequence_slice_setitem slice_get_item
value DOC_URL 'https://mindspore.cn/search/en?inputValue=Index%20value%20assignment'
object absolute_import
from ops.operations._inner_ops SliceGetItem
[mindspore.ops.composite.multitype_ops.sub_impl]
instance check_equal make_tensor
function default_sub
object absolute_import
[mindspore.ops.composite.multitype_ops.uadd_impl]
[mindspore.ops.composite.multitype_ops.zeros_like_impl]
object absolute_import
[mindspore.ops.deprecated]
primitive BNTrainingReduce BNTrainingUpdate ScatterNonAliasingAdd
[mindspore.ops.function]
like +5
instance tensor_div_
from ops.function.nn_func relu_
[mindspore.ops.function._add_attr_func]
class AddAttr AddAttr_
[mindspore.ops.function.array_func]
instance arange_ arg_max_with_value_ arg_min_with_value_ batch_to_space_nd_v2_ cast_ check_flatten_order_const diag_
    dynamic_broadcast_to_ eye_ fill_scalar_ fill_tensor_ fills_ fillv2_ flatten_ gather_ gather_d_ gather_nd_ ger_
    get_x_shape index_fill_ lstsq_ new_ones_ new_zeros_ non_zero_ non_zero_ext_ ones_ ones_like_ ones_like_ext_
    population_count_ range_ rank_ reduce_max_ reduce_min_ repeat_interleave_int_ repeat_interleave_tensor_
    scalar_to_tensor_ scatter_add_ scatter_nd_ scatter_prim scatter_update_ scatter_value_ search_sorted_ size_
    sort_ext_ split_with_size tensor_select_ tensor_shape_ tile_ transpose_ tuple_to_array_ tuple_to_tensor_ type_as_
    unique2_ unique_ unique_dim_ unsorted_segment_max_ unsorted_segment_min_ unsorted_segment_prod_
    unsorted_segment_sum_ zeros_like_ zeros_like_ext_
function new_ones new_zeros
object absolute_import
from ops.auto_generate.gen_ops_prim FillScalar FillTensor Unique2 UniqueDim split_with_size_op
from ops._utils.utils ms_arrange
from ops.auto_generate.gen_ops_def max_ min_
from ops.operations._inner_ops DynamicBroadcastTo
[mindspore.ops.function.clip_func]
instance greater_equal_ scalar2tensor_op
function clamp_
object absolute_import
[mindspore.ops.function.comm_func]
like +8
function all_gather all_gather_into_tensor all_gather_into_tensor_uneven all_gather_object all_reduce all_to_all
    all_to_all_single all_to_all_v_c barrier batch_isend_irecv broadcast broadcast_object_list destroy_process_group
    gather gather_into_tensor gather_object get_backend get_cache_group_rank get_cache_group_size get_global_rank
    get_group_rank get_process_group_ranks get_rank get_world_size init_process_group irecv is_available is_initialized
    is_inplace_func isend new_group recv recv_object_list reduce reduce_scatter reduce_scatter_tensor
    reduce_scatter_tensor_uneven restricted_loads scatter scatter_object_list scatter_tensor send send_object_list
    set_comm_ops_inplace
class CollectiveManager CommHandle CommHandle_ GroupOptions P2POp RestrictedUnpickler TCPStore TCPStoreClient Tensor_
value TYPE_ISEND 0
value safe_builtins {'slice', 'frozenset', 'set', 'range', 'complex'}
value SAFE_PICKLE False
value BACKEND_HCCL 'hccl'
value BACKEND_MCCL 'mccl'
value TYPE_IRECV 1
object absolute_import comm_funcs default_handle
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
instance dtype_
class Tensor_
[mindspore.ops.function.linalg_func]
instance dtype_ geqrf_ slice_
class Tensor_
object absolute_import
[mindspore.ops.function.math_func]
function add_padding_to_shape arrange as_strided dotrapezoid dotrapezoid_tensor get get_x_shape gmm_backward
    gmm_backward_fusion multi_scale_deformable_attn_function rotated_iou trapezoid trapezoid_tensor zeros_like_except
instance absolute_ acos_ acosh_ addcdiv_ addcuml_ addn_ angle_ asin_ asinh_ atan2_ atan_ atanh_ batch_matmul_
    bernoulli_ext_ bessel_i0_ bessel_i0e_ bessel_i1_ bessel_i1e_ bessel_j0_ bessel_j1_ bessel_k0_ bessel_k0e_
    bessel_k1_ bessel_k1e_ bessel_y0_ bessel_y1_ bitwise_and_ bitwise_and_scalar_ bitwise_and_tensor_ bitwise_or_
    bitwise_or_scalar_ bitwise_or_tensor_ bitwise_xor_ bitwise_xor_scalar_ bitwise_xor_tensor_ cast_ conj_ cumprod_
    cumsum_ cumulative_logsumexp_ digamma_ dtype_ erf_ erfc_ erfinv_ext_ exp2_ expand_dims_ fill_v2_ floor_ gcd_
    igamma_ igammac_ imag_ inv_ invert_ isnan_ lcm_ lerp_ lgamma_ linspace_ log1p_ log_ log_matrix_determinant_
    logical_and_ logical_not_ logical_or_ logical_xor_ lu_solve_ lu_unpack_ matmul_ matrix_determinant_ matrix_inverse_
    mod_ nextafter_ ones_ polar_ poly_gamma_ rank_ reciprocal_ reduce_sum_ remainder_scalar_tensor_
    remainder_tensor_scalar_ remainder_tensor_tensor_ scalar_to_tensor_ select_ size_ slice_ tensor_ceil tensor_div_
    tensor_divmod_ tensor_round_ tile_ tile_size_ trunc_ truncate_div_ truncate_mod_ tuple_to_tensor_ xdivy_ xlogy_
    zeros_ zeta_
class Tensor_
object generator_step_
from ops.auto_generate.gen_ops_prim BernoulliExt lin_space_ext_op linalg_vector_norm_op lp_norm_v2_op median_dim_op
    multi_scale_deformable_attn_op rotated_iou_op xlogy_scalar_other_op xlogy_scalar_self_op
from ops.auto_generate.gen_ops_def matrix_inverse_ext muls
from ops.functional_overload gmm
from ops.operations._inner_ops TileSize
[mindspore.ops.function.nn_func]
like +11
value pi 3.141592653589793
instance abs_ add_ bias_add_ cast_ check_bool_const check_dense_inputs_same_shape check_string_const div_ dtype_ equal_
    erf_ exp_ expand_dims_ fillv2_ gather_ gather_d_ gelu_ greater_ is_ascend_backend less_ list_to_tensor_ log_
    matmul_ maximum_ minimum_ mish_ mul_ neg_ ones_like_ raise_value_error reduce_mean_ reduce_sum_ scalar_to_tensor_
    select_ selu_ sigmoid_ sign_ slice_ softplus_ softsign_ sqrt_ square_ sub_ tensor_shape_ tensor_to_tuple_
    transpose_ tuple_to_tensor_
class Tensor_
function add_layer_norm check_input_dtype deformable_conv2d incre_flash_attention linear prompt_flash_attention relu_
    speed_fusion_attention
object absolute_import generator_step_
from ops.auto_generate.gen_ops_def add_rms_norm moe_token_permute moe_token_unpermute ring_attention_update
from ops.functional_overload lightning_indexer nsa_compress nsa_select_attention
from ops.operations.manually_defined.ops_def fused_infer_attention_score
from ops.auto_generate.pyboost_inner_prim grid_sampler_2d_impl grid_sampler_3d_impl upsample_trilinear3d_impl
[mindspore.ops.function.other_func]
instance depend_ move_to_ partial_
function moe_init_routing_v2 move_to
from ops.auto_generate.gen_ops_def moe_distribute_combine moe_distribute_dispatch rotary_position_embedding
from ops.auto_generate.gen_ops_prim moe_init_routing_v2_op
[mindspore.ops.function.random_func]
like +13
instance cast_ inplace_normal_ inplace_random_ is_cpu_backend log_ multinomial_ext_ rand_ext_ rand_like_ext_ randint_
    randint_like_ randn_ randn_like_ randperm_ext_ real_div_ top_k_ uniform_ext_
object absolute_import generator_step_
[mindspore.ops.function.reshard_func]
function reshard
[mindspore.ops.function.sparse_func]
like +12
function coalesce coo_add coo_concat csr_add csr_div csr_mm csr_mul csr_mv csr_reduce_sum csr_softmax csr_to_coo
    csr_to_dense dense_to_sparse_coo dense_to_sparse_csr is_scalar make_row_tensor make_sparse_tensor promote_coo
    promote_csr
instance coalesce_op make_tensor print_info promote_binary_dtype raise_type_error raise_value_error
object absolute_import batch_csr_pointers_empty
[mindspore.ops.function.sparse_unary_func]
function coo_abs coo_acos coo_acosh coo_asin coo_asinh coo_atan coo_atanh coo_ceil coo_cos coo_cosh coo_exp coo_expm1
    coo_floor coo_inv coo_isfinite coo_isinf coo_isnan coo_log coo_log1p coo_neg coo_relu coo_relu6 coo_round
    coo_sigmoid coo_sin coo_sinh coo_softsign coo_sqrt coo_square coo_tan coo_tanh csr_abs csr_acos csr_acosh csr_asin
    csr_asinh csr_atan csr_atanh csr_ceil csr_cos csr_cosh csr_exp csr_expm1 csr_floor csr_inv csr_isfinite csr_isinf
    csr_isnan csr_log csr_log1p csr_neg csr_relu csr_relu6 csr_round csr_sigmoid csr_sin csr_sinh csr_softsign csr_sqrt
    csr_square csr_tan csr_tanh
instance raise_type_error
[mindspore.ops.function.vmap_func]
class VmapGeneralPreprocess_ VmapGeneralRulePyAdapter_
[mindspore.ops.functional]
like +4
instance switch
[mindspore.ops.functional_overload]
function all_gather_matmul gmm gmm_backward gmm_backward_fusion lightning_indexer matmul_reduce_scatter nsa_compress
    nsa_compress_attention nsa_select_attention quant_matmul rmod sparse_flash_attention
from _c_expression _empty_instance
[mindspore.ops.op_info_register]
value ASCEND_CUSTOM_OPP_PATH 'ASCEND_CUSTOM_OPP_PATH'
value BUILT_IN_CUSTOM_OPS_REGISTER_PATH 'mindspore/ops/_op_impl/_custom_op'
class AkgAscendRegOp AkgCpuRegOp AkgGpuRegOp AkgRegOp Oplib
value KEY_NAME 'name'
value BUILT_IN_OPS_REGISTER_PATH 'mindspore/ops/_op_impl'
object absolute_import division
[mindspore.ops.operations]
like +10
from ops.operations._thor_ops CholeskyTrsm CusBatchMatMul CusCholeskyTrsm CusFusedAbsMax1 CusImg2Col CusMatMulCube
    CusMatMulCubeDenseLeft CusMatMulCubeDenseRight CusMatMulCubeFraczLeftCast CusMatMulCubeFraczRightMul
    CusMatrixCombine CusTranspose02314 DetTriangle LoadIm2Col NewIm2Col ProdForceSeA UpdateThorGradient
from ops.operations._quant_ops ActULQClampMaxGrad ActULQClampMinGrad ActsULQ ActsULQInputGrad BatchNormFold
    BatchNormFold2 BatchNormFold2D BatchNormFold2Grad BatchNormFold2GradD BatchNormFold2GradReduce BatchNormFoldD
    BatchNormFoldGrad BatchNormFoldGradD CorrectionMul CorrectionMulGrad CorrectionMulGradReduce
    FakeLearnedScaleQuantPerChannel FakeLearnedScaleQuantPerChannelGrad FakeLearnedScaleQuantPerChannelGradD
    FakeLearnedScaleQuantPerChannelGradDReduce FakeLearnedScaleQuantPerLayer FakeLearnedScaleQuantPerLayerGrad
    FakeLearnedScaleQuantPerLayerGradD FakeLearnedScaleQuantPerLayerGradDReduce FakeQuantParam FakeQuantPerChannel
    FakeQuantPerChannelGrad FakeQuantPerLayer FakeQuantPerLayerGrad FakeQuantWithMinMaxVars
    FakeQuantWithMinMaxVarsGradient FakeQuantWithMinMaxVarsPerChannel FakeQuantWithMinMaxVarsPerChannelGradient IFMR
    MinMaxUpdatePerChannel MinMaxUpdatePerLayer WtsARQ
from ops.operations._inner_ops DSDMatmul MatmulDDS
from ops.operations.inner_ops LambApplyOptimizerAssign LambApplyWeightAssign
from ops.operations.array_ops TransShape
from ops.operations._embedding_cache_ops CacheSwapTable DynamicAssign PadAndShift UpdateCache
from ops.operations.other_ops Load
from ops.operations.nn_ops CTCLossV2Grad
[mindspore.ops.operations._csr_ops]
primitive COO2CSR CSR2COO CSRDiv CSRGather CSRMM CSRMV CSRMul CSRReduceSum
[mindspore.ops.operations._custom_grad]
function autodiff_bprop bprop_eight bprop_five bprop_four bprop_nine bprop_one bprop_seven bprop_six bprop_ten
    bprop_three bprop_two get_outs
class Registry
object absolute_import
"""
