"""A segmentation course: U-Net, Dice and cross entropy, a Metric of one's own, `Model.fit` with all its callbacks."""

import contextlib
import io
import os
import re
import tempfile

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import Model, Tensor, nn, ops
from mindspore.dataset import transforms, vision
from mindspore.train import (
    CheckpointConfig,
    EarlyStopping,
    History,
    LambdaCallback,
    LearningRateScheduler,
    LossMonitor,
    Metric,
    ModelCheckpoint,
    ReduceLROnPlateau,
    rearrange_inputs,
)


def double_conv(c1, c2):
    return nn.SequentialCell(
        nn.Conv2d(c1, c2, 3, pad_mode="pad", padding=1, has_bias=False), nn.BatchNorm2d(c2, momentum=0.9), nn.ReLU(),
        nn.Conv2d(c2, c2, 3, has_bias=False), nn.BatchNorm2d(c2, momentum=0.9), nn.ReLU(),
    )  # fmt: skip


class UNet(nn.Cell):
    def __init__(self, classes=3, width=4):
        super().__init__()
        self.inc, self.down = double_conv(3, width), nn.MaxPool2d(kernel_size=2, stride=2)
        self.mid = double_conv(width, 2 * width)
        self.up = nn.Conv2dTranspose(2 * width, width, 2, stride=2, pad_mode="same", has_bias=True)
        self.up_conv, self.outc = double_conv(2 * width, width), nn.Conv2d(width, classes, 1, has_bias=True)
        self.concat = ops.Concat(axis=1)

    def construct(self, x):
        x1 = self.inc(x)
        x2 = self.up(self.mid(self.down(x1)))
        diff_y, diff_x = x1.shape[2] - x2.shape[2], x1.shape[3] - x2.shape[3]
        if diff_y or diff_x:
            x2 = ops.pad(x2, (diff_x // 2, diff_x - diff_x // 2, diff_y // 2, diff_y - diff_y // 2))
        return self.outc(self.up_conv(self.concat((x1, x2))))


class DiceCE(nn.LossBase):
    def __init__(self, classes=3, weight=0.5):
        super().__init__(reduction="mean")
        self.classes, self.weight = classes, weight
        self.one_hot = nn.OneHot(axis=1, depth=classes) if hasattr(nn, "OneHot") else None

    def construct(self, logits, label):
        probs = ops.softmax(logits, axis=1)
        target = ops.one_hot(label, self.classes, Tensor(1.0), Tensor(0.0), axis=1)
        inter = (probs * target).sum(axis=(0, 2, 3))
        dice = 1 - ((2 * inter + 1.0) / (probs.sum((0, 2, 3)) + target.sum((0, 2, 3)) + 1.0)).mean()
        flat = logits.transpose(0, 2, 3, 1).reshape((-1, self.classes))
        return self.get_loss(ops.cross_entropy(flat, label.reshape(-1), reduction="none")) + self.weight * dice


class MeanIoU(Metric):
    def __init__(self, classes=3):
        super().__init__()
        self.classes = classes
        self.clear()

    def clear(self):
        self._matrix = np.zeros((self.classes, self.classes), np.int64)

    @rearrange_inputs
    def update(self, *inputs):
        if len(inputs) != 2:
            raise ValueError(f"For 'MeanIoU.update', it needs 2 inputs, but got {len(inputs)}")
        pred = self._convert_data(inputs[0]).argmax(1)
        label = self._convert_data(inputs[1])
        np.add.at(self._matrix, (label.reshape(-1), pred.reshape(-1)), 1)

    def eval(self):
        union = self._matrix.sum(0) + self._matrix.sum(1) - np.diag(self._matrix)
        return float(np.mean(np.diag(self._matrix) / np.maximum(union, 1)))


def create_dataset(count, seed, batch=2, training=True):
    rng = np.random.RandomState(seed)
    images = rng.randint(0, 255, (count, 12, 12, 3)).astype(np.uint8)
    labels = (images.sum(-1) // 260).clip(0, 2).astype(np.int32)
    dataset = ds.NumpySlicesDataset({"image": images, "label": labels}, shuffle=False)
    dataset = dataset.map(
        operations=[
            vision.Rescale(1.0 / 255.0, 0.0), vision.Normalize([0.5] * 3, [0.25] * 3, is_hwc=True), vision.HWC2CHW(),
        ],
        input_columns=["image"],
    )  # fmt: skip
    if training:
        dataset = dataset.map(
            lambda image, label: (image[:, :, ::-1].copy(), label[:, ::-1].copy()), ["image", "label"]
        )
    dataset = dataset.map(transforms.TypeCast(ms.int32), "label")
    return dataset.batch(batch, drop_remainder=True).repeat(1)


def main(initialize):
    out = []
    for mode, manager in ((ms.GRAPH_MODE, None), (ms.PYNATIVE_MODE, None), (ms.GRAPH_MODE, "fixed")):
        ms.set_context(mode=mode)
        net = UNet()
        initialize(net)
        extra = {}
        optimizer = nn.RMSProp(net.trainable_params(), 0.02, momentum=0.5)
        if manager == "fixed":
            extra["loss_scale_manager"] = ms.FixedLossScaleManager(8.0, drop_overflow_update=False)
            optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9, loss_scale=8.0)
        metrics = {"mIoU": MeanIoU(), "loss": nn.Loss()}
        model = Model(net, DiceCE(), optimizer, metrics=metrics, amp_level="O0", **extra)
        history, seen, rates = History(), [], []
        callbacks = [
            LambdaCallback(
                on_train_epoch_begin=lambda run_context, seen=seen: seen.append("epoch"),
                on_train_step_end=lambda run_context, seen=seen: seen.append(
                    sorted(k for k in ("net_outputs", "cur_step_num", "batch_num") if k in run_context.original_args())
                ),
                on_eval_end=lambda run_context, seen=seen: seen.append(
                    sorted(run_context.original_args().metrics or {})
                ),
            ),
            LearningRateScheduler(lambda lr, step: lr * 0.9 if step % 3 == 0 else lr),
            ReduceLROnPlateau(monitor="mIoU", mode="max", patience=0, factor=0.5, verbose=True, min_delta=0.5),
            EarlyStopping(monitor="loss", mode="min", patience=1, min_delta=100.0, verbose=True),
            LossMonitor(2),
            history,
        ]
        text = io.StringIO()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(text):
            config = CheckpointConfig(save_checkpoint_steps=2, keep_checkpoint_max=2, saved_network=net)
            callbacks.append(ModelCheckpoint(prefix="unet", directory=folder, config=config))
            model.fit(4, create_dataset(6, 1), create_dataset(4, 2, training=False), callbacks=callbacks)
            rates.append(float(optimizer.learning_rate.asnumpy()))
            files = sorted(name for name in os.listdir(folder) if name.endswith(".ckpt"))
            saved = ms.load_checkpoint(os.path.join(folder, files[-1]))
        lines = [re.sub(r"-?\d+\.\d+(e-?\d+)?", "#", line) for line in text.getvalue().splitlines()]
        past = {
            key: [round(float(np.asarray(v).reshape(-1)[0]), 3) for v in values]
            for key, values in history.history.items()
        }
        images = next(create_dataset(2, 3).create_dict_iterator(output_numpy=True, num_epochs=1))["image"]
        predicted = model.predict(Tensor(images))
        result = model.eval(create_dataset(4, 2, training=False), dataset_sink_mode=False)
        moving = [float(p.asnumpy().mean()) for p in net.get_parameters() if "moving" in p.name]
        out.append(
            [past, lines, seen[:6], len(seen), files, len(saved), float(predicted.std()), result, moving[:4], rates]
        )
    return out
