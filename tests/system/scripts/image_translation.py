"""A translation of images by two generators and two discriminators.

Losses and steps as Cells with GradOperation by lists and a sensitivity, an image pool, instance norm with reflection
padding, rates that fall linearly, and layers whose gradients are switched off.
"""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.common.initializer import Normal, initializer


def init_weights(net, init_type="normal", init_gain=0.02):
    for _, cell in net.cells_and_names():
        if isinstance(cell, (nn.Conv2d, nn.Conv2dTranspose)):
            cell.weight.set_data(initializer(Normal(init_gain), cell.weight.shape))
        elif isinstance(cell, nn.GroupNorm):
            cell.gamma.set_data(initializer("ones", cell.gamma.shape))


class ConvNormReLU(nn.Cell):
    def __init__(self, c1, c2, k=4, stride=2, alpha=0.2, norm_mode="instance", pad_mode="CONSTANT", padding=None):
        super().__init__()
        norm = {"batch": nn.BatchNorm2d(c2), "instance": nn.BatchNorm2d(c2, affine=False)}[norm_mode]
        padding = (k - 1) // 2 if padding is None else padding
        if pad_mode == "CONSTANT":
            layers = [nn.Conv2d(c1, c2, k, stride, pad_mode="pad", has_bias=norm_mode == "instance", padding=padding)]
        else:
            paddings = ((0, 0), (0, 0), (padding, padding), (padding, padding))
            layers = [nn.Pad(paddings=paddings, mode=pad_mode), nn.Conv2d(c1, c2, k, stride, pad_mode="pad")]
        layers += [norm, nn.LeakyReLU(alpha) if alpha > 0 else nn.ReLU()]
        self.features = nn.SequentialCell(layers)

    def construct(self, x):
        return self.features(x)


class Residual(nn.Cell):
    def __init__(self, dim):
        super().__init__()
        self.conv1 = ConvNormReLU(dim, dim, 3, 1, 0, pad_mode="REFLECT")
        self.conv2 = ConvNormReLU(dim, dim, 3, 1, 0, pad_mode="SYMMETRIC")
        self.dropout = nn.Dropout(p=0.5)

    def construct(self, x):
        return x + self.dropout(self.conv2(self.conv1(x)))


class Generator(nn.Cell):
    def __init__(self, width=4):
        super().__init__()
        self.conv_in = ConvNormReLU(3, width, 5, 1, 0, pad_mode="REFLECT")
        self.down = ConvNormReLU(width, 2 * width, 3, 2, 0)
        self.blocks = nn.SequentialCell([Residual(2 * width)])
        self.up = nn.Conv2dTranspose(2 * width, width, 3, 2, pad_mode="same", has_bias=True)
        self.norm = nn.GroupNorm(width, width)
        self.conv_out = nn.Conv2d(width, 3, 5, 1, pad_mode="pad", padding=2)

    def construct(self, x):
        x = self.blocks(self.down(self.conv_in(x)))
        return ops.tanh(self.conv_out(ops.relu(self.norm(self.up(x)))))


class Discriminator(nn.Cell):
    def __init__(self, width=4):
        super().__init__()
        self.features = nn.SequentialCell(
            [nn.Conv2d(3, width, 4, 2, pad_mode="pad", padding=1), nn.LeakyReLU(0.2)]
            + [ConvNormReLU(width, 2 * width), nn.Conv2d(2 * width, 1, 3, 1, pad_mode="pad", padding=1)]
        )

    def construct(self, x):
        return self.features(x)


class GANLoss(nn.Cell):
    def __init__(self, mode="lsgan", reduction="mean"):
        super().__init__()
        self.loss = nn.MSELoss(reduction) if mode == "lsgan" else nn.BCEWithLogitsLoss(reduction=reduction)
        self.ones = ops.OnesLike()

    def construct(self, predict, target):
        target = ops.cast(target, ops.dtype(predict))
        return self.loss(predict, self.ones(predict) * target)


class GeneratorLoss(nn.Cell):
    def __init__(self, g_a, g_b, d_a, d_b, lambda_idt=0.5):
        super().__init__()
        self.g_a, self.g_b, self.d_a, self.d_b = g_a, g_b, d_a, d_b
        self.lambda_idt, self.lambda_a, self.lambda_b = lambda_idt, 10.0, 10.0
        self.use_identity = lambda_idt > 0
        self.dis_loss, self.rec_loss = GANLoss(), nn.L1Loss("mean")

    def construct(self, img_a, img_b):
        fake_a, fake_b = self.g_b(img_b), self.g_a(img_a)
        rec_a, rec_b = self.g_b(fake_b), self.g_a(fake_a)
        if self.use_identity:
            loss_idt = self.rec_loss(self.g_a(img_b), img_b) * self.lambda_b * self.lambda_idt
            loss_idt += self.rec_loss(self.g_b(img_a), img_a) * self.lambda_a * self.lambda_idt
        else:
            loss_idt = 0
        loss_g_a = self.dis_loss(self.d_b(fake_b), True)
        loss_g_b = self.dis_loss(self.d_a(fake_a), True)
        loss_c = self.rec_loss(rec_a, img_a) * self.lambda_a + self.rec_loss(rec_b, img_b) * self.lambda_b
        return fake_a, fake_b, loss_g_a + loss_g_b + loss_c + loss_idt, loss_g_a, loss_c, loss_idt


class WithLossCell(nn.Cell):
    def __init__(self, network):
        super().__init__(auto_prefix=False)
        self.network = network

    def construct(self, img_a, img_b):
        outputs = self.network(img_a, img_b)
        return outputs[2]


class DiscriminatorLoss(nn.Cell):
    def __init__(self, d_a, d_b):
        super().__init__()
        self.d_a, self.d_b, self.dis_loss = d_a, d_b, GANLoss()
        self.false, self.true = Tensor(False, ms.bool_), Tensor(True, ms.bool_)

    def construct(self, img_a, img_b, fake_a, fake_b):
        loss_a = self.dis_loss(self.d_a(img_a), self.true) + self.dis_loss(self.d_a(fake_a), self.false)
        loss_b = self.dis_loss(self.d_b(img_b), self.true) + self.dis_loss(self.d_b(fake_b), self.false)
        return (loss_a + loss_b) * 0.5


class TrainOneStepG(nn.Cell):
    def __init__(self, generator, optimizer, sens=1.0):
        super().__init__(auto_prefix=False)
        self.optimizer, self.generator, self.net = optimizer, generator, WithLossCell(generator)
        self.generator.set_grad()
        self.generator.set_train()
        self.generator.d_a.set_grad(False)
        self.generator.d_a.set_train(False)
        self.generator.d_b.set_grad(False)
        self.generator.d_b.set_train(False)
        self.grad = ops.GradOperation(get_by_list=True, sens_param=True)
        self.sens, self.weights = sens, optimizer.parameters
        self.grad_reducer = ops.identity if hasattr(ops, "identity") else None

    def construct(self, img_a, img_b):
        fake_a, fake_b, lg, lga, lc, li = self.generator(img_a, img_b)
        sens = ops.fill(ops.dtype(lg), ops.shape(lg), self.sens)
        grads_g = self.grad(self.net, self.weights)(img_a, img_b, sens)
        return fake_a, fake_b, ops.depend(lg, self.optimizer(grads_g)), lga, lc, li


class TrainOneStepD(nn.Cell):
    def __init__(self, d, optimizer, sens=1.0):
        super().__init__(auto_prefix=False)
        self.optimizer, self.d, self.sens = optimizer, d, sens
        self.d.set_grad()
        self.d.set_train()
        self.grad, self.weights = (
            ops.GradOperation(get_by_list=True, sens_param=True),
            ms.ParameterTuple(d.trainable_params()),
        )

    def construct(self, img_a, img_b, fake_a, fake_b):
        ld = self.d(img_a, img_b, fake_a, fake_b)
        sens_d = ops.Fill()(ops.DType()(ld), ops.Shape()(ld), self.sens)
        grads_d = self.grad(self.d, self.weights)(img_a, img_b, fake_a, fake_b, sens_d)
        return ops.depend(ld, self.optimizer(grads_d))


class ImagePool:
    def __init__(self, pool_size=3, seed=7):
        self.pool_size, self.images, self.rng = pool_size, [], np.random.RandomState(seed)

    def query(self, images):
        if isinstance(images, Tensor):
            images = images.asnumpy()
        out = []
        for image in images:
            if len(self.images) < self.pool_size:
                self.images.append(image)
                out.append(image)
            elif self.rng.rand() > 0.5:
                index = self.rng.randint(0, self.pool_size)
                out.append(self.images[index].copy())
                self.images[index] = image
            else:
                out.append(image)
        return Tensor(np.array(out))


def get_lr(base, fixed, decay, steps):
    lrs = [base] * (fixed * steps)
    for epoch in range(decay):
        lrs += [base * (1.0 - max(0, epoch + 1) / decay)] * steps
    return Tensor(np.array(lrs).astype(np.float32))


def run(initialize, mode):
    ms.set_context(mode=mode)
    g_a, g_b, d_a, d_b = Generator(), Generator(), Discriminator(), Discriminator()
    for net in (g_a, g_b, d_a, d_b):
        init_weights(net)
        initialize(net)
        for _, cell in net.cells_and_names():
            if isinstance(cell, nn.Dropout):
                cell.p, cell.keep_prob = 0.0, 1.0
                cell.set_train(False)
    loss_g, loss_d = GeneratorLoss(g_a, g_b, d_a, d_b), DiscriminatorLoss(d_a, d_b)
    params_g = g_a.trainable_params() + g_b.trainable_params()
    for index, param in enumerate(params_g):
        param.name = f"g{index}.{param.name}"
    for index, param in enumerate(d_a.trainable_params() + d_b.trainable_params()):
        param.name = f"d{index}.{param.name}"
    rate = get_lr(2e-3, 1, 2, 2)
    step_g = TrainOneStepG(loss_g, nn.Adam(params_g, rate, beta1=0.5))
    step_d = TrainOneStepD(loss_d, nn.Adam(loss_d.trainable_params(), rate, beta1=0.5))
    for net in (g_a, g_b):
        for _, cell in net.cells_and_names():
            if isinstance(cell, nn.Dropout):
                cell.set_train(False)
    rng, pool_a, pool_b, out = np.random.RandomState(2), ImagePool(), ImagePool(seed=8), []
    for _ in range(4):
        a, b = (Tensor(rng.rand(1, 3, 12, 12) * 2 - 1, ms.float32) for _ in range(2))
        fake_a, fake_b, lg, lga, lc, li = step_g(a, b)
        ld = step_d(a, b, pool_a.query(fake_a), pool_b.query(fake_b))
        out.append([float(value) for value in (lg, lga, lc, li, ld)])
    means = [float(p.asnumpy().mean()) for p in d_a.get_parameters() if "moving_variance" in p.name]
    return [out, means, float(g_a.up.weight.asnumpy().std()), [p.name for p in loss_g.get_parameters()][:3]]


def main(initialize):
    return [run(initialize, ms.PYNATIVE_MODE), run(initialize, ms.GRAPH_MODE)]
