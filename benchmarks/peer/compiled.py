# SPDX-License-Identifier: Apache-2.0
"""Training steps of the networks of `tensorbus bench compiled`: `compiled.py [cpu|cuda]`.

Any PyTorch will do: this script calls nobody. TF32 is off in the figures without `tf32`.
"""

import sys

import torch
from torch import nn
from torch.nn.functional import cross_entropy, nll_loss

from convnet import MnistNet
from peer import figure, quantile, times


class Block(nn.Module):
    """The block of ResNet-18."""

    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs),
            nn.ReLU(),
            nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False), nn.BatchNorm2d(outputs))
        self.shortcut = nn.Identity() if stride == 1 and inputs == outputs else nn.Sequential(
            nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        return torch.relu(self.body(x) + self.shortcut(x))


def resnet():
    widths = [64, 64, 64, 128, 128, 256, 256, 512, 512]
    blocks = [Block(widths[i], widths[i + 1], 2 if widths[i] < widths[i + 1] else 1)
              for i in range(8)]
    return nn.Sequential(
        nn.Conv2d(3, 64, 3, 1, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU(), *blocks,
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 10))


class Gpt(nn.Module):
    """Four blocks of width 128 with four heads, for 65 tokens."""

    def __init__(self):
        super().__init__()
        self.tokens, self.places = nn.Embedding(65, 128), nn.Embedding(64, 128)
        block = nn.TransformerEncoderLayer(
            128, 4, 512, 0, "gelu", batch_first=True, norm_first=True)
        self.blocks = nn.TransformerEncoder(block, 4, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(128)

    def forward(self, text):
        n = text.shape[1]
        mask = nn.Transformer.generate_square_subsequent_mask(n, device=text.device)
        x = self.tokens(text) + self.places(torch.arange(n, device=text.device))
        return self.norm(self.blocks(x, mask)) @ self.tokens.weight.T


class Lstm(nn.Module):
    """The LSTM tagger."""

    def __init__(self):
        super().__init__()
        self.words, self.lstm = nn.Embedding(1000, 64), nn.LSTM(64, 128)
        self.tags = nn.Linear(128, 10)

    def forward(self, text):
        return torch.log_softmax(self.tags(self.lstm(self.words(text))[0]), -1)


def networks():
    yield "mnist", MnistNet(), nll_loss, torch.randn(32, 1, 28, 28), torch.randint(10, (32,))
    yield "resnet18", resnet(), cross_entropy, torch.randn(8, 3, 32, 32), torch.randint(10, (8,))
    yield "gpt", Gpt(), cross_entropy, torch.randint(65, (8, 64)), torch.randint(65, (8, 64))
    yield "lstm", Lstm(), nll_loss, torch.randint(1000, (20, 32)), torch.randint(10, (20, 32))


def measure(name, net, loss, x, wanted, device, suffix):
    net, x, wanted = net.to(device), x.to(device), wanted.to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.001, momentum=0.9)

    def step():
        optimizer.zero_grad()
        scores = net(x)
        value = loss(scores.reshape(-1, scores.shape[-1]), wanted.reshape(-1))
        value.backward()
        optimizer.step()
        value.item()  # waits for the GPU

    figure(f"{name}.torch{suffix}.step", quantile(times(20, 20, step), 0.5) * 1e3, "ms")


def main(device):
    for tf32 in [False, True] if device == "cuda" else [False]:
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = tf32
        torch.manual_seed(1)
        for network in networks():
            suffix = ("." + device if device != "cpu" else "") + (".tf32" if tf32 else "")
            measure(*network, device, suffix)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "cpu")
