# SPDX-License-Identifier: Apache-2.0
"""Steps of the RNN program: the figures of `tensorbus bench rnn`. Embedding and decoder are on one
worker, the LSTM is on the trainer. `rnn.py THREADS`
"""

import sys

import torch
import torch.distributed.autograd as dist_autograd
import torch.distributed.rpc as rpc
from torch import nn
from torch.distributed.optim import DistributedOptimizer
from torch.nn.functional import cross_entropy

from peer import figure, quantile, run, times

SERVER = "worker1"


def embedding(tokens, size, dropout):
    return nn.Sequential(nn.Embedding(tokens, size), nn.Dropout(dropout))


def decoder(tokens, hidden, dropout):
    return nn.Sequential(nn.Dropout(dropout), nn.Linear(hidden, tokens))


def parameters_of(module):
    return [rpc.RRef(each) for each in module.local_value().parameters()]


class Model:
    def __init__(self, tokens, size, hidden, layers, dropout):
        self.embedding = rpc.remote(SERVER, embedding, (tokens, size, dropout))
        self.decoder = rpc.remote(SERVER, decoder, (tokens, hidden, dropout))
        self.lstm = nn.LSTM(size, hidden, layers, dropout=dropout)

    def parameters(self):
        far = [rpc.rpc_sync(SERVER, parameters_of, (each,))
               for each in (self.embedding, self.decoder)]
        return far[0] + [rpc.RRef(each) for each in self.lstm.parameters()] + far[1]

    def __call__(self, tokens, state):
        output, state = self.lstm(self.embedding.rpc_sync().forward(tokens), state)
        return self.decoder.rpc_sync().forward(output), state


def measure(name, tokens, size, hidden, layers, batch, length, count):
    model = Model(tokens, size, hidden, layers, 0.5)
    optimizer = DistributedOptimizer(torch.optim.SGD, model.parameters(), lr=0.05)
    state = [torch.zeros(layers, batch, hidden), torch.zeros(layers, batch, hidden)]

    def step():
        inputs = torch.randint(tokens, (length, batch))
        labels = torch.randint(tokens, (length * batch,))
        with dist_autograd.context() as context:
            scores, after = model(inputs, tuple(state))
            state[:] = [each.detach() for each in after]
            dist_autograd.backward(context, [cross_entropy(scores.view(-1, tokens), labels)])
            optimizer.step(context)

    measured = times(max(1, count // 5), count, step)
    figure(f"rnn.{name}.step", quantile(measured, 0.5) * 1e3, "ms")


def one_thread():
    measure("tutorial", 10, 2, 3, 4, 3, 5, 240)
    measure("word_level", 10_000, 200, 200, 2, 20, 35, 12)


def two_threads():
    measure("word_level.threads2", 10_000, 200, 200, 2, 20, 35, 12)


if __name__ == "__main__":
    threads = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    run(2, one_thread if threads == 1 else two_threads, threads)
