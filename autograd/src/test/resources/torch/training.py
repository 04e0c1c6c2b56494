#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes training.safetensors: how PyTorch trains three small networks.

    python3 training.py           # torch 1.13.1

For each there are the state that it starts from, `net/state.NAME`, batches `net/x0`, ... with labels
`net/labels0`, ..., taken in turn, and `net/losses`, that of each step of plain gradient descent.
"""
import os

import torch
import torch.nn as nn
import torch.nn.functional as F

from safetensors_file import save

BATCHES, STEPS, TOKENS, LENGTH = 4, 200, 11, 12
TENSORS = {}


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3, padding=1)
        self.norm = nn.BatchNorm2d(4)
        self.conv2 = nn.Conv2d(4, 8, 3, stride=2)
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm(self.conv1(x))), 3, 2, 1)
        x = F.adaptive_avg_pool2d(F.relu(self.conv2(x)), 1)
        return self.fc(x.flatten(1))


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(TOKENS, 8)
        self.lstm = nn.LSTM(8, 16, num_layers=2)
        self.decoder = nn.Linear(16, TOKENS)

    def forward(self, tokens):
        return self.decoder(self.lstm(self.embedding(tokens))[0]).flatten(0, 1)


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(TOKENS, 16)
        self.positions = nn.Parameter(torch.randn(LENGTH, 16) * 0.1)
        for name in ("layer1", "layer2"):
            setattr(self, name, nn.TransformerEncoderLayer(16, 2, 32, dropout=0.0, batch_first=True))
        self.decoder = nn.Linear(16, TOKENS)

    def forward(self, tokens):
        mask = torch.full((LENGTH, LENGTH), -float("inf")).triu(1)
        x = self.embedding(tokens) + self.positions
        x = self.layer2(self.layer1(x, mask), mask)
        return self.decoder(x).flatten(0, 1)


def images():
    """Noise with a bright spot in one of three places, which is the label."""
    labels = torch.randint(3, (8,))
    x = torch.randn(8, 1, 9, 9) * 0.5
    for image, label in enumerate(labels.tolist()):
        x[image, 0, label * 3:label * 3 + 3, label * 2:label * 2 + 4] += 2
    return x, labels


def texts():
    """Tokens, and those that follow: the next is a function of the last two."""
    tokens = torch.zeros(4, LENGTH + 1, dtype=torch.long)
    tokens[:, 0] = torch.randint(TOKENS, (4,))
    for i in range(LENGTH):
        tokens[:, i + 1] = (3 * tokens[:, i] + tokens[:, max(i - 1, 0)] + 1) % TOKENS
    return tokens[:, :-1], tokens[:, 1:]


def train(name, net, batches, rate):
    for key, value in net.state_dict().items():
        TENSORS[f"{name}/state.{key}"] = value.clone()
    losses = []
    for i, (x, labels) in enumerate(batches):
        TENSORS[f"{name}/x{i}"], TENSORS[f"{name}/labels{i}"] = x.contiguous(), labels.contiguous()
    for step in range(STEPS):
        x, labels = batches[step % BATCHES]
        loss = F.cross_entropy(net(x), labels)
        net.zero_grad()
        loss.backward()
        with torch.no_grad():
            for parameter in net.parameters():
                parameter -= rate * parameter.grad
        losses.append(loss.item())
    TENSORS[f"{name}/losses"] = torch.tensor(losses)
    print(name, losses[0], losses[19], losses[99], losses[-1])


torch.manual_seed(1)
train("convNet", ConvNet(), [images() for _ in range(BATCHES)], 0.2)
steps_first = [(x.t(), labels.t().flatten()) for x, labels in (texts() for _ in range(BATCHES))]
train("recurrent", Recurrent(), steps_first, 1.0)
train("transformer", Transformer(), [(x, labels.flatten()) for x, labels in (texts() for _ in range(BATCHES))], 0.1)
save(os.path.join(os.path.dirname(os.path.abspath(__file__)), "training.safetensors"), TENSORS)
