"""Generation.

A small decoder with a key-value cache, sampling filters, greedy and beam search with NumPy around compiled cells.
"""

import mindspore as ms
from mindspore import Tensor, nn, ops


class Decoder(nn.Cell):
    def __init__(self, vocab=10, dim=8, heads=2):
        super().__init__()
        self.heads, self.size = heads, dim // heads
        self.embedding = nn.Embedding(vocab, dim)
        self.qkv, self.out = nn.Dense(dim, 3 * dim), nn.Dense(dim, vocab)
        self.norm = nn.LayerNorm((dim,))

    def split(self, x):
        b, t, _ = x.shape
        return x.reshape(b, t, self.heads, self.size).transpose(0, 2, 1, 3)

    def construct(self, ids, past=None):
        x = self.embedding(ids)
        q, k, v = [self.split(part) for part in self.qkv(self.norm(x)).chunk(3, -1)]
        if past is not None:
            k, v = ops.cat((past[0], k), 2), ops.cat((past[1], v), 2)
        scores = ops.matmul(q, k.swapaxes(-1, -2)) / self.size**0.5
        length, total = q.shape[2], k.shape[2]
        mask = ops.ones((length, total), ms.float32).tril(total - length)
        scores = scores + (1.0 - mask) * -1e4
        mixed = ops.matmul(ops.softmax(scores, -1), v).transpose(0, 2, 1, 3).reshape(ids.shape[0], length, -1)
        return self.out(x + mixed), (k, v)


def top_k_top_p(logits, k=4, p=0.9):
    values, _ = ops.topk(logits, k)
    logits = ops.masked_fill(logits, logits < values[:, -1:], -1e9)
    ordered, index = ops.sort(logits, descending=True)
    cumulative = ops.softmax(ordered, -1).cumsum(-1)
    remove = cumulative > p
    remove = ops.cat((ops.zeros_like(remove[:, :1]), remove[:, :-1]), 1)
    remove = ops.tensor_scatter_elements(ops.zeros(logits.shape, ms.int32), index, remove.astype(ms.int32), 1)
    return ops.masked_fill(logits, remove.astype(ms.bool_), -1e9)


def greedy(net, ids, steps):
    past, out, current = None, [], ids
    for _ in range(steps):
        logits, past = net(current, past)
        current = logits[:, -1].argmax(-1).astype(ms.int32).expand_dims(1)
        out.append(current.asnumpy()[:, 0].tolist())
    return out


def beam(net, ids, steps, width=2):
    sequences, scores = ids, ops.zeros((ids.shape[0],), ms.float32)
    for _ in range(steps):
        logits = ops.log_softmax(net(sequences)[0][:, -1], -1) + scores[:, None]
        scores, best = ops.topk(logits.reshape(-1), width)
        rows, words = best // logits.shape[1], best % logits.shape[1]
        sequences = ops.cat((sequences[rows], words.astype(ms.int32)[:, None]), 1)
    return sequences.asnumpy().tolist(), scores.asnumpy().round(4).tolist()


def main(initialize):
    net = Decoder()
    initialize(net)
    net.set_train(False)
    ids = Tensor([[1, 4, 2]], ms.int32)
    filtered = top_k_top_p(net(ids)[0][:, -1])
    kept = (filtered.asnumpy() > -1e8).sum(1).tolist()
    return [greedy(net, ids, 4), beam(net, ids, 3), kept]
