#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes differential.txt: results and gradients of PyTorch for random cases of operations and losses.

    python3 differential.py [CASES]           # torch 1.13.1; so many cases of each operation

A case is `case OPERATION SETTINGS...` and its tensors, a line each: `x TYPE SIZES VALUES...` for inputs, `y` for
the result, and `d` for the gradient of each floating-point input, in order. The gradient of the result is 1, -0.5,
2, 0.25, -3, 1, ... A case depends on its operation and number alone. DifferentialTest computes the same.

Cases hold mixed types, 0-dimensional operands, denormals, infinities and NaN, labels that do not count and weights
of classes, parameters that are used twice, and values near one another. Float32 results of functions and sums are
those of float64, rounded: torch's own float32 is no nearer to the truth than ours.
"""
import os
import random
import sys
import zlib

import torch
import torch.nn.functional as F

INF = float("inf")
NAN = float("nan")
TYPES = {"bool": torch.bool, "int64": torch.int64, "bfloat16": torch.bfloat16, "float32": torch.float32, "float64": torch.float64}
NAMES = {value: key for key, value in TYPES.items()}
SHAPES = [((), ()), ((3,), ()), ((), (3,)), ((2, 3), (3,)), ((2, 1), (1, 3)), ((2, 3), ()), ((1,), (4,)), ((4,), (4,)), ((2, 2), (2, 2))]
EDGES = [0.0, -0.0, INF, -INF, NAN, 1e-39, -3e-40, 2e-39, 1e-45, 1e-30, -1e-30, 88.5, -88.5, -88.7, -95.0, 30.0, -30.0, 1e30, -1e30]
LINES = []


def number(value, kind):
    if kind == "bool" or kind == "int64":
        return str(int(value))
    if kind == "float64":
        return repr(float(value)).removesuffix(".0")
    return f"{value:.9g}"


def put(key, tensor):
    kind = NAMES[tensor.dtype]
    sizes = ",".join(str(size) for size in tensor.shape) or "-"
    LINES.append(" ".join([key, kind, sizes, *(number(value, kind) for value in tensor.detach().flatten().tolist())]))


def gradient_like(y):
    pattern = torch.tensor([1, -0.5, 2, 0.25, -3], dtype=torch.float64)
    return pattern[torch.arange(y.numel()) % 5].reshape(y.shape)


def write(operation, settings, inputs, function, exact=False):
    """Runs a case in the types of its inputs, or, where float32 is to be exact, in float64."""
    def run(of):
        leaves = [x.clone().requires_grad_(x.dtype in (torch.float32, torch.float64)) for x in of]
        y = function(*leaves)
        if y.requires_grad:
            y.backward(gradient_like(y).to(y.dtype))
        return y, [x.grad for x in leaves if x.requires_grad]
    y, gradients = run(inputs)
    if exact:
        dtype = y.dtype
        wide, wide_gradients = run([x.double() if x.dtype == torch.float32 else x for x in inputs])
        gradients = [None if g is None else w.to(g.dtype) for w, g in zip(wide_gradients, gradients)]
        y = wide.to(dtype)
    LINES.append(" ".join(["case", operation, *(str(setting) for setting in settings)]))
    for x in inputs:
        put("x", x)
    put("y", y)
    for g in gradients:
        put("d", torch.zeros(0) if g is None else g)


def ordinary(rng, shape, scale=2.0, offset=0.0):
    values = [round(rng.uniform(-scale, scale), 3) + offset for _ in range(torch.Size(shape).numel())]
    return torch.tensor(values, dtype=torch.float64).reshape(shape)


def mixed(rng, shape, kind):
    """Values that meet those of other types: small whole numbers, halves, and now and then an edge."""
    count = torch.Size(shape).numel()
    if kind == "bool":
        values = [rng.random() < 0.5 for _ in range(count)]
    elif kind == "int64":
        values = [rng.choice([-3, -1, 0, 1, 2, 3, 257, 2**24 + 1]) for _ in range(count)]
    else:
        values = [rng.choice(EDGES[:5]) if rng.random() < 0.15 else rng.choice([-3, -1, -0.5, 0, 0.1, 1, 2.5, 257, 1e8]) for _ in range(count)]
    return torch.tensor(values, dtype=torch.float64).to(TYPES[kind]).reshape(shape)


def floating(rng):
    return rng.choice(["float32", "float64"])


# Each takes a generator of random numbers and writes one case.

def comparison(rng, name):
    first, second = rng.choice(SHAPES)
    a, b = (mixed(rng, shape, rng.choice(list(TYPES))) for shape in (first, second))
    scalar = a if a.dim() == 0 else b
    if torch.bfloat16 in (a.dtype, b.dtype) and scalar.dtype.is_floating_point:
        return False  # a scalar promotes bfloat16 here
    write(name, [], [a, b], getattr(torch, name))
    return True


def arithmetic(rng, name):
    first, second = rng.choice(SHAPES)
    a, b = (mixed(rng, shape, rng.choice(list(TYPES))) for shape in (first, second))
    if torch.result_type(a, b) not in (torch.float32, torch.float64) or torch.bfloat16 in (a.dtype, b.dtype):
        return False
    if name == "sub" and torch.bool in (a.dtype, b.dtype):
        return False  # torch refuses masks
    if name in ("div", "mul"):  # whose gradients at infinities depend on the order of products
        a, b = (torch.where(x.isfinite(), x, torch.ones_like(x)) if x.dtype.is_floating_point else x for x in (a, b))
    if name == "div":
        b = torch.where(b == 0, torch.ones_like(b), b)
    write(name, [], [a, b], getattr(torch, name))
    return True


def where(rng, name):
    first, second = rng.choice(SHAPES)
    a, b = (mixed(rng, shape, rng.choice(list(TYPES))) for shape in (first, second))
    if torch.result_type(a, b) not in (torch.float32, torch.float64) or torch.bfloat16 in (a.dtype, b.dtype):
        return False
    mask = mixed(rng, rng.choice([first, second]), "bool")
    kind = torch.result_type(a, b)
    write(name, [], [mask, a, b], lambda m, x, y: torch.where(m, x.to(kind), y.to(kind)))
    return True


def function(rng, name):
    """Ordinary values, and the ends of the range."""
    make, settings = FUNCTIONS[name](rng)
    edges = EDGES
    if name == "geluTanh":  # whose cube overflows
        edges = [x for x in EDGES if abs(x) < 1e30 or x != x]
    if name == "pow":  # of -0 and -inf torch takes roots
        edges = [x for x in EDGES if x > 0 or x != x]
    if name in ("sin", "cos", "tan", "sinh", "cosh"):
        edges = [x for x in EDGES if not 88 < abs(x) < INF]
    values = [rng.choice(edges) if rng.random() < 0.6 else round(rng.uniform(-3, 3), 3) for _ in range(rng.choice([1, 5, 9]))]
    if name in ("log", "sqrt", "pow"):
        values = [x if x != x or x in EDGES else abs(x) for x in values]
    if name in ("asin", "acos"):
        values = [x if x != x or abs(x) < 0.99 else 0.5 for x in values]
    x = torch.tensor(values, dtype=torch.float64).to(TYPES[floating(rng)])
    write(name, settings, [x], make, exact=True)
    return True


def bounds(rng):
    low, high = rng.choice([(-1, 1), (1, -1), (0.5, 0.5), (-INF, 0.5), (-0.5, INF), (2, -3)])
    return lambda x: x.clamp(low, high), [low, high]


def exponent(rng):
    e = rng.choice([-2, -1, -0.5, 0.5, 1, 2, 3, 2.5, 0])
    return lambda x: x**e, [e]


FUNCTIONS = {name: lambda rng, f=f: (f, []) for name, f in {
    "abs": torch.abs, "sign": torch.sign, "floor": torch.floor, "ceil": torch.ceil, "round": torch.round, "relu": torch.relu,
    "reciprocal": torch.reciprocal, "sqrt": torch.sqrt, "exp": torch.exp, "log": torch.log, "sin": torch.sin, "cos": torch.cos,
    "tan": torch.tan, "asin": torch.asin, "acos": torch.acos, "atan": torch.atan, "sinh": torch.sinh, "cosh": torch.cosh,
    "sigmoid": torch.sigmoid, "tanh": torch.tanh, "silu": F.silu, "softplus": F.softplus,
    "gelu": lambda x: x * 0.5 * torch.special.erfc(-x * 0.5**0.5),  # torch's loses the digits of negative numbers
    "geluTanh": lambda x: F.gelu(x, approximate="tanh")}.items()}
FUNCTIONS["clamp"] = bounds
FUNCTIONS["pow"] = exponent


def reduction(rng, name):
    shape = rng.choice([(2, 3), (4, 2), (1, 5), (3, 1, 2)])
    axis = rng.choice([0, 1, -1])
    keep = rng.random() < 0.5
    kind = floating(rng)
    offset = rng.choice([0, 0, 1000, 1e6 if kind == "float64" else 100])
    x = ordinary(rng, shape, offset=offset).to(TYPES[kind])
    if name in ("max", "min", "logsumexp", "sum") and rng.random() < 0.3:
        x.view(-1)[rng.randrange(x.numel())] = rng.choice([INF, -INF])
    if name in ("varWithCorrection", "stdWithCorrection"):
        correction = rng.choice([0, 1]) if shape[axis] > 1 else 0
        f = {"varWithCorrection": torch.var, "stdWithCorrection": torch.std}[name]
        # Of values about 0, which has more digits.
        write(name, [axis, int(keep), correction], [x], lambda x: f(x - offset, (axis,), unbiased=correction == 1, keepdim=keep), exact=True)
    else:
        f = {"sum": torch.sum, "mean": torch.mean, "max": torch.amax, "min": torch.amin,
             "logsumexp": lambda x, axis, keepdim: torch.logsumexp(x - offset, axis, keepdim) + offset,
             "vectorNorm": lambda x, axis, keepdim: torch.linalg.vector_norm(x, 2, axis, keepdim)}[name]
        write(name, [axis, int(keep)], [x], lambda x: f(x, axis, keepdim=keep), exact=True)
    return True


def distribution(rng, name):
    shape = rng.choice([(2, 3), (3, 2), (1, 4), (5,)])
    axis = rng.randrange(len(shape))
    x = ordinary(rng, shape, scale=rng.choice([1, 30, 200])).to(TYPES[floating(rng)])
    if rng.random() < 0.3 and shape[axis] > 1:
        x.select(axis, 0).fill_(-INF)
    write(name, [axis], [x], lambda x: getattr(x, {"softmax": "softmax", "logSoftmax": "log_softmax"}[name])(axis), exact=True)
    return True


def normalization(rng, name):
    kind = floating(rng)
    eps = rng.choice([1e-5, 1e-3, 0.1, 1e-12])
    scale = rng.choice([1, 1, 0.01, 0.001])
    offset = rng.choice([0, 0, 10, 1e6 if kind == "float64" else 100])
    x = (ordinary(rng, (2, 4, 2)) * scale + offset).to(TYPES[kind])
    if name == "layerNorm":
        w, b = (ordinary(rng, (4, 2)).to(TYPES[kind]) for _ in range(2))
        write(name, [eps], [x, w, b], lambda x, w, b: F.layer_norm(x - offset, (4, 2), w, b, eps), exact=True)
    elif name == "groupNorm":
        groups = rng.choice([1, 2])
        w, b = (ordinary(rng, (4,)).to(TYPES[kind]) for _ in range(2))
        write(name, [groups, eps], [x, w, b], lambda x, w, b: F.group_norm(x - offset, groups, w, b, eps), exact=True)
    else:
        w, b = (ordinary(rng, (4,)).to(TYPES[kind]) for _ in range(2))
        write(name, [eps], [x, w, b], lambda x, w, b: F.batch_norm(x - offset, None, None, w, b, True, eps=eps), exact=True)
    return True


REDUCTIONS = ["none", "mean", "sum"]


def difference_loss(rng, name):
    kind = floating(rng)
    reduction = rng.choice(REDUCTIONS)
    parameter = rng.choice([1, 0.5, 0.1, 3])
    x, y = (ordinary(rng, (2, 3), scale=rng.choice([2, 1e-3, 100])).to(TYPES[kind]) for _ in range(2))
    y = torch.where(torch.rand(2, 3, generator=torch.Generator().manual_seed(rng.randrange(99))) < 0.4, x + round(rng.uniform(-1, 1), 3) * 1e-4, y)
    f = {"mseLoss": F.mse_loss, "l1Loss": F.l1_loss,
         "smoothL1Loss": lambda x, y, reduction: F.smooth_l1_loss(x, y, reduction=reduction, beta=parameter),
         "huberLoss": lambda x, y, reduction: F.huber_loss(x, y, reduction=reduction, delta=parameter)}[name]
    write(name, [reduction, parameter], [x, y], lambda x, y: f(x, y, reduction=reduction), exact=True)
    return True


def label_loss(rng, name):
    """Some labels do not count, and some classes count more than others, or not at all."""
    kind = floating(rng)
    reduction = rng.choice(REDUCTIONS)
    pixels = rng.choice([(), (2,)])
    ignored = rng.choice([-100, 1])
    labels = torch.tensor([rng.choice([0, 1, 2, ignored, ignored]) for _ in range(3 * (2 if pixels else 1))]).reshape(3, *pixels)
    weight = torch.tensor([rng.choice([0.0, 0.25, 1.0, 2.5, 10.0]) for _ in range(3)], dtype=TYPES[kind])
    if reduction == "mean" and weight[labels[labels != ignored]].sum() == 0:
        return False  # a mean of nothing
    if name == "nllLoss":
        x = ordinary(rng, (3, 3, *pixels)).to(TYPES[kind])
        write(name, [reduction, ignored], [x, labels, weight.requires_grad_(False)],
              lambda x, i, w: F.nll_loss(x, i, weight=w.detach(), ignore_index=ignored, reduction=reduction), exact=True)
        return True
    smoothing = rng.choice([0, 0, 0.1, 0.5])
    x = ordinary(rng, (3, 3, *pixels), scale=rng.choice([2, 50])).to(TYPES[kind])
    write(name, [reduction, ignored, smoothing], [x, labels, weight],
          lambda x, i, w: F.cross_entropy(x, i, weight=w.detach(), ignore_index=ignored, reduction=reduction, label_smoothing=smoothing),
          exact=True)
    return True


def plain_cross_entropy(rng, name):
    x = ordinary(rng, (4, 3), scale=rng.choice([2, 50, 1000])).to(TYPES[floating(rng)])
    labels = torch.tensor([rng.choice([0, 1, 2, -100]) if rng.random() < 0.5 else rng.randrange(3) for _ in range(4)])
    write(name, [], [x, labels], F.cross_entropy, exact=True)
    return True


def binary_loss(rng, name):
    kind = floating(rng)
    reduction = rng.choice(REDUCTIONS)
    y = torch.tensor([rng.choice([0, 1, round(rng.random(), 2)]) for _ in range(5)], dtype=TYPES[kind])
    if name == "bceLoss":
        # torch's least divisor, 1e-12, has the digits of float32 only.
        edges = [0, 1, 1e-30] if kind == "float32" else [1e-6, 1 - 1e-6]
        x = torch.tensor([rng.choice([*edges, round(rng.uniform(0.01, 0.99), 3), 1e-6]) for _ in range(5)], dtype=TYPES[kind])
        write(name, [reduction], [x, y], lambda x, y: F.binary_cross_entropy(x, y.detach(), reduction=reduction), exact=True)
    elif name == "bceWithLogitsLoss":
        x = ordinary(rng, (5,), scale=rng.choice([3, 100])).to(TYPES[kind])
        weight = round(rng.uniform(0, 3), 1)
        write(name, [reduction, weight], [x, y],
              lambda x, y: F.binary_cross_entropy_with_logits(x, y.detach(), reduction=reduction, pos_weight=torch.tensor(weight, dtype=x.dtype)), exact=True)
    else:
        x = ordinary(rng, (5,)).to(TYPES[kind])
        write(name, [reduction], [x, y], lambda x, y: F.kl_div(x, y.detach(), reduction=reduction), exact=True)
    return True


def tied(rng, name):
    """Parameters that are used twice: a layer in two places, a table that is also the last layer."""
    kind = TYPES[floating(rng)]
    if name == "tiedLinear":
        x, w, b = (ordinary(rng, shape, scale=1).to(kind) for shape in ((2, 3), (3, 3), (3,)))
        write(name, [], [x, w, b], lambda x, w, b: F.linear(torch.tanh(F.linear(x, w, b)), w, b), exact=True)
    else:
        table = ordinary(rng, (4, 3), scale=1).to(kind)
        labels = torch.tensor([rng.randrange(4) for _ in range(3)])
        write(name, [], [table, labels], lambda t, i: F.cross_entropy(F.embedding(i, t).tanh() @ t.t(), i.flip(0)), exact=True)
    return True


def images(rng, shape, kind, infinite=0.5):
    x = ordinary(rng, shape).to(TYPES[kind])
    if rng.random() < infinite:
        x.view(-1)[rng.randrange(x.numel())] = rng.choice([INF, -INF])
    return x


def bilinear(x, size, corners):
    """torch's, in which an infinite pixel has no share where its weight is 0."""
    finite = torch.where(x.isinf(), torch.zeros_like(x), x)
    shares = F.interpolate(x.detach().isinf().to(x.dtype), size, mode="bilinear", align_corners=corners)
    y = F.interpolate(finite, size, mode="bilinear", align_corners=corners)
    infinite = x.detach()[x.detach().isinf()].sum() if x.isinf().any() else torch.zeros((), dtype=x.dtype)
    # An infinite constant that is added leaves the gradient as it is.
    return torch.where(shares > 0, y + torch.where(shares > 0, infinite, torch.zeros_like(infinite)), y)


def interpolation(rng, name):
    kind = floating(rng)
    x = images(rng, rng.choice([(1, 1, 2, 3), (1, 2, 3, 2), (1, 1, 4, 4)]), kind)
    size = rng.choice([(4, 4), (2, 5), (3, 3), (1, 2), (5, 1)])
    corners = rng.random() < 0.5
    if name == "nearest":
        write(name, size, [x], lambda x: F.interpolate(x, size, mode="nearest"))
        return True
    leaf = x.double()
    torch_gradient = torch.autograd.functional.vjp(lambda x: F.interpolate(x, size, mode="bilinear", align_corners=corners),
                                                   torch.zeros_like(leaf), gradient_like(torch.zeros(*x.shape[:2], *size)))[1]
    LINES.append(f"case bilinear {size[0]} {size[1]} {int(corners)}")
    put("x", x)
    put("y", bilinear(leaf, size, corners).to(x.dtype))
    put("d", torch_gradient.to(x.dtype))
    return True


def pooling(rng, name):
    kind = floating(rng)
    x = images(rng, (1, 2, 4, 3), kind)
    if name == "adaptiveAvgPool2d":
        size = rng.choice([(2, 2), (3, 2), (1, 1)])
        write(name, size, [x], lambda x: F.adaptive_avg_pool2d(x, size), exact=True)
    else:
        stride, padding = rng.choice([1, 2]), rng.choice([0, 1])
        f = {"avgPool2d": F.avg_pool2d, "maxPool2d": F.max_pool2d}[name]
        write(name, [stride, padding], [x], lambda x: f(x, 2, stride, padding), exact=True)
    return True


def categorical(rng, name):
    kind = TYPES[floating(rng)]
    ofLogits = not name.startswith("categoricalOfProbabilities")  # otherwise the type tells how near to 0 a probability may be
    if not ofLogits:
        x = torch.tensor([[rng.choice([0, 0, 0.5, 1, round(rng.random(), 2)]) for _ in range(2)] + [rng.choice([0.25, 3])] for _ in range(2)], dtype=kind)
        make = lambda x: torch.distributions.Categorical(probs=x)
    else:
        x = ordinary(rng, (2, 3), scale=rng.choice([2, 200])).to(kind)
        make = lambda x: torch.distributions.Categorical(logits=x)
    if name.endswith("Entropy"):
        write(name, [], [x], lambda x: make(x).entropy(), exact=ofLogits)
    else:
        labels = torch.tensor([rng.randrange(3) for _ in range(2)])
        write(name, [], [x, labels], lambda x, i: make(x).log_prob(i), exact=ofLogits)
    return True


GROUPS = [
    (comparison, 1.5, "lt le gt ge eq ne"), (arithmetic, 1, "add sub mul div maximum minimum"), (where, 1, "where"),
    (function, 0.5, " ".join(FUNCTIONS)), (reduction, 0.8, "sum mean varWithCorrection stdWithCorrection max min vectorNorm logsumexp"),
    (distribution, 1, "softmax logSoftmax"), (normalization, 1, "layerNorm groupNorm batchNorm"),
    (difference_loss, 0.8, "mseLoss l1Loss smoothL1Loss huberLoss"), (label_loss, 2, "nllLoss crossEntropyLoss"),
    (plain_cross_entropy, 1, "crossEntropyLossPlain"), (binary_loss, 1, "bceLoss bceWithLogitsLoss klDivLoss"),
    (tied, 0.8, "tiedLinear tiedEmbedding"), (interpolation, 1, "nearest bilinear bilinear"),
    (pooling, 0.7, "avgPool2d maxPool2d adaptiveAvgPool2d"),
    (categorical, 1, "categoricalOfProbabilities categoricalOfProbabilitiesEntropy categoricalOfLogits categoricalOfLogitsEntropy"),
]


def main():
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    for generate, share, names in GROUPS:
        for name in dict.fromkeys(names.split()):
            written = attempt = 0
            while written < cases * share:
                written += generate(random.Random(zlib.crc32(f"{name} {attempt}".encode())), name)
                attempt += 1
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "differential.txt")
    with open(path, "w", encoding="ascii") as file:
        file.write(f"# torch {torch.__version__}\n" + "\n".join(LINES) + "\n")
    print(sum(line.startswith("case ") for line in LINES), "cases")


main()
