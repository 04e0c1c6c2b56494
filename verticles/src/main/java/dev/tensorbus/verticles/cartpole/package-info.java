// SPDX-License-Identifier: Apache-2.0

/// The CartPole program: one agent that learns from many observers. Modelled on PyTorch's "Getting
/// Started with Distributed RPC Framework" and, with `--batch`, "Implementing Batch RPC Processing
/// Using Asynchronous Executions".
package dev.tensorbus.verticles.cartpole;
