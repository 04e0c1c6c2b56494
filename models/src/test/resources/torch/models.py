# SPDX-License-Identifier: Apache-2.0
"""Writes models.safetensors: weights of small networks, and what they make of an input, in evaluation mode.

    python3 models.py           # torch 1.13.1

For each network there are its `state_dict`, `network/state.NAME`, an input `network/x`, the output `network/y`, and
the norms of the gradients of the sum of the output's squares, `network/norm.NAME`. The networks are those of
torchvision (`resnet18`, with fewer channels), of nanoGPT and Hugging Face (`gpt2`), whose linear layers lie
transposed, and of the tutorial "Sequence Models and Long Short-Term Memory Networks", written down as they stand there.
"""
import math
import struct
import json
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F

TYPES = {torch.float32: "F32", torch.int64: "I64"}


class BasicBlock(nn.Module):
    def __init__(self, inplanes, planes, stride=1, downsample=None):
        super().__init__()
        self.conv1 = nn.Conv2d(inplanes, planes, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.conv2 = nn.Conv2d(planes, planes, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(planes)
        self.downsample = downsample

    def forward(self, x):
        out = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        return F.relu(out + (x if self.downsample is None else self.downsample(x)))


class ResNet(nn.Module):
    def __init__(self, layers, width, classes, small=False):
        super().__init__()
        self.inplanes = width
        self.conv1 = nn.Conv2d(3, width, 3 if small else 7, 1 if small else 2, 1 if small else 3, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.maxpool = nn.Identity() if small else nn.MaxPool2d(3, 2, 1)
        for i, blocks in enumerate(layers):
            setattr(self, f"layer{i + 1}", self.make(width << i, blocks, 1 if i == 0 else 2))
        self.fc = nn.Linear(self.inplanes, classes)

    def make(self, planes, blocks, stride):
        downsample = None
        if stride != 1 or self.inplanes != planes:
            downsample = nn.Sequential(
                nn.Conv2d(self.inplanes, planes, 1, stride, bias=False), nn.BatchNorm2d(planes))
        first = BasicBlock(self.inplanes, planes, stride, downsample)
        self.inplanes = planes
        return nn.Sequential(first, *(BasicBlock(planes, planes) for _ in range(1, blocks)))

    def forward(self, x):
        x = self.maxpool(F.relu(self.bn1(self.conv1(x))))
        for layer in (self.layer1, self.layer2, self.layer3, self.layer4):
            x = layer(x)
        return self.fc(torch.flatten(F.adaptive_avg_pool2d(x, 1), 1))


class SelfAttention(nn.Module):
    def __init__(self, size, heads, context):
        super().__init__()
        self.heads = heads
        self.c_attn = nn.Linear(size, 3 * size)
        self.c_proj = nn.Linear(size, size)
        self.register_buffer("bias", torch.tril(torch.ones(context, context)).view(1, 1, context, context))

    def forward(self, x):
        n, t, c = x.shape
        q, k, v = (y.view(n, t, self.heads, c // self.heads).transpose(1, 2) for y in self.c_attn(x).split(c, 2))
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
        weights = F.softmax(scores.masked_fill(self.bias[:, :, :t, :t] == 0, -math.inf), -1)
        return self.c_proj((weights @ v).transpose(1, 2).reshape(n, t, c))


class Mlp(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.c_fc = nn.Linear(size, 4 * size)
        self.c_proj = nn.Linear(4 * size, size)

    def forward(self, x):
        return self.c_proj(F.gelu(self.c_fc(x), approximate="tanh"))


class Block(nn.Module):
    def __init__(self, size, heads, context):
        super().__init__()
        self.ln_1 = nn.LayerNorm(size)
        self.attn = SelfAttention(size, heads, context)
        self.ln_2 = nn.LayerNorm(size)
        self.mlp = Mlp(size)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class Gpt(nn.Module):
    def __init__(self, vocabulary, context, size, layers, heads):
        super().__init__()
        self.transformer = nn.ModuleDict({
            "wte": nn.Embedding(vocabulary, size),
            "wpe": nn.Embedding(context, size),
            "h": nn.ModuleList(Block(size, heads, context) for _ in range(layers)),
            "ln_f": nn.LayerNorm(size)})
        self.lm_head = nn.Linear(size, vocabulary, bias=False)
        self.lm_head.weight = self.transformer.wte.weight

    def forward(self, tokens):
        t = self.transformer
        x = t.wte(tokens) + t.wpe(torch.arange(tokens.shape[1]))
        for block in t.h:
            x = block(x)
        return self.lm_head(t.ln_f(x))


class LSTMTagger(nn.Module):
    def __init__(self, embedding_dim, hidden_dim, vocab_size, tagset_size):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, embedding_dim)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim)
        self.hidden2tag = nn.Linear(hidden_dim, tagset_size)

    def forward(self, sentences):
        lstm_out, _ = self.lstm(self.word_embeddings(sentences))
        return F.log_softmax(self.hidden2tag(lstm_out), dim=-1)


TENSORS = {}


def case(name, network, x):
    """Normalization gets statistics and weights that are no zeros and ones, which would hide mistakes."""
    for part in network.modules():
        if isinstance(part, (nn.BatchNorm2d, nn.LayerNorm)):
            nn.init.uniform_(part.weight, 0.5, 1.5)
            nn.init.uniform_(part.bias, -0.5, 0.5)
        if isinstance(part, nn.BatchNorm2d):
            nn.init.uniform_(part.running_mean, -0.5, 0.5)
            nn.init.uniform_(part.running_var, 0.5, 1.5)
    network.eval()
    y = network(x)
    y.square().sum().backward()
    TENSORS.update({f"{name}/state.{key}": value for key, value in network.state_dict().items()})
    TENSORS.update({f"{name}/norm.{key}": p.grad.norm() for key, p in network.named_parameters()})
    TENSORS.update({f"{name}/x": x, f"{name}/y": y})


torch.manual_seed(1)
case("resnet18", ResNet([2, 2, 2, 2], 4, 10), torch.randn(2, 3, 64, 64))
case("cifar", ResNet([1, 1, 1, 1], 2, 3, small=True), torch.randn(3, 3, 16, 16))
case("nanogpt", Gpt(11, 8, 16, 2, 4), torch.randint(11, (3, 6)))
case("tagger", LSTMTagger(6, 5, 9, 3), torch.randint(9, (7, 2)))
for key in [key for key in TENSORS if key.startswith("nanogpt/")]:
    inner = key.endswith(".weight") and ".c_" in key and "/state." in key
    value = TENSORS[key].t() if inner else TENSORS[key]
    if "lm_head" not in key and not key.endswith(".attn.bias"):
        TENSORS[key.replace("nanogpt/", "gpt2/").replace("transformer.", "")] = value

header, data = {}, b""
for key, tensor in TENSORS.items():
    raw = tensor.detach().contiguous().numpy().tobytes()
    header[key] = {"dtype": TYPES[tensor.dtype], "shape": list(tensor.shape),
                   "data_offsets": [len(data), len(data) + len(raw)]}
    data += raw
text = json.dumps(header, separators=(",", ":")).encode()
text += b" " * (-len(text) % 8)
Path(__file__).with_name("models.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)
