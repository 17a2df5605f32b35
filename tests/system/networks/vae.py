"""A variational autoencoder (Kingma and Welling, 2013) with convolutions; its Cell holds the gradient function."""

import mindspore as ms
import numpy as np
from mindspore import nn, ops


class Encoder(nn.Cell):
    def __init__(self, latent):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 4, stride=2, pad_mode="pad", padding=1, has_bias=True)
        self.conv2 = nn.Conv2d(4, 8, 4, stride=2, pad_mode="same", has_bias=True)
        self.flatten = nn.Flatten()
        self.fc_mu = nn.Dense(8 * 3 * 3, latent)
        self.fc_var = nn.Dense(8 * 3 * 3, latent)
        self.elu = nn.ELU()

    def construct(self, x):
        x = self.elu(self.conv1(x))
        x = self.flatten(self.elu(self.conv2(x)))
        return self.fc_mu(x), self.fc_var(x)


class Decoder(nn.Cell):
    def __init__(self, latent):
        super().__init__()
        self.fc = nn.Dense(latent, 8 * 3 * 3, activation=nn.ReLU())
        self.deconv1 = nn.Conv2dTranspose(8, 4, 4, stride=2, has_bias=True)
        self.deconv2 = nn.Conv2dTranspose(4, 1, 4, stride=2, pad_mode="pad", padding=1, has_bias=True)

    def construct(self, z):
        x = self.fc(z).reshape((-1, 8, 3, 3))
        x = ops.tanh(self.deconv1(x))
        return ops.sigmoid(self.deconv2(x))


class VAE(nn.Cell):
    def __init__(self, latent=4):
        super().__init__()
        self.encoder, self.decoder = Encoder(latent), Decoder(latent)

    @staticmethod
    def reparameterize(mu, logvar, eps):
        std = ops.exp(0.5 * logvar)
        return mu + eps * std

    def construct(self, x, eps):
        mu, logvar = self.encoder(x)
        return self.decoder(self.reparameterize(mu, logvar, eps)), mu, logvar


class VAELoss(nn.Cell):
    def __init__(self, net, beta=0.5):
        super().__init__(auto_prefix=False)
        self.net = net
        self.bce = nn.BCELoss(reduction="sum")
        self.beta = beta

    def construct(self, x, eps):
        recon, mu, logvar = self.net(x, eps)
        size = x.shape[0]
        rec = self.bce(recon, x) / size
        kld = -0.5 * ops.sum(1 + logvar - mu.pow(2) - logvar.exp()) / size
        return rec + self.beta * kld, (rec, kld)


def make():
    net = VAE()
    loss_net = VAELoss(net)
    loss_net.set_train()
    optimizer = nn.Adagrad(net.trainable_params(), learning_rate=0.02)
    grad_fn = ops.value_and_grad(loss_net, None, optimizer.parameters, has_aux=True)

    @ms.jit
    def train_step(x, eps):
        (loss, (rec, kld)), grads = grad_fn(x, eps)
        optimizer(grads)
        return (loss, rec, kld), grads

    rng = np.random.RandomState(13)
    batches = [(rng.rand(3, 1, 12, 12).astype(np.float32), rng.randn(3, 4).astype(np.float32)) for _ in range(4)]
    return net, optimizer.parameters, train_step, batches
