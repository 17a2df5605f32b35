"""A head and a loss as of YOLOv5 and its successors.

Anchors on two scales, assignment by shape, CIoU, focal objectness.
"""

import math

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops

ANCHORS = [[[4, 5], [8, 6]], [[10, 12], [14, 18]]]
STRIDES = [4, 8]


class ConvNormAct(nn.Cell):
    def __init__(self, c1, c2, k=1, s=1, act=True):
        super().__init__()
        self.conv = nn.Conv2d(c1, c2, k, s, pad_mode="pad", padding=k // 2, has_bias=False)
        self.bn = nn.BatchNorm2d(c2, momentum=1 - 0.03, eps=1e-3)
        self.act = nn.SiLU() if act is True else (act if isinstance(act, nn.Cell) else nn.Identity())

    def construct(self, x):
        return self.act(self.bn(self.conv(x)))


class C3(nn.Cell):
    def __init__(self, c1, c2, n=1, shortcut=True):
        super().__init__()
        c_ = c2 // 2
        self.conv1, self.conv2 = ConvNormAct(c1, c_), ConvNormAct(c1, c_)
        self.conv3 = ConvNormAct(2 * c_, c2)
        self.m = nn.SequentialCell([nn.SequentialCell([ConvNormAct(c_, c_), ConvNormAct(c_, c_, 3)]) for _ in range(n)])
        self.shortcut = shortcut

    def construct(self, x):
        y = self.conv1(x)
        y = y + self.m(y) if self.shortcut else self.m(y)
        return self.conv3(ops.concat((y, self.conv2(x)), 1))


class SPPF(nn.Cell):
    def __init__(self, c1, c2, k=5):
        super().__init__()
        self.conv1 = ConvNormAct(c1, c1 // 2)
        self.conv2 = ConvNormAct(c1 * 2, c2)
        self.maxpool = nn.MaxPool2d(kernel_size=k, stride=1, pad_mode="same")
        self.concat = ops.Concat(axis=1)

    def construct(self, x):
        x = self.conv1(x)
        m1 = self.maxpool(x)
        m2 = self.maxpool(m1)
        return self.conv2(self.concat((x, m1, m2, self.maxpool(m2))))


class YOLOHead(nn.Cell):
    def __init__(self, nc, anchors, ch):
        super().__init__()
        self.nc, self.no = nc, nc + 5
        self.nl, self.na = len(anchors), len(anchors[0])
        anchors = np.array(anchors, np.float32).reshape(self.nl, self.na, 2)
        scaled = anchors / np.array(STRIDES, np.float32).reshape(-1, 1, 1)
        self.anchors = Parameter(Tensor(scaled, ms.float32), requires_grad=False)
        self.m = nn.CellList([nn.Conv2d(x, self.no * self.na, 1, pad_mode="valid", has_bias=True) for x in ch])
        for mi, s in zip(self.m, STRIDES):
            b = mi.bias.view(self.na, -1).asnumpy()
            b[:, 4] += math.log(8 / (64 / s) ** 2)
            mi.bias = Parameter(Tensor(b.reshape(-1), ms.float32), requires_grad=True)

    def construct(self, x):
        outs = ()
        for i in range(self.nl):
            out = self.m[i](x[i])
            bs, _, ny, nx = out.shape
            outs += (ops.transpose(out.view(bs, self.na, self.no, ny, nx), (0, 1, 3, 4, 2)),)
        return outs


class YOLO(nn.Cell):
    def __init__(self, nc=3, width=8):
        super().__init__()
        self.stem = ConvNormAct(3, width, 3, 2)
        self.stage1 = nn.SequentialCell([ConvNormAct(width, width, 3, 2), C3(width, width)])
        self.stage2 = nn.SequentialCell([ConvNormAct(width, 2 * width, 3, 2), SPPF(2 * width, 2 * width)])
        self.lateral = ConvNormAct(2 * width, width)
        self.up = C3(2 * width, width, shortcut=False)
        self.head = YOLOHead(nc, ANCHORS, (width, 2 * width))

    def construct(self, x):
        p2 = self.stage1(self.stem(x))
        p3 = self.stage2(p2)
        lateral = ops.ResizeNearestNeighbor((p2.shape[2], p2.shape[3]))(self.lateral(p3))
        return self.head((self.up(ops.cat((lateral, p2), axis=1)), p3))


def bbox_ciou(box1, box2, eps=1e-7):
    """Complete IoU of boxes (x, y, w, h)."""
    x1, y1, w1, h1 = ops.split(box1, 1, 1)
    x2, y2, w2, h2 = ops.split(box2, 1, 1)
    left, right = ops.maximum(x1 - w1 / 2, x2 - w2 / 2), ops.minimum(x1 + w1 / 2, x2 + w2 / 2)
    top, bottom = ops.maximum(y1 - h1 / 2, y2 - h2 / 2), ops.minimum(y1 + h1 / 2, y2 + h2 / 2)
    inter = ops.clip_by_value(right - left, 0, None) * (bottom - top).clip(0, None)
    union = w1 * h1 + w2 * h2 - inter + eps
    iou = inter / union
    cw = ops.maximum(x1 + w1 / 2, x2 + w2 / 2) - ops.minimum(x1 - w1 / 2, x2 - w2 / 2)
    ch = ops.maximum(y1 + h1 / 2, y2 + h2 / 2) - ops.minimum(y1 - h1 / 2, y2 - h2 / 2)
    c2 = cw**2 + ch**2 + eps
    rho2 = (x2 - x1) ** 2 + (y2 - y1) ** 2
    v = (4 / math.pi**2) * ops.pow(ops.atan(w2 / (h2 + eps)) - ops.atan(w1 / (h1 + eps)), 2)
    alpha = ops.stop_gradient(v / (v - iou + (1 + eps)))
    return (iou - (rho2 / c2 + v * alpha)).squeeze(1)


class FocalLoss(nn.Cell):
    def __init__(self, bce_weight=None, gamma=1.5, alpha=0.25):
        super().__init__()
        self.loss_fcn = nn.BCEWithLogitsLoss(pos_weight=bce_weight, reduction="none")
        self.gamma, self.alpha = gamma, alpha

    def construct(self, pred, true):
        loss = self.loss_fcn(pred, true)
        pred_prob = ops.sigmoid(pred)
        p_t = true * pred_prob + (1 - true) * (1 - pred_prob)
        alpha_factor = true * self.alpha + (1 - true) * (1 - self.alpha)
        return (loss * alpha_factor * (1.0 - p_t) ** self.gamma).mean()


class YOLOLoss(nn.Cell):
    def __init__(self, anchors, nc=3, box=0.05, obj=1.0, cls=0.5):
        super().__init__()
        self.nc, self.box, self.obj, self.cls = nc, box, obj, cls
        self.anchors = anchors
        self.balance = [4.0, 1.0]
        self.bce_cls = nn.BCEWithLogitsLoss(pos_weight=Tensor([1.0], ms.float32), reduction="none")
        self.bce_obj = FocalLoss(Tensor([1.0], ms.float32))
        self._off = Tensor([[0.0, 0.0], [0.5, 0.0], [0.0, 0.5]], ms.float32)

    def build_targets(self, i, targets, ny, nx):
        """Each target with each anchor and each offset; a mask tells which of them count."""
        anchors = self.anchors[i]
        na, nt = anchors.shape[0], targets.shape[0]
        gain = Tensor([1, 1, nx, ny, nx, ny], ms.float32)
        t = (targets * gain).expand_dims(0).broadcast_to((na, nt, 6))
        ratio = t[..., 4:6] / anchors[:, None]
        fits = ops.maximum(ratio, 1 / (ratio + 1e-9)).max(axis=2) < 4.0
        mask = ops.logical_and(fits, t[..., 4] > 0)
        ai = ops.tile(ops.arange(na).view(-1, 1), (1, nt))
        gxy = t[..., 2:4]
        near = ops.logical_and(gxy % 1.0 < 0.5, gxy > 1.0)
        keep = ops.stack((ops.ones_like(near[..., 0]), near[..., 0], near[..., 1]))
        mask = ops.logical_and(keep, mask.expand_dims(0))
        t = ops.tile(t.expand_dims(0), (3, 1, 1, 1)).view(-1, 6)
        ai = ops.tile(ai[None], (3, 1, 1)).view(-1)
        offset = ops.broadcast_to(self._off[:, None, None, :], (3, na, nt, 2)).view(-1, 2)
        gij = ops.cast(t[:, 2:4] - offset, ms.int32)
        gi, gj = gij[:, 0].clip(0, nx - 1), gij[:, 1].clip(0, ny - 1)
        tbox = ops.concat((t[:, 2:4] - ops.cast(gij, ms.float32), t[:, 4:6]), 1)
        return (
            ops.cast(mask.view(-1), ms.float32),
            t[:, 0].astype(ms.int32),
            t[:, 1].int(),
            ai,
            gj,
            gi,
            tbox,
            anchors[ai],
        )

    def construct(self, preds, targets):
        lcls, lbox, lobj = 0.0, 0.0, 0.0
        for i, pi in enumerate(preds):
            ny, nx = pi.shape[2], pi.shape[3]
            targets_i = ops.stop_gradient(targets)
            mask, b, c, a, gj, gi, tbox, anchors = self.build_targets(i, targets_i, ny, nx)
            number = mask.sum() + 1e-6
            meta = pi[b, a, gj, gi]
            pxy = ops.sigmoid(meta[:, :2]) * 2 - 0.5
            pwh = (ops.Sigmoid()(meta[:, 2:4]) * 2) ** 2 * anchors
            iou = bbox_ciou(ops.concat((pxy, pwh), 1), tbox)
            lbox += ((1.0 - iou) * mask).sum() / number
            score = ops.stop_gradient(iou).clip(0, None) * mask
            tobj = ops.zeros(pi.shape[:4], pi.dtype)
            tobj = (
                ops.tensor_scatter_elements(tobj.view(-1), ((b * pi.shape[1] + a) * ny + gj) * nx + gi, score, 0, "add")
                .view(tobj.shape)
                .clip(None, 1.0)
            )
            onehot = ops.one_hot(c, self.nc, Tensor(1.0, ms.float32), Tensor(0.0, ms.float32))
            lcls += (self.bce_cls(meta[:, 5:], onehot).mean(1) * mask).sum() / number
            lobj += self.bce_obj(pi[..., 4], tobj) * self.balance[i]
        bs = preds[0].shape[0]
        lbox, lobj, lcls = lbox * self.box, lobj * self.obj, lcls * self.cls
        loss = (lbox + lobj + lcls) * bs
        return loss, ops.stop_gradient(ops.stack((loss, lbox, lobj, lcls)))


def make():
    net = YOLO()
    loss_fn = YOLOLoss(net.head.anchors)
    net.set_train()
    lr = [0.01, 0.02, 0.01]
    optimizer = nn.SGD(net.trainable_params(), lr, momentum=0.9, nesterov=True, weight_decay=5e-4)

    def forward(x, label):
        loss, items = loss_fn(net(x), label)
        return loss, items

    grad_fn = ops.value_and_grad(forward, grad_position=None, weights=optimizer.parameters, has_aux=True)

    @ms.jit
    def train_step(x, label):
        (_, items), grads = grad_fn(x, label)
        optimizer(grads)
        return items[0], items[1], items[2], items[3], grads

    def step(x, label):
        *losses, grads = train_step(x, label)
        return losses, grads

    rng = np.random.RandomState(6)
    batches = []
    for _ in range(3):
        boxes = np.zeros((6, 6), np.float32)
        boxes[:5, 0] = rng.randint(0, 2, 5)
        boxes[:5, 1] = rng.randint(0, 3, 5)
        boxes[:5, 2:4] = rng.uniform(0.2, 0.8, (5, 2))
        boxes[:5, 4:] = rng.uniform(0.1, 0.5, (5, 2))
        batches.append((rng.rand(2, 3, 32, 32).astype(np.float32), boxes))
    return net, optimizer.parameters, step, batches
