"""PPO (Schulman et al., 2017).

Advantages by GAE in a loop, a clipped surrogate, a clipped value loss, an entropy bonus, early stopping.
"""

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops
from mindspore.common.initializer import Orthogonal, initializer


class ActorCritic(nn.Cell):
    def __init__(self, state_dim=4, action_dim=3, hidden=10):
        super().__init__()
        self.body = nn.SequentialCell(
            [nn.Dense(state_dim, hidden, activation="tanh"), nn.Dense(hidden, hidden), nn.Tanh()]
        )
        self.actor = nn.Dense(hidden, action_dim)
        self.critic = nn.Dense(hidden, 1)
        for _, cell in self.cells_and_names():
            if isinstance(cell, nn.Dense):
                cell.weight.set_data(initializer(Orthogonal(1.0), cell.weight.shape, ms.float32))

    def construct(self, state):
        features = self.body(state)
        return self.actor(features), self.critic(features).squeeze(-1)


class Advantages(nn.Cell):
    def __init__(self, gamma=0.99, lamda=0.95):
        super().__init__()
        self.gamma, self.lamda = gamma, lamda
        self.zeros_like = ops.ZerosLike()

    def construct(self, rewards, values, dones, last_value):
        steps = rewards.shape[0]
        advantages = self.zeros_like(rewards)
        gae = ops.zeros((), ms.float32)
        t = ops.scalar_to_tensor(steps - 1, ms.int32)
        following = last_value
        while t >= 0:
            mask = 1.0 - dones[t]
            delta = rewards[t] + self.gamma * following * mask - values[t]
            gae = delta + self.gamma * self.lamda * mask * gae
            advantages[t] = gae
            following = values[t]
            t -= 1
        return advantages, advantages + values


class PPOLoss(nn.Cell):
    def __init__(self, net, epsilon=0.2, entropy=0.01):
        super().__init__(auto_prefix=False)
        self.net = net
        self.epsilon, self.entropy = epsilon, entropy
        self.smooth_l1 = nn.SmoothL1Loss(beta=0.5, reduction="none")

    def construct(self, states, actions, old_log_probs, old_values, advantages, returns):
        logits, values = self.net(states)
        log_probs = nn.LogSoftmax(axis=-1)(logits)
        chosen = ops.gather_d(log_probs, 1, actions.expand_dims(-1)).squeeze(-1)
        ratio = (chosen - old_log_probs).exp()
        clipped = ops.clamp(ratio, 1 - self.epsilon, 1 + self.epsilon)
        actor = -ops.minimum(ratio * advantages, clipped * advantages).mean()
        value_clipped = old_values + ops.clip_by_value(values - old_values, -0.2, 0.2)
        critic = ops.maximum(self.smooth_l1(values, returns), self.smooth_l1(value_clipped, returns)).mean()
        probs = ops.softmax(logits, axis=-1)
        entropy = -(probs * log_probs).sum(axis=-1).mean()
        kl = ops.stop_gradient((old_log_probs - chosen).mean())
        return actor + 0.5 * critic - self.entropy * entropy, kl


def make():
    net = ActorCritic()
    advantages_of = Advantages()
    loss_net = PPOLoss(net)
    optimizer = nn.Adam(net.trainable_params(), learning_rate=0.01, eps=1e-5)
    grad_fn = ms.value_and_grad(loss_net, None, optimizer.parameters, has_aux=True)
    target_kl = 0.5

    @ms.jit
    def update(states, actions, old_log_probs, old_values, advantages, returns):
        (loss, kl), grads = grad_fn(states, actions, old_log_probs, old_values, advantages, returns)
        if kl < target_kl:
            optimizer(ops.clip_by_global_norm(grads, 0.5))
        return loss, kl, grads

    def step(states, actions, rewards, dones):
        logits, values = net(states)
        log_probs = ops.log_softmax(logits, -1)
        old = ops.gather_elements(log_probs, 1, actions.reshape(-1, 1)).reshape(-1)
        old, values = ops.stop_gradient(old), ops.stop_gradient(values)
        advantages, returns = advantages_of(rewards, values, dones, Tensor(0.3, ms.float32))
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        losses, grads = [], None
        for _ in range(3):
            loss, kl, grads = update(states, actions, old, values, advantages, returns)
            losses += [loss, kl]
        return losses, grads

    rng = np.random.RandomState(19)
    batches = []
    for _ in range(3):
        dones = np.zeros(10, np.float32)
        dones[[3, 9]] = 1
        batches.append(
            (
                rng.randn(10, 4).astype(np.float32),
                rng.randint(0, 3, 10).astype(np.int32),
                rng.rand(10).astype(np.float32),
                dones,
            )
        )
    return net, optimizer.parameters, step, batches
