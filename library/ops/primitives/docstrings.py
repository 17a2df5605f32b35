"""Docstrings of primitives that no function documents. They are put together when they are first read."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ....runtime.records import NamedTuple
from ...functions.documentation import document_parts
from .effect_examples import GRADIENTS, TEXT as EFFECTS
from .examples import TEXT
from .rare_examples import TEXT as RARE


def _by_name(text: str) -> dict[str, str]:
    """What is said of each name: a line of the text has names, and what they all mean."""
    rows = (line.partition(": ") for line in text.strip().split("\n"))
    return {name: said for names, _, said in rows for name in names.split(", ")}


ARGUMENTS = _by_name("""
accumulate: 1: add; 0: replace
adjoint: whether to take the transpose first
adjoint_dt: whether to take that of the dense one
adjoint_st: whether to take the conjugate transpose of the sparse matrix
align_corners: whether the corners of input and output lie at the same places
alpha: the coefficient
argmax_type, check_index_bound, group_back, ignore_longer_outputs_than_inputs, in_shapes, in_types, maxlen: accepted
output_mask, partial_pivoting, sorted, stateful, use_lock, use_locking: accepted
axis: the axis; a negative one counts from the end
base: the base
batch_dim: the dimension of the batch
batch_dims: how many leading dimensions are those of a batch
begin_mask: bits of the dimensions whose `begin` is ignored
begin_norm_axis: the first dimension that is standardised
begin_params_axis: the first dimension of weight and bias
beta: where the loss goes over to magnitudes; or a vector of what is added
beta1: how much of the first moment stays
beta2: how much of the second moment stays
bias: the constant of the sum
bins, nbins: how many intervals
block_shape, block_size: the size of the blocks
boundaries: the boundaries in ascending order
ceil_mode: whether a window may reach beyond the padded input
col: the number of columns
compute_uv: whether to give the bases
compute_v: whether to give the eigenvectors, too
concat_dim: the dimension to join along
count, k: how many
count_include_pad: whether padding counts as zeros
crops: how much is cut off at both ends of each dimension
ctc_merge_repeated: whether repeated outputs count once
dampening: how much less of the gradient goes into the accumulation
data_format: the order of the dimensions
depth_radius: how many channels away count
descending: whether the largest come first
dest_rank: the process that receives
dilation, dilations: how far apart their elements are
dim: the dimension
dims: the axes, an int or a tuple; None: all
divisor_override: what sums are divided by; 0: the size of the window
dst_format: the order wanted
dtype: the dtype of the result
ellipsis_mask: the bit of an ellipsis
end_mask: bits of the dimensions whose `end` is ignored
eps: the bound from 0 and 1; -1: none
epsilon: a small number that keeps divisors from 0
equation: the subscripts
exclusive: whether the element itself is left out
fill_value: the number
fn: the function, of NumPy arrays
full_matrices: whether the bases are square
global_median: whether to take the median of all elements
grad_x: whether to give the gradient by the first input
grad_y: whether to give that by the second
gradient_scale: the factor of the gradient
group: the name of a group of processes; of convolutions, into how many groups the channels are split
half_pixel_centers: whether centres of pixels lie at halves
hop_length: how far the window moves
hyperpara: the factor of the quotient
ignore_index: a class that counts for nothing
ignore_nan: whether nan is left out
indexing: "xy" or "ij"
indices: positions, integers
interpolation_mode: "bilinear" or "nearest"
inverse: whether to transform back
is_grad: whether to give the gradient
is_training: whether the batch's own statistics are used
keep_dims: whether the reduced axes stay as dimensions of size one
keep_prob: the probability of each element or channel to stay
keepdim: whether the dimensions stay with size one
kernel_size, ksize: the size of the windows, one int or one a dimension
deformable_groups: how many groups of channels have offsets of their own
modulated: only True: offsets come with masks
ksizes: the size of the windows, one int or two
l1: the factor of the magnitude
l2: the factor of the square
l2_shrinkage, weight_decay: the factor of the variable that is added to the gradient
lambd: the bound
left: whether the orthogonal matrix stands on the left
lower: whether the matrices are lower triangular
lr: the learning rate
lr_power: the power of the rate
margin: the margin
max: the highest bound; the same as `min`: those of the elements
max_length: the length of the result
maxnorm: the largest norm
mean: the mean of the logarithms
median: the median
min: the lowest bound
mode: which way to compute, as in the function of the same name
momentum: how much of them goes into the running ones
n: the power
n_fft: how many numbers each transform takes
nan: in place of nan; None: 0
neginf: in place of -inf; None: the lowest number
nesterov, use_nesterov: whether to look ahead
new_axis_mask: bits of new dimensions
norm: "backward", "forward" or "ortho"
normalized: whether the spectra are divided by the root of n_fft
num: how many numbers, or accepted
num_classes: how many classes
num_sampled, numsamples: how many are drawn
num_split, output_num, split_count: how many parts
num_true: how many true classes each row has
offset: which diagonal, or what is subtracted
onesided: whether half of the spectrum is given
op: what is computed: the sum, maximum, minimum or product
out_channel: the number of output channels
out_shapes: the shapes of the results
out_type, output_type: the dtype of the positions
out_types: the dtypes of the results
output_shape: the shape of the result; (): as small as can be
output_size: how many parts, one int or one a dimension
p: the order of the norm, or the power
pad: how much is added at each side, for the mode "pad"
pad_list, padding, pads: how much is added at each side
pad_mode: "valid", "same" or "pad"
padding_mode: "zeros", "border" or "reflection"
paddings: how much is added at both ends of each dimension
paddings_contiguous: whether both counts of a dimension stand together
periodic: whether the window is one period
posinf: in place of inf; None: the largest number
preprocess_collapse_repeated: whether repeated labels count once
range_max: the number of classes
real: whether the signal is real; or the real parts
recv_rank_ids: the ranks in the group that send one each
recv_shapes: the shapes of what comes
recv_type: the dtype of all
reduction: "none", "mean" or "sum"
remove_accidental_hits: whether true classes are left out of the draws
replacement: whether a position may be drawn again
return_complex: whether the result is complex, or has a last axis for both parts
reverse: whether to begin at the end
rho: how much of the means stays
right: on which side of equal elements
root_rank, src_rank: the process that sends
row: the number of rows
Seed0, Seed1, seed, seed2: of the draws
send_rank_ids: the ranks in the group that get a tensor each
send_shapes: the shapes of what is sent
seq_dim: the dimension of the sequences
shape: the shape, a tuple of ints
shifts: how far, an int or a tuple
shrink_axis_mask: bits of dimensions that are dropped
sigma: the scale
signal_ndim: how many last dimensions, 1 to 3
signal_sizes: the sizes of the signal
size: height and width
size_splits: the sizes of the parts
skip_mode: whether no axes leave the tensor as it is
split_dim: the axis
sr_tag: which message
src_format: the order of dimensions given
std: the standard deviation of the logarithms
steps: how many numbers
stride, strides: how far apart the windows are
swap: whether the distance of positive and negative counts, if it is smaller
threshold: the threshold
transpose: whether it is transposed
transpose_a: whether to transpose the first
transpose_b: whether to transpose the second
Tsplits: the dtype of where the ranges begin
unbiased: whether to divide by the count less one
unique: whether each class is drawn at most once
unpack_data: whether to give the factors
unpack_pivots: whether to give the order of rows
update_slots: whether the sums are updated
use_clip: whether the quotient is bounded by the rate
value: the value, a number or a 0-d tensor
win_length: the length of the window, an int
wrap: whether the diagonal begins again below the square block
""")
"""What arguments of constructors mean, by their names."""
INPUTS = _by_name("""
above: the diagonals above the main ones
accumulation: the accumulation, a Parameter of the shape of the variable
arguments: its first arguments
array, sampled_candidates: a vector of integers
axes: the axes, a tuple
b: a floating-point tensor of shape (..., n, k)
begin: where to begin, of each dimension
below: the diagonals below them
beta1: how much of the first moment stays
beta2: how much of the second moment stays
bias: a vector with a number for each channel
blocking, reserve: accepted
bounds: two numbers, a tensor
clip_norm: the bound, a 0-d tensor
data: both factors in one tensor of shape (..., n, n)
decay: the decay of the weights, or of the moments
decimals: the number of places after the point
delta: the distance
deltas: the steps
dense: a dense matrix
depth: the size of the new dimension
deviation: the standard deviation, a tensor
diagonals: the three diagonals, of shape (..., 3, n)
dout: the gradient by the output, a tensor of its shape
dx: the gradient by the first input, a tensor
dy: the gradient by the second input, a tensor
end: the last number, or where to end, of each dimension
expr: anything
extra: what the forward primitive gave besides; or None
first: what the forward primitive took or gave, or its gradient, a tensor
function: a function
gamma: a vector of weights, of the shape of the last dimensions
gradient: the gradient, a tensor of the shape of the variable
gradient_norm: the squared norm of the gradient, a 0-d tensor
grid: the places, numbers between -1 and 1 of shape (N, ..., 2 or 3)
high, limit: the bound, not reached
i: integers, the rows
imag: the imaginary parts, a floating-point tensor
index: integers of as many dimensions as the tensor
input_size, sizes: the shape of the result
inputs: numbers, tuples, lists or tensors
items: a tuple or list of tensors
l1: the factor of the magnitude
l2: the factor of the square
label: a tensor of 1 and -1
labels: a tensor of targets or classes
largest: the largest second moment, a Parameter of the shape of the variable
length: the number of points, a 0-d tensor
lengths: integers, the length of each input
like: the tensor that was resized, or its height and width
limits: where each ends
linear: the linear terms, a Parameter of the shape of the variable
logits: a floating-point tensor, often of shape (N, C)
low: the least number
m: the first moment, a Parameter of the shape of the variable
mask: the mask, UInt8
matrix: triangular matrices
mean: a vector with the running mean of each channel
mean_square: the mean of squares, a Parameter of the shape of the variable
middle: the main diagonals
moment: the moment, a Parameter of the shape of the variable
name: the name in the summary
named: its arguments by name
negative, positive: a tensor of the shape of the first
num_sample: how many are drawn
num_segments: how many segments there are
off_value: a 0-d tensor, for the others
on_value: a 0-d tensor, for the positions
operands, tensors: a tuple of tensors
order: a tuple of ints
other: a matrix whose sizes fit
out: what the forward primitive gave, a tensor
perm: the order of the dimensions
pivots: integers of shape (..., n), the rows exchanged, counted from 1
places: the positions that the forward primitive gave, integers
pos_weight: a tensor of weights of positive labels
power: the power of the rate
power1: `beta1` to the power of the step
power2: `beta2` to the power of the step
prediction: a floating-point tensor of any shape
predictions: a floating-point matrix
q: probabilities between 0 and 1
rate: the learning rate
rest: what it gave and the gradient by it, tensors
rho: how much of the means stays
rhs: the other side of the equations, or the other matrix
samples: how many
scale: a vector with a weight for each channel
scales: how many times larger, in place of `output_size`; or None
second: the gradient by the output, or the input, a tensor of the same shape
segment_ids: a vector of integers in ascending order
seq_lengths: integers, one for each entry of the batch
sequence: a tensor in ascending order along its last dimension
sorted_x: rows in ascending order
sorter: positions that put it in order, or None
squares: the sum of squares, a Parameter of the shape of the variable
start: the first number, or a 0-d tensor
starts: where each range begins
stat: a Parameter that is 1 before the first step
step: the number of the step
stop: the last number, or a 0-d tensor
sums: the sum of gradients, a Parameter of the shape of the variable
table: a matrix, the rows to choose from
target: a tensor of the targets
targets: integers, one for each row
tau: the factors that Geqrf gave, of shape (..., k)
threshold: the threshold, a 0-d tensor
to: the device
total: the sum of the weights, a 0-d tensor
true_classes: integers of shape (N, num_true)
update: the mean of squared steps, a Parameter of the shape of the variable
updates: a tensor of the dtype of the first
v: a tensor of rows
values: a tuple or list of tensors, or values to look up or write
variable: the Parameter to update
variance: a vector with the running variance of each channel
weight: a tensor of weights, of the shape that the operation asks for
weight_norm: the squared norm of the weight, a 0-d tensor
weights: a weight for each element
x: a tensor, of any shape unless the operation is one of matrices, images or batches
y: a tensor, or a number where `x` is one
""")
"""What inputs are, by their names; those of other names are arguments that are given with the tensors."""


_HEAD = re.compile(r"(\w+)(:?) ?(.*)")


class Entry(NamedTuple):
    """The docstring of a primitive, as a text of this package has it."""

    summary: str
    own: dict[str, str]
    """What is said of arguments, inputs and errors of this primitive, by names."""
    lines: list[str]
    printed: str


def _entries() -> dict[str, Entry]:
    """The entries of all texts. An entry is a line with the name and the summary, lines `@name: description`, and
    the lines of an example; the last of these ends with what it prints. A name without a summary is that of a gradient.
    """
    found = {}
    texts = "\n".join(text.strip("\n") for text in (TEXT, EFFECTS, GRADIENTS, RARE))
    for entry in re.split(r"\n(?=\w)", texts):
        head, *lines = entry.split("\n    ")
        name, colon, rest = _HEAD.findall(head)[0]
        summary = rest if colon else f"The gradient of `{name.removesuffix('Grad')}` by its inputs."
        if rest and not colon:
            lines = [rest]
        own = dict(line[1:].split(": ", 1) for line in lines if line[0] == "@")
        *lines, last = (line for line in lines if line[0] != "@")
        call, _, printed = last.partition(" -> ")
        found[name] = Entry(summary, own, [*lines, f"print({call})"], printed.replace("\\n", "\n"))
    return found


EXAMPLES = _entries()


def _described(names: Iterable[str], own: dict[str, str], general: dict[str, str]) -> dict[str, str]:
    """What is said of each name, in their order; several names may share one entry of `own`."""
    first = {key.split(", ")[0]: key for key in own}
    told = {name for key in own for name in key.split(", ")}
    found = {}
    for name in names:
        if name in first:
            found[first[name]] = own[first[name]]
        elif name in general and name not in told:
            found[name] = general[name]
    return found


def docstring(name: str, fixed: Iterable[str], inputs: Iterable[str], made: str) -> str:
    """The docstring of a primitive, with the names of its arguments and inputs and the call that makes it."""
    summary, own, lines, printed = EXAMPLES[name]
    return document_parts(
        f"{summary}\n\nAn object that is made once, `{made}`, and called with inputs.",
        _described(fixed, own, ARGUMENTS),
        _described(inputs, own, ARGUMENTS | INPUTS) or {"none": "it is called without inputs"},
        {
            "TypeError": "if an argument or input is of another kind.",
            "ValueError": "if an argument, or the shape of an input, does not fit.",
            **{error: text for error, text in own.items() if error.endswith("Error")},
        },
        lines,
        printed,
    )
