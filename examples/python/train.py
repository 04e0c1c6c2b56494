# SPDX-License-Identifier: Apache-2.0
"""Trains the network of Serve.java with PyTorch. Needs docs/grpc/tensorbus.py beside it."""
import sys

import torch
from torch.nn import functional as F

import tensorbus


def examples(count):
    points = torch.randn(count, 2)
    return points, (points > 0).long() @ torch.tensor([1, 2])  # the quadrants of the points


net = torch.nn.Sequential(torch.nn.Linear(2, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4))
gateway = tensorbus.Gateway(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:50051")
with gateway.optimizer(net) as optimizer:
    for step in range(300):
        points, quadrants = examples(64)
        optimizer.zero_grad()
        loss = F.cross_entropy(net(points), quadrants)
        loss.backward()
        optimizer.step(loss, len(points))
    points, quadrants = examples(1000)
    right = gateway.predict(points).argmax(1) == quadrants.numpy()
    print(f"accuracy {right.mean():.2f}")
gateway.close()
