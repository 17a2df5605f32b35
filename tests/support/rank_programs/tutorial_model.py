"""Data parallel with Model.train, callbacks and checkpoints, as MindSpore's tutorials write it, unchanged."""

import os
import sys

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn, train
from mindspore.communication import get_group_size, get_rank, init
from mindspore.dataset import transforms, vision

ms.set_context(mode=ms.GRAPH_MODE, device_target="CPU")
init()
ms.set_seed(1)
ms.reset_auto_parallel_context()
ms.set_auto_parallel_context(
    parallel_mode=ms.ParallelMode.DATA_PARALLEL,
    gradients_mean=True,
    device_num=get_group_size(),
    parameter_broadcast=True,
)


class Images:
    """Pictures with a bright quarter, which is their class."""

    def __init__(self, count):
        generator = np.random.default_rng(3)
        self.labels = generator.integers(0, 4, count).astype(np.int32)
        self.images = generator.integers(0, 60, (count, 12, 12, 1)).astype(np.uint8)
        for image, label in zip(self.images, self.labels, strict=True):
            image[6 * (label // 2) :][:6, 6 * (label % 2) :][:, :6] += 150

    def __getitem__(self, index):
        return self.images[index], self.labels[index]

    def __len__(self):
        return len(self.labels)


def create_dataset(batch_size, count, training):
    data_set = ds.GeneratorDataset(
        Images(count), ["image", "label"], shuffle=training, num_shards=get_group_size(), shard_id=get_rank()
    )
    image_ops = [vision.Rescale(1.0 / 255.0, 0), vision.Normalize([0.3], [0.3]), vision.HWC2CHW()]
    data_set = data_set.map(operations=image_ops, input_columns="image")
    data_set = data_set.map(operations=transforms.TypeCast(ms.int32), input_columns="label")
    return data_set.batch(batch_size, drop_remainder=True)


class LeNet(nn.Cell):
    def __init__(self, num_class=4):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, pad_mode="valid")
        self.norm = nn.SyncBatchNorm(4)
        self.pool = nn.MaxPool2d(2, 2)
        self.relu = nn.ReLU()
        self.flatten = nn.Flatten()
        self.fc = nn.Dense(4 * 5 * 5, num_class)

    def construct(self, x):
        return self.fc(self.flatten(self.pool(self.relu(self.norm(self.conv(x))))))


class History(train.Callback):
    def __init__(self):
        super().__init__()
        self.losses = []

    def on_train_step_end(self, run_context):
        self.losses.append(float(run_context.original_args().net_outputs.asnumpy()))


folder = sys.argv[1]
dataset = create_dataset(8, 96, True)
net = LeNet()
lr = nn.cosine_decay_lr(0.01, 0.1, 3 * dataset.get_dataset_size(), dataset.get_dataset_size(), 3)
optimizer = nn.Momentum(net.trainable_params(), lr, 0.9)
loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
model = ms.Model(net, loss_fn=loss, optimizer=optimizer, metrics={"acc": train.Accuracy()}, amp_level="O0")
history = History()
config = train.CheckpointConfig(save_checkpoint_steps=dataset.get_dataset_size(), keep_checkpoint_max=2)
checkpoint = train.ModelCheckpoint(prefix="lenet", directory=os.path.join(folder, "ckpt"), config=config)
model.train(
    3, dataset, callbacks=[train.LossMonitor(100), train.TimeMonitor(), history, checkpoint], dataset_sink_mode=False
)

assert dataset.get_dataset_size() == 96 // 8 // get_group_size()
assert history.losses[-1] < history.losses[0] / 2, history.losses
accuracy = model.eval(create_dataset(8, 64, False))["acc"]
assert accuracy > 0.9, accuracy
saved = sorted(name for name in os.listdir(os.path.join(folder, "ckpt")) if name.endswith(".ckpt"))
assert len(saved) == 2, saved
again = LeNet()
ms.load_param_into_net(again, ms.load_checkpoint(os.path.join(folder, "ckpt", saved[-1])))
assert (again.fc.weight.asnumpy() == net.fc.weight.asnumpy()).all()
print(f"rank {get_rank()} is done")
