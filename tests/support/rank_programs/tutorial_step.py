"""Data parallel with TrainOneStepCell and a loop over the data, as MindSpore's tutorials write it, unchanged."""

import mindspore.dataset as ds
import numpy as np
from mindspore import Parameter, Tensor, context, dtype as mstype, nn, ops
from mindspore.common.initializer import TruncatedNormal
from mindspore.communication.management import get_group_size, get_rank, init
from mindspore.context import ParallelMode

context.set_context(mode=context.GRAPH_MODE, device_target="CPU")
init()
rank_id, rank_size = get_rank(), get_group_size()
context.set_auto_parallel_context(
    parallel_mode=ParallelMode.DATA_PARALLEL, gradients_mean=True, parameter_broadcast=True, device_num=rank_size
)


class LinearNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(3, 1, weight_init=TruncatedNormal(0.02), bias_init="zeros")
        self.scale = Parameter(Tensor([1.0], mstype.float32), name="scale")

    def construct(self, x):
        return ops.mul(self.fc(x), self.scale)


def get_data(num, w=(2.0, -1.0, 0.5), b=3.0):
    generator = np.random.default_rng(0)
    for _ in range(num):
        x = generator.uniform(-1.0, 1.0, 3).astype(np.float32)
        yield x, np.array([x @ np.array(w, np.float32) + b], np.float32)


def create_dataset(num_data, batch_size, repeat_size=1):
    input_data = ds.GeneratorDataset(
        list(get_data(num_data)), column_names=["data", "label"], num_shards=rank_size, shard_id=rank_id, shuffle=False
    )
    input_data = input_data.batch(batch_size)
    return input_data.repeat(repeat_size)


network = LinearNet()
net_loss = nn.MSELoss()
opt = nn.Momentum(network.trainable_params(), learning_rate=0.05, momentum=0.9)
net_with_criterion = nn.WithLossCell(network, net_loss)
train_network = nn.TrainOneStepCell(net_with_criterion, opt)
train_network.set_train()
dataset = create_dataset(num_data=64, batch_size=8, repeat_size=20)
losses = []
for step, item in enumerate(dataset.create_dict_iterator()):
    loss = train_network(item["data"], item["label"])
    losses.append(float(loss.asnumpy()))
    if step % 20 == 0 and rank_id == 0:
        print("step:", step, "loss is", loss)
assert len(losses) == 20 * 64 // 8 // rank_size
assert losses[-1] < 1e-2, losses[-1]
weights = ops.AllGather()(network.fc.weight).asnumpy()
assert (weights[0] == weights[-1]).all()
print(f"rank {rank_id} is done")
