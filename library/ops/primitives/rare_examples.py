"""Summaries, arguments and examples of the rarer primitives, in the form of `examples.py`."""

TEXT = r"""
RGBToHSV: Colours as hue, saturation and value, from red, green and blue.
    @images: a floating-point tensor of shape (..., 3) with numbers between 0 and 1
    ops.RGBToHSV()(Tensor([0.0, 0.5, 0.0])) -> [0.33333334 1.         0.5       ]
HSVToRGB: Colours as red, green and blue, from hue, saturation and value.
    @images: a floating-point tensor of shape (..., 3) with numbers between 0 and 1
    ops.HSVToRGB()(Tensor([0.0, 1.0, 0.5])) -> [0.5 0.  0. ]
AdjustHue: Images whose hues are turned by an amount.
    @images: a floating-point tensor of shape (..., 3) of RGB colours between 0 and 1
    @amount: a number or 0-d tensor; 1 is a full turn
    ops.AdjustHue()(Tensor([1.0, 0.0, 0.0]), 0.5) -> [0. 1. 1.]
AdjustSaturation: Images whose saturations are multiplied by a factor, and clipped to [0, 1].
    @images: a floating-point tensor of shape (..., 3) of RGB colours between 0 and 1
    @amount: the factor, a number or 0-d tensor
    ops.AdjustSaturation()(Tensor([1.0, 0.5, 0.5]), 2.0) -> [1. 0. 0.]
AdjustContrastv2: Images whose distances from the mean of their channel are multiplied by a factor.
    @images: a floating-point tensor of shape (..., H, W, C)
    @amount: the factor, a number or 0-d tensor
    ops.AdjustContrastv2()(Tensor([[[1.0], [3.0]]]), 2.0) -> [[[0.]\n  [4.]]]
ResizeBicubic: Images resized by cubic interpolation.
    @images: a tensor of shape (N, C, H, W); integers become Float32
    @size: the new height and width, two integers or a tensor of them
    ops.ResizeBicubic(align_corners=True)(Tensor([[[[0.0, 3.0]]]]), (1, 3)) -> [[[[0.  1.5 3. ]]]]
ResizeLinear1D: Sequences resized by linear interpolation.
    @coordinate_transformation_mode: "align_corners" or "half_pixel"
    @x: a floating-point tensor of shape (N, C, W)
    @size: the new width, an integer or a tensor of one
    ops.ResizeLinear1D()(Tensor([[[0.0, 3.0]]]), 4) -> [[[0. 1. 2. 3.]]]
ResizeArea: Images resized: each new pixel is the mean of the area that it covers.
    @images: a tensor of shape (N, H, W, C); the result is Float32
    @size: the new height and width, two integers or a tensor of them
    ops.ResizeArea()(Tensor([[[[1.0], [3.0]]]]), (1, 1)) -> [[[[2.]]]]
MaxPoolWithArgmaxV2: The largest element of each window of images, and its index in the flattened image.
    @x: a floating-point tensor of shape (N, C, H, W)
    @argmax_type: the dtype of the indices, Int32 or Int64
    *ops.MaxPoolWithArgmaxV2(2)(Tensor([[[[1.0, 4.0], [2.0, 3.0]]]])) -> [[[[4.]]]] [[[[1]]]]
MaxPool3DWithArgmax: The largest element of each window of volumes, and its index in the flattened volume.
    @x: a floating-point tensor of shape (N, C, D, H, W)
    @argmax_type: the dtype of the indices, Int32 or Int64
    *ops.MaxPool3DWithArgmax((1, 1, 2), (1, 1, 2), 0)(Tensor([[[[[1.0, 4.0]]]]])) -> [[[[[4.]]]]] [[[[[1]]]]]
AdaptiveMaxPool3D: The largest element of each part of volumes, and its index in the flattened volume.
    @x: a floating-point tensor of shape (N, C, D, H, W)
    @size: the numbers of parts, three integers or a tensor of them
    *ops.AdaptiveMaxPool3D()(Tensor([[[[[1.0, 4.0]]]]]), (1, 1, 1)) -> [[[[[4.]]]]] [[[[[1]]]]]
ExtractImagePatches: The windows of images, each as a column of channels.
    @ksizes: the size of the windows; the last two numbers count
    @strides: how far apart the windows are; the last two numbers count
    @rates: how far apart the elements of a window are; the last two numbers count
    @padding: "valid" or "same"
    @x: a tensor of shape (N, C, H, W)
    ops.ExtractImagePatches((1, 2), (1, 1), (1, 1))(Tensor([[[[1, 2, 3]]]]))[0, :, 0] -> [[1 2]\n [2 3]]
ExtractVolumePatches: The windows of volumes, each as a column of channels.
    @kernel_size: the size of the windows; the last three numbers count
    @strides: how far apart the windows are; the last three numbers count
    @padding: "valid" or "same"
    @x: a tensor of shape (N, C, D, H, W)
    ops.ExtractVolumePatches((1, 1, 2), (1, 1, 1), "valid")(Tensor([[[[[1, 2, 3]]]]]))[0, :, 0, 0] -> [[1 2]\n [2 3]]
Dilation2D: The greyscale dilation: the largest sum of a window and the filter, for each channel.
    @dilation: how far apart the elements of a window are
    @pad_mode: "same" or "valid"
    @data_format: accepted; the order is NCHW
    @x: a floating-point tensor of shape (N, C, H, W)
    @filter: a floating-point tensor of shape (C, h, w)
    ops.Dilation2D(1, 1, "VALID")(Tensor([[[[1.0, 4.0, 2.0]]]]), Tensor([[[0.0, 1.0]]])) -> [[[[5. 4.]]]]
FractionalMaxPoolWithFixedKsize: The largest elements of windows at random distances, and their indices.
    @output_shape: how many windows there are, an integer or two
    @data_format: accepted; the order is NCHW
    @x: a floating-point tensor of shape (N, C, H, W)
    @samples: numbers in [0, 1) that place the windows, of shape (N, C, 2)
    x, samples = Tensor([[[[1.0, 4.0, 2.0]]]]), Tensor([[[0.5, 0.5]]])
    *ops.FractionalMaxPoolWithFixedKsize(1, (1, 2))(x, samples) -> [[[[1. 2.]]]] [[[[0 2]]]]
FractionalMaxPool3DWithFixedKsize: The largest elements of windows at random distances, and their indices.
    @output_shape: how many windows there are, an integer or three
    @data_format: accepted; the order is NCDHW
    @x: a floating-point tensor of shape (N, C, D, H, W)
    @samples: numbers in [0, 1) that place the windows, of shape (N, C, 3)
    x, samples = Tensor([[[[[1.0, 4.0, 2.0]]]]]), Tensor([[[0.5, 0.5, 0.5]]])
    *ops.FractionalMaxPool3DWithFixedKsize(1, (1, 1, 2))(x, samples) -> [[[[[1. 2.]]]]] [[[[[0 2]]]]]
InstanceNorm: Each channel of each image standardised, scaled and shifted; the means and the variances.
    @momentum: accepted
    @x: a floating-point tensor of shape (N, C, ...)
    @gamma: the factors, a tensor of shape (C,)
    @beta: what is added, a tensor of shape (C,)
    @mean: accepted
    @variance: accepted
    one, zero = Tensor([1.0]), Tensor([0.0])
    ops.InstanceNorm(0.0)(Tensor([[[1.0, 3.0]]]), one, zero, zero, one)[0] -> [[[-1.  1.]]]
Conv3DTranspose: The transposed convolution of volumes.
    @in_channel: accepted; the weight has it
    @out_channel: accepted; the weight has it
    @kernel_size: accepted; the weight has it
    @mode: accepted
    @output_padding: how much larger the result is at the end of each dimension
    @data_format: accepted; the order is NCDHW
    @x: a floating-point tensor of shape (N, C_in, D, H, W)
    @weight: a floating-point tensor of shape (C_in, C_out / group, d, h, w)
    ops.Conv3DTranspose(1, 1, (1, 1, 2))(Tensor([[[[[1.0, 2.0]]]]]), Tensor([[[[[1.0, 1.0]]]]])) -> [[[[[1. 3. 2.]]]]]
CTCLossV2: Connectionist temporal classification: the losses of label sequences, and log alpha.
    @blank: the class that stands for no label
    @zero_infinity: whether infinite losses become 0
    @log_probs: logarithms of probabilities, a tensor of shape (T, N, C)
    @targets: classes, integers of shape (N, S)
    @input_lengths: integers of shape (N,)
    @target_lengths: integers of shape (N,)
    one = Tensor([1])
    ops.CTCLossV2()(ops.log(Tensor([[[0.5, 0.5]]])), Tensor([[1]]), one, one)[0] -> [0.6931472]
ListDiff: The elements of one vector that the other does not have, and their positions.
    @out_idx: the dtype of the positions
    @x: a vector
    @y: a vector of the same dtype
    *ops.ListDiff()(Tensor([1, 2, 3]), Tensor([2])) -> [1 3] [0 2]
UniqueWithPad: The distinct elements of a vector, padded with a number, and the index of each element among them.
    @x: a vector of integers
    @pad_num: the number, an integer or 0-d tensor
    *ops.UniqueWithPad()(Tensor([5, 3, 5]), 0) -> [5 3 0] [0 1 0]
Coalesce: A sparse tensor whose repeated positions are one: their values are added.
    @indices: positions, Int64 of shape (dimensions, count)
    @values: a vector of their values
    @shape: the shape of the sparse tensor, a vector
    *ops.Coalesce()(Tensor([[1, 0, 1]]), Tensor([1.0, 2.0, 3.0]), Tensor([2])) -> [[0 1]] [2. 4.] [2]
EditDistance: How many insertions, deletions and substitutions turn each sequence into its true one.
    @normalize: whether to divide by the length of the true one
    @hypothesis: positions in the sparse tensor of sequences, Int64 of shape (count, dimensions)
    @values: a vector of their values
    @shape: the shape of that sparse tensor, a vector
    @truth: the same for the true sequences
    @truth_values: the same for the true sequences
    @truth_shape: the same for the true sequences
    at, size = Tensor([[0, 0], [0, 1]]), Tensor([1, 2])
    ops.EditDistance(False)(at, Tensor([1, 2]), size, at, Tensor([1, 3]), size) -> [1.]
NoRepeatNGram: Scores in which each class that would repeat an n-gram of the sequence gets the lowest number.
    @ngram_size: the length n of the n-grams
    @state_seq: the sequences so far, integers of shape (N, beams, length)
    @log_probs: scores of the next class, a tensor of shape (N, beams, classes)
    ops.NoRepeatNGram(1)(Tensor([[[1, 1]]]), Tensor([[[0.5, 0.5, 0.5]]])) < 0 -> [[[False  True False]]]
CTCGreedyDecoder: The likeliest class of each step: positions, classes, shape, and minus the sums of their scores.
    @merge_repeated: whether equal classes in a row become one
    @inputs: scores, a tensor of shape (steps, N, classes); the last class is the blank, which is left out
    @lengths: integers of shape (N,), the steps that count
    *ops.CTCGreedyDecoder()(Tensor([[[0.9, 0.1]], [[0.2, 0.8]]]), Tensor([2])) -> [[0 0]] [0] [1 1] [[-1.7]]
NonMaxSuppressionV3: The indices of boxes, the best first, without those that overlap a better one too much.
    @given: boxes, a tensor of shape (N, 4) with two opposite corners each
    @scores: a tensor of shape (N,)
    @most: how many boxes are kept at most, an integer
    @limit: the largest intersection over union with a better box
    @least: scores up to here are left out
    boxes = Tensor([[0.0, 0, 1, 1], [0, 0, 1, 0.9]])
    ops.NonMaxSuppressionV3()(boxes, Tensor([0.5, 0.9]), 2, 0.5, 0.0) -> [1]
NonMaxSuppressionWithOverlaps: As `NonMaxSuppressionV3`, with the overlaps given.
    @given: how much each two boxes overlap, a tensor of shape (N, N)
    @scores: a tensor of shape (N,)
    @most: how many boxes are kept at most, an integer
    @limit: the largest overlap with a better box
    @least: scores up to here are left out
    ops.NonMaxSuppressionWithOverlaps()(ops.ones((2, 2)), Tensor([0.5, 0.9]), 2, 0.5, 0.0) -> [1]
CheckNumerics: The tensor itself, if all its elements are finite.
    @RuntimeError: if it has nan or infinities
    @x: a floating-point tensor of any shape
    ops.CheckNumerics()(Tensor([1.0, 2.0])) -> [1. 2.]
Assert: An error if a condition is false; its message shows the first elements of tensors.
    @RuntimeError: if the condition is false
    @summarize: how many elements of each tensor the message shows
    @condition: a Bool or a Bool tensor
    @inputs: a list of tensors for the message
    ops.Assert()(Tensor(True), [Tensor([1.0])]) -> None
SubAndFilter: The elements less an offset that lie in [0, max_num), and their positions.
    @x: a vector of integers
    @max_num: an integer or 0-d tensor
    @offset: an integer or 0-d tensor
    *ops.SubAndFilter()(Tensor([1, 5, 9]), 5, 4) -> [1] [1]
MapUniform: New ids: the old ids 0, 1, 2, ... are given to groups in turn, and each group has ids in a row.
    @x: a tensor of integers of any shape
    @per_group: how many ids a group has, an integer
    @groups: how many groups there are, an integer
    ops.MapUniform()(Tensor([0, 1, 2, 3]), 2, 2) -> [0 2 1 3]
SetSize: How many distinct values each row along the last dimension of a sparse tensor has.
    @validate_indices: accepted
    @indices: positions, Int64 of shape (count, dimensions)
    @values: a vector of their values
    @shape: the shape of the sparse tensor, a vector
    ops.SetSize()(Tensor([[0, 0], [0, 1]]), Tensor([7, 7]), Tensor([1, 2])) -> [1]
MatrixLogarithm: The logarithms of matrices, whose exponentials are the matrices.
    @x: a complex tensor of shape (..., n, n)
    ops.MatrixLogarithm()(Tensor([[1.0 + 0.0j]])) -> [[0.+0.j]]
Lstsq: The least-squares solution of linear equations.
    @fast: accepted
    @l2_regularizer: accepted
    @x: the coefficients, a floating-point matrix (m, n)
    @a: the right-hand sides, a tensor of shape (m,) or (m, k)
    ops.Lstsq()(Tensor([[2.0], [2.0]]), Tensor([1.0, 3.0])) -> [[1.]]
MatrixSolveLs: The least-squares solution of linear equations, with a penalty for large solutions.
    @fast: accepted
    @matrix: the coefficients, a tensor of shape (..., m, n)
    @rhs: the right-hand sides, a tensor of shape (..., m, k)
    @regularizer: the factor of the penalty, a number or 0-d tensor
    ops.MatrixSolveLs()(Tensor([[2.0], [2.0]]), Tensor([[1.0], [3.0]]), 0.0) -> [[1.]]
SelfAdjointEig: The eigenvalues and eigenvectors of symmetric or Hermitian matrices.
    @compute_v: whether to give the eigenvectors; else their tensor is empty
    @x: a tensor of shape (..., n, n)
    *ops.SelfAdjointEig(False)(Tensor([[2.0, 0.0], [0.0, 1.0]])) -> [1. 2.] []
SparseReorder: The positions and values of a sparse tensor, sorted by position.
    @indices, values, shape: a sparse tensor: positions (count, dimensions), a vector of values, its shape
    *ops.SparseReorder()(Tensor([[1, 0], [0, 1]]), Tensor([1.0, 2.0]), Tensor([2, 2])) -> [[0 1]\n [1 0]] [2. 1.]
SparseReshape: The positions and the shape of a sparse tensor after a reshape.
    @indices, shape: the positions, integers of shape (count, dimensions), and the shape, a vector
    @new_shape: the new shape, a vector; one size may be -1
    *ops.SparseReshape()(Tensor([[1, 0]]), Tensor([2, 2]), Tensor([-1])) -> [[2]] [4]
SparseSlice: The positions, values and shape of a part of a sparse tensor.
    @indices, values, shape: a sparse tensor: positions (count, dimensions), a vector of values, its shape
    @start, size: where the part begins and its shape, vectors of integers
    at, size = Tensor([[0, 0], [1, 1]]), Tensor([2, 2])
    *ops.SparseSlice()(at, Tensor([1.0, 2.0]), size, Tensor([1, 0]), Tensor([1, 2])) -> [[0 1]] [2.] [1 2]
SparseSplit: The parts of a sparse tensor along a dimension: tuples of their positions, values and shapes.
    @split_dim: the dimension, an integer or 0-d tensor
    @indices, values, shape: a sparse tensor: positions (count, dimensions), a vector of values, its shape
    at = Tensor([[0], [1]])
    *ops.SparseSplit(2)(0, at, Tensor([1.0, 2.0]), Tensor([2]))[1] -> [1.] [2.]
SparseConcat: Sparse tensors one after the other along a dimension: positions, values, shape.
    @indices, values, shapes: lists with the positions (count, dimensions), the values and the shape of each
    at, size = Tensor([[0]]), Tensor([1])
    *ops.SparseConcat()([at, at], [Tensor([1.0]), Tensor([2.0])], [size, size]) -> [[0]\n [1]] [1. 2.] [2]
SparseDenseCwiseAdd: The values of a sparse tensor, and to each is added the element of a dense one at its position.
    @indices, values, shape: a sparse tensor: positions (count, dimensions), a vector of values, its shape
    @x: a tensor that can be broadcast to the shape
    ops.SparseDenseCwiseAdd()(Tensor([[1]]), Tensor([3.0]), Tensor([2]), Tensor([1.0, 2.0])) -> [5.]
SparseDenseCwiseMul: The values of a sparse tensor, each multiplied by the element of a dense one.
    @indices, values, shape: a sparse tensor: positions (count, dimensions), a vector of values, its shape
    @x: a tensor that can be broadcast to the shape
    ops.SparseDenseCwiseMul()(Tensor([[1]]), Tensor([3.0]), Tensor([2]), Tensor([1.0, 2.0])) -> [6.]
SparseDenseCwiseDiv: The values of a sparse tensor, each divided by the element of a dense one.
    @indices, values, shape: a sparse tensor: positions (count, dimensions), a vector of values, its shape
    @x: a tensor that can be broadcast to the shape
    ops.SparseDenseCwiseDiv()(Tensor([[1]]), Tensor([3.0]), Tensor([2]), Tensor([1.0, 2.0])) -> [1.5]
SparseSparseMaximum: The larger elements of two sparse tensors of one shape: positions and values.
    @indices, values, shape: a sparse tensor: positions (count, dimensions), a vector of values, its shape
    @indices2, values2, shape2: the second one, in the same way
    at, size = Tensor([[0]]), Tensor([2])
    ops.SparseSparseMaximum()(at, Tensor([3.0]), size, at, Tensor([-1.0]), size)[1] -> [3.]
SparseSparseMinimum: The smaller elements of two sparse tensors of one shape: positions and values.
    @indices, values, shape: a sparse tensor: positions (count, dimensions), a vector of values, its shape
    @indices2, values2, shape2: the second one, in the same way
    at, size = Tensor([[0]]), Tensor([2])
    ops.SparseSparseMinimum()(at, Tensor([3.0]), size, at, Tensor([-1.0]), size)[1] -> [-1.]
SparseAdd: The sum of two sparse tensors of one shape, without small elements: positions, values, shape.
    @indices, values, shape: a sparse tensor: positions (count, dimensions), a vector of values, its shape
    @indices2, values2, shape2: the second one, in the same way
    @thresh: elements of smaller magnitude are left out, a number or 0-d tensor
    at, size = Tensor([[0]]), Tensor([2])
    *ops.SparseAdd()(at, Tensor([3.0]), size, at, Tensor([1.0]), size, Tensor(0.0)) -> [[0]] [4.] [2]
SparseSoftmax: The values of the softmax of each row of a sparse tensor; elements not stored do not count.
    @indices, values, shape: a sparse tensor: positions (count, dimensions), a vector of values, its shape
    ops.SparseSoftmax()(Tensor([[0, 0], [0, 2]]), Tensor([1.0, 1.0]), Tensor([1, 3])) -> [0.5 0.5]
SparseFillEmptyRows: A sparse matrix with a value in each empty row; which rows were empty; where the old values are.
    @indices, values, shape: a sparse tensor: positions (count, dimensions), a vector of values, its shape
    @default: the value, a number or 0-d tensor
    ops.SparseFillEmptyRows()(Tensor([[1, 0]]), Tensor([3.0]), Tensor([2, 1]), Tensor(7.0))[1] -> [7. 3.]
SparseToDenseV2: A dense tensor with values at given positions.
    @validate_indices: accepted
    @indices: the positions, integers of shape (count, dimensions), or (count,) for a vector
    @shape: the shape of the result, a vector
    @values: a vector, or a 0-d tensor for all positions
    @default: the value everywhere else, a number or 0-d tensor
    ops.SparseToDenseV2()(Tensor([[1]]), Tensor([3]), Tensor([5.0]), Tensor(0.0)) -> [0. 5. 0.]
SparseAddmm: alpha x1 @ x2 + beta x3, with a sparse matrix x1.
    @indices, values, shape: a sparse tensor: positions (count, dimensions), a vector of values, its shape
    @x2, x3: dense matrices whose shapes fit
    @alpha, beta: the factors, tensors of one element
    one = Tensor([1.0])
    ops.SparseAddmm()(Tensor([[0, 0]]), Tensor([3.0]), Tensor([1, 1]), Tensor([[2.0]]), one, one, one) -> [[7.]]
Sspaddmm: beta x1 + alpha x2 @ x3, with sparse matrices x1 and x2: positions, values, shape.
    @indices, values, shape: a sparse matrix: positions of shape (2, count), their values, its shape
    @indices2, values2, shape2: the second one
    @x3: a dense matrix whose shape fits
    @alpha, beta: the factors, tensors of one element
    at, one, size = Tensor([[0], [0]]), Tensor([1.0]), Tensor([1, 1])
    ops.Sspaddmm()(at, one, size, at, one, size, Tensor([[2.0]]), one, one)[1] -> [1. 2.]
CSRSparseMatrixToDense: The dense matrices of sparse ones.
    @parts: sparse matrices: the shape, where batches start, where rows start, columns, values
    at = [Tensor(item) for item in ([2, 2], [0, 2], [0, 1, 2], [0, 1])]
    ops.CSRSparseMatrixToDense()(*at, Tensor([5.0, 7.0])) -> [[5. 0.]\n [0. 7.]]
CSRSparseMatrixToSparseTensor: The positions, values and shape of sparse matrices.
    @parts: sparse matrices: the shape, where batches start, where rows start, columns, values
    at = [Tensor(item) for item in ([2, 2], [0, 2], [0, 1, 2], [0, 1])]
    ops.CSRSparseMatrixToSparseTensor()(*at, Tensor([5.0, 7.0]))[0] -> [[0 0]\n [1 1]]
DenseToCSRSparseMatrix: Sparse matrices in compressed rows, as five tensors.
    @x: a tensor of shape (rows, columns) or (batch, rows, columns)
    @indices: the positions to store, integers of shape (count, dimensions)
    ops.DenseToCSRSparseMatrix()(Tensor([[5.0, 0.0]]), Tensor([[0, 0]]))[4] -> [5.]
SparseTensorToCSRSparseMatrix: Sparse matrices in compressed rows, as five tensors.
    @indices, values, shape: a sparse tensor: positions (count, dimensions), a vector of values, its shape
    ops.SparseTensorToCSRSparseMatrix()(Tensor([[0, 1]]), Tensor([3.0]), Tensor([1, 2]))[3] -> [1]
SparseMatrixNNZ: How many elements sparse matrices store, one number for each matrix.
    @parts: sparse matrices: the shape, where batches start, where rows start, columns, values
    at = [Tensor(item) for item in ([2, 2], [0, 2], [0, 1, 2], [0, 1])]
    ops.SparseMatrixNNZ()(*at, Tensor([5.0, 7.0])) -> [2]
SparseMatrixTranspose: The transposes of sparse matrices, as five tensors.
    @conjugate: whether to take the complex conjugate, too
    @parts: sparse matrices: the shape, where batches start, where rows start, columns, values
    at = [Tensor(item) for item in ([2, 2], [0, 2], [0, 2, 2], [0, 1])]
    ops.SparseMatrixTranspose()(*at, Tensor([5.0, 7.0]))[2] -> [0 1 2]
SparseMatrixAdd: alpha A + beta B of sparse matrices, as five tensors.
    @given: A, B, alpha and beta; a matrix is five tensors, as of `SparseMatrixNNZ`
    at = [Tensor(item) for item in ([1, 1], [0, 1], [0, 1], [0])]
    one = Tensor(1.0)
    ops.SparseMatrixAdd()(*at, Tensor([5.0]), *at, Tensor([7.0]), one, one)[4] -> [12.]
SparseMatrixMatMul: The products of sparse matrices and dense ones, dense.
    @transpose_x1, transpose_x2: whether to transpose the matrix first
    @adjoint_x1, adjoint_x2: whether to take the conjugate transpose first
    @transpose_output: whether to transpose the result
    @conjugate_output: whether to take the complex conjugate of the result
    @given: a sparse matrix of five tensors, as of `SparseMatrixNNZ`, and a dense one
    at = [Tensor(item) for item in ([2, 2], [0, 2], [0, 1, 2], [0, 1])]
    ops.SparseMatrixMatMul()(*at, Tensor([5.0, 7.0]), Tensor([[1.0], [2.0]])) -> [[ 5.]\n [14.]]
SparseMatrixSparseMatMul: The products of sparse matrices, as five tensors.
    @transpose_a, transpose_b: whether to transpose the matrix first
    @adjoint_a, adjoint_b: whether to take the conjugate transpose first
    @given: two matrices of five tensors each, as of `SparseMatrixNNZ`
    at = [Tensor(item) for item in ([1, 1], [0, 1], [0, 1], [0])]
    ops.SparseMatrixSparseMatMul()(*at, Tensor([5.0]), *at, Tensor([7.0]))[4] -> [35.]
SparseMatrixSoftmax: The softmax of each row of sparse matrices; elements not stored do not count.
    @dtype: accepted; the dtype of the values stays
    @parts: sparse matrices: the shape, where batches start, where rows start, columns, values
    at = [Tensor(item) for item in ([1, 3], [0, 2], [0, 2], [0, 2])]
    ops.SparseMatrixSoftmax(ms.float32)(*at, Tensor([1.0, 1.0]))[4] -> [0.5 0.5]
DynamicRNN: An LSTM over a sequence: the outputs, the states h and c, the gates i, j, f and o, and tanh(c).
    @cell_type: "LSTM"
    @direction: "UNIDIRECTIONAL"
    @cell_depth: accepted
    @use_peephole: False
    @keep_prob: accepted
    @cell_clip: the largest magnitude of c; -1: none
    @num_proj: accepted
    @time_major: True
    @activation: "tanh"
    @forget_bias: what is added to the forget gate
    @is_training: accepted
    @x: a floating-point tensor of shape (steps, batch, input)
    @w: the weights of the gates i, j, f and o, a tensor of shape (input + hidden, 4 * hidden)
    @b: their biases, a tensor of shape (4 * hidden,)
    @seq_length: None
    @init_h, init_c: the states before the first step, tensors of shape (1, batch, hidden); None: zeros
    w, b = ops.zeros((2, 4)), Tensor([9.0, 1.0, 0.0, 9.0])
    ops.DynamicRNN()(ops.zeros((2, 1, 1)), w, b)[2].shape -> (2, 1, 1)
LSTM: An LSTM of one layer over a sequence: the outputs, the last states h and c, and two empty tensors.
    @input_size: the size of an input
    @hidden_size: the size of the state
    @num_layers: 1
    @has_bias: whether the weights end with biases
    @bidirectional: False
    @dropout: accepted
    @proj_size: 0
    @x: a floating-point tensor of shape (steps, batch, input)
    @h, c: the states before the first step, tensors of shape (1, batch, hidden)
    @w: the weights of the inputs, those of the state and the biases in one tensor; the gates are i, f, g and o
    zero = ops.zeros((1, 1, 1))
    ops.LSTM(1, 1, 1, True, False, 0.0)(ops.zeros((2, 1, 1)), zero, zero, ops.ones((12,)))[2].shape -> (1, 1, 1)
DynamicGRUV2: A GRU over a sequence: outputs, states, update gates, reset gates, candidates, their hidden parts.
    @direction: "UNIDIRECTIONAL"
    @cell_depth: accepted
    @keep_prob: accepted
    @cell_clip: accepted
    @num_proj: accepted
    @time_major: True
    @activation: "tanh"
    @gate_order: "rzh" or "zrh", the order of the gates in weights and biases
    @reset_after: True
    @is_training: accepted
    @x: a floating-point tensor of shape (steps, batch, input)
    @weight_input: a tensor of shape (input, 3 * hidden)
    @weight_hidden: a tensor of shape (hidden, 3 * hidden)
    @bias_input, bias_hidden: tensors of shape (3 * hidden,), or None
    @seq_length: None
    @init_h: the state before the first step, a tensor of shape (batch, hidden); None: zeros
    w = ops.ones((1, 3))
    ops.DynamicGRUV2()(ops.ones((2, 1, 1)), w, w)[0].shape -> (2, 1, 1)
FlashAttentionScore: Scaled attention: the largest scores, sums of exponentials, an unused tensor, the result.
    @head_num: the number of heads
    @keep_prob: the probability of each weight to stay
    @scale_value: the factor of the scores
    @pre_tokens, next_tokens: accepted
    @inner_precise: accepted
    @input_layout: the order of dimensions: "BSH", "SBH", "BNSD" or "BSND"
    @sparse_mode: accepted
    @query: a floating-point tensor in the layout
    @key, value: tensors in the layout; their sequences may have another length
    @rest, named: masks and other inputs, as `ops.flash_attention_score` takes them
    x = ops.ones((1, 2, 4))
    ops.FlashAttentionScore(1)(x, x, x)[3].shape -> (1, 2, 4)
"""
