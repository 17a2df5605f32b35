"""A course's DQN: a replay memory, an epsilon-greedy policy, a target network that follows by assignments."""

import collections

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

Transition = collections.namedtuple("Transition", ["state", "action", "reward", "next_state", "done"])


class QNet(nn.Cell):
    def __init__(self, state_dim, hidden_dim, action_dim):
        super().__init__()
        self.fc1 = nn.Dense(state_dim, hidden_dim)
        self.fc2 = nn.Dense(hidden_dim, action_dim)

    def construct(self, x):
        return self.fc2(ops.relu(self.fc1(x)))


class Agent:
    def __init__(self, initialize, gamma=0.9, update=2):
        self.q_net, self.target = QNet(3, 6, 2), QNet(3, 6, 2)
        initialize(self.q_net)
        ms.load_param_into_net(self.target, self.q_net.parameters_dict())
        self.optimizer = nn.RMSProp(self.q_net.trainable_params(), 0.01)
        self.gamma, self.update, self.count = gamma, update, 0
        self.grad_fn = ms.value_and_grad(self.loss, None, self.optimizer.parameters)

    def act(self, state):
        return int(self.q_net(Tensor(state[None], ms.float32)).argmax(axis=1).asnumpy()[0])

    def loss(self, states, actions, rewards, next_states, dones):
        q = ops.gather_elements(self.q_net(states), 1, actions)
        best = self.target(next_states).max(axis=1).view(-1, 1)
        wanted = ops.stop_gradient(rewards + self.gamma * best * (1 - dones))
        return ops.huber_loss(q, wanted, delta=0.5)

    def learn(self, batch):
        columns = Transition(*[np.array(column) for column in zip(*batch)])
        tensors = [Tensor(columns.state, ms.float32), Tensor(columns.action[:, None], ms.int32)]
        tensors += [Tensor(columns.reward[:, None], ms.float32), Tensor(columns.next_state, ms.float32)]
        value, grads = self.grad_fn(*tensors, Tensor(columns.done[:, None], ms.float32))
        self.optimizer(grads)
        self.count += 1
        if self.count % self.update == 0:
            for old, new in zip(self.target.get_parameters(), self.q_net.get_parameters()):
                ops.assign(old, new)
        return float(value.asnumpy())


def main(initialize):
    rng = np.random.RandomState(6)
    agent, memory, losses = Agent(initialize), collections.deque(maxlen=20), []
    state = rng.randn(3)
    for step in range(16):
        action = agent.act(state) if step % 3 else step % 2
        following = rng.randn(3)
        memory.append(Transition(state, action, float(state[action]), following, step % 5 == 4))
        state = following
        if step >= 11:
            losses.append(agent.learn(list(memory)[-8:]))
    return [losses, agent.act(state)]
