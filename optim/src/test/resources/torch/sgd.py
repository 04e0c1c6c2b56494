# SPDX-License-Identifier: Apache-2.0
"""Writes sgd.bin: twenty steps of torch.optim.SGD for each valid combination of its options.

Made with torch 1.13.0 and numpy 1.24 on an x86-64 CPU with FMA: python3 sgd.py

Little-endian: int32 cases, steps, elements; then float32: the initial values, one gradient per step;
then per case learning rate, momentum, dampening, weight decay, nesterov (0 or 1) and the values
after each step.
"""
from itertools import product
from pathlib import Path

import numpy as np
import torch

STEPS, ELEMENTS = 20, 37

torch.manual_seed(1)
initial = torch.randn(ELEMENTS)
gradients = torch.randn(STEPS, ELEMENTS)


def trajectory(rate, momentum, dampening, decay, nesterov):
    parameter = torch.nn.Parameter(initial.clone())
    sgd = torch.optim.SGD([parameter], lr=rate, momentum=momentum, dampening=dampening,
                          weight_decay=decay, nesterov=nesterov)
    for gradient in gradients:
        parameter.grad = gradient.clone()
        sgd.step()
        yield parameter.detach().clone()


def single(value):
    """The double that a float32 option becomes, so that both sides start from the same number."""
    return float(np.float32(value))


combinations = [
    (single(0.03), single(momentum), single(dampening), single(decay), nesterov)
    for momentum, dampening, decay, nesterov in product((0, 0.9), (0, 0.3), (0, 0.01), (False, True))
    if not nesterov or (momentum and not dampening)
]
with open(Path(__file__).with_name("sgd.bin"), "wb") as out:
    np.array([len(combinations), STEPS, ELEMENTS], "<i4").tofile(out)
    for values in (initial, gradients):
        values.numpy().astype("<f4").tofile(out)
    for options in combinations:
        np.array(options, "<f4").tofile(out)
        torch.stack(list(trajectory(*options))).numpy().astype("<f4").tofile(out)
