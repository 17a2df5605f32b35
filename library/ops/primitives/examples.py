"""Summaries and examples of primitives that only compute and that no function documents; `docstrings.py` reads them."""

TEXT = r"""
FillV2: A tensor of one value.
    ops.FillV2()((2,), Tensor(7.0)) -> [7. 7.]
Complex: Complex numbers of real and imaginary parts.
    ops.Complex()(Tensor([1.0]), Tensor([2.0])) -> [1.+2.j]
DivNoNan: The quotient, and 0 where the divisor is 0.
    ops.DivNoNan()(Tensor([1.0, 2.0]), Tensor([0.0, 4.0])) -> [0.  0.5]
MulNoNan: The product, and 0 where the second factor is 0.
    ops.MulNoNan()(Tensor([1.0, 2.0]), Tensor([0.0, 4.0])) -> [0. 8.]
Round: Each element rounded, halves to the even neighbour.
    ops.Round()(Tensor([0.5, 1.6])) -> [0. 2.]
Range: start, start + delta, ... below limit.
    ops.Range()(0, 6, 2) -> [0 2 4]
Logit: log(x / (1 - x)) of each element.
    ops.Logit()(Tensor([0.5])) -> [0.]
NanToNum: The elements with numbers in place of nan and infinities.
    ops.NanToNum(9.0)(Tensor([float("nan"), 1.0])) -> [9. 1.]
ReduceSum: The sum over axes.
    ops.ReduceSum()(Tensor([[1.0, 2.0]]), 1) -> [3.]
ReduceMean: The mean over axes.
    ops.ReduceMean()(Tensor([[1.0, 2.0]]), 1) -> [1.5]
ReduceMax: The largest element over axes.
    ops.ReduceMax()(Tensor([[1.0, 2.0]]), 1) -> [2.]
ReduceMin: The smallest element over axes.
    ops.ReduceMin()(Tensor([[1.0, 2.0]]), 1) -> [1.]
ReduceProd: The product over axes.
    ops.ReduceProd()(Tensor([[2.0, 3.0]]), 1) -> [6.]
ReduceAll: Whether all elements over axes are true.
    ops.ReduceAll()(Tensor([[True, False]]), 1) -> [False]
ReduceAny: Whether an element over axes is true.
    ops.ReduceAny()(Tensor([[True, False]]), 1) -> [ True]
RealDiv: The quotient; of integers rounded towards zero.
    ops.RealDiv()(Tensor([1.0]), Tensor([4.0])) -> [0.25]
LinSpace: num numbers from start to stop at equal distances.
    ops.LinSpace()(Tensor(0.0), Tensor(1.0), 3) -> [0.  0.5 1. ]
ArgMaxWithValue: The positions of the largest elements along an axis, and these.
    *ops.ArgMaxWithValue()(Tensor([1.0, 3.0])) -> 1 3.0
ArgMinWithValue: The positions of the smallest elements along an axis, and these.
    *ops.ArgMinWithValue()(Tensor([1.0, 3.0])) -> 0 1.0
Argmax: The positions of the largest elements along an axis.
    ops.Argmax()(Tensor([1.0, 3.0])) -> 1
ArgMax: The positions of the largest elements along an axis.
    ops.ArgMax()(Tensor([1.0, 3.0])) -> 1
Argmin: The positions of the smallest elements along an axis.
    ops.Argmin()(Tensor([1.0, 3.0])) -> 0
CumSum: Sums of the elements up to each along an axis.
    ops.CumSum()(Tensor([1.0, 2.0, 3.0]), 0) -> [1. 3. 6.]
CumProd: Products of the elements up to each along an axis.
    ops.CumProd()(Tensor([1.0, 2.0, 3.0]), 0) -> [1. 2. 6.]
CumulativeLogsumexp: Logarithms of the sums of exponentials up to each element along an axis.
    ops.CumulativeLogsumexp()(Tensor([0.0, 0.0]), 0) -> [0.        0.6931472]
CountNonZero: How many elements are not zero.
    ops.CountNonZero()(Tensor([0, 1, 2])) -> 2
FloatStatus: [1.] if any element is infinite or not a number, else [0.].
    ops.FloatStatus()(Tensor([1.0, 2.0])) -> [0.]
L2Loss: Half the sum of the squares.
    ops.L2Loss()(Tensor([1.0, 3.0])) -> 5.0
LpNorm: The p-norm over axes.
    ops.LpNorm(0)(Tensor([3.0, 4.0])) -> 5.0
LogSpace: base to the powers at equal distances from start to end.
    ops.LogSpace(3)(Tensor(0.0), Tensor(2.0)) -> [  1.  10. 100.]
Concat: Tensors one after the other along an axis.
    ops.Concat()((Tensor([1]), Tensor([2, 3]))) -> [1 2 3]
Stack: Tensors one after the other along a new axis.
    ops.Stack()((Tensor([1, 2]), Tensor([3, 4]))) -> [[1 2]\n [3 4]]
Pack: Tensors one after the other along a new axis.
    ops.Pack()((Tensor([1, 2]), Tensor([3, 4]))) -> [[1 2]\n [3 4]]
StackExt: Tensors one after the other along a new axis.
    ops.StackExt()((Tensor([1, 2]), Tensor([3, 4]))) -> [[1 2]\n [3 4]]
Unstack: The tensors that lie along an axis.
    *ops.Unstack()(Tensor([[1, 2], [3, 4]])) -> [1 2] [3 4]
Unpack: The tensors that lie along an axis.
    *ops.Unpack()(Tensor([[1, 2], [3, 4]])) -> [1 2] [3 4]
Split: The tensor cut into equal parts along an axis.
    *ops.Split(0, 2)(Tensor([1, 2, 3, 4])) -> [1 2] [3 4]
SplitV: The tensor cut into parts of given sizes along an axis.
    *ops.SplitV([1, 2], 0, 2)(Tensor([1, 2, 3])) -> [1] [2 3]
BroadcastTo: The tensor broadcast to a shape.
    ops.BroadcastTo((3,))(Tensor([1])) -> [1 1 1]
Gather: The rows of a tensor along an axis at some indices.
    ops.Gather()(Tensor([1, 2, 3]), Tensor([2, 0]), 0) -> [3 1]
GatherV2: The rows of a tensor along an axis at some indices.
    ops.GatherV2()(Tensor([1, 2, 3]), Tensor([2, 0]), 0) -> [3 1]
SparseGatherV2: The rows of a tensor along an axis at some indices.
    ops.SparseGatherV2()(Tensor([1, 2, 3]), Tensor([2, 0]), 0) -> [3 1]
EmbeddingLookup: The rows of a table at indices minus an offset; zeros where that is no row.
    ops.EmbeddingLookup()(Tensor([[1.0], [2.0]]), Tensor([1, 5]), 0) -> [[2.]\n [0.]]
StridedSlice: The elements from begin to end by strides along each dimension.
    ops.StridedSlice()(Tensor([1, 2, 3, 4]), (0,), (4,), (2,)) -> [1 3]
Pad: The tensor padded with zeros.
    ops.Pad(((1, 1),))(Tensor([1, 2])) -> [0 1 2 0]
PadV3: The tensor padded.
    ops.PadV3()(Tensor([1, 2]), (1, 1), 0) -> [0 1 2 0]
ReverseV2: The tensor with the order of its elements along some axes reversed.
    ops.ReverseV2((0,))(Tensor([1, 2, 3])) -> [3 2 1]
ReverseSequence: The first elements of each sequence of a batch reversed.
    ops.ReverseSequence(1)(Tensor([[1, 2, 3]]), Tensor([2])) -> [[2 1 3]]
Roll: The tensor with its elements moved on.
    ops.Roll(1, 0)(Tensor([1, 2, 3])) -> [3 1 2]
Meshgrid: Coordinate tensors of a grid.
    *ops.Meshgrid()((Tensor([1, 2]), Tensor([3]))) -> [[1 2]] [[3 3]]
OneHot: One value at the position that each index gives, another elsewhere.
    ops.OneHot()(Tensor([0, 2]), 3, Tensor(1.0), Tensor(0.0)) -> [[1. 0. 0.]\n [0. 0. 1.]]
Sort: The elements in order along an axis, and the positions they come from.
    *ops.Sort()(Tensor([3.0, 1.0, 2.0])) -> [1. 2. 3.] [1 2 0]
TopK: The k largest elements along the last dimension, and their positions.
    *ops.TopK()(Tensor([3.0, 1.0, 2.0]), 2) -> [3. 2.] [0 2]
InTopK: For each row whether the target is among the k largest.
    ops.InTopK(2)(Tensor([[1.0, 2.0, 3.0]]), Tensor([1])) -> [ True]
SearchSorted: The positions at which values would be put into an ordered sequence.
    ops.SearchSorted()(Tensor([1.0, 3.0]), Tensor([2.0])) -> [1]
Bucketize: The interval between ordered boundaries that each element lies in.
    ops.Bucketize([1.0, 2.0])(Tensor([0.5, 2.5])) -> [0 2]
InvertPermutation: The inverse of a permutation.
    ops.InvertPermutation()((2, 0, 1)) -> (1, 2, 0)
DynamicShape: The shape as a tensor.
    ops.DynamicShape()(Tensor([[1, 2]])) -> [1 2]
DiagPart: The elements whose two halves of indices agree.
    ops.DiagPart()(Tensor([[1, 2], [3, 4]])) -> [1 4]
FillDiagonal: The tensor with its main diagonal replaced by a number.
    ops.FillDiagonal(5.0)(Tensor([[0.0, 0.0], [0.0, 0.0]])) -> [[5. 0.]\n [0. 5.]]
TrilIndices: The rows and columns of the lower triangle of a matrix.
    ops.TrilIndices(2, 2)() -> [[0 1 1]\n [0 0 1]]
TriuIndices: The rows and columns of the upper triangle of a matrix.
    ops.TriuIndices(2, 2)() -> [[0 0 1]\n [0 1 1]]
IndexAdd: Rows added to those of a Parameter along an axis at indices.
    ops.IndexAdd(0)(Parameter(Tensor([1.0, 2.0]), name="x"), Tensor([0]), Tensor([5.0])) -> [6. 2.]
InplaceAdd: The tensor with rows added to some of its own.
    ops.InplaceAdd(0)(Tensor([1.0, 2.0]), Tensor([5.0])) -> [6. 2.]
InplaceSub: The tensor with rows subtracted from some of its own.
    ops.InplaceSub(0)(Tensor([1.0, 2.0]), Tensor([5.0])) -> [-4.  2.]
InplaceUpdate: The tensor with some of its rows replaced.
    ops.InplaceUpdate(0)(Tensor([1.0, 2.0]), Tensor([5.0])) -> [5. 2.]
InplaceIndexAdd: Rows added to those of a Parameter along an axis at indices.
    ops.InplaceIndexAdd(0)(Parameter(Tensor([1.0, 2.0]), name="x"), Tensor([0]), Tensor([5.0])) -> [6. 2.]
SpaceToBatchND: Blocks of the trailing dimensions as entries of the batch.
    ops.SpaceToBatchND([2, 2], [[0, 0], [0, 0]])(ops.ones((1, 1, 2, 2))).shape -> (4, 1, 1, 1)
SpaceToBatch: Blocks of the trailing dimensions as entries of the batch.
    ops.SpaceToBatch(2, [[0, 0], [0, 0]])(ops.ones((1, 1, 2, 2))).shape -> (4, 1, 1, 1)
BatchToSpaceND: Entries of the batch as blocks of the trailing dimensions.
    ops.BatchToSpaceND([2, 2], [[0, 0], [0, 0]])(ops.ones((4, 1, 1, 1))).shape -> (1, 1, 2, 2)
BatchToSpace: Entries of the batch as blocks of the trailing dimensions.
    ops.BatchToSpace(2, [[0, 0], [0, 0]])(ops.ones((4, 1, 1, 1))).shape -> (1, 1, 2, 2)
Im2Col: The windows of images as columns.
    ops.Im2Col(2)(ops.ones((1, 1, 2, 2))).shape -> (1, 1, 4, 1)
LogSoftmaxExt: The logarithm of softmax along a dimension.
    ops.LogSoftmaxExt()(Tensor([0.0, 0.0])) -> [-0.6931472 -0.6931472]
GeLU: gelu by the usual estimate with tanh.
    ops.GeLU()(Tensor([-1.0, 2.0])) -> [-0.158808   1.9545977]
Gelu: gelu by the usual estimate with tanh.
    ops.Gelu()(Tensor([-1.0, 2.0])) -> [-0.158808   1.9545977]
Threshold: The elements above a threshold, a value in place of the others.
    ops.Threshold(0.5, -1.0)(Tensor([0.0, 1.0])) -> [-1.  1.]
BiasAdd: A number added to each channel.
    ops.BiasAdd()(Tensor([[1.0, 2.0]]), Tensor([3.0, 4.0])) -> [[4. 6.]]
MatMul: The product of two matrices.
    ops.MatMul()(Tensor([[2.0]]), Tensor([[3.0]])) -> [[6.]]
BatchMatMul: The products of the matrices of two batches.
    ops.BatchMatMul()(Tensor([[[2.0]]]), Tensor([[[3.0]]])) -> [[[6.]]]
Einsum: Einstein's summation.
    ops.Einsum("i,i->")((Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))) -> 11.0
MatrixInverse: The inverses of square matrices.
    ops.MatrixInverse()(Tensor([[2.0]])) -> [[0.5]]
MatrixPower: Square matrices to a whole power.
    ops.MatrixPower(3)(Tensor([[2.0]])) -> [[8.]]
Eig: The eigenvalues of square matrices.
    ops.Eig()(Tensor([[2.0]])) -> [2.+0.j]
STFT: The spectra of windows that move over a signal.
    ops.STFT(4, 1, 4, False, True, False)(Tensor([1.0, 0.0, -1.0, 0.0]), Tensor([1.0] * 4)).shape -> (3, 1, 2)
FFTWithSize: Fourier transforms over the last dimensions.
    ops.FFTWithSize(1, False, True)(Tensor([1.0, 2.0])).shape -> (2,)
Svd: The singular values of matrices, and both bases.
    ops.Svd(compute_uv=False)(Tensor([[2.0]]))[0] -> [2.]
Qr: Q with orthonormal columns and upper triangular R.
    ops.Qr()(Tensor([[2.0]]))[1].shape -> (1, 1)
Cross: The vector products of vectors of three elements.
    ops.Cross(0)(Tensor([1.0, 0.0, 0.0]), Tensor([0.0, 1.0, 0.0])) -> [0. 0. 1.]
Renorm: Parts along a dimension scaled down whose p-norm is too large.
    ops.Renorm(2, 0, 1.0)(Tensor([[3.0, 4.0]])) -> [[0.6 0.8]]
LayerNorm: The tensor standardised over its last dimensions; also mean and variance.
    ops.LayerNorm(1, 1)(Tensor([[1.0, 3.0]]), Tensor([1.0, 1.0]), Tensor([0.0, 0.0]))[0].shape -> (1, 2)
BatchNorm: A batch normalised over its channels; also its statistics.
    ops.BatchNorm()(Tensor([[1.0]]), Tensor([2.0]), Tensor([1.0]), Tensor([0.0]), Tensor([1.0]))[0].shape -> (1, 1)
Dropout: Each element zero or scaled up, and the mask.
    ops.Dropout(1.0)(Tensor([1.0, 2.0]))[0] -> [1. 2.]
Dropout2D: Each channel zero or scaled up, and the mask.
    ops.Dropout2D(1.0)(ops.ones((1, 1, 1, 2)))[0] -> [[[[1. 1.]]]]
Dropout3D: Each channel zero or scaled up, and the mask.
    ops.Dropout3D(1.0)(ops.ones((1, 1, 1, 1, 2)))[0] -> [[[[[1. 1.]]]]]
Conv2D: Convolution of images with a weight.
    ops.Conv2D(2, 2)(ops.ones((1, 1, 3, 3)), ops.ones((2, 1, 2, 2))).shape -> (1, 2, 2, 2)
Conv3D: Convolution of volumes with a weight.
    ops.Conv3D(2, 2)(ops.ones((1, 1, 3, 3, 3)), ops.ones((2, 1, 2, 2, 2))).shape -> (1, 2, 2, 2, 2)
Conv2DTranspose: The gradient of a convolution by its input.
    ops.Conv2DTranspose(1, 2)(ops.ones((1, 1, 1, 1)), ops.ones((1, 1, 2, 2)), (1, 1, 2, 2)).shape -> (1, 1, 2, 2)
Conv2DBackpropInput: The gradient of a convolution by its input.
    ops.Conv2DBackpropInput(1, 2)(ops.ones((1, 1, 1, 1)), ops.ones((1, 1, 2, 2)), (1, 1, 2, 2)).shape -> (1, 1, 2, 2)
MaxPool: The maximum of each window of images.
    ops.MaxPool(2, 2)(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])) -> [[[[4.]]]]
AvgPool: The mean of each window of images.
    ops.AvgPool(2, 2)(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]])) -> [[[[2.5]]]]
MaxPool3D: The maximum of each window of volumes.
    ops.MaxPool3D(2, 2)(ops.ones((1, 1, 2, 2, 2))) -> [[[[[1.]]]]]
AvgPool3D: The mean of each window of volumes.
    ops.AvgPool3D(2, 2)(ops.ones((1, 1, 2, 2, 2))) -> [[[[[1.]]]]]
MaxPoolWithArgmax: The maximum of each window of images, and its position.
    ops.MaxPoolWithArgmax(2, 2)(Tensor([[[[1.0, 2.0], [3.0, 4.0]]]]))[0] -> [[[[4.]]]]
MaxUnpool2D: Zeros with maxima at their positions.
    ops.MaxUnpool2D(2)(Tensor([[[[3.0]]]]), Tensor([[[[1]]]])) -> [[[[0. 3.]\n   [0. 0.]]]]
MaxUnpool3D: Zeros with maxima at their positions.
    ops.MaxUnpool3D((1, 1, 2))(Tensor([[[[[3.0]]]]]), Tensor([[[[[1]]]]])) -> [[[[[0. 3.]]]]]
AdaptiveMaxPool2D: Images cut into parts, each its maximum, and where it is.
    ops.AdaptiveMaxPool2D(1)(Tensor([[[[1.0, 3.0]]]]))[0] -> [[[[3.]]]]
ChannelShuffle: The channels dealt out into groups.
    ops.ChannelShuffle(2)(ops.ones((1, 4, 1, 1))).shape -> (1, 4, 1, 1)
SoftmaxCrossEntropyWithLogits: The cross entropy of each row, and its gradient.
    ops.SoftmaxCrossEntropyWithLogits()(Tensor([[0.0, 0.0]]), Tensor([[1.0, 0.0]]))[0] -> [0.6931472]
SparseSoftmaxCrossEntropyWithLogits: The mean cross entropy of rows whose classes are given.
    ops.SparseSoftmaxCrossEntropyWithLogits()(Tensor([[0.0, 0.0]]), Tensor([1])) -> 0.6931472
SigmoidCrossEntropyWithLogits: The binary cross entropy of each element.
    ops.SigmoidCrossEntropyWithLogits()(Tensor([0.0]), Tensor([1.0])) -> [0.6931472]
BCEWithLogitsLoss: The binary cross entropy between sigmoid(logits) and labels.
    ops.BCEWithLogitsLoss()(Tensor([0.0]), Tensor([1.0]), Tensor([1.0]), Tensor([1.0])) -> 0.6931472
NLLLoss: The negative log-probability of each label, and the sum of the weights.
    *ops.NLLLoss()(Tensor([[0.0, -1.0]]), Tensor([1]), Tensor([1.0, 1.0])) -> 1.0 1.0
KLDivLoss: The divergence of probabilities from log-probabilities.
    ops.KLDivLoss("sum")(ops.log(Tensor([0.5, 0.5])), Tensor([0.5, 0.5])) -> 0.0
SmoothL1Loss: Squares of small differences, magnitudes of large ones.
    ops.SmoothL1Loss()(Tensor([1.0, 5.0]), Tensor([1.5, 1.0])) -> [0.125 3.5  ]
MultiMarginLoss: The margins that classes other than the target violate.
    ops.MultiMarginLoss()(Tensor([[0.1, 0.9]]), Tensor([1])) -> 0.100000024
SoftMarginLoss: log(1 + exp(-y * x)) for y of 1 and -1.
    ops.SoftMarginLoss()(Tensor([0.0]), Tensor([1.0])) -> 0.6931472
CTCLoss: Connectionist temporal classification.
    ops.CTCLoss()(ops.zeros((2, 1, 2)), Tensor([[0, 0]]), Tensor([0]), Tensor([2]))[0] -> [0.2876821]
ResizeNearestNeighbor: Images resized to the nearest pixels.
    ops.ResizeNearestNeighbor((1, 2))(Tensor([[[[1.0]]]])) -> [[[[1. 1.]]]]
ResizeNearestNeighborV2: Images resized to the nearest pixels.
    ops.ResizeNearestNeighborV2()(Tensor([[[[1.0]]]]), (1, 2)) -> [[[[1. 1.]]]]
ResizeBilinear: Images resized by linear interpolation.
    ops.ResizeBilinear((1, 2))(Tensor([[[[1.0]]]])) -> [[[[1. 1.]]]]
ResizeBilinearV2: Images resized by linear interpolation.
    ops.ResizeBilinearV2()(Tensor([[[[1.0]]]]), (1, 2)) -> [[[[1. 1.]]]]
DeformableOffsets: The pixels that the bent kernels of a convolution see.
    ops.DeformableOffsets((1, 1, 1, 1), (0,) * 4, (1, 1))(ops.ones((1, 1, 1, 1)), ops.zeros((1, 3, 1, 1))) -> [[[[0.]]]]
GridSampler2D: Images at the places of a grid.
    ops.GridSampler2D()(ops.ones((1, 1, 2, 2)), ops.zeros((1, 1, 1, 2))) -> [[[[1.]]]]
GridSampler3D: Volumes at the places of a grid.
    ops.GridSampler3D()(ops.ones((1, 1, 2, 2, 2)), ops.zeros((1, 1, 1, 1, 3))) -> [[[[[1.]]]]]
RandomChoiceWithMask: Positions drawn at random where a Bool tensor is True.
    ops.RandomChoiceWithMask(1)(Tensor([[True, False]]))[0] -> [[0 0]]
InSequence: Whether an item is in a tuple or list.
    ops.InSequence()(1, (1, 2)) -> True
ListAppend: A list with a value at its end.
    ops.ListAppend()([1], 2) -> [1, 2]
ListInsert: A list with a value put in before an index.
    ops.ListInsert()([1, 3], 1, 2) -> [1, 2, 3]
ListToTensor: A list of numbers as a tensor.
    ops.ListToTensor()([1, 2]) -> [1 2]
SequenceAdd: Two tuples or lists one after the other.
    ops.SequenceAdd()((1,), (2,)) -> (1, 2)
SequenceAddN: The sum of the items.
    ops.SequenceAddN()((Tensor([1.0]), Tensor([2.0]))) -> [3.]
SequenceCount: How often a value is in a tuple or list.
    ops.SequenceCount()((1, 2, 1), 1) -> 2
SequenceIndex: Where a value first is in a tuple or list.
    ops.SequenceIndex()((1, 2), 2) -> 1
SequenceMax: The largest item.
    ops.SequenceMax()((1, 2)) -> 2
SequenceMin: The smallest item.
    ops.SequenceMin()((1, 2)) -> 1
SequenceMul: A tuple or list repeated.
    ops.SequenceMul()((1,), 2) -> (1, 1)
SequenceSlice: The items from start to stop by step.
    ops.SequenceSlice()((1, 2, 3), 0, 2, 1) -> (1, 2)
SequenceSliceSetItem: A tuple or list with some items replaced.
    ops.SequenceSliceSetItem()([1, 2, 3], [9], 0, 1, 1) -> [9, 2, 3]
SequenceStack: The items one after the other along a new axis.
    ops.SequenceStack()((Tensor([1]), Tensor([2]))) -> [[1]\n [2]]
SequenceUnstack: The tensors that lie along an axis.
    *ops.SequenceUnstack()(Tensor([[1], [2]])) -> [1] [2]
SequenceZerosLike: Zeros in place of the items.
    ops.SequenceZerosLike()((1, 2.0)) -> (0, 0.0)
TensorToList: The elements as a nested list.
    ops.TensorToList()(Tensor([1, 2])) -> [1, 2]
TensorToScalar: The only element as a number.
    ops.TensorToScalar()(Tensor(2.0)) -> 2.0
TensorToTuple: The elements as a tuple.
    ops.TensorToTuple()(Tensor([1, 2])) -> (1, 2)
TupleToTensor: A tuple of numbers as a tensor.
    ops.TupleToTensor()((1, 2)) -> [1 2]
ScalarAdd: The sum of two numbers.
    ops.ScalarAdd()(1, 2) -> 3
ScalarBool: Whether a number is not zero.
    ops.ScalarBool()(1) -> True
ScalarDiv: The quotient of two numbers.
    ops.ScalarDiv()(1, 2) -> 0.5
ScalarEq: Whether two numbers are equal.
    ops.ScalarEq()(1, 2) -> False
ScalarFloorDiv: The quotient of two numbers rounded down.
    ops.ScalarFloorDiv()(7, 2) -> 3
ScalarGe: Whether the first number is at least the second.
    ops.ScalarGe()(1, 2) -> False
ScalarGt: Whether the first number is greater.
    ops.ScalarGt()(1, 2) -> False
ScalarLe: Whether the first number is at most the second.
    ops.ScalarLe()(1, 2) -> True
ScalarLog: The natural logarithm of a number.
    ops.ScalarLog()(1.0) -> 0.0
ScalarLt: Whether the first number is less.
    ops.ScalarLt()(1, 2) -> True
ScalarMax: The larger of two numbers.
    ops.ScalarMax()(1, 2) -> 2
ScalarMin: The smaller of two numbers.
    ops.ScalarMin()(1, 2) -> 1
ScalarMod: The rest of a division rounded down.
    ops.ScalarMod()(7, 2) -> 1
ScalarMul: The product of two numbers.
    ops.ScalarMul()(2, 3) -> 6
ScalarPow: One number to the power of another.
    ops.ScalarPow()(2, 3) -> 8
ScalarSub: The difference of two numbers.
    ops.ScalarSub()(3, 2) -> 1
ScalarUadd: The number itself.
    ops.ScalarUadd()(3) -> 3
ScalarUsub: The number negated.
    ops.ScalarUsub()(3) -> -3
ClipByNorm: The tensor scaled so that its norm is at most a bound.
    ops.ClipByNorm()(Tensor([3.0, 4.0]), Tensor(1.0)) -> [0.6 0.8]
ComputeAccidentalHits: The drawn classes that are true ones: rows, positions and weights.
    ops.ComputeAccidentalHits()(Tensor([[1]]), Tensor([1, 2]))[1] -> [0]
Bincount: How often each number from 0 on occurs, or the sums of its weights.
    ops.Bincount()(Tensor([0, 1, 1], ms.int32), Tensor(2, ms.int32), Tensor([1.0, 1.0, 1.0])) -> [1. 2.]
ComplexAbs: The magnitudes of complex numbers.
    ops.ComplexAbs()(Tensor([3 + 4j])) -> [5.]
SquaredDifference: The squares of differences.
    ops.SquaredDifference()(Tensor([3.0]), Tensor([1.0])) -> [4.]
SquareSumAll: The sums of squares of two tensors.
    *ops.SquareSumAll()(Tensor([3.0]), Tensor([1.0])) -> 9.0 1.0
ReduceStd: The standard deviation and the mean over axes.
    ops.ReduceStd()(Tensor([1.0, 3.0]))[1] -> 2.0
IdentityN: The tensors as they are.
    *ops.IdentityN()((Tensor([1]), Tensor([2]))) -> [1] [2]
PopulationCount: How many bits of each integer are set.
    ops.PopulationCount()(Tensor([7, 8])) -> [3 1]
Histogram: How many elements lie in each of equal intervals.
    ops.Histogram(2)(Tensor([1.0, 2.0, 2.0])) -> [1. 2.]
HistogramFixedWidth: How many elements lie in each of equal intervals between bounds.
    ops.HistogramFixedWidth(2)(Tensor([0.0, 1.0]), Tensor([0.0, 2.0])) -> [1 1]
BartlettWindow: The Bartlett window.
    ops.BartlettWindow()(Tensor(4)).shape -> (4,)
BlackmanWindow: The Blackman window.
    ops.BlackmanWindow()(Tensor(4)).shape -> (4,)
HammingWindow: The Hamming window.
    ops.HammingWindow()(Tensor(4)).shape -> (4,)
UnravelIndex: The positions in a tensor of a shape of elements counted in order.
    ops.UnravelIndex()(Tensor([3]), Tensor([2, 2])) -> [[1]\n [1]]
RandomCategorical: Classes drawn by logits.
    ops.RandomCategorical()(Tensor([[0.0, 0.0]]), 2).shape -> (1, 2)
InplaceUpdateV2: The tensor with some of its rows replaced.
    ops.InplaceUpdateV2()(Tensor([1.0, 2.0]), (0,), Tensor([5.0])) -> [5. 2.]
Quantile: The quantiles of the elements.
    ops.Quantile()(Tensor([1.0, 2.0, 3.0]), Tensor(0.5)) -> 2.0
Cauchy: Numbers of a Cauchy distribution.
    ops.Cauchy((2,))().shape -> (2,)
SegmentSum: The sums of the rows of each segment.
    ops.SegmentSum()(Tensor([1.0, 2.0, 3.0]), Tensor([0, 0, 1])) -> [3. 3.]
SegmentMean: The means of the rows of each segment.
    ops.SegmentMean()(Tensor([1.0, 2.0, 3.0]), Tensor([0, 0, 1])) -> [1.5 3. ]
SegmentMax: The maxima of the rows of each segment.
    ops.SegmentMax()(Tensor([1.0, 2.0, 3.0]), Tensor([0, 0, 1])) -> [2. 3.]
SegmentMin: The minima of the rows of each segment.
    ops.SegmentMin()(Tensor([1.0, 2.0, 3.0]), Tensor([0, 0, 1])) -> [1. 3.]
SegmentProd: The products of the rows of each segment.
    ops.SegmentProd()(Tensor([1.0, 2.0, 3.0]), Tensor([0, 0, 1])) -> [2. 3.]
SparseSegmentSum: The sums of chosen rows by segment.
    ops.SparseSegmentSum()(Tensor([[1.0], [3.0]]), Tensor([0, 1]), Tensor([0, 0])) -> [[4.]]
SparseSegmentSumWithNumSegments: The sums of chosen rows by segment.
    ops.SparseSegmentSumWithNumSegments()(Tensor([[1.0], [3.0]]), Tensor([0, 1]), Tensor([0, 0]), Tensor(1)) -> [[4.]]
SparseSegmentMean: The means of chosen rows by segment.
    ops.SparseSegmentMean()(Tensor([[1.0], [3.0]]), Tensor([0, 1]), Tensor([0, 0])) -> [[2.]]
SparseSegmentMeanWithNumSegments: The means of chosen rows by segment.
    ops.SparseSegmentMeanWithNumSegments()(Tensor([[1.0], [3.0]]), Tensor([0, 1]), Tensor([0, 0]), Tensor(1)) -> [[2.]]
SparseSegmentSqrtN: The sums of chosen rows by segment, over the root of their count.
    ops.SparseSegmentSqrtN()(Tensor([[1.0], [3.0]]), Tensor([0, 1]), Tensor([0, 1])) -> [[1.]\n [3.]]
SparseSegmentSqrtNWithNumSegments: The sums of chosen rows by segment, over the root of their count.
    ops.SparseSegmentSqrtNWithNumSegments()(Tensor([[3.0]]), Tensor([0]), Tensor([0]), Tensor(1)) -> [[3.]]
LowerBound: The first positions at which values would be put into ordered rows.
    ops.LowerBound()(Tensor([[1.0, 3.0]]), Tensor([[2.0]])) -> [[1]]
UpperBound: The last positions at which values would be put into ordered rows.
    ops.UpperBound()(Tensor([[1.0, 3.0]]), Tensor([[2.0]])) -> [[1]]
ConfusionMatrix: How often each class was predicted for each label.
    ops.ConfusionMatrix(2)(Tensor([0, 1]), Tensor([0, 1])) -> [[1 0]\n [0 1]]
ConjugateTranspose: The conjugate with its dimensions in another order.
    ops.ConjugateTranspose()(Tensor([[1, 2]]), (1, 0)).shape -> (2, 1)
Col2Im: Windows added up into images.
    ops.Col2Im([2, 2], [1, 1], [0, 0], [1, 1])(ops.ones((1, 1, 4, 1)), Tensor([2, 2], ms.int32)).shape -> (1, 1, 2, 2)
Median: The middle values along an axis, and their positions.
    ops.Median()(Tensor([1.0, 3.0, 2.0]))[0] -> 2.0
EuclideanNorm: The root of the sum of squares over axes.
    ops.EuclideanNorm()(Tensor([3.0, 4.0]), (0,)) -> 5.0
NuclearNorm: The sum of the singular values.
    ops.NuclearNorm()(Tensor([[2.0]])) -> 2.0
EqualCount: How many elements are equal.
    ops.EqualCount()(Tensor([1, 2]), Tensor([1, 3])) -> [1]
DataFormatDimMap: Positions of dimensions in another order of them.
    ops.DataFormatDimMap()(Tensor([0, 1, 2, 3])) -> [0 3 1 2]
DataFormatVecPermute: A vector of sizes in another order of dimensions.
    ops.DataFormatVecPermute()(Tensor([1, 2, 3, 4], ms.int32)) -> [1 4 2 3]
IndexPut: The tensor with elements replaced or added to.
    ops.IndexPut()(Tensor([1, 2]), Tensor([9]), [Tensor([0])]) -> [9 2]
ParallelConcat: Tensors one after the other along the first axis.
    ops.ParallelConcat()((Tensor([[1]]), Tensor([[2]]))) -> [[1]\n [2]]
ScatterAddWithAxis: The tensor with elements added along an axis.
    ops.ScatterAddWithAxis()(Tensor([1.0, 2.0]), Tensor([0]), Tensor([5.0])) -> [6. 2.]
CompareAndBitpack: Whether elements are above a threshold, eight in a byte.
    ops.CompareAndBitpack()(Tensor([1.0] * 8), Tensor(0.5)) -> [255]
NthElement: The n-th smallest elements of the last dimension.
    ops.NthElement()(Tensor([3.0, 1.0, 2.0]), 1) -> 2.0
SparseToDense: The dense matrix of a sparse one.
    ops.SparseToDense()(Tensor([[0, 1]]), Tensor([5.0]), (1, 2)) -> [[0. 5.]]
SparseTensorDenseAdd: A sparse matrix plus a dense one.
    ops.SparseTensorDenseAdd()(Tensor([[0, 1]]), Tensor([5.0]), (1, 2), Tensor([[1.0, 1.0]])) -> [[1. 6.]]
SparseTensorDenseMatmul: A sparse matrix times a dense one.
    ops.SparseTensorDenseMatmul()(Tensor([[0, 1]]), Tensor([5.0]), (1, 2), Tensor([[1.0], [2.0]])) -> [[10.]]
MatrixTriangularSolve: The solution of triangular equations.
    ops.MatrixTriangularSolve()(Tensor([[2.0]]), Tensor([[4.0]])) -> [[2.]]
TridiagonalMatMul: A matrix of three diagonals times another.
    ops.TridiagonalMatMul()(Tensor([[0.0]]), Tensor([[2.0]]), Tensor([[0.0]]), Tensor([[3.0]])) -> [[6.]]
TridiagonalSolve: The solution of equations whose matrix has three diagonals.
    ops.TridiagonalSolve()(Tensor([[0.0], [2.0], [0.0]]), Tensor([[4.0]])) -> [[2.]]
TripletMarginLoss: How much nearer negatives are than positives, plus a margin.
    ops.TripletMarginLoss()(Tensor([[0.0]]), Tensor([[0.0]]), Tensor([[2.0]]), 1.0) -> 0.0
RaggedRange: Ranges one after the other, and where each begins.
    *ops.RaggedRange(ms.int64)(Tensor([0, 5]), Tensor([2, 7]), Tensor([1, 1])) -> [0 2 4] [0 1 5 6]
UpsampleNearest3D: Volumes resized to the nearest cells.
    ops.UpsampleNearest3D()(ops.ones((1, 1, 1, 1, 1)), [1, 1, 2], None).shape -> (1, 1, 1, 1, 2)
UpsampleTrilinear3D: Volumes resized by linear interpolation.
    ops.UpsampleTrilinear3D()(ops.ones((1, 1, 1, 1, 1)), [1, 1, 2], None).shape -> (1, 1, 1, 1, 2)
LuUnpack: The order of rows and both factors of a packed LU factorisation.
    ops.LuUnpack()(Tensor([[2.0]]), Tensor([1], ms.int32))[2] -> [[2.]]
LuSolve: The solution of equations whose matrix is given by its LU factorisation.
    ops.LuSolve()(Tensor([[4.0]]), Tensor([[2.0]]), Tensor([1], ms.int32)) -> [[2.]]
Geqrf: The QR factorisation in parts.
    ops.Geqrf()(Tensor([[3.0, 1.0], [4.0, 2.0]]))[1].shape -> (2,)
Orgqr: The columns of the orthogonal matrix that Geqrf gave in parts.
    ops.Orgqr()(Tensor([[1.0]]), Tensor([0.0])) -> [[1.]]
Ormqr: The orthogonal matrix that Geqrf gave in parts, times another.
    ops.Ormqr()(Tensor([[1.0]]), Tensor([0.0]), Tensor([[3.0]])) -> [[3.]]
"""
