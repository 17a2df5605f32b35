"""Model.train with loss scales, callbacks and checkpoints, as MindSpore's tutorials write it."""

import os
import sys

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import context, nn
from mindspore.communication.management import get_group_size, get_rank, init
from mindspore.train import (
    Accuracy,
    Callback,
    CheckpointConfig,
    DynamicLossScaleManager,
    FixedLossScaleManager,
    LossMonitor,
    Model,
    ModelCheckpoint,
    TimeMonitor,
    Top5CategoricalAccuracy,
)

ms.set_seed(1)
np.random.seed(1)
context.set_context(mode=context.GRAPH_MODE, device_target="CPU")
init()
rank, size = get_rank(), get_group_size()
context.reset_auto_parallel_context()
context.set_auto_parallel_context(
    device_num=size,
    parallel_mode=context.ParallelMode.DATA_PARALLEL,
    gradients_mean=True,
    parameter_broadcast=True,
    enable_parallel_optimizer="zero" in sys.argv,
)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.seq = nn.SequentialCell(
            nn.Dense(10, 64),
            nn.LayerNorm((64,)),
            nn.ReLU(),
            nn.Dense(64, 6),
        )

    def construct(self, x):
        return self.seq(x)


rng = np.random.default_rng(5)
X = rng.standard_normal((128, 10)).astype(np.float32)
Y = (X @ rng.standard_normal((10, 6))).argmax(1).astype(np.int32)


class Source:
    def __getitem__(self, i):
        return X[i], Y[i]

    def __len__(self):
        return len(X)


def make(bs):
    d = ds.GeneratorDataset(Source(), ["data", "label"], shuffle=False, num_shards=size, shard_id=rank)
    return d.batch(bs, drop_remainder=True).repeat(1)


class Hist(Callback):
    def __init__(self):
        super().__init__()
        self.losses = []

    def step_end(self, run_context):
        p = run_context.original_args()
        o = p.net_outputs
        o = o[0] if isinstance(o, tuple) else o
        self.losses.append(float(ms.ops.AllReduce()(o) / size))


class EvalCb(Callback):
    def __init__(self, model, data):
        super().__init__()
        self.model, self.data, self.accs = model, data, []

    def epoch_end(self, run_context):
        self.accs.append(self.model.eval(self.data, dataset_sink_mode=False)["acc"])


net = Net()
opt = nn.Adam(net.trainable_params(), 0.02)
loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
model = Model(
    net,
    loss,
    opt,
    metrics={"acc": Accuracy(), "top5": Top5CategoricalAccuracy()},
    loss_scale_manager=DynamicLossScaleManager(2**10, 1000)
    if "dyn" in sys.argv
    else FixedLossScaleManager(128.0, False),
    amp_level="O0",
)
ck = ModelCheckpoint(
    prefix="n",
    directory=os.path.join(os.path.dirname(sys.argv[1]), f"rank_{rank}_of_{size}"),
    config=CheckpointConfig(save_checkpoint_steps=4, keep_checkpoint_max=1, integrated_save="zero" in sys.argv),
)
h = Hist()
e = EvalCb(model, make(32 // size))
model.train(
    4,
    make(32 // size),
    callbacks=[LossMonitor(1000), TimeMonitor(1000), h, e, ck],
    dataset_sink_mode="sink" in sys.argv,
)
print(f"rank {rank} is done")
np.savez(
    sys.argv[1] + f"_{rank}", losses=h.losses, accs=e.accs, **{k: v.asnumpy() for k, v in net.parameters_dict().items()}
)
