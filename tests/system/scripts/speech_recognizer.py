"""A speech toolkit's recogniser.

Spectrograms by the dataset's audio transforms, buckets by length with padding, a subsampling encoder with LSTMs over
packed lengths, CTC with attention-style masks, a rate that warms up by a LearningRateSchedule, and prefix decoding.
"""

import math

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.amp import all_finite
from mindspore.dataset import audio
from mindspore.nn.learning_rate_schedule import LearningRateSchedule
from mindspore.train.callback import Callback, LossMonitor, TimeMonitor


class Utterances:
    def __init__(self, count=8, seed=3):
        self.rng = np.random.RandomState(seed)
        self.items = []
        for index in range(count):
            wave = np.sin(np.arange(400 + 200 * (index // 4)) * (0.05 + 0.01 * index)).astype(np.float32)
            wave = wave + 0.1 * self.rng.randn(len(wave)).astype(np.float32)
            self.items.append((wave, self.rng.randint(1, 5, 2 + index // 4).astype(np.int32)))

    def __getitem__(self, index):
        return self.items[index]

    def __len__(self):
        return len(self.items)


def features(wave):
    spectrogram = audio.Spectrogram(n_fft=64, hop_length=32, power=2.0)(wave)
    mel = audio.MelScale(n_mels=8, sample_rate=8000, n_stft=33)(spectrogram)
    mel = audio.AmplitudeToDB()(mel) / 20.0
    return mel.T.astype(np.float32)


def create_dataset(source, batch=2):
    dataset = ds.GeneratorDataset(source, ["wave", "text"], shuffle=False)
    dataset = dataset.map(lambda wave: (features(wave),), ["wave"], ["feats"])
    dataset = dataset.map(
        lambda feats, text: (feats, np.int32(len(feats)), text, np.int32(len(text))),
        ["feats", "text"],
        ["feats", "feats_len", "text", "text_len"],
    )
    dataset = dataset.project(["feats", "feats_len", "text", "text_len"])
    return dataset.bucket_batch_by_length(
        ["feats"],
        [15],
        [batch] * 2,
        element_length_function=lambda feats: len(feats),
        pad_info={"feats": ([None, 8], 0), "text": ([None], 0)},
        pad_to_bucket_boundary=False,
    )


class Subsampling(nn.Cell):
    def __init__(self, idim, odim):
        super().__init__()
        self.conv = nn.SequentialCell(
            nn.Conv2d(1, odim, 3, 2, padding=0, has_bias=True, pad_mode="valid"),
            nn.ReLU(),
        )
        self.out = nn.Dense(odim * ((idim - 1) // 2), odim)

    def construct(self, x, mask):
        x = self.conv(x.expand_dims(1))
        b, c, t, f = x.shape
        x = self.out(x.transpose(0, 2, 1, 3).view(b, t, c * f))
        return x, mask[:, 2::2]


class Encoder(nn.Cell):
    def __init__(self, idim=8, dim=6):
        super().__init__()
        self.embed = Subsampling(idim, dim)
        self.global_cmvn = ops.Sub()
        self.mean = Parameter(Tensor(np.full(idim, 0.1), ms.float32), requires_grad=False)
        self.rnn = nn.LSTM(dim, dim, num_layers=1, batch_first=True, bidirectional=True, dropout=0.0)
        self.gru = nn.GRU(2 * dim, dim, batch_first=True)
        self.norm = nn.LayerNorm((dim,), epsilon=1e-5)

    def construct(self, xs, lengths):
        steps = ops.arange(xs.shape[1], dtype=lengths.dtype)
        mask = (steps.expand_dims(0) < lengths.expand_dims(1)).astype(ms.float32)
        xs = self.global_cmvn(xs, self.mean) * mask.expand_dims(-1)
        xs, mask = self.embed(xs, mask)
        short = ops.cast(ops.reduce_sum(mask, -1), ms.int32)
        hidden = (ops.zeros((2, xs.shape[0], 6), xs.dtype), ops.zeros((2, xs.shape[0], 6), xs.dtype))
        ys, (h, _) = self.rnn(xs, hidden, short)
        ys, last = self.gru(ys, seq_length=short)
        return self.norm(ys) * mask.expand_dims(-1), short, h, last


class ASR(nn.Cell):
    def __init__(self, vocab=5, dim=6):
        super().__init__()
        self.encoder = Encoder(dim=dim)
        self.ctc_lo = nn.Dense(dim, vocab)
        self.log_softmax = nn.LogSoftmax(axis=-1)

    def construct(self, feats, feats_len, text, text_len):
        out, lengths, h, last = self.encoder(feats, feats_len)
        log_probs = self.log_softmax(self.ctc_lo(out)).swapaxes(0, 1)
        loss, _ = ops.ctc_loss(log_probs, text, lengths, text_len, blank=0, reduction="none")
        return loss.sum() / feats.shape[0] + 0.001 * (h**2).mean() + 0.001 * ops.norm(last)


class WarmupLR(LearningRateSchedule):
    def __init__(self, learning_rate=0.02, warmup_steps=3):
        super().__init__()
        self.learning_rate, self.warmup_steps = learning_rate, warmup_steps
        self.min = ops.Minimum()
        self.scalar = Tensor(learning_rate * warmup_steps**0.5, ms.float32)

    def construct(self, global_step):
        step = ops.cast(global_step + 1, ms.float32)
        scale = self.min(ops.pow(step, -0.5), step * ops.pow(Tensor(float(self.warmup_steps)), -1.5))
        return self.scalar * scale


class TrainAccumulationStep(nn.TrainOneStepWithLossScaleCell):
    def __init__(self, network, optimizer, scale_sense, clip=1.0):
        super().__init__(network, optimizer, scale_sense)
        self.clip = clip
        self.skipped = Parameter(Tensor(0, ms.int32), name="skipped", requires_grad=False)

    def construct(self, *inputs):
        loss = self.network(*inputs)
        scaling_sens = self.scale_sense
        grads = self.grad(self.network, self.weights)(*inputs, ops.ones_like(loss) * scaling_sens.astype(loss.dtype))
        grads = self.hyper_map(ops.partial(scale_down, scaling_sens), grads)
        grads = ops.clip_by_global_norm(grads, self.clip)
        cond = ops.logical_not(all_finite(grads))
        overflow = self.process_loss_scale(cond)
        if not overflow:
            self.optimizer(grads)
        else:
            self.skipped += 1
        return loss, overflow, ops.depend(scaling_sens * 1, overflow)


scale_down = ops.MultitypeFuncGraph("scale_down")


@scale_down.register("Tensor", "Tensor")
def scale_down_tensor(scale, grad):
    return ops.cast(grad, ms.float32) * ops.reciprocal(scale)


class Recorder(Callback):
    def __init__(self):
        super().__init__()
        self.values = []

    def step_end(self, run_context):
        params = run_context.original_args()
        loss, overflow, scale = params.net_outputs
        self.values.append([float(loss), bool(overflow), float(scale), params.cur_step_num, params.cur_epoch_num])


def greedy(net, feats, lengths):
    out, short, _, _ = net.encoder(feats, lengths)
    best = net.ctc_lo(out).argmax(axis=-1).asnumpy()
    texts = []
    for row, length in zip(best, short.asnumpy()):
        row = [int(value) for value in row[:length]]
        texts.append([value for i, value in enumerate(row) if value != 0 and (i == 0 or value != row[i - 1])])
    return texts


def prefix_beam(log_probs, beam=3):
    cur = {(): (0.0, -math.inf)}

    def add(*values):
        top = max(values)
        return top if top == -math.inf else top + math.log(sum(math.exp(v - top) for v in values))

    for frame in log_probs:
        following = {}
        for s in np.argsort(-frame)[:beam]:
            for prefix, (pb, pnb) in cur.items():
                if s == 0:
                    b, nb = following.get(prefix, (-math.inf, -math.inf))
                    following[prefix] = (add(b, pb + frame[s], pnb + frame[s]), nb)
                    continue
                longer = (*prefix, int(s))
                b, nb = following.get(longer, (-math.inf, -math.inf))
                same = bool(prefix) and prefix[-1] == s
                following[longer] = (b, add(nb, pb + frame[s]) if same else add(nb, pb + frame[s], pnb + frame[s]))
                if same:
                    b, nb = following.get(prefix, (-math.inf, -math.inf))
                    following[prefix] = (b, add(nb, pnb + frame[s]))
        cur = dict(sorted(following.items(), key=lambda item: add(*item[1]), reverse=True)[:beam])
    return [[list(prefix), round(add(*score), 3)] for prefix, score in cur.items()]


def main(initialize):
    out = []
    for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
        ms.set_context(mode=mode)
        dataset = create_dataset(Utterances())
        shapes = [[list(v.shape) for v in row] for row in dataset.create_tuple_iterator(num_epochs=1)]
        net = ASR()
        initialize(net)
        groups = [
            {"params": [p for p in net.trainable_params() if "rnn" in p.name], "lr": WarmupLR(0.03)},
            {"params": [p for p in net.trainable_params() if "rnn" not in p.name]},
        ]
        optimizer = nn.Adam(groups, learning_rate=WarmupLR(), beta2=0.98, eps=1e-7)
        manager = nn.DynamicLossScaleUpdateCell(loss_scale_value=1024.0, scale_factor=2, scale_window=3)
        step = TrainAccumulationStep(net, optimizer, manager)
        recorder = Recorder()
        model = ms.Model(step)
        model.train(2, dataset, callbacks=[recorder, TimeMonitor(100), LossMonitor(1000)], dataset_sink_mode=False)
        feats, lengths, _, _ = next(dataset.create_tuple_iterator(num_epochs=1))
        net.set_train(False)
        encoded, _, _, _ = net.encoder(feats, lengths)
        beams = prefix_beam(ops.log_softmax(net.ctc_lo(encoded), -1).asnumpy()[0].astype(float))
        mean = float(net.encoder.rnn.trainable_params()[0].asnumpy().std())
        out.append([shapes, recorder.values, greedy(net, feats, lengths), beams, int(step.skipped.asnumpy()), mean])
    return out
