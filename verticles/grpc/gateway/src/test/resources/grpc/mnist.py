# SPDX-License-Identifier: Apache-2.0
"""PyTorch's ConvNet and ours are one model, by name and by value: run by PythonGatewayTest."""
import sys

import numpy
import torch
from torch.nn import functional as F

import tensorbus
import train_mnist

RATE = 0.03  # of the test's server

torch.manual_seed(1)
gateway = tensorbus.Gateway("localhost:" + sys.argv[1])
net = train_mnist.Net()
optimizer = gateway.optimizer(net)
images, labels = torch.randn(16, 1, 28, 28), torch.arange(16) % 10

net.eval()
with torch.no_grad():
    ours, theirs = gateway.predict(images), net(images).numpy()
assert numpy.allclose(ours, theirs, atol=1e-4), abs(ours - theirs).max()

before = {name: values.clone() for name, values in net.state_dict().items()}
optimizer.zero_grad()
F.nll_loss(net(images), labels).backward()
optimizer.step()
optimizer.close()
ours = {name: values.clone() for name, values in net.state_dict().items()}
net.load_state_dict(before)
torch.optim.SGD(net.parameters(), lr=RATE).step()
for name, values in net.state_dict().items():
    assert torch.allclose(ours[name], values, atol=1e-6), name
gateway.close()
print("one model")
