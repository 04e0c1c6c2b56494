#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes reference.txt: results and gradients of PyTorch for every operation.

    python3 reference.py > reference.txt

A line is `case.tensor sizes values`: inputs `x0`, `x1`, ..., labels in `labels`, the result `y`, and
the gradients `dx0`, ... of sum(y * dy) with respect to the inputs.
"""
import torch
import torch.nn.functional as F

torch.manual_seed(1)


def write(name, tensor):
    sizes = ",".join(str(size) for size in tensor.shape) or "-"
    print(name, sizes, *(f"{value:.9g}" for value in tensor.detach().flatten().tolist()))


def case(name, function, *shapes, labels=None):
    inputs = [torch.randn(shape, requires_grad=True) for shape in shapes]
    y = function(*inputs) if labels is None else function(*inputs, labels)
    dy = torch.randn(y.shape)
    y.backward(dy)
    for i, x in enumerate(inputs):
        write(f"{name}.x{i}", x)
        write(f"{name}.dx{i}", x.grad)
    if labels is not None:
        write(f"{name}.labels", labels.float())
    write(f"{name}.y", y)
    write(f"{name}.dy", dy)


print("# torch", torch.__version__)
case("scale", lambda x: x * -1.5, (3, 4))
case("add", torch.add, (3, 4), (3, 4))
case("addRow", torch.add, (2, 3, 4), (4,))
case("addScalar", torch.add, (3, 4), ())
case("sub", torch.sub, (3, 4), (3, 4))
case("mul", torch.mul, (3, 4), (3, 4))
case("abs", torch.abs, (3, 4))
case("relu", torch.relu, (3, 4))
case("reshape", lambda x: x.reshape(2, 6), (3, 4))
case("flatten", lambda x: x.flatten(1), (2, 3, 4))
case("sum", torch.sum, (3, 4))
case("mean", torch.mean, (3, 4))
case("logSoftmax", lambda x: F.log_softmax(x, 1), (5, 10))
case("matmul", torch.matmul, (5, 7), (7, 3))
case("linear", F.linear, (5, 40), (9, 40), (9,))
case("maxPool2d", lambda x: F.max_pool2d(x, 2), (2, 3, 7, 6))
case("maxPool3", lambda x: F.max_pool2d(x, 3), (2, 3, 7, 6))
case("conv2d", F.conv2d, (2, 3, 8, 7), (5, 3, 3, 2), (5,))
case("conv1x1", F.conv2d, (2, 3, 4, 4), (5, 3, 1, 1), (5,))
case("nllLoss", F.nll_loss, (4, 10), labels=torch.tensor([9, 0, 3, 3]))
case("crossEntropy", F.cross_entropy, (4, 10), labels=torch.tensor([1, 9, 0, 2]))
case("mseLoss", F.mse_loss, (3, 4), (3, 4))
case("l1Loss", F.l1_loss, (3, 4), (3, 4))


def net(x, w1, b1, w2, b2, w3, b3, w4, b4):
    x = F.relu(F.conv2d(x, w1, b1))
    x = F.max_pool2d(F.conv2d(x, w2, b2), 2)
    return F.log_softmax(F.linear(F.relu(F.linear(x.flatten(1), w3, b3)), w4, b4), 1)


# The tutorial's network in small.
case("net", net, (3, 1, 10, 10), (4, 1, 3, 3), (4,), (6, 4, 3, 3), (6,), (8, 54), (8,), (5, 8), (5,))
