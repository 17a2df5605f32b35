"""A wide and deep recommender: embeddings of fields, FTRL for the wide part and Adam for the deep one, AUC by hand."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops
from mindspore.common.initializer import Uniform, initializer


class WideDeep(nn.Cell):
    def __init__(self, fields=4, vocab=12, dim=3):
        super().__init__()
        self.wide_w = Parameter(initializer(Uniform(0.01), (vocab, 1)), name="wide_w")
        self.wide_b = Parameter(initializer("zeros", (1,), ms.float32), name="wide_b")
        self.embedding_table = Parameter(initializer(Uniform(0.01), (vocab, dim)), name="V_l2")
        self.dense1 = nn.Dense(fields * dim, 8, activation="relu")
        self.dense2 = nn.Dense(8, 1)
        self.gather = ops.Gather()
        self.reduce_sum = ops.ReduceSum(keep_dims=False)

    def construct(self, ids, values):
        mask = values.expand_dims(2)
        wide = self.reduce_sum(self.gather(self.wide_w, ids, 0) * mask, 1) + self.wide_b
        deep = (self.gather(self.embedding_table, ids, 0) * mask).reshape(ids.shape[0], -1)
        return wide + self.dense2(self.dense1(deep)), self.embedding_table


class NetWithLoss(nn.Cell):
    def __init__(self, network, l2=0.01):
        super().__init__(auto_prefix=False)
        self.network, self.l2 = network, l2
        self.loss = ops.SigmoidCrossEntropyWithLogits()
        self.square, self.mean = ops.Square(), ops.ReduceMean(keep_dims=False)

    def construct(self, ids, values, label):
        predict, table = self.network(ids, values)
        log_loss = self.mean(self.loss(predict, label))
        return log_loss, log_loss + self.l2 * self.mean(self.square(table)) / 2


class IthOutput(nn.Cell):
    def __init__(self, network, index):
        super().__init__(auto_prefix=False)
        self.network, self.index = network, index

    def construct(self, *inputs):
        return self.network(*inputs)[self.index]


class TrainStep(nn.Cell):
    def __init__(self, network, sens=4.0):
        super().__init__(auto_prefix=False)
        self.network = network
        self.network.set_train()
        params = network.trainable_params()
        self.weights_w = ParameterTuple([p for p in params if "wide" in p.name])
        self.weights_d = ParameterTuple([p for p in params if "wide" not in p.name])
        self.optimizer_w = nn.FTRL(
            self.weights_w, learning_rate=0.05, l1=1e-3, l2=1e-3, initial_accum=1.0, loss_scale=sens
        )
        self.optimizer_d = nn.LazyAdam(self.weights_d, learning_rate=0.01, eps=1e-6, loss_scale=sens)
        self.grad = ops.GradOperation(get_by_list=True, sens_param=True)
        self.sens = sens
        self.loss_w, self.loss_d = IthOutput(network, 0), IthOutput(network, 1)

    def construct(self, ids, values, label):
        loss_w, loss_d = self.network(ids, values, label)
        sens_w = ops.fill(loss_w.dtype, loss_w.shape, self.sens)
        sens_d = ops.fill(loss_d.dtype, loss_d.shape, self.sens)
        grads_w = self.grad(self.loss_w, self.weights_w)(ids, values, label, sens_w)
        grads_d = self.grad(self.loss_d, self.weights_d)(ids, values, label, sens_d)
        return ops.depend(loss_w, self.optimizer_w(grads_w)), ops.depend(loss_d, self.optimizer_d(grads_d))


def auc(scores, labels):
    pairs = [(p > n) + 0.5 * (p == n) for p in scores[labels == 1] for n in scores[labels == 0]]
    return float(np.mean(pairs))


def main(initialize):
    ms.set_context(mode=ms.GRAPH_MODE)
    net = WideDeep()
    initialize(net)
    step = TrainStep(NetWithLoss(net))
    rng = np.random.RandomState(9)
    losses = []
    for _ in range(3):
        ids = Tensor(rng.randint(0, 12, (6, 4)), ms.int32)
        label = Tensor((ids.asnumpy().sum(1, keepdims=True) > 22), ms.float32)
        losses.append([float(x.asnumpy()) for x in step(ids, ops.ones((6, 4), ms.float32), label)])
    scores = net(ids, ops.ones((6, 4), ms.float32))[0].asnumpy().ravel()
    return [losses, scores.round(4).tolist(), auc(scores, label.asnumpy().ravel())]
