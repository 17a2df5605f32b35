"""Graph networks.

Convolution (Kipf and Welling, 2016) and attention over edges (Veličković et al., 2017), on a graph given as edges.
"""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import XavierUniform, initializer


class GCNConv(nn.Cell):
    def __init__(self, in_feat_size, out_size, activation=None):
        super().__init__()
        self.fc = nn.Dense(in_feat_size, out_size, weight_init=XavierUniform(), has_bias=False)
        self.bias = Parameter(initializer("zero", (out_size,), ms.float32), name="bias")
        self.activation = activation
        self.min_clip, self.max_clip = Tensor(1, ms.float32), Tensor(100000000, ms.float32)

    def construct(self, x, in_deg, out_deg, src_idx, dst_idx):
        out_deg = ops.clip_by_value(out_deg, self.min_clip, self.max_clip)
        x = x * ops.Reshape()(ops.Pow()(out_deg, -0.5), (-1, 1))
        x = self.fc(x)
        messages = ops.gather(x, src_idx, 0)
        x = ops.unsorted_segment_sum(messages, dst_idx, x.shape[0])
        in_deg = ops.clip_by_value(in_deg, self.min_clip, self.max_clip)
        x = x * in_deg.pow(-0.5).view(-1, 1) + self.bias
        if self.activation is not None:
            x = self.activation(x)
        return x


class GATConv(nn.Cell):
    def __init__(self, in_size, out_size, num_attn_head, input_drop=0.0, slope=0.2):
        super().__init__()
        self.heads, self.out_size = num_attn_head, out_size
        self.fc = nn.Dense(in_size, out_size * num_attn_head, has_bias=False)
        self.attn_s = Parameter(initializer(XavierUniform(), [num_attn_head, out_size]), name="attn_s")
        self.attn_d = Parameter(initializer(XavierUniform(), [num_attn_head, out_size]), name="attn_d")
        self.feat_drop = nn.Dropout(p=input_drop)
        self.leaky_relu = nn.LeakyReLU(slope)

    def construct(self, x, src, dst):
        n = x.shape[0]
        h = self.fc(self.feat_drop(x)).reshape(n, self.heads, self.out_size)
        source, target = (h * self.attn_s).sum(-1), (h * self.attn_d).sum(-1)
        e = self.leaky_relu(source[src] + target[dst])
        e = ops.exp(e - ops.stop_gradient(e.max()))
        total = ops.zeros((n, self.heads), ms.float32)
        total = ops.tensor_scatter_add(total, dst.expand_dims(1), e)
        a = e / ops.gather(total, dst, 0)
        out = ops.UnsortedSegmentSum()(h[src] * a.expand_dims(-1), dst, n)
        return out.reshape(n, -1)


class GraphNet(nn.Cell):
    def __init__(self, features=5, hidden=8, classes=3):
        super().__init__()
        self.layer0 = GCNConv(features, hidden, ops.ReLU())
        self.layer1 = GATConv(hidden, 4, 2)
        self.norm = nn.BatchNorm1d(8)
        self.layer2 = GCNConv(8, classes)

    def construct(self, x, in_deg, out_deg, src, dst):
        x = self.layer0(x, in_deg, out_deg, src, dst)
        x = ops.elu(self.norm(self.layer1(x, src, dst)))
        return self.layer2(x, in_deg, out_deg, src, dst)


class LossNet(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.loss_fn = ops.nll_loss

    def construct(self, x, mask, target, *graph):
        predict = ops.log_softmax(self.net(x, *graph), axis=-1)
        loss = self.loss_fn(predict, target, reduction="none") * mask
        return ops.ReduceSum()(loss) / ops.ReduceSum()(mask)


def make():
    net = GraphNet()
    loss_net = LossNet(net)
    loss_net.set_train(True)
    optimizer = nn.FTRL(net.trainable_params(), learning_rate=0.1, l1=1e-4)
    grad_fn = ms.value_and_grad(loss_net, None, optimizer.parameters)

    @ms.jit
    def step(*batch):
        loss, grads = grad_fn(*batch)
        optimizer(grads)
        return loss, grads

    rng = np.random.RandomState(16)
    n = 10
    edges = np.array([(i, (i * 3 + 1) % n) for i in range(n)] + [(i, (i + 1) % n) for i in range(n)], np.int32)
    src, dst = edges[:, 0].copy(), edges[:, 1].copy()
    in_deg, out_deg = np.bincount(dst, minlength=n).astype(np.float32), np.bincount(src, minlength=n).astype(np.float32)
    target = rng.randint(0, 3, n).astype(np.int32)
    batches = []
    for _ in range(4):
        x = rng.rand(n, 5).astype(np.float32)
        batches.append((x, (rng.rand(n) < 0.7).astype(np.float32), target, in_deg, out_deg, src, dst))
    return net, optimizer.parameters, step, batches
