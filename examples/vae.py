"""Train a variational autoencoder on the 1,797 digits of scikit-learn, and draw digits that nobody wrote.

python examples/vae.py
"""

import numpy as np
from sklearn.datasets import load_digits

import mycel as ms
from mycel import Tensor, nn, ops

LATENT, EPOCHS, BATCH = 8, 30, 128


class VAE(nn.Cell):
    """An encoder to a normal distribution of the code, a sample of it, a decoder to the logits of pixels."""

    def __init__(self):
        super().__init__()
        self.encoder = nn.SequentialCell(nn.Dense(64, 128), nn.ReLU())
        self.mean, self.log_variance = nn.Dense(128, LATENT), nn.Dense(128, LATENT)
        self.decoder = nn.SequentialCell(nn.Dense(LATENT, 128), nn.ReLU(), nn.Dense(128, 64))

    def construct(self, x):
        hidden = self.encoder(x)
        mean, log_variance = self.mean(hidden), self.log_variance(hidden)
        # The sample is a function of mean and variance, so that gradients reach them.
        code = mean + ops.exp(log_variance / 2) * ops.randn_like(mean)
        return self.decoder(code), mean, log_variance


def main():
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_seed(0)
    images = (load_digits().data / 16.0).astype(np.float32)
    net = VAE()
    optimizer = nn.Adam(net.trainable_params(), learning_rate=2e-3)

    def forward(x):
        logits, mean, log_variance = net(x)
        pixels = ops.binary_cross_entropy_with_logits(logits, x, ops.ones_like(x), ops.ones_like(x), reduction="sum")
        divergence = -0.5 * (1 + log_variance - mean**2 - ops.exp(log_variance)).sum()
        return (pixels + divergence) / x.shape[0]

    gradient = ms.value_and_grad(forward, None, optimizer.parameters)

    @ms.jit
    def step(x):
        loss, grads = gradient(x)
        optimizer(grads)
        return loss

    generator = np.random.default_rng(0)
    for epoch in range(1, EPOCHS + 1):
        order = generator.permutation(len(images))
        batches = [order[start : start + BATCH] for start in range(0, len(order) - BATCH + 1, BATCH)]
        losses = [float(step(Tensor(images[batch]))) for batch in batches]
        if epoch == 1 or epoch % 10 == 0:
            print(f"epoch {epoch:2d}  loss {np.mean(losses):.2f}")

    codes = Tensor(generator.standard_normal((6, LATENT)).astype(np.float32))
    drawn = ops.sigmoid(net.decoder(codes)).asnumpy().reshape(6, 8, 8)
    shades = np.array(list(" .:+#"))
    for row in drawn.transpose(1, 0, 2):
        print("   ".join("".join(shades[(digit * 4.99).astype(int)]) for digit in row))


if __name__ == "__main__":
    main()
