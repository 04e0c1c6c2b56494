# SPDX-License-Identifier: Apache-2.0
"""Writes a state_dict of PyTorch as a safetensors file, for StateDict.read.

    python to_safetensors.py resnet18.pt resnet18.safetensors
    python to_safetensors.py wrapped.pt net.safetensors --strip module.

It needs torch and nothing else. Values of float16 become float32, which Tensorbus computes in.
"""
import argparse
import ctypes
import json
import struct

import torch

TYPES = {torch.float32: "F32", torch.float64: "F64", torch.bfloat16: "BF16",
         torch.int64: "I64", torch.bool: "BOOL"}
WIDER = {torch.float16: torch.float32, torch.int8: torch.int64, torch.uint8: torch.int64,
         torch.int16: torch.int64, torch.int32: torch.int64}


def load(path):
    """The tensors by their names; no code of the file runs where torch can prevent it."""
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except TypeError:  # torch before 1.13
        state = torch.load(path, map_location="cpu")
    state = state.get("state_dict", state)
    return {name: value for name, value in state.items() if isinstance(value, torch.Tensor)}


def write(state, path):
    """The header's length, the header as JSON, and the values one after the other."""
    header, values, end = {}, [], 0
    for name, tensor in state.items():
        tensor = tensor.detach().to(WIDER.get(tensor.dtype, tensor.dtype)).contiguous()
        if tensor.dtype not in TYPES:
            raise SystemExit(f"{name}: {tensor.dtype} has no counterpart; convert or leave it out")
        # Without NumPy, which torch does not install.
        data = ctypes.string_at(tensor.data_ptr(), tensor.numel() * tensor.element_size())
        header[name] = {"dtype": TYPES[tensor.dtype], "shape": list(tensor.shape),
                        "data_offsets": [end, end + len(data)]}
        values.append(data)
        end += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)  # values begin at a multiple of eight
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.writelines(values)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("state_dict", help="file of torch.save(net.state_dict(), …)")
    parser.add_argument("safetensors", help="file to write")
    parser.add_argument("--strip", default="", help="what all names begin with, to be left out")
    given = parser.parse_args()
    tensors = {name.removeprefix(given.strip): tensor
               for name, tensor in load(given.state_dict).items()}
    write(tensors, given.safetensors)
    print(f"{len(tensors)} tensors in {given.safetensors}")
