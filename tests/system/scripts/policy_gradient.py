"""Reinforcement learning with distributions.

Proximal policy optimisation with generalised advantages, a Gaussian and a categorical policy, soft updates of a target,
a replay of NumPy arrays, losses of two heads, and a clip of values by norm.
"""

import copy
from collections import OrderedDict

import mindspore as ms
import mindspore.nn.probability.distribution as msd
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import Orthogonal, Uniform, initializer


class Actor(nn.Cell):
    def __init__(self, obs=3, act=2, hidden=8):
        super().__init__()
        self.common = nn.SequentialCell(
            OrderedDict([("fc0", nn.Dense(obs, hidden)), ("act0", nn.Tanh()), ("fc1", nn.Dense(hidden, hidden))])
        )
        self.mu, self.logits = nn.Dense(hidden, act), nn.Dense(hidden, 3)
        self.log_std = Parameter(Tensor(np.full((1, act), -0.5), ms.float32), name="log_std")
        self.exp, self.tanh = ops.Exp(), ops.Tanh()
        self.mu.weight.set_data(initializer(Orthogonal(0.01), self.mu.weight.shape, ms.float32))

    def construct(self, obs):
        x = self.tanh(self.common(obs))
        return self.mu(x), self.exp(self.log_std) * ops.ones_like(self.mu(x)), ops.softmax(self.logits(x), -1)


class Critic(nn.Cell):
    def __init__(self, obs=3, hidden=8):
        super().__init__()
        self.net = nn.SequentialCell(
            [nn.Dense(obs, hidden, weight_init=Uniform(0.3)), nn.LeakyReLU(0.1), nn.Dense(hidden, 1)]
        )

    def construct(self, obs):
        return self.net(obs).squeeze(-1)


class PPOLoss(nn.Cell):
    def __init__(self, actor, critic, epsilon=0.2, entropy=0.01):
        super().__init__(auto_prefix=False)
        self.actor, self.critic, self.epsilon, self.entropy = actor, critic, epsilon, entropy
        self.normal, self.categorical = msd.Normal(), msd.Categorical()
        self.min = ops.Minimum()

    def construct(self, obs, action, kind, old_log_prob, advantage, returns):
        mu, sigma, probs = self.actor(obs)
        log_prob = self.normal.log_prob(action, mu, sigma).sum(-1) + self.categorical.log_prob(kind, probs)
        ratio = ops.exp(log_prob - old_log_prob)
        surrogate = self.min(ratio * advantage, ops.clamp(ratio, 1 - self.epsilon, 1 + self.epsilon) * advantage)
        entropy = self.normal.entropy(mu, sigma).sum(-1).mean() + self.categorical.entropy(probs).mean()
        value = ops.smooth_l1_loss(self.critic(obs), returns, beta=0.5, reduction="mean")
        return -surrogate.mean() + 0.5 * value - self.entropy * entropy, value, entropy


class SoftUpdate(nn.Cell):
    def __init__(self, target, source, tau):
        super().__init__(auto_prefix=False)
        self.target, self.source = (
            ms.ParameterTuple(target.trainable_params()),
            ms.ParameterTuple(source.trainable_params()),
        )
        self.tau, self.hyper_map = tau, ops.HyperMap()

    def construct(self):
        return self.hyper_map(ops.partial(move, self.tau), self.target, self.source)


move = ops.MultitypeFuncGraph("move")


@move.register("Number", "Tensor", "Tensor")
def move_tensor(tau, target, source):
    return ops.assign(target, source * tau + target * (1 - tau))


def gae(rewards, values, dones, gamma=0.95, lam=0.9):
    out, last = np.zeros_like(rewards), 0.0
    for t in reversed(range(len(rewards))):
        following = values[t + 1] * (1 - dones[t])
        delta = rewards[t] + gamma * following - values[t]
        last = delta + gamma * lam * (1 - dones[t]) * last
        out[t] = last
    return out


class Trainer(nn.Cell):
    def __init__(self, loss, optimizer, clip=0.5):
        super().__init__(auto_prefix=False)
        self.loss, self.optimizer, self.clip = loss, optimizer, clip
        self.grad_fn = ops.value_and_grad(self.loss, None, optimizer.parameters, has_aux=True)

    @ms.jit
    def construct(self, *batch):
        (loss, value, entropy), grads = self.grad_fn(*batch)
        grads = ops.clip_by_norm(grads, self.clip)
        self.optimizer(grads)
        return loss, value, entropy


def main(initialize):
    out = []
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=mode)
        rng = np.random.RandomState(11)
        actor, critic = Actor(), Critic()
        initialize(actor)
        initialize(critic)
        target = copy.deepcopy(critic)
        for param in target.get_parameters():
            param.name = "target." + param.name
        loss = PPOLoss(actor, critic)
        params = actor.trainable_params() + critic.trainable_params()
        rate = nn.polynomial_decay_lr(0.05, 0.001, 12, 2, 3, 0.5)
        trainer, soft = Trainer(loss, nn.AdaMax(params, rate)), SoftUpdate(target, critic, 0.25)
        rows = []
        for _ in range(2):
            obs = rng.randn(9, 3).astype(np.float32)
            mu, sigma, probs = actor(Tensor(obs))
            action = mu.asnumpy() + sigma.asnumpy() * rng.randn(9, 2).astype(np.float32)
            kind = np.array([p.argmax() if i % 2 else p.argmin() for i, p in enumerate(probs.asnumpy())], np.int32)
            old = msd.Normal(mu, sigma).log_prob(Tensor(action)).sum(-1) + msd.Categorical(probs).log_prob(Tensor(kind))
            values = target(Tensor(obs)).asnumpy()
            rewards, dones = action[:-1].sum(-1) + kind[:-1], (np.arange(8) % 5 == 4).astype(np.float32)
            advantage = gae(rewards, values, dones)
            returns = Tensor(advantage + values[:-1], ms.float32)
            advantage = Tensor((advantage - advantage.mean()) / (advantage.std() + 1e-5), ms.float32)
            fixed = (
                Tensor(obs[:-1]),
                Tensor(action[:-1]),
                Tensor(kind[:-1]),
                ops.stop_gradient(old[:-1]),
                advantage,
                returns,
            )
            for _ in range(3):
                rows.append([float(value) for value in trainer(*fixed)])
            soft()
        norms = [float(ops.norm(p)) for p in params]
        apart = float(sum(ops.abs(a - b).sum() for a, b in zip(target.trainable_params(), critic.trainable_params())))
        first, second = msd.Normal(0.0, 1.0), msd.Normal(Tensor([0.5]), Tensor([2.0]))
        more = [
            first.kl_loss("Normal", Tensor(0.5), Tensor(2.0)),
            first.cdf(Tensor(0.3)),
            second.mean(),
            second.sd(),
            second.prob(Tensor([1.0])),
        ]
        more += [
            msd.Bernoulli(0.3).entropy(),
            msd.Exponential(2.0).log_prob(Tensor([0.4])),
            msd.Uniform(0.0, 2.0).var(),
        ]
        out.append([rows, norms, apart, [value.asnumpy().reshape(-1).tolist() for value in more]])
    return out
