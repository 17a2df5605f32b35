"""DCGAN (Radford et al., 2015): a generator and a discriminator that train in turn, each by its own optimizer."""

import mindspore as ms
import numpy as np
from mindspore import nn, ops
from mindspore.common.initializer import Normal


def conv(in_channels, out_channels, kernel, stride=2, padding=1):
    return nn.Conv2d(
        in_channels, out_channels, kernel, stride, pad_mode="pad", padding=padding, weight_init=Normal(0.2)
    )


def deconv(in_channels, out_channels, kernel, stride=2, padding=1):
    return nn.Conv2dTranspose(
        in_channels, out_channels, kernel, stride, pad_mode="pad", padding=padding, weight_init=Normal(0.2)
    )


class Generator(nn.Cell):
    def __init__(self, nz=5, ngf=4):
        super().__init__()
        self.generator = nn.SequentialCell()
        self.generator.append(deconv(nz, ngf * 2, 4, 1, 0))
        self.generator.append(nn.BatchNorm2d(ngf * 2, gamma_init=Normal(0.02, 1.0)))
        self.generator.append(nn.ReLU())
        self.generator.append(deconv(ngf * 2, ngf, 4))
        self.generator.append(nn.BatchNorm2d(ngf))
        self.generator.append(nn.ReLU())
        self.generator.append(deconv(ngf, 1, 4))
        self.generator.append(nn.Tanh())

    def construct(self, x):
        return self.generator(x)


class Discriminator(nn.Cell):
    def __init__(self, ndf=4):
        super().__init__()
        self.discriminator = nn.SequentialCell(
            conv(1, ndf, 4),
            nn.LeakyReLU(0.2),
            conv(ndf, ndf * 2, 4),
            nn.BatchNorm2d(ndf * 2),
            nn.LeakyReLU(0.2),
            conv(ndf * 2, 1, 4, 1, 0),
        )
        self.adv_layer = nn.Sigmoid()

    def construct(self, x):
        out = self.discriminator(x)
        return self.adv_layer(out.reshape(out.shape[0], -1))


class DCGAN(nn.Cell):
    """Holds both networks, so that one file holds all weights."""

    def __init__(self):
        super().__init__()
        self.netG, self.netD = Generator(), Discriminator()


def make():
    nets = DCGAN()
    generator, discriminator = nets.netG, nets.netD
    adversarial_loss = nn.BCELoss(reduction="mean")
    optimizer_g = nn.Adam(generator.trainable_params(), learning_rate=2e-3, beta1=0.5)
    optimizer_d = nn.Adam(discriminator.trainable_params(), learning_rate=2e-3, beta1=0.5, beta2=0.99)
    optimizer_g.update_parameters_name("optim_g.")
    optimizer_d.update_parameters_name("optim_d.")

    def generator_forward(z, valid):
        gen_images = generator(z)
        return adversarial_loss(discriminator(gen_images), valid), gen_images

    def discriminator_forward(real, gen_images, valid, fake):
        real_loss = adversarial_loss(discriminator(real), valid)
        fake_loss = adversarial_loss(discriminator(gen_images), fake)
        return (real_loss + fake_loss) / 2

    grad_generator_fn = ms.value_and_grad(generator_forward, None, optimizer_g.parameters, has_aux=True)
    grad_discriminator_fn = ms.value_and_grad(discriminator_forward, None, optimizer_d.parameters)

    @ms.jit
    def train_step(images, z):
        valid = ops.ones((images.shape[0], 1), ms.float32)
        fake = ops.zeros((images.shape[0], 1), ms.float32)
        (g_loss, gen_images), g_grads = grad_generator_fn(z, valid)
        optimizer_g(g_grads)
        d_loss, d_grads = grad_discriminator_fn(images, gen_images, valid, fake)
        optimizer_d(d_grads)
        return (g_loss, d_loss), g_grads + d_grads

    generator.set_train()
    discriminator.set_train()
    rng = np.random.RandomState(14)
    batches = [
        (rng.uniform(-1, 1, (4, 1, 16, 16)).astype(np.float32), rng.randn(4, 5, 1, 1).astype(np.float32))
        for _ in range(3)
    ]
    return nets, list(optimizer_g.parameters) + list(optimizer_d.parameters), train_step, batches
