# SPDX-License-Identifier: Apache-2.0
"""Trains the MNIST network of a Tensorbus parameter server with PyTorch, through its gRPC gateway, beside a trainer of
Tensorbus.

    ./tensorbus train mnist --servers 1 --world-size 2 --data DIR --grpc-port 50051 --grpc-trainers 1
    python3 train_mnist.py --data DIR

Needs torch, and what tensorbus.py needs; Debian's python3-torch and python3-grpcio are enough.
"""
import argparse
import gzip
import pathlib
import time

import numpy
import torch
from torch import nn
from torch.nn import functional as F

import tensorbus


class Net(nn.Module):
    """The network of PyTorch's parameter server tutorial; the server's has the same names."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 32, 3, 1)
        self.conv2 = nn.Conv2d(32, 64, 3, 1)
        self.dropout1 = nn.Dropout2d(0.25)
        self.dropout2 = nn.Dropout(0.5)
        self.fc1 = nn.Linear(9216, 128)
        self.fc2 = nn.Linear(128, 10)

    def forward(self, x):
        x = F.max_pool2d(self.conv2(F.relu(self.conv1(x))), 2)
        x = F.relu(self.fc1(torch.flatten(self.dropout1(x), 1)))
        return F.log_softmax(self.fc2(self.dropout2(x)), dim=1)


def read_idx(folder, name):
    """An array of one of MNIST's files, packed or not."""
    packed = pathlib.Path(folder, name + ".gz")
    data = gzip.open(packed).read() if packed.exists() else pathlib.Path(folder, name).read_bytes()
    axes = data[3]
    shape = numpy.frombuffer(data, ">i4", axes, 4)
    return numpy.frombuffer(data, numpy.uint8, offset=4 + 4 * axes).reshape(shape)


def read(folder, name):
    """Images as the server's own trainers see them, and labels."""
    images = read_idx(folder, name + "-images-idx3-ubyte").astype(numpy.float32)[:, None] / 255
    return (images - 0.1307) / 0.3081, read_idx(folder, name + "-labels-idx1-ubyte").astype(numpy.int64)


def train(gateway, arguments):
    images, labels = (torch.from_numpy(array) for array in read(arguments.data, "train"))
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(arguments.threads)
    net = Net()
    begun, step = time.monotonic(), 0
    with gateway.optimizer(net, arguments.name) as optimizer:
        for _ in range(arguments.epochs):
            for batch in torch.randperm(len(images)).split(arguments.batch_size)[: arguments.steps]:
                optimizer.zero_grad()
                loss = F.nll_loss(net(images[batch]), labels[batch])
                loss.backward()
                optimizer.step(loss, len(batch))
                step += 1
                if step % 100 == 0:
                    rate = step * arguments.batch_size / (time.monotonic() - begun)
                    print(f"step {step}  loss {loss.item():.4f}  {rate:.0f} samples/s", flush=True)
        print(f"test accuracy {accuracy(gateway, arguments.data):.4f}, asked of the server", flush=True)


def accuracy(gateway, folder):
    images, labels = read(folder, "t10k")
    right = 0
    for start in range(0, len(images), 500):
        answers = gateway.predict(images[start : start + 500])
        right += int((answers.argmax(1) == labels[start : start + 500]).sum())
    return right / len(images)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", default="127.0.0.1:50051", help="the gateway")
    parser.add_argument("--data", required=True, help="folder of MNIST's files")
    parser.add_argument("--name", default="python", help="this trainer's name")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--steps", type=int, default=None, help="at most, in an epoch")
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--token-file", help="what --grpc-token-file has on the server")
    parser.add_argument("--certificate", help="the PEM file to trust; without, there is no TLS")
    arguments = parser.parse_args()
    token = arguments.token_file and pathlib.Path(arguments.token_file).read_text().strip()
    certificate = arguments.certificate and pathlib.Path(arguments.certificate).read_bytes()
    gateway = tensorbus.Gateway(arguments.target, token, certificate)
    train(gateway, arguments)
    gateway.close()


if __name__ == "__main__":
    main()
