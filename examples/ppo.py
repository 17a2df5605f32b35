"""Balance a pole on a cart: proximal policy optimisation (PPO) on an environment written here.

python examples/ppo.py
"""

import numpy as np

import mycel as ms
from mycel import Tensor, nn, ops

CARTS, TICKS, ROUNDS, EPOCHS, BATCH = 16, 128, 16, 4, 512
DISCOUNT, LAMBDA, CLIP = 0.99, 0.95, 0.2


class CartPole:
    """Many carts at once. A state is place, speed, angle, speed of the angle; an action pushes left or right."""

    def __init__(self, generator):
        self.generator, self.states, self.ages = generator, np.zeros((CARTS, 4)), np.zeros(CARTS, int)
        self.reset(np.full(CARTS, True))

    def reset(self, which):
        self.states[which] = self.generator.uniform(-0.05, 0.05, (which.sum(), 4))
        self.ages[which] = 0

    def step(self, actions):
        """One tick of 20 ms. Gives which poles fell, and the ages of the runs that ended (200 ticks at most)."""
        x, v, angle, spin = self.states.T
        push = np.where(actions == 1, 10.0, -10.0) + 0.05 * spin**2 * np.sin(angle)
        turn = 9.8 * np.sin(angle) - np.cos(angle) * push / 1.1
        turn /= 0.5 * (4 / 3 - 0.1 * np.cos(angle) ** 2 / 1.1)
        move = (push - 0.05 * turn * np.cos(angle)) / 1.1
        self.states = np.stack([x + 0.02 * v, v + 0.02 * move, angle + 0.02 * spin, spin + 0.02 * turn], 1)
        self.ages += 1
        fell = (np.abs(self.states[:, 0]) > 2.4) | (np.abs(self.states[:, 2]) > 0.21)
        ended = fell | (self.ages >= 200)
        ages = self.ages[ended].copy()
        self.reset(ended)
        return fell, ended, ages


class Agent(nn.Cell):
    """A policy (log probabilities of both actions) and the value of a state."""

    def __init__(self):
        super().__init__()
        self.policy = nn.SequentialCell(nn.Dense(4, 64), nn.Tanh(), nn.Dense(64, 64), nn.Tanh(), nn.Dense(64, 2))
        self.value = nn.SequentialCell(nn.Dense(4, 64), nn.Tanh(), nn.Dense(64, 64), nn.Tanh(), nn.Dense(64, 1))

    def construct(self, states):
        return ops.log_softmax(self.policy(states), -1), self.value(states).squeeze(-1)


def play(agent, world, generator):
    """TICKS ticks of all carts: states, actions, log probabilities, advantages, returns; ages of ended runs."""
    states, actions, chances, values, rewards, ends, ages = [], [], [], [], [], [], []
    for _ in range(TICKS):
        seen = world.states.astype(np.float32)
        logits, value = agent(Tensor(seen))
        logits = logits.asnumpy()
        action = (generator.random(CARTS) < np.exp(logits[:, 1])).astype(np.int32)
        fell, ended, old = world.step(action)
        states.append(seen), actions.append(action), chances.append(logits[np.arange(CARTS), action])
        values.append(value.asnumpy()), rewards.append(1.0 - 10.0 * fell), ends.append(ended), ages.extend(old)
    values.append(agent(Tensor(world.states.astype(np.float32)))[1].asnumpy())
    advantages, later = np.zeros((TICKS, CARTS), np.float32), 0.0
    for t in reversed(range(TICKS)):
        surprise = rewards[t] + DISCOUNT * values[t + 1] * ~ends[t] - values[t]
        later = surprise + DISCOUNT * LAMBDA * ~ends[t] * later
        advantages[t] = later
    returns = advantages + np.array(values[:-1])
    return [np.concatenate(list(rows)) for rows in (states, actions, chances, advantages, returns)], ages


def main():
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_seed(0)
    generator = np.random.default_rng(0)
    agent, world = Agent(), CartPole(generator)
    optimizer = nn.Adam(agent.trainable_params(), learning_rate=2e-3)

    def forward(states, actions, chances, advantages, returns):
        logits, values = agent(states)
        chosen = ops.gather_elements(logits, 1, actions.expand_dims(1)).squeeze(1)
        ratio = ops.exp(chosen - chances)
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        gain = ops.minimum(ratio * advantages, ops.clamp(ratio, 1 - CLIP, 1 + CLIP) * advantages).mean()
        entropy = -(ops.exp(logits) * logits).sum(-1).mean()
        return 0.005 * ((values - returns) ** 2).mean() - gain - 0.01 * entropy

    gradient = ms.value_and_grad(forward, None, optimizer.parameters)

    @ms.jit
    def step(*batch):
        loss, grads = gradient(*batch)
        optimizer(ops.clip_by_global_norm(grads, 0.5))
        return loss

    for number in range(1, ROUNDS + 1):
        data, ages = play(agent, world, generator)
        for _ in range(EPOCHS):
            order = generator.permutation(TICKS * CARTS)
            for start in range(0, len(order), BATCH):
                step(*(Tensor(rows[order[start : start + BATCH]]) for rows in data))
        if number == 1 or number % 4 == 0:
            print(f"round {number:2d}  the pole stands for {np.mean(ages):.0f} ticks on average")


if __name__ == "__main__":
    main()
