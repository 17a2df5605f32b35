"""Names of `mindspore.ops` that mycel has for import only."""

NAMES = """\
[mindspore.ops.operations._custom_ops_utils]
value OP_INFO_KEY_ATTR 'attr'
value OP_INFO_KEY_LIST 'list'
class CustomCodeGenerator CustomInfoGenerator ExtensionBuilder FileLocker MSContext VersionManager
value REG_INFO_KEY_INPUTS 'inputs'
value REG_INFO_KEY_ATTR 'attr'
value OP_INFO_KEY_DTYPE 'dtype'
value REG_INFO_KEY_ATTRS 'attrs'
value REG_INFO_KEY_OUTPUTS 'outputs'
value REG_INFO_KEY_VALUE 'value'
value OP_INFO_KEY_INPUT 'input'
value OP_INFO_KEY_OUTPUT 'output'
value REG_INFO_KEY_NAME 'name'
value REG_INFO_KEY_TYPE 'type'
value OP_INFO_KEY_FORMAT 'format'
value REG_INFO_KEY_PARAM_TYPE 'paramType'
object version_manager
[mindspore.ops.operations._embedding_cache_ops]
primitive CacheSwapTable DynamicAssign MapCacheIdx MapUniform PadAndShift SubAndFilter UpdateCache
object absolute_import
[mindspore.ops.operations._grad_ops]
primitive AvgPoolGradGe AvgPoolGradV1 AvgPoolGradVm BNTrainingReduceGrad BNTrainingUpdateGrad BasicLSTMCellCStateGrad
    BasicLSTMCellInputGrad BasicLSTMCellWeightGrad DeformableOffsetsGrad DepthwiseConv2dNativeBackpropFilter
    DepthwiseConv2dNativeBackpropInput Dilation2DBackpropFilter Dilation2DBackpropInput DynamicGRUV2Grad DynamicRNNGrad
    EinsumGrad EmbeddingLookupCommGrad FractionalAvgPoolGrad FractionalMaxPoolGrad GRUV2Grad GruGradData GruGradWeight
    IgammaGradA InstanceNormGrad InstanceNormV2Grad LSTMGrad LSTMGradData LSTMGradWeight LuUnpackGrad MapTensorGetGrad
    MaxPool3DGradGrad MaxPoolGradGradWithArgmax MaxPoolGradWithArgmax MedianGrad NeighborExchangeV2Grad
    PSROIPoolingGrad PadV3Grad ParallelResizeBilinearGrad PsROIPoolingGrad ROIAlignGrad RandomGammaGrad RefToEmbed
    ResizeV2Grad ScaleAndTranslateGrad SparseFillEmptyRowsGrad SparseSegmentMeanGrad SparseSegmentSqrtNGrad
    SparseSegmentSumGrad SparseSliceGrad SyncBatchNormGrad WKVGrad
object absolute_import division
from ops.auto_generate.gen_ops_prim BatchNormGradGrad FlashAttentionScoreGrad LayerNormGradGrad ResizeBicubicGrad
    ResizeLinear1DGrad ResizeNearestNeighborV2Grad UpsampleNearest3DGrad UpsampleTrilinear3DGrad
from ops._utils.utils get_concat_offset
[mindspore.ops.operations._infer_ops]
from ops.auto_generate.gen_ops_prim DynamicQuantExt FusedInferAttentionScore GroupedMatmul KVCacheScatterUpdate
    MatmulAllReduceAddRmsNorm MoeFinalizeRouting MoeGatingTopKSoftmax QuantBatchMatmul QuantLinearSparse QuantV2
    WeightQuantBatchMatmul
[mindspore.ops.operations._inner_ops]
primitive AntiQuant CellBackwardHook Centralization CheckBprop ConfusionMulGrad CopyWithSlice DSDGrad DSDMatmul
    DecodeImage Dequant DynamicBroadcastGradientArgs DynamicBroadcastTo DynamicResizeNearestNeighbor DynamicStitch
    ErrorOnDynamicShapeInput FFN Format GetGrad GetitemTensorIndexInfo GpuConvertToDynamicShape IsConstant IsInstance
    IsParameter IsSubClass KMeansCentroids Lamb MatmulDDS MatmulDDSGrad MatrixDiag MatrixDiagPart MatrixSetDiag
    MixedPrecisionCast NonZeroWithValue NonZeroWithValueShape ParallelResizeBilinear PartitionedCall PsROIPooling Quant
    SameTypeShape SelectView SetitemTensorIndexInfo SliceGetItem StackDestroy StackInit StackPop StackPush
    SyncBatchNorm TileSize
instance bit_left_shift bit_right_shift bit_xor check_bprop issubclass_ same_type_shape_ string_ge string_getitem
    string_gt string_in string_le string_lt string_mul string_not
class GeneratorImpl HookType Tensor_
function pyboost_cell_backward_hook
from ops.auto_generate.gen_ops_prim ApplyCamePart1 ApplyCamePart2 ApplyCamePart3 ApplyCamePart4 TensorCopySlices
    TopKRouter TopPRouter
[mindspore.ops.operations._map_tensor_ops]
primitive MapTensorErase MapTensorGet MapTensorGetData MapTensorGetKeys MapTensorGetValues MapTensorPut
instance erase get_data get_keys get_values put
[mindspore.ops.operations._ms_kernel]
function determine_variable_usage kernel ms_kernel
class VariableUsage WithStub
from _extends.ast_checker AstChecker
[mindspore.ops.operations._ocr_ops]
primitive BatchDilatePolys BatchEnqueue Dequeue GetShape OCRDetectionPostHandle OCRDetectionPreHandle OCRFindContours
    OCRIdentifyPreHandle OCRRecognitionPreHandle ResizeAndClipPolys StringLength
object absolute_import
[mindspore.ops.operations._pyfunc_registry]
class CustomPyFuncRegistry
function add_pyfunc get_pyfunc
object absolute_import
from ops._register_for_op PyFuncRegistry
[mindspore.ops.operations._quant_ops]
primitive ActULQClampMaxGrad ActULQClampMinGrad ActsULQ ActsULQInputGrad BatchNormFold BatchNormFold2 BatchNormFold2D
    BatchNormFold2Grad BatchNormFold2GradD BatchNormFold2GradReduce BatchNormFoldD BatchNormFoldGrad BatchNormFoldGradD
    CorrectionMul CorrectionMulGrad CorrectionMulGradReduce FakeLearnedScaleQuantPerChannel
    FakeLearnedScaleQuantPerChannelGrad FakeLearnedScaleQuantPerChannelGradD FakeLearnedScaleQuantPerChannelGradDReduce
    FakeLearnedScaleQuantPerLayer FakeLearnedScaleQuantPerLayerGrad FakeLearnedScaleQuantPerLayerGradD
    FakeLearnedScaleQuantPerLayerGradDReduce FakeQuantParam FakeQuantPerChannel FakeQuantPerChannelGrad
    FakeQuantPerLayer FakeQuantPerLayerGrad FakeQuantWithMinMaxVars FakeQuantWithMinMaxVarsGradient
    FakeQuantWithMinMaxVarsPerChannel FakeQuantWithMinMaxVarsPerChannelGradient IFMR MinMaxUpdatePerChannel
    MinMaxUpdatePerLayer WtsARQ
object absolute_import
[mindspore.ops.operations._rl_inner_ops]
primitive CudnnGRU GRUV2 LSTMV2
object absolute_import
[mindspore.ops.operations._sequence_ops]
primitive ListAppendAndInsertGrad SequenceAddOffset SequenceSliceGrad ShapeMulGrad list_greater_equal list_greater_than
    list_le list_lt tuple_greater_equal tuple_greater_than tuple_le tuple_lt
class Tensor_
[mindspore.ops.operations._sparse_grad_ops]
primitive SparseAddGrad
object absolute_import
[mindspore.ops.operations._thor_ops]
primitive Cholesky CholeskyTrsm CusBatchMatMul CusCholeskyTrsm CusFusedAbsMax1 CusImg2Col CusMatMulCube
    CusMatMulCubeDenseLeft CusMatMulCubeDenseRight CusMatMulCubeFraczLeftCast CusMatMulCubeFraczRightMul
    CusMatrixCombine CusTranspose02314 DetTriangle LoadIm2Col NewIm2Col ProdForceSeA ThorIm2Col UpdateThorGradient
[mindspore.ops.operations.array_ops]
class COOTensor_ CSRTensor_ Tensor_
primitive ArgminV2 BatchToSpaceNDV2 ConcatOffsetV1 RangeV2 TransShape Unsqueeze
from ops._utils.utils get_broadcast_shape
[mindspore.ops.operations.comm_ops]
primitive AllGatherV AlltoAllV AlltoAllVC BatchISendIRecv NeighborExchangeV2 ReduceScatterV
instance mirror mirror_mini_step virtual_accu_grad virtual_assign_add virtual_assign_kv_cache virtual_dataset
    virtual_div virtual_pipeline_end
function check_collective_target_dtype
object absolute_import division
[mindspore.ops.operations.control_ops]
primitive GeSwitch Merge
object absolute_import
[mindspore.ops.operations.custom_ops]
value INPUT_NAMES 'input_names'
primitive Custom
value MS_KERNEL_FLAG 'ms_kernel_flag'
value ASCEND 'Ascend'
value FUSION_TYPE 'fusion_type'
value ATTR_NAMES 'attr_names'
function pyboost_custom_ext
value KEY_ATTR 'attr'
class CustomOpBuilder Oplib PyFuncOpDefBuilder
value KEY_NAME 'name'
value AUTO_DIFF 'autodiff'
value TBE 'TBE'
value AKG 'AKG'
value HYBRID_TYPE 'hybrid'
value OP_NAME 'op_name'
value CUDA 'CUDA'
value CPU 'CPU'
value AICORE 'AiCore'
value GPU 'GPU'
value IMPLY_TYPE 'imply_type'
object absolute_import
from ops.operations._custom_grad autodiff_bprop
from ops.operations._custom_ops_utils CustomCodeGenerator CustomInfoGenerator ExtensionBuilder
from ops.operations._pyfunc_registry add_pyfunc
from ops.operations._ms_kernel determine_variable_usage
[mindspore.ops.operations.debug_ops]
primitive DumpGradient
class HookType Tensor_
object SUMMARY_RETURN_VALUE SUMMARY_TENSOR_CACHE
from _checkparam check_hook_fn
from graph.jit_context jit_context
[mindspore.ops.operations.image_ops]
primitive CropAndResizeGradBoxes CropAndResizeGradImage ExtractGlimpse ResizeV2 ScaleAndTranslate
object absolute_import
[mindspore.ops.operations.inner_ops]
primitive FusedAdaFactor FusedAdaFactorWithGlobalNorm GenerateEodMask KVCacheMgr LambApplyOptimizerAssign
    LambApplyWeightAssign ScaleGrad
[mindspore.ops.operations.linalg_ops]
primitive Eigh
object absolute_import
[mindspore.ops.operations.manually_defined]
like +7
function pyboost_cast pyboost_tile pyboost_type_as
primitive DtypeToEnum
from ops.auto_generate.gen_ops_prim dtype_to_type_id
from graph.jit_context jit_context
[mindspore.ops.operations.manually_defined._inner]
primitive ScalarCast TensorReport
[mindspore.ops.operations.manually_defined.ops_def]
like +14
function batch_norm_ fused_infer_attention_score infer_value_for_Arange infer_value_for_BroadcastTo
    infer_value_for_Cast infer_value_for_Concat infer_value_for_Diag infer_value_for_Div infer_value_for_DivMod
    infer_value_for_DivMods infer_value_for_Divs infer_value_for_EqualExt infer_value_for_GatherD
    infer_value_for_LinalgVectorNorm infer_value_for_LpNormV2 infer_value_for_Max infer_value_for_MeanExt
    infer_value_for_Min infer_value_for_ProdExt infer_value_for_ReduceAll infer_value_for_ReduceAny
    infer_value_for_ReduceMax infer_value_for_ReduceMean infer_value_for_ReduceMin infer_value_for_ReduceProd
    infer_value_for_ReduceSum infer_value_for_Reshape infer_value_for_Softmax infer_value_for_SumExt
    infer_value_for_Svd infer_value_for_Tile pyboost_cast pyboost_tile pyboost_type_as
primitive DtypeToEnum
from graph.jit_context jit_context
from ops.auto_generate.gen_ops_prim dtype_to_type_id
[mindspore.ops.operations.math_ops]
primitive Lu NPUClearFloatStatusV2 NPUGetFloatStatusV2
class Tensor_
object absolute_import division
from ops._utils.utils get_broadcast_shape
[mindspore.ops.operations.nn_ops]
primitive AllFinite AvgPoolV1 BasicLSTMCell CTCLossV2Grad Conv3DBackpropInput DepthwiseConv2dNative FractionalAvgPool
    FractionalMaxPool FusedBatchNorm FusedBatchNormEx GetNext InstanceNormV2 MaxPoolV1 PSROIPooling RNNTLoss
    SparseApplyAdagradDA SparseApplyCenteredRMSProp SparseApplyMomentum SparseApplyProximalGradientDescent
    SparseSoftmaxCrossEntropyWithLogitsV2 WKV
function pyboost_all_finite
class AscendEnvChecker
object absolute_import division
from ops.auto_generate.gen_ops_prim ApplyRotaryPosEmb Embedding GroupTopk IncreFlashAttention KvScaleCache
    PagedAttention PagedAttentionMask PromptFlashAttention ReshapeAndCache UpsampleBilinear2D UpsampleLinear1D
    UpsampleNearest1D UpsampleNearest2D
[mindspore.ops.operations.other_ops]
primitive Load Pull Push PyExecute PyInterpret Reusing SampleDistortedBoundingBoxV2 UpdateState
from ops.operations._pyfunc_registry add_pyfunc
[mindspore.ops.operations.random_ops]
object absolute_import
from ops.auto_generate.gen_ops_prim UniformExt
from ops._utils.utils get_broadcast_shape
[mindspore.ops.operations.reshard_ops]
primitive Reshard
[mindspore.ops.operations.sparse_ops]
primitive DenseToDenseSetOperation DenseToSparseSetOperation RaggedTensorToSparse RaggedTensorToTensor
    SparseCountSparseOutput SparseMatrixOrderingAMD
[mindspore.ops.primitive]
primitive PrimitiveFunction_ Primitive_
class prim_type
value SUPPORTED_TUPLE_IN_TUPLE_STRATEGY ['GroupedMatmul', 'FusedInferAttentionScore', 'Custom', 'Index']
from log _LogActionOnce
from graph.jit_context jit_context
[mindspore.ops.tensor_method]
function all_gather_matmul conv1d conv2d conv3d deprecated_baddbmm deprecated_bitwise_and deprecated_bitwise_or
    deprecated_bitwise_xor deprecated_einsum deprecated_pixel_shuffle deprecated_tensor_acos deprecated_tensor_acosh
    deprecated_tensor_add deprecated_tensor_addbmm deprecated_tensor_addcdiv deprecated_tensor_addmm
    deprecated_tensor_addmv deprecated_tensor_all deprecated_tensor_argmax deprecated_tensor_argmin
    deprecated_tensor_argsort deprecated_tensor_asin deprecated_tensor_asinh deprecated_tensor_atan
    deprecated_tensor_chunk deprecated_tensor_count_nonzero deprecated_tensor_cumsum deprecated_tensor_diag
    deprecated_tensor_dot deprecated_tensor_expand_as deprecated_tensor_flatten deprecated_tensor_fmod
    deprecated_tensor_gather deprecated_tensor_greater_equal deprecated_tensor_index_add deprecated_tensor_index_select
    deprecated_tensor_inverse deprecated_tensor_isclose deprecated_tensor_isneginf deprecated_tensor_logaddexp
    deprecated_tensor_logaddexp2 deprecated_tensor_logsumexp deprecated_tensor_matmul deprecated_tensor_max
    deprecated_tensor_mean deprecated_tensor_median deprecated_tensor_min deprecated_tensor_mm deprecated_tensor_mod
    deprecated_tensor_mul deprecated_tensor_nansum deprecated_tensor_narrow deprecated_tensor_outer
    deprecated_tensor_permute deprecated_tensor_pow deprecated_tensor_prod deprecated_tensor_remainder
    deprecated_tensor_repeat_interleave deprecated_tensor_scatter deprecated_tensor_scatter_add
    deprecated_tensor_select deprecated_tensor_sort deprecated_tensor_split deprecated_tensor_std deprecated_tensor_sub
    deprecated_tensor_sub_ deprecated_tensor_sum deprecated_tensor_t deprecated_tensor_take deprecated_tensor_tile
    deprecated_tensor_topk deprecated_tensor_transpose deprecated_tensor_tril deprecated_tensor_type_as
    deprecated_tensor_unbind deprecated_tensor_unique deprecated_tensor_unsqueeze deprecated_tensor_var
    deprecated_tensor_view_as deprecated_tensor_where fmod_scalar fmod_tensor matmul_reduce_scatter place_holder
    raise_func reduce_tensor_any tensor_abs tensor_acos tensor_acosh tensor_add_ext tensor_addbmm tensor_addcdiv_ext
    tensor_addmm tensor_addmv tensor_all tensor_allclose tensor_any tensor_arctan2 tensor_argmax tensor_argmin
    tensor_argsort tensor_asin tensor_asinh tensor_atan tensor_atan2 tensor_atanh tensor_bernoulli_ tensor_bincount
    tensor_bitwise_not tensor_broadcast_to tensor_ceil tensor_chunk tensor_clamp_scalar tensor_clamp_tensor
    tensor_clone tensor_copy_ tensor_cos tensor_cosh tensor_cumsum tensor_diag tensor_div tensor_div_deal_sequence
    tensor_div_empty_ tensor_dot tensor_empty tensor_empty_like tensor_eq tensor_erf tensor_erfc tensor_exp tensor_exp_
    tensor_expand_as tensor_expm1 tensor_flatten tensor_floor tensor_floor_div tensor_floor_div_scalar
    tensor_floor_divide_ tensor_frac tensor_gather_ext tensor_gcd tensor_gelu tensor_gmm tensor_greater
    tensor_greater_equal tensor_hardshrink tensor_histc tensor_imag tensor_index tensor_index_add tensor_index_copy_
    tensor_index_fill_ tensor_index_select tensor_inplace_fill_diagonal tensor_inplace_fill_scalar_empty
    tensor_inplace_fill_tensor_empty tensor_inplace_masked_fill_scalar_empty tensor_inplace_masked_fill_tensor_empty
    tensor_inplace_masked_scatter tensor_inplace_mul tensor_inplace_scatter_src tensor_inplace_scatter_src_reduce
    tensor_inplace_scatter_value tensor_inplace_scatter_value_reduce tensor_inplace_sub tensor_inverse tensor_isfinite
    tensor_isinf tensor_isneginf tensor_kthvalue tensor_le tensor_lerp tensor_lerp_scalar tensor_less
    tensor_lightning_indexer tensor_log tensor_log10 tensor_log1p tensor_log2 tensor_log_ tensor_logaddexp2
    tensor_logical_and tensor_logical_not tensor_logical_or tensor_logical_xor tensor_masked_fill tensor_masked_scatter
    tensor_masked_select tensor_matmul tensor_max tensor_maxdim tensor_maximum tensor_mean_ext tensor_median
    tensor_median_dim tensor_min tensor_mindim tensor_minimum tensor_mm tensor_mul tensor_nan_to_num tensor_ne
    tensor_neg tensor_new_empty tensor_new_full tensor_new_ones tensor_new_zeros tensor_not_equal
    tensor_nsa_select_attention tensor_pow_tensor_tensor tensor_prod tensor_put_ tensor_quant_matmul tensor_real
    tensor_reciprocal tensor_remainder tensor_remainder_ tensor_repeat tensor_repeat_interleave_ext tensor_reshape
    tensor_roll tensor_round tensor_rsqrt tensor_scatter tensor_scatter_add_empty tensor_select_ext tensor_sigmoid
    tensor_sigmoid_ tensor_sin tensor_sinc tensor_sinh tensor_sort tensor_split_tensor tensor_split_with_size
    tensor_sqrt tensor_square tensor_squeeze tensor_std tensor_sub_empty_ tensor_sub_ext tensor_subtract tensor_sum_ext
    tensor_t tensor_take tensor_tan tensor_tanh tensor_tile tensor_to tensor_topk tensor_transpose_ext tensor_triu
    tensor_true_divide tensor_trunc tensor_unsqueeze tensor_var tensor_view_as tensor_view_dtype tensor_where
    tensor_xlogy
instance addcdiv_ext_op bitwise_not_op floor_div_op floor_div_scalar_op inplace_exp_op inplace_log_op logical_xor_op
    unique2_ unique_dim_ xlogy_op
from _checkparam expanded_shape tuple_slice
from ops.auto_generate.gen_ops_prim Unique2 UniqueDim inplace_scatter_src_op inplace_scatter_src_reduce_op
    inplace_scatter_value_op inplace_scatter_value_reduce_op
from ops.auto_generate.gen_ops_def max_ min_ muls
from ops.function.array_func new_ones new_zeros
from ops.composite.multitype_ops._compile_utils sequence_to_tensor
"""
