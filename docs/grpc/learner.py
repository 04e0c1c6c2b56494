# SPDX-License-Identifier: Apache-2.0
"""A PyTorch learner of parameters on servers. It may come, leave or be killed at any time.

    python3 learner.py NAME STEPS HOST:PORT..."""
import itertools
import sys
import time

import grpc
import torch

import tensorbus


def learn(targets, name, net, batches):
    """Yields the loss of each answered batch. A batch whose gateway dies before is repeated through the next one."""
    batch, answered = next(batches, None), 0
    for attempt, target in enumerate(itertools.cycle(targets)):
        try:
            with tensorbus.Gateway(target).optimizer(net, name) as optimizer:
                while batch:
                    optimizer.zero_grad()
                    loss = torch.nn.functional.cross_entropy(net(batch[0]), batch[1])
                    loss.backward()
                    optimizer.step(loss, len(batch[1]))
                    batch, answered = next(batches, None), attempt
                    yield loss.item()
                return
        except grpc.RpcError as error:
            if error.code() != grpc.StatusCode.UNAVAILABLE or attempt > answered + 60:
                sys.exit(f"{target}: {error.details()}")
            time.sleep(1)


if __name__ == "__main__":
    net = torch.nn.Sequential(torch.nn.Linear(2, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4))
    points = (torch.randn(64, 2) for _ in range(int(sys.argv[2])))
    batches = ((x, (x > 0).long() @ torch.tensor([1, 2])) for x in points)
    for step, loss in enumerate(learn(sys.argv[3:], sys.argv[1], net, batches), 1):
        print(f"step {step} loss {loss:.3f}", flush=True)
