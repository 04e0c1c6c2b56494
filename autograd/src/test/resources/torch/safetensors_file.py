#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes and reads a safetensors file with PyTorch alone: the format by its description, not by its library.

    python3 safetensors_file.py write FILE      what safetensors.safetensors holds, from torch 1.13.1
    python3 safetensors_file.py read FILE       prints a line of name, type, sizes and bytes for each tensor
"""
import json
import struct
import sys
from math import inf, nan, pi

import torch

TYPES = {"F64": torch.float64, "I64": torch.int64, "F32": torch.float32, "BF16": torch.bfloat16, "BOOL": torch.bool}
NAMES = {dtype: name for name, dtype in TYPES.items()}
# Edges, halves of a last digit, which go to the even neighbour, and values just beside them.
SINGLES = torch.tensor([1e-45, 4.6e-41, 9.2e-41, -0.0, 1.00390625, 1.0039063, 1.01171875, -3.3895314e38, 3.4e38, inf, pi])
TENSORS = {
    "fine": torch.tensor([pi, -0.0, nan, 5e-324], dtype=torch.float64),
    "steps": torch.tensor(-(2**62) - 1),
    "conv1.weight": torch.tensor([[1.5, -0.0, inf], [nan, 1e-45, -3.4028235e38]]),
    "scalar": torch.tensor(0.1),
    "empty": torch.zeros(0, 3),
    "gewicht.ä": torch.arange(6.0).reshape(1, 2, 3),
    "singles": SINGLES,
    "rounded": SINGLES.to(torch.bfloat16),
    "mask": torch.tensor([[True], [False], [True]]),
}


def raw(tensor):
    bits = tensor.contiguous().view(torch.int16) if tensor.dtype == torch.bfloat16 else tensor.contiguous()
    return bits.numpy().tobytes()


def save(file, tensors):
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, tensor in tensors.items():
        end = len(data) + len(raw(tensor))
        header[name] = {"dtype": NAMES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [len(data), end]}
        data += raw(tensor)
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    with open(file, "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text + data)


def write(file):
    save(file, TENSORS)


def read(file):
    with open(file, "rb") as data:
        header = json.loads(data.read(struct.unpack("<Q", data.read(8))[0]))
        data = bytearray(data.read())
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            dtype = TYPES[entry["dtype"]]
            tensor = torch.frombuffer(data[begin:end], dtype=dtype) if begin < end else torch.zeros(0, dtype=dtype)
            tensor = tensor.reshape(entry["shape"])
            print(name, NAMES[tensor.dtype], ",".join(map(str, tensor.shape)) or "-", raw(tensor).hex() or "-")


if __name__ == "__main__":
    {"write": write, "read": read}[sys.argv[1]](sys.argv[2])
