# SPDX-License-Identifier: Apache-2.0
"""What the peer's scripts share: the start of a world of processes, and the lines of figures."""

import os
import socket
import time

import torch
import torch.distributed.rpc as rpc
import torch.multiprocessing as mp


def figure(name, value, unit):
    print(f"{name} {value:.4g} {unit}", flush=True)


def quantile(times, share):
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def times(warmup, repeats, action):
    """Seconds of each repeat."""
    for _ in range(warmup):
        action()
    measured = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        measured.append(time.perf_counter() - start)
    return measured


def _member(rank, size, port, threads, work):
    os.environ["MASTER_ADDR"] = "127.0.0.1"
    os.environ["MASTER_PORT"] = str(port)
    torch.set_num_threads(threads)
    torch.manual_seed(1 + rank)
    options = rpc.TensorPipeRpcBackendOptions(num_worker_threads=16, rpc_timeout=600)
    rpc.init_rpc(f"worker{rank}", rank=rank, world_size=size, rpc_backend_options=options)
    if rank == 0:
        work()
    rpc.shutdown()


def run(size, work, threads=1):
    """Starts `size` processes on this machine. `work` runs in the one of rank 0."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    mp.spawn(_member, args=(size, port, threads, work), nprocs=size)
