#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes optimizers.safetensors: twenty steps of each of torch's optimizers, by case and type.

    python3 optimizers.py           # torch 1.13.1 on an x86-64 CPU with FMA

For each type there are `float32/initial`, the gradients `float32/gradients`, one row per step, and
for each case `float32/CASE`: the values after the steps of SHOWN.
"""
import sys
from pathlib import Path

import torch
from torch.optim import SGD, Adam, AdamW

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[4] / "autograd/src/test/resources/torch"))
from safetensors_file import save  # noqa: E402

ELEMENTS, SHOWN = 37, (1, 2, 3, 10, 20)

CASES = {
    "sgd": (SGD, dict(lr=0.03)),
    "sgd_decay": (SGD, dict(lr=0.03, weight_decay=0.01)),
    "sgd_maximize": (SGD, dict(lr=0.03, weight_decay=0.01, maximize=True)),
    "sgd_momentum": (SGD, dict(lr=0.03, momentum=0.9)),
    "sgd_dampening": (SGD, dict(lr=0.03, momentum=0.9, dampening=0.3)),
    "sgd_momentum_decay": (SGD, dict(lr=0.03, momentum=0.9, weight_decay=0.01)),
    "sgd_nesterov": (SGD, dict(lr=0.03, momentum=0.9, nesterov=True)),
    "sgd_all": (SGD, dict(lr=0.03, momentum=1, weight_decay=1, nesterov=True, maximize=True)),
    "adam": (Adam, dict(lr=0.01)),
    "adam_betas_eps": (Adam, dict(lr=0.01, betas=(0.8, 0.95), eps=1e-3)),
    "adam_decay": (Adam, dict(lr=0.01, weight_decay=0.1)),
    "adam_amsgrad": (Adam, dict(lr=0.01, amsgrad=True)),
    "adam_all": (Adam, dict(lr=0.01, weight_decay=0.1, amsgrad=True, maximize=True)),
    "adamw": (AdamW, dict(lr=0.01)),
    "adamw_betas_eps": (AdamW, dict(lr=0.01, betas=(0.8, 0.95), eps=1e-3)),
    "adamw_all": (AdamW, dict(lr=0.01, weight_decay=0.1, amsgrad=True, maximize=True)),
}


def trajectory(make, options, initial, gradients):
    parameter = torch.nn.Parameter(initial.clone())
    optimizer = make([parameter], **options)
    for step, gradient in enumerate(gradients, 1):
        parameter.grad = gradient.clone()
        optimizer.step()
        if step in SHOWN:
            yield parameter.detach().clone()


torch.manual_seed(1)
start = torch.randn(ELEMENTS)
# From step to step and from value to value of another size, some exactly zero.
slopes = torch.randn(SHOWN[-1], ELEMENTS) * 10 ** torch.linspace(-3, 2, ELEMENTS)
slopes[torch.rand(slopes.shape) < 0.1] = 0
tensors = {}
for name, dtype in (("float32", torch.float32), ("float64", torch.float64)):
    initial, gradients = start.to(dtype), slopes.to(dtype)
    tensors[f"{name}/initial"], tensors[f"{name}/gradients"] = initial, gradients
    for case, (make, options) in CASES.items():
        tensors[f"{name}/{case}"] = torch.stack(list(trajectory(make, options, initial, gradients)))
save(str(HERE / "optimizers.safetensors"), tensors)
