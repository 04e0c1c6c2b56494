# SPDX-License-Identifier: Apache-2.0
"""PyTorch's ConvNet and ours are one model, by name and by value: run by PythonMnistTest."""
import sys

import numpy
import torch
from torch.nn import functional as F

import tensorbus
import train_mnist

RATE = 0.03  # of the test's server

torch.manual_seed(1)
gateway = tensorbus.Gateway("localhost:" + sys.argv[1])
version, state = gateway.pull()
net = train_mnist.Net()
net.load_state_dict({name: torch.from_numpy(values.copy()) for name, values in state.items()}, strict=True)
images, labels = torch.randn(16, 1, 28, 28), torch.arange(16) % 10

net.eval()
with torch.no_grad():
    ours, theirs = gateway.predict(images.numpy()), net(images).numpy()
assert numpy.allclose(ours, theirs, atol=1e-4), abs(ours - theirs).max()

F.nll_loss(net(images), labels).backward()
gradients = {name: parameter.grad.numpy() for name, parameter in net.named_parameters()}
with gateway.pushes("python") as pushes:
    assert pushes.push(gradients) > version
torch.optim.SGD(net.parameters(), lr=RATE).step()
stepped = gateway.pull()[1]
for name, values in net.state_dict().items():
    assert numpy.allclose(stepped[name], values.numpy(), atol=1e-6), name
gateway.close()
print("one model")
