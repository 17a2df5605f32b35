"""A graph network that learns 1,797 digits from 40 labels: labels spread along edges between similar images.

python examples/gnn.py
"""

import numpy as np
from sklearn.datasets import load_digits
from sklearn.neighbors import kneighbors_graph

import mycel as ms
from mycel import Tensor, nn, ops

NEIGHBOURS, LABELLED, STEPS = 6, 40, 100


def load():
    """Images, labels, and the edges: from each image to itself and to the most similar ones, and back."""
    digits = load_digits()
    images = (digits.data / 16.0).astype(np.float32)
    adjacency = kneighbors_graph(images, NEIGHBOURS, include_self=True)
    source, target = (adjacency + adjacency.T).nonzero()
    return images, digits.target.astype(np.int32), source.astype(np.int32), target.astype(np.int32)


class GraphConv(nn.Cell):
    """A dense layer whose rows are mixed: each node gets the weighted sum over its neighbours."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.dense = nn.Dense(inputs, outputs)

    def construct(self, nodes, source, target, weight):
        messages = self.dense(nodes)[source] * weight.expand_dims(1)
        return ops.unsorted_segment_sum(messages, target, nodes.shape[0])


class Net(nn.Cell):
    """Two graph convolutions."""

    def __init__(self):
        super().__init__()
        self.first, self.second = GraphConv(64, 32), GraphConv(32, 10)
        self.dropout = nn.Dropout(p=0.3)

    def construct(self, nodes, source, target, weight):
        hidden = self.dropout(ops.relu(self.first(nodes, source, target, weight)))
        return self.second(hidden, source, target, weight)


def main():
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_seed(0)
    images, labels, source, target = load()
    degree = np.bincount(target)
    weight = (1 / np.sqrt(degree[source] * degree[target])).astype(np.float32)
    graph = tuple(Tensor(part) for part in (images, source, target, weight))
    # Four images of each class have a label.
    known = np.concatenate([np.flatnonzero(labels == c)[: LABELLED // 10] for c in range(10)]).astype(np.int32)
    rest = np.setdiff1d(np.arange(len(labels)), known)

    net, loss_fn = Net(), nn.CrossEntropyLoss()
    optimizer = nn.Adam(net.trainable_params(), learning_rate=0.02, weight_decay=5e-4)

    def forward(index, wanted):
        return loss_fn(net(*graph)[index], wanted)

    gradient = ms.value_and_grad(forward, None, optimizer.parameters)

    @ms.jit
    def step(index, wanted):
        loss, grads = gradient(index, wanted)
        optimizer(grads)
        return loss

    print(f"{len(images)} nodes, {len(source)} edges, {len(known)} labels")
    net.set_train()
    for number in range(STEPS + 1):
        loss = step(Tensor(known), Tensor(labels[known]))
        if number % 25 == 0:
            net.set_train(False)
            correct = net(*graph).asnumpy().argmax(1) == labels
            net.set_train()
            print(f"step {number:3d}  loss {float(loss):.3f}  accuracy on the other nodes {correct[rest].mean():.2%}")


if __name__ == "__main__":
    main()
