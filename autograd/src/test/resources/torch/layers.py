#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes layers.safetensors: results and gradients of PyTorch for layers and what they compute.

    python3 layers.py           # torch 1.13.1

For each case there are inputs `case/x0`, `case/x1`, ..., indices `case/i0`, ..., results `case/y0`, ..., their
gradients `case/dy0`, ..., and those of the inputs, `case/dx0`, .... A layer's case has its state before,
`case/state.NAME`, the gradients of its parameters, `case/grad.NAME`, and what running the layer changed of its
state, `case/after.NAME`. Values depend on the name alone.
"""
import os
import zlib

import torch
import torch.nn as nn
import torch.nn.functional as F

from safetensors_file import save

TENSORS = {}


def flat(result):
    if isinstance(result, torch.Tensor):
        return [result]
    return [tensor for part in result for tensor in flat(part)]


def put(name, tensor):
    TENSORS[name] = tensor.detach().clone().contiguous()


def run(name, function, shapes, indices):
    inputs = [torch.randn(shape) if isinstance(shape, tuple) else shape for shape in shapes]
    for i, x in enumerate(inputs):
        x.requires_grad_()
        put(f"{name}/x{i}", x)
    indices = [torch.tensor(index) for index in indices]
    for i, index in enumerate(indices):
        put(f"{name}/i{i}", index)
    results = flat(function(*inputs, *indices))
    gradients = [torch.randn(y.shape) for y in results]
    for i, y in enumerate(results):
        put(f"{name}/y{i}", y)
        put(f"{name}/dy{i}", gradients[i])
    torch.autograd.backward(results, gradients)
    for i, x in enumerate(inputs):
        put(f"{name}/dx{i}", x.grad)


def case(name, function, *shapes, indices=()):
    torch.manual_seed(zlib.crc32(name.encode()))
    run(name, function, shapes, indices)


def layer(name, make, *shapes, indices=(), call=None, train=True):
    """A module with parameters moved from where they start: ones and zeros would hide mistakes."""
    torch.manual_seed(zlib.crc32(name.encode()))
    module = make()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.add_(torch.randn(parameter.shape), alpha=0.1)
        for buffer in module.buffers():
            if buffer.is_floating_point():
                buffer.add_(torch.rand(buffer.shape))
    module.train(train)
    for key, value in module.state_dict().items():
        put(f"{name}/state.{key}", value)
    before = {key: value.clone() for key, value in module.state_dict().items()}
    run(name, (lambda *xs: call(module, *xs)) if call else module, shapes, indices)
    for key, value in module.named_parameters():
        put(f"{name}/grad.{key}", value.grad)
    for key, value in module.state_dict().items():
        if not torch.equal(before[key], value):
            put(f"{name}/after.{key}", value)


# Convolutions.
CONVOLUTIONS = {
    "": ((2, 3, 7, 6), (4, 3, 3, 2), {}),
    ".stride": ((2, 3, 8, 7), (4, 3, 3, 3), dict(stride=2, padding=1)),
    ".dilation": ((1, 2, 9, 8), (3, 2, 3, 2), dict(dilation=(2, 3), padding=(1, 2))),
    ".groups": ((2, 4, 5, 5), (6, 2, 3, 3), dict(groups=2, padding=1)),
    ".depthwise": ((2, 3, 5, 5), (3, 1, 3, 3), dict(groups=3, stride=(1, 2))),
}
for variant, (x, w, options) in CONVOLUTIONS.items():
    case(f"conv2d{variant}", lambda x, w, b: F.conv2d(x, w, b, **options), x, w, (w[0],))
case("conv2d.noBias", lambda x, w: F.conv2d(x, w, padding=1), (2, 3, 4, 4), (2, 3, 3, 3))
case("conv1d", F.conv1d, (2, 3, 9), (4, 3, 3), (4,))
case("conv1d.options", lambda x, w, b: F.conv1d(x, w, b, 2, 3, 2, 2), (2, 4, 11), (6, 2, 3), (6,))
TRANSPOSED = {
    "": ((2, 3, 4, 5), (3, 2, 3, 2), 2, {}),
    ".stride": ((2, 3, 4, 3), (3, 2, 3, 3), 2, dict(stride=2, padding=1, output_padding=1)),
    ".groups": ((2, 4, 3, 3), (4, 2, 3, 3), 4, dict(groups=2, stride=(2, 1), dilation=(1, 2))),
    ".outputPadding": ((2, 4, 3, 4), (4, 2, 3, 2), 4, dict(groups=2, stride=2, padding=1, dilation=3, output_padding=2)),
}
for variant, (x, w, channels, options) in TRANSPOSED.items():
    case(f"convTranspose2d{variant}", lambda x, w, b: F.conv_transpose2d(x, w, b, **options), x, w, (channels,))
layer("Conv2d", lambda: nn.Conv2d(4, 6, (3, 2), stride=2, padding=1, groups=2), (2, 4, 7, 6))
layer("Conv2d.noBias", lambda: nn.Conv2d(2, 3, 3, bias=False), (2, 2, 5, 5))
layer("Conv1d", lambda: nn.Conv1d(3, 4, 3, padding=2, dilation=2), (2, 3, 8))
layer("ConvTranspose2d", lambda: nn.ConvTranspose2d(4, 2, 3, stride=2, padding=1, output_padding=1), (2, 4, 3, 3))

# Poolings; equal values in the windows of `.equal`.
EQUAL = torch.relu(torch.randn(2, 3, 7, 6, generator=torch.Generator().manual_seed(1)))
case("maxPool2d", lambda x: F.max_pool2d(x, 3, 2, 1), (2, 3, 7, 6))
case("maxPool2d.equal", lambda x: F.max_pool2d(x, 3, 2, 1), EQUAL.clone())
case("maxPool2d.dilation", lambda x: F.max_pool2d(x, (2, 3), (1, 2), (0, 1), (3, 2)), (2, 3, 7, 8))
case("maxPool2d.plain", lambda x: F.max_pool2d(x, 2), (2, 3, 7, 6))
case("avgPool2d", lambda x: F.avg_pool2d(x, 2), (2, 3, 7, 6))
case("avgPool2d.padding", lambda x: F.avg_pool2d(x, (3, 2), (2, 1), (1, 0)), (2, 3, 7, 6))
case("adaptiveAvgPool2d", lambda x: F.adaptive_avg_pool2d(x, (3, 4)), (2, 3, 7, 6))
case("adaptiveAvgPool2d.one", lambda x: F.adaptive_avg_pool2d(x, 1), (2, 3, 7, 6))
case("maxPool1d", lambda x: F.max_pool1d(x, 3, 2, 1), (2, 3, 8))
case("avgPool1d", lambda x: F.avg_pool1d(x, 3, 2, 1), (2, 3, 8))
case("adaptiveAvgPool1d", lambda x: F.adaptive_avg_pool1d(x, 3), (2, 3, 7))
case("adaptiveMaxPool1d", lambda x: F.adaptive_max_pool1d(x, 3), (2, 3, 7))
layer("MaxPool1d", lambda: nn.MaxPool1d(2), (2, 3, 7))
layer("AvgPool1d", lambda: nn.AvgPool1d(2), (2, 3, 7))
case("adaptiveMaxPool2d", lambda x: F.adaptive_max_pool2d(x, (3, 4)), (2, 3, 7, 6))

# Weighted sums.
layer("Linear", lambda: nn.Linear(4, 3), (2, 5, 4))
layer("Linear.noBias", lambda: nn.Linear(4, 3, bias=False), (2, 5, 4))

# Normalizations.
case("layerNorm", lambda x, w, b: F.layer_norm(x, (4,), w, b), (2, 3, 4), (4,), (4,))
case("layerNorm.axes", lambda x, w, b: F.layer_norm(x, (3, 4), w, b), (2, 3, 4), (3, 4), (3, 4))
case("groupNorm", lambda x, w, b: F.group_norm(x, 2, w, b), (2, 6, 3, 2), (6,), (6,))
layer("LayerNorm", lambda: nn.LayerNorm(5), (2, 3, 5))
layer("GroupNorm", lambda: nn.GroupNorm(3, 6), (2, 6, 4))
layer("BatchNorm", lambda: nn.BatchNorm2d(3), (4, 3, 2, 5))
layer("BatchNorm.flat", lambda: nn.BatchNorm1d(3), (4, 3))
layer("BatchNorm.eval", lambda: nn.BatchNorm2d(3), (4, 3, 2, 5), train=False)

# Embeddings.
INDICES = [[4, 0, 4], [1, 2, 4]]
case("embedding", lambda w, i: F.embedding(i, w), (5, 3), indices=[INDICES])
for mode in ("sum", "mean", "max"):
    offsets = torch.tensor([0, 2, 2])
    case(f"embeddingBag.{mode}", lambda w, i: F.embedding_bag(i, w, offsets, mode=mode), (5, 3), indices=[[4, 0, 3, 1, 4]])
layer("Embedding", lambda: nn.Embedding(5, 3), indices=[INDICES])
layer("Embedding.padding", lambda: nn.Embedding(5, 3, padding_idx=4), indices=[INDICES])
layer("EmbeddingBag", lambda: nn.EmbeddingBag(5, 3, mode="mean"), indices=[[4, 0, 3, 1], [0, 1]])

# Recurrent networks, from zeros and from a state.
for kind, make in (("Lstm", nn.LSTM), ("Gru", nn.GRU), ("Rnn", nn.RNN)):
    layer(kind, lambda: make(3, 5), (4, 2, 3))
    layer(f"{kind}.large", lambda: make(6, 37), (9, 10, 6))
    layer(f"{kind}.deep", lambda: make(3, 4, num_layers=2, bidirectional=True), (4, 2, 3))
layer("Rnn.relu", lambda: nn.RNN(3, 5, nonlinearity="relu"), (4, 2, 3))
for kind, make in (("Gru", nn.GRU), ("Rnn", nn.RNN)):
    layer(f"{kind}.state", lambda: make(3, 4, 2), (4, 2, 3), (2, 2, 4))
layer("Lstm.state", lambda: nn.LSTM(3, 4, 2), (4, 2, 3), (2, 2, 4), (2, 2, 4), call=lambda m, x, h, c: m(x, (h, c)))

# Sequences of different lengths, in any order.
def packed(*lengths):
    def call(module, x, *state):
        x = nn.utils.rnn.pack_padded_sequence(x, lengths, enforce_sorted=False)
        output, last = module(x, *([state] if len(state) == 2 else state))
        return nn.utils.rnn.pad_packed_sequence(output)[0], last

    return call


for kind, make in (("Lstm", nn.LSTM), ("Gru", nn.GRU), ("Rnn", nn.RNN)):
    states = [(4, 3, 4)] * (2 if kind == "Lstm" else 1)
    layer(f"{kind}.packed", lambda: make(3, 5), (6, 4, 3), call=packed(2, 5, 1, 3))
    layer(f"{kind}.packed.deep", lambda: make(3, 4, 2, bidirectional=True), (4, 3, 3), *states, call=packed(4, 1, 4))

# Attention.
def attention(q, k, v, mask=None):
    fit = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return (fit if mask is None else fit + mask).softmax(-1) @ v


CAUSAL = torch.full((3, 3), -float("inf")).triu(1)
case("scaledDotProduct", attention, (2, 3, 4), (2, 5, 4), (2, 5, 6))
case("scaledDotProduct.causal", lambda q, k, v: attention(q, k, v, CAUSAL), (2, 2, 3, 4), (2, 2, 3, 4), (2, 2, 3, 4))
case("scaledDotProduct.mask", attention, (2, 3, 4), (2, 5, 4), (2, 5, 6), (3, 5))
layer("MultiheadAttention", lambda: nn.MultiheadAttention(6, 2, batch_first=True), (2, 3, 6), (2, 4, 6), (2, 4, 6),
      call=lambda m, q, k, v: m(q, k, v, need_weights=False)[0])
for name, options in (("", {}), (".first", dict(norm_first=True, activation="gelu"))):
    layer(f"TransformerEncoderLayer{name}",
          lambda: nn.TransformerEncoderLayer(6, 2, 8, 0.0, batch_first=True, **options), (2, 3, 6),
          call=lambda m, x: m(x, CAUSAL))
    layer(f"TransformerDecoderLayer{name}",
          lambda: nn.TransformerDecoderLayer(6, 2, 8, 0.0, batch_first=True, **options), (2, 3, 6), (2, 4, 6),
          call=lambda m, x, memory: m(x, memory, CAUSAL))
case("conv3d", F.conv3d, (2, 3, 4, 5, 6), (4, 3, 2, 3, 2), (4,))
case("conv3d.options", lambda x, w: F.conv3d(x, w, None, (2, 1, 2), (1, 2, 0), (2, 1, 1), 2), (2, 4, 5, 4, 5), (6, 2, 3, 2, 2))
layer("Conv3d", lambda: nn.Conv3d(2, 3, 2), (2, 2, 3, 4, 3))
layer("InstanceNorm", lambda: nn.InstanceNorm2d(3), (2, 3, 4, 5))
layer("InstanceNorm.affine", lambda: nn.InstanceNorm1d(3, affine=True), (2, 3, 7))
for name, size in (("", (6, 9)), (".smaller", (2, 2)), (".odd", (5, 4))):
    case(f"nearest{name}", lambda x: F.interpolate(x, size), (2, 3, 3, 4))
    case(f"bilinear{name}", lambda x: F.interpolate(x, size, mode="bilinear"), (2, 3, 3, 4))
    case(f"bilinear{name}.corners", lambda x: F.interpolate(x, size, mode="bilinear", align_corners=True), (2, 3, 3, 4))

# Losses.
for reduction in ("none", "mean", "sum"):
    case(f"mseLoss.{reduction}", lambda a, b: F.mse_loss(a, b, reduction=reduction), (3, 4), (3, 4))
    case(f"l1Loss.{reduction}", lambda a, b: F.l1_loss(a, b, reduction=reduction), (3, 4), (3, 4))
    case(f"smoothL1Loss.{reduction}", lambda a, b: F.smooth_l1_loss(a, b, reduction=reduction, beta=0.7), (3, 4), (3, 4))
    case(f"huberLoss.{reduction}", lambda a, b: F.huber_loss(a, b, reduction=reduction, delta=0.7), (3, 4), (3, 4))
    case(f"bceLoss.{reduction}", lambda x, t: F.binary_cross_entropy(x.sigmoid(), t.sigmoid(), reduction=reduction), (3, 4), (3, 4))
    case(f"tripletMarginLoss.{reduction}", lambda a, p, n: F.triplet_margin_loss(a, p, n, reduction=reduction), (5, 4), (5, 4), (5, 4))
    case(f"cosineEmbeddingLoss.{reduction}", lambda a, b, i: F.cosine_embedding_loss(a, b, i, 0.1, reduction=reduction), (5, 4), (5, 4),
         indices=[[1, -1, 1, -1, -1]])
    case(f"ctcLoss.{reduction}", lambda x, i, n, m: F.ctc_loss(x.log_softmax(2), i, n, m, reduction=reduction), (6, 3, 4),
         indices=[[[1, 2, 2], [3, 1, 0], [2, 0, 0]], [6, 5, 3], [3, 2, 0]])
    case(f"bce.{reduction}", lambda x, t: F.binary_cross_entropy_with_logits(x, t, reduction=reduction), (3, 4), (3, 4))
    weight = torch.tensor([0.5, 2.0, 1.0, 0.1, 3.0])
    for variant, options in (("", {}), (".weight", dict(weight=weight)), (".ignore", dict(ignore_index=1))):
        case(f"nllLoss.{reduction}{variant}", lambda x, i: F.nll_loss(x, i, reduction=reduction, **options), (4, 5),
             indices=[[3, 1, 0, 1]])
        case(f"crossEntropy.{reduction}{variant}",
             lambda x, i: F.cross_entropy(x, i, reduction=reduction, label_smoothing=0.2, **options), (4, 5),
             indices=[[3, 1, 0, 1]])
case("bce.weight", lambda x, t: F.binary_cross_entropy_with_logits(x, t, pos_weight=torch.tensor([2.0, 1.0, 0.5, 3.0])),
     (3, 4), (3, 4))
case("bceLoss.weight", lambda x, t: F.binary_cross_entropy(x.sigmoid(), t.sigmoid(), torch.tensor([2.0, 1.0, 0.5, 3.0])), (3, 4), (3, 4))
case("tripletMarginLoss.swap", lambda a, p, n: F.triplet_margin_loss(a, p, n, 0.5, p=1, swap=True), (5, 4), (5, 4), (5, 4))
case("ctcLoss.blank", lambda x, i, n, m: F.ctc_loss(x.log_softmax(2), i, n, m, blank=2, reduction="none"), (4, 2, 3),
     indices=[[[0, 0], [1, 0]], [4, 4], [2, 2]])
case("ctcLoss.impossible", lambda x, i, n, m: F.ctc_loss(x.log_softmax(2), i, n, m, reduction="sum", zero_infinity=True), (4, 2, 3),
     indices=[[[1, 1, 1], [1, 2, 1]], [4, 4], [3, 3]])
for name, shape, axis in (("", (3, 4), 1), (".first", (4, 2, 3), 0)):
    case(f"cosineSimilarity{name}", lambda a, b: F.cosine_similarity(a, b, axis), shape, shape)
case("pairwiseDistance", lambda a, b: F.pairwise_distance(a, b), (3, 4), (3, 4))
case("nllLoss.images", F.nll_loss, (2, 5, 3, 2), indices=[[[[3, 1], [0, 1], [4, 4]], [[2, 2], [0, 0], [1, 3]]]])
case("crossEntropy.long", lambda x, i: F.cross_entropy(x, i, weight=torch.tensor([0.3, 2.0]), label_smoothing=0.1),
     (33, 2), indices=[[0, 1, 1] * 11])
case("crossEntropy.plain", F.cross_entropy, (4, 5), indices=[[3, 1, 0, 1]])
for reduction in ("none", "mean", "sum", "batchmean"):
    case(f"klDiv.{reduction}", lambda x, t: F.kl_div(x.log_softmax(1), t.softmax(1), reduction=reduction), (3, 4), (3, 4))
case("klDiv.log", lambda x, t: F.kl_div(x.log_softmax(1), t.log_softmax(1), reduction="sum", log_target=True), (3, 4), (3, 4))

# Distributions.
Categorical, Normal = torch.distributions.Categorical, torch.distributions.Normal
case("categorical", lambda x, i: [Categorical(logits=x).log_prob(i), Categorical(logits=x).entropy()], (3, 4),
     indices=[[3, 0, 1]])
case("categorical.probabilities", lambda x, i: Categorical(probs=x.exp()).log_prob(i), (3, 4), indices=[[3, 0, 1]])
case("normal", lambda m, s, x: [Normal(m, s.exp()).log_prob(x), Normal(m, s.exp()).entropy()], (3,), (3,), (2, 3))

save(os.path.join(os.path.dirname(os.path.abspath(__file__)), "layers.safetensors"), TENSORS)
