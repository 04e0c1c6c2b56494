#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes schedules.safetensors: learning rates and momenta of torch's schedules, an epoch a row.

    python3 schedules.py           # torch 1.13.1

`CASE` has the rate and the momentum in each epoch for an SGD that begins with 0.05 and 0.9. `measures`
are what those of ReduceLROnPlateau are told after each.
"""
import sys
from pathlib import Path

import torch
from torch.optim import SGD, lr_scheduler as lr

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[4] / "autograd/src/test/resources/torch"))
from safetensors_file import save  # noqa: E402

EPOCHS = 50
CASES = {
    "step": lambda o: [lr.StepLR(o, 7, 0.3)],
    "multi_step": lambda o: [lr.MultiStepLR(o, [5, 11, 11, 30], 0.3)],
    "exponential": lambda o: [lr.ExponentialLR(o, 0.9)],
    "linear": lambda o: [lr.LinearLR(o, 0.1, 1.0, 20)],
    "linear_to_zero": lambda o: [lr.LinearLR(o, 1.0, 0.0, 20)],
    "cosine": lambda o: [lr.CosineAnnealingLR(o, 15, 0.001)],
    "warm_restarts": lambda o: [lr.CosineAnnealingWarmRestarts(o, 5, 2, 0.001)],
    "one_cycle": lambda o: [lr.OneCycleLR(o, 0.1, EPOCHS)],
    "one_cycle_linear": lambda o: [lr.OneCycleLR(o, 0.1, EPOCHS, pct_start=0.5, anneal_strategy="linear",
                                                 base_momentum=0.7, max_momentum=0.8, div_factor=10,
                                                 final_div_factor=100)],
    "one_cycle_three": lambda o: [lr.OneCycleLR(o, 0.1, EPOCHS, cycle_momentum=False, three_phase=True)],
    "cyclic": lambda o: [lr.CyclicLR(o, 0.01, 0.1, 6)],
    "cyclic_halves": lambda o: [lr.CyclicLR(o, 0.01, 0.1, 3, 8, "triangular2", base_momentum=0.7, max_momentum=0.95)],
    "cyclic_falling": lambda o: [lr.CyclicLR(o, 0.01, 0.1, 5, 5, "exp_range", 0.97, cycle_momentum=False)],
    "sequential": lambda o: [lr.SequentialLR(o, [lr.LinearLR(o, 0.1, 1.0, 8), lr.ExponentialLR(o, 0.9),
                                                 lr.CosineAnnealingLR(o, 15, 0.001)], [8, 25])],
    "warm_up_and_step": lambda o: [lr.LinearLR(o, 0.1, 1.0, 10), lr.StepLR(o, 15, 0.5)],
    "warm_up_and_cosine": lambda o: [lr.LinearLR(o, 0.1, 1.0, 10), lr.CosineAnnealingLR(o, 15, 0.001)],
    "warm_up_and_restarts": lambda o: [lr.LinearLR(o, 0.1, 1.0, 10), lr.CosineAnnealingWarmRestarts(o, 5, 2, 0.001)],
    "warm_up_and_lambda": lambda o: [lr.LinearLR(o, 0.1, 1.0, 10), lr.LambdaLR(o, lambda epoch: 1 / (1 + epoch))],
}
PLATEAU_CASES = {
    "plateau": lambda o: lr.ReduceLROnPlateau(o, factor=0.5, patience=2),
    "plateau_all": lambda o: lr.ReduceLROnPlateau(o, "max", 0.3, 1, 0.2, "abs", 3, 0.002),
}


def optimizer():
    parameter = torch.nn.Parameter(torch.zeros(1))
    parameter.grad = torch.zeros(1)
    return SGD([parameter], lr=0.05, momentum=0.9)


def row(sgd):
    return [sgd.param_groups[0]["lr"], sgd.param_groups[0]["momentum"]]


torch.manual_seed(1)
measures = torch.rand(EPOCHS, dtype=torch.float64) + torch.linspace(1, 0, EPOCHS, dtype=torch.float64)
tensors = {"measures": measures}
for case, make in CASES.items():
    sgd = optimizer()
    schedules, rows = make(sgd), [row(sgd)]
    for _ in range(1, EPOCHS):
        sgd.step()
        for schedule in schedules:
            schedule.step()
        rows.append(row(sgd))
    tensors[case] = torch.tensor(rows, dtype=torch.float64)
for case, make in PLATEAU_CASES.items():
    sgd = optimizer()
    schedule, rows = make(sgd), []
    for measure in measures.tolist():
        schedule.step(measure)
        rows.append(row(sgd))
    tensors[case] = torch.tensor(rows, dtype=torch.float64)
save(str(HERE / "schedules.safetensors"), tensors)
