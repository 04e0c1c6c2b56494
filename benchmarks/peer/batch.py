# SPDX-License-Identifier: Apache-2.0
"""Rounds of the batch program: the figures of `tensorbus bench batch`. The server updates its model
when all trainers have sent their gradients, and answers all of them with the new model.
`batch.py TRAINERS ROUNDS INPUTS OUTPUTS`
"""

import sys
import threading
import time

import torch
import torch.distributed.rpc as rpc
from torch import nn
from torch.nn.functional import l1_loss

from peer import figure, run

RUNS = 3
BATCH = 20


class Server:
    def __init__(self, trainers, inputs, outputs):
        self.model = nn.Linear(inputs, outputs)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.001, momentum=0.9)
        self.trainers = trainers
        self.lock = threading.Lock()
        self.answer = torch.futures.Future()
        self.received = 0
        self.optimizer.zero_grad(set_to_none=False)
        for parameter in self.model.parameters():
            parameter.grad = torch.zeros_like(parameter)

    def state(self):
        return self.model.state_dict()

    @staticmethod
    @rpc.functions.async_execution
    def update(server, gradients):
        self = server.local_value()
        with self.lock:
            answer = self.answer
            for parameter, gradient in zip(self.model.parameters(), gradients):
                parameter.grad += gradient / self.trainers
            self.received += 1
            if self.received == self.trainers:
                self.optimizer.step()
                self.optimizer.zero_grad(set_to_none=False)
                self.received = 0
                self.answer = torch.futures.Future()
                answer.set_result({name: value.clone() for name, value in self.state().items()})
        return answer


def train(server, rounds, inputs, outputs):
    model = nn.Linear(inputs, outputs)
    model.load_state_dict(server.rpc_sync().state())
    labels = torch.zeros(BATCH, outputs)
    for _ in range(rounds):
        model.zero_grad()
        l1_loss(model(torch.randn(BATCH, inputs)), labels).backward()
        gradients = [parameter.grad for parameter in model.parameters()]
        model.load_state_dict(rpc.rpc_sync(server.owner(), Server.update, (server, gradients)))


class Work:
    """What rank 0 does; a class, since a process that is spawned gets it by pickling."""

    def __init__(self, trainers, rounds, inputs, outputs):
        self.trainers, self.sizes = trainers, (rounds, inputs, outputs)

    def __call__(self):
        rounds, inputs, outputs = self.sizes
        server = rpc.RRef(Server(self.trainers, inputs, outputs))
        for number in range(-1, RUNS):  # the first one is the warm-up
            start = time.perf_counter()
            torch.futures.wait_all([
                rpc.rpc_async(f"worker{rank}", train, (server, rounds, inputs, outputs))
                for rank in range(1, self.trainers + 1)])
            name = f"batch_ps.trainers{self.trainers}.{inputs}x{outputs}.run{number}"
            if number >= 0:
                figure(name, rounds / (time.perf_counter() - start), "rounds/s")


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]] or [2, 200, 100, 30]
    run(given[0] + 1, Work(*given))
