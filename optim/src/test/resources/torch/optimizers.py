#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes optimizers.safetensors: twenty steps of each of torch's optimizers, by case and type.

    python3 optimizers.py           # torch 1.13.1 on an x86-64 CPU with FMA

For each type there are `float32/initial`, the gradients `float32/gradients`, one row per step, and
for each case `float32/CASE`: the values after the steps of SHOWN. Those of SPARSE_CASES begin with
`float32/table`; each step has gradients `float32/row_gradients` for some `rows`. `lbfgs/` and
`strong_wolfe/` have the points and losses of LBFGS, in float64.
"""
import inspect
import sys
from pathlib import Path

import torch
from torch.optim import SGD, Adadelta, Adagrad, Adam, AdamW, Adamax, NAdam, RAdam, RMSprop, Rprop, SparseAdam

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[4] / "autograd/src/test/resources/torch"))
from safetensors_file import save  # noqa: E402

# torch 1.13 multiplies by mu twice in the product that the next step will have; torch 2 has this line.
nadam = sys.modules[NAdam.__module__]
exec(inspect.getsource(nadam._single_tensor_nadam)
     .replace("mu_product * mu * mu_next", "mu_product.item() * mu_next").replace("mu_product_next.item()", "mu_product_next"),
     vars(nadam))

ELEMENTS, TABLE, ROWS, SHOWN = 37, (11, 5), 4, (1, 2, 3, 10, 20)

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
    "adagrad": (Adagrad, dict(lr=0.1)),
    "adagrad_all": (Adagrad, dict(lr=0.1, lr_decay=0.01, weight_decay=0.1, initial_accumulator_value=0.5, eps=1e-3,
                                  maximize=True)),
    "adadelta": (Adadelta, dict(lr=1.0)),
    "adadelta_all": (Adadelta, dict(lr=0.5, rho=0.8, eps=1e-3, weight_decay=0.1, maximize=True)),
    "rmsprop": (RMSprop, dict(lr=0.01)),
    "rmsprop_centered": (RMSprop, dict(lr=0.01, centered=True)),
    "rmsprop_momentum": (RMSprop, dict(lr=0.01, momentum=0.9)),
    "rmsprop_all": (RMSprop, dict(lr=0.01, alpha=0.9, eps=1e-3, weight_decay=0.1, momentum=0.9, centered=True,
                                  maximize=True)),
    "adamax": (Adamax, dict(lr=0.002)),
    "adamax_all": (Adamax, dict(lr=0.01, betas=(0.8, 0.95), eps=1e-3, weight_decay=0.1, maximize=True)),
    "nadam": (NAdam, dict(lr=0.002)),
    "nadam_all": (NAdam, dict(lr=0.01, betas=(0.8, 0.95), eps=1e-3, weight_decay=0.1, momentum_decay=0.1)),
    "radam": (RAdam, dict(lr=0.01)),
    "radam_early": (RAdam, dict(lr=0.01, betas=(0.8, 0.5))),
    "radam_all": (RAdam, dict(lr=0.01, betas=(0.8, 0.95), eps=1e-3, weight_decay=0.1)),
    "rprop": (Rprop, dict(lr=0.01)),
    "rprop_all": (Rprop, dict(lr=0.1, etas=(0.4, 1.5), step_sizes=(0.05, 0.3), maximize=True)),
}
SPARSE_CASES = {
    "sparse_sgd": (SGD, dict(lr=0.03)),
    "sparse_sgd_momentum": (SGD, dict(lr=0.03, momentum=0.9)),
    "sparse_adagrad": (Adagrad, dict(lr=0.1, lr_decay=0.01, maximize=True)),
    "sparse_adam": (SparseAdam, dict(lr=0.01)),
    "sparse_adam_all": (SparseAdam, dict(lr=0.01, betas=(0.8, 0.95), eps=1e-3, maximize=True)),
}


def trajectory(make, options, initial, gradients):
    parameter = torch.nn.Parameter(initial.clone())
    optimizer = make([parameter], **options)
    for step, gradient in enumerate(gradients, 1):
        parameter.grad = gradient
        optimizer.step()
        if step in SHOWN:
            yield parameter.detach().clone()


torch.manual_seed(1)
start = torch.randn(ELEMENTS)
# From step to step and from value to value of another size, some exactly zero.
slopes = torch.randn(SHOWN[-1], ELEMENTS) * 10 ** torch.linspace(-3, 2, ELEMENTS)
slopes[torch.rand(slopes.shape) < 0.1] = 0
table = torch.randn(TABLE)
rows = torch.stack([torch.randperm(TABLE[0])[:ROWS].sort().values for _ in slopes])
row_slopes = torch.randn(len(slopes), ROWS, TABLE[1])
tensors = {"rows": rows}
for name, dtype in (("float32", torch.float32), ("float64", torch.float64)):
    initial, gradients = start.to(dtype), slopes.to(dtype)
    tensors[f"{name}/initial"], tensors[f"{name}/gradients"] = initial, gradients
    for case, (make, options) in CASES.items():
        tensors[f"{name}/{case}"] = torch.stack(list(trajectory(make, options, initial, gradients.clone())))
    initial, gradients = table.to(dtype), row_slopes.to(dtype)
    tensors[f"{name}/table"], tensors[f"{name}/row_gradients"] = initial, gradients
    for case, (make, options) in SPARSE_CASES.items():
        sparse = [torch.sparse_coo_tensor(at[None], values.clone(), TABLE) for at, values in zip(rows, gradients)]
        tensors[f"{name}/{case}"] = torch.stack(list(trajectory(make, options, initial, sparse)))

# LBFGS in float64: through Rosenbrock's valley, to which it comes from a side, and with a search for two layers.
def lbfgs(name, parameters, loss, steps, **options):
    def closure():
        optimizer.zero_grad()
        value = loss()
        value.backward()
        return value

    def point():
        return torch.cat([p.detach().flatten() for p in parameters])

    optimizer = torch.optim.LBFGS(parameters, **options)
    tensors[f"{name}/initial"], losses, points = point(), [], []
    for _ in range(steps):
        losses.append(optimizer.step(closure).detach())
        points.append(point())
    tensors[f"{name}/losses"], tensors[f"{name}/points"] = torch.stack(losses), torch.stack(points)


def valley(x):
    return lambda: (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


for name, options in (("lbfgs", dict(lr=0.5)), ("strong_wolfe", dict(line_search_fn="strong_wolfe"))):
    x = torch.nn.Parameter(torch.tensor([-1.2, 1.0, 0.5, -0.3], dtype=torch.float64))
    lbfgs(name, [x], valley(x), 6, max_iter=4, history_size=3, **options)
torch.manual_seed(3)
inputs, targets = torch.randn(20, 3, dtype=torch.float64), torch.randn(20, 2, dtype=torch.float64)
net = torch.nn.Sequential(torch.nn.Linear(3, 5), torch.nn.Tanh(), torch.nn.Linear(5, 2)).double()
tensors["strong_wolfe/net/inputs"], tensors["strong_wolfe/net/targets"] = inputs, targets
lbfgs("strong_wolfe/net", list(net.parameters()), lambda: ((net(inputs) - targets) ** 2).mean(), 5,
      max_iter=5, line_search_fn="strong_wolfe")
save(str(HERE / "optimizers.safetensors"), tensors)
