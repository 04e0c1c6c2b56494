#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the ONNX models beside this file: the kinds of models that people bring, with few weights.

    python3 models.py  # torch 2.13.0, torchvision 0.28.0, onnx 1.23.1, onnxscript 0.7.2, scikit-learn 1.9.1

resnet18.onnx    torchvision's ResNet-18 with 1/32 of its channels, by torch's first exporter
bert.onnx        an encoder like BERT with two layers, by torch's second exporter
classifier.onnx  scikit-learn's pipeline of a scaler and a multilayer perceptron, with the nodes that skl2onnx
                 writes for it; skl2onnx itself is not used

operators.onnx   a function of images and rows with one output for each operator, or group of operators, that our
                 own export does not write

Weights are random, except those of the classifier.
"""
import os

import numpy as np
import onnx
import torch
import torch.nn as nn
import torch.nn.functional as F
from onnx import TensorProto, helper, numpy_helper
from sklearn.datasets import load_iris
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from torchvision.models import resnet18

FOLDER = os.path.dirname(os.path.abspath(__file__))


def path(name):
    return os.path.join(FOLDER, name)


def narrowed(module, factor):
    """Replaces layers by some with fewer channels; the code of torchvision's model stays."""
    for name, child in module.named_children():
        if isinstance(child, nn.Conv2d):
            inputs = child.in_channels if child.in_channels == 3 else child.in_channels // factor
            conv = nn.Conv2d(inputs, child.out_channels // factor, child.kernel_size, child.stride, child.padding,
                             bias=False)
            nn.init.kaiming_normal_(conv.weight, mode="fan_out", nonlinearity="relu")  # as torchvision does
            setattr(module, name, conv)
        elif isinstance(child, nn.BatchNorm2d):
            norm = nn.BatchNorm2d(child.num_features // factor)
            nn.init.uniform_(norm.weight, 0.5, 1.5)
            nn.init.uniform_(norm.bias, -0.5, 0.5)
            nn.init.uniform_(norm.running_mean, -0.5, 0.5)
            nn.init.uniform_(norm.running_var, 0.5, 1.5)
            setattr(module, name, norm)
        elif isinstance(child, nn.Linear):
            setattr(module, name, nn.Linear(child.in_features // factor, child.out_features))
        else:
            narrowed(child, factor)


def resnet():
    torch.manual_seed(1)
    net = resnet18(num_classes=10)
    narrowed(net, 32)
    net.eval()
    # PRESERVE keeps batch normalization, which the exporter would otherwise merge into convolutions.
    torch.onnx.export(net, torch.zeros(1, 3, 64, 64), path("resnet18.onnx"), dynamo=False, opset_version=13,
                      training=torch.onnx.TrainingMode.PRESERVE, do_constant_folding=False,
                      input_names=["images"], output_names=["scores"], dynamic_axes={"images": {0: "batch"}})


class Encoder(nn.Module):
    """Like BERT: token and position embeddings, layers with GELU, and a dense layer on the first token."""

    def __init__(self, words, longest, width, heads, layers):
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.positions = nn.Embedding(longest, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        layer = nn.TransformerEncoderLayer(width, heads, 4 * width, activation="gelu", batch_first=True)
        self.layers = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.pooler = nn.Linear(width, width)

    def forward(self, ids, mask):
        positions = torch.arange(ids.shape[1], device=ids.device)
        x = self.norm(self.words(ids) + self.positions(positions))
        hidden = self.layers(x, src_key_padding_mask=mask == 0)
        return hidden, torch.tanh(self.pooler(hidden[:, 0]))


def bert():
    torch.manual_seed(2)
    net = Encoder(words=50, longest=16, width=16, heads=2, layers=2).eval()
    with torch.no_grad():
        for parameter in net.parameters():  # torch copies the first layer, and the exporter would see that
            parameter.add_(0.1 * torch.randn_like(parameter))
    ids = torch.randint(50, (2, 7))
    mask = torch.ones(2, 7, dtype=torch.long)
    batch, length = torch.export.Dim("batch"), torch.export.Dim("length", max=16)
    torch.onnx.export(net, (ids, mask), path("bert.onnx"), dynamo=True, opset_version=18, external_data=False,
                      input_names=["ids", "mask"], output_names=["hidden", "pooled"],
                      dynamic_shapes=({0: batch, 1: length}, {0: batch, 1: length}))


class Operators(nn.Module):
    def __init__(self):
        super().__init__()
        self.same = nn.Conv2d(4, 3, 4, padding="same")
        self.line = nn.Conv1d(9, 2, 3, stride=2, padding=1)
        self.gru = nn.GRU(6, 3, bidirectional=True)
        self.group = nn.GroupNorm(2, 4)
        self.instance = nn.InstanceNorm2d(4, affine=True)
        self.slopes = nn.PReLU(6, init=0.3)
        self.index = torch.tensor([[0, 1, 2], [3, 4, 5], [1, 3, 5], [2, 0, 4]])

    def forward(self, images, rows):
        return (
            self.same(images),
            self.line(images[:, 0]),
            self.gru(rows.unsqueeze(1))[0],
            self.group(images) + self.instance(images),
            F.max_pool2d(images, 3, 2, padding=1, ceil_mode=True),
            F.avg_pool2d(images, 3, 2, ceil_mode=True),
            F.avg_pool2d(images, 3, 2, padding=1, count_include_pad=False),
            F.avg_pool1d(images[:, 0], 2),
            F.interpolate(images, scale_factor=2, mode="nearest"),
            F.interpolate(images, size=(7, 13), mode="bilinear", align_corners=True),
            F.pixel_shuffle(images, 2),
            F.pad(images, (2, 1, 0, 0), mode="reflect") + F.pad(images, (0, 3, 0, 0), mode="replicate"),
            F.pad(images, (1, -2, 3, 0), value=2.5),
            images[:, 1:, ::2, -3:].flip(2),
            self.slopes(rows) + F.elu(rows) + F.selu(rows) + F.celu(rows, 0.7),
            F.hardswish(rows) + F.hardsigmoid(rows) + F.mish(rows) + F.softsign(rows),
            torch.erf(rows),
            rows ** 2 + 2 ** rows + torch.fmod(rows, 0.3) + torch.remainder(rows, 0.3),
            torch.tril(rows) + torch.triu(rows, 1),
            torch.zeros(4, 6).scatter(1, self.index, rows[:, :3]).scatter_add(1, self.index, rows[:, 1:4]),
            F.one_hot(self.index, 7).float() * rows[0, 0],
            rows.prod(1) + rows.norm(dim=1) + rows.abs().sum(1) + rows.amin(1) + rows.argmin(1),
            rows.repeat(2, 3),
            torch.cat(rows.split([1, 2, 3], 1)[::-1], 1),
            (rows > 0).nonzero(),
            torch.einsum("ij,kj->ik", rows, rows),
            torch.where((rows > 0) ^ (rows < 1), rows, rows + torch.arange(rows.shape[1])),
        )


def operators():
    torch.manual_seed(4)
    inputs = (torch.randn(2, 4, 9, 10), torch.randn(4, 6))
    torch.onnx.export(Operators().eval(), inputs, path("operators.onnx"), dynamo=False, opset_version=18,
                      input_names=["images", "rows"])


def classifier():
    x, y = load_iris(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), MLPClassifier((8,), max_iter=2000, random_state=3)).fit(x, y)
    scaler, network = pipeline[0], pipeline[1]
    values, nodes = [], []

    def value(name, array):
        values.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def node(operator, inputs, outputs, domain="", **attributes):
        nodes.append(helper.make_node(operator, inputs, outputs, domain=domain, **attributes))

    node("Scaler", ["X"], ["variable"], "ai.onnx.ml", offset=scaler.mean_.astype(np.float32),
         scale=(1 / scaler.scale_).astype(np.float32))
    node("Cast", ["variable"], ["cast_input"], to=TensorProto.FLOAT)
    before = "cast_input"
    for i, (weight, bias) in enumerate(zip(network.coefs_, network.intercepts_)):
        suffix = str(i) if i else ""
        node("MatMul", [before, value("coefficient" + suffix, weight.astype(np.float32))], ["mul_result" + suffix])
        node("Add", ["mul_result" + suffix, value("intercepts" + suffix, bias.astype(np.float32).reshape(1, -1))],
             ["add_result" + suffix])
        before = "next_activations" if i == 0 else "out_activations_result"
        node("Relu" if i == 0 else "Softmax", ["add_result" + suffix], [before])
    node("ArgMax", [before], ["argmax_output"], axis=1)
    node("ArrayFeatureExtractor", [value("classes", network.classes_.astype(np.int32)), "argmax_output"],
         ["array_feature_extractor_result"], "ai.onnx.ml")
    node("Cast", ["array_feature_extractor_result"], ["cast_result"], to=TensorProto.INT64)
    node("Reshape", ["cast_result", value("shape_tensor", np.array([-1], np.int64))], ["label"])
    node("Identity", [before], ["probabilities"])
    node("ZipMap", ["probabilities"], ["output_probability"], "ai.onnx.ml", classlabels_int64s=[0, 1, 2])
    maps = helper.make_sequence_type_proto(helper.make_map_type_proto(
        TensorProto.INT64, helper.make_tensor_type_proto(TensorProto.FLOAT, [])))
    graph = helper.make_graph(
        nodes, "pipeline", [helper.make_tensor_value_info("X", TensorProto.FLOAT, [None, 4])],
        [helper.make_tensor_value_info("label", TensorProto.INT64, [None]),
         helper.make_value_info("output_probability", maps)], values)
    model = helper.make_model(graph, ir_version=8, opset_imports=[
        helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 1)])
    onnx.checker.check_model(model)
    onnx.save(model, path("classifier.onnx"))


def slim(name):
    """Removes the notes on torch's source code, which take more bytes than the weights."""
    model = onnx.load(path(name))
    for part in [model.graph, *model.graph.node, *model.graph.value_info, *model.graph.input, *model.graph.output,
                 *model.graph.initializer]:
        part.ClearField("metadata_props")
        part.ClearField("doc_string")
    model.graph.ClearField("value_info")
    onnx.save(model, path(name))


def show(name):
    model = onnx.load(path(name))
    used = sorted({node.op_type for node in model.graph.node})
    print(name, os.path.getsize(path(name)), [(i.domain, i.version) for i in model.opset_import], used)


if __name__ == "__main__":
    resnet()
    bert()
    classifier()
    operators()
    for each in ("resnet18.onnx", "bert.onnx", "classifier.onnx", "operators.onnx"):
        slim(each)
        show(each)
