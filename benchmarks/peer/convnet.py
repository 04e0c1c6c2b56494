# SPDX-License-Identifier: Apache-2.0
"""The network of the MNIST program by itself: the figures of `tensorbus bench convnet`.

Any PyTorch will do: this script calls nobody. `convnet.py THREADS`
"""

import sys
import time

import torch
from torch import nn
from torch.nn.functional import nll_loss

from peer import figure, quantile, times


class MnistNet(nn.Module):
    """The network of PyTorch's parameter-server tutorial: 1.2 million parameters."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(1, 32, 3), nn.ReLU(), nn.Conv2d(32, 64, 3), nn.MaxPool2d(2),
            nn.Dropout2d(0.25), nn.Flatten(), nn.Linear(9216, 128), nn.ReLU(), nn.Dropout(0.5),
            nn.Linear(128, 10), nn.LogSoftmax(1))

    def forward(self, images):
        return self.layers(images)


def main(threads):
    torch.set_num_threads(threads)
    torch.manual_seed(1)
    net = MnistNet()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.03)
    images, labels = torch.randn(32, 1, 28, 28), torch.randint(10, (32,))
    parts = {"forward": [], "backward": [], "step": []}

    def step():
        start = time.perf_counter()
        loss = nll_loss(net(images), labels)
        forward = time.perf_counter()
        optimizer.zero_grad()
        loss.backward()
        backward = time.perf_counter()
        optimizer.step()
        end = time.perf_counter()
        parts["forward"].append(forward - start)
        parts["backward"].append(backward - forward)
        parts["step"].append(end - start)

    times(0, 80, step)
    for part, measured in parts.items():
        value = quantile(measured[20:], 0.5) * 1e3
        figure(f"convnet.{part}.batch32.threads{threads}", value, "ms")
    net.eval()
    many = torch.randn(1000, 1, 28, 28)
    with torch.no_grad():
        seconds = quantile(times(1, 5, lambda: net(many)), 0.5)
    figure(f"convnet.inference.batch1000.threads{threads}", 1000 / seconds, "images/s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
