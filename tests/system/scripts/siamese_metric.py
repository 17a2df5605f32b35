"""Face verification: a siamese network with an angular margin, triplets, frozen layers, a checkpoint with a prefix."""

import math
import os
import tempfile

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops


class Backbone(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell(
            nn.Conv2d(1, 4, 3, 2, pad_mode="pad", padding=1), nn.BatchNorm2d(4), nn.PReLU(4), nn.Flatten()
        )
        self.embed = nn.Dense(4 * 4 * 4, 6, has_bias=False)
        self.norm = ops.L2Normalize(axis=1, epsilon=1e-10)

    def construct(self, x):
        return self.norm(self.embed(self.layers(x)))


class ArcMargin(nn.Cell):
    def __init__(self, features, classes, s=8.0, m=0.3):
        super().__init__()
        self.weight = Parameter(
            Tensor(np.cos(np.arange(classes * features)).reshape(classes, features), ms.float32), name="arc"
        )
        self.s, self.m = s, m
        self.cos_m, self.sin_m = math.cos(m), math.sin(m)
        self.th, self.mm = math.cos(math.pi - m), math.sin(math.pi - m) * m
        self.one_hot = nn.OneHot(depth=classes)

    def construct(self, x, label):
        cosine = ops.matmul(x, ops.L2Normalize(1)(self.weight).T)
        sine = ops.sqrt(ops.clip_by_value(1.0 - ops.pow(cosine, 2), 1e-6, 1.0))
        phi = cosine * self.cos_m - sine * self.sin_m
        phi = ops.select(cosine > self.th, phi, cosine - self.mm)
        hot = self.one_hot(label)
        return (hot * phi + (1.0 - hot) * cosine) * self.s


class Head(nn.Cell):
    def __init__(self, backbone):
        super().__init__()
        self.backbone, self.margin = backbone, ArcMargin(6, 3)
        self.distance = self.euclidean
        self.ce = nn.CrossEntropyLoss()

    @staticmethod
    def euclidean(x, y):
        return ops.sqrt(((x - y) ** 2).sum(axis=1) + 1e-6)

    def construct(self, anchor, positive, negative, label):
        a, p, n = self.backbone(anchor), self.backbone(positive), self.backbone(negative)
        triplet = ops.relu(self.distance(a, p) - self.distance(a, n) + 0.5).mean()
        return self.ce(self.margin(a, label), label) + triplet


def main(initialize):
    ms.set_context(mode=ms.GRAPH_MODE)
    backbone = Backbone()
    net = Head(backbone)
    initialize(net)
    for name, param in net.parameters_and_names():
        if "layers.0" in name:
            param.requires_grad = False
    optimizer = nn.Adam(net.trainable_params(), 0.01)
    step = nn.TrainOneStepCell(net, optimizer)
    step.set_train()
    rng = np.random.RandomState(8)
    losses = []
    for _ in range(3):
        images = [Tensor(rng.rand(3, 1, 8, 8), ms.float32) for _ in range(3)]
        losses.append(float(step(*images, Tensor([0, 1, 2], ms.int32)).asnumpy()))
    file = os.path.join(tempfile.mkdtemp(), "face.ckpt")
    ms.save_checkpoint(net, file)
    state = {k[len("backbone.") :]: v for k, v in ms.load_checkpoint(file).items() if k.startswith("backbone.")}
    fresh = Backbone()
    missing, _ = ms.load_param_into_net(fresh, state)
    fresh.set_train(False)
    backbone.set_train(False)
    x, y = Tensor(rng.rand(1, 1, 8, 8), ms.float32), Tensor(rng.rand(1, 1, 8, 8), ms.float32)
    similarity = ops.cosine_similarity(fresh(x), backbone(y))
    return [losses, [p.name for p in net.trainable_params()], missing, similarity.asnumpy().round(4).tolist()]
