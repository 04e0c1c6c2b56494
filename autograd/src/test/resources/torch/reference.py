#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes reference.txt: results and gradients of PyTorch for every operation.

    python3 reference.py > reference.txt

A line is `case.tensor sizes values`: inputs `x0`, `x1`, ..., indices `i0`, ..., the result `y`, and, where
there is a gradient, the gradients `dx0`, ... of sum(y * dy) with respect to the inputs. A case is the name
of an operation, with a variant after a dot; its values depend on its name alone.
"""
import zlib

import torch
import torch.nn.functional as F

INF = float("inf")
# What an elementwise operation meets at the ends of its range.
EDGES = [0.0, -0.0, float("nan"), INF, -INF, 1e-30, -1e-30, 30.0, -30.0, 100.0, -100.0, 1e30, -1e30]


def write(name, tensor):
    sizes = ",".join(str(size) for size in tensor.shape) or "-"
    print(name, sizes, *(f"{value:.9g}" for value in tensor.detach().float().flatten().tolist()))


def case(name, function, *shapes, indices=(), values=None):
    torch.manual_seed(zlib.crc32(name.encode()))
    inputs = [torch.randn(shape) for shape in shapes] if values is None else [torch.tensor(v) for v in values]
    for x in inputs:
        x.requires_grad_()
    indices = [torch.tensor(index) for index in indices]
    y = function(*inputs, *indices)
    for i, x in enumerate(inputs):
        write(f"{name}.x{i}", x)
    for i, index in enumerate(indices):
        write(f"{name}.i{i}", index)
    write(f"{name}.y", y)
    if y.requires_grad:
        dy = torch.randn(y.shape)
        y.backward(dy)
        write(f"{name}.dy", dy)
        for i, x in enumerate(inputs):
            write(f"{name}.dx{i}", x.grad)


def unary(name, function, positive=False, edges=EDGES, inside=False):
    """An operation of one number: ordinary values, none at all, and the ends of the range. Values may have to be positive, or inside of
    -1 and 1."""
    torch.manual_seed(zlib.crc32(name.encode()))
    x = torch.randn(3, 5)
    case(name, function, values=[(x.abs() + 0.2 if positive else x.tanh() * 0.9 if inside else x).tolist()])
    case(f"{name}.empty", function, (2, 0, 3))
    case(f"{name}.edges", function, values=[edges])


def binary(name, function):
    """An operation of two: one shape, numpy's rule in all its forms, nothing, and the ends of the range."""
    case(name, function, (3, 4), (3, 4))
    case(f"{name}.row", function, (2, 3, 4), (4,))
    case(f"{name}.rows", function, (3, 4), (2, 3, 4))
    case(f"{name}.scalar", function, (3, 4), ())
    case(f"{name}.column", function, (3, 1), (3, 4))
    case(f"{name}.outer", function, (3, 1), (1, 4))
    case(f"{name}.middle", function, (2, 3, 4), (2, 1, 4))
    case(f"{name}.long", function, (3, 20), (20,))
    case(f"{name}.one", function, (3, 20), (1, 1))
    case(f"{name}.empty", function, (0, 4), (1, 4))
    pairs = [(a, b) for a in (0.0, INF, -INF, float("nan"), 2.0) for b in (0.0, INF, float("nan"), -3.0)]
    case(f"{name}.edges", function, values=[[a for a, _ in pairs], [b for _, b in pairs]])


print("# torch", torch.__version__)
case("scale", lambda x: x * -1.5, (3, 4))
case("neg", torch.neg, (3, 4))
for name in ("add", "sub", "mul", "div", "maximum", "minimum"):
    binary(name, getattr(torch, name))
unary("addScalar", lambda x: x + 1.7)
unary("subScalar", lambda x: x - 1.7)
unary("rsubScalar", lambda x: 1.7 - x)
unary("divScalar", lambda x: x / 1.7)
unary("abs", torch.abs)
for name in ("sign", "floor", "ceil", "round", "sin", "cos", "tan", "atan", "sinh", "cosh"):
    unary(name, getattr(torch, name))
case("round.half.edges", torch.round, values=[[0.5, 1.5, 2.5, -0.5, -1.5, 2**23 + 0.5]])
for name in ("asin", "acos"):
    unary(name, getattr(torch, name), edges=EDGES + [1.0, -1.0, 2.0], inside=True)
unary("relu", torch.relu)
unary("reciprocal", torch.reciprocal, positive=True)
unary("sqrt", torch.sqrt, positive=True)
unary("square", torch.square)
unary("pow", lambda x: x**3)
# torch takes the square root, of which -inf has none and -0 is -0; C's and Java's pow say inf and 0.
unary("pow.root", lambda x: x**0.5, positive=True, edges=[x for x in EDGES if str(x) not in ("-inf", "-0.0")])
unary("pow.inverse", lambda x: x**-2, positive=True)
unary("exp", torch.exp)
unary("log", torch.log, positive=True)
unary("clamp", lambda x: x.clamp(-0.5, 0.7))
unary("leakyRelu", lambda x: F.leaky_relu(x, 0.1))
unary("sigmoid", torch.sigmoid)
unary("tanh", torch.tanh)
unary("silu", F.silu)
unary("softplus", F.softplus)
unary("gelu", F.gelu)
# In float32, torch's gradient overflows where x**3 does.
unary("geluTanh", lambda x: F.gelu(x, approximate="tanh"), edges=EDGES[:-2])
for name in ("lt", "le", "gt", "ge", "eq", "ne"):
    compare = getattr(torch, name)
    case(name, lambda a, b: compare(a, b), values=[[1.0, 2.0, 3.0, float("nan")], [2.0, 2.0, 2.0, float("nan")]])
    case(f"{name}.row", lambda a, b: compare(a, b), (3, 4), (4,))
    case(f"{name}.number.edges", lambda x: compare(x, 0.5), values=[[0.0, 0.5, 1.0, float("nan"), INF, -INF]])
case("not", lambda a, b: (a < b).logical_not(), (3, 4), (4,))
case("and", lambda a, b: (a < 0).logical_and(b < 0), (3, 4), (4,))
case("or", lambda a, b: (a < 0).logical_or(b < 0), (3, 1), (4,))
case("where", lambda a, b: torch.where(a > b, a * 2, b), (3, 4), (3, 4))
case("where.broadcast", lambda a, b: torch.where(a > 0, a, b), (3, 4), (4,))
case("maskedFill", lambda x: x.masked_fill(x > 0, -2), (3, 4))
case("maskedFill.edges", lambda x: x.masked_fill(x > 0, -INF), (3, 4))
case("maskedSelect", lambda x: x[x > 0], (3, 4))
case("maskedSelect.row", lambda a, b: (a * b).masked_select(b > 0), (3, 4), (4,))
case("maskedSelect.rows", lambda a, b: a.masked_select(b > 0) * b.masked_select(b > 0), (4,), (3, 4))
case("maskedSelect.none", lambda x: x[x > 100], (3, 4))
case("maskedSelect.empty", lambda x: x[x > 0], (0, 4))
case("reshape", lambda x: x.reshape(2, 6), (3, 4))
case("reshape.rest", lambda x: x.reshape(2, -1), (3, 4))
case("flatten", lambda x: x.flatten(1), (2, 3, 4))
case("unsqueeze", lambda x: x.unsqueeze(1), (2, 3))
case("squeeze", lambda x: x.squeeze(1), (2, 1, 3))
case("transpose", lambda x: x.transpose(0, 1), (3, 4))
case("transpose.far", lambda x: x.transpose(0, -1), (2, 3, 4))
case("permute", lambda x: x.permute(2, 0, 1), (2, 3, 4))
case("permute.empty", lambda x: x.permute(2, 0, 1), (2, 0, 4))
case("expand", lambda x: x.expand(2, 3, 4), (3, 1))
case("slice", lambda x: x[:, 1:3], (3, 5, 2))
case("slice.empty", lambda x: x[:, 2:2], (3, 5))
case("select", lambda x: x[:, -2], (3, 5, 2))
case("flip", lambda x: x.flip(1), (3, 4))
case("flip.several", lambda x: x.flip(0, 2), (2, 3, 4))
case("roll", lambda x: x.roll(2, 1), (2, 5, 2))
case("roll.back", lambda x: x.roll(-1, 0), (3, 2))
case("roll.round", lambda x: x.roll(8, 1), (3, 4))
case("roll.empty", lambda x: x.roll(1, 1), (3, 0))
case("meshgrid", lambda a, b, c: torch.stack(torch.meshgrid(a, b, c, indexing="ij")), (2,), (3,), (4,))
case("split", lambda x: torch.cat([part * (i + 1) for i, part in enumerate(x.split(2, 1))], 1), (3, 5))
case("concatenate", lambda a, b: torch.cat([a, b], 1), (2, 3, 2), (2, 1, 2))
case("concatenate.empty", lambda a, b: torch.cat([a, b], 0), (0, 3), (2, 3))
case("stack", lambda a, b: torch.stack([a, b], 1), (2, 3), (2, 3))
case("pad", lambda x: F.pad(x, (1, 2), value=0.5), (3, 4))
case("pad.outer", lambda x: F.pad(x, (0, 0, 2, 0)), (3, 4))
case("indexSelect", lambda x, i: x.index_select(1, i), (3, 4, 2), indices=[[3, 0, 3]])
case("indexSelect.rows", lambda x, i: x[i], (5, 2), indices=[[4, 4, 1]])
case("indexSelect.all", lambda x, i: x.index_select(0, i), (2, 3), indices=[[1, 0, 1, 1]])
case("indexSelect.last", lambda x, i: x.index_select(-1, i), (2, 3), indices=[[2, 2]])
case("indexSelect.mask", lambda x, i: x[i.bool()], (4, 2), indices=[[1, 0, 0, 1]])
case("indexSelect.mask.last", lambda x, i: x[:, i.bool()], (2, 3), indices=[[0, 1, 1]])
case("indexSelect.empty", lambda x, i: x.index_select(1, i), (2, 3, 0), indices=[[1]])
case("gather", lambda x, i: x.gather(1, i), (3, 4), indices=[[[0, 3], [1, 1], [2, 0]]])
case("gather.first", lambda x, i: x.gather(0, i), (3, 4), indices=[[[0, 2, 1]]])
case("scatterAdd", lambda x, v, i: x.scatter_add(1, i, v), (3, 4), (3, 2), indices=[[[0, 3], [1, 1], [2, 0]]])
# Equal values, of which torch's stable order is ours.
TIES = [[2.0, 1.0, 2.0, 1.0], [0.0, -0.0, INF, 0.0], [float("nan"), 1.0, INF, float("nan")], [-INF, 3.0, float("nan"), -INF]]
for name, axis, descending in (("", 1, False), (".descending", 1, True), (".first", 0, False), (".last", -1, True)):
    case(f"sort{name}", lambda x: x.sort(dim=axis, descending=descending)[0], (3, 5, 2))
    case(f"argsort{name}", lambda x: x.argsort(dim=axis, descending=descending), (3, 5, 2))
for name, descending in (("", False), (".descending", True)):
    case(f"sort.ties{name}.edges", lambda x: x.sort(dim=1, descending=descending, stable=True)[0], values=[TIES])
    case(f"argsort.ties{name}.edges", lambda x: x.sort(dim=1, descending=descending, stable=True)[1], values=[TIES])
case("sort.indices", lambda x: x.sort(dim=0)[1], (4, 3))
case("sort.empty", lambda x: x.sort(dim=1)[0], (2, 0, 3))
case("topk", lambda x: x.topk(2, dim=1)[0], (3, 5, 2))
case("topk.smallest", lambda x: x.topk(3, dim=0, largest=False)[0], (4, 3))
case("topk.indices", lambda x: x.topk(3, dim=-1)[1], (2, 5))
case("topk.none.edges", lambda x: x.topk(0, dim=-1)[0], (2, 5))
case("topk.edges", lambda x: x.topk(3, dim=1)[0], values=[[[1.0, float("nan"), INF, 2.0], [-INF, INF, 0.0, -1.0]]])
AGAIN = [[3.0, 1.0, 2.0], [1.0, 3.0, 3.0]]
case("unique", lambda x: x.detach().unique(), values=[AGAIN])
case("unique.inverse", lambda x: x.detach().unique(return_inverse=True)[1], values=[AGAIN])
case("unique.counts", lambda x: x.detach().unique(return_counts=True)[1], values=[AGAIN])
for name in ("cumsum", "cumprod"):
    scan = getattr(torch, name)
    case(name, lambda x: scan(x, 1), (3, 5, 2))
    case(f"{name}.first", lambda x: scan(x, 0), (5, 2))
    case(f"{name}.last", lambda x: scan(x, -1), (2, 5))
    case(f"{name}.empty", lambda x: scan(x, 1), (2, 0, 3))
    case(f"{name}.edges", lambda x: scan(x, 1).detach(), values=[[[1.0, INF, -INF, 2.0], [float("nan"), 0.0, 1.0, 2.0]]])
case("cumprod.zeros", lambda x: x.cumprod(1), values=[[[2.0, 0.0, 3.0, 0.5], [0.0, 0.0, 1.0, 2.0], [1.0, 2.0, 3.0, 0.0]]])
case("sum.empty", torch.sum, (0, 4))
for name, axes, keep in (("", (0, 1, 2), False), (".axis", (1,), False), (".keepDim", (0,), True), (".several", (0, 2), False), (".apart", (0, 2), True),
                         (".middle", (1,), True), (".all", (0, 1, 2), False)):
    shape = (2, 3, 4)
    case(f"sum{name}", lambda x: x.sum(axes, keep), shape)
    case(f"mean{name}", lambda x: x.mean(axes, keep), shape)
    case(f"var{name}", lambda x: x.var(axes, unbiased=True, keepdim=keep), shape)
    case(f"varWithCorrection{name}", lambda x: x.var(axes, unbiased=False, keepdim=keep), shape)
    case(f"std{name}", lambda x: x.std(axes, unbiased=True, keepdim=keep), shape)
    case(f"stdWithCorrection{name}", lambda x: x.std(axes, unbiased=False, keepdim=keep), shape)
    case(f"max{name}", lambda x: x.amax(axes, keep), shape)
    case(f"min{name}", lambda x: x.amin(axes, keep), shape)
    case(f"vectorNorm{name}", lambda x: torch.linalg.vector_norm(x, 2, axes, keep), shape)
    case(f"logsumexp{name}", lambda x: x.logsumexp(axes, keep), shape)
for name, order in (("one", 1), ("three", 3), ("half", 1.5), ("greatest", INF)):
    case(f"vectorNorm.{name}", lambda x: torch.linalg.vector_norm(x, order, 1), (3, 5))
case("norm", torch.norm, (3, 4))
case("norm.empty", torch.norm, (0, 4))
case("norm.edges", torch.norm, values=[[0.0, 0.0]])
case("vectorNorm.edges", lambda x: torch.linalg.vector_norm(x, 2, 1), values=[[[0.0, 0.0], [3.0, -4.0], [INF, 1.0], [float("nan"), 1.0]]])
case("logsumexp.edges", lambda x: x.logsumexp(1),
     values=[[[1.0, -INF, 3.0], [1000.0, 0.0, -1000.0], [INF, 0.0, 1.0], [float("nan"), 0.0, 1.0]]])
# Of which torch's gradient is NaN, and ours 0.
case("logsumexp.nothing.edges", lambda x: x.detach().logsumexp(0), values=[[-INF, -INF]])
# One value has no variance, and no slope of it. With torch's correction there is no value at all.
case("varWithCorrection.one", lambda x: x.var(1, unbiased=False), (3, 1))
case("stdWithCorrection.one", lambda x: x.std(1, unbiased=False), (3, 1))
case("var.none.edges", lambda x: x.var(1, unbiased=True), (3, 1))
case("std.none.edges", lambda x: x.std(1, unbiased=True), (3, 1))
case("sum.four", lambda x: x.sum((1, 3)), (2, 3, 2, 3))
case("sum.none", lambda x: x.sum(1), (2, 0, 3))
case("max.edges", lambda x: x.max(1)[0], values=[[[1.0, float("nan"), 3.0], [-INF, -INF, -INF], [INF, 0.0, INF]]])
case("argmax", lambda x: x.argmax(1), (3, 4))
case("argmax.first", lambda x: x.argmax(0), (3, 4))
case("argmin", lambda x: x.argmin(-1), (2, 3, 4))
case("softmax", lambda x: x.softmax(1), (5, 10))
case("softmax.first", lambda x: x.softmax(0), (5, 10))
case("softmax.edges", lambda x: x.softmax(1), values=[[[1.0, -INF, 3.0], [1000.0, 0.0, -1000.0], [-INF, -INF, 0.0]]])
case("logSoftmax", lambda x: x.log_softmax(1), (5, 10))
case("logSoftmax.middle", lambda x: x.log_softmax(1), (2, 5, 3))
case("logSoftmax.edges", lambda x: x.log_softmax(1), values=[[[1000.0, 0.0, -1000.0], [1e30, 1e30, 0.0]]])
case("matmul", torch.matmul, (5, 7), (7, 3))
case("matmul.batch", torch.matmul, (4, 5, 7), (4, 7, 3))
case("matmul.broadcast", torch.matmul, (2, 1, 5, 7), (3, 7, 2))
case("matmul.right", torch.matmul, (2, 3, 5, 7), (7, 3))
case("matmul.left", torch.matmul, (5, 7), (3, 7, 2))
case("matmul.vectors", torch.matmul, (7,), (7,))
case("matmul.column", torch.matmul, (2, 5, 7), (7,))
case("matmul.row", torch.matmul, (7,), (2, 7, 3))
case("matmul.empty", torch.matmul, (3, 0), (0, 2))
case("matmul.none", torch.matmul, (0, 4, 3), (3, 2))
case("outer", torch.outer, (3,), (4,))
case("diag", torch.diag, (3, 4))
case("diag.above", lambda x: x.diag(2), (3, 4))
case("diag.below", lambda x: x.diag(-1), (4, 3))
case("diag.corner", lambda x: x.diag(4), (3, 4))
case("diag.vector", torch.diag, (3,))
case("diag.vector.above", lambda x: x.diag(1), (2,))
case("diag.vector.below", lambda x: x.diag(-2), (2,))
case("trace", torch.trace, (3, 4))
for name in ("tril", "triu"):
    part = getattr(torch, name)
    case(name, lambda x: part(x, 0), (4, 4))
    case(f"{name}.above", lambda x: part(x, 1), (2, 3, 5))
    case(f"{name}.below", lambda x: part(x, -2), (5, 3))
    case(f"{name}.far", lambda x: part(x, 9), (2, 3))
    case(f"{name}.edges", lambda x: part(x, 0), values=[[[1.0, float("nan")], [INF, -INF]]])
for name, equation, *shapes in (
        ("", "ij,jk->ik", (3, 4), (4, 2)), (".batch", "bij,bjk->bik", (2, 3, 4), (2, 4, 5)), (".diagonal", "ii->i", (3, 3)),
        (".trace", "ii", (3, 3)), (".outer", "i,j->ij", (3,), (4,)), (".transpose", "ij->ji", (3, 4)), (".implied", "ba", (3, 4)),
        (".elements", "ij,ij->ij", (3, 4), (3, 4)), (".inner", "i,i", (5,), (5,)), (".bilinear", "bn,anm,bm->ba", (2, 3), (4, 3, 2), (2, 2)),
        (".dots", "...ij,...jk->...ik", (2, 1, 3, 4), (3, 4, 2)), (".dots.sum", "...i->...", (2, 3, 4)), (".row", "ij,j", (3, 4), (4,)),
        (".sums", "ijk->j", (2, 3, 4)), (".apart", "ij,kl->", (2, 3), (3, 2)), (".dots.diagonal", "...ii->...i", (2, 3, 3)),
        (".one", "ij,ij->i", (3, 1), (3, 4)), (".attention", "bqhd,bkhd->bhqk", (2, 3, 2, 4), (2, 5, 2, 4)), (".spaces", " i j -> j ", (2, 3)),
        (".cube", "iii->i", (3, 3, 3)), (".empty", "ij,jk->ik", (3, 0), (0, 2))):
    case(f"einsum{name}", lambda *x: torch.einsum(equation, *x), *shapes)
case("linear", F.linear, (5, 40), (9, 40), (9,))
case("linear.batch", F.linear, (2, 3, 4), (5, 4), (5,))
case("maxPool2d", lambda x: F.max_pool2d(x, 2), (2, 3, 7, 6))
case("maxPool2d.three", lambda x: F.max_pool2d(x, 3), (2, 3, 7, 6))
case("conv2d", F.conv2d, (2, 3, 8, 7), (5, 3, 3, 2), (5,))
case("conv2d.one", F.conv2d, (2, 3, 4, 4), (5, 3, 1, 1), (5,))
case("nllLoss", F.nll_loss, (4, 10), indices=[[9, 0, 3, 3]])
case("crossEntropy", F.cross_entropy, (4, 10), indices=[[1, 9, 0, 2]])
case("crossEntropy.long", F.cross_entropy, (33, 2), indices=[[0, 1, 1] * 11])
case("mseLoss", F.mse_loss, (3, 4), (3, 4))
case("l1Loss", F.l1_loss, (3, 4), (3, 4))


def net(x, w1, b1, w2, b2, w3, b3, w4, b4):
    x = F.relu(F.conv2d(x, w1, b1))
    x = F.max_pool2d(F.conv2d(x, w2, b2), 2)
    return F.log_softmax(F.linear(F.relu(F.linear(x.flatten(1), w3, b3)), w4, b4), 1)


# The tutorial's network in small.
case("net", net, (3, 1, 10, 10), (4, 1, 3, 3), (4,), (6, 4, 3, 3), (6,), (8, 54), (8,), (5, 8), (5,))
