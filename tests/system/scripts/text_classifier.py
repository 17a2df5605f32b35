"""A classifier of sentences in the style of toolkits for language.

A vocabulary, padded batches, a bidirectional LSTM, a trainer's loop.
"""

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Tensor, mint, nn, ops
from mindspore.common.initializer import HeUniform, Uniform, initializer

TEXTS = [
    ("the film was great fun", 1),
    ("a dull and boring film", 0),
    ("great story great cast", 1),
    ("boring boring plot", 0),
]


class Sentences:
    def __init__(self):
        words = sorted({word for text, _ in TEXTS for word in text.split()})
        self.vocab = {"<unk>": 0, "<pad>": 1, **{word: index + 2 for index, word in enumerate(words)}}

    def __getitem__(self, index):
        text, label = TEXTS[index]
        return np.array([self.vocab.get(w, 0) for w in text.split()], np.int32), np.array(label, np.float32)

    def __len__(self):
        return len(TEXTS)


class Encoder(nn.Cell):
    def __init__(self, vocab_size, dim, hidden, output_dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim, padding_idx=1)
        self.rnn = nn.LSTM(dim, hidden, num_layers=1, bidirectional=True, batch_first=True)
        weight_init = HeUniform(5**0.5)
        self.fc = nn.Dense(hidden * 2, output_dim, weight_init=weight_init, bias_init=Uniform(1 / (hidden * 2) ** 0.5))

    def construct(self, inputs):
        embedded = self.embedding(inputs)
        _, (hidden, _) = self.rnn(embedded)
        hidden = ops.concat((hidden[-2, :, :], hidden[-1, :, :]), axis=1)
        return self.fc(hidden)


class Trainer:
    def __init__(self, network, loss_fn, optimizer, epochs=2, max_norm=1.0):
        self.network, self.loss_fn, self.optimizer, self.epochs = network, loss_fn, optimizer, epochs
        self.max_norm = max_norm
        self.grad_fn = ms.value_and_grad(self.forward, None, optimizer.parameters, has_aux=True)
        self.history = []

    def forward(self, data, label):
        logits = self.network(data).squeeze(1)
        return self.loss_fn(logits, label), logits

    def step(self, data, label):
        (loss, logits), grads = self.grad_fn(data, label)
        grads = ops.clip_by_global_norm(grads, self.max_norm)
        self.optimizer(grads)
        return loss, logits

    def run(self, dataset):
        self.network.set_train(True)
        for epoch in range(self.epochs):
            total, correct = 0.0, 0
            for batch in dataset.create_dict_iterator():
                loss, logits = self.step(batch["text"], batch["label"])
                total += float(loss.asnumpy())
                rounded = np.around(ops.sigmoid(logits).asnumpy())
                correct += int((rounded == batch["label"].asnumpy()).sum())
            self.history.append([epoch, total, correct])
        return self.history


def predict(model, vocab, sentence):
    model.set_train(False)
    ids = Tensor([[vocab.get(t, 0) for t in sentence.lower().split()]], ms.int32)
    return round(float(mint.sigmoid(model(ids)).asnumpy().item()), 4)


def main(initialize):
    source = Sentences()
    data = ds.GeneratorDataset(source, ["text", "label"], shuffle=False)
    pad_op = ds.transforms.PadEnd([6], pad_value=1)
    data = data.map(operations=[pad_op], input_columns=["text"]).batch(2, True)
    model = Encoder(len(source.vocab), 6, 4, 1)
    initialize(model)
    loss_fn = nn.BCEWithLogitsLoss(reduction="mean")
    optimizer = nn.Adam(model.trainable_params(), learning_rate=0.01)
    history = Trainer(model, loss_fn, optimizer, epochs=3).run(data)
    probe = initializer(Uniform(0.0), (2,), ms.float32)
    return [history, predict(model, source.vocab, "Great film"), list(probe.shape)]
