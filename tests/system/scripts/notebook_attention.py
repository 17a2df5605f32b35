"""A chapter of a book of notebooks.

Seq2seq with additive attention, masked softmax, helper classes that grow by decorators.
"""

import collections
import inspect
import math

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops


def add_to_class(Class):
    def wrapper(obj):
        setattr(Class, obj.__name__, obj)

    return wrapper


class HyperParameters:
    def save_hyperparameters(self, ignore=()):
        frame = inspect.currentframe().f_back
        _, _, _, local_vars = inspect.getargvalues(frame)
        self.hparams = {k: v for k, v in local_vars.items() if k not in {*ignore, "self"} and not k.startswith("_")}
        for k, v in self.hparams.items():
            setattr(self, k, v)


def sequence_mask(X, valid_len, value=0):
    maxlen = X.shape[1]
    mask = ops.arange(maxlen).astype(ms.float32)[None, :] < valid_len.astype(ms.float32)[:, None]
    return ops.where(mask, X, Tensor(value, X.dtype))


def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return ops.softmax(X, axis=-1)
    shape = X.shape
    if valid_lens.ndim == 1:
        valid_lens = ops.repeat_interleave(valid_lens, shape[1], 0)
    else:
        valid_lens = valid_lens.reshape(-1)
    X = sequence_mask(X.reshape(-1, shape[-1]), valid_lens, value=-1e6)
    return ops.softmax(X.reshape(shape), axis=-1)


class AdditiveAttention(nn.Cell):
    def __init__(self, key_size, query_size, num_hiddens):
        super().__init__()
        self.W_k = nn.Dense(key_size, num_hiddens, has_bias=False)
        self.W_q = nn.Dense(query_size, num_hiddens, has_bias=False)
        self.w_v = nn.Dense(num_hiddens, 1, has_bias=False)

    def construct(self, queries, keys, values, valid_lens):
        queries, keys = self.W_q(queries), self.W_k(keys)
        features = ops.tanh(queries.expand_dims(2) + keys.expand_dims(1))
        scores = self.w_v(features).squeeze(-1)
        attention_weights = masked_softmax(scores, valid_lens)
        return ops.bmm(attention_weights, values), attention_weights


class Encoder(nn.Cell):
    def __init__(self, vocab_size, embed_size, num_hiddens, num_layers):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embed_size)
        self.rnn = nn.GRU(embed_size, num_hiddens, num_layers)

    def construct(self, X):
        X = self.embedding(X).transpose((1, 0, 2))
        output, state = self.rnn(X)
        return output, state


class Decoder(nn.Cell):
    def __init__(self, vocab_size, embed_size, num_hiddens, num_layers):
        super().__init__()
        self.attention = AdditiveAttention(num_hiddens, num_hiddens, num_hiddens)
        self.embedding = nn.Embedding(vocab_size, embed_size)
        self.rnn = nn.GRU(embed_size + num_hiddens, num_hiddens, num_layers)
        self.dense = nn.Dense(num_hiddens, vocab_size)

    def init_state(self, enc_outputs, enc_valid_lens):
        outputs, hidden_state = enc_outputs
        return (outputs.transpose((1, 0, 2)), hidden_state, enc_valid_lens)

    def construct(self, X, state):
        enc_outputs, hidden_state, enc_valid_lens = state
        X = self.embedding(X).transpose((1, 0, 2))
        outputs = []
        for x in X:
            query = ops.expand_dims(hidden_state[-1], axis=1)
            context, _ = self.attention(query, enc_outputs, enc_outputs, enc_valid_lens)
            x = ops.concat((context, ops.expand_dims(x, axis=1)), axis=-1)
            out, hidden_state = self.rnn(x.transpose((1, 0, 2)), hidden_state)
            outputs.append(out)
        outputs = self.dense(ops.concat(outputs, axis=0))
        return outputs.transpose((1, 0, 2)), [enc_outputs, hidden_state, enc_valid_lens]


class Seq2Seq(nn.Cell):
    def __init__(self, encoder, decoder):
        super().__init__()
        self.encoder, self.decoder = encoder, decoder

    def construct(self, enc_X, dec_X, valid_lens):
        state = self.decoder.init_state(self.encoder(enc_X), valid_lens)
        return self.decoder(dec_X, state)[0]


class MaskedLoss(nn.Cell):
    def construct(self, pred, label, valid_len):
        weights = sequence_mask(ops.ones(label.shape, ms.float32), valid_len)
        unweighted = ops.cross_entropy(pred.transpose((0, 2, 1)), label, reduction="none")
        return (unweighted * weights).mean(axis=1)


class Board(HyperParameters):
    def __init__(self, lr, decay=0.5):
        self.save_hyperparameters()


@add_to_class(Board)
def rate(self, epoch):
    return self.lr * self.decay**epoch


def bleu(pred_tokens, label_tokens, k):
    score = math.exp(min(0, 1 - len(label_tokens) / len(pred_tokens)))
    for n in range(1, k + 1):
        matches, subs = 0, collections.defaultdict(int)
        for i in range(len(label_tokens) - n + 1):
            subs[" ".join(label_tokens[i : i + n])] += 1
        for i in range(len(pred_tokens) - n + 1):
            if subs[" ".join(pred_tokens[i : i + n])] > 0:
                matches += 1
                subs[" ".join(pred_tokens[i : i + n])] -= 1
        score *= math.pow(matches / (len(pred_tokens) - n + 1), math.pow(0.5, n))
    return score


def main(initialize):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    net = Seq2Seq(Encoder(8, 4, 6, 2), Decoder(8, 4, 6, 2))
    initialize(net)
    loss = MaskedLoss()
    board = Board(0.02)
    optimizer = nn.Adam(net.trainable_params(), learning_rate=board.rate(0))

    def forward_fn(enc, dec, lens, label, label_lens):
        return loss(net(enc, dec, lens), label, label_lens).sum()

    grad_fn = ops.value_and_grad(forward_fn, None, net.trainable_params())
    rng = np.random.RandomState(5)
    history = []
    for _ in range(3):
        enc, label = Tensor(rng.randint(0, 8, (2, 5)), ms.int32), Tensor(rng.randint(0, 8, (2, 4)), ms.int32)
        dec = ops.concat((ops.ones((2, 1), ms.int32), label[:, :-1]), 1)
        lens, label_lens = Tensor([5, 3], ms.int32), Tensor([4, 2], ms.int32)
        value, grads = grad_fn(enc, dec, lens, label, label_lens)
        grads = ops.clip_by_global_norm(grads, 1)
        optimizer(grads)
        history.append(float(value.asnumpy()))
    tokens = net(enc, dec, lens).argmax(axis=2).asnumpy()[0].tolist()
    return [history, tokens, bleu("a b c d".split(), "a b c e".split(), 2), board.rate(2)]
