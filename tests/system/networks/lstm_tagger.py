"""A tagger of words.

A bidirectional LSTM over padded sentences, and a conditional random field (Huang et al., 2015).
"""

import mindspore as ms
import numpy as np
from mindspore import Parameter, nn, ops
from mindspore.common.initializer import Uniform, initializer


def sequence_mask(seq_length, max_length, batch_first=False):
    range_vector = ops.arange(0, max_length, 1).astype(seq_length.dtype)
    result = range_vector < seq_length.view(seq_length.shape + (1,))
    if batch_first:
        return result.astype(ms.int32)
    return result.astype(ms.int32).swapaxes(0, 1)


class CRF(nn.Cell):
    def __init__(self, num_tags: int, batch_first: bool = False, reduction: str = "sum") -> None:
        if num_tags <= 0:
            raise ValueError(f"invalid number of tags: {num_tags}")
        super().__init__()
        if reduction not in ("none", "sum", "mean", "token_mean"):
            raise ValueError(f"invalid reduction: {reduction}")
        self.num_tags, self.batch_first, self.reduction = num_tags, batch_first, reduction
        self.start_transitions = Parameter(initializer(Uniform(0.1), (num_tags,)), name="start_transitions")
        self.end_transitions = Parameter(initializer(Uniform(0.1), (num_tags,)), name="end_transitions")
        self.transitions = Parameter(initializer(Uniform(0.1), (num_tags, num_tags)), name="transitions")

    def construct(self, emissions, tags=None, seq_length=None):
        if tags is None:
            return self._decode(emissions, seq_length)
        return self._forward(emissions, tags, seq_length)

    def _forward(self, emissions, tags, seq_length):
        if self.batch_first:
            batch_size, max_length = tags.shape
            emissions, tags = emissions.swapaxes(0, 1), tags.swapaxes(0, 1)
        else:
            max_length, batch_size = tags.shape
        if seq_length is None:
            seq_length = ops.fill(ms.int32, (batch_size,), max_length)
        mask = sequence_mask(seq_length, max_length)
        numerator = self._compute_score(emissions, tags, seq_length - 1, mask)
        denominator = self._compute_normalizer(emissions, mask)
        llh = denominator - numerator
        if self.reduction == "none":
            return llh
        if self.reduction == "sum":
            return llh.sum()
        if self.reduction == "mean":
            return llh.mean()
        return llh.sum() / mask.astype(emissions.dtype).sum()

    def _compute_score(self, emissions, tags, seq_ends, mask):
        seq_length, batch_size = tags.shape
        mask = mask.astype(emissions.dtype)
        score = self.start_transitions[tags[0]]
        score += emissions[0, ops.arange(batch_size), tags[0]]
        for i in range(1, seq_length):
            score += self.transitions[tags[i - 1], tags[i]] * mask[i]
            score += emissions[i, ops.arange(batch_size), tags[i]] * mask[i]
        last_tags = tags[seq_ends, ops.arange(batch_size)]
        score += self.end_transitions[last_tags]
        return score

    def _compute_normalizer(self, emissions, mask):
        seq_length = emissions.shape[0]
        score = self.start_transitions + emissions[0]
        for i in range(1, seq_length):
            next_score = score.expand_dims(2) + self.transitions + emissions[i].expand_dims(1)
            next_score = ops.logsumexp(next_score, 1)
            score = ops.where(mask[i].expand_dims(1).astype(ms.bool_), next_score, score)
        return ops.logsumexp(score + self.end_transitions, 1)

    def _decode(self, emissions, seq_length):
        emissions = emissions.swapaxes(0, 1) if self.batch_first else emissions
        score, history = self.start_transitions + emissions[0], ()
        for i in range(1, emissions.shape[0]):
            next_score = score.expand_dims(2) + self.transitions + emissions[i].expand_dims(1)
            history += (next_score.argmax(axis=1),)
            score = next_score.max(axis=1)
        return (score + self.end_transitions).argmax(axis=1), history


class BiLSTM_CRF(nn.Cell):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, num_tags, padding_idx=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=padding_idx)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim // 2, num_layers=2, bidirectional=True, batch_first=True)
        self.gru = nn.GRU(hidden_dim, hidden_dim, batch_first=True)
        self.hidden2tag = nn.Dense(hidden_dim, num_tags, "he_uniform")
        self.crf = CRF(num_tags, batch_first=True, reduction="token_mean")

    def construct(self, inputs, seq_length, tags=None):
        embeds = self.embedding(inputs)
        outputs, _ = self.lstm(embeds, seq_length=seq_length)
        outputs, _ = self.gru(outputs)
        return self.crf(self.hidden2tag(outputs), tags, seq_length)


def make():
    model = BiLSTM_CRF(vocab_size=20, embedding_dim=6, hidden_dim=8, num_tags=3)
    optimizer = nn.SGD(model.trainable_params(), learning_rate=0.05, weight_decay=1e-4)
    grad_fn = ms.value_and_grad(model, None, optimizer.parameters)

    def train_step(data, seq_length, label):
        loss, grads = grad_fn(data, seq_length, label)
        optimizer(grads)
        return loss, grads

    rng = np.random.RandomState(12)
    batches = []
    for _ in range(4):
        lengths = np.array([7, 4], np.int32)
        words = rng.randint(1, 20, (2, 7)).astype(np.int32)
        words[1, 4:] = 0
        batches.append((words, lengths, rng.randint(0, 3, (2, 7)).astype(np.int32)))
    return model, optimizer.parameters, train_step, batches
