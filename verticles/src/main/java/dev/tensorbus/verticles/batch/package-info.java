// SPDX-License-Identifier: Apache-2.0

/// The batch program: a parameter server that answers all trainers of a round together. Modelled on
/// PyTorch's tutorial "Implementing Batch RPC Processing Using Asynchronous Executions".
package dev.tensorbus.verticles.batch;
