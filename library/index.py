"""Which file has which function, method of Tensor, layer or primitive: it is imported when one is asked for.

tools/index.py writes this page, as `make stubs` does. A line begins with the file.
"""

from __future__ import annotations

from itertools import pairwise


def _places(text: str, package: str) -> dict[str, str]:
    """For each name the module that has it; a file is a name, too."""
    found: dict[str, str] = {}
    parts = [part.split() for part in f"{text} .".split(":")]  # each ends with the file that the next one is of
    for (*_, file), (*names, _) in pairwise(parts):
        home = file if "." in file else f"{package}.{file}"
        if "." not in file:
            found[file] = home
        found.update(dict.fromkeys(names, home))
    return found


FUNCTIONS = _places(
    """
frontend.transforms.grad: grad value_and_grad
frontend.transforms.grad_operation: GradOperation get_grad
frontend.transforms.jacobian: jacfwd jacrev
frontend.transforms.products: jvp linearize vjp
frontend.transforms.taylor: derivative jet
frontend.transforms.vmap: vmap
array:
array_bands:
array_broadcast: broadcast_tensors broadcast_to expand expand_as tile
array_flip: flip fliplr flipud reverse reverse_sequence roll rot90
array_gather: argwhere gather gather_d gather_elements gather_nd index_select masked_scatter masked_select nonzero
take
array_join: block_diag cartesian_prod cat column_stack combinations concat dstack hstack repeat_elements
repeat_interleave row_stack stack vstack
array_matrix: diag_embed diagonal diagonal_scatter fill_diagonal matrix_band_part matrix_diag matrix_diag_part
matrix_set_diag trace
array_pad: batch_to_space_nd depth_to_space mirror_pad pad padding space_to_batch_nd space_to_depth
array_rows: index_add index_fill inplace_add inplace_index_add inplace_sub inplace_update select_scatter slice_scatter
array_scatter: scatter scatter_add scatter_div scatter_max scatter_min scatter_mul scatter_nd scatter_nd_add
scatter_nd_div scatter_nd_max scatter_nd_min scatter_nd_mul scatter_nd_sub scatter_nd_update scatter_sub
scatter_update sequence_mask tensor_scatter_add tensor_scatter_div tensor_scatter_elements tensor_scatter_max
tensor_scatter_min tensor_scatter_mul tensor_scatter_sub tensor_scatter_update unsorted_segment_max
unsorted_segment_min unsorted_segment_prod unsorted_segment_sum
array_shape: adjoint atleast_1d atleast_2d atleast_3d dtype dyn_shape expand_dims flatten moveaxis movedim numel
permute rank ravel reshape shape size squeeze swapaxes swapdims t transpose unsqueeze view_as
array_slice: narrow slice strided_slice
array_sort: argsort bincount bucketize histc intopk kthvalue msort searchsorted sort top_k topk unique
unique_consecutive
array_split: chunk dsplit hsplit split tensor_split unbind unstack vsplit
attention: flash_attention_score
comparison: approximate_equal bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor clamp clip
clip_by_value eq equal ge greater greater_equal gt invert is_complex is_floating_point is_nonzero is_tensor isclose
isreal le less less_equal logical_and logical_not logical_or logical_xor lt masked_fill ne not_equal select tensor_ge
tensor_gt tensor_le tensor_lt where
composite: ForiLoop HyperMap Map Scan WhileLoop clip_by_global_norm clip_by_norm constexpr depend partial tail
creation: fill fills full full_like meshgrid one_hot ones ones_like scalar_cast scalar_to_array scalar_to_tensor
tuple_to_array zeros zeros_like
creation_ranges: arange diag diagflat eye linspace logspace make_range range tensor_range tril tril_indices triu
triu_indices
cumulative: cummax cummin cumprod cumsum logcumsumexp
documentation:
dtype_methods:
error_functions: erf erfc erfinv
extreme_methods:
extremes: amax amin aminmax argmax argmin max min reduce_max reduce_min
fourier: fft fft2 fftfreq fftn fftshift hfft hfft2 hfftn ifft ifft2 ifftn ifftshift ihfft ihfft2 ihfftn irfft irfft2
irfftn rfft rfft2 rfftfreq rfftn
functions: abs absolute acos acosh arccos arccosh arcsinh arctan arctan2 arctanh asin asinh atan atan2 atanh ceil cos
cosh deg2rad exp exp2 expm1 floor frac heaviside inv isfinite isinf isnan isneginf isposinf log log10 log1p log2 logit
nan_to_num neg negative rad2deg reciprocal round rsqrt sgn sign signbit sin sinc sinh sqrt square tan tanh tensor_exp
tensor_expm1 trunc
linalg: batch_dot bmm cross dot einsum ger inner kron matmul mm multi_dot mv outer tensor_dot vander vecdot
linalg_norm: cdist cond cov dist matrix_norm norm pdist renorm vector_norm
linalg_solve: cholesky cholesky_inverse cholesky_solve det eig eigh eigvals inverse log_matrix_determinant logdet
lstsq matrix_determinant matrix_exp matrix_power matrix_solve pinv qr slogdet solve svd
linalg_weighted: addbmm addmm addmv addr baddbmm
math: add div divide float_power floor_divide floordiv floormod fmod maximum minimum mod mul multiply pow pows
remainder sub subtract tensor_add tensor_floordiv tensor_mod tensor_mul tensor_muls tensor_pow tensor_sub true_divide
truncate_div truncate_mod
math_binary: accumulate_n addcdiv addcmul addn copysign fmax fmin gcd hypot lcm ldexp lerp logaddexp logaddexp2
nextafter xdivy xlogy
methods:
nn_activation: celu elu fast_gelu gelu glu hardshrink hardsigmoid hardswish hardtanh leaky_relu log_softmax logsigmoid
mish prelu relu relu6 selu sigmoid silu soft_shrink softmax softmin softplus softshrink softsign swiglu tanhshrink
threshold
nn_conv: Pairs bias_add bidense conv1d conv2d conv3d conv3d_transpose conv_transpose2d dense embedding
nn_detection: bounding_box_decode bounding_box_encode check_valid choice_with_mask iou nms_with_mask roi_align
nn_dropout: alpha_dropout dropout dropout1d dropout2d dropout3d gumbel_softmax rrelu
nn_functional:
nn_image: channel_shuffle fold interpolate pixel_shuffle pixel_unshuffle unfold upsample
nn_loss: binary_cross_entropy binary_cross_entropy_with_logits cross_entropy gaussian_nll_loss huber_loss kl_div
l1_loss mse_loss nll_loss smooth_l1_loss softmax_cross_entropy_with_logits
nn_loss_margin: cosine_embedding_loss ctc_loss hinge_embedding_loss margin_ranking_loss multi_margin_loss
multilabel_margin_loss multilabel_soft_margin_loss soft_margin_loss triplet_margin_loss
nn_norm: batch_norm cosine_similarity group_norm instance_norm l2_normalize layer_norm lrn normalize rms_norm
nn_pool: avg_pool1d avg_pool2d avg_pool3d lp_pool1d lp_pool2d max_pool1d max_pool2d max_pool3d max_unpool1d
max_unpool2d max_unpool3d
nn_pool_adaptive: adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d adaptive_max_pool2d
adaptive_max_pool3d
nn_sampling: affine_grid crop_and_resize deformable_conv2d grid_sample
overloads: MultitypeFuncGraph
program: HookBackward InsertGradientOf add_flags assign assign_add assign_sub core mixed_precision_cast print_
stop_gradient tuple_len typeof
random: manual_seed rand rand_like randint randint_like randn randn_like randperm shuffle
random_distributions: bernoulli gamma laplace log_normal multinomial multinomial_with_replacement normal poisson
random_categorical random_gamma random_poisson standard_laplace standard_normal uniform
reduce: all any count_nonzero mean prod reduce_all reduce_any reduce_mean reduce_prod reduce_sum sum
reduce_methods:
renamed: arcsin floor_div floor_mod tensor_div
representation: angle cast conj deepcopy eps identity imag polar population_count positive real type_as view_as_real
requirements:
seeds:
shape_methods:
special: bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0 bessel_j1 bessel_k0 bessel_k0e bessel_k1 bessel_k1e
bessel_y0 bessel_y1 betainc digamma gammaln i0 igamma igammac lgamma mvlgamma polygamma zeta
statistics: diff logsumexp median nanmean nanmedian nanquantile nansum ptp quantile std std_mean trapz var var_mean
statistics_methods:
table:
windows: bartlett_window blackman_window hamming_window hann_window kaiser_window stft
""",
    "library.functions",
)
"""Functions of `mycel.ops`."""


CALLED = _places(
    """
called: col2im ctc_greedy_decoder fractional_max_pool2d fractional_max_pool3d geqrf log_uniform_candidate_sampler
lu_solve lu_unpack orgqr ormqr sparse_segment_mean uniform_candidate_sampler unique_with_pad
""",
    "library.ops",
)
"""Functions of `mycel.ops` that call a primitive."""


METHODS = _places(
    """
library.functions.array_broadcast: broadcast_to expand expand_as repeat sum_to_size tile
library.functions.array_flip: flip fliplr flipud reverse reverse_sequence roll rot90
library.functions.array_gather: argwhere choose gather gather_elements gather_nd index_select masked_scatter
masked_select nonzero select take where
library.functions.array_join: repeat_interleave
library.functions.array_matrix: diagonal diagonal_scatter fill_diagonal trace
library.functions.array_rows: index_add index_fill index_put inplace_update select_scatter slice_scatter
library.functions.array_scatter: scatter scatter_add scatter_div scatter_max scatter_min scatter_mul scatter_sub
unsorted_segment_max unsorted_segment_min unsorted_segment_prod unsorted_segment_sum
library.functions.array_shape: adjoint expand_dims moveaxis movedim nelement numel ravel reshape_as swapaxes swapdims
t view_as
library.functions.array_slice: narrow
library.functions.array_sort: argsort bincount histc kthvalue msort searchsorted sort top_k topk unique
unique_consecutive
library.functions.array_split: chunk dsplit hsplit split tensor_split unbind unstack vsplit
library.functions.comparison: bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor clamp clip eq
equal ge greater greater_equal gt invert is_complex is_floating_point isreal le less less_equal logical_not
logical_xor lt masked_fill ne not_equal
library.functions.creation_ranges: diag diagflat tril triu
library.functions.cumulative: cummax cummin cumprod logcumsumexp
library.functions.dtype_methods: astype bfloat16 bool byte clone copy double float half int is_signed long new_empty
new_full new_ones new_zeros short to type value
library.functions.error_functions: erf erfc erfinv
library.functions.extreme_methods: argmax argmax_with_value argmin argmin_with_value max min
library.functions.extremes: amax amin aminmax
library.functions.functions: abs absolute acos acosh arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin asinh
atan atan2 atanh ceil cos cosh deg2rad exp expm1 floor frac heaviside inv isfinite isinf isnan isneginf isposinf log
log10 log1p log2 logit nan_to_num neg negative rad2deg reciprocal rsqrt sgn sign signbit sin sinc sinh sqrt square tan
tanh trunc
library.functions.linalg: bmm cross dot ger inner mm outer
library.functions.linalg_norm: cov dist norm renorm
library.functions.linalg_solve: cholesky cholesky_inverse cholesky_solve det eigvals inverse log_matrix_determinant
logdet lstsq matrix_determinant matrix_power pinv qr slogdet svd
library.functions.linalg_weighted: addbmm addmm addmv addr baddbmm
library.functions.math: divide floor_divide fmod maximum minimum mul pow true_divide
library.functions.math_binary: addcdiv addcmul copysign fmax fmin gcd hypot lcm ldexp lerp logaddexp logaddexp2
nextafter xdivy xlogy
library.functions.methods: add allclose bernoulli bitwise_not div isclose round sub subtract
library.functions.nn_activation: gelu hardshrink log_softmax relu sigmoid silu soft_shrink softmax
library.functions.nn_image: fold unfold
library.functions.random_distributions: log_normal multinomial
library.functions.reduce_methods: all any count_nonzero mean prod sum
library.functions.renamed: approximate_equal fill fills float_power logical_and logical_or matmul multiply remainder
unsqueeze
library.functions.representation: angle conj imag positive real type_as
library.functions.shape_methods: contiguous dim flatten is_contiguous ndimension permute reshape resize squeeze stride
transpose view
library.functions.special: digamma i0 igamma igammac lgamma mvlgamma
library.functions.statistics: diff logsumexp nanmean nanmedian nanquantile ptp quantile
library.functions.statistics_methods: cumsum median nansum std var
library.ops.called: col2im geqrf lu_solve orgqr ormqr unique_with_pad
""",
    "",
)
"""Methods of Tensor."""


INPLACE = _places(
    """
library.functions.array_gather: masked_scatter_
library.functions.array_matrix: fill_diagonal_
library.functions.array_rows: index_add_ index_put_
library.functions.array_scatter: scatter_ scatter_add_
library.functions.comparison: clamp_ masked_fill_
library.functions.error_functions: erfinv_
library.functions.functions: abs_ exp_ floor_ log_ neg_ sign_ sqrt_ tanh_
library.functions.linalg_weighted: addmm_
library.functions.math: div_ floor_divide_ mul_ pow_ remainder_
library.functions.methods: bernoulli_ sub_
library.functions.nn_activation: sigmoid_
library.functions.renamed: index_fill_
library.tensor.inplace: add_ cauchy copy_ exponential_ fill_ index_copy_ normal_ put_ random_ uniform_ zero_
""",
    "",
)
"""Methods of Tensor that change the tensor itself."""


LAYERS = _places(
    """
library.containers: CellDict CellList SequentialCell
activation: get_activation
activation_pieces: HShrink HSigmoid HSwish Hardtanh LeakyReLU PReLU RReLU ReLU ReLU6 SoftShrink Threshold
activation_smooth: CELU ELU FastGelu GELU GLU LogSigmoid LogSoftmax Mish SeLU SiLU Sigmoid Softmax Softmax2d Softmin
Softsign Tanh Tanhshrink
attention: MultiheadAttention
basic: ClipByNorm Flatten Identity L1Regularizer Norm OneHot ResizeBilinear Roll TimeDistributed Tril Triu Unflatten
checks:
combined: Conv2dBnAct DenseBnAct
compiled:
conv: Conv1d Conv2d Conv3d
conv_transpose: Conv1dTranspose Conv2dTranspose Conv3dTranspose
dense: BiDense Dense Linear
dropout: Dropout Dropout1d Dropout2d Dropout3d
elementwise:
embedding: Embedding EmbeddingLookup MultiFieldEmbeddingLookup
fractional: FractionalMaxPool2d FractionalMaxPool3d
functions: DiGamma IGamma LBeta LGamma MatDet MatInverse MatMul MatrixDiag MatrixDiagPart MatrixSetDiag Moments Range
ReduceLogSumExp
graph_cell: GraphCell
held:
image: CentralCrop ChannelShuffle ImageGradients MSSSIM PSNR PixelShuffle PixelUnshuffle SSIM Unfold Upsample
initial_parameter:
learning_rate: CosineDecayLR ExponentialDecayLR InverseDecayLR LearningRateSchedule NaturalExpDecayLR
PolynomialDecayLR WarmUpLR
loss: LossBase
loss_classes: BCELoss BCEWithLogitsLoss CTCLoss CrossEntropyLoss FocalLoss NLLLoss SoftmaxCrossEntropyWithLogits
loss_elements: GaussianNLLLoss HuberLoss KLDivLoss L1Loss MAELoss MSELoss PoissonNLLLoss RMSELoss SmoothL1Loss
SoftMarginLoss
loss_margins: CosineEmbeddingLoss HingeEmbeddingLoss MarginRankingLoss MultiLabelSoftMarginLoss MultiMarginLoss
MultilabelMarginLoss TripletMarginLoss TripletMarginWithDistanceLoss
loss_scale: DynamicLossScaleUpdateCell FixedLossScaleUpdateCell TrainOneStepWithLossScaleCell
loss_segments: DiceLoss MultiClassDiceLoss SampledSoftmaxLoss
metric: Loss MAE MSE Metric rearrange_inputs
metrics: get_metric_fn get_metrics names
metrics_classes: Accuracy F1 Fbeta Precision Recall Top1CategoricalAccuracy Top5CategoricalAccuracy
TopKCategoricalAccuracy
metrics_more: BleuScore ConfusionMatrix CosineSimilarity Dice Perplexity ROC auc
metrics_rates: ConfusionMatrixMetric
metrics_surfaces: HausdorffDistance MeanSurfaceDistance OcclusionSensitivity RootMeanSquareDistance
micro_batches: GradAccumulationCell MicroBatchInterleaved PipelineCell PipelineGradReducer
normalization: BatchNorm1d BatchNorm2d BatchNorm3d SyncBatchNorm
normalization_layers: GroupNorm InstanceNorm1d InstanceNorm2d InstanceNorm3d LRN LayerNorm
optim:
library.nn.optim.adam: AdaMax Adam AdamOffload AdamWeightDecay Lamb LazyAdam
library.nn.optim.adaptive: Adadelta Adagrad FTRL ProximalAdagrad RMSProp
library.nn.optim.descent: ASGD Momentum Rprop SGD
library.nn.optim.groups: opt_init_args_register
library.nn.optim.optimizer: Optimizer
library.nn.optim.scaled: AdaFactor LARS ParameterUpdate
padding: ConstantPad1d ConstantPad2d ConstantPad3d Pad ReflectionPad1d ReflectionPad2d ReflectionPad3d
ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad2d
pooling: AvgPool1d AvgPool2d AvgPool3d MaxPool1d MaxPool2d MaxPool3d
pooling_adaptive: AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d
AdaptiveMaxPool3d
pooling_norms: LPPool1d LPPool2d MaxUnpool1d MaxUnpool2d MaxUnpool3d
rate_lists: cosine_decay_lr exponential_decay_lr inverse_decay_lr natural_exp_decay_lr piecewise_constant_lr
polynomial_decay_lr warmup_lr
recurrent: GRU LSTM RNN
recurrent_cells: GRUCell LSTMCell RNNCell
sections:
transformer: Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer
wrap: DistributedGradReducer ForwardValueAndGrad TrainOneStepCell WithEvalCell WithGradCell WithLossCell
no_init_parameters
""",
    "library.nn",
)
"""Names of `mycel.nn`."""


PRIMITIVES = _places(
    """
library.functions.array_broadcast: BroadcastToView Expand Tile
library.functions.array_gather: GatherD GatherNd GatherNdExt MaskedScatter MaskedSelect NonZero Take
library.functions.array_matrix: Diagonal DiagonalView MatrixBandPart TraceExt
library.functions.array_rows: IndexFill
library.functions.array_scatter: ScatterNd TensorScatterAdd TensorScatterDiv TensorScatterMax TensorScatterMin
TensorScatterMul TensorScatterSub TensorScatterUpdate UnsortedSegmentMax UnsortedSegmentMin UnsortedSegmentProd
UnsortedSegmentSum
library.functions.array_shape: DType ExpandDims ExpandDimsView Flatten Rank Reshape Shape Size TExt TensorShape
Transpose
library.functions.array_slice: Slice SliceExt
library.functions.array_sort: BincountExt HistcExt TopkExt Unique
library.functions.array_split: SplitTensor SplitWithSize
library.functions.comparison: BitwiseAnd BitwiseAndScalar BitwiseAndTensor BitwiseOr BitwiseOrScalar BitwiseOrTensor
BitwiseXor BitwiseXorScalar BitwiseXorTensor ClampScalar ClampTensor EqScalar Equal Greater GreaterEqual
GreaterEqualScalar Invert IsComplex LeftShift Less LessEqual LessScalar LogicalAnd LogicalNot LogicalOr LogicalXor
MaskedFill MaskedFillScalar NotEqual RightShift Select
library.functions.creation: Fill Fills FullLike Ones OnesLike OnesLikeExt ScalarCast ScalarToArray ScalarToTensor
TupleToArray Zeros ZerosLike ZerosLikeExt
library.functions.creation_ranges: Diag Eye TrilExt
library.functions.error_functions: Erf Erfc Erfinv
library.functions.fourier: FFT FFT2 FFTN FFTShift HFFT HFFT2 HFFTN IFFT IFFT2 IFFTN IFFTShift IHFFT IHFFT2 IHFFTN
IRFFT IRFFT2 IRFFTN RFFT RFFT2 RFFTN
library.functions.functions: ACos Abs AcosExt Acosh AcoshExt Asin AsinExt Asinh AsinhExt Atan Atan2 Atan2Ext AtanExt
Atanh Ceil Cos Cosh Exp Exp2 Expm1 Floor Heaviside Inv IsFinite IsInf IsNan IsNegInf Log Log10 Log1p Log2 NanToNumExt
Neg Reciprocal Rint Rsqrt Sign Sin Sinc Sinh Sqrt Square Tan Tanh Trunc
library.functions.linalg: BatchDot EinsumExt Ger Inner Kron MatMulExt Mm Mv Outer
library.functions.linalg_solve: LogMatrixDeterminant MatrixDeterminant MatrixExp MatrixInverseExt
library.functions.linalg_weighted: Addbmm Addmm Addmv
library.functions.math: Add AddExt Div FloorDiv FloorDivScalar FloorMod FmodScalar FmodTensor Maximum Minimum Mod Mul
Muls Pow PowScalarTensor PowTensorScalar Sub SubExt Subs TensorAdd TruncateDiv TruncateMod
library.functions.math_binary: AccumulateNV2 AddN Addcdiv Addcmul Fmax Fmin Gcd Hypot Lcm Lerp LogAddExp LogAddExp2
NextAfter XLogYScalarOther XLogYScalarSelf Xdivy Xlogy
library.functions.nn_activation: FastGeLU FastGelu HSigmoid HSwish LogSigmoid Mish PReLU ReLU ReLU6 ReLUV2 SeLU SiLU
Sigmoid Softplus SoftplusExt Softsign Swiglu
library.functions.nn_conv: Dense
library.functions.nn_detection: CheckValid
library.functions.nn_image: PixelShuffle
library.functions.nn_loss: L1LossExt MSELossExt
library.functions.nn_loss_margin: CosineEmbeddingLoss
library.functions.nn_norm: GroupNorm LayerNormExt
library.functions.program: Assign AssignAdd AssignSub StopGradient
library.functions.reduce: MeanExt ProdExt SumExt
library.functions.representation: Angle Cast Conj Eps Identity Imag ImagView Polar Real RealView
library.functions.special: BesselI0 BesselI0e BesselI1 BesselI1e BesselJ0 BesselJ1 BesselK0 BesselK0e BesselK1
BesselK1e BesselY0 BesselY1 Betainc Digamma Igamma Igammac Lgamma Zeta
library.functions.statistics: LogSumExp Nansum
arrays: BatchToSpace BatchToSpaceND BroadcastTo Bucketize Concat DepthToSpace DiagPart DynamicShape EmbeddingLookup
FillDiagonal Gather GatherV2 Im2Col InTopK IndexAdd InplaceAdd InplaceIndexAdd InplaceSub InplaceUpdate
InvertPermutation MatrixDiagPartV3 MatrixDiagV3 MatrixSetDiagV3 Meshgrid MirrorPad OneHot Pack Pad PadV3 Padding
ReverseSequence ReverseV2 Roll ScatterAdd ScatterDiv ScatterElements ScatterMax ScatterMin ScatterMul ScatterNdAdd
ScatterNdDiv ScatterNdMax ScatterNdMin ScatterNdMul ScatterNdSub ScatterNdUpdate ScatterSub ScatterUpdate SearchSorted
Sort SpaceToBatch SpaceToBatchND SpaceToDepth SparseGatherV2 Split SplitV Squeeze Stack StackExt StridedSlice
TensorScatterElements TopK Tril TrilIndices Triu TriuIndices UniqueConsecutive Unpack Unstack
communication: AllGather AllReduce AlltoAll Barrier Broadcast CollectiveGather CollectiveScatter NeighborExchange
Receive Reduce ReduceOp ReduceScatter Send
custom: Custom TensorDump
elementwise: ApproximateEqual ArgMax ArgMaxWithValue ArgMinWithValue Argmax Argmin Complex CountNonZero CumProd CumSum
Cummax Cummin CumulativeLogsumexp DivNoNan FillV2 FloatStatus IsClose L2Loss LinSpace LogSpace Logit LpNorm MulNoNan
NanToNum Range RealDiv ReduceAll ReduceAny ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum Round
extended: AddScalar AddcdivExt AddcmulExt AnyExt Arange ArgMaxExt ArgMinExt ArgSort Baddbmm BatchMatMulExt BitwiseNot
Chunk ChunkView Clone Contiguous Copy CumminExt CumsumExt DiagExt DivMod DivMods Divs Dot EluExt EqualExt ExpandAs
FlattenExt Frac Hardtanh IndexAddExt IndexSelect InplaceAddExt InplaceAddmm InplaceAddsExt InplaceClampScalar
InplaceClampTensor InplaceCopy InplaceDiv InplaceDivMod InplaceDivMods InplaceDivs InplaceErfinv InplaceExp
InplaceFillDiagonal InplaceFillScalar InplaceFillTensor InplaceFloor InplaceFloorDivide InplaceFloorDivides
InplaceIndexAddExt InplaceIndexFillScalar InplaceIndexFillTensor InplaceIndexPut InplaceLog InplaceMaskedFillScalar
InplaceMaskedFillTensor InplaceMul InplaceMuls InplaceRemainderTensorScalar InplaceRemainderTensorTensor
InplaceScatterAdd InplaceScatterSrc InplaceScatterSrcReduce InplaceScatterValue InplaceScatterValueReduce
InplaceSigmoid InplaceSubExt InplaceSubScalar InplaceTanh InplaceZero Kthvalue LeakyReLUExt LinSpaceExt Max MaxDim
MedianDim MedianExt Min MinDim MishExt Narrow NarrowView NewEmpty NewFull NewOnes NewZeros NonZeroExt Norm
RemainderScalarTensor RemainderTensorScalar RemainderTensorTensor Repeat RepeatInterleaveInt RepeatInterleaveTensor
Scatter ScatterAddExt ScatterValue SeLUExt SelectExtView SelectV2 SortExt SplitTensorView SplitWithSizeView Std
StdMean SubScalar TransposeExtView TransposeView TypeAs UnstackExtView Var VarMean Vdot View ViewAs
layers: AdaptiveAvgPool2D AdaptiveAvgPool3D AdaptiveMaxPool2D AffineGrid AvgPool AvgPool3D BCEWithLogitsLoss
BatchMatMul BatchNorm BiasAdd BinaryCrossEntropy BoundingBoxDecode BoundingBoxEncode CTCLoss Cdist CeLU ChannelShuffle
Cholesky CholeskyInverse CholeskySolve Conv2D Conv2DBackpropInput Conv2DTranspose Conv3D CropAndResize Cross
DeformableOffsets Dropout Dropout2D Dropout3D Eig Einsum Elu FFTWithSize GLU GeLU Gelu GeluExt GridSampler2D
GridSampler3D HShrink IOU KLDivLoss L2Normalize LRN LayerNorm LogSoftmax LogSoftmaxExt MatMul MatrixInverse
MatrixPower MatrixSolve MaxPool MaxPool3D MaxPoolWithArgmax MaxUnpool2D MaxUnpool3D MultiMarginLoss
MultilabelMarginLoss NLLLoss NMSWithMask Pdist Qr ROIAlign RandomChoiceWithMask Renorm ResizeBilinear ResizeBilinearV2
ResizeNearestNeighbor ResizeNearestNeighborV2 RmsNorm STFT SigmoidCrossEntropyWithLogits SmoothL1Loss SoftMarginLoss
SoftShrink Softmax SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits Svd Threshold
primitive: Primitive PrimitiveWithCheck PrimitiveWithInfer prim_arg_register prim_attr_register
library.ops.primitives.rare.draws: Gamma LogNormalReverse LogUniformCandidateSampler MultinomialWithReplacement
NonDeterministicInts ParameterizedTruncatedNormal Poisson RandomGamma RandomPoisson TruncatedNormal
UniformCandidateSampler
library.ops.primitives.rare.gradients: ACosGrad AbsGrad AcoshGrad AdaptiveAvgPool2DGrad AdaptiveAvgPool3DGrad
AdaptiveMaxPool2DGrad AdaptiveMaxPool3DGrad AffineGridGrad AsinGrad AsinhGrad AtanGrad AvgPool3DGrad AvgPoolGrad
BatchNormGrad BiasAddGrad BinaryCrossEntropyGrad CholeskyGrad Conv2DBackpropFilter Conv3DBackpropFilter DropoutGrad
EluGrad FastGeLUGrad FlattenGrad FractionalMaxPool3DGradWithFixedKsize FractionalMaxPoolGradWithFixedKsize
GatherDGradV2 GeLUGrad GluGrad GridSampler2DGrad GridSampler3DGrad HShrinkGrad HSigmoidGrad HSwishGrad InvGrad
KLDivLossGrad L2NormalizeGrad LRNGrad LayerNormGrad LogSoftmaxGrad LogitGrad MaskedSelectGrad MaxPool3DGrad
MaxPool3DGradWithArgmax MaxPoolGrad MaxPoolGradGrad MaxPoolGradV1 MaxPoolGradWithArgmax MaxPoolGradWithArgmaxV2
MaxUnpool2DGrad MaxUnpool3DGrad MaximumGrad MaximumGradGrad MinimumGrad MinimumGradGrad MirrorPadGrad
MultiMarginLossGrad MultilabelMarginLossGrad MvlgammaGrad NLLLossGrad PReLUGrad PdistGrad ReLU6Grad ReciprocalGrad
ReluGrad ResizeBilinearGrad ResizeNearestNeighborGrad RmsNormGrad RsqrtGrad SeluGrad SiLUGrad
SigmoidCrossEntropyWithLogitsGrad SigmoidGrad SliceGrad SmoothL1LossGrad SoftMarginLossGrad SoftShrinkGrad SoftmaxGrad
SoftplusGrad SqrtGrad StridedSliceGrad TanhGrad TraceGrad UniqueGrad
library.ops.primitives.rare.host: Assert CTCGreedyDecoder CheckNumerics Coalesce EditDistance ListDiff Lstsq
MapUniform MatrixLogarithm MatrixSolveLs NoRepeatNGram NonMaxSuppressionV3 NonMaxSuppressionWithOverlaps
SelfAdjointEig SetSize SubAndFilter UniqueWithPad
library.ops.primitives.rare.more: BartlettWindow Bincount BlackmanWindow Cauchy ClipByNorm ComplexAbs
ComputeAccidentalHits Geqrf HammingWindow Histogram HistogramFixedWidth IdentityN InplaceUpdateV2 LuSolve LuUnpack
Mvlgamma Orgqr Ormqr Polygamma PopulationCount Quantile RandomCategorical ReduceStd SquareSumAll SquaredDifference
Trace UnravelIndex
library.ops.primitives.rare.pictures: AdaptiveMaxPool3D AdjustContrastv2 AdjustHue AdjustSaturation CTCLossV2
Conv3DTranspose Dilation2D ExtractImagePatches ExtractVolumePatches FractionalMaxPool3DWithFixedKsize
FractionalMaxPoolWithFixedKsize HSVToRGB InstanceNorm MaxPool3DWithArgmax MaxPoolWithArgmaxV2 RGBToHSV ResizeArea
ResizeBicubic ResizeLinear1D
library.ops.primitives.rare.segments: AddV2 Col2Im CompareAndBitpack ConfusionMatrix ConjugateTranspose
DataFormatDimMap DataFormatVecPermute EqualCount EuclideanNorm IndexPut LerpScalar LowerBound MatrixTriangularSolve
Median NthElement NuclearNorm ParallelConcat RaggedRange ReLUV3 ScatterAddWithAxis SegmentMax SegmentMean SegmentMin
SegmentProd SegmentSum SequenceMask SparseSegmentMean SparseSegmentMeanWithNumSegments SparseSegmentSqrtN
SparseSegmentSqrtNWithNumSegments SparseSegmentSum SparseSegmentSumWithNumSegments SparseTensorDenseAdd
SparseTensorDenseMatmul SparseToDense TridiagonalMatMul TridiagonalSolve TripletMarginLoss UpperBound
UpsampleNearest3D UpsampleTrilinear3D
library.ops.primitives.rare.sparse: CSRSparseMatrixToDense CSRSparseMatrixToSparseTensor DenseToCSRSparseMatrix
SparseAdd SparseAddmm SparseConcat SparseDenseCwiseAdd SparseDenseCwiseDiv SparseDenseCwiseMul SparseFillEmptyRows
SparseMatrixAdd SparseMatrixMatMul SparseMatrixNNZ SparseMatrixSoftmax SparseMatrixSparseMatMul SparseMatrixTranspose
SparseReorder SparseReshape SparseSlice SparseSoftmax SparseSparseMaximum SparseSparseMinimum SparseSplit
SparseTensorToCSRSparseMatrix SparseToDenseV2 Sspaddmm
library.ops.primitives.rare.updates: AdamNoUpdateParam ApplyAdagradDA ApplyAdamWithAmsgrad ApplyAdamWithAmsgradV2
ApplyAddSign ApplyCenteredRMSProp ApplyKerasMomentum ApplyPowerSign ApplyProximalAdagrad ApplyProximalGradientDescent
FusedSparseAdam FusedSparseFtrl FusedSparseLazyAdam FusedSparseProximalAdagrad LARSUpdate SparseApplyAdadelta
SparseApplyAdagrad SparseApplyAdagradV2 SparseApplyFtrl SparseApplyFtrlV2 SparseApplyProximalAdagrad
SparseApplyRMSProp
recurrent: DynamicGRUV2 DynamicRNN FlashAttentionScore LSTM
sequences: InSequence ListAppend ListInsert ListToTensor ScalarAdd ScalarBool ScalarDiv ScalarEq ScalarFloorDiv
ScalarGe ScalarGt ScalarLe ScalarLog ScalarLt ScalarMax ScalarMin ScalarMod ScalarMul ScalarPow ScalarSub ScalarUadd
ScalarUsub SequenceAdd SequenceAddN SequenceCount SequenceIndex SequenceMax SequenceMin SequenceMul SequenceSlice
SequenceSliceSetItem SequenceStack SequenceUnstack SequenceZerosLike TensorToList TensorToScalar TensorToTuple
TupleToTensor
training: Adam AdamWeightDecay ApplyAdaMax ApplyAdadelta ApplyAdagrad ApplyAdagradV2 ApplyFtrl ApplyGradientDescent
ApplyMomentum ApplyRMSProp Bernoulli Depend DropoutDoMask DropoutGenMask FusedCastAdamWeightDecay
FusedWeightScaleApplyMomentum HistogramSummary ImageSummary MoveTo Multinomial NPUAllocFloatStatus NPUClearFloatStatus
NPUGetFloatStatus Partial Print PyFunc RandomShuffle Randperm RandpermV2 SGD ScalarSummary StandardLaplace
StandardNormal TensorSummary UniformInt UniformReal
""",
    "library.ops.primitives",
)
"""Primitives of `mycel.ops`."""
