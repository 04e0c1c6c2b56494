# SPDX-License-Identifier: Apache-2.0
"""Writes mnist_net.bin: forward and gradients of the tutorial's ConvNet, in evaluation mode.

Made with torch 1.13.0 and numpy 1.24: python3 mnist_net.py

Parameters and inputs are pseudo-random by `noise`, which both sides compute, so that 1.2 million
numbers need not be kept. Little-endian float32: log-probabilities [4, 10], the loss against the
labels 0 to 3, and for each parameter the norm of its gradient and SAMPLES values of it, evenly
spread from the first.
"""
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

SAMPLES = 10
SHAPES = {
    "conv1.weight": (32, 1, 3, 3), "conv1.bias": (32,),
    "conv2.weight": (64, 32, 3, 3), "conv2.bias": (64,),
    "fc1.weight": (128, 9216), "fc1.bias": (128,),
    "fc2.weight": (10, 128), "fc2.bias": (10,),
}


def noise(start, *shape):
    """Numbers start, start + 1, ... of a fixed sequence in [-1, 1), exact in float32."""
    bits = np.arange(start, start + np.prod(shape), dtype=np.uint32)
    bits = (bits ^ (bits >> 15)) * np.uint32(0x2C1B3C6D)
    bits = (bits ^ (bits >> 12)) * np.uint32(0x297A2D39)
    bits = bits ^ (bits >> 15)
    return torch.from_numpy(((bits >> 8).astype(np.float32) / 2**23 - 1).reshape(shape))


parameters, start = {}, 0
for name, shape in SHAPES.items():
    fan_in = np.prod(shape[1:]) if len(shape) > 1 else 64
    scale = 2.0 ** -np.ceil(np.log2(np.sqrt(fan_in)))
    parameters[name] = (noise(start, *shape) * scale).requires_grad_()
    start += parameters[name].numel()
images = noise(start, 4, 1, 28, 28)

p = parameters
x = F.relu(F.conv2d(images, p["conv1.weight"], p["conv1.bias"]))
x = F.max_pool2d(F.conv2d(x, p["conv2.weight"], p["conv2.bias"]), 2).flatten(1)
x = F.linear(F.relu(F.linear(x, p["fc1.weight"], p["fc1.bias"])), p["fc2.weight"], p["fc2.bias"])
log_probabilities = F.log_softmax(x, 1)
loss = F.nll_loss(log_probabilities, torch.arange(4))
loss.backward()

results = [log_probabilities.detach().flatten(), loss.detach().flatten()]
for parameter in parameters.values():
    gradient = parameter.grad.flatten()
    results += [gradient.norm().reshape(1), gradient[:: len(gradient) // SAMPLES][:SAMPLES]]
torch.cat(results).numpy().astype("<f4").tofile(Path(__file__).with_name("mnist_net.bin"))
