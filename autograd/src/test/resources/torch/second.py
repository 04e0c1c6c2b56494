#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes second.safetensors: derivatives of derivatives by PyTorch, in float64.

    python3 second.py             # torch 1.13.1

- `penalty`: a small critic with `state.NAME`, examples `real` and `fake`, the part `alpha` of each real one
  in a mixture; the `loss` of WGAN-GP (Gulrajani et al., 2017) and its gradients `grad.NAME`.
- `net`: a small network for images `x` and `labels` with parameters `p0`, ...; the product `hvp0`, ... of the
  loss's Hessian with `v0`, ..., and for the results the products `jvp` with these and `vjp0`, ... with `u`,
  and the Jacobian `jacobian4` of the last parameter.
"""
import os

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd.functional import hvp, jacobian, jvp, vjp

from safetensors_file import save

TENSORS = {}


def keep(name, tensor):
    TENSORS[name] = tensor.detach()


def penalty():
    critic = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
    real, fake, alpha = torch.randn(5, 3), torch.randn(5, 3) + 1, torch.rand(5, 1)
    mixed = (alpha * real + (1 - alpha) * fake).requires_grad_()
    (gradient,) = torch.autograd.grad(critic(mixed).sum(), mixed, create_graph=True)
    norms = gradient.square().sum(1).sqrt()
    loss = critic(fake).mean() - critic(real).mean() + 10 * ((norms - 1) ** 2).mean()
    loss.backward()
    for name, tensor in {"real": real, "fake": fake, "alpha": alpha, "loss": loss}.items():
        keep(f"penalty/{name}", tensor)
    for name, parameter in critic.named_parameters():
        keep(f"penalty/state.{name}", parameter)
        keep(f"penalty/grad.{name}", parameter.grad)


def net():
    x, labels = torch.randn(3, 1, 6, 6), torch.tensor([2, 0, 1])
    shapes = [(2, 1, 3, 3), (2,), (2, 4, 4), (2, 4, 4), (3, 8)]
    parameters = tuple(torch.randn(shape) / 2 for shape in shapes)
    v = tuple(torch.randn(shape) for shape in shapes)

    def logits(filters, bias, scale, shift, weight):
        features = F.layer_norm(F.gelu(F.conv2d(x, filters, bias)), (2, 4, 4), scale, shift)
        return F.linear(F.max_pool2d(features, 2).flatten(1), weight)

    def loss(*parameters):
        return F.cross_entropy(logits(*parameters), labels)

    u = torch.randn(3, 3)
    keep("net/x", x)
    keep("net/labels", labels)
    keep("net/u", u)
    keep("net/jvp", jvp(logits, parameters, v)[1])
    keep("net/jacobian4", jacobian(logits, parameters)[4])
    products = zip(parameters, v, hvp(loss, parameters, v)[1], vjp(logits, parameters, u)[1])
    for i, values in enumerate(products):
        for name, value in zip(["p", "v", "hvp", "vjp"], values):
            keep(f"net/{name}{i}", value)


if __name__ == "__main__":
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(1)
    penalty()
    net()
    save(os.path.join(os.path.dirname(os.path.abspath(__file__)), "second.safetensors"), TENSORS)
