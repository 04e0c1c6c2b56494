// SPDX-License-Identifier: Apache-2.0

/// The MNIST program: one parameter server, any number of trainers. Modelled on PyTorch's tutorial
/// "Implementing a Parameter Server Using Distributed RPC Framework".
package dev.tensorbus.verticles.mnist;
