"""DETR (Carion et al., 2020).

A convolutional backbone, a transformer with queries, losses of matched boxes with GIoU.
"""

import math

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops


class PositionEmbeddingSine(nn.Cell):
    def __init__(self, num_pos_feats=8, temperature=10000, scale=2 * math.pi):
        super().__init__()
        self.num_pos_feats, self.temperature, self.scale = num_pos_feats, temperature, scale

    def construct(self, mask):
        not_mask = ops.logical_not(mask).astype(ms.float32)
        y_embed, x_embed = not_mask.cumsum(1), not_mask.cumsum(2)
        y_embed = y_embed / (y_embed[:, -1:, :] + 1e-6) * self.scale
        x_embed = x_embed / (x_embed[:, :, -1:] + 1e-6) * self.scale
        dim_t = ops.arange(self.num_pos_feats).astype(ms.float32)
        dim_t = self.temperature ** (2 * ops.floor_divide(dim_t, 2) / self.num_pos_feats)
        pos_x, pos_y = x_embed[..., None] / dim_t, y_embed[..., None] / dim_t
        pos_x = ops.stack((pos_x[..., 0::2].sin(), pos_x[..., 1::2].cos()), axis=4).flatten(start_dim=3)
        pos_y = ops.stack((pos_y[..., 0::2].sin(), pos_y[..., 1::2].cos()), axis=4).flatten(start_dim=3)
        return ops.concat((pos_y, pos_x), axis=3).transpose(0, 3, 1, 2)


class EncoderLayer(nn.Cell):
    def __init__(self, d_model, nhead, dim_feedforward):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, nhead, dropout=0.0)
        self.linear1 = nn.Dense(d_model, dim_feedforward)
        self.linear2 = nn.Dense(dim_feedforward, d_model)
        self.norm1, self.norm2 = nn.LayerNorm((d_model,)), nn.LayerNorm((d_model,))
        self.activation = ops.relu

    def construct(self, src, mask, pos):
        q = k = src + pos
        src2 = self.self_attn(q, k, value=src, key_padding_mask=mask)[0]
        src = self.norm1(src + src2)
        return self.norm2(src + self.linear2(self.activation(self.linear1(src))))


class DecoderLayer(nn.Cell):
    def __init__(self, d_model, nhead, dim_feedforward):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, nhead)
        self.multihead_attn = nn.MultiheadAttention(d_model, nhead)
        self.ffn = nn.SequentialCell(nn.Dense(d_model, dim_feedforward), nn.ReLU(), nn.Dense(dim_feedforward, d_model))
        self.norms = nn.CellList([nn.LayerNorm([d_model]) for _ in range(3)])

    def construct(self, tgt, memory, mask, pos, query_pos):
        q = k = tgt + query_pos
        tgt = self.norms[0](tgt + self.self_attn(q, k, tgt)[0])
        attended = self.multihead_attn(
            tgt + query_pos, memory + pos, memory, key_padding_mask=mask, need_weights=False
        )[0]
        tgt = self.norms[1](tgt + attended)
        return self.norms[2](tgt + self.ffn(tgt))


class DETR(nn.Cell):
    def __init__(self, num_classes=3, num_queries=5, hidden=16, nheads=2):
        super().__init__()
        self.backbone = nn.SequentialCell(
            [
                nn.Conv2d(3, 8, 3, 2, pad_mode="pad", padding=1, has_bias=True),
                nn.ReLU(),
                nn.Conv2d(8, 12, 3, 2, pad_mode="pad", padding=1, has_bias=True),
                nn.ReLU(),
            ]
        )
        self.input_proj = nn.Conv2d(12, hidden, kernel_size=1, has_bias=True)
        self.position = PositionEmbeddingSine(hidden // 2)
        self.encoder = nn.CellList([EncoderLayer(hidden, nheads, 32)])
        self.decoder = nn.CellList([DecoderLayer(hidden, nheads, 32) for _ in range(2)])
        self.query_embed = nn.Embedding(num_queries, hidden)
        self.class_embed = nn.Dense(hidden, num_classes + 1)
        self.bbox_embed = nn.SequentialCell(nn.Dense(hidden, hidden), nn.ReLU(), nn.Dense(hidden, 4), nn.Sigmoid())

    def construct(self, images, mask):
        features = self.backbone(images)
        mask = ops.interpolate(mask[:, None].astype(ms.float32), size=features.shape[-2:], mode="nearest")[:, 0]
        mask = mask.astype(ms.bool_)
        pos = self.position(mask).flatten(start_dim=2).permute(2, 0, 1)
        src = self.input_proj(features)
        b, c, _, _ = src.shape
        src = src.reshape(b, c, -1).permute(2, 0, 1)
        mask = mask.reshape(b, -1)
        for layer in self.encoder:
            src = layer(src, mask, pos)
        query_pos = ops.tile(self.query_embed.embedding_table.expand_dims(1), (1, b, 1))
        tgt = ops.zeros_like(query_pos)
        outputs = []
        for layer in self.decoder:
            tgt = layer(tgt, src, mask, pos, query_pos)
            hs = tgt.swapaxes(0, 1)
            outputs.append({"pred_logits": self.class_embed(hs), "pred_boxes": self.bbox_embed(hs)})
        return outputs


def box_cxcywh_to_xyxy(x):
    x_c, y_c, w, h = x.unbind(-1) if hasattr(x, "unbind") else ops.unstack(x, -1)
    return ops.stack([x_c - 0.5 * w, y_c - 0.5 * h, x_c + 0.5 * w, y_c + 0.5 * h], axis=-1)


def generalized_iou(a, b):
    area_a = (a[..., 2] - a[..., 0]) * (a[..., 3] - a[..., 1])
    area_b = (b[..., 2] - b[..., 0]) * (b[..., 3] - b[..., 1])
    wh = (ops.minimum(a[..., 2:], b[..., 2:]) - ops.maximum(a[..., :2], b[..., :2])).clamp(0.0, None)
    inter = wh[..., 0] * wh[..., 1]
    union = area_a + area_b - inter
    hull = (ops.maximum(a[..., 2:], b[..., 2:]) - ops.minimum(a[..., :2], b[..., :2])).clamp(min=0)
    area = hull[..., 0] * hull[..., 1]
    return inter / union - (area - union) / area


class SetCriterion(nn.Cell):
    """Losses for predictions that are matched to targets; the matching is given as indices."""

    def __init__(self, num_classes=3, eos_coef=0.1):
        super().__init__()
        self.num_classes = num_classes
        weight = np.ones(num_classes + 1, np.float32)
        weight[-1] = eos_coef
        self.empty_weight = Parameter(Tensor(weight), name="empty_weight", requires_grad=False)
        self.weight_dict = {"loss_ce": 1.0, "loss_bbox": 5.0, "loss_giou": 2.0}

    def loss_labels(self, outputs, labels, batch_idx, src_idx):
        logits = outputs["pred_logits"]
        classes = ops.full(logits.shape[:2], self.num_classes, dtype=ms.int32)
        classes[batch_idx, src_idx] = labels
        return {"loss_ce": ops.cross_entropy(logits.swapaxes(1, 2), classes, self.empty_weight)}

    def loss_boxes(self, outputs, boxes, batch_idx, src_idx):
        chosen = outputs["pred_boxes"][batch_idx, src_idx]
        l1 = ops.l1_loss(chosen, boxes, reduction="none").sum() / boxes.shape[0]
        giou = 1 - generalized_iou(box_cxcywh_to_xyxy(chosen), box_cxcywh_to_xyxy(boxes))
        return {"loss_bbox": l1, "loss_giou": giou.sum() / boxes.shape[0]}

    def construct(self, outputs, labels, boxes, batch_idx, src_idx):
        total = 0
        for layer in outputs:
            losses = {}
            losses.update(self.loss_labels(layer, labels, batch_idx, src_idx))
            losses.update(self.loss_boxes(layer, boxes, batch_idx, src_idx))
            total = total + sum([losses[k] * self.weight_dict[k] for k in losses.keys() if k in self.weight_dict])
        return total


def make():
    net = DETR()
    criterion = SetCriterion()
    net.set_train()
    heads, rest = [], []
    for param in net.trainable_params():
        (heads if "backbone" in param.name else rest).append(param)
    groups = [{"params": heads, "lr": 1e-3, "weight_decay": 1e-4}, {"params": rest, "lr": 3e-3}]
    optimizer = nn.AdamWeightDecay(groups, learning_rate=3e-3)

    def forward_fn(images, mask, *targets):
        return criterion(net(images, mask), *targets)

    grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=False)

    @ms.jit
    def step(*batch):
        loss, grads = grad_fn(*batch)
        grads = ops.clip_by_norm(grads, 0.1) if hasattr(ops, "clip_by_norm") else grads
        optimizer(grads)
        return loss, grads

    rng = np.random.RandomState(8)
    batches = []
    for _ in range(3):
        mask = np.zeros((2, 16, 16), np.bool_)
        mask[1, :, 12:] = True
        boxes = np.concatenate([rng.uniform(0.3, 0.7, (3, 2)), rng.uniform(0.1, 0.4, (3, 2))], 1).astype(np.float32)
        labels, rows = rng.randint(0, 3, 3).astype(np.int32), np.array([0, 0, 1], np.int32)
        batches.append(
            (rng.randn(2, 3, 16, 16).astype(np.float32), mask, labels, boxes, rows, np.array([3, 1, 4], np.int32))
        )
    return net, optimizer.parameters, step, batches
