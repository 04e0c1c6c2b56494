# SPDX-License-Identifier: Apache-2.0
"""A PyTorch learner of parameters on servers. It learns through the gateway of any server, and through the next one if
that dies. It may come, leave or be killed at any time.

    python3 learner.py NAME STEPS HOST:PORT...
"""
import sys
import time

import grpc
import torch
from torch.nn import functional as F

import tensorbus


def learn(gateway, net, name, steps):
    with gateway.optimizer(net, name, tensorbus.ROUND) as optimizer:
        for _ in range(steps):
            points = torch.randn(64, 2)
            optimizer.zero_grad()
            loss = F.cross_entropy(net(points), (points > 0).long() @ torch.tensor([1, 2]))
            loss.backward()
            optimizer.step(loss, len(points))
            yield loss.item()


name, steps, targets = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
net, step = torch.nn.Sequential(torch.nn.Linear(2, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4)), 0
for target in targets * 10:
    try:
        for loss in learn(tensorbus.Gateway(target), net, name, steps - step):
            step += 1
            print(f"step {step} loss {loss:.3f}", flush=True)
        sys.exit()
    except grpc.RpcError as error:
        if error.code() != grpc.StatusCode.UNAVAILABLE:
            raise
        time.sleep(1)
sys.exit(f"no gateway answers: {targets}")
