# SPDX-License-Identifier: Apache-2.0
"""The CartPole program until it is solved, a minute at most: the figures of `tensorbus bench rl`. An
agent has the policy, one observer the environment, which is Gym's, written out. `rl.py SEED`
"""

import math
import random
import sys
import time

import torch
import torch.distributed.rpc as rpc
from torch import nn
from torch.distributions import Categorical

from peer import figure, run

LIMIT = 60
SOLVED = 475
GAMMA = 0.99


class CartPole:
    """Barto, Sutton and Anderson's cart and pole, with Gym's constants."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def reset(self):
        self.steps = 0
        self.state = [self.random.uniform(-0.05, 0.05) for _ in range(4)]
        return torch.tensor([self.state])

    def step(self, action):
        x, speed, angle, turn = self.state
        sine, cosine = math.sin(angle), math.cos(angle)
        pushed = ((10.0 if action else -10.0) + 0.05 * turn * turn * sine) / 1.1
        inertia = 0.5 * (4 / 3 - 0.1 * cosine * cosine / 1.1)
        turning = (9.8 * sine - cosine * pushed) / inertia
        speeding = pushed - 0.05 * turning * cosine / 1.1
        self.state = [x + 0.02 * speed, speed + 0.02 * speeding,
                      angle + 0.02 * turn, turn + 0.02 * turning]
        self.steps += 1
        done = abs(self.state[0]) > 2.4 or abs(self.state[2]) > math.radians(12)
        return torch.tensor([self.state]), done or self.steps >= 500


class Observer:
    def __init__(self, seed):
        self.environment = CartPole(seed)

    def episode(self, agent):
        state, done = self.environment.reset(), False
        while not done:
            action = agent.rpc_sync().select(state)
            state, done = self.environment.step(action)
            agent.rpc_sync().report(1.0)


class Agent:
    def __init__(self, seed):
        self.policy = nn.Sequential(
            nn.Linear(4, 128), nn.Dropout(0.6), nn.ReLU(), nn.Linear(128, 2))
        self.optimizer = torch.optim.Adam(self.policy.parameters(), lr=0.01)
        self.here = rpc.RRef(self)
        self.observer = rpc.remote("worker1", Observer, (seed,))
        self.chosen, self.rewards = [], []

    def select(self, state):
        choice = Categorical(logits=self.policy(state))
        action = choice.sample()
        self.chosen.append(choice.log_prob(action))
        return action.item()

    def report(self, reward):
        self.rewards.append(reward)

    def play(self):
        """One episode, and what the policy learns from it; its number of steps."""
        self.observer.rpc_sync(timeout=0).episode(self.here)
        later, returns = 0.0, []
        for reward in reversed(self.rewards):
            later = reward + GAMMA * later
            returns.insert(0, later)
        returns = torch.tensor(returns)
        returns = (returns - returns.mean()) / (returns.std() + 1e-7)
        self.optimizer.zero_grad()
        (-torch.cat(self.chosen) * returns).sum().backward()
        self.optimizer.step()
        steps = len(self.rewards)
        self.chosen, self.rewards = [], []
        return steps


def work():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    agent = Agent(seed)
    running, steps, episodes, seconds = 0.0, 0, 0, 0.0
    start = time.perf_counter()
    while running <= SOLVED and seconds < LIMIT:
        played = agent.play()
        steps, episodes = steps + played, episodes + 1
        running = 0.95 * running + 0.05 * played
        seconds = time.perf_counter() - start
    figure("rl.observers1.steps", steps / seconds, "steps/s")
    figure("rl.observers1.episodes", episodes, "episodes")
    figure("rl.observers1.running_reward", running, "reward")
    figure("rl.observers1.seconds", seconds, "s")


if __name__ == "__main__":
    run(2, work)
