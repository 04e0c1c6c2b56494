# SPDX-License-Identifier: Apache-2.0
"""Writes a safetensors file as a state_dict of PyTorch, for load_state_dict(torch.load(file)).

    python from_safetensors.py trained.safetensors trained.pt

It needs torch and nothing else.
"""
import argparse
import json
import struct

import torch

TYPES = {"F32": torch.float32, "F64": torch.float64, "BF16": torch.bfloat16,
         "I64": torch.int64, "BOOL": torch.bool}


def read(path):
    """The tensors by their names: the header's length, the header as JSON, and the values."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        values = bytearray(file.read())
    state = {}
    for name, tensor in header.items():
        if name != "__metadata__":
            begin, end = tensor["data_offsets"]
            flat = torch.frombuffer(values[begin:end] or bytearray(8), dtype=TYPES[tensor["dtype"]])
            count = torch.Size(tensor["shape"]).numel()
            state[name] = flat[:count].reshape(tensor["shape"])
    return state


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("safetensors", help="file of net.state().save(…)")
    parser.add_argument("state_dict", help="file to write")
    given = parser.parse_args()
    tensors = read(given.safetensors)
    torch.save(tensors, given.state_dict)
    print(f"{len(tensors)} tensors in {given.state_dict}")
