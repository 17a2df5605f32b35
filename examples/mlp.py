"""Train a small MLP with Model and Adam: which of 569 tumours are benign? The data comes with scikit-learn.

python examples/mlp.py
"""

import numpy as np
from sklearn.datasets import load_breast_cancer

import mycel as ms
from mycel import Model, Tensor, nn
from mycel.dataset import NumpySlicesDataset
from mycel.train import LossMonitor


def load():
    """30 numbers for each tumour and its class: 456 tumours to train on, 113 to test."""
    data = load_breast_cancer()
    order = np.random.default_rng(0).permutation(len(data.target))
    features = (data.data - data.data.mean(0)) / data.data.std(0)
    features, labels = features[order].astype(np.float32), data.target[order].astype(np.int32)
    return (features[:456], labels[:456]), (features[456:], labels[456:])


def make_dataset(data, batch):
    """Batches of features and labels."""
    return NumpySlicesDataset(data, ["features", "label"], shuffle=True).batch(batch, drop_remainder=True)


def main():
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_seed(1)
    train, test = load()
    net = nn.SequentialCell(nn.Dense(30, 32), nn.ReLU(), nn.Dense(32, 16), nn.ReLU(), nn.Dense(16, 2))
    loss_fn = nn.CrossEntropyLoss()
    optimizer = nn.Adam(net.trainable_params(), learning_rate=5e-3)
    model = Model(net, loss_fn, optimizer, metrics={"accuracy"})

    first = float(loss_fn(net(Tensor(train[0])), Tensor(train[1])))
    model.train(6, make_dataset(train, 57), callbacks=LossMonitor(8))
    last = float(loss_fn(net(Tensor(train[0])), Tensor(train[1])))
    print(f"loss before {first:.3f}, after {last:.3f}")

    accuracy = model.eval(make_dataset(test, 113))["accuracy"]
    print(f"test accuracy {accuracy:.2%}")


if __name__ == "__main__":
    main()
