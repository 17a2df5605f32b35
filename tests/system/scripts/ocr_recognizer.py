"""A recogniser of text lines.

A convolutional encoder, a recurrent neck, CTC loss, decoding, edit accuracy as a Metric.
"""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.train import Metric

CHARACTERS = "abc"


class RNNEncoder(nn.Cell):
    def __init__(self, in_channels, hidden_size=6):
        super().__init__()
        self.seq_encoder = nn.LSTM(in_channels, hidden_size, num_layers=1, has_bias=True, bidirectional=True)

    def construct(self, features):
        x = ops.squeeze(features, axis=2)
        x = ops.transpose(x, (2, 0, 1))
        x, _ = self.seq_encoder(x)
        return x


class CTCHead(nn.Cell):
    def __init__(self, in_channels, out_channels, weight_init="normal"):
        super().__init__()
        self.dense_layer = nn.Dense(in_channels, out_channels, weight_init=weight_init, bias_init="zeros")

    def construct(self, x):
        b = self.dense_layer(x)
        if not self.training:
            return ops.softmax(b, axis=2).swapaxes(0, 1)
        return b


class Recognizer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.backbone = nn.SequentialCell(
            nn.Conv2d(1, 4, 3, stride=(2, 1), pad_mode="same", has_bias=True), nn.ReLU(), nn.MaxPool2d((4, 2), (4, 2))
        )
        self.neck = RNNEncoder(4)
        self.head = CTCHead(12, len(CHARACTERS) + 1)

    def construct(self, x):
        return self.head(self.neck(self.backbone(x)))


class CTCLoss(nn.LossBase):
    def __init__(self, pred_seq_len=8, max_label_len=3, batch_size=2):
        super().__init__()
        self.sequence_length = Tensor(np.array([pred_seq_len] * batch_size), ms.int32)
        indices = [[i, j] for i in range(batch_size) for j in range(max_label_len)]
        self.label_indices = Tensor(np.array(indices), ms.int64)
        self.ctc_loss = ops.CTCLoss(ctc_merge_repeated=True)

    def construct(self, pred, label):
        label_values = ops.reshape(label, (-1,))
        loss, _ = self.ctc_loss(pred, self.label_indices, label_values, self.sequence_length)
        return loss.mean()


class CTCDecode:
    def __init__(self, characters):
        self.characters = list(characters) + ["<blank>"]

    def __call__(self, preds):
        index = preds.argmax(axis=-1).asnumpy()
        texts = []
        for row in index:
            kept = [k for pos, k in enumerate(row) if k != len(self.characters) - 1 and (pos == 0 or row[pos - 1] != k)]
            texts.append("".join(self.characters[k] for k in kept))
        return texts


class RecMetric(Metric):
    def __init__(self):
        super().__init__()
        self.clear()

    def clear(self):
        self._correct_num, self._total = 0, 0

    def update(self, *inputs):
        if len(inputs) != 2:
            raise ValueError("2 inputs are needed")
        for pred, label in zip(*inputs):
            self._correct_num += pred == label
            self._total += 1

    def eval(self):
        return {"acc": self._correct_num / max(self._total, 1), "total": self._total}


def main(initialize):
    ms.set_context(mode=ms.GRAPH_MODE)
    network = Recognizer()
    initialize(network)
    loss_fn = CTCLoss()
    opt = nn.AdamWeightDecay(network.trainable_params(), learning_rate=nn.WarmUpLR(0.02, 2), weight_decay=0.01)
    train_net = nn.TrainOneStepCell(nn.WithLossCell(network, loss_fn), opt)
    train_net.set_train()
    rng = np.random.RandomState(4)
    images, labels = Tensor(rng.rand(2, 1, 8, 16), ms.float32), Tensor([[0, 1, 2], [2, 1, 0]], ms.int32)
    losses = [float(train_net(images, labels).asnumpy()) for _ in range(4)]
    network.set_train(False)
    preds = network(images)
    metric = RecMetric()
    metric.clear()
    metric.update(CTCDecode(CHARACTERS)(preds), ["abc", "cba"])
    return [losses, preds.asnumpy().sum(-1).round(4).tolist()[0], metric.eval()]
