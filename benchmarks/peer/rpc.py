# SPDX-License-Identifier: Apache-2.0
"""Calls from one process to another: the figures of `tensorbus bench rpc`."""

import time
from collections import deque

import torch
import torch.distributed.autograd as dist_autograd
import torch.distributed.rpc as rpc

from peer import figure, quantile, run, times

CALLEE = "worker1"
PIPELINED = 20_000
DEPTH = 64


def noop():
    return None


def echo(tensor):
    return tensor


class Counter:
    def __init__(self):
        self.count = 0

    def increment(self):
        self.count += 1
        return self.count


def latency(name, warmup, repeats, call):
    measured = times(warmup, repeats, call)
    figure(f"rpc.{name}.p50", quantile(measured, 0.5) * 1e6, "us")
    figure(f"rpc.{name}.p99", quantile(measured, 0.99) * 1e6, "us")


def pipeline():
    pending = deque()
    for _ in range(PIPELINED):
        pending.append(rpc.rpc_async(CALLEE, noop))
        if len(pending) >= DEPTH:
            pending.popleft().wait()
    for future in pending:
        future.wait()


def one_hop(x, weight):
    with dist_autograd.context() as context:
        y = rpc.rpc_sync(CALLEE, torch.matmul, (x, weight))
        dist_autograd.backward(context, [y.sum()])


def work():
    small = torch.randn(4)
    latency("noop", 500, 3000, lambda: rpc.rpc_sync(CALLEE, noop))
    latency("echo4floats", 500, 3000, lambda: rpc.rpc_sync(CALLEE, echo, (small,)))
    counter = rpc.remote(CALLEE, Counter)
    latency("rref_method", 500, 3000, lambda: counter.rpc_sync().increment())
    pipeline()
    start = time.perf_counter()
    pipeline()
    figure(f"rpc.pipelined{DEPTH}", PIPELINED / (time.perf_counter() - start), "calls/s")
    for kib in (1, 16, 64, 256, 1024, 4096, 16_384, 65_536):
        tensor = torch.randn(kib * 256)
        repeats = max(9, min(400, 262_144 // kib))
        measured = times(3, repeats, lambda: rpc.rpc_sync(CALLEE, echo, (tensor,)))
        figure(f"rpc.tensor_echo.{kib}KiB.p50", quantile(measured, 0.5) * 1e6, "us")
    x = torch.randn(20, 100)
    weight = torch.randn(100, 30, requires_grad=True)
    latency("dist_autograd_one_hop", 300, 1200, lambda: one_hop(x, weight))


if __name__ == "__main__":
    run(2, work)
