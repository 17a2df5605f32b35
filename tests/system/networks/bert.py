"""BERT (Devlin et al., 2018).

Masked words and next sentences; Adam with a polynomial decay after a warmup, clipped gradients.
"""

import copy
import math

import mindspore as ms
import mindspore.common.dtype as mstype
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import TruncatedNormal, initializer
from mindspore.ops import composite as C, functional as F, operations as P


class BertConfig:
    def __init__(self, **kwargs):
        self.vocab_size = kwargs.pop("vocab_size", 40)
        self.hidden_size = kwargs.pop("hidden_size", 16)
        self.num_hidden_layers = kwargs.pop("num_hidden_layers", 2)
        self.num_attention_heads = kwargs.pop("num_attention_heads", 2)
        self.intermediate_size = kwargs.pop("intermediate_size", 24)
        self.max_position_embeddings = kwargs.pop("max_position_embeddings", 16)
        self.hidden_dropout_prob = kwargs.pop("hidden_dropout_prob", 0.0)
        self.initializer_range = kwargs.pop("initializer_range", 0.02)
        for key, value in kwargs.items():
            setattr(self, key, value)


class EmbeddingLookup(nn.Cell):
    def __init__(self, vocab_size, size, use_one_hot=False):
        super().__init__()
        self.vocab_size, self.use_one_hot = vocab_size, use_one_hot
        self.embedding_table = Parameter(initializer(TruncatedNormal(0.02), [vocab_size, size]))
        self.expand = P.ExpandDims()
        self.gather = P.Gather()
        self.one_hot = P.OneHot()
        self.on_value, self.off_value = Tensor(1.0, mstype.float32), Tensor(0.0, mstype.float32)
        self.matmul = P.MatMul()

    def construct(self, ids):
        flat = P.Reshape()(ids, (-1,))
        if self.use_one_hot:
            out = self.matmul(self.one_hot(flat, self.vocab_size, self.on_value, self.off_value), self.embedding_table)
        else:
            out = self.gather(self.embedding_table, flat, 0)
        return P.Reshape()(out, ids.shape + (-1,))


class BertSelfAttention(nn.Cell):
    def __init__(self, config):
        super().__init__()
        self.heads = config.num_attention_heads
        self.size = config.hidden_size // self.heads
        weight = TruncatedNormal(config.initializer_range)
        self.query_layer = nn.Dense(config.hidden_size, config.hidden_size, weight_init=weight)
        self.key_layer = nn.Dense(config.hidden_size, config.hidden_size, weight_init=weight)
        self.value_layer = nn.Dense(config.hidden_size, config.hidden_size, weight_init=weight)
        self.matmul_trans_b = P.BatchMatMul(transpose_b=True)
        self.matmul = P.BatchMatMul()
        self.multiply_data = Tensor([-10000.0], dtype=mstype.float32)
        self.softmax = nn.Softmax()
        self.trans = P.Transpose()

    def transpose_for_scores(self, x):
        return self.trans(F.reshape(x, x.shape[:-1] + (self.heads, self.size)), (0, 2, 1, 3))

    def construct(self, x, attention_mask):
        q, k, v = self.query_layer(x), self.key_layer(x), self.value_layer(x)
        scores = self.matmul_trans_b(self.transpose_for_scores(q), self.transpose_for_scores(k))
        scores = P.Mul()(scores, 1.0 / math.sqrt(float(self.size)))
        adder = (
            P.Sub()(Tensor([1.0], mstype.float32), P.Cast()(attention_mask, P.DType()(scores)))
        ) * self.multiply_data
        probs = self.softmax(scores + adder)
        context = self.trans(self.matmul(probs, self.transpose_for_scores(v)), (0, 2, 1, 3))
        return F.reshape(context, x.shape)


class BertLayer(nn.Cell):
    def __init__(self, config):
        super().__init__()
        self.attention = BertSelfAttention(config)
        self.dense = nn.Dense(config.hidden_size, config.hidden_size)
        self.layernorm = nn.LayerNorm((config.hidden_size,), epsilon=1e-12)
        self.intermediate = nn.Dense(config.hidden_size, config.intermediate_size, activation="gelu")
        self.output = nn.Dense(config.intermediate_size, config.hidden_size)
        self.dropout = nn.Dropout(p=config.hidden_dropout_prob)
        self.out_norm = nn.LayerNorm((config.hidden_size,), epsilon=1e-12)

    def construct(self, x, mask):
        x = self.layernorm(self.dropout(self.dense(self.attention(x, mask))) + x)
        return self.out_norm(self.dropout(self.output(self.intermediate(x))) + x)


class BertModel(nn.Cell):
    def __init__(self, config, is_training=True):
        super().__init__()
        config = copy.deepcopy(config)
        if not is_training:
            config.hidden_dropout_prob = 0.0
        self.word = EmbeddingLookup(config.vocab_size, config.hidden_size)
        self.token_type = EmbeddingLookup(2, config.hidden_size, use_one_hot=True)
        self.position_ids = Tensor(np.arange(config.max_position_embeddings).reshape(1, -1).astype(np.int32))
        self.position = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.norm = nn.LayerNorm((config.hidden_size,))
        self.layers = nn.CellList([BertLayer(config) for _ in range(config.num_hidden_layers)])
        self.pooler = nn.Dense(config.hidden_size, config.hidden_size, activation="tanh").to_float(ms.float32)
        self.squeeze_1 = P.Squeeze(axis=1)
        self.slice = P.StridedSlice()

    def construct(self, input_ids, token_type_id, input_mask):
        length = input_ids.shape[1]
        x = self.word(input_ids) + self.token_type(token_type_id) + self.position(self.position_ids[:, :length])
        x = self.norm(x)
        mask = F.reshape(input_mask, (input_mask.shape[0], 1, 1, length)).astype(ms.float32)
        for layer in self.layers:
            x = layer(x, mask)
        b, _, h = x.shape
        first = self.squeeze_1(self.slice(x, (0, 0, 0), (b, 1, h), (1, 1, 1)))
        return x, self.pooler(first), self.word.embedding_table


class BertPreTraining(nn.Cell):
    def __init__(self, config):
        super().__init__()
        self.bert = BertModel(config)
        self.dense = nn.Dense(config.hidden_size, config.hidden_size, activation="gelu")
        self.layernorm = nn.LayerNorm((config.hidden_size,))
        self.output_bias = Parameter(initializer("zero", config.vocab_size))
        self.nsp = nn.Dense(config.hidden_size, 2)
        self.log_softmax = P.LogSoftmax(axis=-1)
        self.shape_flat_offsets = (-1, 1)
        self.vocab_size = config.vocab_size

    def mlm_log_probs(self, sequence, table, positions):
        b, s, h = sequence.shape
        flat_offsets = F.reshape(F.tuple_to_array(range(b)) * s, self.shape_flat_offsets)
        flat_position = F.reshape(positions + flat_offsets, (-1,))
        picked = P.Gather()(F.reshape(sequence, (-1, h)), flat_position, 0)
        logits = P.MatMul(transpose_b=True)(self.layernorm(self.dense(picked)), table) + self.output_bias
        return self.log_softmax(logits)

    def construct(self, ids, mask, types, next_label, positions, labels, weights):
        sequence, pooled, table = self.bert(ids, types, mask)
        log_probs = self.mlm_log_probs(sequence, table, positions)
        one_hot = ops.one_hot(labels.reshape((-1,)), self.vocab_size, Tensor(1.0, ms.float32), Tensor(0.0, ms.float32))
        per_example = P.Neg()(P.ReduceSum()(log_probs * one_hot, -1))
        weights = weights.reshape((-1,))
        mlm_loss = (weights * per_example).sum() / (weights.sum() + 1e-5)
        nsp = -self.log_softmax(self.nsp(pooled))
        nsp_loss = ops.gather_elements(nsp, 1, next_label.reshape(-1, 1)).mean()
        return mlm_loss + nsp_loss


GRADIENT_CLIP_TYPE, GRADIENT_CLIP_VALUE = 1, 1.0
clip_grad = C.MultitypeFuncGraph("clip_grad")


@clip_grad.register("Number", "Number", "Tensor")
def _clip_grad(clip_type, clip_value, grad):
    if clip_type not in (0, 1):
        return grad
    dt = F.dtype(grad)
    if clip_type == 0:
        return C.clip_by_value(
            grad, F.cast(F.tuple_to_array((-clip_value,)), dt), F.cast(F.tuple_to_array((clip_value,)), dt)
        )
    return nn.ClipByNorm()(grad, F.cast(F.tuple_to_array((clip_value,)), dt))


class BertLearningRate(nn.learning_rate_schedule.LearningRateSchedule):
    def __init__(self, learning_rate, end_learning_rate, warmup_steps, decay_steps, power):
        super().__init__()
        self.warmup_flag = False
        if warmup_steps > 0:
            self.warmup_flag = True
            self.warmup_lr = nn.WarmUpLR(learning_rate, warmup_steps)
        self.decay_lr = nn.PolynomialDecayLR(learning_rate, end_learning_rate, decay_steps, power)
        self.warmup_steps = Tensor(np.array([warmup_steps]).astype(np.float32))
        self.greater = P.Greater()
        self.one = Tensor(np.array([1.0]).astype(np.float32))
        self.cast = P.Cast()

    def construct(self, global_step):
        decay_lr = self.decay_lr(global_step)
        if self.warmup_flag:
            is_warmup = self.cast(self.greater(self.warmup_steps, global_step), mstype.float32)
            warmup_lr = self.warmup_lr(global_step)
            lr = (self.one - is_warmup) * decay_lr + is_warmup * warmup_lr
        else:
            lr = decay_lr
        return lr


class BertTrainOneStep(nn.TrainOneStepCell):
    def __init__(self, network, optimizer):
        super().__init__(network, optimizer)
        self.hyper_map = C.HyperMap()

    def construct(self, *data):
        loss = self.network(*data)
        grads = self.grad(self.network, self.weights)(*data, self.cast(F.tuple_to_array((self.sens,)), mstype.float32))
        clipped = self.hyper_map(F.partial(clip_grad, GRADIENT_CLIP_TYPE, GRADIENT_CLIP_VALUE), grads)
        self.optimizer(clipped)
        return loss, grads

    def cast(self, x, dtype):
        return F.cast(x, dtype).reshape(())


def make():
    net = BertPreTraining(BertConfig(extra="kept"))
    lr = BertLearningRate(5e-3, 1e-4, 2, 6, 1.0)
    params = net.trainable_params()
    decayed = list(filter(lambda x: "layernorm" not in x.name.lower() and "bias" not in x.name.lower(), params))
    other = list(filter(lambda x: "layernorm" in x.name.lower() or "bias" in x.name.lower(), params))
    groups = [{"params": decayed, "weight_decay": 0.01}, {"params": other}, {"order_params": params}]
    optimizer = nn.AdamWeightDecay(groups, learning_rate=lr, eps=1e-6)
    step = BertTrainOneStep(net, optimizer)
    step.set_train()
    rng = np.random.RandomState(10)
    batches = []
    for _ in range(4):
        mask = np.ones((2, 10), np.int32)
        mask[1, 7:] = 0
        types = (np.arange(10) > 5).astype(np.int32)[None].repeat(2, 0)
        batches.append(
            (
                rng.randint(0, 40, (2, 10)).astype(np.int32),
                mask,
                types,
                rng.randint(0, 2, 2).astype(np.int32),
                rng.randint(0, 7, (2, 3)).astype(np.int32),
                rng.randint(0, 40, (2, 3)).astype(np.int32),
                np.array([[1, 1, 0], [1, 1, 1]], np.float32),
            )
        )
    return net, optimizer.parameters, step, batches
